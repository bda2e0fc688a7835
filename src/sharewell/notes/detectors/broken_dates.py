"""Dates that a scan, a fax or a dictation spoilt: broken over two lines, with blanks between the digits, with letters
for digits (O9/l4/2Ol8), or told in words after "birth"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.calendar_names import MONTHS
from sharewell.notes.detectors.calendar_words import UNDER_HUNDRED, YEAR
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

_MONTHS = frozenset(MONTHS) - listed("may june july")
_SPLIT = re.compile(
    rf"(?<![a-z])(?:(?P<day>\d{{1,2}}(?:st|nd|rd|th)?) )?(?P<head>[a-z]{{2,6}})-\n\s*(?P<tail>[a-z]{{2,7}})\b"
    rf"(?:\.?,? (?:\d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,? ?{YEAR}\b)?)?"
)
_PARTED = re.compile(
    rf"{YEAR}(?:-\s{{1,20}}\d\d-\d\d|-\d\d-\s{{1,20}}\d\d)(?!\d)|\d\d(?P<s>[/-])\s{{1,20}}\d\d(?P=s)(?:{YEAR}|\d\d)(?!\d)"
)
"""A date in numbers with a blank or a line break behind one of its dashes."""
_SPACED = re.compile(
    r"(?<!\d )(?<![\w/.-])\d(?: ?\d)? {0,2}(?P<s>[/-]) {0,2}\d(?: ?\d)? {0,2}(?P=s) {0,2}"
    r"\d ?\d(?: ?\d ?\d)?(?! ?\d|[\w/-])"
)
_MUDDLED = re.compile(r"(?<![\w/-])[\doli]{1,2} ?(?P<s>[/-]) ?[\doli]{1,2} ?(?P=s) ?[\doli]{2,4}(?![\w/-])")
_MUDDLE = frozenset("0123456789oli")
_WORD = r"(?:(?:oh|zero) )?" + UNDER_HUNDRED
_TOLD = re.compile(
    rf"\b(?:born(?: on)?|birth ?(?:date|day)|date of birth|dob|d o b)(?: is| was)?[ ,:]{{1,2}}"
    rf"(?P<date>{_WORD}[ ,-]{{1,2}}{_WORD}[ ,-]{{1,2}}(?:(?:nineteen|twenty|two thousand)[ -])?{_WORD})\b"
)
_BIRTH = listed("born birth birthdate birthday date dob d")


def broken(text: Text, low: str) -> Iterator[Span]:
    """Dates with a break, blanks or wrong letters inside."""
    if "-\n" in text:
        for match in _SPLIT.finditer(text.lower()) if len(text.lower()) == len(text) else ():
            if match["head"] + match["tail"] in _MONTHS:
                yield Span(*match.span(), "DATE", 0.85, "month broken over two lines")
    yield from _in_pieces(text, low)
    yield from _muddled(text, low)
    for match in text.cued(_TOLD, _BIRTH):
        yield Span(*match.span("date"), "DATE", 0.85, "date of birth in words")


def _in_pieces(text: Text, low: str) -> Iterator[Span]:
    for start, end in text.digits:
        sign, after, long = low[end : end + 1], low[end + 1 : end + 2], end - start
        parted = long in (2, 4) and sign in ("-", "/") and (after.isspace() or low[end + 3 : end + 5] in ("- ", "-\n"))
        if parted and (match := _PARTED.match(text, start)):
            yield Span(*match.span(), "DATE", 0.85, "date broken in two")
        spaced = long == 1 and sign == " " and (after.isdigit() or after in ("/", "-"))
        if spaced and (match := _SPACED.match(text, start)) and " " in match[0] and _can_be(match[0]):
            yield Span(*match.span(), "DATE", 0.8, "date with blanks inside")


def _muddled(text: Text, low: str) -> Iterator[Span]:
    muddled = [word for word in text.words if len(word) in (2, 4) and not word.isdigit() and _is_muddled(word)]
    for at in sorted(at for word in muddled for at in text.positions[word]):
        for first in range(max(0, at - 2), at + 1):
            match = _MUDDLED.match(low, text.tokens[first].start)
            if match and match.end() >= text.tokens[at].end and sum(map(str.isdigit, match[0])) > 1:
                yield Span(*match.span(), "DATE", 0.8, "date with letters for digits")
                break


def _can_be(said: str) -> bool:
    """Are the first two numbers a day and a month?"""
    one, two = (int(part.replace(" ", "")) for part in re.split("[/-]", said)[:2])
    return 0 < one < 32 and 0 < two < 32 and min(one, two) < 13


def _is_muddled(word: str) -> bool:
    return _MUDDLE.issuperset(word) and any(map(str.isdigit, word))
