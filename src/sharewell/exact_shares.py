"""How many of this many things a share is, by the decimals that were written and not by the nearest binary number.

>>> part_of(0.29, 100), int(0.29 * 100), part_of(1 / 3, 6)
(29, 28, 2)
"""

from __future__ import annotations

from fractions import Fraction


def part_of(share: float, count: int) -> int:
    """The most that are no more than this share of a count. A quotient such as 1/3 has no decimals that say it, but
    its product is whole."""
    return max(int(Fraction(str(share)) * count), int(share * count))
