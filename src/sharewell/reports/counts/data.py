"""A table of counts, or of sums over persons, with all its totals: what is shown, and (for the steward) what is true.

>>> cells = {("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}
>>> table = CountTable.of_cells(cells, ["sex", "illness"])
>>> table.shown.reshape(table.shape).tolist()
[[50, 35, 15], [27, 15, 12], [23, 20, 3]]
>>> hidden = table.showing(np.where(table.truth.values < 11, HIDDEN, table.truth.values))
>>> hidden.hidden.sum(), hidden.arrow.slice(8).to_pylist()
(np.int64(1), [{'sex': 'm', 'illness': 'gout', 'count': None}])

A shown number is the value itself; with a `Rounding` it is what that rounding makes of it. HIDDEN tells nothing, and a
negative number −k tells "1 to k − 1", as OHDSI's tools write counts below their least one. Where every such count is
written so (`marked_below`), an empty cell tells that it is no such count.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from sharewell.cells import Exact
from sharewell.errors import DataError
from sharewell.randomised import Randomised
from sharewell.reports.counts.engine.dimensions import Code, Dimension
from sharewell.reports.counts.engine.relations import NO_LIMIT, Equations, Ints

if TYPE_CHECKING:
    import pyarrow as pa

HIDDEN = -NO_LIMIT
MOST_CELLS = 2_000_000
ESTIMATES = ("estimate", "error")
"""Columns beside the counts of drawn answers."""
Key = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Contributions:
    """How much each person adds to each inner cell."""

    cell: Ints = field(repr=False)
    person: Ints = field(repr=False)
    amount: Ints = field(repr=False)


@dataclass(frozen=True, eq=False)
class TrueCells:
    """The true table; never published."""

    values: Ints = field(repr=False)
    given: Contributions | None = field(default=None, repr=False)
    """Of sums; of counts every person adds 1 to one cell."""


@dataclass(frozen=True)
class Rounding:
    """How shown numbers were rounded, which readers know.

    nearest: to the nearest multiple, half up, each number for itself. either: down or up, so that all still add up.
    """

    base: int
    to: Literal["nearest", "either"] = "nearest"
    floor: int = 0
    """Counts from 1 to below this are never shown, not even rounded."""
    reach: int = 1
    """Of "either": less than this many multiples away."""

    def __post_init__(self) -> None:
        if self.base < 2 or self.reach < 1 or self.to not in ("nearest", "either"):
            raise ValueError("base must be 2 or more, reach 1 or more, to nearest or either")

    def of(self, values: Ints) -> Ints:
        """Numbers rounded to the nearest."""
        return (values + self.base // 2) // self.base * self.base

    def bounds(self, shown: Ints) -> tuple[Ints, Ints]:
        """Between which numbers the true ones lie."""
        if self.to == "either":
            distance = self.base * self.reach - 1
            return np.maximum(shown - distance, 0), shown + distance
        low, high = np.maximum(shown - self.base // 2, 0), shown + (self.base - 1) // 2
        small = (low < self.floor) & (low > 0)
        low = np.where(small, np.minimum(self.floor, high), low)
        touching = (shown == 0) & (high < self.floor)  # 0 or nothing that is shown: it is 0
        return low, np.where(touching, 0, high)

    def jumps(self, shown: Ints) -> Ints:
        """Which numbers a count cannot be although they lie between its bounds: those from 1 to below this.

        What is rounded to 0 is 0, or so much that it may be shown.

        >>> Rounding(7, "nearest", floor=2).bounds(np.array([0]))
        (array([0]), array([3]))
        >>> Rounding(7, "nearest", floor=2).jumps(np.array([0, 7]))
        array([2, 0])
        """
        low, high = self.bounds(shown)
        apart = (self.to == "nearest") & (low == 0) & (high >= self.floor)
        return np.where(apart & (self.floor > 1), self.floor, 0)


@dataclass(frozen=True)
class SumNoise:
    """How noise was added to every inner cell of a table of sums, which readers know. In units of the last decimal."""

    kind: Literal["discrete-laplace", "discrete-gaussian"]
    scale: float
    most: int
    """What one person adds to all cells together, at most; more of it was left out."""

    def __post_init__(self) -> None:
        fits = type(self.most) is int and self.most > 0 and math.isfinite(self.scale) and self.scale > 0
        if not fits or self.kind not in ("discrete-laplace", "discrete-gaussian"):
            raise ValueError("noise has a kind, a scale and a most, each above 0")


class TableOptions(TypedDict, total=False):
    """Fields of a table that can be given by name."""

    rounding: Rounding | None
    value: str
    decimals: int
    zeros_shown: bool
    randomised: Randomised | None
    marked_below: int


@dataclass(frozen=True, eq=False)
class CountTable:
    """Cells in the order of their dimensions, row by row, totals first."""

    dimensions: tuple[Dimension, ...]
    shown: Ints = field(repr=False)
    truth: TrueCells | None = field(default=None, repr=False)
    rounding: Rounding | None = None
    value: str = "count"
    """What the numbers are called: `count`, or the measure that was added up."""
    decimals: int = 0
    """Of sums: numbers are stored in units of the last decimal."""
    zeros_shown: bool = True
    """Is every 0 shown? Then what is hidden is 1 or more, and readers know it."""
    randomised: Randomised | None = None
    """Of answers that were drawn: how. Numbers are then those of the answers; only the total is that of persons."""
    marked_below: int = 0
    """Is every hidden count from 1 to below this written as a mark, −k, where it is the count of a single cell that is
    not 0? Then an empty cell of that sort is this or more, and readers know it. 0: nothing is said about that."""
    noise: SumNoise | None = None
    """Of noisy sums: how. Numbers may then be below 0, and none is hidden."""

    def __post_init__(self) -> None:
        names = [one.name for one in self.dimensions]
        if not names or len({*names, self.value}) < len(names) + 1:
            raise DataError(f"the table — dimensions {', '.join(names) or 'none'} and {self.value}: name each once")
        if self.shown.shape != (self.size,):
            raise DataError("the table — its cells are not those of its dimensions")

    @classmethod
    def of_cells(
        cls,
        cells: Mapping[Key, int],
        dimensions: Sequence[str | Dimension],
        *,
        given: tuple[Sequence[Key], Sequence[int], Sequence[int]] | None = None,
        **options: Unpack[TableOptions],
    ) -> CountTable:
        """From counts (or sums) of cells by their categories; totals are added. `given`: cells, persons and amounts."""
        built = tuple(
            one if isinstance(one, Dimension) else Dimension.flat(one, {key[axis] for key in cells})
            for axis, one in enumerate(dimensions)
        )
        table = cls(built, np.zeros(cells_of(built), np.int64), **options)
        places = table.places(list(cells))
        values = np.array([cells[key] for key in cells], dtype=np.int64)
        contributions = None
        if given is not None:
            persons, amounts = (np.array(part, dtype=np.int64) for part in given[1:])
            contributions = Contributions(table.places(given[0]), persons, amounts)
        return table.with_truth(places, values, contributions)

    def with_truth(self, places: Ints, values: Ints, given: Contributions | None = None) -> CountTable:
        """The same shape with these true cells, all of them shown."""
        if (values < 0).any():
            raise DataError(f"the table — {int((values < 0).sum())} negative cell(s) — only counts and sums from 0 on")
        leaves = np.zeros(self.size, np.int64)
        np.add.at(leaves, places, values)
        flat = self.added_up(leaves)
        if len(flat) and int(flat[0]) >= NO_LIMIT:
            raise DataError("the table — its total is too large to be computed with exactly")
        return replace(self, shown=flat, truth=TrueCells(flat, given), rounding=None)

    def added_up(self, leaves: Ints) -> Ints:
        """All cells, totals included, from the numbers of the inner cells."""
        full = np.where(self.leaves, leaves, 0).reshape(self.shape)
        for axis, dimension in enumerate(self.dimensions):
            along = np.moveaxis(full, axis, 0)
            for parent, children in reversed(dimension.sums):  # the innermost first
                along[parent] = along[list(children)].sum(axis=0)
        return full.ravel()

    def places(self, keys: Sequence[Key]) -> Ints:
        """Where cells stand, by the values of the data."""
        if not keys:
            return np.zeros(0, np.int64)
        columns = [
            np.array([dimension.place[None if value is None else Exact(str(value)).text] for value in values])
            for dimension, values in zip(self.dimensions, zip(*keys, strict=True), strict=True)
        ]
        return np.ravel_multi_index(tuple(columns), self.shape).astype(np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(one.codes) for one in self.dimensions)

    @property
    def size(self) -> int:
        return cells_of(self.dimensions)

    @property
    def rows(self) -> int:
        """One row of the published file a cell."""
        return self.size

    @cached_property
    def content(self) -> str:
        """A digest of the true cells, or of the shown ones where no others are known. Confidential."""
        cells = self.shown if self.truth is None else self.truth.values
        names = [(one.name, one.codes) for one in self.dimensions]
        return hashlib.sha256(repr((names, self.value, self.decimals, cells.tolist())).encode()).hexdigest()

    @cached_property
    def relations(self) -> Equations:
        return Equations.of(self.dimensions)

    @property
    def hidden(self) -> NDArray[np.bool_]:
        return np.asarray((self.shown < 0) & (self.noise is None))

    @property
    def marked_small(self) -> NDArray[np.bool_]:
        """Cells that the table itself marks as small (−k)."""
        return np.asarray(self.hidden & (self.shown != HIDDEN))

    @property
    def is_count(self) -> bool:
        return self.value == "count"

    @cached_property
    def leaves(self) -> NDArray[np.bool_]:
        """Inner cells: those that are no totals."""
        inner = np.zeros(self.shape, dtype=bool)
        inner[np.ix_(*(dimension.leaves for dimension in self.dimensions))] = True
        return inner.ravel()

    @property
    def is_network(self) -> bool:
        """Two dimensions without categories between values and total: then ends are whole numbers by themselves."""
        return len(self.dimensions) <= 2 and all(one.is_flat for one in self.dimensions)

    def showing(self, shown: Ints, rounding: Rounding | None = None) -> CountTable:
        """The same table with other numbers shown. What follows from its shape alone is not worked out again."""
        other = replace(self, shown=np.asarray(shown, dtype=np.int64), rounding=rounding)
        for name in ("relations", "leaves"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def bounds(self) -> tuple[Ints, Ints]:
        """The least and the greatest number that each cell may be, by what is shown in it alone."""
        if self.noise is not None:  # nothing is certain
            return np.zeros(self.size, np.int64), np.full(self.size, NO_LIMIT)
        if self.randomised is not None:
            low, high = np.zeros(self.size, np.int64), np.full(self.size, self.shown[0])
            low[0] = self.shown[0]
            return low, high
        plain = np.maximum(self.shown, 0)
        low, high = (plain.copy(), plain.copy()) if self.rounding is None else self.rounding.bounds(plain)
        least = int(self.is_count and self.zeros_shown)
        nothing = self.shown == HIDDEN
        low[nothing], high[nothing] = least, NO_LIMIT
        small = self.hidden & ~nothing
        low[small], high[small] = 1, -self.shown[small] - 1
        if self.marked_below:
            low[nothing & (self.added_up((high > 0).astype(np.int64)) == 1)] = self.marked_below
        return low, high

    def jumps(self) -> Ints:
        """For each cell the least number it may be if it is not 0, where its bounds allow less; else 0."""
        if self.rounding is None or self.randomised is not None or not self.is_count:
            return np.zeros(self.size, np.int64)
        return np.where(self.hidden, 0, self.rounding.jumps(np.maximum(self.shown, 0)))

    def zero_pattern(self) -> tuple[Ints, Ints]:
        """The least and the greatest number that each cell may be, by the zeros of the table alone."""
        low, high = self.bounds()
        return np.minimum(low, int(self.is_count and self.zeros_shown)), np.where(high == 0, 0, NO_LIMIT)

    def estimates(self) -> dict[str, list[str]]:
        """The estimated number of persons in each cell, and its standard error, where answers were drawn."""
        drawn, people = self.randomised, int(self.shown[0])
        if drawn is None or not people:
            return {name: ["0.00"] * self.size for name in ESTIMATES}
        answers = [drawn.answers, *([1] * (self.size - 1))]
        counts = [drawn.estimate(int(seen), people, m) for seen, m in zip(self.shown, answers, strict=True)]
        errors = [drawn.error(int(seen), people) for seen in self.shown]
        columns = zip(ESTIMATES, (counts, errors), strict=True)
        return {name: [f"{number:.2f}" for number in numbers] for name, numbers in columns}

    @property
    def arrow(self) -> pa.Table:
        """One row a cell: its categories, `*` for a total, and its number; empty where it is hidden."""
        import pyarrow as pa

        columns: dict[str, pa.Array] = {}
        where = np.indices(self.shape).reshape(len(self.shape), -1)
        for axis, dimension in enumerate(self.dimensions):
            codes: list[Code] = list(dimension.codes)
            columns[dimension.name] = pa.array(codes, pa.string()).take(pa.array(where[axis]))
        if self.decimals:
            cells = zip(self.shown.tolist(), self.hidden.tolist(), strict=True)
            texts = [None if hidden else f"{Decimal(v).scaleb(-self.decimals):f}" for v, hidden in cells]
            columns[self.value] = pa.array(texts, pa.string())
        else:
            columns[self.value] = pa.array(self.shown, pa.int64(), mask=self.hidden & (self.shown == HIDDEN))
        if self.randomised is not None:
            columns |= {name: pa.array(texts, pa.string()) for name, texts in self.estimates().items()}
        return pa.table(columns)


def cells_of(dimensions: Sequence[Dimension]) -> int:
    """How many cells a table of these dimensions has, totals included."""
    size = math.prod(len(dimension.codes) for dimension in dimensions)
    if size > MOST_CELLS:
        raise DataError(f"the table — more than {MOST_CELLS:,} cells — leave out a dimension, or make it coarser")
    return size
