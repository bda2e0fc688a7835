"""Models trained on marked notes: the shipped one, which weighs what the rules find, and one of a house's own notes.

The shipped model is a small neural network (`annotation.network`), trained on invented notes and queries of several
authors. It looks at a note after the rules: which of them found something, how sure each is of itself, what lists say
of the words, how they are written and what stands around them, here and wherever else the note has the same word. Of
every word it then says how probable it is that it identifies somebody. What is not certain
enough is left out, at the ends of a finding too, and what no rule found is added. The certainty of the result is
calibrated on text of authors left out of training (`tools/build_learned.py`): a finding is right nearly as often as it
is certain. What a rule finds that the model was not trained with, such as a recogniser of
the user's own, stays as it is, and so does what has a form of its own, such as an e-mail address.

A model of a house's own notes (`sharewell notes train`) knows their forms, and misleads on others: it is one more
detector beside the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sharewell.errors import DataError
from sharewell.io.shipped import shipped_bytes
from sharewell.notes.annotation.marginals import Decoder
from sharewell.notes.annotation.modelfile import Model, read_model
from sharewell.notes.annotation.network import Network
from sharewell.notes.annotation.token_facts import tokens_of
from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.spans import USUAL_CERTAINTY, Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

SHIPPED = "notes/learned.network.gz"
_JOINT = re.compile(r"[ \t]{0,2}|[ ]?[-'’.&/#][ ]?|, ?")
"""What may stand between two words of one finding."""
_NUMBERED = frozenset(("DATE", "PHONE"))
_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Dr)(?=[A-Z][a-z])")
_NUMBER = re.compile(r"\d+(?:[/.-]\d+)+")
REASON = "learnt from marked notes"
_OWN_REASON = "learnt from the house's own notes"
_ADDED = frozenset(("NAME", "PLACE", "ORGANISATION", "ADDRESS", "ID", "DATE", "PHONE"))
"""What the shipped model adds: the rest has a form of its own that rules know better."""
_LONGEST = 120
_MORE_LIKELY = 0.6
_EVERYDAY = ("1", "2", "3")
_LATIN = re.compile(r"[0-9A-Za-z\u00c0-\u024f]")
OF_THEIR_OWN_FORM = frozenset(("AGE", "DRUG", "DOSE", "EMAIL", "IP", "SSN", "URL"))
"""What the model leaves to the rules: it has a form of its own, or identifies nobody."""


@dataclass(frozen=True)
class Weighing:
    """The shipped model, as the last step of the contest."""

    least: float = USUAL_CERTAINTY
    """How certain it must be that a word identifies somebody."""
    given: Network | None = field(default=None, repr=False, compare=False)
    """Another network than the shipped one."""
    name: ClassVar[str] = "learned"

    def ready(self) -> None:
        shipped()

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        """Nothing before the contest."""
        return []

    def after_resolution(self, note: Text, won: Sequence[Span], safe: Sequence[Span]) -> list[Span]:
        """What is certain enough of the spans that won, and of the words beside them."""
        if not note.tokens:
            return list(won)
        network = self.given or shipped()
        won_tokens = [tokens_of(note, span) for span in won]
        safe_tokens = [tokens_of(note, phrase) for phrase in safe]
        probable = network.probabilities(note, won, won_tokens, safe, safe_tokens)
        certain = network.calibrated(1.0 - probable[:, 0])
        values = certain.tolist()
        weighed: list[Span] = []
        taken = [False] * len(values)
        for covered in safe_tokens:  # what is safe, as far as lists know, must more likely identify somebody than not
            for at in covered:
                taken[at] = taken[at] or values[at] < _MORE_LIKELY
        rules = network.rules
        for span, covered in zip(won, won_tokens, strict=True):
            taken[covered.start : covered.stop] = [True] * len(covered)
            if span.kind in OF_THEIR_OWN_FORM or span.reason not in rules:
                weighed.append(span)
            elif kept := _certain_part(note, span, covered, values, self.least):
                weighed.append(kept)
        labels = network.card.labels
        result = np.flatnonzero((certain >= max(self.least, 1e-9)) & ~np.array(taken))
        kinds = [labels[best] for best in (probable[result, 1:].argmax(axis=1) + 1).tolist()] if len(result) else []
        hits = [
            (at, kind, sure) for at, kind, sure in zip(result.tolist(), kinds, certain[result].tolist(), strict=True)
        ]
        added = [_whole(note, span) for span in joined_tokens(note, hits, REASON) if _is_added(note, span)]
        return _apart([*weighed, *added])


def _is_added(note: Text, span: Span) -> bool:
    """Is it of a kind that the model may add, and in letters or digits that it was trained on?

    Some must more likely identify somebody than not: a single letter, and an everyday word that opens a sentence, such
    as "Rash.", or is in small letters where others are not. On twelve authors left out, this adds .7 points of
    precision and takes .2 of recall.
    """
    if span.kind not in _ADDED or span.end - span.start > _LONGEST or not _LATIN.search(note, span.start, span.end):
        return False
    if span.certainty >= _MORE_LIKELY:
        return True
    word = note[span.start : span.end]
    if len(word) == 1 and not word.isdigit():
        return False
    if words().get(word.lower(), "") not in _EVERYDAY:
        return True
    if word.islower() and not note.caseless:
        return False
    before = note.breaks[note.starts[span.start]] if span.start in note.starts else " "
    return bool(span.start) and "\n" not in before and before.strip()[-1:] not in (".", "!", "?")


def _certain_part(note: Text, span: Span, covered: range, values: Sequence[float], least: float) -> Span | None:
    """A span from its first to its last word that is certain enough, with the certainty of that; None if none is."""
    first, last = covered.start, covered.stop - 1
    while first <= last and values[first] < least:
        first += 1
    if first > last:
        return None
    while values[last] < least:
        last -= 1
    while first > covered[0] and not _parted(note, first):
        first -= 1
    while last < covered[-1] and not _parted(note, last + 1):
        last += 1
    start = span.start if first == covered[0] else note.tokens[first].start
    end = span.end if last == covered[-1] else note.tokens[last].end
    mean = sum(values[first : last + 1]) / (last + 1 - first)
    return Span(start, end, span.kind, round(mean, 4), span.reason)


def _parted(note: Text, at: int) -> bool:
    """Does a blank stand before a token? Pieces of one number or compound are not taken apart."""
    before = note.breaks[at]
    return not before.strip() or any(map(str.isspace, before))


def _apart(spans: Sequence[Span]) -> list[Span]:
    """In order; of two that overlap the second loses what the first has."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        start = max(span.start, kept[-1].end) if kept else span.start
        if start < span.end:
            kept.append(span if start == span.start else replace(span, start=start))
    return kept


@dataclass(frozen=True)
class Learned:
    """Finds what a model of the house's own notes says."""

    model: Path | None
    least: float = 0.5
    """How probable it must be that a token is to be hidden."""
    most: float = 0.9
    """No finding is more certain than that: a rule that is sure of its kind wins."""
    given: Model | None = field(default=None, repr=False, compare=False)
    name: ClassVar[str] = "house-model"

    @classmethod
    def of(cls, model: Model, least: float = 0.5) -> Learned:
        """A model in memory."""
        return cls(None, least, given=model)

    @cached_property
    def _decoder(self) -> Decoder:
        if self.given is not None:
            return Decoder(self.given)
        if self.model is None:
            raise DataError("no model is named — train one with `sharewell notes train`")
        return Decoder(read_model(self.model))

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        note = Text.of(text)
        if not note.tokens:
            return []
        decoder = self._decoder
        probable, labels = decoder.marginals(note), decoder.model.labels
        hidden = 1.0 - probable[:, 0]
        result = (hidden >= max(self.least, 1e-9)).nonzero()[0]
        kinds = [labels[best] for best in (probable[result, 1:].argmax(axis=1) + 1).tolist()] if len(result) else []
        hits = zip(result.tolist(), kinds, np.minimum(hidden[result], self.most).tolist(), strict=True)
        return [_whole(note, span) for span in joined_tokens(note, list(hits), _OWN_REASON)]


def joined_tokens(note: Text, hits: Sequence[tuple[int, str, float]], reason: str) -> Iterator[Span]:
    """Spans of neighbouring tokens of one kind, as certain as the least certain of them."""
    start = end = last = -2
    kind, sure = "", 1.0
    for at, kind_here, certain in hits:
        token = note.tokens[at]
        if last == at - 1 and kind == kind_here and _JOINT.fullmatch(note, end, token[0]):
            sure = min(sure, certain)
        else:
            if kind:
                yield Span(start, end, kind, round(sure, 4), reason)
            start, kind, sure = token[0], kind_here, certain
        end, last = token[1], at
    if kind:
        yield Span(start, end, kind, round(sure, 4), reason)


def usual() -> Weighing:
    """The shipped model with the usual threshold."""
    return Weighing()


def _whole(note: Text, span: Span) -> Span:
    """A date or telephone number as long as the number that it is part of; a name without a title joined to it."""
    if span.kind not in _NUMBERED:
        title = _TITLE.match(note, span.start, span.end) if span.kind == "NAME" else None
        return replace(span, start=title.end()) if title else span
    start, end = span.start, span.end
    for match in _NUMBER.finditer(note, max(0, start - 12), end + 12):
        if match.start() < end and start < match.end():
            start, end = min(start, match.start()), max(end, match.end())
    return replace(span, start=start, end=end)


@lru_cache(maxsize=1)
def shipped() -> Network:
    """The network that comes with the software (made by `tools/build_learned.py`)."""
    try:
        return Network.of_bytes(shipped_bytes(SHIPPED))
    except FileNotFoundError:
        raise DataError("no model is shipped with this installation — name one of your own") from None
