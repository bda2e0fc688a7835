"""A recogniser of the user's as one more detector: spaCy, Presidio, a transformer, or any function of a text.

The function returns (start, end, label) or (start, end, label, certainty), or objects with such attributes. Labels are
mapped to our kinds by a table; what is not in it becomes OTHER, or is left out with `unknown=None`.

>>> def shouting(text):
...     return [(0, 4, "PERSON", 0.99)] if text.isupper() else []
>>> Plugged(shouting).find("ANNA CALLED")
[Span(start=0, end=4, kind='NAME', certainty=0.99, reason='plugged-in recogniser')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sharewell.errors import DataError
from sharewell.notes.spans import KINDS, Span

if TYPE_CHECKING:
    from sharewell.notes.known import Known

USUAL: Mapping[str, str] = {
    "PERSON": "NAME",
    "PER": "NAME",
    "PATIENT": "NAME",
    "DOCTOR": "NAME",
    "STAFF": "NAME",
    "DATE_TIME": "DATE",
    "GPE": "PLACE",
    "LOC": "PLACE",
    "LOCATION": "PLACE",
    "FAC": "PLACE",
    "STREET_ADDRESS": "ADDRESS",
    "ORG": "ORGANISATION",
    "ORGANIZATION": "ORGANISATION",
    "HOSP": "ORGANISATION",
    "HOSPITAL": "ORGANISATION",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "IP_ADDRESS": "IP",
    "DOMAIN_NAME": "URL",
    "US_SSN": "SSN",
    "MEDICAL_LICENSE": "ID",
    "CREDIT_CARD": "ID",
    "US_DRIVER_LICENSE": "ID",
    "US_PASSPORT": "ID",
    "US_BANK_NUMBER": "ID",
    "IBAN_CODE": "ID",
    "DRUG": "DRUG",
    "CHEMICAL": "DRUG",
} | {kind: kind for kind in KINDS}
"""Labels of common recognisers → our kinds."""


@dataclass(frozen=True)
class Plugged:
    """Any callable text → spans, as a detector."""

    recogniser: Callable[[str], Iterable[Any]]
    labels: Mapping[str, str | None] | None = None
    """What a label becomes, beyond the usual table; None: left out."""
    unknown: str | None = "OTHER"
    """What labels in no table become; None: left out."""
    certainty: float = 0.75
    """How sure a finding is that says nothing of it."""
    name: str = "plugged"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        found = []
        for given in self.recogniser(str(text)):
            start, end, label, certainty = _parts(given, self.certainty)
            kind = {**USUAL, **(self.labels or {})}.get(label.upper(), self.unknown)
            if not 0 <= start <= end <= len(text):
                raise DataError(f"{self.name} — the recogniser returned a span beyond the text")
            if kind is not None:
                found.append(Span(start, end, kind, certainty, "plugged-in recogniser"))
        return found

    @classmethod
    def spacy(cls, pipeline: Any, **settings: Any) -> Plugged:
        """A loaded spaCy pipeline, by the entities it finds."""
        return cls(
            lambda text: [(e.start_char, e.end_char, e.label_) for e in pipeline(text).ents],
            **({"name": "spacy"} | settings),
        )

    @classmethod
    def presidio(cls, analyzer: Any, language: str = "en", **settings: Any) -> Plugged:
        """A Presidio AnalyzerEngine."""
        return cls(lambda text: analyzer.analyze(text=text, language=language), **({"name": "presidio"} | settings))


def _parts(given: Any, usual: float) -> tuple[int, int, str, float]:
    """Of a tuple, or of an object with start, end, and label or entity_type, and perhaps score."""
    if isinstance(given, tuple | list):
        start, end, label, *rest = given
        certainty = rest[0] if rest else usual
    elif isinstance(given, Mapping):  # a transformer's pipeline
        start, end, certainty = given["start"], given["end"], given.get("score", usual)
        label = given.get("entity_group") or given.get("entity") or given.get("label")
    else:
        start, end, certainty = given.start, given.end, getattr(given, "score", usual)
        label = getattr(given, "entity_type", None) or getattr(given, "label", None)
    bare = str(label).removeprefix("B-").removeprefix("I-")
    return int(start), int(end), bare, min(1.0, max(0.0, float(certainty)))
