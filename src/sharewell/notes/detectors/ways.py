"""Places along roads: highways by their number in any case, mile markers, and so many miles north of somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.notes.engine.gazetteer import places, plain
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

_NO_DOSE = r"(?![\w/]|\.\d|-\d| ?(?:mg|ml|mcg|units?|%|x/|times|days?|h\b))"
_HIGHWAY = re.compile(
    r"(?:hwy|highway|rte|interstate|(?<!en )route"
    r"|(?:county|state|ranch|forest|township) (?:road|rd)|farm[ -]to[ -]market(?: road| rd)?|bia(?: road| route)?)"
    rf"\.? ?#?(?:[a-z]{{1,2}}-?)?\d{{1,4}}[a-z]?{_NO_DOSE}(?: (?:north|south|east|west|nb|sb|eb|wb))?"
)
_HIGHWAY_WORDS = listed("state county hwy highway rte interstate route farm ranch forest township bia")
_MILE = re.compile(r"(?:mile ?(?:marker|post)|milepost|milemarker)s? ?#?\d{1,4}(?:\.\d)?\b")
_MILE_WORDS = listed("mile milepost milemarker")
_WAY = r"(?:north|south|east|west|n|s|e|w|ne|nw|se|sw|north-?east|north-?west|south-?east|south-?west)"
_FAR = re.compile(
    rf"(?:km|kms|kilomet(?:er|re)s|mi|miles?) (?:{_WAY}(?: of)?|outside(?: of)?|out of|from|past|up|down) "
)
_FAR_WORDS = listed("km kms kilometers kilometres mi mile miles")
_NUMBER = re.compile(r"(?<![\w.,/$])\d{1,3}(?:\.\d)? ?$")
_NAME = re.compile(r"(?:the )?[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}")


def ways(text: Text) -> Iterator[Span]:
    """Highways, mile markers and distances."""
    for match in text.cued(_HIGHWAY, _HIGHWAY_WORDS):
        if not text.folded.endswith("en ", 0, match.start()):
            yield Span(*match.span(), "ADDRESS", 0.6, "road")
    for match in text.cued(_MILE, _MILE_WORDS):
        yield Span(*match.span(), "ADDRESS", 0.62, "road")
    for match in text.cued(_FAR, _FAR_WORDS):
        number = _NUMBER.search(text, max(0, match.start() - 6), match.start())
        end = _place_end(text, match.end())
        if number and end:
            yield Span(number.start(), end, "ADDRESS", 0.6, "so far from a place")


def _place_end(text: Text, start: int) -> int:
    """Where a place ends that begins here; 0 if none does."""
    match = _NAME.match(text, start) if not text.caseless else None
    if match:
        return match.end()
    at = text.starts.get(start)
    if at is None:
        return 0
    count, _ = places().at([plain(word) for word in text.lowered[at : at + 4]])
    return text.tokens[at + count - 1].end if count and text.caseless else 0
