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
from sharewell.notes.detectors.calendar_words import MONTH, ORDINAL, SPOKEN_YEAR, WEEKDAY, YEAR

CENTURY = 40
"""Two digits below that are a year of this century."""
_D, _TH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:st|nd|rd|th)?"
_SHORT_DAY = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_PIECES = re.compile(
    r"(?P<ymd>(?P<ymd_y>\d{4})(?P<ymd_s>[-/.])(?P<ymd_m>\d{1,2})(?P=ymd_s)(?P<ymd_d>\d{1,2})(?!\d))"
    rf"|(?P<ynd>(?P<ynd_y>\d{{4}})(?P<ynd_s>[-/. ]|, ?)(?P<ynd_m>{MONTH})\.?(?P<ynd_t>[-/. ])(?P<ynd_d>{_D})(?!\d))"
    r"|(?P<num>(?P<num_a>\d{1,2})(?P<num_s>\s?[-/.]\s?)(?P<num_b>\d{1,2})(?P=num_s)(?P<num_y>\d{4}|['’]?\d\d)(?!\d))"
    r"|(?P<my>(?P<my_m>\d{1,2})(?P<my_s>[-/])(?P<my_y>\d{4})(?!\d))"
    rf"|(?P<flat>(?<!\d)(?:(?P<flat_y>{YEAR})(?P<flat_m>\d\d)(?P<flat_d>\d\d)|(?P<turn_m>\d\d)(?P<turn_d>\d\d)"
    rf"(?P<turn_y>{YEAR}))(?!\d))"
    rf"|(?P<dm>(?P<dm_d>{_D})(?P<dm_th>{_TH})(?P<dm_s>(?: day)?(?: of)?[ ./,-]?)(?P<dm_m>{MONTH})\b"
    r"(?P<dm_dot>\.?)(?:(?P<dm_t>[ ,/-]{0,2})(?P<dm_y>\d{4}|['’]?\d\d)(?!\d|:))?)"
    rf"|(?P<glued>(?P<glued_d>{_D})(?P<glued_m>{MONTH})(?P<glued_y>\d{{4}}|\d\d)(?!\d))"
    rf"|(?P<mdy>(?P<mdy_m>{MONTH})(?P<mdy_s>[-/])(?P<mdy_d>{_D})(?P=mdy_s)(?P<mdy_y>\d{{4}}|\d\d)(?!\d))"
    rf"|(?P<md>(?P<md_m>{MONTH})(?P<md_dot>\.?)(?P<md_s> the | |-|/|, |)(?P<md_d>{_D})(?P<md_th>{_TH})(?!\d)"
    rf"(?:(?P<md_r>\s?(?:-|–|to|through|and|&)\s?)(?P<md_e>{_D})(?P<md_eth>{_TH})(?!\d))?"
    r"(?:(?P<md_t>,? ?(?:of )?|[-/, ]{1,2})(?P<md_y>\d{4}|['’]?\d\d)(?!\d|:))?)"
    rf"|(?P<mny>(?P<mny_m>{MONTH})\.?,?(?: of|-|/)? ?(?P<mny_y>\d{{4}}|['’]\d\d)(?!\d))"
    rf"|(?P<words>(?:(?P<words_m>{MONTH}) (?:the )?(?P<words_d>{ORDINAL})"
    rf"|(?:the )?(?P<words_d2>{ORDINAL}) of (?P<words_m2>{MONTH}))"
    rf"(?:,? (?:of )?(?:(?P<words_s>{SPOKEN_YEAR})|(?P<words_y>{YEAR})))?)"
    rf"|(?P<spoken>{MONTH} (?:of )?(?P<spoken_y>{SPOKEN_YEAR}))"
    rf"|(?P<season>(?:spring|summer|autumn|fall|winter|christmas)(?: of)?,? (?P<season_y>{YEAR}))"
    rf"|(?P<weekday>(?:{WEEKDAY}|{_SHORT_DAY})(?P<weekday_s>s?)\b)"
    r"|(?P<short>(?P<short_a>\d{1,2})(?P<short_s>[-/])(?P<short_b>\d{1,2})(?!\d))"
    rf"|(?P<month>{MONTH}\b\.?)"
    rf"|(?P<year>(?<!\d){YEAR}(?!\d))"
)
_BETWEEN = re.compile(
    r"(?:[\W_]|\b(?:to|through|thru|until|till|and|or|at|of|the|on|from|between)\b"
    r"|[t ]?\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?\b)*"
)
_ORDINALS = re.findall(
    r"\w+",
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth",
)
_NUMBERS = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen",
)
_TENS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")


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
        if not _BETWEEN.fullmatch(folded, last_end, end):
            return None
        last_end = start
    return dates if dates and _BETWEEN.fullmatch(folded, last_end) else None


def _pieces(folded: str, day_first: bool) -> Iterator[WrittenDate]:
    for match in _PIECES.finditer(folded):
        form = next(name for name in _FORMS if match[name])
        yield _read(form, match, day_first)


_FORMS = ("ymd", "ynd", "num", "my", "flat", "dm", "glued", "mdy", "md", "mny", "words", "spoken", "season", "weekday",
          "short", "month", "year")  # fmt: skip


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
