"""A table of owners and measures, and what is published about it: figures, each the interval that it denotes.

>>> report = Report.of({"A": {"x": 60, "y": 20}, "B": {"x": 70, "y": 31}}, domain=(0, 100))
>>> shown = Publication.of(report, rows=Levels(center=3), columns=Levels(center=2, order=3))
>>> for figure in shown.figures:
...     print(figure, figure.low and float(figure.low), figure.high and float(figure.high))
mean of row A 39.95 40.05
mean of row B 50.45 50.55
mean of column x 65.0 70.0
mean of column y 25.0 30.0
order of columns y and x None None

Numbers are fractions throughout: what is decided about them is decided exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from sharewell.errors import DataError, PolicyError
from sharewell.reports.figures.engine.nesting import Nesting
from sharewell.reports.figures.engine.numbers import coarser, exact, median, rounded_root, rounded_to
from sharewell.roles import did_you_mean

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.audit import Proof
    from sharewell.reports.figures.engine.bounds import Inference
    from sharewell.reports.figures.engine.exchanges import Exchanges

Cell = tuple[str, str]
"""Row (owner) and column (measure)."""
Axis = Literal["rows", "columns"]
AXES: tuple[Axis, ...] = ("rows", "columns")
Measure = Literal["mean", "median", "sigma", "spread", "order"]
Metric = Literal["center", "dispersion", "order", "median"]
Sigma = Literal["sample", "population"]
Pair = Sequence[object]
Domain = Pair | Mapping[str, Pair]
"""The least and the greatest value, of all columns or of each."""
Reading = Literal["rounding", "seed-002"]
READINGS: tuple[Reading, ...] = ("rounding", "seed-002")


@dataclass(frozen=True)
class Frame:
    """Owners, measures and their bounds. Which cells are absent is public; no figure counts them."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    bounds: tuple[tuple[Fraction, Fraction], ...]
    """For each column the least and the greatest value that a cell can have."""
    absent: frozenset[Cell] = frozenset()
    nesting: Nesting | None = None
    """Levels of the rows, if there are several; `rows` are then all units, the lowest level first."""

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

    def line(self, axis: Axis, name: str, within: str = "") -> tuple[Cell, ...]:
        """The cells of a row or of a column; of a column, those of a level or directly below a unit."""
        rows = self.rows if self.nesting is None else self.nesting.scope(within)
        across = [(name, column) for column in self.columns] if axis == "rows" else [(row, name) for row in rows]
        return tuple(cell for cell in across if cell not in self.absent)

    def domain(self, cell: Cell) -> tuple[Fraction, Fraction]:
        low, high = self.bounds[self.columns.index(cell[1])]
        if self.nesting is None or self.nesting.roll_up == "mean" or not self.members(cell):
            return low, high
        lows, highs = zip(*map(self.domain, self.members(cell)), strict=True)
        return sum(lows, Fraction(0)), sum(highs, Fraction(0))

    def members(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells directly below that a unit's cell is made of; none of the lowest level."""
        below = () if self.nesting is None else self.nesting.members.get(cell[0], ())
        return tuple((row, cell[1]) for row in below if (row, cell[1]) not in self.absent)

    def with_units(self, values: Mapping[Cell, Fraction]) -> dict[Cell, Fraction]:
        """Values with those of all units that follow from them."""
        results = dict(values)
        for cell in self.cells:
            below = [results.get(one) for one in self.members(cell)]
            parts = [value for value in below if value is not None]
            if parts and len(parts) == len(below):
                share = 1 if self.nesting is not None and self.nesting.roll_up == "sum" else len(parts)
                results[cell] = sum(parts, Fraction(0)) / share
        return {cell: results[cell] for cell in self.cells if cell in results}

    def names(self, axis: Axis) -> tuple[str, ...]:
        return self.rows if axis == "rows" else self.columns


def bounds_of(domain: Domain, columns: Iterable[str]) -> tuple[tuple[Fraction, Fraction], ...]:
    """One pair for all columns, or a mapping with a pair for each."""
    pairs = domain if isinstance(domain, Mapping) else dict.fromkeys(columns, domain)
    bounds = []
    for column in columns:
        if column not in pairs:
            raise PolicyError(f"domain — none for column {column} — give each its lowest and highest value")
        low, high = pairs[column]
        bounds.append((exact(low), exact(high)))
    return tuple(bounds)


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
    def of(
        cls, values: Mapping[str, Mapping[str, object]], *, domain: Domain, nesting: Nesting | None = None
    ) -> Report:
        """From rows of cells; None or an absent key is a value that the owner does not report.

        Of several levels, the rows of the lowest one.
        """
        columns = tuple(dict.fromkeys(column for row in values.values() for column in row))
        reported = {(r, c): v for r, row in values.items() for c, v in row.items() if v is not None}
        absent = frozenset((r, c) for r in values for c in columns if (r, c) not in reported)
        try:
            cells = {cell: exact(value) for cell, value in reported.items()}
        except ValueError:
            raise DataError("the table — cells that are not numbers — leave empty what is not reported") from None
        frame = nested_frame(tuple(values), columns, bounds_of(domain, columns), absent, nesting)
        return cls(frame, frame.with_units({cell: cells[cell] for cell in frame.cells if cell in cells}))


def nested_frame(
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    bounds: tuple[tuple[Fraction, Fraction], ...],
    absent: frozenset[Cell],
    nesting: Nesting | None,
) -> Frame:
    """With rows for the units of all levels; a unit's cell is absent where all below it are."""
    if nesting is None:
        return Frame(rows, columns, bounds, absent)
    missing = set(absent)
    for unit, members in nesting.members.items():
        missing |= {(unit, column) for column in columns if all((row, column) in missing for row in members)}
    return Frame(nesting.rows, columns, bounds, frozenset(missing), nesting)


@dataclass(frozen=True, order=True)
class Levels:
    """How much is published about each line of an axis, from 3 (all) to 1 (nothing)."""

    center: int = 1
    """3 mean, 2 rounded mean."""
    dispersion: int = 1
    """3 standard deviation, 2 spread (nested: rounded standard deviation)."""
    order: int = 1
    """3 total order of the means, 2 partial order."""
    median: int = 1
    """3 median, 2 rounded median."""

    def __post_init__(self) -> None:
        if not {self.center, self.dispersion, self.order, self.median} <= {1, 2, 3}:
            raise ValueError("levels are 1, 2 or 3")

    def level(self, metric: Metric) -> int:
        return int(getattr(self, metric))


@dataclass(frozen=True)
class Convention:
    """How figures are written; readers know it."""

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
    """The public number that partial order compares with (not nested); by default the middle of the domain."""

    @property
    def half(self) -> Fraction:
        return Fraction(1, 2 * 10**self.decimals)

    @property
    def ddof(self) -> int:
        return 1 if self.sigma == "sample" else 0


NOTHING, USUAL = Levels(), Convention()
METRICS: tuple[Metric, ...] = ("center", "dispersion", "order", "median")


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
    within: str = ""
    """Of a column, where rows have levels: a level, for all its units; or a unit, for those directly below it."""

    def __str__(self) -> str:
        what = self.axis.removesuffix("s") if len(self.lines) == 1 else self.axis
        rest = f" within {self.within}" if self.within else ""
        return f"{self.measure} of {what} {' and '.join(self.lines)}{rest}"


@dataclass(frozen=True)
class Part:
    """What a report of several levels publishes about one of them."""

    level: str
    about: Literal["rows", "columns", "within"]
    """Each unit over all measures; each measure over all units; or each measure over the units below each unit."""
    levels: Levels

    @property
    def axis(self) -> Axis:
        return "rows" if self.about == "rows" else "columns"

    def figures(self, report: Report, convention: Convention) -> Iterator[Figure]:
        frame = report.frame
        assert frame.nesting is not None
        units = frame.nesting.levels[self.level]
        if self.about == "rows":
            yield from figures(report, "rows", self.levels, convention, names=units)
            return
        for scope in units if self.about == "within" else (self.level,):
            shown = [name for name in frame.columns if frame.line("columns", name, scope)]
            yield from figures(report, "columns", self.levels, convention, names=shown, within=scope)


def figures(
    report: Report,
    axis: Axis,
    levels: Levels,
    convention: Convention,
    names: Sequence[str] | None = None,
    within: str = "",
) -> Iterator[Figure]:
    """Everything that is published about the rows or about the columns."""
    for one in _figures(report, axis, levels, convention, report.frame.names(axis) if names is None else names, within):
        yield replace(one, within=within) if within else one


def _figures(
    report: Report, axis: Axis, levels: Levels, convention: Convention, names: Sequence[str], within: str
) -> Iterator[Figure]:
    lines = {name: [report.values[cell] for cell in report.frame.line(axis, name, within)] for name in names}
    means = {name: sum(values, Fraction(0)) / len(values) for name, values in lines.items()}
    for name, mean in means.items():
        if levels.center > 1:
            yield center_figure("mean", axis, name, mean, convention, rounded=levels.center == 2)
    for name, values in lines.items():
        if levels.median > 1:
            yield center_figure("median", axis, name, median(values), convention, rounded=levels.median == 2)
    for name, values in lines.items():
        if levels.dispersion > 1:
            yield _dispersion(axis, name, values, convention, levels.dispersion)
    if levels.order == 3:
        ranked = sorted(means, key=lambda name: (means[name], name))
        yield from (Figure("order", axis, (a, b)) for a, b in pairwise(ranked))
    elif levels.order == 2:
        yield from _partial_order(report, axis, means, convention)


def center_figure(
    measure: Literal["mean", "median"], axis: Axis, name: str, center: Fraction, how: Convention, *, rounded: bool
) -> Figure:
    """A mean or median to this many decimals, or the bin that it lies in."""
    value = rounded_to(center, how.decimals)
    low, high = value - how.half, value + how.half
    if not rounded:
        return Figure(measure, axis, (name,), low, high, value)
    if how.nested:
        return Figure(measure, axis, (name,), *coarser(value, how.half, how.bin))
    begin = center // how.bin * how.bin
    return Figure(measure, axis, (name,), begin, begin + how.bin)


def _dispersion(axis: Axis, name: str, values: Sequence[Fraction], convention: Convention, level: int) -> Figure:
    spread = level == 2 and not convention.nested
    value = rounded_to(max(values) - min(values), convention.decimals) if spread else sigma(values, convention)
    low, high = max(value - convention.half, Fraction(0)), value + convention.half
    if spread:
        return Figure("spread", axis, (name,), low, high, value)
    if level == 2:
        low, high = coarser(value, convention.half, convention.sigma_bin)
        return Figure("sigma", axis, (name,), max(low, Fraction(0)), high, ddof=convention.ddof)
    return Figure("sigma", axis, (name,), low, high, value, ddof=convention.ddof)


def _partial_order(
    report: Report, axis: Axis, means: Mapping[str, Fraction], convention: Convention
) -> Iterator[Figure]:
    if convention.nested:
        yield from halves(axis, sorted(means, key=lambda name: (means[name], name)))
        return
    lows, highs = zip(*report.frame.bounds, strict=True)
    cut = (min(lows) + max(highs)) / 2 if convention.cut is None else convention.cut
    for name, mean in means.items():
        yield Figure("mean", axis, (name,), None, cut) if mean <= cut else Figure("mean", axis, (name,), cut, None)


def halves(axis: Axis, ranked: Sequence[str]) -> Iterator[Figure]:
    """Every line of the lower half has a mean of at most that of every line of the upper half."""
    lower, upper = ranked[: len(ranked) // 2], ranked[len(ranked) // 2 :]
    return (Figure("order", axis, (a, b)) for a in lower for b in upper)


def sigma(values: Sequence[Fraction], convention: Convention) -> Fraction:
    """The standard deviation to this many decimals, by integer roots alone.

    >>> sigma([Fraction(v) for v in (75, 88, 85, 84)], Convention())
    Fraction(28, 5)
    """
    if len(values) <= convention.ddof:
        raise DataError("a sample sigma of a single cell — is not defined — publish another measure")
    mean = sum(values, Fraction(0)) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - convention.ddof)
    return rounded_root(variance, convention.decimals)


@dataclass(frozen=True)
class Knowledge:
    """What a snooper knows beside the publication: all cells of some rows, or nothing."""

    name: str
    rows: tuple[str, ...] = ()
    cells: Mapping[Cell, Fraction] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False)
class Publication:
    """All figures about a table. `truth` holds the true cells as far as the steward knows them: never published."""

    frame: Frame
    figures: tuple[Figure, ...]
    truth: Mapping[Cell, Fraction] = field(default_factory=dict, repr=False)
    row_levels: Levels | None = None
    column_levels: Levels | None = None
    convention: Convention = USUAL
    reading: Reading = "rounding"
    proof: Proof | None = field(default=None, repr=False)
    """Witnesses in the internal folder, by which a steward checks a release."""
    parts: tuple[Part, ...] = ()
    """Where rows have levels: what is published about each."""
    inferences: dict[tuple[str, ...], Inference] = field(default_factory=dict, repr=False, init=False)
    """What was already inferred for the owners of these rows; kept so that several criteria ask once."""
    exchanges: Exchanges | None = field(default=None, repr=False, init=False)
    """Possible tables that differ from the true one in two rows, once a snooper has asked for them."""

    @classmethod
    def of(
        cls, report: Report, rows: Levels = NOTHING, columns: Levels = NOTHING, convention: Convention = USUAL
    ) -> Publication:
        """What a table shows of itself at these levels."""
        shown = (*figures(report, "rows", rows, convention), *figures(report, "columns", columns, convention))
        return cls(report.frame, shown, report.values, rows, columns, convention)

    @classmethod
    def of_levels(cls, report: Report, parts: Sequence[Part], convention: Convention = USUAL) -> Publication:
        """What a table with levels of rows shows of them."""
        if any(part.levels.order > 1 for part in parts):
            raise PolicyError("publish — order is for reports of a single level — take it out")
        if report.frame.nesting is None or not {part.level for part in parts} <= set(report.frame.nesting.levels):
            raise PolicyError("publish — names a level that the table does not have — see table.levels")
        shown = tuple(figure for part in parts for figure in part.figures(report, convention))
        rows, columns = (
            Levels(*(max((part.levels.level(m) for part in parts if part.axis == axis), default=1) for m in METRICS))
            for axis in AXES
        )
        return cls(report.frame, shown, report.values, rows, columns, convention, parts=tuple(parts))

    @property
    def content(self) -> str:
        """A digest of the true cells and of what would be published. Confidential."""
        cells = sorted((str(cell), str(value)) for cell, value in self.truth.items())
        everything = (sorted(self.frame.rows), sorted(self.frame.columns), cells)
        return hashlib.sha256(repr(everything).encode()).hexdigest()

    @property
    def rows(self) -> int:
        """Records of the file in which the figures are published: one a figure, and one for each rank."""
        ranked = {(one.axis, name) for one in self.figures if one.measure == "order" for name in one.lines}
        return sum(one.measure != "order" for one in self.figures) + len(ranked)

    def read_as(self, reading: Reading) -> Publication:
        """The same figures, understood another way.

        rounding: every figure is the interval that it denotes. seed-002: means and spreads are exact, a sigma is a
        sample sigma and an upper bound, and the mean of the last row is left out.
        """
        if reading not in READINGS:
            raise PolicyError(f"no reading '{reading}' — {did_you_mean(reading, READINGS) or ', '.join(READINGS)}")
        if reading == self.reading:
            return self
        if self.reading != "rounding":
            raise PolicyError("a publication that was read one way cannot be read another — start from the figures")
        last = ("mean", "rows", (self.frame.rows[-1],))
        kept = [f for f in self.figures if (f.measure, f.axis, f.lines) != last]
        taken = (
            f if f.value is None else replace(f, low=None if f.measure == "sigma" else f.value, high=f.value, ddof=1)
            for f in kept
        )
        return replace(self, figures=tuple(taken), reading=reading)

    def knowledge(self, *rows: str) -> Knowledge:
        """What the owners of these rows know together; no row: an outsider."""
        for row in rows:
            if row not in self.frame.rows:
                hint = did_you_mean(row, self.frame.rows) or f"rows: {', '.join(self.frame.rows)}"
                raise PolicyError(f"no row '{row}' — {hint}")
        owners = rows if self.frame.nesting is None else self.frame.nesting.known_to(*rows)
        cells = {cell: self.truth.get(cell) for row in owners for cell in self.frame.line("rows", row)}
        if None in cells.values():
            unknown = sorted({row for (row, _), value in cells.items() if value is None})
            raise PolicyError(f"snooper {'+'.join(rows)} — the cells of {', '.join(unknown)} are not given — add them")
        return Knowledge("+".join(rows) or "outsider", owners, {c: v for c, v in cells.items() if v is not None})
