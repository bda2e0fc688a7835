"""Trails broken into pieces that k persons share: common beginnings, with the most frequent cells first.

Each round orders the cells that are left of every person by how many persons have them, and cuts a trail behind the
longest beginning that at least k persons share who are not cut yet. What is left goes into the next round.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Cells = tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """Cells, in the order in which they were cut, that all these persons have; no person is named twice."""

    cells: Cells
    persons: tuple[int, ...]


def shared_pieces(trails: Sequence[Iterable[int]], k: int) -> tuple[list[Piece], list[Counter[int]]]:
    """(pieces of at least k persons each, what is left of every person and can be shared by no k of them).

    A person whose last rows nobody shares may join pieces of other rounds that hold nothing else.
    """
    left = [Counter(trail) for trail in trails]
    pieces: list[Piece] = []
    while cut := _round(left, k):
        for piece in cut:
            for person in piece.persons:
                left[person] -= Counter(piece.cells)
        pieces += cut
    return _joined(pieces, left), left


def _round(left: Sequence[Counter[int]], k: int) -> list[Piece]:
    """Every person with something left is cut once, where at least k persons share a beginning."""
    having = Counter(cell for cells in left for cell in cells)
    lists = [sorted(cells.elements(), key=lambda cell: (-having[cell], cell)) for cells in left]
    lists = [[cell for cell in cells if having[cell] >= k] for cells in lists]
    beginnings, numbers = _beginnings(lists)
    found: dict[int, list[int]] = defaultdict(list)
    for person, numbered in enumerate(numbers):
        if numbered and len(numbered) == left[person].total():
            found[numbered[-1]].append(person)
    found = defaultdict(list, {number: some for number, some in found.items() if len(some) >= k})  # these are not cut
    done = {person for persons in found.values() for person in persons}
    at = {person: len(numbered) for person, numbered in enumerate(numbers) if numbered and person not in done}
    for depth in range(max(at.values(), default=0), 0, -1):
        passing: dict[int, list[int]] = defaultdict(list)
        for person, length in at.items():
            if length >= depth:
                passing[numbers[person][depth - 1]].append(person)
        for number, persons in passing.items():
            if len(persons) >= k:
                found[number] += persons
                for person in persons:
                    del at[person]
    return [Piece(beginnings[number], tuple(sorted(persons))) for number, persons in sorted(found.items())]


def _beginnings(lists: Sequence[Sequence[int]]) -> tuple[list[Cells], list[list[int]]]:
    """Every beginning of a list, numbered, and the numbers of each list's beginnings by length."""
    known: dict[tuple[int, int], int] = {}
    cells: list[Cells] = []
    numbers = []
    for one in lists:
        at, numbered = -1, []
        for length, cell in enumerate(one, 1):
            before = at
            at = known.setdefault((before, cell), len(known))
            if at == len(cells):
                cells.append(tuple(one[:length]))
            numbered.append(at)
        numbers.append(numbered)
    return cells, numbers


def _joined(pieces: list[Piece], left: list[Counter[int]]) -> list[Piece]:
    """What is left of a person joins a piece of others that is a part of it, the longest first; once each."""
    by_cell: dict[int, list[int]] = defaultdict(list)
    for number in sorted(range(len(pieces)), key=lambda n: (-len(pieces[n].cells), n)):
        by_cell[min(pieces[number].cells)].append(number)
    members = [list(piece.persons) for piece in pieces]
    inside = [set(piece.persons) for piece in pieces]
    owned = {(person, tuple(sorted(piece.cells))) for piece in pieces for person in piece.persons}
    for person, rest in enumerate(left):
        fitting = sorted({n for cell in rest for n in by_cell[cell]}, key=lambda n: (-len(pieces[n].cells), n))
        for number in fitting:
            content = tuple(sorted(pieces[number].cells))
            if (person, content) not in owned and person not in inside[number] and Counter(content) <= left[person]:
                left[person] -= Counter(content)
                members[number].append(person)
                owned.add((person, content))
    return [Piece(piece.cells, tuple(sorted(some))) for piece, some in zip(pieces, members, strict=True)]
