"""Ages above 89 → 90+, in numbers and in words, and years of birth that tell one.

>>> cap_age("92", "-year-old"), cap_age("ninety-two", " years old"), cap_age("95", "th birthday"), cap_age("90", "s")
(('90+', 0), ('90+', 0), ('90+', 2), ('90+', 1))
>>> cap_age("centenarian", " here")
('90+ year-old', 0)
"""

from __future__ import annotations

import re

from sharewell.notes.engine.spans import Span

OLDEST = 89
_ENDING = re.compile(r"(?:st|nd|rd|th|['’]?s)\b")
_BORN = re.compile(
    r"\b(?:born|birth|d\.?o\.?b|b\.|birth ?(?:day|date|year)|year of birth)[ :.,]{0,3}"
    r"(?:(?:in|on|date|year|is|was|of)[ :]{1,2}){0,3}(?P<year>1[89]\d\d)\b(?![-/]\d)"
)
_BIRTH = re.compile(r"(?:\bborn\b|birth(?:day|date)?\b|\bd\.?o\.?b\b\.?)[^.;\n\d]{0,16}$|\bb\. ?$")


def cap_age(written: str, after: str) -> tuple[str, int]:
    """What is published of an age, and how many signs after it go with it ("95th birthday" → "90+ birthday")."""
    if re.search(r"genarian|centenarian", written.lower()):
        return "90+ year-old", 0
    ending = _ENDING.match(after.lower())
    return "90+", ending.end() if ending else 0


def birth_years(folded: str, year: int) -> list[Span]:
    """Bare years of birth in a note (in lower case) that tell an age above 89 in some year.

    >>> [(span.start, span.end) for span in birth_years("born in 1921 in a village, moved 1950", 2016)]
    [(8, 12)]
    """
    if "b" not in folded:
        return []
    return [
        Span(*match.span("year"), "DATE", 0.0, "year of birth")
        for match in _BORN.finditer(folded)
        if int(match["year"]) < year - OLDEST
    ]


def is_birth(before: str) -> bool:
    """Do the words before a date say that somebody was born then?"""
    return bool(_BIRTH.search(before.lower()))


def before_year(year: int) -> str:
    """What is published of a date that tells an age above 89 in some year."""
    return f"before {year - OLDEST}"
