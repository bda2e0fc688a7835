"""Pieces of a note: tokens, spans with their certainty, and the contest of overlapping spans.

Offsets are half-open, in characters. Detectors work independently; where two of them claim the same characters the more
certain one wins, and the longer one on a tie (Sweeney's Scrub, 1996). What the loser claimed besides stays claimed, so
that a contest never uncovers anything.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

KINDS = (
    "NAME",
    "DATE",
    "AGE",
    "PLACE",
    "ADDRESS",
    "ORGANISATION",
    "PHONE",
    "EMAIL",
    "URL",
    "IP",
    "SSN",
    "ID",
    "DRUG",
    "DOSE",
    "OTHER",
)
"""What a span may be."""

SAFE = "SAFE"
"""The kind of a safe phrase: it competes like the others, and what it wins is left as it is."""

_TOKEN = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_UPPER, _LOWER = (bytes(range(first, first + 26)) for first in b"Aa")
_FEW = 0.08
_TITLED = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]")
"""A capital and a small letter."""
_WRAP = re.compile(r"\n(?<=[^\n]{40}\n)(?=[^\s•*>-])")


class Token(NamedTuple):
    """An alphanumeric run: where it is, and its lower-case form."""

    start: int
    end: int
    lower: str


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a note that a detector claims. `reason` names the rule; it never quotes the text."""

    start: int
    end: int
    kind: str
    certainty: float
    reason: str = ""

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class Text(str):
    """A note that remembers its tokens. Detectors take any string, and share this work when they are given a Text."""

    @classmethod
    def of(cls, text: str) -> Text:
        return text if isinstance(text, cls) else cls(text)

    @cached_property
    def folded(self) -> str:
        """In lower case, with the same offsets; a line break that only wraps a long line is a blank."""
        lower = self.lower()
        if len(lower) != len(self):  # a letter whose lower-case form is longer stays as it is
            lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in self)
        return _WRAP.sub(" ", lower)

    @cached_property
    def tokens(self) -> list[Token]:
        """The alphanumeric runs, in order."""
        return [tuple.__new__(Token, (m.start(), m.end(), m[0])) for m in _TOKEN.finditer(self.folded)]  # quicker so

    @cached_property
    def positions(self) -> dict[str, list[int]]:
        """Word → which tokens it is."""
        found: dict[str, list[int]] = {}
        for at, token in enumerate(self.tokens):
            found.setdefault(token[2], []).append(at)
        return found

    @cached_property
    def starts(self) -> dict[int, int]:
        """Where a token begins → which one it is."""
        return {token[0]: at for at, token in enumerate(self.tokens)}

    @cached_property
    def digits(self) -> list[tuple[int, int]]:
        """Where runs of digits are."""
        return [match.span() for match in _DIGITS.finditer(self)]

    @property
    def words(self) -> AbstractSet[str]:
        """The tokens, each once: a quick look whether a word occurs at all."""
        return self.positions.keys()

    @cached_property
    def _distinct(self) -> frozenset[str]:
        return frozenset(self.positions)

    def where(self, listed: AbstractSet[str]) -> list[int]:
        """Which tokens are words of a list (for a dict: its keys()), in order."""
        hits = self._distinct & listed
        if not hits:
            return []
        positions = self.positions
        return sorted([at for word in hits for at in positions[word]])

    def where_plain(self, listed: AbstractSet[str]) -> list[int]:
        """Which tokens are words of a list that is written without accents, in order."""
        found = self.where(listed)
        if self.isascii():
            return found
        from sharewell.notes.gazetteer import plain

        odd = [word for word in self.positions if not word.isascii() and plain(word) in listed]
        return sorted({*found, *(at for word in odd for at in self.positions[word])})

    def cued(self, pattern: re.Pattern[str], first: AbstractSet[str]) -> Iterator[re.Match[str]]:
        """Matches of a pattern over the folded text whose first token is one of some words: much quicker than trying
        every place."""
        low, tokens, past = self.folded, self.tokens, 0
        for at in self.where(first):
            start = tokens[at][0]
            if start >= past and (match := pattern.match(low, start)):
                past = match.end()
                yield match

    @cached_property
    def upper_share(self) -> float:
        """How much of the letters is upper case."""
        if self.isascii():
            signs = self.encode()
            upper, lower = (len(signs) - len(signs.translate(None, case)) for case in (_UPPER, _LOWER))
        else:
            upper, lower = sum(map(str.isupper, self)), sum(map(str.islower, self))
        return upper / (upper + lower) if upper else 0.0

    @cached_property
    def caseless(self) -> bool:
        """Is it shouted, or all in lower case? Then capitals tell nothing."""
        share = self.upper_share
        return share > 0.6 or (len(self) > 20 and (share < 0.004 or (share < _FEW and not _TITLED.search(self))))


def tokens(text: str) -> list[tuple[int, int]]:
    """Where the Unicode alphanumeric runs of a text are.

    >>> tokens("Dr. O'Neil, S16-412")
    [(0, 2), (4, 5), (6, 10), (12, 15), (16, 19)]
    """
    return [match.span() for match in _TOKEN.finditer(text)]


def compete(spans: Iterable[Span], protected: Sequence[Span] = (), text: str | None = None) -> list[Span]:
    """Spans that do not overlap, in order. Protected phrases compete too, and what they win is not in the result.

    With the text at hand, remainders without any token (a comma, a blank) are dropped.

    >>> [(span.start, span.end) for span in compete([Span(8, 20, "ADDRESS", 0.6), Span(0, 12, "DATE", 0.9)])]
    [(0, 12), (12, 20)]
    """
    won: list[Span] = []
    cluster: list[Span] = []
    end = 0
    for span in sorted((*spans, *protected), key=lambda s: s.start):  # only those that touch each other compete
        if span.start >= end and cluster:
            won += _contest(cluster, text)
            cluster = []
        cluster.append(span)
        end = max(end, span.end)
    return [*won, *_contest(cluster, text)]


def _contest(cluster: Sequence[Span], text: str | None) -> list[Span]:
    """The winners of one cluster of spans."""
    if len(cluster) == 1:
        return [span for span in cluster if span.end > span.start and span.kind != SAFE]
    ranked = sorted(cluster, key=lambda s: (-s.certainty, s.start - s.end, s.start, s.kind != SAFE))
    taken: list[Span] = []  # they do not overlap, and stay in order
    starts: list[int] = []
    for span in ranked:
        for piece in _remainders(span, taken, starts, text) if span.end > span.start else ():
            place = bisect_left(starts, piece.start)
            taken.insert(place, piece)
            starts.insert(place, piece.start)
    return [span for span in taken if span.kind != SAFE]


def _remainders(span: Span, taken: Sequence[Span], starts: Sequence[int], text: str | None) -> list[Span]:
    """What nobody has taken yet of a span."""
    first = max(0, bisect_right(starts, span.start) - 1)
    over = [(other.start, other.end) for other in taken[first : bisect_left(starts, span.end)] if span.overlaps(other)]
    if not over:
        return [span]
    pieces, at = [], span.start
    for start, end in (*over, (span.end, span.end)):
        if start > at:
            pieces.append((at, start))
        at = max(at, end)
    if text is not None:
        pieces = [_trimmed(text, *piece) for piece in pieces if _TOKEN.search(text, *piece)]
    return [replace(span, start=start, end=end) for start, end in pieces]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inside = list(_TOKEN.finditer(text, start, end))
    return inside[0].start(), inside[-1].end()
