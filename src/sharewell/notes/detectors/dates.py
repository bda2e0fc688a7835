"""Dates finer than a year: numbers, names of months, dictated words, days of the week, holidays.

A year alone is no finding. Numbers are dates only if they can be: 120/80, 5/5, T12-L1 and 1.2.10 are not. A month
without a day counts where words about time stand before it; a day and month in numbers (3/5) need such words too, for
they are scales and ratios as often. "May", "march" and "dec" are also words: they need a number, or a capital and
words about time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.calendar_names import MONTH_WORDS
from sharewell.notes.detectors.broken_dates import broken
from sharewell.notes.detectors.calendar_words import (
    ABROAD,
    ABROAD_WORDS,
    ANY_YEAR,
    CLOCK,
    FAR_YEAR,
    FESTIVE_THINGS,
    HOLIDAY,
    HOLIDAY_WORDS,
    MONTH,
    ORDINAL,
    SHORT_ABROAD,
    SPOKEN_YEAR,
    WEEKDAY_ABROAD,
    WHOLE_MONTH,
    YEAR,
)
from sharewell.notes.detectors.partial_dates import can_be, partial
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TH = r"(?:st|nd|rd|th|er|º)?"
_LEFT_OUT = r"[?x_*-]{1,2}"
_NUMBERS = re.compile(
    rf"(?<![\d/.-])(?:(?P<iso>1[89]\d\d|2[01]\d\d)(?P<s>[-/.])(?P<im>\d{{1,2}})(?P=s)(?P<id>\d{{1,2}})"
    rf"|(?P<a>\d{{1,2}})(?P<t>[-/.]|\s?/\s?|\. )(?P<b>\d{{1,2}})(?P=t)(?P<y>{FAR_YEAR}|['’]?\d\d)"
    rf"|(?P<ba>\d{{1,2}}) - \d{{1,2}} - {FAR_YEAR}"
    rf"|(?P<m>(?:0?[1-9]|1[0-2])[-/]|(?:0[1-9]|1[0-2])\.){YEAR}|(?P<ym>{YEAR})[-/](?P<mm>0[1-9]|1[0-2]))(?![\d/]|[.-]\d)(?P<clock>{CLOCK})?"
)
_FROM_TO = re.compile(
    rf"(?<![\d/.-])(?P<one>(?P<a>\d{{1,2}})(?P<s>[/.])(?P<b>\d{{1,2}})(?:(?P=s)(?P<y>{FAR_YEAR}|\d\d))?) ?[-–] ?"
    rf"(?P<two>(?P<c>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?:(?P=s)(?P<z>{FAR_YEAR}|\d\d))?)(?![\d/]|[.-]\d)"
)
"""A spell, of which one end has a year at least: 11/27/23-1/25/24, 3/4-3/9/21."""
_UNKNOWN = re.compile(
    rf"(?<![\w/.-])(?:(?:{_LEFT_OUT}|\d\d?)/(?:{_LEFT_OUT}|00|\d\d?)/(?:{ANY_YEAR}|\d\d)|00/00/\d\d(?:\d\d)?)(?![\w/])"
)
"""Dates with a part left out: ??/03/1961, xx/xx/2020, 00/00/1979."""
_DOTTED_BEFORE = re.compile(
    r"(?:[\n(|;]|\b(?:dob|d\.o\.b|born|b|on|dated?|since|next|seen|from|until|till|to|of|reviewed|admitted|adm|dc|appt"
    r"|worked|day|visit|exam|signed|printed|received|collected|le|am|vom|del|il|den|d))"
    r"[ .:=]*$"
)
_VERSION = re.compile(r"(?:\bv|version|release|firmware|software|build|section|§|chapter|table|figure|fig)[ .:]*$")
_BORN = re.compile(
    r"(?:\b(?:born|dob|d\.o\.b|f|b|geb|né|née|nr|nato|nata|nac|ur|coll|rcv|rcvd|recd|dos|dated?|exp|drawn)\.?[ :(]*)$"
)
_SPACED = re.compile(
    rf"\b(?:dob|d\.o\.b\.?|born|birth(?: ?date|day)?|geb|d\.d|dated?)[ .:(]{{1,3}}(?P<date>{_DAY} {_DAY} (?:{YEAR}"
    rf"|\d\d)|{YEAR} \d\d \d\d)(?![\w.,/-])"
)
_IDEOGRAPHIC = re.compile(
    r"(?:(?:\d{2,4}|(?:昭和|平成|令和)\s?(?:\d{1,2}|元))\s?[年년]\s?)?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日号일])?"
)
_ROMAN = listed("i ii iii iv v vi vii viii ix x xi xii")
_COMPACT = re.compile(
    rf"(?<![\w/.-])(?:{YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d"
    rf"|3[01]){YEAR})(?:t\d{{6}}z?)?(?![\w/-]|\.\d)"
)
_STAMP = re.compile(
    r"(?<![\w/.-])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d"
    r"|2[0-3])[0-5]\d(?:[0-5]\d(?:\.\d{1,6})?)?"
    r"(?:[+-]\d{4})?(?!\w)"
)
"""The time stamp of a machine: year, month, day, hour, minute in a row."""
_UNIT = r"(?!\s?(?:mg|mcg|ml|cc|g|kg|units?|iu|meq|%|tab|mm|cm|times|doses?|days?|weeks?|hours?|minutes?|steps?)\b)"
_LISTED = rf"{_DAY}{_TH}(?:, ?{_DAY}{_TH}){{0,4}},? ?(?:-|–|to|and|or|&|/|bis|au|al|y|et) ?"
_NAMED = re.compile(
    rf"(?<![a-z\d#])(?<!\d\.)(?:"
    rf"(?P<dm>(?:the )?(?:{_LISTED})?{_DAY}{_TH}(?: day)?(?: of| de)?(?:[ ./,-]|\. )?(?:{MONTH}"
    rf"|(?:{ABROAD}))(?![^\W\d_])\.?"
    rf"(?:(?:[ ,/-]{{0,2}}| de | del )(?:{ANY_YEAR}|['’]?\d\d)(?!\d|[./:]\d|\s?%))?)"
    rf"|(?P<md>{MONTH}\.?(?: |-|/|, | the )?{_DAY}{_TH}\b(?!\d|[.:]\d|/\d{{1,2}}(?!\d)|\s?%){_UNIT}"
    rf"(?:\s?(?:-|–|to|through"
    rf"|and|&|or|,)\s?{_DAY}{_TH}\b(?![./:]\d)(?!\s?%| (?:of )?{MONTH}){_UNIT}){{0,3}}(?:(?:,? ?(?:of )?"
    rf"|[-/.])(?:{YEAR}|['’]\d\d)"
    rf"(?!\d)|[-/, ]{{1,2}}\d\d(?![\d:./%-]|\s?[a-z%]))?)"
    rf"|(?P<ymd>{YEAR}[-/ .]{MONTH}[-/ .]{_DAY}{_TH}\b(?![./:]\d))"
    rf"|(?P<short>{_DAY}[ .-]{{1,2}}(?:{SHORT_ABROAD})[ .-]{{1,2}}{YEAR}"
    rf"|{_DAY}(?P<r>[./-])(?:x?i{{1,3}}|i?[vx]|v?i{{1,3}}|xi{{0,2}})(?P=r)"
    rf"(?:{YEAR}|\d\d)|{_DAY} (?:x?i{{1,3}}|i?[vx]|v?i{{1,3}}|xi{{0,2}}) {YEAR}|(?:showa|heisei"
    rf"|reiwa) \d{{1,2}}(?:,? {MONTH} {_DAY})?)"
    rf"|(?P<my>(?:(?:early|mid|late|end)[ -])?{MONTH}\.?,?(?: of|-|/)? ?(?:{YEAR}(?!\d)|['’]\d\d(?!\d)))"
    rf"|(?P<words>{MONTH} (?:the )?{ORDINAL}(?:,? (?:of )?(?:{SPOKEN_YEAR}|{YEAR}))?"
    rf"|(?:the )?{ORDINAL} (?:day )?of {MONTH}(?:,? (?:{SPOKEN_YEAR}|{YEAR}))?|{WHOLE_MONTH} (?:of )?{SPOKEN_YEAR}"
    rf"|{ORDINAL} {WHOLE_MONTH}(?! ?\d))"
    rf"|(?P<abroad>(?:(?<=\bim )|(?<=\ben )|(?<=\bem )|(?<=\bau )|(?<=\bsince )|(?<=\buntil )|(?<=\bdesde ))"
    rf"(?:{ABROAD})(?![^\W\d_])(?: {YEAR}(?!\d))?)"
    rf")(?![a-z\d])(?P<clock>{CLOCK})?"
)
_DAYS = re.compile(
    rf"\b(?:(?:{HOLIDAY}){FESTIVE_THINGS}(?:,? (?:of |in )?(?:{YEAR}|['’]\d\d))?"
    rf"|(?:spring|summer|autumn|fall|winter|christmas)(?: of)?,? (?:{YEAR}|['’]\d\d(?!\d))"
    rf"|q[1-4](?:[ /-]|,? of )(?:{YEAR}|['’]\d\d))(?!\w)"
)
_ALONE = re.compile(rf"\b(?:{WHOLE_MONTH}|(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?![^\W\d_]))")
_TIME_WORDS = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|to|through|during|of|before|after|around|about|early|late|mid|last|next|this|"
    r"every|each|and|between|for|on|approx|circa|month|dated?|started|end|beginning|~|past|as of|a|an|rtc|f/u"
    r"|due|back|clinic|follow[- ]up|appt|or|ending|prior|previous|expected|planned|scheduled|booked|review|seen"
    r"|repeat|again|come|moving|stopped|began|ended|visits?|w/c|wef|exp|expires|est|poss|probably|likely)|\b(?:early|mid|late)-|[-–:]|"
    rf"{MONTH}(?: or|/|,)?)[ \t]*$|[~≈]$"
)
_PART = re.compile(r"\b(?:early|mid|late)[ -]$")
_WORDLIKE = {"may", "march"}
_NAMELIKE = {"april", "june", "august", "jan", "jun", "jul", "dec", "apr", "aug", "sep", "oct"}
_SYLLABLE = re.compile(r"[-‐‑]([a-z]{2,6})(?![\w-])")
_NO_MONTH = re.compile(
    r"[ -]?(?:scans?|macula\w*|rnfl|angio\w*|images?|imaging|shows?|showed|done|findings|thickness)\b"
)


_DAY_BEFORE = re.compile(rf"(?<![^\W\d_])(?:{WEEKDAY_ABROAD}),? (?:el |den |le |de )?$")
_OWN_DAY = re.compile(r"(?P<of>[A-ZÀ-Þ][\w’']+(?: [A-ZÀ-Þ][\w’']+)?) Day\b(?! ?(?:#|\d|of\b|[A-Z]|[:–-]))")
_NO_OWN_DAY = listed(
    """
    hospital hosp post postop op operative pod cycle treatment visit study each every per same one next this that the
    bad good great nice happy full half rest work snow field sports school sick hot cold big last first second third
    ninth admission discharge procedure surgery clinic open drug dose infusion dialysis chemo any some life all today
    adult medical weekly care end pay leave icu ward late early
    """
)
"""A day that counts a stay, or any day: no feast. Others with two capitals are feasts of some country."""
_REACH = 40
"""A date ends and begins no further from the name of its month."""
_AS_WORD = re.compile(r"(?:may|march|mar|dec)(?![a-z])")
_AFTER_DAY = re.compile(
    r"(?:\d(?:st|nd|rd|th|er|º)?[ ./,-]{0,2}(?:de )?|\b(?:im|en|em|au|since|until|till|last|next|desde|depuis|seit) "
    r"|rabi[ -](?:al|ul|us)[ -])$"
)
_ENGLISH = MONTH_WORDS | listed("showa heisei reiwa")
_MONTHS = _ENGLISH | ABROAD_WORDS | frozenset(SHORT_ABROAD.split("|"))
_HEADS = frozenset(
    word[:3]
    for word in _MONTHS
    | listed(
        """
        the early mid late end first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
        thirteenth fourteenth nineteenth twentieth twenty thirtieth thirty
        """
    )
)
"""What a date with a month's name begins with, if it is no number."""
_WEEKDAYS = listed(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun
    """
)
_TO_DATE = re.compile(r"[ ,.]{1,2}(?:the )?")
"""What stands between a day of the week and its date."""
_DAY_WORDS = HOLIDAY_WORDS | listed("spring summer autumn fall winter q1 q2 q3 q4")
_DAY_WORD = frozenset(["day"])
_DOUBTFUL = listed(
    "tet tết easter noel rakhi silvester milad ramadan holi eid ostern natal pasen nye obon losar genna bayram"
)
"""Feasts that are also names and words: they need a capital."""


class Dates:
    """Finds dates."""

    name: ClassVar[str] = "dates"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = list(_numbers(text, low))
        places = _months(text, low)
        if places:
            found += _named(text, low, places)
        if not text.words.isdisjoint(_DAY_WORDS):
            found += _days(text, low)
        found += broken(text, low)
        taken = {place for span in found for place in range(span.start, span.end)}
        later = [*partial(text, low, taken), *(_alone(text, low) if places else ())]
        found += (span for span in later if span.start not in taken)
        return [*found, *_weekdays(text, low, {span.start for span in found})]


def _numbers(text: Text, low: str) -> Iterator[Span]:
    for match in _in_numbers(text, low):
        glued = match.start() > 0 and low[match.start() - 1].isalpha()
        if glued and not re.search(r"\d{4}", match[0]):  # L4/5/10; but DOB01/02/1933
            continue
        if _possible(text, match):
            yield Span(*match.span(), "DATE", 0.95, "date in numbers")
    if "-" in low or "–" in low:
        yield from _from_to(text, low)
    if "月" in low or "월" in low:
        for match in _IDEOGRAPHIC.finditer(low):
            yield Span(*match.span(), "DATE", 0.95, "date in numbers")
    if any(sign in low for sign in ("?/", "x/", "00/", "_/", "*/", "-/")):
        for match in _UNKNOWN.finditer(low):
            if not match[0].replace("/", "").isdigit() or "00/" in match[0]:
                yield Span(*match.span(), "DATE", 0.9, "date with a part left out")
    for start, end in text.digits:
        if end - start == 8 and (flat := _COMPACT.match(low, start)):
            yield Span(start, flat.end(), "DATE", 0.7, "eight digits that are a date")
        elif end - start in (12, 14) and (flat := _STAMP.match(low, start)):
            yield Span(start, flat.end(), "DATE", 0.7, "time stamp")
        elif end - start == 6 and _BORN.search(low, max(0, start - 10), start):
            yield Span(start, end, "DATE", 0.8, "six digits after born")
    for match in text.cued(_SPACED, _BIRTH):
        yield Span(*match.span("date"), "DATE", 0.9, "date in numbers")


def _from_to(text: Text, low: str) -> Iterator[Span]:
    """Both ends of a spell that a dash joins."""
    past = 0
    for start, end in text.digits:
        if start >= past and end - start < 3 and low[end : end + 1] in "/." and (match := _FROM_TO.match(low, start)):
            past = match.end()
            ends = ((match["a"], match["b"]), (match["c"], match["d"]))
            if all(can_be(int(one), int(other)) or can_be(int(other), int(one)) for one, other in ends) and (
                (match["y"] and match["z"]) or (match["s"] == "/" and (match["y"] or match["z"]))
            ):
                for part in ("one", "two"):
                    yield Span(*match.span(part), "DATE", 0.93, "spell in numbers")


def _in_numbers(text: Text, low: str) -> Iterator[re.Match[str]]:
    """Matches of the long pattern: tried at numbers that another may follow, and nowhere else."""
    past = 0
    for start, end in text.digits:
        sign = low[end : end + 1]
        if start < past or not (sign in _JOINTS or (sign.isspace() and low[end + 1 : end + 2] in ("/", "-"))):
            continue
        if end - start in (1, 2, 4) and (match := _NUMBERS.match(low, start)):
            past = match.end()
            yield match


_JOINTS = frozenset("-/.")
_ROMAN_JOINTS = frozenset("-/. ")
_BIRTH = listed("dob born birth birthdate birthday geb date dated")


def _possible(text: Text, match: re.Match[str]) -> bool:
    """A day and a month, and no version, section or range of years."""
    if match["iso"]:
        return can_be(int(match["im"]), int(match["id"]))
    if match["m"] or match["ba"]:
        return True
    if match["ym"]:  # 2019-05 is no range of years, 2010-12 may be one
        return int(match["mm"]) < int(match["ym"]) % 100 or bool(
            re.search(
                r"\b(?:exp\w*|date|since|from|due|by|before)[ .:]*$",
                text[max(0, match.start() - 12) : match.start()].lower(),
            )
        )
    a, b, gap = int(match["a"]), int(match["b"]), match["t"]
    possible = can_be(a, b) or can_be(b, a)
    if gap in (".", ". ") and len(match["y"]) < 4:  # 1.2.10 is a version or a section
        before = text[max(0, match.start() - 16) : match.start()].lower()
        told = match.start() == 0 or bool(_DOTTED_BEFORE.search(before))
        return possible and not _VERSION.search(before) and (told or gap == ".")
    return possible


def _months(text: Text, low: str) -> list[int]:
    """Where names of months are, in order; those of other languages only after a day or a word such as "im"."""
    places = []
    tokens = text.tokens
    for at in text.where(_MONTHS):
        start, _, word = tokens[at]
        if word in _ENGLISH or _AFTER_DAY.search(low, max(0, start - 9), start):
            places.append(start)
    for start, end in text.digits:
        if low[end : end + 1].isalpha() or low[start - 1 : start].isalpha():  # 12may, may2020
            start, _, word = tokens[bisect_left(tokens, (start + 1,)) - 1]
            if word.strip("0123456789") in _MONTHS:
                places.append(start)
    for at in text.where(_ROMAN):
        start, end, _ = tokens[at]
        before, after = low[max(0, start - 2) : start], low[end : end + 2]
        if before[:1].isdigit() and before[1:] == after[:1] in _ROMAN_JOINTS and after[1:].isdigit():
            places.append(start - 1)
    return sorted(set(places))


def _named(text: Text, low: str, places: list[int]) -> Iterator[Span]:
    """Dates around the names of months; the long pattern is tried nowhere else."""
    past, tokens = 0, text.tokens
    for at, place in enumerate(places):
        if place < past:
            continue
        until = places[at + 1] + _REACH if at + 1 < len(places) else len(low)
        until = min(len(low), max(place + 2 * _REACH, min(until, place + 3 * _REACH)))
        for index in range(bisect_left(tokens, (max(past, place - _REACH),)), len(tokens)):
            start, _, word = tokens[index]
            if start >= until:
                break
            if start < past or not (word[:3] in _HEADS or (word[0].isdigit() and _may_be_day(word))):
                continue
            match = _NAMED.match(low, start, min(len(low), max(until, start + 2 * _REACH)))  # no date is cut
            if match is None:
                continue
            past = max(past, match.end())
            if match["md"] and _AS_WORD.match(match["md"]) and not _is_date(text, match):
                continue
            if text[match.start() : match.end()] in _BUNDLES:
                continue
            start = match.start() + 4 * low.startswith("the ", match.start())
            if match["dm"] and (day := _DAY_BEFORE.search(low, max(0, start - 18), start)):
                start = day.start()
            yield Span(start, match.end(), "DATE", 0.9, "date with a month's name")
        past = max(past, place + 1)


_STOP = re.compile(r" ?[:;,.)\n]|$")
_BUNDLES = frozenset(("SEP-1", "SEP-2", "SEP-3"))
"""Measures of quality in sepsis, and no days of September."""


def _may_be_day(word: str) -> bool:
    """May a day begin here: two digits at most, or letters behind them?"""
    return len(word) < 3 or not word.isdigit() or (len(word) == 4 and word[:2] in ("19", "20"))


def _is_date(text: Text, match: re.Match[str]) -> bool:
    """May 5, dec 10: a capital, a year or an ordinal tells the date from the verb and the abbreviation."""
    said = text[match.start() : match.end()]
    if said[0].isupper() or re.search(r"\d(?:st|nd|rd|th)|\d{4}", said):
        return True
    if said.startswith(("may ", "march ", "mar ", "dec ")) and _STOP.match(text, match.end()):
        return True
    return bool(_TIME_WORDS.search(text.folded, max(0, match.start() - 24), match.start()))


def _weekdays(text: Text, low: str, starts: set[int]) -> Iterator[Span]:
    """Days of the week before a date; alone they say nothing."""
    for at in text.where(_WEEKDAYS) if starts else ():
        start, end, _ = text.tokens[at]
        after = _TO_DATE.match(low, end)
        if after and after.end() in starts:
            yield Span(start, end, "DATE", 0.64, "day of the week before a date")


def _days(text: Text, low: str) -> Iterator[Span]:
    for match in text.cued(_DAYS, _DAY_WORDS):
        if match[0] in _DOUBTFUL and not text[match.start()].isupper() and not _feast_told(low, match.start()):
            continue
        yield Span(*match.span(), "DATE", 0.66, "holiday or season of a year")
    for at in text.where(_DAY_WORD) if not text.caseless else ():
        end = text.tokens[at].end
        first = text.tokens[max(0, at - 2)].start if at > 1 and text.tokens[at - 1].lower == "s" else 0
        first = first or text.tokens[max(0, at - 1)].start
        own = _OWN_DAY.match(text, first)
        if own and own.end() == end:
            said = own["of"].split()
            if said[-1].strip("’'").lower() not in _NO_OWN_DAY and said[0].lower() not in _NO_OWN_DAY:
                yield Span(*own.span(), "DATE", 0.58, "holiday or season of a year")


_FEAST_BEFORE = re.compile(
    r"\b(?:since|before|after|until|till|til|by|over|last|next|this|at|during|for|around|fell|from|on|til) $"
)


def _feast_told(low: str, start: int) -> bool:
    """ "fell at easter" in a note without capitals."""
    return _FEAST_BEFORE.search(low, max(0, start - 8), start) is not None


def _alone(text: Text, low: str) -> Iterator[Span]:
    """A month without a day: the long names anywhere, those that are also words or names after words about time."""
    for match in text.cued(_ALONE, _ENGLISH):
        if match.end() < len(low) and low[match.end()].isalpha():
            continue
        word, capital = match[0], text[match.start()].isupper()
        if capital and (tail := _SYLLABLE.match(text, match.end())) and tail[1] not in _ENGLISH:
            continue  # Jun-ho, Jan-erik
        before = _TIME_WORDS.search(low, max(0, match.start() - 24), match.start())
        if word in _WORDLIKE:
            sure = (capital and before and not (text.caseless and word == "may")) or _surely(low, match)
        elif word in _NAMELIKE:
            shouted = len(word) == 3 and text[match.start() : match.end()].isupper() and not text.caseless
            sure = (
                not shouted
                and (before or (capital and not text.caseless))
                and not (word == "oct" and _NO_MONTH.match(low, match.end()))
            )
        else:
            sure = True
        if sure:
            part = _PART.search(low, max(0, match.start() - 6), match.start())
            yield Span(part.start() if part else match.start(), match.end(), "DATE", 0.6, "month")


def _surely(low: str, match: re.Match[str]) -> bool:
    """ "since may." and "in march," are months in lower case too."""
    said = low[max(0, match.start() - 16) : match.start()]
    after = low[match.end() : match.end() + 1]
    if re.search(r"\b(?:in|since|until|till|last|next|early|late|mid|end of|by|during|this|every|visit)[ -]$", said):
        return (
            match[0] == "march"
            or after in ".,;)?!\n"
            or re.search(r"(?:in|since|until|till|last|end of)[ -]$", said) is not None
        )
    return bool(re.search(r"\b(?:rtc|f/u|of|for) $", said)) and after in ".,;)\n"
