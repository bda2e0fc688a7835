"""Shares of counts by their decimals."""

from __future__ import annotations

from fractions import Fraction

from sharewell.exact_shares import part_of


def test_every_percentage_of_every_count() -> None:
    for percent in range(101):
        for count in (0, 1, 7, 50, 100, 999):
            assert part_of(percent / 100, count) == percent * count // 100


def test_it_never_exceeds_the_share() -> None:
    assert part_of(0.3333, 3) == 0
    assert part_of(1.0, 3) == 3
    assert Fraction(part_of(0.07, 100), 100) <= Fraction(7, 100)
