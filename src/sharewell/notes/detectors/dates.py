"""Dates finer than a year: numbers, names of months, dictated words, days of the week, holidays.

A year alone is no finding. Numbers are dates only if they can be: 120/80, 5/5, T12-L1 and 1.2.10 are not. A month
without a day counts where words about time stand before it; a day and month in numbers (3/5) need such words too, for
they are scales and ratios as often. "May", "march" and "dec" are also words: they need a number, or a capital and
words about time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.calendar_words import (
    CLOCK,
    MONTH,
    ORDINAL,
    SPOKEN_YEAR,
    WEEKDAY,
    WHOLE_MONTH,
    YEAR,
)
from sharewell.notes.listed import listed
from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TH = r"(?:st|nd|rd|th)?"
_NUMBERS = re.compile(
    rf"(?<![\d/.-])(?:(?P<iso>{YEAR})(?P<s>[-/.])(?P<im>\d{{1,2}})(?P=s)(?P<id>\d{{1,2}})"
    rf"|(?P<a>\d{{1,2}})(?P<t>[-/.]|\s?/\s?)(?P<b>\d{{1,2}})(?P=t)(?P<y>{YEAR}|['’]?\d\d)"
    rf"|(?P<m>0?[1-9]|1[0-2])[-/]{YEAR})(?![\d/]|[.-]\d)(?P<clock>{CLOCK})?"
)
_CLUSTER = re.compile(r"\d[\d /.’'-]{4,}")
"""Where a date can be: the long pattern is tried nowhere else."""
_COMPACT = re.compile(
    rf"(?<![\w/.-])(?:{YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d"
    rf"|3[01]){YEAR})(?![\w/-]|\.\d)"
)
_UNIT = r"(?!\s?(?:mg|mcg|ml|cc|g|kg|units?|iu|meq|%|tab|mm|cm|times|doses?|days?|weeks?|hours?|minutes?|steps?)\b)"
_NAMED = re.compile(
    rf"(?<![a-z\d])(?:"
    rf"(?P<dm>{_DAY}{_TH}(?: day)?(?: of)?[ ./,-]?{MONTH}\b\.?(?:[ ,/-]{{0,2}}(?:{YEAR}|['’]?\d\d)"
    rf"(?!\d|[./:]\d|\s?%))?)"
    rf"|(?P<md>{MONTH}\.?(?: |-|/|, | the )?{_DAY}{_TH}\b(?!\d|[./:]\d|\s?%){_UNIT}"
    rf"(?:\s?(?:-|–|to|through"
    rf"|and|&)\s?{_DAY}{_TH}\b(?![./:]\d))?(?:,? ?(?:of )?(?:{YEAR}|['’]\d\d)"
    rf"(?!\d)|[-/, ]{{1,2}}\d\d(?![\d:./%-]|\s?[a-z%]))?)"
    rf"|(?P<my>{MONTH}\.?,?(?: of|-|/)? ?(?:{YEAR}(?!\d)|['’]\d\d(?!\d)))"
    rf"|(?P<words>{MONTH} (?:the )?{ORDINAL}(?:,? (?:of )?(?:{SPOKEN_YEAR}|{YEAR}))?"
    rf"|(?:the )?{ORDINAL} of {MONTH}(?:,? (?:{SPOKEN_YEAR}|{YEAR}))?|{WHOLE_MONTH} (?:of )?{SPOKEN_YEAR})"
    rf")(?![a-z\d])(?P<clock>{CLOCK})?"
)
_DAYS = re.compile(
    rf"\b(?:(?:{WEEKDAY}|(?:mon|tue|tues|wed|thu|thur|thurs|fri)(?=[ ,.]{{1,2}}\d))s?(?=\W|$)"
    r"|christmas(?: (?:eve|day))?|thanksgiving|halloween|easter|new year['’]?s(?: (?:eve|day))?|labor day|memorial day"
    r"|(?:4th|fourth) of july|valentine['’]?s day|(?:mother|father)['’]?s day|independence day|st\.? patrick['’]?s day"
    rf"|(?:spring|summer|autumn|fall|winter|christmas)(?: of)?,? {YEAR})\b"
)
_ALONE = re.compile(rf"\b(?:{WHOLE_MONTH}|(?:jan|feb|apr|aug|sept?|oct|nov)(?=\W))")
_TIME_WORDS = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|to|through|during|of|before|after|around|about|early|late|mid|last|next|this|"
    r"every|each|and|between|for|on|approx|circa|month|dated?|started|end|beginning|~|past|as of|a|an|rtc|f/u"
    r"|due)|\b(?:early|mid|late)-|[-–:]|"
    rf"{WHOLE_MONTH}(?: or|/|,)?)[ \t]*$"
)
_WORDLIKE = {"may", "march"}
_SHORT = re.compile(
    r"(?<![\w/.-])(?P<a>\d{1,2})(?P<s>[/-])(?P<b>\d{1,2})(?![\w/%]|[.-]\d)(?!\s?(?:mg|strength|pain|systolic"
    r"|murmur|points?|bilat))"
)
_SHORT_BEFORE = re.compile(
    r"\b(?:on|since|until|till|by|dated?|from|through|thru|made|file|note of|tc|comparison|before|after|due"
    r"|starting|started|started on|seen|adm|admitted|"
    r"admit|dc|d/c|discharged?|exam|visit|f/u|follow-?up|appt|appointment|scheduled|last|week of|as of|between|"
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|dos|note|on or about|effective|ct|mri|labs?|cxr|surgery|procedure"
    r"|drawn|given|"
    r"echo|egd|x-ray|xray|us|ultrasound|lmp|edd|filled|refill(?:ed)?|expires?|exp|called|back)(?: (?:of|on|from"
    r"|is|was))?[ :.,(~-]*$"
)
_SHORT_NOT = re.compile(
    r"\b(?:strength|pain|power|reflexes|pulses|score|scale|grade|bp|motor|rated?|rating|gcs|apgars?)\b[^.\n]{0,14}$"
)
_SURE = re.compile(
    r"\b(?:on|since|dated?|until|week of|day|dos|(?:ct|mri|cxr|us|egd|echo)(?: of| from| on)?|admitted|adm"
    r"|discharged|note of|made|post from|on file|from|visit|tc"
    r"|trans: \w+|seen|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)[ :,]*$"
)
_COUNTED = re.compile(
    r"[ -]*(?:days?|weeks?|wks?|hours?|hrs?|months?|years?|yrs?|times|x\b|pills|tabs|mg|ml|units|to \d|-)"
)
_CLOCK_AFTER = re.compile(
    r" (?:at )?(?:[01]?\d|2[0-3])(?:[:.][0-5]\d(?!\d)|[0-5]\d(?!\d)(?= *(?:hrs?|h\b|[:,]| via| [a-z]|$)))"
)
_SCALES = {(5, 5), (4, 5), (3, 5), (2, 5), (1, 5), (2, 4), (3, 4), (1, 4), (1, 2), (1, 3), (2, 3), (1, 1), (2, 2)}


_BEGINNINGS = listed("jan feb mar apr may jun jul aug sep oct nov dec")
_DAY_WORDS = frozenset(
    f"{day}{s}"
    for day in listed("monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri")
    for s in ("", "s")
) | listed(
    """
    christmas thanksgiving halloween easter year labor memorial july valentine valentines mother mothers father
    fathers independence patrick patricks spring summer autumn fall winter
    """
)


class Dates:
    """Finds dates."""

    name: ClassVar[str] = "dates"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = list(_numbers(low))
        months = any(word.lstrip("0123456789")[:3] in _BEGINNINGS for word in text.words)
        if months:
            found += _named(text, low)
        if not text.words.isdisjoint(_DAY_WORDS):
            found += _days(text, low)
        taken = {place for span in found for place in range(span.start, span.end)}
        later = [*_short(low), *(_alone(text, low) if months else ())]
        return [*found, *(span for span in later if span.start not in taken)]


def _numbers(low: str) -> Iterator[Span]:
    near = (
        match for place in _CLUSTER.finditer(low) for match in _NUMBERS.finditer(low, place.start(), place.end() + 18)
    )
    for match in near:
        glued = match.start() > 0 and low[match.start() - 1].isalpha()
        if glued and not re.search(r"\d{4}", match[0]):  # L4/5/10; but DOB01/02/1933
            continue
        if match["iso"]:
            possible = _can_be(int(match["im"]), int(match["id"]))
        elif match["m"]:
            possible = True
        else:
            possible = _can_be(int(match["a"]), int(match["b"])) or _can_be(int(match["b"]), int(match["a"]))
            if match["t"] == "." and len(match["y"]) < 4:  # 1.2.10 is a version or a section
                possible = possible and len(match["a"]) == len(match["b"]) == 2
        if possible:
            yield Span(*match.span(), "DATE", 0.95, "date in numbers")
    for match in _COMPACT.finditer(low):
        yield Span(*match.span(), "DATE", 0.7, "eight digits that are a date")


def _named(text: Text, low: str) -> Iterator[Span]:
    for match in _NAMED.finditer(low):
        if match["md"] and low.startswith(("may", "mar", "dec", "sep", "jun", "oct"), match.start()):
            word = re.match("[a-z]+", low[match.start() :])
            if word and word[0] in ("may", "march", "mar", "dec") and not _is_date(text, match):
                continue
        yield Span(*match.span(), "DATE", 0.9, "date with a month's name")


def _is_date(text: Text, match: re.Match[str]) -> bool:
    """May 5, dec 10: a capital, a year or an ordinal tells the date from the verb and the abbreviation."""
    said = text[match.start() : match.end()]
    return said[0].isupper() or bool(re.search(r"\d(?:st|nd|rd|th)|\d{4}", said))


def _days(text: Text, low: str) -> Iterator[Span]:
    for match in _DAYS.finditer(low):
        if match[0] == "easter" and not text[match.start()].isupper():
            continue
        yield Span(*match.span(), "DATE", 0.6, "day of the week or holiday")


def _alone(text: Text, low: str) -> Iterator[Span]:
    """A month without a day, after words about time."""
    for match in _ALONE.finditer(low):
        if not (match.end() < len(low) and low[match.end()].isalpha()):
            capital = text[match.start()].isupper()
            before = _TIME_WORDS.search(low, max(0, match.start() - 24), match.start())
            wordlike = match[0] in _WORDLIKE and not (capital and before) and not _surely(low, match)
            if (before or capital or match[0] in _WORDLIKE) and not wordlike:
                yield Span(*match.span(), "DATE", 0.6, "month")


def _surely(low: str, match: re.Match[str]) -> bool:
    """ "since may." and "in march," are months in lower case too."""
    said = low[max(0, match.start() - 12) : match.start()]
    return (
        bool(re.search(r"\b(?:since|in|until|last|next|by|rtc|f/u|of) $", said))
        and low[match.end() : match.end() + 1] in ".,;)\n"
    )


def _short(low: str) -> Iterator[Span]:
    """3/5 and 3-5 after words about time, if no scale is meant."""
    for match in _SHORT.finditer(low):
        month, day = int(match["a"]), int(match["b"])
        window = low[max(0, match.start() - 30) : match.start()]
        timed = _CLOCK_AFTER.match(low, match.end())
        if timed and _can_be(month, day) and not _SHORT_NOT.search(window):
            yield Span(*match.span(), "DATE", 0.7, "day and month before a time")
        elif _can_be(month, day) and _SHORT_BEFORE.search(window) and not _SHORT_NOT.search(window):
            if (match["s"] == "-" or (month, day) in _SCALES) and not _SURE.search(window):
                continue
            if _COUNTED.match(low, match.end()):
                continue
            yield Span(*match.span(), "DATE", 0.7, "day and month after words about time")


def _can_be(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31
