"""A person's own identifiers in their own notes: found always, whatever other detectors or safe phrases say.

>>> from sharewell.notes.engine.known_identifiers import Known
>>> KnownIdentifiers().find("Ms Parkinson has Parkinson disease", Known.of(names=["Ann Parkinson"]))[1].start
17
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known


class KnownIdentifiers:
    """Finds what is known of the person; long names with one slip of the pen too."""

    name: ClassVar[str] = "known-identifiers"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        if not known:
            return []
        exact = known.search(text)
        near = set(known.near(text)).difference(exact)
        return [
            *(Span(start, end, kind, 1.0, "the person's own") for start, end, kind in exact),
            *(Span(start, end, kind, 0.85, "one slip from the person's own") for start, end, kind in sorted(near)),
        ]
