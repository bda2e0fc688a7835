"""Which column costs the most risk, and which few columns single people out.

The risk of a set of columns is the average probability of picking the right person of a class made by these columns
alone: classes divided by persons, who count once in each class in which they have a record. Who is unique counts once,
in however many classes. A column's contribution is what it adds to the risk of the columns before it, on
average over all orders of the columns (the Shapley value): contributions add up to the whole risk, but for that of one
class of everybody. It is exact for up to twelve columns where the work allows it, and estimated from drawn orders
beyond; the result says which.

Distinction and separation (Motwani and Xu, 2007) are reported for every set of up to three columns: the share of the
records that are left if one record of each combination is kept, and the share of pairs of records that differ. A set
with a distinction near 1 is nearly a key.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from sharewell.content_order import stable_order
from sharewell.tables.data import Floats, Indices, Ints, Table

MOST_EXACT = 12
"""At most this many columns are worked out exactly."""
_WORK = 300_000_000
"""Records times sets of columns that are looked at, at most."""
_ORDERS = 400
_SEED = 7
_LARGEST_SET = 3

Codes = Ints


@dataclass(frozen=True)
class ColumnRisk:
    """One quasi column."""

    column: str
    distinct: int
    """Different values, a missing one included."""
    alone: float
    """Share of the persons who are unique by this column alone."""
    without: float
    """The average risk by all other quasi columns."""
    unique_without: float
    """Share of the persons who are unique by all others."""
    contribution: float
    """Its part of the average risk."""
    error: float
    """The standard error of the contribution; 0 if it is exact."""


@dataclass(frozen=True)
class SetRisk:
    """A few columns together."""

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float
    """Share of the persons who are unique by these columns."""


@dataclass(frozen=True)
class ColumnRisks:
    """Columns by contribution, the largest first; sets by distinction."""

    persons: int
    risk: float
    """The average risk by all quasi columns."""
    unique: float
    """Share of the persons who are unique by all quasi columns."""
    exact: bool
    """Are the contributions exact?"""
    orders: int
    """Drawn orders of the columns; 0 if all were taken."""
    columns: tuple[ColumnRisk, ...]
    sets: tuple[SetRisk, ...]
    largest_set: int
    """Columns of the largest sets that were looked at."""


def risk_by_column(table: Table) -> ColumnRisks:
    """The risk that each quasi column adds. Averages count persons once for each combination that they have.

    >>> import pyarrow as pa
    >>> frame = pa.table({"sex": ["F", "F", "M", "M"], "age": [30, 31, 30, 31], "eyes": ["blue"] * 4})
    >>> result = risk_by_column(Table.of(frame, quasi=["sex", "age", "eyes"]))
    >>> [(one.column, one.contribution, one.without) for one in result.columns]
    [('age', 0.375, 0.5), ('sex', 0.375, 0.5), ('eyes', 0.0, 1.0)]
    >>> result.risk, result.exact, result.sets[0].columns
    (1.0, True, ('sex', 'age'))
    """
    sets = _ColumnSets.of(table)
    count = len(sets.codes)
    every = sets.measured(range(count))
    exact = count <= MOST_EXACT and 2**count * sets.rows <= _WORK
    if exact:
        sets.measure_all()
        values, errors, orders = [_shapley(sets, j) for j in range(count)], [0.0] * count, 0
    else:
        values, errors, orders = _sampled(sets)
    columns = []
    for j, column in enumerate(table.quasi):
        rest, only = sets.measured(i for i in range(count) if i != j), sets.measured([j])
        added = round(values[j], 12), errors[j]
        columns.append(ColumnRisk(column.name, only.classes, only.unique, rest.risk, rest.unique, *added))
    columns.sort(key=lambda one: (-one.contribution, one.column))
    few, largest = _few(sets, table.schema.quasi)
    return ColumnRisks(every.persons, every.risk, every.unique, exact, orders, tuple(columns), few, largest)


@dataclass(frozen=True)
class _SetClasses:
    """The classes made by a set of columns."""

    classes: int
    alone: int
    """Persons who are alone in a class."""
    persons: int
    units: int
    """Persons, once for each class."""
    same: int
    """Ordered pairs of different units in one class."""

    @property
    def risk(self) -> float:
        return self.classes / self.units if self.units else 0.0

    @property
    def unique(self) -> float:
        return self.alone / self.persons if self.persons else 0.0

    @property
    def separation(self) -> float:
        return 1 - self.same / (self.units * (self.units - 1)) if self.units > 1 else 0.0


@dataclass(frozen=True, eq=False)
class _Rest:
    """Rows that are not known to be alone by a set of columns."""

    rows: Indices | None
    """None: all of them."""
    key: Codes
    """One number for each combination that they have."""
    span: int
    """A bound on the numbers."""
    alone: int
    """How many others there are."""


@dataclass(eq=False)
class _ColumnSets:
    """Distinct rows of codes, and what was found for sets of columns (as bits) so far."""

    codes: list[Codes]
    sizes: list[int]
    weights: Floats | None
    """Records of each row; None if every row is one."""
    person: Codes | None
    """Whose row; None where every record is another person."""
    known: dict[int, _SetClasses] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return len(self.codes[0]) if self.codes else 0

    @classmethod
    def of(cls, table: Table) -> _ColumnSets:
        """Rows that say the same are one row with a weight, where that makes fewer of them."""
        classes = table.classes
        first = classes.order[classes.starts[:-1]]
        person = None if classes.subject is None else classes.owners()[0]
        rows = first if person is None and 2 * len(first) <= len(classes.order) else classes.order
        codes, sizes = [], []
        for column in table.quasi:
            _, dense = np.unique(column.codes[rows], return_inverse=True)
            codes.append(dense.astype(np.int64))
            sizes.append(int(dense.max(initial=0)) + 1)
        return cls(codes, sizes, classes.sizes.astype(float) if rows is first else None, person)

    def measured(self, columns: Sequence[int] | Iterator[int] | range) -> _SetClasses:
        """The classes by some of the columns."""
        chosen = list(columns)
        bits = sum(1 << j for j in chosen)
        if bits not in self.known:
            key, span = np.zeros(self.rows, dtype=np.int64), 1
            for j in chosen:
                key, span = self._with(key, span, self.sizes[j], self.codes[j])
            self.known[bits] = self._count(key, span, self.weights)
        return self.known[bits]

    def measure_all(self) -> None:
        """All sets of columns, each built from a smaller one: who is alone by some columns is alone by more of them.

        Columns of many values come first, so that few rows are left for most of the sets.
        """
        by_size = sorted(range(len(self.codes)), key=lambda j: -self.sizes[j])

        def walk(depth: int, bits: int, rest: _Rest) -> None:
            last = depth == len(by_size)
            self.known[bits], rest = self._measured(rest, narrow=not last)
            for place in range(depth, len(by_size)):
                j = by_size[place]
                walk(place + 1, bits | 1 << j, self._refined(rest, j))

        walk(0, 0, _Rest(None, np.zeros(self.rows, dtype=np.int64), 1, 0))

    def _refined(self, rest: _Rest, j: int) -> _Rest:
        codes = self.codes[j] if rest.rows is None else self.codes[j][rest.rows]
        key, span = self._with(rest.key, rest.span, self.sizes[j], codes)
        return _Rest(rest.rows, key, span, rest.alone)

    def _measured(self, rest: _Rest, narrow: bool) -> tuple[_SetClasses, _Rest]:
        """What a set of columns gives, and the rows that are not alone by it."""
        weights = self.weights if self.weights is None or rest.rows is None else self.weights[rest.rows]
        result = self._count(rest.key, rest.span, weights)
        with_alone = {name: getattr(result, name) + rest.alone for name in ("classes", "alone", "persons", "units")}
        classes = replace(result, **with_alone)
        if self.person is not None or not narrow or not result.alone or 4 * result.alone < len(rest.key):
            return classes, rest
        order = stable_order(rest.key)
        ordered = rest.key[order]
        differs = np.append(True, ordered[1:] != ordered[:-1])
        alone = differs & np.append(differs[1:], True)  # in a class of one row
        if weights is not None:
            alone &= weights[order] == 1
        left = np.sort(order[~alone])
        rows = left if rest.rows is None else rest.rows[left]
        return classes, _Rest(rows, rest.key[left], rest.span, rest.alone + int(alone.sum()))

    def _with(self, key: Codes, span: int, size: int, codes: Codes) -> tuple[Codes, int]:
        """The key of one column more; renumbered where it would not leave room for the person."""
        room = 2 ** (62 - self._bits)
        if span * size > room:
            _, key = np.unique(key, return_inverse=True)
            span = int(key.max(initial=0)) + 1
        return key * size + codes, span * size

    @cached_property
    def _persons(self) -> int:
        return 0 if self.person is None else len(np.unique(self.person))

    @property
    def _bits(self) -> int:
        return 0 if self.person is None else int(self.person.max(initial=0)).bit_length()

    def _count(self, key: Codes, span: int, weights: Floats | None) -> _SetClasses:
        if self.person is not None:
            return self._count_persons(key)
        if span <= 4 * len(key) + 1024:
            sizes = np.bincount(key, weights)
            sizes = sizes[sizes > 0].astype(np.int64)
        elif weights is None:
            sizes = _runs(np.sort(key))
        else:
            order = np.argsort(key, kind="stable")
            begins = np.flatnonzero(np.append(True, np.diff(key[order]) != 0)[: len(key)])
            sizes = np.add.reduceat(weights[order], begins).astype(np.int64) if len(key) else key
        units = int(sizes.sum())
        return _SetClasses(len(sizes), int((sizes == 1).sum()), units, units, int((sizes * (sizes - 1)).sum()))

    def _count_persons(self, key: Codes) -> _SetClasses:
        assert self.person is not None
        pairs = np.sort(key << self._bits | self.person)
        pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]]
        sizes = _runs(pairs >> self._bits)
        single = pairs[(np.cumsum(sizes) - 1)[sizes == 1]] & ((1 << self._bits) - 1)
        alone = len(np.unique(single))
        return _SetClasses(len(sizes), alone, self._persons, int(sizes.sum()), int((sizes * (sizes - 1)).sum()))


def _runs(ordered: Codes) -> Codes:
    """Lengths of runs of equal numbers."""
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    return np.diff(np.append(begins, len(ordered)))


def _shapley(sets: _ColumnSets, j: int) -> float:
    """What column j adds to each set of others, weighted by the share of orders in which just these come before it."""
    count, bit = len(sets.codes), 1 << j
    weight = [1 / (count * math.comb(count - 1, size)) for size in range(count)]
    return math.fsum(
        weight[bits.bit_count()] * (sets.known[bits | bit].risk - classes.risk)
        for bits, classes in sets.known.items()
        if not bits & bit
    )


def _sampled(sets: _ColumnSets) -> tuple[list[float], list[float], int]:
    """(contributions, standard errors, orders): drawn orders of the columns, with a fixed seed."""
    count = len(sets.codes)
    orders = max(8, min(_ORDERS, _WORK // max(1, count * sets.rows)))
    draw = np.random.default_rng(_SEED)
    added = np.zeros((orders, count))
    for i in range(orders):
        before, chosen = sets.measured([]).risk, []
        for j in draw.permutation(count).tolist():
            chosen.append(j)
            after = sets.measured(sorted(chosen)).risk
            added[i, j], before = after - before, after
    errors = added.std(axis=0, ddof=1) / math.sqrt(orders)
    return added.mean(axis=0).tolist(), errors.tolist(), orders


def _few(sets: _ColumnSets, names: Sequence[str]) -> tuple[tuple[SetRisk, ...], int]:
    """Every set of up to three columns; of fewer where there are too many sets."""
    risks: list[SetRisk] = []
    largest = 0
    for size in range(1, min(_LARGEST_SET, len(names)) + 1):
        if size > 1 and math.comb(len(names), size) * sets.rows > _WORK:
            break
        largest = size
        for chosen in combinations(range(len(names)), size):
            one = sets.measured(chosen)
            chosen_names = tuple(names[j] for j in chosen)
            risks.append(SetRisk(chosen_names, one.risk, one.separation, one.unique))
    risks.sort(key=lambda one: (-one.distinction, len(one.columns), one.columns))
    return tuple(risks), largest
