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

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from sharewell.notes.annotation.features import of_word
from sharewell.notes.engine.spans import Span, Text

NOTHING, EDGE = "-", "edge"
SINGLE, FIRST, INSIDE, LAST = "SBIE"
"""Where in its span a token stands."""
_STEPS = 20
"""The certainty of a rule counts in so many steps."""
Facts = tuple[str, ...]


def evidence(note: Text, won: Sequence[Span], safe: Sequence[Span]) -> dict[int, list[str]]:
    """Token → its facts, of tokens that have any. The spans that won do not overlap."""
    covered = [tokens_of(note, span) for span in won], [tokens_of(note, span) for span in safe]
    return {
        at: [fact for facts in groups for fact in facts] for at, groups in grouped(note, won, safe, *covered).items()
    }


def grouped(
    note: Text, won: Sequence[Span], safe: Sequence[Span], won_tokens: Sequence[range], safe_tokens: Sequence[range]
) -> dict[int, list[Facts]]:
    """The same as groups of facts, each the same tuple wherever the same is said: a model adds up each group once."""
    groups: dict[int, list[Facts]] = {}
    kinds: dict[int, str] = {}
    written = note.written
    for span, covered in zip(won, won_tokens, strict=True):
        kind, reason, sure, last = span.kind, span.reason, int(span.certainty * _STEPS), len(covered) - 1
        for step, at in enumerate(covered):
            part = SINGLE if not last else FIRST if not step else LAST if step == last else INSIDE
            groups[at] = [_of_token(kind, reason, sure, part, written[at])]
            kinds[at] = kind
    _add_beside(groups, kinds, len(note.tokens))
    _add_again(groups, kinds, written)
    for span, covered in zip(safe, safe_tokens, strict=True):
        for at in covered:
            group = _safe(span.reason, kinds.get(at, NOTHING))
            if at in groups:
                groups[at].append(group)
            else:
                groups[at] = [group]
    return groups


@lru_cache(maxsize=1 << 14)
def _of_token(kind: str, reason: str, sure: int, part: str, word: str) -> Facts:
    """What a span says of one of its words."""
    shape, lists = of_word(word)[:2]
    found = (f"rule={kind}|{reason}", f"sure={kind}|{sure}", f"part={kind}|{part}")
    return (*found, f"looks={reason}|{shape} {lists}", f"partof={reason}|{part}")


@lru_cache(maxsize=1 << 12)
def _safe(reason: str, kind: str) -> Facts:
    return f"safe={reason}", f"safely={kind}"


def _add_beside(groups: dict[int, list[Facts]], kinds: dict[int, str], count: int) -> None:
    """The kinds of a token and of its neighbours, where one of them has any."""
    near = kinds.keys() | {at - 1 for at in kinds} | {at + 1 for at in kinds}
    get = kinds.get
    for at in near - {-1, count}:
        before = get(at - 1, NOTHING) if at else EDGE
        after = get(at + 1, NOTHING) if at + 1 < count else EDGE
        if at in kinds:
            groups[at].append(_beside(before, kinds[at], after))
        else:
            groups[at] = [_beside(before, NOTHING, after)]


def _add_again(groups: dict[int, list[Facts]], kinds: dict[int, str], written: Sequence[str]) -> None:
    """Words that no rule touches here, but elsewhere in the note."""
    found = {written[at]: kind for at, kind in kinds.items() if len(written[at]) > 2 and written[at][0].isupper()}
    if found:
        for at, word in enumerate(written):
            if word in found and at not in kinds:
                groups.setdefault(at, []).append(_again(found[word]))


@lru_cache(maxsize=64)
def _again(kind: str) -> Facts:
    return (f"again={kind}",)


@lru_cache(maxsize=1 << 12)
def _beside(before: str, own: str, after: str) -> Facts:
    ahead = (f"ahead={before}|{own}",) if own != NOTHING or before != NOTHING else ()
    return (*ahead, f"behind={own}|{after}") if own != NOTHING or after != NOTHING else ahead


def tokens_of(note: Text, span: Span) -> range:
    """The tokens that a span touches."""
    begins = note.token_starts
    first = bisect_right(begins, span.start) - 1
    if first < 0:
        first = 0
    elif begins[first] != span.start and note.tokens[first][1] <= span.start:  # inside of a word, or before one
        first += 1
    return range(first, max(first, bisect_left(begins, span.end)))
