"""Wordings of an age or a sex that only a text beside a table must not say, for want of surer signs.

"Mrs. Lee is 63", "Pt 64 presents", "at 64, she", "64 next birthday", "edad 64", "YOB 1958", "64♀", a lone "M", "a
grandmother". What makes a table from notes does not look for these: too many are something else. Beside a published row
a mark costs less than a withheld text.

>>> texts = ("Pt 64 presents", "Seen, M.", "yob 1958")
>>> [text[m.start : m.end] for text in texts for m in sorted(set(wordings(text, ("age", "sex"))))]
['64', 'M', '1958']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sharewell.notes.annotation.extraction import Mention
from sharewell.notes.engine.pattern_pieces import patterns

_RELATIVES = {
    **dict.fromkeys(("mother", "father", "mom", "mum", "dad", "mommy", "daddy", "mama", "papa"), "parent"),
    **dict.fromkeys(
        ("grandmother", "grandfather", "grandma", "grandpa", "granny", "grandad", "granddad"), "grandparent"
    ),
    **dict.fromkeys(("nana", "nanny", "abuela", "abuelo", "oma", "opa"), "grandparent"),
    **dict.fromkeys(("madre", "padre", "stepmother", "stepfather", "mother-in-law", "father-in-law"), "parent"),
    **dict.fromkeys(("godmother", "godfather"), "godparent"),
    **dict.fromkeys(("matriarch", "patriarch"), "elder"),
    **dict.fromkeys(("senora", "señora", "senor", "señor", "lesbian"), "person"),
    **dict.fromkeys(("aunt", "auntie", "uncle", "niece", "nephew"), "relative"),
    **dict.fromkeys(("sister", "brother", "sister-in-law", "brother-in-law"), "sibling"),
    **dict.fromkeys(("daughter", "son", "stepdaughter", "stepson", "goddaughter", "godson"), "child"),
    **dict.fromkeys(("granddaughter", "grandson"), "grandchild"),
}
_PATTERNS = patterns("notes/row_wordings.toml", kin="|".join(sorted(_RELATIVES, key=len, reverse=True)))
_AGES, _SEXES = _PATTERNS.several("ages"), _PATTERNS.several("sexes")
_FROM_TO, _FROM_TO_YEARS = _PATTERNS["from_to"], _PATTERNS["from_to_years"]
_ABOUT, _BORN_IN_DECADE = _PATTERNS["about"], _PATTERNS["born_in_decade"]
_YEAR = _PATTERNS["year"]
_OF_BIRTH = ("birth", "birthdate", "birthday", "birthyear", "born", "dob", "geb", "geboren", "vintage", "yob")
_BORN = ("born", "birthday")
_BEFORE_YEAR, _NEAR, _WORDS_AFTER_BORN = 48, 3, 8
"""Characters before a year that are looked at; how many words may stand between it and a word for birth, or `born`."""
_DAY_AND_MONTH = _PATTERNS["day_and_month"]
_AFTER_YEAR = _PATTERNS["after_year"]


def wordings(text: str, wanted: Sequence[str]) -> Iterator[Mention]:
    """Mentions of the wanted sorts, age and sex; an age is a number where the text has one in figures."""
    if "age" in wanted:
        for form in (_FROM_TO, _FROM_TO_YEARS):
            yield from (Mention(*match.span("age"), "age", "") for match in form.finditer(text))
        for match in (match for pattern in _AGES for match in pattern.finditer(text)):
            yield Mention(*match.span("age"), "age", match["age"] if match["age"].isdecimal() else "")
        for match in _ABOUT.finditer(text):
            yield Mention(*match.span(str(match.lastgroup)), "age", "")
        for match in _BORN_IN_DECADE.finditer(text):
            yield Mention(*match.span("birth"), "birth", "")
        for match in _YEAR.finditer(text):
            before = text[max(0, match.start() - _BEFORE_YEAR) : match.start()]
            if _AFTER_YEAR.match(text, match.end()) or _is_of_birth(before):
                yield Mention(*match.span(), "birth", "")
    if "sex" in wanted:
        for match in (match for pattern in _SEXES for match in pattern.finditer(text)):
            yield Mention(*match.span("sex"), "sex", "")


def neutral_relative(word: str) -> str | None:
    """What a relative is called where the sex is not said; None if the word is no relative's.

    >>> neutral_relative("Grandmother"), neutral_relative("nurse")
    ('Grandparent', None)
    """
    neutral = _RELATIVES.get(word.lower())
    return neutral.capitalize() if neutral and word[0].isupper() else neutral


def _is_of_birth(before: str) -> bool:
    """Is one of the last words before a year a word for birth, or `b.`, or an asterisk?

    >>> [_is_of_birth(text) for text in ("Y.O.B. ", "smoker, b.", "born about ", "geb. 3.5.", "birth of a son. In ")]
    [True, True, True, True, False]
    """
    before = _DAY_AND_MONTH.sub("", before)
    clause = re.split(r"[;!?]|(?<!\bgeb)(?<=\w\w)\. ", before)[-1]
    words = [word.replace(".", "").lower() for word in re.findall(r"[^\W\d_]+(?:\.[^\W\d_]+)*\.?", clause)]
    signs = re.search(r"(?<![\w.])b\.\s?\Z|\(b\s\Z|\*\s?\Z", before)
    near = any(word in _OF_BIRTH for word in words[-_NEAR:])
    return bool(signs) or near or any(word in _BORN for word in words[-_WORDS_AFTER_BORN:])
