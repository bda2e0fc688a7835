"""A recogniser of the user's as one more detector: spaCy, Presidio, a transformer, or any function of a text.

The function returns (start, end, label) or (start, end, label, certainty), or objects with such attributes; offsets are
in characters. Labels are mapped to our kinds by a table; numbers, times of day, works of art and the like are left
out by it, for they identify nobody. What is not in it becomes OTHER, or is left out with `unknown=None`.

>>> def shouting(text):
...     return [(0, 4, "PERSON", 0.99)] if text.isupper() else []
>>> Plugged(shouting).find("ANNA CALLED")
[Span(start=0, end=4, kind='NAME', certainty=0.99, reason='plugged-in recogniser')]

In a release: `Replace(also=[Plugged(shouting)])`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sharewell.errors import DataError
from sharewell.notes.engine.spans import KINDS, SAFE, Span
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

LEFT_OUT = listed("CARDINAL EVENT LANGUAGE LAW MONEY NORP NRP O ORDINAL PERCENT PRODUCT QUANTITY TIME WORK_OF_ART")
"""Labels of what identifies nobody. Doses, counts and times of day would go with it, and the note with them."""
_NAMES = {
    "NAME": "PERSON PER PATIENT DOCTOR STAFF",
    "DATE": "DATE_TIME",
    "PLACE": "GPE LOC LOCATION FAC",
    "ADDRESS": "STREET_ADDRESS",
    "ORGANISATION": "ORG ORGANIZATION HOSP HOSPITAL",
    "PHONE": "PHONE_NUMBER",
    "EMAIL": "EMAIL_ADDRESS",
    "IP": "IP_ADDRESS",
    "URL": "DOMAIN_NAME",
    "SSN": "US_SSN",
    "ID": "MEDICAL_LICENSE CREDIT_CARD US_DRIVER_LICENSE US_PASSPORT US_BANK_NUMBER IBAN_CODE",
    "DRUG": "CHEMICAL",
}
USUAL: Mapping[str, str | None] = {
    **dict.fromkeys(LEFT_OUT),
    **{kind: kind for kind in KINDS},
    **{label: kind for kind, labels in _NAMES.items() for label in labels.split()},
}
"""Labels of common recognisers → our kinds; None: left out."""
_PLACE_IN_NAME = re.compile(r"^(?:[BILSU]|E(?!-MAIL))-")
_OFFSETS = "return start and end in characters (a transformer: a fast tokenizer and aggregation_strategy='simple')"


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

    def __post_init__(self) -> None:
        named = {*(self.labels or {}).values(), self.unknown} - {*KINDS, SAFE, None}
        if named:
            raise ValueError(f"labels and unknown — {len(named)} of them become no kind — kinds: {', '.join(KINDS)}")

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        table = {**USUAL, **{label.upper(): kind for label, kind in (self.labels or {}).items()}}
        results = []
        for number, given in enumerate(self.recogniser(str(text)), 1):
            try:
                start, end, label, certainty = _parts(given, self.certainty)
            except (AttributeError, KeyError, TypeError, ValueError):  # its message would quote what was found
                raise DataError(f"{self.name}, finding {number} of a note — has no offsets — {_OFFSETS}") from None
            if not 0 <= start <= end <= len(text):
                raise DataError(f"{self.name}, finding {number} — is a span beyond the text — {_OFFSETS}")
            kind = table.get(label.upper(), self.unknown)  # None where it is listed so
            if kind is not None:
                results.append(Span(start, end, kind, certainty, "plugged-in recogniser"))
        return results

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
    bare = _PLACE_IN_NAME.sub("", str(label))
    return int(start), int(end), bare, min(1.0, max(0.0, float(usual if certainty is None else certainty)))
