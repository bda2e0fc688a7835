"""Figures of a table: means, deviations and orders at a level, as the intervals that readers may conclude."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from sharewell.errors import DataError
from sharewell.reports.figures.engine.report_table import Axis, Convention, Figure, Levels, Report


def figures(report: Report, axis: Axis, levels: Levels, convention: Convention) -> Iterator[Figure]:
    """Everything that is published about the rows or about the columns."""
    lines = {name: [report.values[cell] for cell in report.frame.line(axis, name)] for name in report.frame.names(axis)}
    means = {name: sum(values, Fraction(0)) / len(values) for name, values in lines.items()}
    for name, mean in means.items():
        if levels.center > 1:
            yield mean_figure(axis, name, mean, convention, rounded=levels.center == 2)
    for name, values in lines.items():
        if levels.dispersion > 1:
            yield _dispersion(axis, name, values, convention, levels.dispersion)
    if levels.order == 3:
        ranked = sorted(means, key=lambda name: (means[name], name))
        yield from (Figure("order", axis, (a, b)) for a, b in pairwise(ranked))
    elif levels.order == 2:
        yield from _partial_order(report, axis, means, convention)


def mean_figure(axis: Axis, name: str, mean: Fraction, convention: Convention, *, rounded: bool) -> Figure:
    """A mean to so many decimals, or the bin that it lies in."""
    value = rounded_to(mean, convention.decimals)
    low, high = value - convention.half, value + convention.half
    if not rounded:
        return Figure("mean", axis, (name,), low, high, value)
    if convention.nested:
        return Figure("mean", axis, (name,), *coarser(value, convention.half, convention.bin))
    begin = mean // convention.bin * convention.bin
    return Figure("mean", axis, (name,), begin, begin + convention.bin)


def _dispersion(axis: Axis, name: str, values: Sequence[Fraction], convention: Convention, level: int) -> Figure:
    if level == 2 and not convention.nested:
        value = rounded_to(max(values) - min(values), convention.decimals)
        low, high = max(value - convention.half, Fraction(0)), value + convention.half
        return Figure("spread", axis, (name,), low, high, value)
    value = sigma(values, convention)
    low, high = max(value - convention.half, Fraction(0)), value + convention.half
    if level == 2:
        low, high = coarser(value, convention.half, convention.sigma_bin)
        return Figure("sigma", axis, (name,), max(low, Fraction(0)), high, ddof=convention.ddof)
    return Figure("sigma", axis, (name,), low, high, value, ddof=convention.ddof)


def _partial_order(
    report: Report, axis: Axis, means: Mapping[str, Fraction], convention: Convention
) -> Iterator[Figure]:
    if convention.nested:
        ranked = sorted(means, key=lambda name: (means[name], name))
        lower, upper = ranked[: len(ranked) // 2], ranked[len(ranked) // 2 :]
        yield from (Figure("order", axis, (a, b)) for a in lower for b in upper)
        return
    lows, highs = zip(*report.frame.bounds, strict=True)
    cut = (min(lows) + max(highs)) / 2 if convention.cut is None else convention.cut
    for name, mean in means.items():
        yield Figure("mean", axis, (name,), None, cut) if mean <= cut else Figure("mean", axis, (name,), cut, None)


def coarser(value: Fraction, half: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
    """All that is rounded to a figure of the same bin as this one: exactly what its readers may conclude.

    It holds the whole interval of the finer figure, and begins half a last digit before a multiple of the width. Were
    it as many plain bins as that interval touches, two of them would tell that the figure is the number between them.

    >>> [tuple(map(float, coarser(Fraction(v), Fraction(1, 20), Fraction(5)))) for v in (40, 44)]
    [(39.95, 44.95), (39.95, 44.95)]
    """
    unit, place = 2 * half, value // width
    return -(-place * width // unit) * unit - half, -(-(place + 1) * width // unit) * unit - half


def rounded_to(value: Fraction, decimals: int) -> Fraction:
    """To the nearest; the interval that readers conclude is closed, so that ties may go either way.

    >>> rounded_to(Fraction(182, 3), 1)
    Fraction(607, 10)
    """
    return Fraction(round(value * 10**decimals), 10**decimals)


def sigma(values: Sequence[Fraction], convention: Convention) -> Fraction:
    """The standard deviation to so many decimals, by integer roots alone.

    >>> sigma([Fraction(v) for v in (75, 88, 85, 84)], Convention())
    Fraction(28, 5)
    """
    if len(values) <= convention.ddof:
        raise DataError("a sample sigma of a single cell — is not defined — publish another measure")
    mean = sum(values, Fraction(0)) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - convention.ddof)
    doubled = variance * 4 * 100**convention.decimals  # the square of twice the figure in its last digit
    return Fraction((isqrt(int(doubled)) + 1) // 2, 10**convention.decimals)
