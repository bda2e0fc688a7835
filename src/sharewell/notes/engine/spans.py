"""Pieces of a note: tokens, spans with their certainty, and the contest of overlapping spans.

Offsets are half-open, in characters. Detectors work independently; where two of them claim the same characters the more
certain one wins, and the longer one on a tie (Sweeney's Scrub, 1996). What the loser claimed besides stays claimed, so
that a contest never uncovers anything.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import accumulate, count
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeVar, cast

KINDS = (
    *("NAME", "DATE", "AGE", "PLACE", "ADDRESS", "ORGANISATION", "PHONE", "EMAIL", "URL", "IP", "SSN", "ID"),
    *("DRUG", "DOSE", "OTHER"),
)
"""What a span may be."""

USUAL_CERTAINTY = 0.12
"""The usual threshold: what is less certain to identify somebody is left in the text."""

SAFE = "SAFE"
"""The kind of a safe phrase: it competes like the others, and what it wins is left as it is."""

View = Literal["folded", "named", "written"]
"""How a rule sees a note: in lower case, with capitals for what may be a name, or as it is written."""

Answer = TypeVar("Answer")
_TOKEN = re.compile(r"[^\W_]+")
_PIECES = re.compile(r"([^\W_]+)")
_DIGITS = re.compile(r"\d+")
_BEGINS = re.compile(r"[^\W_]+|[^\s]")
_UPPER, _LOWER = (bytes(range(first, first + 26)) for first in b"Aa")
_BEYOND = re.compile(r"[^\x00-\x7f]")
_FEW = 0.08
_TITLED = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]")
"""A capital and a small letter."""
_WRAP = re.compile(r"\n(?<=[^\n]{40}\n)(?=[^\s•*>-])")


class Token(NamedTuple):
    """An alphanumeric run: where it is, and its lower-case form."""

    start: int
    end: int
    lower: str


_MAKE_TOKEN: partial[Token] = partial(tuple.__new__, Token)
"""Quicker than Token(…)."""


@dataclass(slots=True, unsafe_hash=True)
class Span:
    """A piece of a note that a detector claims. `reason` names the rule; it never quotes the text.

    Nothing changes one; it is not frozen because a hundred a note are made, each four times as slowly if it were.
    """

    start: int
    end: int
    kind: str
    certainty: float
    reason: str = ""

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class _Lists:
    """Lists that detectors ask for, turned about: a word → the lists that have it. A hundred lists are asked for each
    note, most of which have none of its words."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.having: dict[str, list[int]] = {}
        self._asked: Counter[int] = Counter()
        self._kept: list[AbstractSet[str]] = []  # so that no other list gets the identity of one that is gone

    def number(self, listed: AbstractSet[str]) -> int:
        """A number for a list that is asked for again and again and does not change; others, and very long ones, get
        none."""
        if not isinstance(listed, frozenset) or len(listed) > _LONG_LIST or len(self.numbers) >= _MANY_LISTS:
            return _MANY_LISTS
        self._asked[id(listed)] += 1
        if self._asked[id(listed)] < _SELDOM:
            return _MANY_LISTS
        number = len(self.numbers)
        for word in listed:
            self.having.setdefault(word, []).append(number)
        self._kept.append(listed)
        self.numbers[id(listed)] = number
        return number


_LONG_LIST = 10_000
_SELDOM = 4
"""So few notes do not pay for turning a list about."""
_MANY_LISTS = 1_000
_LISTS = _Lists()
_NUMBERS = _LISTS.numbers


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
    def named(self) -> str:
        """As written; where case tells nothing, in small letters, with a capital for every word that English hardly
        knows: what may be a name looks like one. A line break that only wraps a long line is a blank."""
        if not self.caseless:
            return _WRAP.sub(" ", self)
        pieces = _PIECES.split(self.folded)
        pieces[1::2] = map(_as_name, pieces[1::2])
        return "".join(pieces)

    def seen(self, view: View) -> str:
        """As a rule sees it."""
        return self.folded if view == "folded" else self if view == "written" else self.named

    @cached_property
    def _pieces(self) -> list[str]:
        """What is between tokens and the tokens, in turn: it begins and ends with what is between."""
        return _PIECES.split(self)

    @cached_property
    def written(self) -> list[str]:
        """The alphanumeric runs as written, in order."""
        return self._pieces[1::2]

    @cached_property
    def breaks(self) -> list[str]:
        """What stands before each token, after the one before it, as written; nothing before the first."""
        return ["", *self._pieces[2:-1:2]] if len(self._pieces) > 1 else []

    @cached_property
    def gaps(self) -> list[str]:
        """The same, with a blank for a line break that only wraps a line."""
        low, tokens, breaks = self.folded, self.tokens, self.breaks
        if self.count("\n") == low.count("\n"):
            return breaks
        return [
            low[tokens[index - 1][1] : tokens[index][0]] if "\n" in between else between
            for index, between in enumerate(breaks)
        ]

    @cached_property
    def lowered(self) -> list[str]:
        """The tokens in lower case."""
        return list(map(str.lower, self.written)) if self.isascii() else _TOKEN.findall(self.folded)

    @cached_property
    def _piece_ends(self) -> list[int]:
        return list(accumulate(map(len, self._pieces)))

    @cached_property
    def tokens(self) -> list[Token]:
        """The alphanumeric runs, in order."""
        return list(map(_MAKE_TOKEN, zip(self.token_starts, self.token_ends, self.lowered, strict=False)))

    @cached_property
    def token_starts(self) -> list[int]:
        """Where each token begins, in order."""
        return self._piece_ends[:-1:2]

    @cached_property
    def token_ends(self) -> list[int]:
        """Where each token ends, in order."""
        return self._piece_ends[1::2]

    @cached_property
    def capitals(self) -> list[int]:
        """Which tokens begin with a capital, in order."""
        return [index for index, word in enumerate(self.written) if word[0].isupper()]

    @cached_property
    def positions(self) -> dict[str, list[int]]:
        """Word → which tokens it is."""
        indices: dict[str, list[int]] = {}
        for index, word in enumerate(self.lowered):
            indices.setdefault(word, []).append(index)
        return indices

    @cached_property
    def starts(self) -> dict[int, int]:
        """Where a token begins → which one it is."""
        return dict(zip(self.token_starts, count()))

    @cached_property
    def digits(self) -> list[tuple[int, int]]:
        """Where runs of digits are."""
        return [match.span() for match in _DIGITS.finditer(self)]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """Where runs of letters, digits and dashes, slashes, dots and brackets are that hold a digit and may be codes:
        no short number alone, no amount of money, no part of a longer number or address."""
        return list(_code_runs(self.folded, self.digits))

    @cached_property
    def phrases(self) -> dict[tuple[str, bool], list[tuple[int, int]]]:
        """Where the phrases of gazetteers are, each looked for once: (gazetteer, with a capital?) → places."""
        return {}

    @cached_property
    def beginnings(self) -> dict[object, list[int]]:
        """Gazetteer → the tokens that one of its entries may begin at, looked for once."""
        return {}

    @cached_property
    def cues(self) -> dict[object, tuple[dict[int, Sequence[Any]], list[int]]]:
        """Where cues of rules are and which rules to try, for each collection of rules (`matcher.cues`)."""
        return {}

    @cached_property
    def ends(self) -> dict[str, list[int]]:
        """Detector → where what it finds ends, found once."""
        return {}

    def remembered(self, about: Callable[[Text], Answer]) -> Answer:
        """What a function says of all of the note, asked once: rules that ask for it again and again stay linear."""
        answers = self.__dict__.setdefault("_answers", {})
        if about not in answers:
            answers[about] = about(self)
        return cast("Answer", answers[about])

    @cached_property
    def begins(self) -> list[int]:
        """Where words begin and where signs are, in order."""
        return [match.start() for match in _BEGINS.finditer(self)]

    @property
    def words(self) -> AbstractSet[str]:
        """The tokens, each once: a quick look whether a word occurs at all."""
        return self.positions.keys()

    @cached_property
    def _distinct(self) -> frozenset[str]:
        return frozenset(self.positions)

    @cached_property
    def _by_list(self) -> tuple[int, dict[int, list[str]]]:
        """How many lists were known, and for each that has words of this text: which."""
        words_by_list: dict[int, list[str]] = {}
        having = _LISTS.having
        for word in self.positions:
            for number in having.get(word, ()):
                if number in words_by_list:
                    words_by_list[number].append(word)
                else:
                    words_by_list[number] = [word]
        return len(_LISTS.numbers), words_by_list

    def where(self, listed: AbstractSet[str]) -> list[int]:
        """Which tokens are words of a list (for a dict: its keys()), in order."""
        many, by_list = self._by_list
        number = _NUMBERS.get(id(listed), -1)
        if number < 0:
            number = _LISTS.number(listed)
        hits = by_list.get(number, ()) if number < many else self._distinct & listed
        if not hits:
            return []
        positions = self.positions
        return sorted([index for word in hits for index in positions[word]])

    def where_plain(self, listed: AbstractSet[str]) -> list[int]:
        """Which tokens are words of a list that is written without accents, in order."""
        exact = self.where(listed)
        if self.isascii():
            return exact
        from sharewell.notes.engine.gazetteer import plain

        odd = [word for word in self.positions if not word.isascii() and plain(word) in listed]
        return sorted({*exact, *(index for word in odd for index in self.positions[word])})

    def cued(self, pattern: re.Pattern[str], first: AbstractSet[str]) -> Iterator[re.Match[str]]:
        """Matches of a pattern over the folded text whose first token is one of some words: much quicker than trying
        every place."""
        low, tokens, last_end = self.folded, self.tokens, 0
        for index in self.where(first):
            start = tokens[index][0]
            if start >= last_end and (match := pattern.match(low, start)):
                last_end = match.end()
                yield match

    @cached_property
    def upper_share(self) -> float:
        """How much of the letters is upper case."""
        plain, beyond = self.encode("ascii", "ignore"), () if self.isascii() else _BEYOND.findall(self)
        upper = len(plain) - len(plain.translate(None, _UPPER)) + sum(map(str.isupper, beyond))
        lower = len(plain) - len(plain.translate(None, _LOWER)) + sum(map(str.islower, beyond))
        return upper / (upper + lower) if upper else 0.0

    @cached_property
    def caseless(self) -> bool:
        """Is it shouted, or all in lower case? Then capitals tell nothing."""
        share = self.upper_share
        return share > 0.6 or (len(self) > 20 and (share < 0.004 or (share < _FEW and not _TITLED.search(self))))


@lru_cache(maxsize=1 << 14)
def _as_name(word: str) -> str:
    from sharewell.notes.engine.lexicons import words
    from sharewell.notes.engine.word_lists import lexicon

    if words().get(word, "9") <= "2" or not word.isalpha() or word in lexicon("capitals_sentence_words"):
        return word
    return titled if len(titled := word[0].upper() + word[1:]) == len(word) else word


def _code_runs(low: str, digits: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    past = 0
    for digit, until in digits:
        if digit < past:
            continue
        before, after = low[digit - 1 : digit], low[until : until + 1]
        if until - digit < 5 and not (before.isalnum() or after.isalnum() or before in _JOINED or after in _JOINED):
            past = until  # a short number by itself, as most are
            continue
        first = digit
        while first > past and digit - first < _RUN_REACH and (low[first - 1].isalnum() or low[first - 1] in _JOINED):
            first -= 1
        past = _RUN.match(low, digit).end()  # type: ignore[union-attr]
        start, end = _without_signs(low, first, past)
        sign, beyond = low[start - 1 : start], low[end : end + 1]
        grouped = sign == "," and low[start - 2 : start - 1].isdigit() and low[start : start + 3].isdigit()
        if end - start > 4 and sign not in _MONEY and beyond != "@" and not grouped:
            yield start, end


_JOINED, _MONEY = frozenset("-/_.:()#"), frozenset("$£€@+%")
_RUN = re.compile(r"[\w/.:()#-]{0,64}")
_RUN_REACH = 40


def _without_signs(low: str, start: int, end: int) -> tuple[int, int]:
    """Without signs around; brackets stay if both are inside."""
    while end > start and low[end - 1] in "-/_.:(#":
        end -= 1
    while start < end and (
        low[start] in "-/_.:)#" or (low[start] == "(" and low.find(")", start, end) in (-1, end - 1))
    ):
        start += 1
    while end > start and (low[end - 1] in "-/_.:(#" or (low[end - 1] == ")" and "(" not in low[start:end])):
        end -= 1
    return start, end


def tokens(text: str) -> list[tuple[int, int]]:
    """Where the Unicode alphanumeric runs of a text are.

    >>> tokens("Dr. O'Neil, S16-412")
    [(0, 2), (4, 5), (6, 10), (12, 15), (16, 19)]
    """
    return [match.span() for match in _TOKEN.finditer(text)]


def resolve_overlaps(spans: Iterable[Span], protected: Sequence[Span] = (), text: str | None = None) -> list[Span]:
    """Spans that do not overlap, in order. Protected phrases compete too, and what they win is not in the result.

    With the text at hand, remainders without any token (a comma, a blank) are dropped.

    >>> [(span.start, span.end) for span in resolve_overlaps([Span(8, 20, "ADDRESS", 0.6), Span(0, 12, "DATE", 0.9)])]
    [(0, 12), (12, 20)]
    """
    won: list[Span] = []
    cluster: list[Span] = []
    end = 0
    for span in sorted((*spans, *protected), key=_BEGIN):  # only those that touch each other compete
        if span.start >= end and cluster:
            won += _contest(cluster, end, text)
            cluster = []
        cluster.append(span)
        if span.end > end:
            end = span.end
    return [*won, *_contest(cluster, end, text)]


_BEGIN = attrgetter("start")


def _rank(span: Span) -> tuple[float, int, int, bool]:
    """The lowest wins: the most certain, then the longest."""
    return -span.certainty, span.start - span.end, span.start, span.kind != SAFE


def _contest(cluster: Sequence[Span], end: int, text: str | None) -> list[Span]:
    """The winners of one cluster of spans, which goes on to an end."""
    if len(cluster) == 1:
        return [span for span in cluster if span.end > span.start and span.kind != SAFE]
    ranked = sorted(cluster, key=_rank)
    if ranked and ranked[0].start == cluster[0].start < end == ranked[0].end:  # the winner takes it all
        return [] if ranked[0].kind == SAFE else [ranked[0]]
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
    others = taken[first : bisect_left(starts, span.end)]
    over = [(other.start, other.end) for other in others if span.start < other.end and other.start < span.end]
    if not over:
        return [span]
    pieces, start_of_rest = [], span.start
    for start, end in (*over, (span.end, span.end)):
        if start > start_of_rest:
            pieces.append((start_of_rest, start))
        start_of_rest = max(start_of_rest, end)
    if text is not None:
        pieces = [_trimmed(text, *piece) for piece in pieces if _TOKEN.search(text, *piece)]
    return [Span(start, end, span.kind, span.certainty, span.reason) for start, end in pieces]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    matches = list(_TOKEN.finditer(text, start, end))
    return matches[0].start(), matches[-1].end()
