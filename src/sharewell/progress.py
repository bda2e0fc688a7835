"""A step of known size, for whoever shows progress: text like any other step, with numbers for a bar.

>>> ProgressStep.of("protecting notes", 250, 1000, seconds=5)
'protecting notes: 250 of 1,000, 50 a second, 15 s left'
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]
"""What is called with each step of long work."""


class ProgressStep(str):
    """What is being done, and how far it is."""

    what: str
    done: int
    total: int

    @classmethod
    def of(cls, what: str, done: int, total: int, seconds: float) -> ProgressStep:
        pace = done / seconds if seconds > 0 else 0.0
        left = f", {_lasting((total - done) / pace)} left" if pace and done < total else ""
        told = cls(f"{what}: {done:,} of {total:,}, {pace:,.0f} a second{left}")
        told.what, told.done, told.total = what, done, total
        return told


def _lasting(seconds: float) -> str:
    """
    >>> _lasting(7), _lasting(150), _lasting(9000)
    ('7 s', '2 min', '2 h 30 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
