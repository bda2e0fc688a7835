"""The public report: figures and how they are written, and nothing else. It has the form in which reports are read.

Whoever adds its own row under `known`, and its limits under `protect`, can audit the JSON file that was published. The
same figures are records, one a line, from which a release is judged.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, TypedDict, cast

from sharewell.errors import DataError, PolicyError
from sharewell.reports.figures.data import AXES, Axis, Figure, Publication
from sharewell.reports.figures.engine.numbers import exact
from sharewell.reports.figures.engine.report_levels import OF_COLUMN, described, of_whom

if TYPE_CHECKING:
    import pyarrow as pa

    from sharewell.wing import ColumnFacts

HEADER = ("of", "name", "measure", "value", "low", "high")


class PublicReport(TypedDict):
    """A published report, in the form in which report files are read."""

    report: str
    table: dict[str, object]
    published: dict[str, object]


def content(name: str, publication: Publication) -> PublicReport:
    """The report as JSON, which is also YAML."""
    frame, how = publication.frame, publication.convention
    pairs = [[_number(end) for end in pair] for pair in frame.bounds]
    same = all(pair == pairs[0] for pair in pairs)
    table: dict[str, object] = {
        "rows": [*(frame.rows if frame.nesting is None else frame.nesting.levels[frame.nesting.lowest])],
        "columns": [*frame.columns],
        "domain": pairs[0] if same else dict(zip(frame.columns, pairs, strict=True)),
        "decimals": how.decimals,
        **described(frame),
    }
    given = [row for row in frame.rows if frame.nesting is None or row not in frame.nesting.members]
    absent = {row: [c for c in frame.columns if (row, c) in frame.absent] for row in given}
    if frame.absent:
        table["absent"] = {row: columns for row, columns in absent.items() if columns}
    shown: dict[str, object] = {}
    if any(figure.measure == "sigma" for figure in publication.figures):
        shown["sigma"] = how.sigma
    lines: dict[str, dict[str, dict[str, int | float | list[int | float]]]] = {axis: {} for axis in AXES}
    within: dict[str, dict[str, dict[str, int | float | list[int | float]]]] = {}
    for figure in publication.figures:
        if figure.measure != "order":
            key, value = _written(figure, how.half)
            of = within.setdefault(figure.within, {}) if figure.within else lines[figure.axis]
            of.setdefault(figure.lines[0], {})[key] = value
    shown |= {axis: by_name for axis, by_name in lines.items() if by_name}
    if within:
        shown["within"] = within
    orders = {axis: [g if len(g) > 1 else g[0] for g in groups(publication, axis)] for axis in AXES}
    if any(orders.values()):
        shown["order"] = {axis: ranked for axis, ranked in orders.items() if ranked}
    return {"report": name, "table": table, "published": shown}


def as_table(publication: Publication) -> pa.Table:
    """One figure a record, as in HEADER, all of it text; of equal ranks nothing is said."""
    import pyarrow as pa

    rows: list[tuple[str, ...]] = []
    how = publication.convention
    for axis in AXES:
        for figure in publication.figures:
            if figure.axis == axis and figure.measure != "order":
                written = figure.value is not None and figure.high == figure.value + how.half
                value = decimal(figure.value, how.decimals) if written and figure.value is not None else ""
                low, high = ("" if end is None else decimal(end) for end in (figure.low, figure.high))
                rows.append((of_whom(figure), figure.lines[0], figure.measure, value, low, high))
        for rank, group in enumerate(groups(publication, axis), start=1):
            rows += [(axis.removesuffix("s"), name, "rank", str(rank), "", "") for name in group]
    return pa.table({key: pa.array([one[i] or None for one in rows], pa.string()) for i, key in enumerate(HEADER)})


def groups(publication: Publication, axis: Axis) -> list[list[str]]:
    """Groups of names from the lowest mean to the highest; names in one group are not ordered."""
    pairs = {figure.lines for figure in publication.figures if figure.measure == "order" and figure.axis == axis}
    names = [name for name in publication.frame.names(axis) if any(name in pair for pair in pairs)]
    height = dict.fromkeys(names, 0)
    for _ in names:
        height = {name: max((height[a] + 1 for a, b in pairs if b == name), default=0) for name in names}
    ranked = [[name for name in names if height[name] == level] for level in sorted(set(height.values()))]
    implied_pairs = {(a, b) for lower, upper in pairwise(ranked) for a in lower for b in upper}
    if implied_pairs != pairs:
        raise PolicyError(f"order of {axis} — is not a ranking of groups — publish total or partial order")
    return ranked


def read_records(table: pa.Table, facts: ColumnFacts, label: str = "the file of figures") -> Publication:
    """The publication that records denote, with what the dictionary says about the table (see `content`)."""
    from sharewell.reports.figures.engine.report_file import convention, frame_of

    if table.column_names != list(HEADER):
        raise DataError(f"{label} — its columns are not those of figures")
    try:
        frame = frame_of(facts["table"])
        how = convention(facts["table"], facts.get("sigma"), False)
        figures, ranks = [], {axis: cast("dict[str, int]", {}) for axis in AXES}
        for of, name, measure, *numbers in zip(*(table[key].to_pylist() for key in HEADER), strict=True):
            scope = of.removeprefix(OF_COLUMN) if of.startswith(OF_COLUMN) else ""
            axis: Axis = "columns" if scope else cast("Axis", f"{of}s")
            value, low, high = (None if one is None else exact(one) for one in numbers)
            if axis not in AXES or name not in frame.names(axis) or not frame.line(axis, name, scope):
                raise ValueError
            if measure == "rank" and value is not None and low is high is None and name not in ranks[axis]:
                ranks[axis][name] = int(value)
            elif measure in ("mean", "median", "sigma", "spread") and _denotes(value, low, high, how.half):
                figures.append(Figure(measure, axis, (name,), low, high, value, how.ddof, scope))
            else:
                raise ValueError
        if len({_key(figure) for figure in figures}) < len(figures):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{label} — holds a value that is not a figure of the table published beside it") from None
    for axis, by_name in ranks.items():
        levels = [[name for name in by_name if by_name[name] == rank] for rank in sorted(set(by_name.values()))]
        figures += [Figure("order", axis, (a, b)) for lower, upper in pairwise(levels) for a in lower for b in upper]
    return Publication(frame, tuple(figures), convention=how)


def same_figures(one: Publication, other: Publication) -> bool:
    """Do two publications tell the same, in whatever order?"""
    return one.frame == other.frame and {_key(f) for f in one.figures} == {_key(f) for f in other.figures}


def decimal(number: Fraction, digits: int = 0) -> str:
    """A number as it is written, with at least this many digits after the point.

    >>> decimal(Fraction(115, 2)), decimal(Fraction(58), 1), decimal(Fraction(-1, 20), 1)
    ('57.5', '58.0', '-0.05')
    """
    while digits < 60 and (number * 10**digits).denominator != 1:
        digits += 1
    digits_alone = abs(round(number * 10**digits))
    text = str(digits_alone).rjust(digits + 1, "0")
    return ("-" if number < 0 else "") + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def _written(figure: Figure, half: Fraction) -> tuple[str, int | float | list[int | float]]:
    """A number that denotes its interval, or the interval."""
    if figure.measure == "mean" and (figure.low is None or figure.high is None):
        end = figure.high if figure.low is None else figure.low
        return ("at_most" if figure.low is None else "at_least"), _number(end)
    if figure.value is not None and figure.high == figure.value + half:
        return figure.measure, _number(figure.value)
    return figure.measure, [_number(figure.low), _number(figure.high)]


def _denotes(value: Fraction | None, low: Fraction | None, high: Fraction | None, half: Fraction) -> bool:
    """A number beside an interval is the one that denotes it: any other would tell more, or something else."""
    return value is None or (high == value + half and low in (value - half, max(value - half, Fraction(0))))


def _number(value: Fraction | None) -> int | float:
    number = Fraction(0) if value is None else value
    return number.numerator if number.denominator == 1 else float(number)


def _key(figure: Figure) -> tuple[object, ...]:
    ddof = figure.ddof if figure.measure == "sigma" else None
    return figure.measure, figure.axis, figure.lines, figure.within, figure.low, figure.high, ddof
