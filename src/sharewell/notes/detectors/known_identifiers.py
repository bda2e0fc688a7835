"""A person's own identifiers in their own notes: found always, whatever other detectors or safe phrases say.

>>> from sharewell.notes.engine.known_identifiers import Known
>>> KnownIdentifiers().find("Ms Parkinson has Parkinson disease", Known.of(names=["Ann Parkinson"]))[1].start
17
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known


@dataclass(frozen=True)
class KnownIdentifiers:
    """Finds what is known of the person. `slips`: long names are found with one slip of the pen too."""

    name: ClassVar[str] = "known-identifiers"
    slips: bool = True

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        if not known:
            return []
        exact = known.search(text)
        spans = [Span(start, end, kind, 1.0, "the person's own") for start, end, kind in exact]
        if self.slips:
            near = set(known.search(text, slips=True)).difference(exact)
            spans += [Span(start, end, kind, 0.85, "one slip from the person's own") for start, end, kind in near]
        return spans
