"""Numbers that identify: found once by the words around them, they count wherever they stand in the note."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from sharewell.notes.engine.spans import Span, Text

_KINDS = frozenset(("ID", "PHONE", "SSN"))
_LEAST = 5
"""Digits: a shorter number may be anything elsewhere."""


def repeated_numbers(text: Text, won: Sequence[Span]) -> list[Span]:
    """The same spans, and every other place of their numbers; in order, without overlap."""
    starts = [span.start for span in won]
    pieces = {text[span.start : span.end]: span for span in won if span.kind in _KINDS}
    more: dict[int, Span] = {}
    for piece, span in pieces.items():
        if sum(map(str.isdigit, piece)) < _LEAST:
            continue
        for start in _places(text, span.start, piece):
            before = bisect_right(starts, start + len(piece) - 1) - 1
            if before < 0 or won[before].end <= start:
                again = Span(
                    start, start + len(piece), span.kind, span.certainty, "a value found elsewhere in the note"
                )
                more.setdefault(start, again)
    if not more:
        return list(won)
    kept: list[Span] = []
    for span in sorted((*won, *more.values()), key=lambda span: (span.start, -span.end)):
        if not kept or kept[-1].end <= span.start:
            kept.append(span)
    return kept


def _places(text: Text, first: int, piece: str) -> Iterator[int]:
    """Where a piece begins that stands at a token, as a whole: told by the rarest of its tokens."""
    at = text.starts.get(first)
    if at is None:
        return
    starts, positions, lowered = text.token_starts, text.positions, text.lowered
    inside = range(at, max(at + 1, bisect_right(text.token_ends, first + len(piece))))
    rarest = min(inside, key=lambda index: len(positions[lowered[index]]))
    before = starts[rarest] - first
    for other in positions[lowered[rarest]]:
        start = starts[other] - before
        end = start + len(piece)
        if (
            start != first
            and start in text.starts
            and text.startswith(piece, start)
            and not text[end : end + 1].isalnum()
        ):
            yield start
