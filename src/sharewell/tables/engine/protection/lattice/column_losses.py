"""What one column loses at one level, and the least it can lose there: share of the domain, entropy, precision, height.

Each takes the records that are withheld (`Lost`); with none, every record is published at the level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.array_types import Floats, Indices
from sharewell.tables.engine.protection.lattice.rollup import Grouping, TableTuples

_DIGITS = 1e10
"""Losses are cut to ten decimals, so that equal ones compare equal."""


@dataclass(frozen=True)
class Factors:
    """What a withheld and what a published record weighs, and whether withheld ones count at all."""

    withheld: float
    published: float
    count_withheld: bool
    most_records: int
    """So many records may be withheld at most."""


class SuppressedRecords:
    """The records that are withheld at a node, counted by value of each column."""

    def __init__(self, space: TableTuples, grouping: Grouping, failing: Indices) -> None:
        self._space, self._tuples = space, grouping.tuples.take(failing)
        self._records = grouping.records.take(failing).astype(np.float64)
        self.count = int(self._records.sum())
        self._by_code: dict[int, Floats] = {}

    def by_code(self, j: int) -> Floats:
        if j not in self._by_code:
            size, codes = self._space.ladders[j].column.size, self._space.codes[j]
            counts = np.bincount(codes.take(self._tuples), weights=self._records, minlength=size)
            self._by_code[j] = counts.astype(np.float64, copy=False)
        return self._by_code[j]


class ColumnLossMeasure:
    """A loss of column j at a level."""

    def __init__(self, space: TableTuples, factors: Factors) -> None:
        self.space, self.factors = space, factors

    def floor(self, j: int, level: int) -> float:
        """What it cannot be below, whatever is withheld."""
        raise NotImplementedError

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        raise NotImplementedError

    def least(self, j: int, level: int, lost: SuppressedRecords) -> float:
        """What it cannot be below if these, and maybe more, are withheld."""
        return self.exact(j, level, lost)


class DomainShare(ColumnLossMeasure):
    """Mean share of the domain that a cell leaves open, scaled to 0 (exact) … 1 (`*`)."""

    def __init__(self, space: TableTuples, factors: Factors) -> None:
        super().__init__(space, factors)
        counts = [np.bincount(ladder.column.codes, minlength=ladder.column.size) for ladder in space.ladders]
        self.open = [
            [int(leaves @ count) for leaves in ladder.leaves]
            for ladder, count in zip(space.ladders, counts, strict=True)
        ]
        """Leaves left open by all records together, by column and level."""

    def floor(self, j: int, level: int) -> float:
        return self._scaled(j, self.factors.published * (self.open[j][level] / self.space.ladders[j].domain))

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        ladder, factors = self.space.ladders[j], self.factors
        leaves = float(ladder.leaves[level] @ lost.by_code(j)) if lost.count else 0.0
        suppressed = leaves / ladder.domain
        kept = factors.published * ((self.open[j][level] - leaves) / ladder.domain)
        return self._scaled(j, kept + suppressed + factors.withheld * (lost.count - suppressed))

    def _scaled(self, j: int, total: float) -> float:
        rows = self.space.table.rows
        least = self.factors.published * rows / self.space.ladders[j].domain
        return cut(max(0.0, (total - least) / (rows - least))) if rows > least else 0.0


class Entropy(ColumnLossMeasure):
    """Bits lost about the original values."""

    def floor(self, j: int, level: int) -> float:
        return cut(self._generalised(j, level))

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        if not self.factors.count_withheld:
            return self.floor(j, level)
        labels = np.bincount(self.space.ladders[j].groups[level], weights=lost.by_code(j))
        return cut(self._generalised(j, level) + self.factors.withheld * _bits(labels))

    def _generalised(self, j: int, level: int) -> float:
        """Over all records: −Σ n(v) · log2(n(v) / n(label of v))."""
        counts = self.space.ladders[j].counts
        return self.factors.published * max(0.0, _bits(counts[0]) - _bits(counts[level]))


def _bits(counts: NDArray[np.number]) -> float:
    """Entropy of a histogram, times its sum."""
    counts = counts[counts > 0].astype(np.float64)
    return -float((counts * np.log2(counts / counts.sum())).sum())


class Precision(ColumnLossMeasure):
    """Level / height; a withheld record counts 1."""

    def floor(self, j: int, level: int) -> float:
        return min(self._of(j, level, 0), self._of(j, level, self.factors.most_records))

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        return self._of(j, level, lost.count)

    def least(self, j: int, level: int, lost: SuppressedRecords) -> float:
        return min(self._of(j, level, lost.count), self._of(j, level, self.factors.most_records))

    def _of(self, j: int, level: int, suppressed: int) -> float:
        raw, rows = level / max(1, self.space.ladders[j].height), self.space.table.rows
        if not self.factors.count_withheld:
            return raw
        return ((rows - suppressed) * raw * self.factors.published + suppressed * self.factors.withheld) / rows


class Height(ColumnLossMeasure):
    """The level."""

    def floor(self, j: int, level: int) -> float:
        return float(level)

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        return float(level)


COLUMN_LOSSES: dict[str, type[ColumnLossMeasure]] = {
    "entropy": Entropy,
    "height": Height,
    "loss": DomainShare,
    "precision": Precision,
}


def cut(value: float) -> float:
    return math.floor(value * _DIGITS) / _DIGITS
