"""A model trained on marked notes (`sharewell notes train`), as one more detector.

A model of a house's own notes knows their forms, and misleads on others. The one that is shipped was trained on
generated text alone; it knows what stands around names, places, organisations and numbers of records.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sharewell.errors import DataError
from sharewell.notes.detectors.clinical_words import PRODUCTS, SHORTHAND, TONGUES
from sharewell.notes.gazetteer import countries
from sharewell.notes.hide.decoding import Decoder
from sharewell.notes.hide.modelfile import Model, read_model
from sharewell.notes.lexicons import people, words
from sharewell.notes.listed import listed
from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

SHIPPED = "notes/learned.json.gz"
_JOINT = re.compile(r"[ \t]{0,2}|[ ]?[-'’.&/#][ ]?|, ?")
"""What may stand between two words of one finding."""
_TOKEN = re.compile(r"[^\W_]+")
_NEVER = listed(
    "mr mrs ms miss dr drs md rn np pa do fr sr i he she they we son daughter mother father wife husband brother sister"
    " chaplain doctor nurse caucasian hispanic african american english french spanish russian german prior records"
    " niece nephew aunt aunty auntie uncle cousin granny gran grandma grandpa godmother godfather tech admin referral"
    " download rm acct attn appt interp iban rxbin bonjour hola hallo guten tag ciao merci danke gracias obrigado amma"
    " appa mister sgt col fr bro pharmd rph befund celsius fahrenheit welsh burmese umrah doc callsign"
)
_GENERAL = frozenset(("NAME", "PLACE", "ORGANISATION", "ADDRESS", "ID"))
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
    """Leave out what is never worth hiding on the word of a model that does not know the house: see `_stray`."""
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
        spans: list[Span] = []
        last = -2
        found = (hidden >= max(self.least, 1e-9)).nonzero()[0].tolist()
        for at in _without_everyday(note, found) if self.careful else found:
            kind = labels[int(probable[at, 1:].argmax()) + 1]
            if self.only is not None and kind not in self.only:
                continue
            token, sure = note.tokens[at], min(float(hidden[at]), self.most)
            before = spans[-1] if spans else None
            if before and last == at - 1 and before.kind == kind and _JOINT.fullmatch(note[before.end : token.start]):
                spans[-1] = Span(before.start, token.end, kind, min(before.certainty, sure), before.reason)
            else:
                spans.append(Span(token.start, token.end, kind, sure, "learnt from marked notes"))
            last = at
        return [span for span in spans if not (self.careful and _stray(note, span))]


def usual() -> Learned:
    """The shipped model, as sure as it must be to find more than it spoils in notes that nobody tuned it on."""
    return Learned(least=0.7, most=0.4, only=_GENERAL, careful=True)


def _without_everyday(note: Text, found: list[int]) -> list[int]:
    """Tokens less everyday words in lower case, unless they stand alone between two others ("Isle of Wight")."""
    if note.caseless:
        return found
    telling = {at for at in found if not _everyday(note[note.tokens[at].start : note.tokens[at].end])}
    return [at for at in found if at in telling or (at - 1 in telling and at + 1 in telling)]


def _everyday(said: str) -> bool:
    return said.islower() and words().get(said, "") in ("1", "2", "3")


def _stray(note: Text, span: Span) -> bool:
    """Nothing but letters, small numbers, titles, countries, abbreviations or everyday words: never worth hiding on a
    model's word alone."""
    if note[span.start : span.end].casefold() in countries():
        return True
    return all(_plain(match[0], note.caseless) for match in _TOKEN.finditer(note, span.start, span.end))


def _plain(said: str, caseless: bool) -> bool:
    lower = said.casefold()
    if lower in PRODUCTS or lower in SHORTHAND or lower in TONGUES:
        return True
    if len(said) < 2 or lower in _NEVER or (said.isdigit() and len(said) < 5):
        return True
    mark = people().get(lower, "")
    if caseless or not said.isalpha():
        return False
    if mark:
        return _everyday(said)
    if said.islower():
        return True
    inner = not said[1:].islower() and not said.isupper()  # HFpEF, ADLs
    plainly = said[0].isupper() and words().get(lower, "") in ("1", "2", "c")
    return _everyday(said) or (said.isupper() and len(said) < 7) or (inner and len(said) < 7) or plainly


@lru_cache(maxsize=1)
def shipped() -> Decoder:
    """The model that comes with the software (made by `tools/build_learned.py`)."""
    from sharewell.io.shipped import shipped_bytes

    try:
        return Decoder(Model.of_bytes(shipped_bytes(SHIPPED), SHIPPED))
    except FileNotFoundError:
        raise DataError("no model is shipped with this installation — name one of your own") from None
