"""Days since 1970 as whole numbers, ages in completed years, and the window that a hospital covers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from sharewell.hospital.draws import Ints

_EPOCH = date(1970, 1, 1)


def day_number(day: date) -> int:
    """Days since 1970-01-01."""
    return (day - _EPOCH).days


def parts(days: Ints) -> tuple[Ints, Ints, Ints]:
    """Year, month and day of the month."""
    stamp = np.asarray(days).astype("datetime64[D]")
    month = stamp.astype("datetime64[M]")
    year = stamp.astype("datetime64[Y]").astype(np.int64) + 1970
    return year, month.astype(np.int64) % 12 + 1, (stamp - month).astype(np.int64) + 1


def day_of(year: Ints, month: Ints, day: Ints) -> Ints:
    """The day number of a calendar date; the date must exist."""
    months = (np.asarray(year) - 1970) * 12 + np.asarray(month) - 1
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + day - 1


def ages(birth: Ints, on: int | Ints) -> Ints:
    """Completed years of age on a day."""
    year, month, day = parts(birth)
    year_on, month_on, day_on = parts(np.asarray(on))
    return np.asarray(year_on - year - (month * 100 + day > month_on * 100 + day_on))


def weekday(days: Ints) -> Ints:
    """0 = Monday ... 6 = Sunday."""
    return np.asarray((np.asarray(days) + 3) % 7)


@dataclass(frozen=True)
class Window:
    """The days from `first` up to and including `last`; ages in the register are those of `last`."""

    first: int
    last: int
    years: int
    first_year: int

    @classmethod
    def of(cls, start: date, years: int) -> Window:
        """The window of some years that begins on a date."""
        day = 28 if (start.month, start.day) == (2, 29) else start.day
        end = date(start.year + years, start.month, day)
        return cls(day_number(start), day_number(end) - 1, years, start.year)
