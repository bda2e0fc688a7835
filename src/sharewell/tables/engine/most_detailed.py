"""The most detailed value that two values, and all between them in their order, have in common.

| column | two values | share |
|---|---|---|
| dates | 2019-03-04, 2019-03-31 | their month, `2019-03-*` |
| dates | 2019-03-04, 2019-11-02 | their year, `2019-*` |
| dates | 2019-03-04, 2021-01-05 | the years, `[2019-01-01..2021-12-31]` |
| codes (each value has a digit) | 02139, 02134 | how they begin, `0213*` |
| numbers | 23, 25 | their range, `[23-25]` |
| other categories | F, M | nothing: `*` |

Values are sorted, so that what the first and the last of a class share is shared by all of them.

>>> of_dates("2019-03-04", "2019-03-31").text, of_dates("2019-12-31", "2020-01-01").text
('2019-03-*', '[2019-01-01..2020-12-31]')
>>> of_codes("02134", "02139").text, of_codes("10001", "02139").text, days_in("2020-02-")
('0213*', '*', (737456, 737484))
"""

from __future__ import annotations

import bisect
import calendar
import datetime
import re
from collections.abc import Sequence
from itertools import takewhile

from sharewell.cells import Any, Cell, Interval, Prefix

_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})-")
_YEAR = re.compile(r"([0-9]{4})-")


def of_dates(first: str, last: str) -> Cell:
    """What two ISO dates have in common: the month, the year, or the years."""
    for length in (len("2019-03-"), len("2019-")):
        if first[:length] == last[:length]:
            return Prefix(first[:length])
    return Interval(f"{first[:4]}-01-01", f"{last[:4]}-12-31")


def of_codes(first: str, last: str) -> Cell:
    """The longest common beginning of two codes."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return Prefix(first[:shared]) if shared else Any()


def are_codes(values: Sequence[str]) -> bool:
    """Has every value a digit? Words that begin alike need not mean anything alike."""
    return all(any(letter.isdigit() for letter in value) for value in values)


def days_in(start: str) -> tuple[int, int] | None:
    """The first and last day number of a month or year that is written as the beginning of an ISO date."""
    if (month := _MONTH.fullmatch(start)) and 1 <= int(month[2]) <= 12 and int(month[1]):
        first = datetime.date(int(month[1]), int(month[2]), 1)
        return first.toordinal(), first.toordinal() + calendar.monthrange(first.year, first.month)[1] - 1
    if (year := _YEAR.fullmatch(start)) and int(year[1]):
        return datetime.date(int(year[1]), 1, 1).toordinal(), datetime.date(int(year[1]), 12, 31).toordinal()
    return None


def beginning_with(ordered: Sequence[str], start: str) -> range:
    """The places of sorted texts that begin like this. O(log n)"""
    first = bisect.bisect_left(ordered, start)
    return range(first, bisect.bisect_left(ordered, True, lo=first, key=lambda text: not text.startswith(start)))
