"""Cells of DNA that are merged, class by class, until whatever a record shows is shown by k records that are alike.

Two cells of a place are merged for a whole class: every record that showed one of them shows their union. The cell of a
record then follows from its value alone, so that no record keeps a narrower cell than others with the same value, and
nobody is picked out of those who fit. In the end all records of a class show the same.

Merging adds supports up. What is 0 or at least k stays so, and one pass over the places that may be known together is
enough. Of the merges that help a class, one that leaves nothing to do is taken first, then the one that loses least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import contained, numbered
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.joint.engine.snp_cells import SIZE, SnpCells

Ints = NDArray[np.int64]
MOST_STEPS = 40_000_000_000
"""Records that are looked at for all combinations of cells; a task beyond that is not begun."""
_CELLS = 32
"""More than there are different cells."""


def steps(among: Combinations, columns: int, known: int) -> int:
    """At most how many records are looked at, if `columns` different cells may be shown."""
    return len(among.rows) * math.prod([columns] * known)


@dataclass(frozen=True)
class _Merge:
    place: int
    one: int
    other: int
    both: int


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Records of combinations of codes: the record, the combination (numbered without gaps), and its class."""

    row: Ints
    number: Ints
    class_of: Ints
    """Of each combination."""

    def counts(self, code: Ints, width: int) -> Ints:
        """Combination × code: how many records have both. Codes are below width; linear in the records."""
        counts = np.bincount(self.number * width + code[self.row], minlength=len(self.class_of) * width)
        return counts.reshape(len(self.class_of), width)

    def of_classes(self, classes: Ints) -> _Pairs:
        """The records and combinations of these classes, renumbered."""
        kept = contained(self.class_of, classes)
        renumbered = np.cumsum(kept) - 1
        inside = kept[self.number]
        return _Pairs(self.row[inside], renumbered[self.number[inside]], self.class_of[kept])


class CellMerging:
    """Merges the cells of some persons, in place."""

    def __init__(self, dna: SnpCells, class_of_row: NDArray[np.integer], k: int) -> None:
        self.dna, self.cells, self.k = dna, dna.sets.copy(), k
        self.classes = np.asarray(class_of_row, dtype=np.int64)
        self.known = dna.sets != dna.full

    def merged(self, among: Combinations, known: int) -> SnpCells:
        """Until each `known` cells are in none of a combination's records, or in k of them."""
        assert among.sizes.min(initial=self.k) >= self.k, "too few records for any merging to help"
        pairs = _Pairs(among.rows, among.number_of, self.classes[among.rows[among.starts[:-1]]])
        for size in range(1, min(known, self.dna.places) + 1):
            for places in combinations(range(self.dna.places), size):
                self._protect(pairs, places)
        return self.dna.shown_as(self.cells)

    def _protect(self, pairs: _Pairs, places: tuple[int, ...]) -> None:
        """The cells of some places, known together."""
        while True:
            shown, code = _coded(self.cells[:, places])
            counts = pairs.counts(code, len(shown))
            number, short = np.nonzero(_too_few(counts, self.k))
            if not len(number):
                return
            classes, rare = numbered(pairs.class_of[number])
            counts = counts[contained(pairs.class_of, classes)]
            pairs = pairs.of_classes(classes)
            concerned, here = _concerned(len(classes), rare, shown[short]), counts.any(axis=0)
            self._apply(_Counted(pairs.class_of, shown[here], counts[:, here]), places, classes, concerned)

    def _apply(self, counted: _Counted, places: tuple[int, ...], classes: Ints, concerned: NDArray[np.bool_]) -> None:
        """One merge for each class in which some cells are too rare: `concerned` says which, by class and place."""
        inside = np.flatnonzero(contained(self.classes, classes))
        owner = np.searchsorted(classes, self.classes[inside])
        best = np.full((3, len(classes)), np.inf)
        cells = [self._cells(place, inside, owner, len(classes)) for place in places]
        merges = list(self._merges(places, cells))
        for index, merge in enumerate(merges):
            at = places.index(merge.place)
            useful, lost = self._lost(merge, *cells[at])
            useful &= concerned[:, at, merge.one] | concerned[:, at, merge.other]
            if not useful.any():
                continue
            unsolved = contained(classes, counted.unsolved(at, merge, self.k))
            better = useful & _less((unsolved, lost), best)
            best[:, better] = np.stack([unsolved, lost, np.full(len(classes), index)])[:, better]
        for index in np.unique(best[2]).astype(np.int64).tolist():
            merge = merges[index]
            rows = inside[(best[2] == index)[owner]]
            shown = self.cells[rows, merge.place]
            self.cells[rows[(shown == merge.one) | (shown == merge.other)], merge.place] = merge.both

    def _cells(self, place: int, inside: Ints, owner: Ints, count: int) -> tuple[Ints, Ints]:
        """Class × cell: how many records show the cell at a place, and how many of these have a known value there."""
        key = owner * _CELLS + self.cells[inside, place]
        known = key[self.known[inside, place]]
        every, of_known = (np.bincount(some, minlength=count * _CELLS).reshape(count, _CELLS) for some in (key, known))
        return every, of_known

    def _merges(self, places: tuple[int, ...], cells: Sequence[tuple[Ints, Ints]]) -> Iterator[_Merge]:
        """Any two cells that are shown at one of the places."""
        for place, (every, _) in zip(places, cells, strict=True):
            for one, other in combinations(np.flatnonzero(every.any(axis=0)).tolist(), 2):
                yield _Merge(place, one, other, int(self.dna.whole(np.array([one | other], dtype=np.uint8))[0]))

    def _lost(self, merge: _Merge, every: Ints, known: Ints) -> tuple[NDArray[np.bool_], Ints]:
        """For each class: does it show both cells, and how many values do the cells gain whose value was known?"""
        shown, lost = np.ones(len(every), dtype=np.bool_), np.zeros(len(every), dtype=np.int64)
        for cell in (merge.one, merge.other):
            shown &= every[:, cell] > 0
            gained = int(min(SIZE[merge.both], self.dna.values)) - int(min(SIZE[cell], self.dna.values))
            lost += gained * known[:, cell]
        return shown, lost


@dataclass(frozen=True, eq=False)
class _Counted:
    """Combinations of codes, and how many of their records show each row of cells."""

    class_of: Ints
    """Of each combination."""
    shown: NDArray[np.uint8]
    """The different rows of cells."""
    counts: Ints
    """Combination × row of cells."""

    def unsolved(self, at: int, merge: _Merge, k: int) -> Ints:
        """The classes of combinations of which too few records show some cells after this merge, too.

        Rows of cells that become one are added up: O(combinations · rows of cells), and no record is looked at.
        """
        cells = self.shown.copy()
        column = cells[:, at]
        column[(column == merge.one) | (column == merge.other)] = merge.both
        rows, code = _coded(cells)
        counts = np.zeros((len(self.counts), len(rows)), np.int64)
        for before, after in enumerate(code.tolist()):
            counts[:, after] += self.counts[:, before]
        return self.class_of[_too_few(counts, k).any(axis=1)]


def _too_few(counts: Ints, k: int) -> NDArray[np.bool_]:
    return np.asarray((counts > 0) & (counts < k))


def _coded(cells: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Ints]:
    """The different rows of some cells, and for each record the number of its row."""
    key = np.zeros(len(cells), dtype=np.int64)
    for column in cells.T:
        key = key * _CELLS + column
    distinct, code = numbered(key)
    first = np.zeros(len(distinct), dtype=np.int64)
    first[code] = np.arange(len(key))  # any record of a number shows the same
    return cells[first], code


def _concerned(count: int, owner: Ints, rare: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Class × place × cell: is it part of what is too rare? `owner` is the class of each of these rows of cells."""
    result = np.zeros((count, rare.shape[1], _CELLS), dtype=np.bool_)
    for at in range(rare.shape[1]):
        result[owner, at, rare[:, at]] = True
    return result


def _less(one: tuple[NDArray[np.bool_], Ints], best: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where less is left to do than after the best so far, or as much and less is lost."""
    unsolved, lost = one
    return np.asarray((unsolved < best[0]) | ((unsolved == best[0]) & (lost < best[1])), dtype=np.bool_)
