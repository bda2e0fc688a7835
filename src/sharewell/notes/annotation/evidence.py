"""What the rules say of each token of a note, as facts that a model weighs: which rule won, of which kind and how sure
it is of itself, where in its span the token stands, what the word looks like there, which safe phrases cover it, and
what was found beside it. A token that no rule touches has no facts.

>>> note = Text.of("Seen by Dr. Delgado")
>>> for token, facts in sorted(evidence(note, [Span(12, 19, "NAME", 0.9, "after a title")], []).items()):
...     print(note.written[token], facts[:3])
Dr ['behind=-|NAME']
Delgado ['rule=NAME|after a title', 'sure=NAME|18', 'part=NAME|S']
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

from sharewell.notes.annotation.features import of_word
from sharewell.notes.engine.spans import Span, Text

NOTHING, EDGE = "-", "edge"
SINGLE, FIRST, INSIDE, LAST = "SBIE"
"""Where in its span a token stands."""
_STEPS = 20
"""The certainty of a rule counts in so many steps."""


def evidence(note: Text, won: Sequence[Span], safe: Sequence[Span]) -> dict[int, list[str]]:
    """Token → its facts, of tokens that have any. The spans that won do not overlap."""
    facts: dict[int, list[str]] = {}
    kinds: dict[int, str] = {}
    for span in won:
        covered, kind, written = tokens_of(note, span), span.kind, note.written
        last = len(covered) - 1
        for step, at in enumerate(covered):
            part = SINGLE if not last else FIRST if not step else LAST if step == last else INSIDE
            facts[at] = list(_of_token(kind, span.reason, int(span.certainty * _STEPS), part, written[at]))
            kinds[at] = kind
    for at, fact in _beside(kinds, len(note.tokens)):
        facts.setdefault(at, []).append(fact)
    for span in safe:
        for at in tokens_of(note, span):
            facts.setdefault(at, []).extend((f"safe={span.reason}", f"safely={kinds.get(at, NOTHING)}"))
    return facts


@lru_cache(maxsize=1 << 14)
def _of_token(kind: str, reason: str, sure: int, part: str, word: str) -> tuple[str, ...]:
    """What a span says of one of its words."""
    shape, lists = of_word(word)[:2]
    found = (f"rule={kind}|{reason}", f"sure={kind}|{sure}", f"part={kind}|{part}")
    return (*found, f"looks={reason}|{shape} {lists}", f"partof={reason}|{part}")


def _beside(kinds: dict[int, str], count: int) -> Iterator[tuple[int, str]]:
    """The kinds of a token and of its neighbours, where one of them has any."""
    for at in sorted({near for own in kinds for near in (own - 1, own, own + 1) if 0 <= near < count}):
        own = kinds.get(at, NOTHING)
        before = kinds.get(at - 1, NOTHING) if at else EDGE
        after = kinds.get(at + 1, NOTHING) if at + 1 < count else EDGE
        if own != NOTHING or before != NOTHING:
            yield at, f"ahead={before}|{own}"
        if own != NOTHING or after != NOTHING:
            yield at, f"behind={own}|{after}"


def tokens_of(note: Text, span: Span) -> range:
    """The tokens that a span touches."""
    tokens, first = note.tokens, note.starts.get(span.start, -1)
    if first < 0:  # inside of a word, or before one
        first = max(0, bisect_right(tokens, span.start, key=itemgetter(0)) - 1)
        first += bool(tokens) and tokens[first][1] <= span.start
    last = first
    while last < len(tokens) and tokens[last][0] < span.end:
        last += 1
    return range(first, last)
