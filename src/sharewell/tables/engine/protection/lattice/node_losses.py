"""What a node of the lattice costs: a loss of every column, put together by an aggregate; or a number from class sizes.

| name | of one column, 0 is best |
|---|---|
| loss | mean share of the domain that a cell leaves open, from 0 (exact) to 1 (`*`); a withheld record counts 1 |
| entropy | bits lost about the original values, over all records; withheld ones add the entropy of their labels |
| precision | level / height; a withheld record counts 1 |
| height | the level |

| name | of the whole table |
|---|---|
| discernibility | sum of squared class sizes; a withheld record counts the size of the table |
| class-size | records / (published classes + 1 if any record is withheld) |
| ambiguity | combinations of exact values that records may stand for: see `ambiguity` |

`balance` weighs: below ½ withholding counts less (by 2 · balance), above ½ generalising does (by 2 · (1 − balance)).
Without `count_withheld`, entropy, precision and discernibility take every record as published. The definitions are
those of ARX 3.9, so that results can be compared; the arithmetic mean of `loss` is the normalised certainty penalty.

Every loss has a *floor* that a node's loss cannot be below, known before the node is looked at, or once a lower one is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_numpy
from sharewell.tables.engine.array_types import Floats, Indices, Ints
from sharewell.tables.engine.protection.lattice.ambiguity import AmbiguityLoss
from sharewell.tables.engine.protection.lattice.rollup import KERNEL, Grouping, Node, TableTuples

_DIGITS = 1e10
"""Losses are cut to ten decimals, so that equal ones compare equal."""
_ROUNDING = 1e-9
"""More than rounding and cutting can make of the loss of a column."""


@dataclass(frozen=True)
class Factors:
    """What a withheld and what a published record weighs, and whether withheld ones count at all."""

    withheld: float
    published: float
    count_withheld: bool
    most_records: int
    """At most this many records may be withheld."""


class SuppressedRecords:
    """The records that are withheld at a node, counted by value of each column."""

    def __init__(self, space: TableTuples, grouping: Grouping, failing: Indices, records: Ints | None = None) -> None:
        """So many records of each failing class; all, if nothing else is said."""
        self._space, self._tuples = space, grouping.tuples.take(failing)
        self._records = (grouping.records if records is None else records).take(failing)
        self.count = int(self._records.sum())
        self._by_code: dict[int, Floats] = {}

    def by_code(self, j: int) -> Floats:
        if j not in self._by_code:
            size, codes = self._space.ladders[j].column.size, self._space.codes[j]
            counts = np.bincount(codes.take(self._tuples), weights=self._records, minlength=size)
            self._by_code[j] = counts.astype(np.float64, copy=False)
        return self._by_code[j]

    def open_leaves(self, rows: Ints) -> Floats:
        """Leaves of the domain that they would leave open, in each of some rows of the space's labels."""
        leaves, begins = self._space.leaves
        return self._space.open_leaves(self._space.stack, rows, leaves, begins, self._tuples, self._records)


class ColumnLossMeasure:
    """A loss of column j at a level."""

    def __init__(self, space: TableTuples, factors: Factors) -> None:
        self.space, self.factors = space, factors

    def floor(self, j: int, level: int) -> float:
        """What it cannot be below, whatever is withheld."""
        raise NotImplementedError

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        raise NotImplementedError

    def exact_at(self, node: Node, lost: SuppressedRecords) -> list[float]:
        """Of every column at its level."""
        return [self.exact(j, level, lost) for j, level in enumerate(node)]

    def least_of(self, j: int, level: int, withheld: int) -> float:
        """What it cannot be below if so many records are withheld: of these a linear function."""
        return self.floor(j, level)

    def usual(self, j: int, level: int, share: float) -> float:
        """What it is, if this share of all records is withheld, and they are like all others."""
        return self.floor(j, level)

    def least(self, j: int, level: int, lost: SuppressedRecords) -> float:
        """What it cannot be below if these, and maybe more, are withheld."""
        return self.exact(j, level, lost)

    def least_below(self, node: Node, lost: SuppressedRecords) -> list[list[float]]:
        """The same for every column, at all levels up to its own."""
        return [[self.least(j, level, lost) for level in range(top + 1)] for j, top in enumerate(node)]


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
        self.widest = [[int(leaves.max(initial=0)) for leaves in ladder.leaves] for ladder in space.ladders]
        """The most leaves that a label leaves open, by column and level."""
        self._rows, self._domains = space.table.rows, [ladder.domain for ladder in space.ladders]
        self._least = [factors.published * self._rows / domain for domain in self._domains]

    def floor(self, j: int, level: int) -> float:
        return self._scaled(j, self.factors.published * (self.open[j][level] / self._domains[j]))

    def usual(self, j: int, level: int, share: float) -> float:
        return self._of(j, level, share * self._rows, share * self._rows * self.widest[j][level])

    def least_of(self, j: int, level: int, withheld: int) -> float:
        return self._of(j, level, withheld, float(withheld * self.widest[j][level]))

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        return self._of(j, level, lost.count, float(lost.open_leaves(self.space.row[j : j + 1] + level)[0]))

    def exact_at(self, node: Node, lost: SuppressedRecords) -> list[float]:
        rows = self.space.row[:-1] + np.array(node, dtype=np.int64)
        leaves = lost.open_leaves(rows).tolist()
        return [self._of(j, level, lost.count, leaves[j]) for j, level in enumerate(node)]

    def least_below(self, node: Node, lost: SuppressedRecords) -> list[list[float]]:
        """Records of one class have one label at the node, and may have several below it, of which none leaves more
        open. The more they would leave open if they were published, the less it costs to withhold them."""
        leaves = lost.open_leaves(self.space.row[:-1] + np.array(node, dtype=np.int64)).tolist()
        return [
            [
                self._of(j, level, lost.count, min(leaves[j], float(lost.count * self.widest[j][level])))
                for level in range(top + 1)
            ]
            for j, top in enumerate(node)
        ]

    def _of(self, j: int, level: int, suppressed: float, leaves: float) -> float:
        domain, published = self._domains[j], self.factors.published
        withheld = leaves / domain
        kept = published * ((self.open[j][level] - leaves) / domain)
        return self._scaled(j, kept + withheld + self.factors.withheld * (suppressed - withheld))

    def _scaled(self, j: int, total: float) -> float:
        rows, least = self._rows, self._least[j]
        return cut(max(0.0, (total - least) / (rows - least))) if rows > least else 0.0


class Entropy(ColumnLossMeasure):
    """Bits lost about the original values."""

    def floor(self, j: int, level: int) -> float:
        return cut(self._generalised(j, level))

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        if not self.factors.count_withheld:
            return self.floor(j, level)
        return cut(self._generalised(j, level) + self._withheld(j, level, lost))

    def least_below(self, node: Node, lost: SuppressedRecords) -> list[list[float]]:
        """Records of one class have one label at the node, and may have several below it: that adds to the entropy."""
        if not self.factors.count_withheld:
            return [[self.floor(j, level) for level in range(top + 1)] for j, top in enumerate(node)]
        withheld = [self._withheld(j, top, lost) for j, top in enumerate(node)]
        return [
            [cut(self._generalised(j, level) + withheld[j]) for level in range(top + 1)] for j, top in enumerate(node)
        ]

    def usual(self, j: int, level: int, share: float) -> float:
        withheld = self.factors.withheld * share * _bits(self.space.ladders[j].counts[level])
        return self._generalised(j, level) + (withheld if self.factors.count_withheld else 0.0)

    def _withheld(self, j: int, level: int, lost: SuppressedRecords) -> float:
        labels = np.bincount(self.space.ladders[j].groups[level], weights=lost.by_code(j))
        return self.factors.withheld * _bits(labels)

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

    def usual(self, j: int, level: int, share: float) -> float:
        return self._of(j, level, share * self.space.table.rows)

    def exact(self, j: int, level: int, lost: SuppressedRecords) -> float:
        return self._of(j, level, lost.count)

    def least(self, j: int, level: int, lost: SuppressedRecords) -> float:
        return min(self._of(j, level, lost.count), self._of(j, level, self.factors.most_records))

    def _of(self, j: int, level: int, suppressed: float) -> float:
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


Score = tuple[float, ...]
"""Compared from the left; one number unless the aggregate is `rank`."""

CLASS_LOSSES = ("ambiguity", "class-size", "discernibility")
Loss = Literal["ambiguity", "class-size", "discernibility", "entropy", "height", "loss", "precision"]
Aggregate = Literal["arithmetic-mean", "geometric-mean", "maximum", "rank", "sum"]
USUAL = {"loss": "geometric-mean", "entropy": "sum", "precision": "arithmetic-mean", "height": "sum"}


@dataclass(frozen=True)
class LossChoice:
    """Which loss, how columns are put together, and what weighs how much."""

    loss: Loss
    aggregate: Aggregate | None
    weights: Mapping[str, float] | None
    balance: float
    count_withheld: bool

    def __post_init__(self) -> None:
        if self.loss in CLASS_LOSSES and (self.aggregate or self.weights):
            raise ValueError(f"aggregate and weights mean nothing to {self.loss}: it is one number for the whole table")

    def of(self, space: TableTuples, most_records: int, least: int) -> NodeLoss:
        """The loss of a table's nodes, where this many records may be withheld, and a class has this many at least."""
        withheld, published = min(1.0, 2 * self.balance), min(1.0, 2 * (1 - self.balance))
        factors = Factors(withheld, published, self.count_withheld, most_records)
        if self.loss == "ambiguity":
            return AmbiguityLoss(space)
        if self.loss in CLASS_LOSSES:
            return ClassLoss(self.loss, space.table.rows, factors, least, space.compiled)
        names = [ladder.column.name for ladder in space.ladders]
        weights = [float((self.weights or {}).get(name, 1.0)) for name in names]
        return ColumnLoss(COLUMN_LOSSES[self.loss](space, factors), self.aggregate or USUAL[self.loss], weights, space)


class ColumnLoss:
    """A loss of every column, put together. Floors are known for the whole lattice before the search."""

    def __init__(self, one: ColumnLossMeasure, aggregate: str, weights: Sequence[float], space: TableTuples) -> None:
        self.one, self.aggregate, self.weights, self.space = one, aggregate, weights, space
        self.floors = [
            np.array([one.floor(j, level) * weights[j] for level in range(ladder.height + 1)])
            for j, ladder in enumerate(space.ladders)
        ]
        self._least = [self._least_by_records(j) for j in range(len(weights))]
        self._rounding = _ROUNDING * (1 + sum(weights))

    def _least_by_records(self, j: int) -> tuple[list[float], list[float]]:
        """By level: the least that a column loses, and how much more for every record withheld."""
        levels, rows = range(self.space.ladders[j].height + 1), max(1, self.space.table.rows)
        some = [self.one.least_of(j, level, 0) * self.weights[j] for level in levels]
        every = [self.one.least_of(j, level, rows) * self.weights[j] for level in levels]
        return some, [(most - least) / rows for least, most in zip(some, every, strict=True)]

    def lattice_floors(self) -> list[Floats]:
        """An array over the lattice; several of them, compared one after the other, for the aggregate `rank`."""
        shape, axes = tuple(len(floor) for floor in self.floors), _axes(self.floors)
        if self.aggregate != "rank":
            return [np.broadcast_to(self._together(axes), shape)]
        ranked = np.sort(np.stack(np.broadcast_arrays(*axes), axis=-1), axis=-1)
        return [ranked[..., j] for j in reversed(range(len(axes)))]

    def usual(self, share: float) -> Floats:
        """About the loss of each node of the lattice (or its first number), if it withholds this share of records."""
        parts = [
            np.array([self.one.usual(j, level, share) * self.weights[j] for level in range(ladder.height + 1)])
            for j, ladder in enumerate(self.space.ladders)
        ]
        return np.broadcast_to(self._together(_axes(parts)), tuple(len(part) for part in parts))

    def score(self, grouping: Grouping, failing: Indices) -> Score:
        """The loss of a node whose failing classes are withheld, ready to be compared; `shown` says it in full."""
        lost = SuppressedRecords(self.space, grouping, failing)
        exact = self.one.exact_at(grouping.node, lost)
        parts = [part * weight for part, weight in zip(exact, self.weights, strict=True)]
        return tuple(sorted(parts, reverse=True)) if self.aggregate == "rank" else (float(self._together(parts)),)

    def exceeds(self, worst: float, node: Node, withheld: int) -> bool:
        """Does the number of records withheld alone show that (the first number of) a node's loss is above `worst`?"""
        parts = [of[level] + withheld * more[level] for (of, more), level in zip(self._least, node, strict=True)]
        return float(self._together(parts)) > worst + self._rounding * max(1.0, worst)

    def below(self, grouping: Grouping, withheld: Ints) -> Floats | None:
        """What (the first number of) the loss of a lower node cannot be below, if so many records of each class are
        withheld there.

        An array over the lattice below the node.
        """
        lost = SuppressedRecords(self.space, grouping, withheld.nonzero()[0], withheld)
        least = self.one.least_below(grouping.node, lost)
        floors = [np.array(levels) * weight for levels, weight in zip(least, self.weights, strict=True)]
        return np.asarray(self._together(_axes(floors)))

    @property
    def by_share(self) -> bool:
        """Is it the share of the domain that cells leave open?"""
        return isinstance(self.one, DomainShare)

    def of_each(self, parts: Sequence[Floats]) -> Floats:
        """Several losses of each column, put together one by one; `rank` as places in their order."""
        weighted = [part * weight for part, weight in zip(parts, self.weights, strict=True)]
        if self.aggregate == "rank":
            ranked = np.sort(np.stack(weighted), axis=0)
            return np.unique(ranked[::-1], axis=1, return_inverse=True)[1].reshape(-1).astype(np.float64)
        return np.asarray(self._together(weighted))

    def above(self, grouping: Grouping) -> float | None:
        """What the loss of no higher node can be below; None if `lattice_floors` say all that is known."""
        return None

    def most_withheld(self, score: Score) -> int:
        """At most this many records are withheld at a node that loses no more than this, as far as that is known."""
        return self.space.table.rows

    def shown(self, score: Score) -> float | tuple[float, ...]:
        """A score as people read it."""
        if self.aggregate == "rank":
            return score
        if self.aggregate == "arithmetic-mean":
            return score[0] / max(1, len(self.weights))
        return score[0] ** (1 / max(1, len(self.weights))) - 1 if self.aggregate == "geometric-mean" else score[0]

    def _together(self, parts: Sequence[float | Floats]) -> float | Floats:
        """Column after column, so that floors and scores are rounded alike."""
        total: float | Floats = 1.0 if self.aggregate == "geometric-mean" else 0.0
        for part in parts:
            if self.aggregate == "geometric-mean":
                total = total * (part + 1.0)
            elif self.aggregate in ("maximum", "rank"):
                total = np.maximum(total, part)
            else:
                total = total + part
        return total


class ClassLoss:
    """A number from the sizes of classes. They only grow along the lattice: that gives a floor for all higher nodes."""

    def __init__(self, name: str, rows: int, factors: Factors, least: int, compiled: bool = False) -> None:
        self.name, self.rows, self.factors, self.least = name, rows, factors, max(1, min(least, rows))
        """A class of fewer than `least` records is never published."""
        self._size_totals = numba_or_numpy(compiled, f"{KERNEL}:size_totals", size_totals)

    def lattice_floors(self) -> None:
        """None is known before the first look."""

    def usual(self, share: float) -> None:
        """Nor what a node usually loses."""

    def exceeds(self, worst: float, node: Node, withheld: int) -> bool:
        """That is not known before classes are counted."""
        return False

    def score(self, grouping: Grouping, failing: Indices) -> Score:
        suppressed = grouping.records[failing]
        if self.name == "class-size":
            kept = (grouping.count - len(suppressed)) * self.factors.withheld
            return (
                self.rows / kept
                if (kept := kept + (self.factors.published if len(suppressed) else 0.0))
                else float("inf"),
            )
        squares = int((grouping.records**2).sum())
        if not self.factors.count_withheld:
            return (float(squares),)
        return (float(squares - int((suppressed**2).sum()) + int(suppressed.sum()) * self.rows),)

    def below(self, grouping: Grouping, withheld: Ints) -> float | None:
        """What the loss of no lower node can be below, if so many records of each class are withheld there."""
        if self.name == "class-size":
            parts = int(((grouping.records - withheld) // self.least).sum())
            return self.rows / max(1.0, parts * self.factors.withheld + self.factors.published)
        if not self.factors.count_withheld:
            return None
        suppressed = int(withheld.sum())
        return float(suppressed * self.rows + self.least * (self.rows - suppressed))

    def above(self, grouping: Grouping) -> float:
        """What neither this node's loss nor that of any higher node can be below.

        There a published class holds one of this node's that is large enough, or only records of those that are not.
        """
        small, loose, small_squares, squares = self._size_totals(grouping.records, self.least)
        if self.name == "class-size":
            published = grouping.count - small + loose // self.least
            return self.rows / min(grouping.count, published * self.factors.withheld + self.factors.published)
        return float(squares + self.least * loose - small_squares if self.factors.count_withheld else squares)

    def most_withheld(self, score: Score) -> int:
        """At most this many records are withheld at a node that loses no more than this."""
        if self.name == "class-size" or not self.factors.count_withheld or self.rows <= self.least:
            return self.rows
        return max(0, min(self.rows, int((score[0] - self.least * self.rows) // (self.rows - self.least))))

    def shown(self, score: Score) -> float | tuple[float, ...]:
        return score[0]


NodeLoss = ColumnLoss | ClassLoss | AmbiguityLoss


def size_totals(records: Ints, least: int) -> tuple[int, int, int, int]:
    """Of classes with fewer records than `least`: their number, records and squares of these; and squares of all."""
    small = records[records < least]
    return len(small), int(small.sum()), int((small**2).sum()), int((records**2).sum())


def _axes(parts: Sequence[Floats]) -> list[Floats]:
    """One array a column, each along its own axis of the lattice."""
    return [part.reshape([-1 if i == j else 1 for i in range(len(parts))]) for j, part in enumerate(parts)]
