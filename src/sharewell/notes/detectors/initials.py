"""Initials that stand for a person, told by what is said of them: "Patient: MSM, 93F", "AHP is a 40-year-old",
"Site marked MNB.", "reviewed at conference (DG, IB)", "Comfortable. RJ 1-21", "B.D.I./mbl", "please renew - JG".

Two or three capitals are an acronym far more often, so the form of the sentence decides, and where it leaves a doubt
acronyms of the clinic are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from sharewell.notes.detectors.acronyms import ACRONYMS
from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import TITLES, listed

_PERSON = (
    r"man|woman|male|female|boy|girl|gentleman|lady|student|teacher|nurse|veteran|retiree|widow|widower|child|infant"
    r"|engineer|worker|driver|farmer|patient|resident|homemaker|smoker|nonsmoker"
)
_OF_AGE = re.compile(
    r"\b(?i:patient|pt|client|subject|participant|name)[.:]? (?P<who>[A-Z]{2,3})"
    r"(?=,? ?\(?\d{1,3} ?(?:[MFmf]\b|y)|[,;] (?i:mrn|dob|rm|room|bed)\b)"
)
"""Patient: MSM, 93F."""
_IS_SOMEBODY = re.compile(
    rf"(?P<who>[A-Z]{{2,3}}) (?i:is|was) (?i:an?) (?:\d{{1,3}}[ -]?(?i:y|m\b|f\b)|(?i:(?:\w+ ){{0,2}}(?:{_PERSON})\b))"
)
"""AHP is a graduate student."""
_DID = re.compile(
    r"\b(?i:tech(?:nologist)?|gross(?:ing|ed)|site marked|marked|run by|drawn by|done by|collected by|scribe)[:.]? ?"
    r"(?P<who>[A-Z]{2,3})(?=[.;)]|, | \(|[ \t]*(?:\n|\Z)|  )"
)
"""Tech: SG., Site marked MNB."""
_THEN_DAY = re.compile(
    r"[.!?)] (?P<who>[A-Z]{2,3}|[b-df-hj-np-tv-z]{2,3}) (?=\d{1,2}[-/]\d{1,2}(?:[-/]\d{2,4})?[ \t]*(?:\n|\Z))"
)
"""… resting. RJ 1-21 at the end of a line."""
_TYPIST = re.compile(r"(?:[A-Z]\.){2,3}/(?P<who>[a-z]{2,3})(?!\w)")
_TOGETHER = re.compile(
    r"\b(?i:conference|consensus|concur\w*|agree\w*|reviewed)\b[^\n.]{0,30}"
    r"\((?P<who>[A-Z]{2,3}(?:[,/&] ?[A-Z]{2,3}){1,3})\)"
)
_LAST = re.compile(r"(?<=[\w.!?]) ?[-–—] ?(?P<who>[A-Z]{2,3})[ \t]*\Z")
_LAST_OF_LINE = re.compile(r"[.!?] [-–—] ?(?P<who>[A-Z]{2})[ \t]*\n")
_SAID = re.compile(
    r"(?P<who>[A-Z]{2,3}) (?:signed|wrote|entered|ordered|charted|dictated|cosigned|co-signed|documented)\b"
)
_ENTITLED = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? (?P<who>[A-Z]{2,3})(?=[,.;:)]| [a-z(]|[ \t]*(?:\n|\Z))")
"""Mrs PE."""
_FARE_WELL = re.compile(r"[,.!\n] ?[ \t]*(?P<who>[A-Z]\. ?[A-Z]\.)[ \t]*\Z")
_NO_FARE_WELL = listed("md do rn pa np pc ms bs ma us uk dc")
_LOOSE = frozenset(("marked", "reviewed"))
"""Words that stand before acronyms as often."""
_WHO = listed("patient pt client subject participant name")
_DOERS = listed("tech technologist grossing grossed site marked run drawn done collected scribe")
_TALKED = listed("conference consensus concur concurs concurred agree agrees agreed reviewed")
_SAYING = listed("signed wrote entered ordered charted dictated cosigned co documented")
_BEING = listed("is was")


def initials(text: Text) -> Iterator[Span]:
    """What stands for a person, in a note whose capitals tell something."""
    tokens = text.tokens
    for match in _TYPIST.finditer(text) if "./" in text else ():
        yield Span(*match.span("who"), "NAME", 0.66, "initials of who typed it")
    if text.caseless:
        return
    for pattern, first in ((_OF_AGE, _WHO), (_DID, _DOERS), (_TOGETHER, _TALKED), (_ENTITLED, TITLES)):
        for at in text.where(first):
            said = pattern.match(text, tokens[at].start)
            if said and (text.lowered[at] not in _LOOSE or any(map(_free, re.findall("[A-Z]+", said["who"])))):
                yield Span(*said.span("who"), "NAME", 0.66, "initials of a person")
    for pattern, later in ((_IS_SOMEBODY, _BEING), (_SAID, _SAYING)):
        for at in text.where(later):
            told = pattern.match(text, tokens[at - 1].start) if at else None
            if told and _free(told["who"]):
                yield Span(*told.span("who"), "NAME", 0.64, "initials of a person")
    farewell = _FARE_WELL.search(text, max(0, len(text) - 12))
    if farewell and re.sub(r"\W", "", farewell["who"]).lower() not in _NO_FARE_WELL:
        yield Span(*farewell.span("who"), "NAME", 0.66, "initials that sign")
    last = _LAST.finditer(text, max(0, len(text) - 12))
    for match in chain(_THEN_DAY.finditer(text), _LAST_OF_LINE.finditer(text), last):
        if _free(match["who"]):
            yield Span(*match.span("who"), "NAME", 0.64, "initials that sign")


def _free(said: str) -> bool:
    """Neither an acronym of the clinic nor a word."""
    return said.lower() not in ACRONYMS and words().get(said.lower(), "9") > "2"
