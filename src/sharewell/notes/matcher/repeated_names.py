"""Names of a language pack that count wherever they stand in their note, once something beside them told them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_SURE, _AGAIN, _SHORTEST = 0.7, 0.6, 4
_REASON = "a name found elsewhere in the note"


@dataclass(frozen=True)
class RepeatedNames:
    """A reviewer: the parts of certain names, wherever else they stand, unless they are words of the language."""

    words: Collection[str] = field(repr=False)
    name: str = "repeated-names"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        """Alone it finds nothing."""
        return []

    def after_resolution(self, note: Text, won: Sequence[Span], safe: Sequence[Span]) -> list[Span]:
        taken = sorted((*won, *safe), key=lambda span: span.start)
        starts = [span.start for span in taken]
        more = [
            Span(token.start, token.end, "NAME", _AGAIN, _REASON)
            for part in self._parts(note, won)
            for index in note.positions.get(part, ())
            if _is_free(token := note.tokens[index], taken, starts) and _like_a_name(note, index)
        ]
        return sorted((*won, *more), key=lambda span: span.start) if more else list(won)

    def _parts(self, note: Text, won: Sequence[Span]) -> set[str]:
        pieces = (note.folded[span.start : span.end] for span in won if span.kind == "NAME" and span.certainty >= _SURE)
        words = {word for piece in pieces for word in Text(piece).lowered}
        return {word for word in words if len(word) >= _SHORTEST and word.isalpha() and word not in self.words}


def _is_free(token: tuple[int, int, str], spans: Sequence[Span], starts: Sequence[int]) -> bool:
    """Does no span touch a token? They are in order and apart: the last that begins before its end decides."""
    before = bisect_left(starts, token[1]) - 1
    return before < 0 or spans[before].end <= token[0]


def _like_a_name(note: Text, index: int) -> bool:
    return note.caseless or note.written[index][0].isupper()
