"""Words that tell a patient's sex, neutral words for them, and ages beside a letter for the sex.

>>> text = "She is a 47-year-old woman; her son drove."
>>> made = [(text[start:end], neutral_word(text[start:end], text[end:])) for start, end, sex, sure in sex_words(text)]
>>> made
[('She', 'They'), ('woman', 'person'), ('her', 'their')]
>>> [pair[:4] for pair in ages_beside_sex("41/F, T 101F, bed F12, 14F Foley")]
[(0, 2, 3, 4)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sharewell.io.shipped import ShippedPatterns, shipped_rows
from sharewell.notes.engine.pattern_pieces import SHORT_MONTH

_ROWS = {row["word"]: row for row in shipped_rows("notes/sex_words.csv")}
_SEX = {word: row["sex"] for word, row in _ROWS.items()}
_NEUTRAL = {word: row["neutral"] for word, row in _ROWS.items()}
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "sir", "mister"))
_PARENTS = frozenset(("mother", "father", "mom", "mum", "dad", "grandmother", "grandfather", "grandma", "grandpa"))
"""Somebody's mother tells nothing of the patient; "a mother of two" does."""
_FORMS = ShippedPatterns(
    "notes/sex_forms.toml",
    short_month=SHORT_MONTH,
    plain_words="|".join(sorted(set(_SEX) - _TITLES - _PARENTS, key=len, reverse=True)).replace("'", "['’]"),
    parents="|".join(sorted(_PARENTS, key=len, reverse=True)),
)
_PLAIN = ("he", "she", "his", "her", "him")
_COLD, _THICK, _LAST_DAY = 85, 36, 31
"""Degrees Fahrenheit of a body begin there, French sizes and days of a month end there."""


class AgeBesideSex(NamedTuple):
    """An age and the letter that stands beside it; no letter where the words of the sex are found by themselves."""

    start: int
    end: int
    letter: int
    letter_end: int
    sex: str
    sure: bool
    """May a row say it? F41 may be a code as well."""


def ages_beside_sex(text: str) -> Iterator[AgeBesideSex]:
    """Ages beside a letter for the sex: 41/F, 41F, F41. Temperatures, beds, sizes and codes are none."""
    for rank, pattern in enumerate(_FORMS.several("pairs")):
        for match in pattern.finditer(text):
            start, end = match.span("age")
            number_first = match.end() > end  # the number stands before the letter
            day = int(match["age"]) if text[end : end + 1] in (" ", ",") else None
            if is_other_number(text, match.start(), day) or (number_first and is_measure(text, start, match.end())):
                continue
            letter_group = "sex" in pattern.groupindex and match["sex"]
            letters = match.span("sex") if letter_group else (match.end() - int(number_first), match.end())
            sex = text[slice(*letters)][-1:].upper()
            yield AgeBesideSex(start, end, *letters, sex, sure=rank == 0 or len(match[0]) > 3)


def is_other_number(text: str, start: int, day: int | None) -> bool:
    """Do the words right before a number say that it is a bed's, a code, a measure, or (if it may be) a month's day?"""
    before = text[max(0, start - 20) : start]
    return bool(_FORMS["numbered"].search(before)) or (
        day is not None and day <= _LAST_DAY and bool(_FORMS["months"].search(before))
    )


def is_measure(text: str, start: int, end: int) -> bool:
    """A number and an F: 101F after a word for fever, 14F before one for a tube."""
    figures = re.match(r"\d+", text[start:end])
    if not figures or text[end - 1] not in "Ff":
        return False
    number, before = int(figures[0]), text[max(0, start - 30) : start]
    if number >= _COLD and (_FORMS["fever"].search(before) or _FORMS["taken"].match(text, end)):
        return True
    return number <= _THICK and _FORMS["device"].match(text, end) is not None


def sex_words(text: str) -> list[tuple[int, int, str, bool]]:
    """(start, end, M or F, is it said of the patient rather than of anybody): words and letters that tell a sex."""
    sexes = {(pair.letter, pair.letter_end, pair.sex, pair.sure) for pair in ages_beside_sex(text) if pair.sex}
    for pattern in (_FORMS["words"], *_FORMS.several("letters")):
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 30) : match.start()]
            if match[0].startswith("(") and (_FORMS["fever"].search(before) or _FORMS["decimal"].search(before)):
                continue
            word = match["sex"].lower().replace("’", "'")
            if word in _SEX:
                of_patient = word in _PLAIN or _FORMS["of_patient"].search(before) is not None
                sexes.add((*match.span("sex"), _SEX[word], of_patient))
            else:
                sexes.add((*match.span("sex"), word[-1].upper(), True))
    return sorted(sexes)


def neutral_word(word: str, after: str = "") -> str:
    """The same without the sex, written alike; a letter becomes a mark."""
    lower = word.lower().replace("’", "'")
    if lower not in _NEUTRAL:
        return "[sex]"
    replacement = "them" if lower == "her" and not re.match(r" \w", after) else _NEUTRAL[lower]
    return (
        replacement.upper()
        if word.isupper() and len(word) > 1
        else replacement[0].upper() + replacement[1:]
        if word[0].isupper()
        else replacement
    )
