"""Days and months in numbers alone: 14/5, 3-12.

Two numbers are scales and ratios as often as days: they need words about time, numbers that no scale has, or other such
days in the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.calendar_names import MONTH_WORDS
from sharewell.io.compiled_patterns import compiled
from sharewell.notes.engine.pattern_pieces import patterns
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_PATTERNS = patterns("notes/short_dates.toml")
_SHORT = _PATTERNS["short"]
_RANGE = compiled(r" ?(?:[-–]|to) ?(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\w/%]|[.-]\d)")
_SHORT_BEFORE = _PATTERNS["short_before"]
_SHORT_NOT = _PATTERNS["short_not"]
_SURE = _PATTERNS["sure"]
_COUNTED = _PATTERNS["counted"]
_CLOCK_AFTER = _PATTERNS["clock_after"]
_SCALES = {(5, 5), (4, 5), (3, 5), (2, 5), (1, 5), (2, 4), (3, 4), (1, 4), (1, 2), (1, 3), (2, 3), (1, 1), (2, 2)}


class ShortDates:
    """Finds days and months in numbers."""

    name: ClassVar[str] = "short-dates"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        note = Text.of(text)
        return list(_short(note, note.folded))


def _short(text: Text, low: str) -> Iterator[Span]:
    """3/5 and 3-5 after words about time, if no scale is meant; and those like others of the note."""
    doubtful: list[re.Match[str]] = []
    dashed: list[re.Match[str]] = []
    dates: list[re.Match[str]] = []
    for start, end in text.digits:
        match = _SHORT.match(low, start) if low[end : end + 1] in ("/", "-") else None
        if match is None:
            continue
        reason = _reason(low, match)
        if reason:
            dates.append(match)
            certainty = 0.58 if "by their numbers" in reason else 0.7
            until = _RANGE.match(low, match.end()) if reason.endswith("range") else None
            yield Span(match.start(), until.end() if until else match.end(), "DATE", certainty, reason)
        elif match["s"] == "/" and (_is_day(match) and not _SHORT_NOT.search(_window(low, match))):
            doubtful.append(match)
        elif match["s"] == "-" and _is_day(match):
            dashed.append(match)
    if dashed:
        yield from _dashed_like_others(low, dashed)
    if doubtful:
        whole = not text.words.isdisjoint(MONTH_WORDS) or _FULL.search(low) is not None
        yield from _like_others(low, doubtful, dates, whole)


def _like_others(low: str, doubtful: list[re.Match[str]], dates: list[re.Match[str]], whole: bool) -> Iterator[Span]:
    """In a note that writes days so, a pair after a word is one too: "stent 6/22, drain out 6/27". Scores and
    spells ("2/7", "6/12") are none, but after a deed, or where the note puts the month first."""
    pairs = [(int(match["a"]), int(match["b"])) for match in (*dates, *_FULL.finditer(low))]
    if len(pairs) + whole < 2:
        return
    month_first = any(two > 12 for _, two in pairs) and not any(one > 12 for one, _ in pairs)
    for match in doubtful:
        said = _WORD_BEFORE.search(low, max(0, match.start() - 16), match.start())
        if not said or (_COUNTED.match(low, match.end()) and not low.startswith(" - ", match.end())):
            continue
        one, two = int(match["a"]), int(match["b"])
        spell = two in (7, 12) and one < two and not month_first
        score = (
            (two in (4, 5, 6, 10) + (() if month_first else (15, 20)) and one <= two)
            or one == two
            or (one, two) in _SCALES
        )
        if (said[1].endswith(("ed", "'d", "’d")) and said[1] not in _RATED and not spell) or not (spell or score):
            yield Span(*match.span(), "DATE", 0.56, "day and month like others of the note")


def _dashed_like_others(low: str, dashed: list[re.Match[str]]) -> Iterator[Span]:
    """In a note that writes dates as 8-29-23, a pair of numbers behind a word is a day too, if nothing is counted by
    it."""
    if not _FULL_DASHED.search(low):
        return
    for match in dashed:
        said = _WORD_BEFORE.search(low, max(0, match.start() - 16), match.start())
        if said and said[1] not in _COUNTING and _DASHED_END.match(low, match.end()):
            yield Span(*match.span(), "DATE", 0.56, "day and month like others of the note")


_FULL_DASHED = compiled(r"(?<![\w/.-])\d{1,2}-\d{1,2}-(?:\d{4}|\d\d)(?![\w/-])")
_COUNTING = listed("from to about approximately approx take every between of by range for lasting times")
_FULL = compiled(r"(?<![\w/.-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/\d{2,4}(?![\w/])")
_WORD_BEFORE = compiled(r"([a-z]{2,}|c['’]d)[,(]? [(~]?$")
_RATED = frozenset(("rated", "scored", "graded", "reported", "estimated", "recalled", "reduced", "increased"))


def _window(low: str, match: re.Match[str]) -> str:
    """What stands before a pair in its line."""
    start = match.start()
    return low[max(0, start - 30, low.rfind("\n", max(0, start - 30), start) + 1) : start]


def _reason(low: str, match: re.Match[str]) -> str:
    """Why two numbers are a day and a month; empty if they are not."""
    if not _is_day(match):
        return ""
    window = _window(low, match)
    one, two = int(match["a"]), int(match["b"])
    sure = window.endswith(("week of ", "wk of ", " since ", " dated ")) or (
        window.endswith(" on ") and not _is_scale(one, two)
    )
    if (
        not sure
        and (scale := _SHORT_NOT.search(window))
        and not (_by_numbers(match, sure=True) and _SOFT.match(scale[0]))
    ):
        return ""
    if _CLOCK_AFTER.match(low, match.end()) and (one, two) not in _SCALES:
        return "day and month before a time"
    slash = match["s"] == "/"
    if slash and (other := _RANGE.match(low, match.end())):
        return "day and month of a range" if other["b"] != match["b"] and _is_day(other) else ""
    if _COUNTED.match(low, match.end()):
        return ""
    if slash and _by_numbers(match):
        return "day and month by their numbers"
    if _SHORT_BEFORE.search(window) and ((slash and not _is_scale(one, two)) or _SURE.search(window)):
        return "day and month after words about time"
    if not slash and _DEED.search(window) and _DASHED_END.match(low, match.end()):
        return "day and month after words about time"
    return ""


_DEED = _PATTERNS["deed"]
_DASHED_END = compiled(r" ?[.,;:)\n]| \(| (?:at|for|w/|with|and|by|per|via|in|pm|am)\b|\s*$")
"""Where 9-14 after a deed may end: a range would go on with what it counts."""


def _is_scale(one: int, two: int) -> bool:
    """Strength, or days and months in the British way: 2/7, 6/12."""
    return (one, two) in _SCALES or (two in (7, 12) and one < two)


def _is_day(match: re.Match[str]) -> bool:
    one, two = int(match["a"]), int(match["b"])
    return can_be(one, two) or can_be(two, one)


_SOFT = _PATTERNS["soft"]
"""Words before a scale that stand before days as well."""


def _by_numbers(match: re.Match[str], sure: bool = False) -> bool:
    """Numbers that are no score out of some total: 30/4, 16/02, 7/19. The first of a score is never the larger one.
    Surely so only if one of them is over twelve, or written with a nought."""
    one, two = int(match["a"]), int(match["b"])
    if sure and (match["s"] != "/" or (max(one, two) < 13 and "0" not in (match["a"][0], match["b"][0]))):
        return False
    if (one, two) in ((24, 7), (20, 10), (14, 12), (18, 12)):
        return False
    if match["a"][0] == "0" or match["b"][0] == "0":
        return True
    if one == 6 and two in (9, 12, 18, 24):  # sharpness of sight
        return False
    if max(one, two) > 12:
        return two not in (15, 20, 24, 30) or one > two
    return (one > two and one > 4) or two in (8, 9, 11)


def can_be(month: int, day: int) -> bool:
    """A month and a day?"""
    return 1 <= month <= 12 and 1 <= day <= 31
