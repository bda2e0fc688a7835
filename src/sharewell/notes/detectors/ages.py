"""Ages over 89, which identify by themselves. Younger ages are found on request, for tables made from notes.

A number is an age by the words around it: "94-year-old", "94 y/o", "aged 94", "died at 97", "94F", "in her 90s",
"95th birthday", "ninety-four years of age". Percents, counts, weeks of gestation and pack-years are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_AFTER = re.compile(
    r"(?<![\w.,/-])(?P<age>\d{1,3})(?:"
    r"[ -]{0,2}(?:years?|yrs?|yr|y)\.?(?:[ -]{1,2}|(?=o))(?:old|o\b|of age|young)"
    r"|[ -]?y\.?[ /]?o\b\.?|[ -]?y/o\b|[ -]?yrs?\.?(?= (?:male|female|man|woman|gentleman|lady|m\b|f\b))"
    r"|[ -]?year(?:[ -]old)?s?(?= (?:male|female|man|woman|gentleman|lady))"
    r"|(?:st|nd|rd|th) birthday|[ -]?(?:m|f)\b(?= (?:with|w/|presents|presenting|who|admitted|s/p|p/w|c/o|here"
    r"|pt|patient|from|brought|hx|h/o))"
    r"|(?=,? (?:years|yrs)(?: |\.|,|;|$)(?!(?:ago|later|of (?!age)|and|or|prior|after|in|on|with|x|pack|smok"
    r"|experience|history)))"
    r"|[ -]?(?:yo|y\.o\.)(?:[mf]\b)?|yom\b|yof\b)"
)
_BEFORE = re.compile(
    r"\b(?P<cue>age(?:d|s)?(?:(?: in years| at [a-z ]{3,20}?)? ?[:=]| of| is| was|/sex:?)?|(?:died|passed away"
    r"|passed|deceased|expired|living|alive)(?:(?: [a-z]+){0,5}? at(?: the age of| age)?)?"
    r"|turn(?:s|ed|ing)|lived to(?: be)?|(?:s?he|patient|pt|mother|father|husband|wife|sister|brother"
    r"|grandmother|grandfather|aunt|uncle) (?:is|was)(?: now)?|is now"
    r"|(?:mother|father|husband|wife|sister|brother|grandmother|grandfather|mom|dad|son"
    r"|daughter),|dob[^\n]{4,16}\(?age:?)"
    r"[ \t:=(]{1,3}(?P<age>\d{1,3})(?![\d.,:/-]*\d|\s?(?:%|mg|mcg|ml|kg|lbs?|pounds?|cm|mm|in\b|inch|bpm|beats"
    r"|degrees|weeks?|wks?|months?|mos?\b|days?|hours?|hrs?|minutes?|min\b|units?|points?|percent|packs?|on\b"
    r"|over|systolic|steps|feet|ft))"
)
_CERTAIN_CUES = ("age", "died", "passed", "deceased", "expired", "turn", "lived", "dob")
_DECADE = re.compile(r"\b(?:early |mid |late |mid-)?(?P<age>9\d|1[0-2]\d)['’]?s\b(?! (?:systolic|%|on\b|bpm|mmhg|/))")
_DECADE_BEFORE = re.compile(r"\b(?:his|her|their|the|in)(?: (?:early|mid|late|mid-))?[ ]*$")
_WORDS = re.compile(
    r"\b(?:ninety(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:a |one )?hundred(?: and)?(?:[ -](?:one|two|three|four|five|six|seven|eight|nine|ten))?)"
    r"(?=[ -](?:years?|yrs?)[ -](?:old|of age))|\b(?:nonagenarians?|centenarians?|supercentenarians?)\b"
    r"|(?<=her )nineties\b|(?<=his )nineties\b|(?<=their )nineties\b"
)

_ALONE = re.compile(
    r"(?<![\w.,/-])(?P<age>\d{2,3}) ?[mf]\b(?![./°-]|,? (?:and|at|tmax|temp|today|overnight|this|to|or|in)\b)"
    r"|(?<=is )(?P<other>\d{2,3})(?=, |\.\s|\.$| and (?:lives|has|is|still)|; )"
)
_MEASURED = re.compile(
    r"\b(?:temp(?:erature)?|fever|t|tm|tmax|febrile|afebrile|sats?|saturation|spo2|o2|pulse|hr|rate|bp|pressure"
    r"|systolic|diastolic|weight"
    r"|glucose|sugar|score|level|wt|height|sodium|chloride|potassium|creatinine|count|platelets?|iq|heart|result"
    r"|value|dose|goal|max)\b"
)
_POSSIBLE = re.compile(r"(?<![\d.])(?:9\d|1[0-2]\d)(?![\d/])|ninet|hundred|genarian")


@dataclass(frozen=True)
class Ages:
    """Finds ages of `least` years and more."""

    name: ClassVar[str] = "ages"
    least: int = 90

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        return list(self._find(Text.of(text).folded))

    def _tried(self, pattern: re.Pattern[str], low: str) -> Iterator[re.Match[str]]:
        """Matches; where only great ages count, no further than around such numbers."""
        if self.least < 90:
            yield from pattern.finditer(low)
            return
        for number in _POSSIBLE.finditer(low):
            yield from pattern.finditer(low, max(0, number.start() - 80), number.end() + 60)

    def _find(self, low: str) -> Iterator[Span]:
        if self.least >= 90 and not _POSSIBLE.search(low):
            return
        for pattern, certainty in ((_AFTER, 0.95), (_BEFORE, 0.85)):
            for match in self._tried(pattern, low):
                sure = pattern is _AFTER or match["cue"].startswith(_CERTAIN_CUES)
                if self.least <= int(match["age"]) <= 125 and (sure or int(match["age"]) < 112):
                    yield Span(*match.span("age"), "AGE", certainty if sure else 0.6, "age in years")
        for match in _ALONE.finditer(low):
            before = low[max(0, match.start() - 32) : match.start()]
            group = "age" if match["age"] else "other"
            if self.least <= int(match[group]) <= 112 and not _MEASURED.search(before):
                yield Span(*match.span(group), "AGE", 0.6, "age and sex, or an age in passing")
        if self.least >= 20:
            for match in _DECADE.finditer(low):
                said = low[max(0, match.start() - 24) : match.start()]
                if _DECADE_BEFORE.search(said) and not _MEASURED.search(said):
                    yield Span(*match.span("age"), "AGE", 0.6, "decade of life")
            for match in _WORDS.finditer(low):
                yield Span(*match.span(), "AGE", 0.9, "age in words")
