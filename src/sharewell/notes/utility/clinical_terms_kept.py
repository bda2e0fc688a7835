"""Clinical terms kept: the share of diagnoses, drugs and other clinical words that the published notes still contain.

## What it does not protect
Not a privacy measure: terms that are kept may identify.

## Parameters
vocabulary: a table with the column `term`; without it the shipped concepts (titles of ICD-10-CM, drugs and their
classes, clinical words).

## Worked example
>>> from sharewell.notes import Notes
>>> before, after = Notes.of(["Asthma, on metoprolol. Asthma is stable."]), Notes.of(["Asthma, on medication."])
>>> print(ClinicalTermsKept().score(before, after))
clinical-terms-kept = 0.5 share

## Why it is safe
A term counts once a note, and is kept if the same note still says it: a drug that was generalised to its class is not.
A note that was withheld keeps none of its terms.

## Cost
O(words).

## Source
Ours. It answers a complaint that users of other tools have: that findings, laboratory values and drugs disappear with
the names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sharewell.findings import Finding, Sense
from sharewell.io.sources import Source
from sharewell.notes.data import Notes
from sharewell.notes.engine.measures.note_clusters import align_notes
from sharewell.notes.engine.vocabulary import Concepts, concepts_of
from sharewell.parameters import Declared
from sharewell.protocols import Measure


@dataclass(frozen=True)
class Details:
    """Numbers of terms; a term that stands in a note several times counts once."""

    before: int
    kept: int
    withheld_notes: int


@dataclass(frozen=True)
class ClinicalTermsKept(Declared, Measure[Notes]):
    """The share of clinical terms that are still there."""

    vocabulary: Source | None = None

    name: ClassVar[str] = "clinical-terms-kept"
    sense: ClassVar[Sense] = "≥"

    @cached_property
    def _concepts(self) -> Concepts:
        return concepts_of(self.vocabulary)

    def score(self, before: Notes, after: Notes) -> Finding:
        """Nothing to lose counts as nothing lost."""
        terms = {text: self._terms(text) for text in dict.fromkeys(before.texts)}
        total = sum(len(terms[text]) for text in before.texts)
        kept = sum(len(terms[old] & self._terms(new)) for old, new in zip(*align_notes(before, after), strict=True))
        details = Details(total, kept, before.rows - after.rows)
        return Finding(self.name, kept / total if total else 1.0, unit="share", details=details)

    def _terms(self, text: str) -> set[str]:
        return {term for _, _, term in self._concepts.vocabulary.find(text)}
