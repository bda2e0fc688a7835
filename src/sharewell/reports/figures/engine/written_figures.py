"""Figures as a file gives them: a number stands for the interval that it denotes by its decimals, a pair for itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise

from sharewell.errors import PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import Reading
from sharewell.reports.figures.data import Axis, Convention, Figure, Frame, Measure, exact, is_exact
from sharewell.roles import did_you_mean

MEASURES = ("mean", "sigma", "spread", "at_least", "at_most")
AXES: tuple[Axis, ...] = ("rows", "columns")


@dataclass(frozen=True)
class _Pen:
    """Whose decimals count: the table's where given, but never fewer than were written."""

    reading: Reading
    convention: Convention
    stated: bool

    def interval(self, given: object, at: Place) -> tuple[Fraction, Fraction, Fraction | None]:
        if isinstance(given, list) and len(given) == 2 and all(_is_number(end) for end in given):
            low, high = exact(given[0]), exact(given[1])
            if low > high:
                self.reading.mistake(at, "begins above its end", "write the lower number first")
            return low, high, None
        if not _is_number(given):
            self.reading.mistake(at, "must be a number, or the two ends of an interval")
            return Fraction(0), Fraction(0), None
        text = self.reading.document.texts.get(at, str(given))
        written = _decimals(text)
        decimals = max(written, self.convention.decimals) if self.stated else written
        half, value = Fraction(1, 2 * 10**decimals), exact(given)
        return value - half, value + half, value


def given_figures(
    reading: Reading,
    shown: Mapping[str, object],
    convention: Convention,
    stated: bool,
    sigma: bool,
    at: Place,
    frame: Frame,
) -> tuple[Figure, ...]:
    """All figures of `published`: rows, columns, and orders of names, or of groups, from the lowest to the highest."""
    known = {*AXES, "sigma", "order"}
    for key in shown:
        if key not in known:
            reading.mistake((*at, key), f"unknown key '{key}'", did_you_mean(key, known))
    pen = _Pen(reading, convention, stated)
    found: list[Figure] = []
    for axis in AXES:
        lines = shown.get(axis)
        for name, given in lines.items() if isinstance(lines, dict) else ():
            if not isinstance(given, dict):
                reading.mistake((*at, axis, name), "must be a mapping such as {mean: 58.0}")
                continue
            found += [_figure(pen, axis, name, measure, value, at) for measure, value in given.items()]
        found += _orders(reading, shown, axis, at, frame)
    if any(figure.measure == "sigma" for figure in found) and not sigma:
        what = "sigma is published, and nothing says how it was computed"
        reading.mistake(at, what, "say sigma: sample (divided by n − 1) or population (by n)")
    if not found and not reading.mistakes:
        reading.mistake(at, "no figure at all", "such as columns: {HbA1c: {mean: 83.0}}")
    return tuple(found)


def _figure(pen: _Pen, axis: Axis, name: str, measure: str, given: object, at: Place) -> Figure:
    place = (*at, axis, name, measure)
    if measure not in MEASURES:
        pen.reading.mistake(place, f"unknown measure '{measure}'", did_you_mean(measure, MEASURES))
        return Figure("mean", axis, (name,))
    if measure in ("at_least", "at_most") and isinstance(given, list):
        pen.reading.mistake(place, f"{measure} is one number, not a pair", "for two ends, write mean: [low, high]")
        return Figure("mean", axis, (name,))
    low, high, value = pen.interval(given, place)
    if measure == "mean":
        return Figure("mean", axis, (name,), low, high, value)
    if measure in ("at_least", "at_most"):
        end = value
        return Figure("mean", axis, (name,), *((end, None) if measure == "at_least" else (None, end)))
    if high < 0:
        pen.reading.mistake(place, f"a {measure} cannot be negative")
    kind: Measure = "sigma" if measure == "sigma" else "spread"
    return Figure(kind, axis, (name,), max(low, Fraction(0)), high, value, pen.convention.ddof)


def _orders(reading: Reading, shown: Mapping[str, object], axis: Axis, at: Place, frame: Frame) -> Iterator[Figure]:
    order = shown.get("order") or {}
    if not isinstance(order, dict) or not set(order) <= set(AXES):
        raise PolicyError("published.order must hold rows or columns: names from the lowest mean to the highest")
    listed = order.get(axis) or []
    if not isinstance(listed, list):
        reading.mistake((*at, "order", axis), "must be a list of names, from the lowest mean to the highest")
        return
    groups = [one if isinstance(one, list) else [one] for one in listed]
    ranked = [str(name) for group in groups for name in group]
    unknown = [name for name in ranked if name not in frame.names(axis)]
    if unknown or len(set(ranked)) < len(ranked):
        reading.mistake((*at, "order", axis), "names a line that is not there, or one twice", ", ".join(unknown))
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
