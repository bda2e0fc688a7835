"""PACS: drugs in all notes are generalised to one level of a hierarchy, or to "medication"; doses are removed.

## Guarantee
None that a judge could check without the detectors: what they find is generalised or left out; what they miss stays.
`residual-risk` bounds that from notes that people marked. Names, dates and places are for `replace`.

## Adversary
Infers a condition from the drugs and doses in a note (Ativan suggests depression): `condition-from-drugs` measures it.

## What it does not protect
Anything but drugs and doses. A note in which none is found passes unchanged.

## Parameters
drugs: the level: 0 keeps names, 1 writes the parent, 2 the grandparent, …, `full` writes "medication".
doses: `keep` (default) or `suppress`.
tree: a hierarchy file of the house; without it the shipped one.

## Worked example
>>> Pacs(drugs="full").of("Patient on vasopressors noted to have dose of phenylephrine 10 mg.")
'Patient on medication noted to have dose of medication 10 mg.'
>>> VARIANTS["noMD"].of("Pharmacy sent insulin 100 units but order was for heparin.")
'Pharmacy sent medication but order was for medication.'

## Why it is safe
One level holds for the whole data set (global recoding), so that no note discloses more than another. A drug that the
tree does not list is written as its top: nothing stays because nobody knew it.

## Cost
That of finding drugs and doses: O(words).

## Source
Ghemri and Kannah, Privacy in Medical Data Publishing. The shipped tree groups phenylephrine under alpha-adrenergic
agonists, the paper's under decongestants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge

from sharewell.hierarchy.tree import Tree
from sharewell.io.sources import Source
from sharewell.notes.engine.protection.drugs_and_doses import drug_and_dose_edits, drug_hierarchy
from sharewell.notes.engine.protection.person_by_person import NoteMechanism
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote, apply_edits
from sharewell.parameters import Declared


@dataclass(frozen=True)
class Pacs(Declared, NoteMechanism):
    """What is done to drugs and doses of every note alike."""

    drugs: Annotated[int, Ge(0)] | Literal["full"] = 0
    doses: Literal["keep", "suppress"] = "keep"
    tree: Source | Tree | None = None

    name: ClassVar[str] = "pacs"

    @cached_property
    def _tree(self) -> Tree | None:
        return drug_hierarchy(self.tree)

    def of(self, text: str) -> str:
        """One note as it would be published."""
        return apply_edits(text, drug_and_dose_edits(text, self.drugs, self.doses, self._tree)).text or ""

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        return [apply_edits(text, drug_and_dose_edits(text, self.drugs, self.doses, self._tree)) for text in texts]


VARIANTS = {
    "original": Pacs(),
    "noD": Pacs(doses="suppress"),
    "noM": Pacs(drugs="full"),
    "noMD": Pacs(drugs="full", doses="suppress"),
}
"""The four data sets that the paper compares: as they are, no doses, no names of medications, neither."""
