"""Trails broken into pieces that k persons share: common beginnings, with the most frequent cells first.

Each round orders the cells that are left of every person by how many persons have them, and cuts a trail behind the
longest beginning that at least k persons share who are not cut yet. What is left goes into the next round.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Cells = tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """Cells, in the order in which they were cut, that all these persons have; no person is named twice."""

    cells: Cells
    persons: tuple[int, ...]


def shared_pieces(
    trails: Sequence[Iterable[int]], k: int, prefer: Literal["rows", "trails"] = "rows"
) -> tuple[list[Piece], list[Counter[int]]]:
    """(pieces of at least k persons each, what is left of every person because no piece can take it).

    What is left after the last round joins pieces of others that are like it. If rows are preferred, pieces of single
    rows are made for the rest: rows like them are taken out of longer pieces, those of fewest persons first.
    """
    left = [Counter(trail) for trail in trails]
    pieces: list[Piece] = []
    while cut := _round(left, k):
        for piece in cut:
            for person in piece.persons:
                left[person] -= Counter(piece.cells)
        pieces += cut
    pieces = _joined(pieces, left)
    if prefer == "rows":
        for cell in sorted({cell for rest in left for cell in rest}):
            pieces = _as_single_rows(cell, pieces, left, k)
    return pieces, left


def _round(left: Sequence[Counter[int]], k: int) -> list[Piece]:
    """Every person with something left is cut once, where at least k persons share a beginning."""
    having = Counter(cell for cells in left for cell in cells)
    lists = [sorted(cells.elements(), key=lambda cell: (-having[cell], cell)) for cells in left]
    lists = [[cell for cell in cells if having[cell] >= k] for cells in lists]
    beginnings, numbers = _beginnings(lists)
    results: dict[int, list[int]] = defaultdict(list)
    for person, numbered in enumerate(numbers):
        if numbered and len(numbered) == left[person].total():
            results[numbered[-1]].append(person)
    results = defaultdict(
        list, {number: some for number, some in results.items() if len(some) >= k}
    )  # these are not cut
    done = {person for persons in results.values() for person in persons}
    at = {person: len(numbered) for person, numbered in enumerate(numbers) if numbered and person not in done}
    for depth in range(max(at.values(), default=0), 0, -1):
        passing: dict[int, list[int]] = defaultdict(list)
        for person, length in at.items():
            if length >= depth:
                passing[numbers[person][depth - 1]].append(person)
        for number, persons in passing.items():
            if len(persons) >= k:
                results[number] += persons
                for person in persons:
                    del at[person]
    return [Piece(beginnings[number], tuple(sorted(persons))) for number, persons in sorted(results.items())]


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


def _as_single_rows(cell: int, pieces: list[Piece], left: list[Counter[int]], k: int) -> list[Piece]:
    """Rows of one cell that are left, as pieces of one row each, beside those that are so already.

    Longer pieces give up such a row while one person would own more than one in k of them. What is too much even then
    is left: of those who have most, first.
    """
    owned = Counter({person: rest[cell] for person, rest in enumerate(left) if rest[cell]})
    others = []
    for piece in pieces:
        if piece.cells == (cell,):
            owned.update(piece.persons)
        else:
            others.append(piece)
    holding = sorted((len(piece.persons), n) for n, piece in enumerate(others) if cell in piece.cells)
    for _, number in holding:
        if owned.total() // max(owned.values()) >= k:
            break
        while cell in others[number].cells and len(others[number].cells) > 1:
            cells = list(others[number].cells)
            cells.remove(cell)
            others[number] = Piece(tuple(cells), others[number].persons)
            owned.update(others[number].persons)
        if others[number].cells == (cell,):  # nothing else is in it any more
            owned.update(others[number].persons)
            others[number] = Piece((), ())
    others = [piece for piece in others if piece.cells]
    for rest in left:
        del rest[cell]
    while owned and owned.total() // max(owned.values()) < k:
        person = min(owned, key=lambda one: (-owned[one], one))
        owned -= Counter([person])
        left[person][cell] += 1
    return others + _dealt(cell, owned)


def _dealt(cell: int, owned: Counter[int]) -> list[Piece]:
    """As many pieces as one person has rows at most, dealt in turn: none gets two rows of one person."""
    many = max(owned.values(), default=0)
    hands: list[list[int]] = [[] for _ in range(many)]
    for at, person in enumerate(sorted(owned.elements(), key=lambda one: (-owned[one], one))):
        hands[at % many].append(person)
    return [Piece((cell,), tuple(sorted(hand))) for hand in hands]


def _joined(pieces: list[Piece], left: list[Counter[int]]) -> list[Piece]:
    """What is left of a person joins pieces of others that are a part of it, the longest first; each piece once.

    Every piece has at least k persons, each of them once: of several pieces that are alike, nobody owns more than one
    in k.
    """
    by_cell: dict[int, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces):
        by_cell[min(piece.cells)].append(number)
    members = [set(piece.persons) for piece in pieces]
    for person, rest in enumerate(left):
        fitting = sorted({n for cell in rest for n in by_cell[cell]}, key=lambda n: (-len(pieces[n].cells), n))
        for number in fitting:
            content = Counter(pieces[number].cells)
            if person not in members[number] and content <= left[person]:
                left[person] -= content
                members[number].add(person)
    return [Piece(piece.cells, tuple(sorted(some))) for piece, some in zip(pieces, members, strict=True)]
