"""A name that is sure in one note of a person is hidden in all notes of that person, however it is written there.

"Mrs. Szczepanska" tells a detector more than "szczepanska eating well" does. Parts of names that are no words of
English are looked for in any case; those that are (Young, White) only with a capital inside a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from sharewell.notes.gazetteer import plain
from sharewell.notes.lexicons import eponyms, words
from sharewell.notes.spans import Span, Text

_SURE = 0.75
_SHORTEST = 4
_ENDS = frozenset(".!?:;\n")


def spread(texts: Sequence[Text], found: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """What was found in each note, and names of the other notes. O(names × notes) look-ups."""
    parts = {
        text.lowered[at]
        for text, spans in zip(texts, found, strict=True)
        for span in spans
        if span.kind == "NAME" and span.certainty >= _SURE
        for at in _tokens(text, span)
    }
    telling = [
        part for part in sorted(parts) if len(part) >= _SHORTEST and part.isalpha() and plain(part) not in eponyms()
    ]
    return [_with(text, spans, telling) for text, spans in zip(texts, found, strict=True)]


def _with(text: Text, spans: Sequence[Span], names: Sequence[str]) -> list[Span]:
    hits = [at for name in names for at in text.positions.get(name, ()) if _is_name(text, at)]
    own = [text.tokens[at] for at in hits]
    free = [t for t in own if not any(span.start < t.end and t.start < span.end for span in spans)]
    more = [Span(t.start, t.end, "NAME", 0.7, "named in another note of the person") for t in free]
    return sorted([*spans, *more], key=lambda span: span.start) if more else list(spans)


def _is_name(text: Text, at: int) -> bool:
    if words().get(text.lowered[at], "") not in ("1", "2", "3"):
        return True
    inside = at > 0 and _ENDS.isdisjoint(text.breaks[at])
    return inside and text.written[at][0].isupper() and not text.caseless


def _tokens(text: Text, span: Span) -> range:
    first = text.starts.get(span.start)
    if first is None:
        return range(0)
    end = first
    while end < len(text.tokens) and text.tokens[end].start < span.end:
        end += 1
    return range(first, end)
