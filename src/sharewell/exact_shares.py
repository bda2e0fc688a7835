"""How many of so many things a share is, by the decimals that were written and not by the nearest binary number.

>>> part_of(0.29, 100), int(0.29 * 100)
(29, 28)
"""

from __future__ import annotations

from fractions import Fraction


def part_of(share: float, count: int) -> int:
    """The most that are no more than this share of a count."""
    return int(Fraction(str(share)) * count)
