"""A name that is certain in one note of a person is replaced in all notes of that person, in any case of letters.

"Mrs. Szczepanska" tells a detector more than "szczepanska eating well" does. Parts of names that are no words of
English are looked for in any case; those that are (Young, White) only with a capital inside a sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.lexicons import eponym_words, words
from sharewell.notes.engine.spans import Span, Text, Token

_SURE, _SPREAD = 0.75, 0.7
"""How certain a name must be to count in other notes, and how certain it is there."""
_PLACED = frozenset(("PLACE", "ORGANISATION", "OTHER"))
"""Kinds that lose against a name of another note, unless they are as certain."""
_SHORTEST = 4
_ENDS = frozenset(".!?:;\n")


def spread_sure_names(texts: Sequence[Text], spans_by_note: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """The spans of each note, with names that are certain in the other notes. O(names × notes) look-ups."""
    parts = {
        text.lowered[index]
        for text, spans in zip(texts, spans_by_note, strict=True)
        for span in spans
        if span.kind == "NAME" and span.certainty >= _SURE
        for index in _tokens(text, span)
    }
    telling = [
        part
        for part in sorted(parts)
        if len(part) >= _SHORTEST and part.isalpha() and plain(part) not in eponym_words()
    ]
    return [_with(text, spans, telling) for text, spans in zip(texts, spans_by_note, strict=True)]


def _with(text: Text, spans: Sequence[Span], names: Sequence[str]) -> list[Span]:
    hits = [index for name in names for index in text.positions.get(name, ()) if _is_name(text, index)]
    named_tokens = [text.tokens[index] for index in hits]
    named = {(token.start, token.end) for token in named_tokens}
    spans = [s for s in spans if s.certainty >= _SPREAD or s.kind not in _PLACED or (s.start, s.end) not in named]
    starts = [span.start for span in spans]
    free = [token for token in named_tokens if _is_free(token, spans, starts)]
    more = [Span(t.start, t.end, "NAME", _SPREAD, "named in another note of the person") for t in free]
    return sorted([*spans, *more], key=lambda span: span.start) if more else list(spans)


def _is_free(token: Token, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    """Does no span touch a token? They are in order and apart: the last that begins before its end decides."""
    before = bisect_left(starts, token.end) - 1
    return before < 0 or spans[before].end <= token.start


def _is_name(text: Text, index: int) -> bool:
    if words().get(text.lowered[index], "") not in ("1", "2", "3"):
        return True
    in_sentence = index > 0 and _ENDS.isdisjoint(text.breaks[index])
    return in_sentence and text.written[index][0].isupper() and not text.caseless


def _tokens(text: Text, span: Span) -> range:
    first = text.starts.get(span.start)
    if first is None:
        return range(0)
    end = first
    while end < len(text.tokens) and text.tokens[end].start < span.end:
        end += 1
    return range(first, end)
