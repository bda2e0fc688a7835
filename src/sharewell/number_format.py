"""How numbers are written for people: on the terminal, in messages and in notebooks. JSON is never rounded."""

from __future__ import annotations

from fractions import Fraction


def show(value: int | float | Fraction | None) -> str:
    """A number as people read it.

    >>> show(Fraction(1, 11)), show(12), show(0.123456), show(None)
    ('0.09091', '12', '0.1235', '—')
    """
    if value is None:
        return "—"
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ") if abs(value) >= 10_000 else str(value)
    return f"{float(value):.4g}"
