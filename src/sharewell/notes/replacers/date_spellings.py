"""Dates as people write them: read into parts, and written again in the same form with another day.

Within a piece that a detector calls a date, `pieces` finds each date, day of the week or month by itself. What is left
between may be a time of day or a word that joins; anything else and the piece is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sharewell.calendar_names import SHORT_MONTHS
from sharewell.notes.engine.pattern_pieces import patterns

CENTURY = 40
"""Two digits below that are a year of this century."""
_SHIPPED = patterns("notes/date_forms.toml")
_FORMS: dict[str, str] = _SHIPPED.content["forms"]
_PIECES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _FORMS.items()))
_WORDS: dict[str, list[str]] = _SHIPPED.content["words"]
_ORDINALS, _NUMBERS, _TENS = _WORDS["ordinals"], _WORDS["numbers"], _WORDS["tens"]


@dataclass(frozen=True)
class WrittenDate:
    """A date in a piece of text: what it says, and the match that says how."""

    form: str
    match: re.Match[str]
    day: int | None = None
    month: int | None = None
    year: int | None = None
    until: int | None = None
    """The last day of a range within the month."""
    day_first: bool = False
    ambiguous: bool = False
    """Could day and month be the other way round?"""

    def part(self, name: str) -> str:
        """What a part of the form looked like."""
        return self.match[f"{self.form}_{name}"] or ""

    @property
    def date(self) -> date | None:
        """The day, where it is one of the calendar."""
        return date_or_none(self.year, self.month, self.day)


def date_or_none(year: int | None, month: int | None, day: int | None) -> date | None:
    try:
        return date(year or 0, month or 0, day or 0)
    except ValueError:
        return None


def read_dates(folded: str, day_first: bool = False) -> list[WrittenDate] | None:
    """The dates in a piece, in lower case; None if something in it is not understood.

    >>> [(p.form, p.year, p.month, p.day) for p in read_dates("monday 3/5/16 - march 9th")]
    [('weekday', None, None, None), ('num', 2016, 3, 5), ('md', None, 3, 9)]
    >>> read_dates("3/5/2016", day_first=True)[0].date
    datetime.date(2016, 5, 3)
    """
    dates = list(_pieces(folded, day_first))
    last_end = 0
    for end, start in ((piece.match.start(), piece.match.end()) for piece in dates):
        if not _SHIPPED["between"].fullmatch(folded, last_end, end):
            return None
        last_end = start
    return dates if dates and _SHIPPED["between"].fullmatch(folded, last_end) else None


def _pieces(folded: str, day_first: bool) -> Iterator[WrittenDate]:
    for match in _PIECES.finditer(folded):
        form = next(name for name in _FORMS if match[name])
        yield _read(form, match, day_first)


def _read(form: str, match: re.Match[str], day_first: bool) -> WrittenDate:
    def of(name: str) -> str:
        return match[f"{form}_{name}"]

    if form == "ymd":
        return WrittenDate(form, match, int(of("d")), int(of("m")), int(of("y")))
    if form in ("num", "short"):
        a, b = int(of("a")), int(of("b"))
        swapped = a > 12 or (day_first and b <= 12)
        day, month = (a, b) if swapped else (b, a)
        year = _year(of("y")) if form == "num" else None
        return WrittenDate(form, match, day, month, year, day_first=swapped, ambiguous=a <= 12 and b <= 12)
    if form == "flat":
        sort = "flat" if match["flat_y"] else "turn"
        day, month, number = (int(match[f"{sort}_{part}"]) for part in "dmy")
        return WrittenDate(form, match, day, month, number)
    if form in ("dm", "md", "mdy", "glued", "ynd"):
        until = int(match["md_e"]) if form == "md" and match["md_e"] else None
        return WrittenDate(form, match, int(of("d")), month_of(of("m")), _year(of("y")), until)
    if form == "words":
        day = ordinal(match["words_d"] or match["words_d2"])
        year = int(match["words_y"]) if match["words_y"] else spoken_year(match["words_s"] or "")
        return WrittenDate(form, match, day, month_of(match["words_m"] or match["words_m2"]), year)
    if form == "my":
        return WrittenDate(form, match, None, int(of("m")), int(of("y")))
    if form in ("mny", "spoken"):
        year = _year(of("y")) if form == "mny" else spoken_year(of("y"))
        return WrittenDate(form, match, None, month_of(match[0]), year)
    if form == "season":
        return WrittenDate(form, match, None, _SEASONS[match[0][:2]], int(of("y")))
    if form == "year":
        return WrittenDate(form, match, None, None, int(match[0]))
    return WrittenDate(form, match)


_SEASONS = {"sp": 4, "su": 7, "au": 10, "fa": 10, "wi": 1, "ch": 12}


def _year(written: str | None) -> int | None:
    """Of four digits, or of two with or without an apostrophe."""
    if not written:
        return None
    number = int(written.strip("'’"))
    return number if number > 99 else number + (2000 if number < CENTURY else 1900)


def month_of(word: str) -> int:
    return SHORT_MONTHS.index(word[:3]) + 1


def ordinal(words: str) -> int:
    """
    >>> ordinal("twenty-first"), ordinal("fifth"), ordinal("thirtieth")
    (21, 5, 30)
    """
    tens, _, ones = words.replace("-", " ").partition(" ")
    if ones:
        return 10 * (_TENS.index(tens) + 2) + _ORDINALS.index(ones) + 1
    return 30 if tens == "thirtieth" else _ORDINALS.index(tens) + 1


def spoken_year(words: str) -> int | None:
    """
    >>> [spoken_year(words) for words in ("twenty sixteen", "nineteen oh-five", "two thousand and seven", "")]
    [2016, 1905, 2007, None]
    """
    parts = words.replace("-", " ").replace(" and ", " ").replace(" oh ", " ").split()
    if not parts:
        return None
    if parts[:2] == ["two", "thousand"]:
        return 2000 + _under_hundred(parts[2:])
    return 100 * _under_hundred(parts[:1]) + _under_hundred(parts[1:])


def _under_hundred(words: list[str]) -> int:
    return sum(10 * (_TENS.index(word) + 2) if word in _TENS else _NUMBERS.index(word) for word in words)


def ordinal_suffix(day: int) -> str:
    """
    >>> [ordinal_suffix(day) for day in (1, 2, 3, 4, 11, 12, 13, 21, 22, 31)]
    ['st', 'nd', 'rd', 'th', 'th', 'th', 'th', 'st', 'nd', 'st']
    """
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
