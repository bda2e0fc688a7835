"""Bounds on shares as exact fractions, and whole numbers compared with them without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sharewell.codes.engine.packed_sets import Ints


def share(name: str, value: object) -> Fraction:
    """A share as a fraction: 0.2 is 1/5, and "1/11" is itself.

    >>> share("c", 0.2), share("c", "1/11")
    (Fraction(1, 5), Fraction(1, 11))
    """
    try:
        found = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a number or a fraction such as 1/11") from None
    if not 0 <= found <= 1:
        raise ValueError(f"{name} is a share: 0 or more, at most 1")
    return found


def most_of(share: Fraction, counts: Ints) -> Ints:
    """For each count the largest whole number that is at most this share of it.

    >>> most_of(Fraction(3, 5), np.array([1, 5, 7])).tolist()
    [0, 3, 4]
    """
    found = np.zeros(int(counts.max(initial=0)) + 1, dtype=np.int64)
    present = np.flatnonzero(np.bincount(counts)) if len(counts) else counts
    found[present] = [share.numerator * count // share.denominator for count in present.tolist()]
    limits: Ints = found[counts]
    return limits
