"""Words that tell a patient's sex, and words that say the same without.

>>> text = "She is a 47-year-old woman; her son drove."
>>> made = [(text[start:end], neutral(text[start:end], text[end:])) for start, end, sex, sure in words_of(text)]
>>> made
[('She', 'They'), ('woman', 'person'), ('her', 'their')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SEX = {
    **dict.fromkeys(("he", "him", "his", "himself", "male", "man", "gentleman", "boy", "mr", "males", "men"), "M"),
    **dict.fromkeys(("she", "her", "hers", "herself", "female", "woman", "lady", "girl", "mrs", "ms", "miss"), "F"),
    **dict.fromkeys(("females", "women"), "F"),
}
_NEUTRAL = {
    "he": "they", "she": "they", "him": "them", "his": "their", "her": "their", "hers": "theirs", "himself": "themself",
    "herself": "themself", "male": "person", "female": "person", "man": "person", "woman": "person",
    "gentleman": "person", "lady": "person", "boy": "child", "girl": "child", "mr": "Mx", "mrs": "Mx", "ms": "Mx",
    "miss": "Mx", "males": "people", "females": "people", "men": "people", "women": "people",
}  # fmt: skip
_TITLES = frozenset(("mr", "mrs", "ms", "miss"))
"""Only as a title is written: MR is mitral regurgitation, MS a disease."""
PATTERN = re.compile(
    rf"\b(?P<word>(?i:{'|'.join(sorted(set(_SEX) - _TITLES, key=len, reverse=True))})|Mrs|Mr|Ms|Miss|MRS)\b(?!-?\d)"
    r"|\d(?: ?y/?o ?| ?y\.o\. ?|[ -]year[ -]old |[ -]?yo ?)(?P<letter>[MFmf])\b(?!\.\d)"
    r"|\b\d\d(?P<beside>[MF])\b|\b(?i:sex|gender)[: ]{1,3}(?P<field>[MFmf])\b"
)
_OF_PATIENT = re.compile(
    r"(?:years?[ -]old|y/?o|yo|year|aged? \d+|patient is an?|pleasant|\d)[ ,-]*(?:\w+ ){0,2}$", re.IGNORECASE
)
_PLAIN = ("he", "she", "his", "her", "him")


def words_of(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """(start, end, M or F, is it said of the patient rather than of anybody): words and letters that tell a sex."""
    for match in PATTERN.finditer(text):
        group = str(match.lastgroup)
        said = match[group].lower()
        sex = said.upper() if group != "word" else _SEX[said]
        before = text[max(0, match.start() - 30) : match.start()]
        of_patient = group != "word" or said in _PLAIN or _OF_PATIENT.search(before) is not None
        yield *match.span(group), sex, of_patient


def neutral(said: str, after: str = "") -> str:
    """The same without the sex, written alike; a letter becomes a mark."""
    low = said.lower()
    if low not in _NEUTRAL:
        return "[sex]"
    new = "them" if low == "her" and not re.match(r" \w", after) else _NEUTRAL[low]
    return new.upper() if said.isupper() and len(said) > 1 else new[0].upper() + new[1:] if said[0].isupper() else new
