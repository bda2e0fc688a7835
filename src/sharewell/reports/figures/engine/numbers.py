"""Numbers of a report, in fractions: as they are written, rounded, and in bins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

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
    """Is it a number that `exact` accepts?"""
    try:
        exact(number)
    except ValueError:
        return False
    return True


def median(values: Sequence[Fraction]) -> Fraction:
    """The middle value, or the mean of the two middle ones.

    >>> median([Fraction(v) for v in (75, 88, 86, 83)])
    Fraction(169, 2)
    """
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


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


def rounded_root(square: Fraction, decimals: int) -> Fraction:
    """The square root to the nearest last digit, by integers alone."""
    doubled = square * 4 * 100**decimals  # the square of twice the root in its last digit
    return Fraction((isqrt(int(doubled)) + 1) // 2, 10**decimals)
