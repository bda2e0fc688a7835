"""The table of owners and measures itself, and the figures that tell something of it.

>>> frame = Frame(("A", "B"), ("x",), bounds_of((0, 100), ["x"]))
>>> frame.cells
(('A', 'x'), ('B', 'x'))
>>> str(Figure("mean", "rows", ("A",), exact(39.95), exact(40.05)))
'mean of row A'

Numbers are fractions throughout: what is decided about them is decided exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from sharewell.errors import DataError, PolicyError

Cell = tuple[str, str]
"""Row (owner) and column (measure)."""
Axis = Literal["rows", "columns"]
Measure = Literal["mean", "sigma", "spread", "order"]
Metric = Literal["center", "dispersion", "order"]
Sigma = Literal["sample", "population"]
Pair = Sequence[object]
Domain = Pair | Mapping[str, Pair]
"""The least and the greatest value, of all columns or of each."""
_NUMBER = re.compile(r"[-+]?\d{1,30}(\.\d{0,30})?([eE][-+]?\d{1,2})?|[-+]?\.\d{1,30}")


def exact(number: object) -> Fraction:
    """A number as it is written: 0.1 is a tenth.

    >>> exact(0.1), exact("65.0")
    (Fraction(1, 10), Fraction(65, 1))
    """
    if isinstance(number, (int, Fraction)) and not isinstance(number, bool):
        return Fraction(number)
    text = str(number).strip()
    if not _NUMBER.fullmatch(text):
        raise ValueError("not a number")
    return Fraction(text)


def is_exact(number: object) -> bool:
    """Can a number be taken as it is written? Not if it is none, or of more than a hundred digits."""
    try:
        exact(number)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Frame:
    """Who reports what, and between which bounds. Which cells are absent is public; no figure counts them."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    bounds: tuple[tuple[Fraction, Fraction], ...]
    """For each column the least and the greatest value that a cell can have."""
    absent: frozenset[Cell] = frozenset()

    def __post_init__(self) -> None:
        for names, what in ((self.rows, "row"), (self.columns, "column")):
            if not names:
                raise DataError(f"the table — no {what} at all — give its cells")
            if len(set(names)) < len(names):
                raise DataError(f"the table — {len(names)} {what}s, not all of them different — give each one name")
        if len(self.bounds) != len(self.columns) or any(low >= high for low, high in self.bounds):
            raise PolicyError("domain — must be a lower and a higher number for every column")
        for axis, names in (("rows", self.rows), ("columns", self.columns)):
            empty = [name for name in names if not self.line(axis, name)]  # type: ignore[arg-type]
            if empty:
                raise DataError(f"{axis} {', '.join(empty)} — no value at all — leave them out of the table")

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All that are not absent, row by row."""
        return tuple((r, c) for r in self.rows for c in self.columns if (r, c) not in self.absent)

    def line(self, axis: Axis, name: str) -> tuple[Cell, ...]:
        """The cells of a row or of a column."""
        across = [(name, column) for column in self.columns] if axis == "rows" else [(row, name) for row in self.rows]
        return tuple(cell for cell in across if cell not in self.absent)

    def domain(self, cell: Cell) -> tuple[Fraction, Fraction]:
        return self.bounds[self.columns.index(cell[1])]

    def names(self, axis: Axis) -> tuple[str, ...]:
        return self.rows if axis == "rows" else self.columns


def bounds_of(domain: Domain, columns: Iterable[str]) -> tuple[tuple[Fraction, Fraction], ...]:
    """One pair for all columns, or a mapping with a pair for each."""
    pairs = domain if isinstance(domain, Mapping) else dict.fromkeys(columns, domain)
    found = []
    for column in columns:
        if column not in pairs:
            raise PolicyError(f"domain — none for column {column} — give each its lowest and highest value")
        low, high = pairs[column]
        found.append((exact(low), exact(high)))
    return tuple(found)


@dataclass(frozen=True)
class Report:
    """The confidential table itself."""

    frame: Frame
    values: Mapping[Cell, Fraction] = field(repr=False)

    def __post_init__(self) -> None:
        outside = sum(not self.frame.domain(c)[0] <= v <= self.frame.domain(c)[1] for c, v in self.values.items())
        if outside or set(self.values) != set(self.frame.cells):
            raise DataError(f"the table — {outside} cell(s) outside the domain — correct them or widen the domain")

    @classmethod
    def of(cls, values: Mapping[str, Mapping[str, object]], *, domain: Domain) -> Report:
        """From rows of cells; None or an absent key is a value that the owner does not report."""
        columns = tuple(dict.fromkeys(column for row in values.values() for column in row))
        given = {(r, c): v for r, row in values.items() for c, v in row.items() if v is not None}
        absent = frozenset((r, c) for r in values for c in columns if (r, c) not in given)
        try:
            cells = {cell: exact(value) for cell, value in given.items()}
        except ValueError:
            raise DataError("the table — cells that are no numbers — leave empty what is not reported") from None
        frame = Frame(tuple(values), columns, bounds_of(domain, columns), absent)
        return cls(frame, {cell: cells[cell] for cell in frame.cells})


@dataclass(frozen=True, order=True)
class Levels:
    """How much is told about each line of an axis, from 3 (all) to 1 (nothing)."""

    center: int = 1
    """3 mean, 2 rounded mean."""
    dispersion: int = 1
    """3 standard deviation, 2 spread (nested: rounded standard deviation)."""
    order: int = 1
    """3 total order of the means, 2 partial order."""

    def __post_init__(self) -> None:
        if not {self.center, self.dispersion, self.order} <= {1, 2, 3}:
            raise ValueError("levels are 1, 2 or 3")

    def level(self, metric: Metric) -> int:
        return {"center": self.center, "dispersion": self.dispersion, "order": self.order}[metric]


@dataclass(frozen=True)
class Convention:
    """How figures are written. It is part of the publication: whoever reads the figures knows it."""

    decimals: int = 1
    sigma: Sigma = "sample"
    """Division by n − 1 or by n."""
    nested: bool = False
    """Is every level 2 a coarser form of level 3? Then 3 → 2 never tells more: bins hold the whole interval of the
    finer figure, dispersion is a rounded sigma instead of the spread, order is upper and lower half."""
    bin: Fraction = Fraction(5)
    """Width of the bins of a rounded mean."""
    sigma_bin: Fraction = Fraction(1)
    """Width of the bins of a rounded sigma (nested)."""
    cut: Fraction | None = None
    """The public number that partial order compares with (not nested); the middle of the domain, unless told."""

    @property
    def half(self) -> Fraction:
        return Fraction(1, 2 * 10**self.decimals)

    @property
    def ddof(self) -> int:
        return 1 if self.sigma == "sample" else 0


NOTHING, USUAL = Levels(), Convention()


@dataclass(frozen=True)
class Figure:
    """One published fact: a measure of a line lies between low and high (None: open on that side).

    Of an order, `lines` names two: the mean of the first is at most that of the second.
    """

    measure: Measure
    axis: Axis
    lines: tuple[str, ...]
    low: Fraction | None = None
    high: Fraction | None = None
    value: Fraction | None = None
    """The number as published, where there is one; of bins and sides there is none."""
    ddof: int = 1
    """What is taken off n in a sigma."""

    def __str__(self) -> str:
        what = self.axis.removesuffix("s") if len(self.lines) == 1 else self.axis
        return f"{self.measure} of {what} {' and '.join(self.lines)}"
