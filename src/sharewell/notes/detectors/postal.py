"""Whole lines of addresses of many countries, read backwards from a postcode and the city beside it.

"Calle Sol 7, 2º A, 46002 Valencia", "ul. Polna 3 m. 12, 30-211 Kraków", "Parkvägen 9 B, 2 tr, 752 25 Uppsala": a
postcode by the form of its country before a capitalised word or after one, and before it capitalised words, numbers,
particles and the short words for flats and floors, without the end of a sentence between.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from sharewell.notes.detectors.capitals import SENTENCE_WORDS
from sharewell.notes.engine.gazetteer import STATES
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

_CITY = (
    r"[A-ZÀ-ÞŁŚŻŠČŽ][\w’'-]*[a-zà-ÿ][\w’'-]*"
    r"(?:(?: (?:im|am|an der|de|la|del|sur|nad|en))? ?[A-ZÀ-ÞŁŚŻŠČŽ][\w’'-]*){0,2}"
)
_BEFORE_CITY = re.compile(
    rf"(?:(?:[A-Z]{{1,2}}-)?\d{{4,5}}|\d\d-\d{{3}}|\d{{3}} \d\d|\d{{4}}-\d{{3}}|\d{{4}} [A-Z]{{2}}|\d{{3}}(?= Reyk)"
    rf"|\d{{6}}) {_CITY}(?: ?\(?[A-Z]{{2}}\)?\b)?"
)
_AFTER_CITY = re.compile(
    rf"(?:\d{{5}}-\d{{3}}|\d{{3}}-\d{{4}}|(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT) \d{{4}}"
    rf"|(?:{'|'.join(STATES)}) \d{{5}}(?:-\d{{4}})?"
    r"|\d{6}|[A-Z]\d[\dW]"
    r" [A-Z\d]{4}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)(?![\w/-]|\.\d)"
)
_JOINT = re.compile(r"[ ,.;/#º°()–-]{1,4}")
_STOP = re.compile(r"[.;)] ")
_SHORT = lexicon("postal_short")
_PARTICLES = listed(
    "de la le les las los du des da das do dos del della dei di der den van von an na of the y e zum zur am im nad el"
)
_TOO_COMMON = listed(
    """
    lives live lived living home address moved from to at resides rents dear letter seen called hi hello son daughter
    wife husband mother father patient date phone tel fax mob ref re cc via sent ship deliver
    """
)


def postal_lines(text: Text) -> Iterator[Span]:
    """Lines of an address that a postcode ends, or the city behind it."""
    past = 0
    for start, end in text.digits:
        if not end - start < 7 or start < past or not _likely(text, start, end):
            continue
        first = start
        while first and start - first < 4 and (text[first - 1].isupper() or text[first - 1] in " -"):
            first -= 1
        match = None
        for begin in range(first, start + 1):
            before = text[begin - 1 : begin]
            if before.isalnum() or before in ("-", "/", ".", "$", "#") or text[begin] in " -":
                continue
            match = _BEFORE_CITY.match(text, begin) or _AFTER_CITY.match(text, begin)
            if match:
                break
        if not match:
            continue
        begin = _back(text, match.start()) if _beside_city(text, match) else match.start()
        if begin < match.start():
            past = match.end()
            yield Span(begin, match.end(), "ADDRESS", 0.66, "line of an address up to its postcode")


def _likely(text: Text, start: int, end: int) -> bool:
    """A quick look: a capital, a digit or a dash beside the number, as every form of a postcode has."""
    sign = text[end : end + 1]
    british = sign == " " and text[end + 2 : end + 4].isupper() and text[end + 1].isdigit()
    if end - start < 3 and text[start - 1 : start].isupper() and british:
        return True
    if end - start < 2:
        return False
    if end - start == 6 or sign.isupper():
        return True
    beyond = text[end + 1 : end + 2]
    if sign == " " and (beyond.isupper() or (beyond.isdigit() and end - start == 3)):
        return True
    if sign == "-":
        return beyond.isdigit()
    return text[max(0, start - 2) : start - 1].isupper() and end - start > 3


def _beside_city(text: Text, match: re.Match[str]) -> bool:
    """Six digits alone are a postcode only after a word in title case, or after another word of a line in capitals."""
    if not (match[0].isdigit() and len(match[0]) == 6):
        return True
    last = re.search(r"([^\W\d_]+)[ –-]{1,3}$", text[max(0, match.start() - 24) : match.start()])
    return last is not None and len(last[1]) > 3 and (not last[1].isupper() or text.caseless) and last[1][0].isupper()


def _back(text: Text, code: int) -> int:
    """Where the address begins whose postcode is here; the same place if none does: it wants a comma and a number."""
    tokens = text.tokens
    at = bisect_left(tokens, code, key=lambda token: token[0])
    first, begin, numbers, commas = at, code, 0, 0
    while first and at - first < 16:
        start, end, word = tokens[first - 1]
        between = text[end : tokens[first][0] if first < at else code]
        if not _JOINT.fullmatch(between) or "  " in between or between == ".":
            break
        if _STOP.search(between) and not _shortened(word, tokens[first][2] if first < at else ""):
            break
        if word in _HOURS or (word in ("of", "the") and text[start - 2 : start] == ", ") or "(" in between:
            break
        known = len(word) > 1 and (word in SENTENCE_WORDS or word in _TOO_COMMON)
        written = text[start].isupper() and not known
        digit = word[0].isdigit()
        if digit and (len(word) > 5 or "/" in between):
            break
        if not (written or digit or word in _SHORT or word in _PARTICLES):
            break
        numbers += digit
        commas += "," in between
        first -= 1
    while first < at and (
        tokens[first][2] in _PARTICLES or (tokens[first][2] in _SHORT and not text[tokens[first][0]].isupper())
    ):
        if tokens[first][2] in ("via", "rue", "calle", "ul", "rang", "jl", "jalan", "c", "flat", "piazza"):
            break
        first += 1
    begin = tokens[first][0] if first < at else code
    british = commas and _BRITISH.match(text, code) is not None
    return begin if (numbers and commas) or british else code


_BRITISH = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")
_HOURS = frozenset(("am", "pm", "np", "rn", "md"))


def _shortened(word: str, after: str) -> bool:
    """May a full stop follow inside an address? After "ul", "Str", and after the number of a floor ("2. tv.")."""
    return (after in _SHORT) if word[0].isdigit() else word in _SHORT or word.endswith("str")
