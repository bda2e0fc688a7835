"""A model trained on marked notes (`sharewell notes train`), as one more detector.

A model of a house's own notes knows their forms, and misleads on others. The one that is shipped was trained on
invented notes and queries of several authors; it knows what stands around names, places, dates and numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sharewell.errors import DataError
from sharewell.notes.annotation.marginals import Decoder
from sharewell.notes.annotation.modelfile import Model, read_model
from sharewell.notes.detectors.unlikely import certainty, likely, titleless
from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

SHIPPED = "notes/learned.json.gz"
_JOINT = re.compile(r"[ \t]{0,2}|[ ]?[-'’.&/#][ ]?|, ?")
"""What may stand between two words of one finding."""
_JOINTS = frozenset((" ", "-", "'", "’", "/", " / ", " #", "#", "  ", "", " & "))
_JOINING = frozenset(("NAME", "PLACE", "ADDRESS", "ORGANISATION", "ID", "DATE", "PHONE", "OTHER"))
_NUMBERED = frozenset(("DATE", "PHONE"))
_NUMBER = re.compile(r"\d+(?:[/.-]\d+)+")
_REASON = "learnt from marked notes"
_TOLD = frozenset(("NAME", "PLACE", "ORGANISATION", "ADDRESS", "ID", "DATE", "PHONE"))
"""What the shipped model is asked for: the rest has a form of its own that rules know better."""


@dataclass(frozen=True)
class Learned:
    """Finds what a model says: its path, or none for the one that is shipped."""

    model: Path | None = None
    least: float = 0.5
    """How probable it must be that a token is to be hidden."""
    most: float = 0.9
    """No finding is more certain than that: a rule that is sure of its kind wins."""
    only: frozenset[str] | None = None
    """Kinds that are told; None: all that the model knows."""
    careful: bool = False
    """Leave out what rules and lists know to be nobody's, and be less certain than they are (`unlikely`)."""
    given: Model | None = field(default=None, repr=False, compare=False)
    name: ClassVar[str] = "learned"

    @classmethod
    def of(cls, model: Model, least: float = 0.5, only: frozenset[str] | None = None) -> Learned:
        """A model in memory."""
        return cls(None, least, only=only, given=model)

    @cached_property
    def _decoder(self) -> Decoder:
        if self.given is not None:
            return Decoder(self.given)
        return shipped() if self.model is None else Decoder(read_model(self.model))

    def ready(self) -> None:
        self._decoder.ready()

    def __getstate__(self) -> dict[str, Any]:
        """Without what was made ready, which another process makes for itself."""
        return {key: value for key, value in self.__dict__.items() if key != "_decoder"}

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        note = Text.of(text)
        if not note.tokens:
            return []
        decoder = self._decoder
        probable, labels = decoder.marginals(note), decoder.model.labels
        hidden = 1.0 - probable[:, 0]
        found = (hidden >= max(self.least, 1e-9)).nonzero()[0]
        kinds = probable[found, 1:].argmax(axis=1) + 1
        spans: list[Span] = []
        start = end = last = -2
        kind, sure = "", 1.0
        for at, best, certain in zip(found.tolist(), kinds.tolist(), hidden[found].tolist(), strict=True):
            if self.only is not None and labels[best] not in self.only:
                continue
            token = note.tokens[at]
            if last == at - 1 and kind == labels[best] and _JOINT.fullmatch(note, end, token[0]):
                sure = min(sure, certain)
            else:
                if kind:
                    spans.append(Span(start, end, kind, self._certainty(sure), _REASON))
                start, kind, sure = token[0], labels[best], certain
            end, last = token[1], at
        if kind:
            spans.append(Span(start, end, kind, self._certainty(sure), _REASON))
        if self.careful:
            spans = [kept for span in spans if (kept := likely(note, span))]
        return [_whole(note, span) for span in spans]

    def _certainty(self, probable: float) -> float:
        return certainty(probable) if self.careful else min(probable, self.most)

    def after_resolution(self, note: Text, won: list[Span]) -> list[Span]:
        """After the contest: what others have left of a finding is judged once more, unless it is joined to what
        they found ("Sunset Ridge | of | Cullman")."""
        if not self.careful:
            return won
        kept: list[Span] = []
        for at, span in enumerate(won):
            if span.reason == _REASON:
                before = won[at - 1] if at else None
                after = won[at + 1] if at + 1 < len(won) else None
                joined = _joined(note, before, span) or _joined(note, span, after)
                left = titleless(note, span) if joined else likely(note, span)
                kept += [left] if left else []
            else:
                kept.append(span)
        return kept


def _joined(note: Text, one: Span | None, other: Span | None) -> bool:
    if one is None or other is None or one.kind not in _JOINING or other.kind not in _JOINING:
        return False
    return note[one.end : other.start] in _JOINTS


def usual() -> Learned:
    """The shipped model, as sure as it must be to find more than it spoils in notes that nobody tuned it on."""
    return Learned(least=0.3, only=_TOLD, careful=True)


def _whole(note: Text, span: Span) -> Span:
    """A date or telephone number as long as the number that it is part of."""
    if span.kind not in _NUMBERED:
        return span
    start, end = span.start, span.end
    for match in _NUMBER.finditer(note, max(0, start - 12), end + 12):
        if match.start() < end and start < match.end():
            start, end = min(start, match.start()), max(end, match.end())
    return replace(span, start=start, end=end)


@lru_cache(maxsize=1)
def shipped() -> Decoder:
    """The model that comes with the software (made by `tools/build_learned.py`)."""
    from sharewell.io.shipped import shipped_bytes

    try:
        return Decoder(Model.of_bytes(shipped_bytes(SHIPPED), SHIPPED))
    except FileNotFoundError:
        raise DataError("no model is shipped with this installation — name one of your own") from None
