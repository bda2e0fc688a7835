"""Whole names: what is joined to a found one by a dash, an apostrophe or a blank and a capital belongs to it.

Mokoena-Black, Hyun-woo, Fa'asavalu, Wabikon-on-the-Lake, Teesmouth Alkalis, Mai See Vang: a part that is a word of
English, or that no list knows, would stay behind otherwise. Ordinary compounds ("Brown-appearing", "Boston-based") do
not grow, nor does a note without case, and nothing grows over the end of a sentence, a field, a drug or a safe phrase.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from sharewell.notes.detectors.capitals import SENTENCE_WORDS
from sharewell.notes.lexicons import eponyms, words
from sharewell.notes.listed import listed
from sharewell.notes.spans import Span, Text

_LETTERS = r"[^\W\d_]"
_LINKS = "on|by|in|sur|le|la|de|the|of|upon|under|next|cum|en"
_CHAIN = re.compile(
    rf"(?:[-‐‑](?:(?:{_LINKS})[-‐‑]){{0,3}}(?P<part>{_LETTERS}+)|['’ʼ](?P<tail>{_LETTERS}{{3,}}))(?!['’](?!s\b)|\w)"
)
_BEFORE = re.compile(rf"(?<![\w'’-])(?:(?P<part>{_LETTERS}+)[-‐‑]|(?:[ODLM]|Fa|Mc|Ní|d|o)['’ʼ])$")
_PARTICLES = re.compile(r"(?<![\w'’-])(?:(?:van|von|de|der|del|della|dos|ter) |(?<=[A-Z]\. )(?:ten|den|la|le) ){1,2}$")
_INITIALS = re.compile(r"(?<![\w.'’/^])(?<!\d )(?:[A-ZÀ-Þ]\.[ -]?){1,3}$|(?:^|\n|(?<=[,;:(] ))[B-HJ-Z] $")
"""What stands before a surname: J. de Boer, P.-A. Roche, D Whitcombe."""
_NEXT = re.compile(
    rf"(?:['’]s)?(?: | & | and (?={_LETTERS}+(?:s|ers)\b)"
    rf"|[-‐‑])(?P<word>{_LETTERS}[\w’'-]*?)(?:['’]s)?(?![\w-])(?!['’]\w)(?!:)"
)
_LAST = re.compile(rf"(?<=[\w,;(&] )(?P<word>{_LETTERS}[\w’'-]*)(?: | & )$")
_JOINTS = frozenset("-‐‑'’ʼ")
_JOINTS_BEFORE = _JOINTS | {"\n"}  # a pattern's end may stand before a line break
_KINDS = ("NAME", "PLACE", "ORGANISATION", "OTHER")
_REACH = 3
_SYLLABLES = listed(
    "woo won young hee min ho jin sook ja mi soo su ah eun kyung hyun jun joon seok hwan chul sun hwa bin ling mei ming"
)
"""Second syllables of given names that are words too: Min-jun, Seo-young."""
_KOREAN = 14
Phrases = Sequence[tuple[int, int]]
"""Ends and beginnings of safe phrases, in order."""
_STOPS = SENTENCE_WORDS | listed(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep
    sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat
    sun
    date dob age sex name phone tel fax mrn ssn id address email male female reason exam history plan diagnosis
    assessment impression allergies medications meds procedure findings indication comparison technique result results
    vitals labs hx pmh fh sh ros pe hpi cc rx dx tx nkda signed dictated electronically attending provider doctor nurse
    room bed ward unit floor service insurance policy group member account number page left right bilateral upper lower
    iv po im sc prn stat admit admitted discharged ed er icu
    """
)
_ROLES = listed(
    """
    dr mr mrs ms miss prof mother father sister brother son daughter wife husband aunt uncle nurse midwife doula student
    consultant physician registrar intern resident manager coordinator interpreter cousin grandmother grandfather
    caregiver carer captain sergeant officer judge father brother rev pastor imam rabbi lady sir baby twin pt patient
    """
)


def whole(text: Text, spans: Sequence[Span], safe: Sequence[Span] = ()) -> list[Span]:
    """Spans of names and places, grown over what is joined to them; still in order and without overlap.

    >>> [(s.start, s.end) for s in whole(Text("Ann Mokoena-Black came"), [Span(0, 11, "NAME", 0.7)])]
    [(0, 17)]
    """
    phrases = sorted([(phrase.end, phrase.start) for phrase in safe])
    kept: list[Span] = []
    since = 0
    for at, span in enumerate(spans):
        if span.kind in _KINDS:
            until = spans[at + 1].start if at + 1 < len(spans) else len(text)
            start, end = _back(text, span, since, phrases), _on(text, span, until, phrases)
            if not text.caseless:
                start, end = _titled(text, span.kind, start, end, since, until, phrases)
            if start < span.start or end > span.end:
                span = Span(start, end, span.kind, span.certainty, span.reason)
        kept.append(span)
        since = span.end
    return kept


def _on(text: str, span: Span, until: int, safe: Phrases) -> int:
    end = span.end
    if text[end : end + 1] not in _JOINTS:
        return end
    while (match := _CHAIN.match(text, end)) and match.end() <= until:
        part = match["part"] or match["tail"]
        syllable = match["part"] is not None and part in _SYLLABLES and end - span.start < _KOREAN
        if not (syllable or _joins(part, part[0].isupper() and match["part"] is not None)) or _is_safe(
            end, match.end(), safe
        ):
            break
        end = match.end()
    return end


def _back(text: str, span: Span, since: int, safe: Phrases) -> int:
    start = span.start
    if span.kind == "NAME" and text[start : start + 1].isupper():
        if text[max(0, start - 2) : start].endswith((" ", "\n")):
            match = _PARTICLES.search(text, max(since, start - 14), start)
            start = match.start() if match else start
        if not text[max(0, start - 2) : start].strip(" \n-").islower():  # a dot or a capital
            match = _INITIALS.search(text, max(since, start - 9), start)
            if match and not _is_safe(match.start(), start, safe):
                start = match.start()
    if text[max(0, start - 1) : start] not in _JOINTS_BEFORE:
        return start
    while match := _BEFORE.search(text, max(since, start - 24), start):
        part = match["part"]
        if (part is not None and not _joins(part, part[0].isupper())) or _is_safe(match.start(), start, safe):
            break
        start = match.start()
    return start


def _titled(text: Text, kind: str, start: int, end: int, since: int, until: int, safe: Phrases) -> tuple[int, int]:
    """Over capitalised words beside it; backwards only for places and organisations, inside a sentence."""
    for _ in range(_REACH if _may_go_on(text, end) else 0):
        match = _NEXT.match(text, end)
        if not match or match.end() > until or not _goes_on(match["word"]) or _is_safe(end, match.end(), safe):
            break
        end = match.end()
    for _ in range(_REACH if kind in ("PLACE", "ORGANISATION") else 0):
        match = _LAST.search(text, max(since, start - 24), start)
        if not match or not _goes_on(match["word"]) or match["word"].lower() in _ROLES:
            break
        if _is_safe(match.start("word"), start, safe):
            break
        start = match.start("word")
    tail = _TAIL.match(text, end)
    if tail and tail.end() <= until and not _is_safe(end, tail.end(), safe) and not tail[0].endswith("MD"):
        end = tail.end()
    the = _THE.search(text, max(since, start - 4), start) if kind == "ORGANISATION" else None
    return the.start() if the else start, end


def _may_go_on(text: str, end: int) -> bool:
    """A quick look: a blank and a capital, or another sign that joins words."""
    sign, after = text[end : end + 1], text[end + 1 : end + 2]
    return after.isupper() or after == "&" if sign == " " else sign in _JOINTS


def _goes_on(word: str) -> bool:
    """Written like a part of a name, and no word that begins something else."""
    lower = word.lower()
    if not word[0].isupper() or word.isupper() or not word.isalpha() or lower in _STOPS or lower in _ROLES:
        return False
    return len(word) > 2 and not (lower in eponyms() and eponyms()[lower] is False)


def _joins(part: str, titled: bool) -> bool:
    """In title case, or no common word."""
    level = words().get(part.lower(), "9")
    return (titled and not part.isupper()) or (level > "3" and not part.isupper()) or (titled and level > "2")


_THE = re.compile(r"(?<![\w])The $")
_TAIL = re.compile(r" (?:PD|ED|MD|RH|NH|UK|Jr|Sr|II|III|IV|K-8|K-12)(?![\w-])")
"""What is written in capitals and ends a name: police departments, royal hospitals, sons."""


def _is_safe(start: int, end: int, safe: Phrases) -> bool:
    """Does a safe phrase have a part in it?"""
    at = bisect_left(safe, (start + 1, 0))
    return any(begins < end for _, begins in safe[at : at + 4])
