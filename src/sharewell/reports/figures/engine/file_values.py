"""What a report file gives: figures, or the cells of the table.

Of figures, a number stands for the interval that its decimals denote, and a pair for itself. Cells stand in the file
itself, or in another with one cell a row or one owner a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.sources import source
from sharewell.reports.figures.data import AXES, Axis, Convention, Figure, Frame, Measure
from sharewell.reports.figures.engine.numbers import exact, is_exact
from sharewell.reports.figures.engine.report_levels import scopes
from sharewell.roles import did_you_mean

MEASURES = ("mean", "median", "sigma", "spread", "at_least", "at_most")


@dataclass(frozen=True)
class _Pen:
    """Whose decimals count: the table's where given, but never fewer than were written."""

    reading: MistakeCollector
    convention: Convention
    stated: bool

    def interval(self, number: object, place: Place) -> tuple[Fraction, Fraction, Fraction | None]:
        if isinstance(number, list) and len(number) == 2 and all(_is_number(end) for end in number):
            low, high = exact(number[0]), exact(number[1])
            if low > high:
                self.reading.mistake(place, "begins above its end", "write the lower number first")
            return low, high, None
        if not _is_number(number):
            self.reading.mistake(place, "must be a number, or the two ends of an interval")
            return Fraction(0), Fraction(0), None
        text = self.reading.document.texts.get(place, str(number))
        written = _decimals(text)
        decimals = max(written, self.convention.decimals) if self.stated else written
        half, value = Fraction(1, 2 * 10**decimals), exact(number)
        return value - half, value + half, value


def given_figures(
    reading: MistakeCollector,
    shown: Mapping[str, object],
    convention: Convention,
    stated: bool,
    sigma: bool,
    path: Place,
    frame: Frame,
) -> tuple[Figure, ...]:
    """All figures of `published`: rows, columns, and orders of names, or of groups, from the lowest to the highest."""
    known = {*AXES, "sigma", "order", *(("within",) if frame.nesting is not None else ())}
    for key in shown:
        if key not in known:
            reading.mistake((*path, key), f"unknown key '{key}'", did_you_mean(key, known))
    pen = _Pen(reading, convention, stated)
    figures: list[Figure] = []
    for axis in AXES:
        lines = shown.get(axis)
        for name, measures in lines.items() if isinstance(lines, dict) else ():
            if not isinstance(measures, dict):
                reading.mistake((*path, axis, name), "must be a mapping such as {mean: 58.0}")
                continue
            figures += [_figure(pen, axis, name, measure, value, path) for measure, value in measures.items()]
        figures += _orders(reading, shown, axis, path, frame)
    if "within" in shown and frame.nesting is not None:
        for scope, name, measures in scopes(reading, shown["within"], frame, (*path, "within")):
            results = [
                _figure(pen, "columns", name, key, value, (*path, "within", scope)) for key, value in measures.items()
            ]
            figures += [replace(figure, within=scope) for figure in results]
    if any(figure.measure == "sigma" for figure in figures) and not sigma:
        what = "sigma is published, and nothing says how it was computed"
        reading.mistake(path, what, "say sigma: sample (divided by n − 1) or population (by n)")
    if not figures and not reading.mistakes:
        reading.mistake(path, "no figure at all", "such as columns: {HbA1c: {mean: 83.0}}")
    return tuple(figures)


def _figure(pen: _Pen, axis: Axis, name: str, measure: str, number: object, path: Place) -> Figure:
    place = (*path, axis, name, measure)
    if measure not in MEASURES:
        pen.reading.mistake(place, f"unknown measure '{measure}'", did_you_mean(measure, MEASURES))
        return Figure("mean", axis, (name,))
    if measure in ("at_least", "at_most") and isinstance(number, list):
        pen.reading.mistake(place, f"{measure} is one number, not a pair", "for two ends, write mean: [low, high]")
        return Figure("mean", axis, (name,))
    low, high, value = pen.interval(number, place)
    if measure == "mean" or measure == "median":
        return Figure("mean" if measure == "mean" else "median", axis, (name,), low, high, value)
    if measure in ("at_least", "at_most"):
        end = value
        return Figure("mean", axis, (name,), *((end, None) if measure == "at_least" else (None, end)))
    if high < 0:
        pen.reading.mistake(place, f"a {measure} cannot be negative")
    kind: Measure = "sigma" if measure == "sigma" else "spread"
    return Figure(kind, axis, (name,), max(low, Fraction(0)), high, value, pen.convention.ddof)


def _orders(
    reading: MistakeCollector, shown: Mapping[str, object], axis: Axis, path: Place, frame: Frame
) -> Iterator[Figure]:
    order = shown.get("order") or {}
    if not isinstance(order, dict) or not set(order) <= set(AXES):
        raise PolicyError("published.order must hold rows or columns: names from the lowest mean to the highest")
    listed = order.get(axis) or []
    if not isinstance(listed, list):
        reading.mistake((*path, "order", axis), "must be a list of names, from the lowest mean to the highest")
        return
    groups = [one if isinstance(one, list) else [one] for one in listed]
    ranked = [str(name) for group in groups for name in group]
    unknown = [name for name in ranked if name not in frame.names(axis)]
    if unknown or len(set(ranked)) < len(ranked):
        reading.mistake((*path, "order", axis), "names a line that is not there, or one twice", ", ".join(unknown))
        return
    for lower, upper in pairwise(groups):  # of names in one group nothing is said
        yield from (Figure("order", axis, (str(one), str(other))) for one in lower for other in upper)


def _decimals(text: str) -> int:
    """How many digits after the point a number is written with; an exponent shifts the point.

    >>> _decimals("58.0"), _decimals("+58.25"), _decimals("5.825e+1"), _decimals("58")
    (1, 2, 2, 0)
    """
    try:
        exponent = Decimal(text.replace("_", "")).as_tuple().exponent
    except InvalidOperation:  # a whole number in another notation, such as 0x1f
        return 0
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and is_exact(value)


Values = dict[str, dict[str, object]]


def read_values(reading: MistakeCollector, table: Mapping[str, object], path: Place) -> Values:
    """`values`: a mapping of rows, a path, or a source such as {csv: rates.csv, separator: ";"}.

    Owners come in the order of their names, which is published: that of a file sorted by rates would be their ranking.
    """
    values = _read(reading, table, path)
    return {name: values[name] for name in sorted(values, key=_by_name)}


def _by_name(name: str) -> list[tuple[int, str]]:
    """HMO2 before HMO10.

    >>> sorted(["HMO10", "HMO2", "B"], key=_by_name)
    ['B', 'HMO2', 'HMO10']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _read(reading: MistakeCollector, table: Mapping[str, object], path: Place) -> Values:
    values = table["values"]
    if isinstance(values, dict) and all(isinstance(row, dict) for row in values.values()) and values:
        return {str(row): dict(cells) for row, cells in values.items()}
    if isinstance(values, str):
        file: Source | None = Source.of(reading.base / values)
    else:
        file = source(reading, values, (*path, "values"))
    if file is None:
        return {}
    rows, columns = table.get("rows"), table.get("columns")
    if not isinstance(rows, str):
        raise PolicyError("table.rows must name the column of the file that identifies owners")
    if isinstance(columns, str) and columns in file.names():
        return _long(file, rows, columns)
    return _wide(file, rows)


def _wide(file: Source, rows: str) -> Values:
    """One owner a row, one measure a column."""
    table = file.read().to_pydict()
    if rows not in table:
        raise DataError(f"{file.label} — no column '{rows}' — table.rows names the column of the owners")
    names = _named(file, table.pop(rows))
    if len(set(names)) < len(names):
        raise DataError(f"{file.label} — an owner has two rows — keep one")
    return {name: {column: table[column][i] for column in table} for i, name in enumerate(names)}


def _long(file: Source, rows: str, columns: str) -> Values:
    """One cell a row."""
    table = file.read().to_pydict()
    rest = [name for name in table if name not in (rows, columns)]
    if rows not in table or len(rest) != 1:
        raise DataError(f"{file.label} — must have the columns {rows}, {columns} and one of values — it has others")
    values: Values = {}
    for row, column, value in zip(_named(file, table[rows]), _named(file, table[columns]), table[rest[0]], strict=True):
        if column in values.setdefault(row, {}):
            raise DataError(f"{file.label} — a cell occurs twice — keep one")
        values[row][column] = value
    measures = sorted({column for cells in values.values() for column in cells}, key=_by_name)
    return {row: {column: cells[column] for column in measures if column in cells} for row, cells in values.items()}


def _named(file: Source, names: list[object]) -> list[str]:
    if any(name is None for name in names):
        raise DataError(f"{file.label} — rows without a name — name every owner and measure")
    return [str(name) for name in names]
