"""Which records hold each combination of at most m codes inside their class: the rows that an attacker is left with.

The empty combination stands for the class itself. Codes are those of `codes_by_class`, so that two classes share none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import numbered
from sharewell.joint.engine.class_labels import codes_by_class

if TYPE_CHECKING:
    from sharewell.codes.engine.packed_sets import Sets
    from sharewell.joint.data import RTData

Ints = NDArray[np.int64]
MOST_PAIRS = 60_000_000
"""Pairs of a combination and a record that holds it; more are left undecided."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """Rows combination by combination: those of number i are rows[starts[i] : starts[i + 1]], rising."""

    rows: Ints
    starts: Ints

    @classmethod
    def of(cls, data: RTData, m: int) -> Combinations | None:
        """Every combination of at most m codes that occurs inside a class; None if there are too many."""
        classes = data.class_of_row
        shown = np.flatnonzero(classes >= 0)
        owner = numbered(classes[shown])[1]
        rows, numbers, beyond = [shown.astype(np.int64)], [owner], int(owner.max(initial=-1)) + 1
        larger = _larger(codes_by_class(data.codes, classes).atoms.sets, m, MOST_PAIRS - len(shown))
        if larger is None:
            return None
        for of_rows, of_numbers in larger:
            rows.append(of_rows)
            numbers.append(of_numbers + beyond)
            beyond += int(of_numbers.max(initial=-1)) + 1
        return cls.grouped(np.concatenate(rows), np.concatenate(numbers))

    @classmethod
    def grouped(cls, rows: Ints, numbers: Ints) -> Combinations:
        """From (row, number of its combination) in any order."""
        order = np.lexsort((rows, numbers))
        sorted_numbers = numbers[order]
        begins = np.flatnonzero(np.append(True, sorted_numbers[1:] != sorted_numbers[:-1])[: len(order)])
        return cls(rows[order], np.append(begins, len(order)).astype(np.int64))

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def number_of(self) -> Ints:
        """The combination of each pair."""
        return np.repeat(np.arange(self.count), self.sizes)

    def supports(self, holds: NDArray[np.bool_]) -> Ints:
        """For each combination, how many of its records this is true of."""
        if not self.count:
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(holds[self.rows], self.starts[:-1], dtype=np.int64)


def _larger(sets: Sets, m: int, most: int) -> list[tuple[Ints, Ints]] | None:
    """(row, number) of every combination of 1 … m items, by the size; None if that makes too many."""
    items, row = sets.items.astype(np.int64), sets.row_of.astype(np.int64)
    end = sets.starts[1:][row]
    universe = int(items.max(initial=0)) + 1
    place, number, result = np.arange(len(items), dtype=np.int64), items, []
    for size in range(1, m + 1):
        if size > 1:
            more = end[place] - place - 1
            if int(more.sum()) > most:
                return None
            first = np.repeat(place, more)
            step = np.arange(len(first)) - np.repeat(np.cumsum(more) - more, more)
            number = np.repeat(number, more) * universe + items[first + step + 1]
            place = first + step + 1
        if not len(place):
            break
        number = numbered(number)[1]
        most -= len(place)
        result.append((row[place], number))
    return result if most >= 0 else None
