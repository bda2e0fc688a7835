"""Dates: day → month → year → spans of years.

>>> Dates().chain("2016-02-29")
('2016-02-29', '2016-02', '2016', '2015-2019', '2010-2019', '*')
>>> Dates(spans=[25, 100]).chain("1987")
('1987', '1975-1999', '1900-1999', '*')
>>> Dates().chain("2016-02-29T08:30")[:3]
('2016-02-29T08:30', '2016-02-29', '2016-02')

ISO 8601 dates from year 1 to 9999 in the Gregorian calendar. A date without day or month enters at its own level; an
instant (`2016-02-29T08:30`) first loses its time of day. Anything else is a gap.

Leaves are days: `2016-02` has 29, `2016` has 366. The root reaches from the first to the last of the widest spans that
the column needs. Times of day are not counted: to drop them costs nothing in this measure.
"""

from __future__ import annotations

import re
from calendar import isleap, monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime
from functools import cache, cached_property
from typing import ClassVar

from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap
from sharewell.hierarchy.levels import ChainHierarchy

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](.+))?)?)?", re.ASCII)
_SPAN = re.compile(r"(\d{4})-(\d{4})", re.ASCII)


@dataclass(frozen=True)
class Dates(ChainHierarchy):
    """ISO dates → months → years → `spans` of years, each a multiple of the one before."""

    spans: Sequence[int] = (5, 10)
    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "date"
    hint: ClassVar[str] = "write dates as YYYY-MM-DD, YYYY-MM or YYYY, or set on_gap: root"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "spans", tuple(self.spans))
        for shorter, longer in zip((1, *self.spans), self.spans, strict=False):
            if not isinstance(longer, int) or longer <= shorter or longer % shorter:
                raise PolicyError("date — each span must be a multiple of the one before, in whole years above 1")

    def leaf_counts(self, chains: Sequence[Chain], missing: Sequence[str]) -> Callable[[str], int]:
        """Leaves are days."""
        outside = set(missing)
        widest = {chain[-2] for chain in chains if len(chain) > 1} - outside
        runs = [run for label in widest if (run := _days(label))]
        domain = max(last for _, last in runs) - min(first for first, _ in runs) + 1 if runs else 0

        def leaves(label: str) -> int:
            if label == ROOT:
                return domain
            run = _days(label) if label not in outside else None
            return run[1] - run[0] + 1 if run else 0

        return leaves

    def path(self, text: str) -> Chain | None:
        if span := _SPAN.fullmatch(text):  # a value that is one of our own spans enters there
            spans = (*self._spans(int(span[1])), ROOT) if int(span[1]) >= MINYEAR else ()
            return spans[spans.index(text) :] if text in spans else None
        match = _DATE.fullmatch(text)
        if not match:
            return None
        year, month, day, time = match.groups()
        if year == "0000" or (time and not _is_instant(text)):
            return None
        above = self._years.get(year) or self._years.setdefault(year, (year, *self._spans(int(year)), ROOT))
        if not month:
            return above
        days = _days_in(int(year), int(month))
        if not days or (day and not 0 < int(day) <= days):
            return None
        above = (text[:7], *above)
        return (*([text] if time else []), text[:10], *above) if day else above

    @cached_property
    def _years(self) -> dict[str, Chain]:
        """The chains of years, filled as years come."""
        return {}

    def _spans(self, year: int) -> list[str]:
        firsts = [(year - year % span, span) for span in self.spans]
        # There is no year 0 and no year 10000 to speak of: the outermost spans end where the calendar does.
        return [f"{max(first, MINYEAR):04}-{min(first + span - 1, MAXYEAR):04}" for first, span in firsts]


@cache
def _days_in(year: int, month: int) -> int:
    """How many days a month has; 0 if there is no such month."""
    return monthrange(year, month)[1] if 0 < month <= 12 else 0


def _is_instant(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _days(label: str) -> tuple[int, int] | None:
    """The first and last day that a label covers, as day numbers."""
    if span := _SPAN.fullmatch(label):
        return date(int(span[1]), 1, 1).toordinal(), date(int(span[2]), 12, 31).toordinal()
    match = _DATE.fullmatch(label)
    if not match:
        return None
    year, month, day = match.groups()[:3]
    first = date(int(year), int(month or 1), int(day or 1)).toordinal()
    days = 1 if day else _days_in(int(year), int(month)) if month else 365 + isleap(int(year))
    return first, first + days - 1
