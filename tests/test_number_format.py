"""Numbers as people read them on the terminal, in messages and in notebooks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sharewell.number_format import show


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (0, "0"),
        (9_999, "9999"),
        (10_000, "10 000"),
        (-1_234_567, "-1 234 567"),
        (0.123456, "0.1235"),
        (2.0, "2"),
        (Fraction(1, 11), "0.09091"),
    ],
)
def test_a_number_is_shown_in_four_digits_and_a_large_count_in_groups(
    value: int | float | Fraction | None, text: str
) -> None:
    assert show(value) == text
