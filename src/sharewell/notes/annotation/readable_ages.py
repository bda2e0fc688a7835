"""Ages that were written into a text as a published cell, in words that read well and say just as much.

`[60-69]` is "60s" and `[60-64]` is "60-64"; what stands around it is made to fit, so that a sentence stays one.

>>> texts = ("A [60-69]-year-old person.", "Age: [60-69]", "Aged [60-69].", "She is [60-69] years old, well.")
>>> [readable(text, "[60-69]") for text in texts]
['A person in their 60s.', 'Age: 60s', 'Aged 60-69.', 'She is in their 60s, well.']
>>> readable("An [18-44]-year-old man; [18-44]F.", "[18-44]"), readable("A [60-69]-year-old baker.", "[60-69]")
('An 18-44-year-old man; 18-44 F.', 'A 60-69-year-old baker.')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sharewell import cells

_UNIT = re.compile(
    r"[\s-]{0,2}(?:years?|yrs?)\b\.?(?:[\s-]{0,2}(?:olds?|of\sage|o)\b)?|[\s-]?y[./\s-]{0,2}o(?:ld)?(?=\b|[mf]\b)\.?",
    re.IGNORECASE,
)
_HIS, _HER = ("man", "male", "gentleman", "boy"), ("woman", "female", "lady", "girl", "gentlewoman")
_THEIR = (
    "person",
    "patient",
    "individual",
    "adult",
    "spouse",
    "client",
    "resident",
    "pt",
    "child",
    "smoker",
    "veteran",
)
_NO_ADJECTIVE = (
    "a|an|and|are|as|at|but|by|came|comes|for|from|had|has|have|here|in|into|is|no|not|of|off|on|or|our|over|reports?"
    "|seen|since|than|that|the|then|their|this|to|under|was|were|when|whose?|with|without|admitted|complain(?:s|ing|ed)"
    "|denies|living|lives|present(?:s|ed|ing)?|taking|takes|doing|stable|today|yesterday|now"
)
_PERSON = re.compile(
    rf"[\s-]{{1,2}}(?P<kind>(?:(?!(?:{_NO_ADJECTIVE})\b)(?:[a-z][\w'-]*|\[\w+\])\s){{0,3}})"
    rf"(?P<who>{'|'.join((*_HIS, *_HER, *_THEIR))})\b(?!['’/-])",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_LETTER = re.compile(r"\s?(?P<sex>[MFmf]\b|\[sex\])(?!['’/-]\w)")
_GOES_ON = re.compile(rf"\s*(?:[.,;:)!?]|\Z|\n|(?:{_NO_ADJECTIVE})\b)", re.IGNORECASE)
_NEW_SENTENCE = re.compile(r"\s*(?:\Z|\n|(?<=\s)[A-Z])")
_IS = re.compile(r"(?:\b(?:is|was|are|be|been|being|now|just|only|currently|today)|['’]s)\s\Z", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?P<article>an?)\s\Z", re.IGNORECASE)
_ONE = re.compile(r"\b(?:the|this|that|our|another|[sS]econd)\s\Z", re.IGNORECASE)
_BEGINS = re.compile(r"(?:\A|[.!?]\s+|\n\s*)\Z")
_SET_OFF = re.compile(r"[(,;:\[–—-]\s?\Z")
_NAMES_A_NUMBER = re.compile(r"\b(?:aged|turn(?:s|ed|ing)|at|of|than|to|by|from|age\sof|at\sage)\s\Z", re.IGNORECASE)
_COUNTED = re.compile(r"\s(?:winters|summers|springs|autumns|birthdays|candles|years)\b", re.IGNORECASE)
_FIRST_DECADE, _LAST_DECADE, _OLDEST = 20, 90, 200


class AgeRange(NamedTuple):
    """A published range of whole years."""

    low: int
    high: int

    @classmethod
    def of(cls, cell: str) -> AgeRange | None:
        """None: the cell is none, and stays as it is written."""
        parsed = cells.parse(cell)
        if not isinstance(parsed, cells.Interval) or not (parsed.low.isdecimal() and parsed.high.isdecimal()):
            return None
        low, high = int(parsed.low), int(parsed.high)
        return cls(low, high) if low < high < _OLDEST else None

    @property
    def decade(self) -> str | None:
        whole = self.low % 10 == 0 and self.high == self.low + 9 and _FIRST_DECADE <= self.low <= _LAST_DECADE
        return f"{self.low}s" if whole else None

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


class Wording(NamedTuple):
    """A stretch of a text, and what is to stand there."""

    start: int
    end: int
    text: str


def readable(text: str, cell: str) -> str:
    """A text with such a cell in other words."""
    for start, end, new in reversed(list(readable_wordings(text, cell))):
        text = text[:start] + new + text[end:]
    return text


def readable_wordings(text: str, cell: str) -> Iterator[Wording]:
    """What is to be written otherwise, in order."""
    span = AgeRange.of(cell)
    for match in re.finditer(re.escape(cell), text) if span else ():
        assert span is not None
        yield _with_article(text, _wording(text, match.start(), match.end(), span))


def _wording(text: str, start: int, end: int, span: AgeRange) -> Wording:
    before, unit = text[max(0, start - 24) : start], _UNIT.match(text, end)
    behind = unit.end() if unit else end
    if (decade := span.decade) is None:
        return _bare(text, start, end, str(span))
    if person := _PERSON.match(text, behind):
        return Wording(start, person.end(), f"{person['kind']}{person['who']} in {_whose(person['who'])} {decade}")
    if letter := _LETTER.match(text, behind):
        return _bare(text, start, letter.end(), f"{decade} {letter['sex']}")
    if unit is None and not _IS.search(before):
        number = _NAMES_A_NUMBER.search(before) or _COUNTED.match(text, end)
        return _bare(text, start, end, str(span) if number else decade)
    stop = behind - bool(unit and unit[0].endswith(".") and _NEW_SENTENCE.match(text, behind))  # its dot ends both
    if not _GOES_ON.match(text, stop):
        return _bare(text, start, end, str(span))
    if _ARTICLE.search(before) or _ONE.search(before):
        return Wording(start, stop, f"person in their {decade}")
    if _IS.search(before) or _SET_OFF.search(before):
        return Wording(start, stop, f"in their {decade}")
    if _BEGINS.search(before):
        return Wording(start, stop, f"Person in their {decade}")
    return _bare(text, start, end, str(span))


def _bare(text: str, start: int, end: int, new: str) -> Wording:
    """With blanks where letters, digits or marks would touch it; the end of a first, second or third goes."""
    ordinal = _ORDINAL.match(text, end)
    end = ordinal.end() if ordinal else end
    before = " " if start and text[start - 1].isalnum() else ""
    behind = " " if text[end : end + 1].isalnum() or text[end : end + 1] in ("[", "{") else ""
    return Wording(start, end, f"{before}{new}{behind}")


def _whose(who: str) -> str:
    return "his" if who.lower() in _HIS else "her" if who.lower() in _HER else "their"


def _with_article(text: str, wording: Wording) -> Wording:
    """With `a` or `an` before it, as what follows now begins."""
    article = _ARTICLE.search(text, max(0, wording.start - 4), wording.start)
    if article is None:
        return wording
    vowel = re.match(r"[aeiou8]|1[18](?!\d)", wording.text.lstrip("["), re.IGNORECASE)
    new = article["article"][0] + ("n" if vowel else "")
    return Wording(article.start(), wording.end, f"{new}{text[article.end('article') : wording.start]}{wording.text}")
