"""A model trained on a house's own marked notes (`sharewell notes train`), as one more detector.

It is not among the usual ones: a model knows the forms of the notes it was trained on, and misleads on others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sharewell.errors import DataError
from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known


@dataclass(frozen=True)
class Learned:
    """Finds what a model file says. `least`: how probable a label must be."""

    model: Path
    least: float = 0.5
    name: ClassVar[str] = "learned"

    @cached_property
    def _tagger(self) -> Any:
        from sharewell.notes.training import crfsuite

        tagger = crfsuite().Tagger()
        try:
            tagger.open(str(self.model))
        except (OSError, ValueError):
            raise DataError(f"{self.model.name} — is no model that `sharewell notes train` wrote") from None
        return tagger

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        from sharewell.notes.training import OUTSIDE, features_of

        note = Text.of(text)
        if not note.tokens:
            return []
        tagger = self._tagger
        labels = tagger.tag(features_of(note))
        spans: list[Span] = []
        for at, (label, token) in enumerate(zip(labels, note.tokens, strict=True)):
            if label == OUTSIDE:
                continue
            sure = float(tagger.marginal(label, at))
            if sure < self.least:
                continue
            kind, last = label[2:], spans[-1] if spans else None
            if last and label[0] == "I" and last.kind == kind and at and last.end == note.tokens[at - 1].end:
                spans[-1] = Span(last.start, token.end, kind, min(last.certainty, sure), last.reason)
            else:
                spans.append(Span(token.start, token.end, kind, sure, "learnt from marked notes"))
        return spans
