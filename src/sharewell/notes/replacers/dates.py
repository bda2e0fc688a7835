"""Dates → the same spelling of another day: all dates of a person move by the same secret number of days.

Intervals between days stay; so does the form (03/05/2016, 5 March 2016, Mar 5th, 2016-03-05T10:00). A day and month
without a year move in the year of the nearest date before it in the note. A month with its year becomes the year; a
month alone and a holiday have nothing coarser that is not a part of the date, and are marked. Days of the week move
along. With `weekdays` the shift is a multiple of seven, unless another column of the dataset moves too, and tells it.

Whether 3/5 is March or May is decided for all notes of a person: by the majority of those dates that can only be read
one way, else the month comes first. Two digits of a year below 40 are of this century. A moved date that falls on a day
and month that the person's row holds is published as its year; what cannot be read is marked.

A stamp to the second behind a date does not move, and is nearly a number of its event: it is cut to the hour.

With `year` only years are published, not moved (Safe Harbor).

>>> moved = DateRewriter(29, frozenset())
>>> [moved.shifted(text) for text in ("03/05/2016", "5 March 2016", "Mar 5th", "2016-03-05T10:00", "May 2016")]
['04/03/2016', '3 April 2016', 'Apr 3rd', '2016-04-03T10:00', '2016']
>>> moved.shifted("2016-03-05T10:23:17.5Z")
'2016-04-03T10:00'
>>> moved.years("03/05/2016"), moved.years("3/5")
('2016', None)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sharewell.calendar_names import MONTHS, SHORT_MONTHS, WEEKDAYS
from sharewell.keys import Key
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.spans import Text
from sharewell.notes.replacers.ages import OLDEST, before_year
from sharewell.notes.replacers.date_spellings import WrittenDate, date_or_none, ordinal_suffix, read_dates

COMMON_YEAR = 2023
"""In which a day and month without any year near them move, and ages are counted where no note tells a year."""
_MIDDLE = 15
_SECONDS = re.compile(r"(?<=[Tt\s])(\d{1,2}):\d\d:\d\d(?:[.,]\d+)?(?:Z\b|[+-]\d\d:?\d\d)?")
_CALENDAR = re.compile(
    rf"(?<![a-z])(?:{'|'.join((*MONTHS, *SHORT_MONTHS, *WEEKDAYS, *(day[:3] for day in WEEKDAYS)))})"
)


@dataclass(frozen=True)
class DateRewriter:
    """How the dates of one person are published."""

    shift: int
    row_days: frozenset[tuple[int, int]]
    """(month, day) of the dates of the person's own row."""
    day_first: bool = False
    latest: int = COMMON_YEAR
    """The year in which ages are counted."""

    def shifted(self, written: str, near: int = COMMON_YEAR, birth: bool = False) -> str | None:
        """All dates in a piece of text moved; None if there is something in it that cannot be."""
        moved = self._each(written, lambda piece: self._moved(piece, near, birth))
        return None if moved is None else _SECONDS.sub(r"\1:00", moved)

    def years(self, written: str, birth: bool = False) -> str | None:
        """The years alone; None where there is none."""
        read = read_dates(Text.of(written).folded, self.day_first)
        if read is None or any(piece.year is None and piece.form != "weekday" for piece in read):
            return None
        years = dict.fromkeys(self.shown_year(piece.year, birth) for piece in read if piece.year is not None)
        return "-".join(years) or None

    def years_in(self, folded: str) -> list[int]:
        """The years that a piece of text says, in lower case."""
        return [piece.year for piece in read_dates(folded, self.day_first) or () if piece.year is not None]

    def _each(self, written: str, change: Callable[[WrittenDate], str | None]) -> str | None:
        read = read_dates(Text.of(written).folded, self.day_first)
        if read is None:
            return None
        parts: list[str] = []
        last_end = 0
        for piece in read:
            start, end = piece.match.span()
            new = change(piece)
            if new is None:
                return None
            parts += (written[last_end:start], _cased(new, written[start:end]))
            last_end = end
        return "".join((*parts, written[last_end:]))

    def shown_year(self, year: int, birth: bool) -> str:
        """A year as it is published: that of the birth of somebody over 89 is not."""
        if birth and year < self.latest - OLDEST:
            return before_year(self.latest)
        return str(year)

    def _moved(self, piece: WrittenDate, near: int, birth: bool) -> str | None:
        if piece.form == "weekday":
            return _weekday(piece, self.shift)
        if piece.form == "month" or (piece.day is None and piece.year is None):
            return None
        written_day = date_or_none(piece.year or near, piece.month or 7, piece.day or _MIDDLE)
        last = date_or_none(piece.year or near, piece.month, piece.until) if piece.until else None
        if written_day is None or (piece.until and last is None):
            return None
        try:
            new, end = written_day + timedelta(self.shift), last and last + timedelta(self.shift)
        except OverflowError:
            return None
        if piece.year is not None:
            year = self.shown_year(new.year, birth)
            if piece.day is None or year != str(new.year):
                return year
        hits = any({(day.month, day.day), (day.day, day.month)} & self.row_days for day in (new, end) if day)
        if hits:
            return str(new.year) if piece.year is not None else None
        return _written(piece, new, end)


def draw_shift(key: Key, most: int, weekdays: bool) -> int:
    """Days by which a person's dates move: uniform, never 0; whole weeks if weekdays stay."""
    if weekdays:
        return 7 * key.shift_days("notes", "weeks", max(1, most // 7))
    return key.shift_days("notes", "days", most)


def days_in_row(known: Known | None) -> frozenset[tuple[int, int]]:
    """Month and day of the dates of a person's row."""
    days = [date.fromisoformat(value) for kind, value in known.values if kind == "DATE"] if known else []
    return frozenset((day.month, day.day) for day in days)


def date_conventions(folded: Iterable[str]) -> tuple[bool, int | None]:
    """Of all dates of a person, in lower case: does the day come first, and which is the latest year."""
    votes, years = 0, []
    for written in folded:
        for piece in read_dates(written) or ():
            if piece.form in ("num", "short") and not piece.ambiguous and piece.date is not None:
                votes += 1 if int(piece.part("a")) > 12 else -1
            if piece.year is not None and (piece.day is None or piece.date is not None):
                years.append(piece.year)
    return votes > 0, max(years, default=None)


def nearest_year(years: Sequence[tuple[int, int]], place: int) -> int:
    """Of years and where they are said: the last one before a place, else the first one after."""
    if not years:
        return COMMON_YEAR
    return years[max(0, bisect_right(years, (place, 9999)) - 1)][1]


def _weekday(piece: WrittenDate, shift: int) -> str:
    written = piece.match[0].removesuffix("s") if piece.match["weekday_s"] else piece.match[0]
    stem = written.removesuffix("day")
    index = next(i for i, day in enumerate(WEEKDAYS) if day.startswith(stem[:3]))
    new = WEEKDAYS[(index + shift) % 7]
    return (new if written.endswith("day") else new[:3]) + piece.match["weekday_s"]


def _written(piece: WrittenDate, new: date, end: date | None) -> str:
    """In the form of the piece, in lower case."""
    form, of = piece.form, piece.part
    if form == "ymd":
        month, day = _wide(new.month, new.day, of("m"), of("d"))
        return f"{new.year:04d}{of('s')}{month}{of('s')}{day}"
    if form == "flat":
        return new.strftime("%Y%m%d") if piece.match["flat_y"] else new.strftime("%m%d%Y")
    if form in ("num", "short"):
        first, second = _wide(*((new.day, new.month) if piece.day_first else (new.month, new.day)), of("a"), of("b"))
        text = f"{first}{of('s')}{second}"
        return f"{text}{of('s')}{_year_like(new.year, of('y'))}" if form == "num" else text
    if form == "words":
        year = f", {new.year}" if piece.year is not None else ""
        return f"{MONTHS[new.month - 1]} {new.day}{ordinal_suffix(new.day)}{year}"
    month = _month_like(new.month, of("m"))
    if form == "ynd":
        return f"{new.year:04d}{of('s')}{month}{of('t')}{_like(new.day, of('d'))}"
    if form in ("glued", "mdy"):
        day, year = _like(new.day, of("d")), _year_like(new.year, of("y"))
        return f"{day}{month}{year}" if form == "glued" else f"{month}{of('s')}{day}{of('s')}{year}"
    year = f"{of('t')}{_year_like((end or new).year, of('y'))}" if piece.year is not None else ""
    day = _like(new.day, of("d")) + (ordinal_suffix(new.day) if of("th") else "")
    if form == "dm":
        return f"{day}{of('s')}{month}{of('dot')}{year}"
    return f"{month}{of('dot')}{of('s')}{day}{_until(piece, new, end)}{year}"


def _until(piece: WrittenDate, new: date, end: date | None) -> str:
    if end is None:
        return ""
    day = _like(end.day, piece.part("e")) + (ordinal_suffix(end.day) if piece.part("eth") else "")
    month = "" if end.month == new.month else f"{_month_like(end.month, piece.part('m'))} "
    return f"{piece.part('r')}{month}{day}"


def _like(number: int, written: str) -> str:
    """With a zero in front where there was one."""
    return f"{number:02d}" if written.startswith("0") else str(number)


def _wide(first: int, second: int, *written: str) -> tuple[str, str]:
    """Two digits each, unless one of them was written with one."""
    width = min(map(len, written))
    return f"{first:0{width}d}", f"{second:0{width}d}"


def _year_like(year: int, written: str) -> str:
    if len(written.strip("'’")) == 4:
        return f"{year:04d}"
    return f"{written[:1] if written[0] in chr(39) + '’' else ''}{year % 100:02d}"


def _month_like(month: int, written: str) -> str:
    """In full, or as three letters; May tells nothing, and is taken for the whole."""
    return MONTHS[month - 1] if written in MONTHS else SHORT_MONTHS[month - 1]


def _cased(new: str, was: str) -> str:
    """Months and days of the week in the case of the one that they stand for."""
    named = _CALENDAR.search(was.lower())
    word = was[named.start() : named.end()] if named else ""
    if not word or word[0].islower():
        return new
    return _CALENDAR.sub(lambda match: match[0].upper() if word.isupper() else match[0].capitalize(), new)
