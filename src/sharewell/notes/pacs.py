"""PACS: drugs in a note generalised to one level of a hierarchy, or all called "medication"; doses left out.

*Global recoding*: one level for the whole data set. Level 0 keeps the name, 1 writes its parent, 2 its grandparent, and
"full" the top of the tree, "medication". Words for whole classes ("vasopressors") stay at levels 1 and 2 and become
"medication" at full. A drug that the tree does not list is written as its top: nothing stays because nobody knew it.
A note in which nothing is found passes unchanged, so what the detectors miss stays: measure that on marked notes.

>>> Pacs(drugs="full").protect("Patient on vasopressors noted to have dose of phenylephrine 10 mg.")
'Patient on medication noted to have dose of medication 10 mg.'
>>> VARIANTS["noMD"].protect("Pharmacy sent insulin 100 units but order was for heparin.")
'Pharmacy sent medication but order was for medication.'

Source: Ghemri and Kannah, Privacy in Medical Data Publishing. The hierarchy is replaceable; the shipped one
groups phenylephrine under alpha-adrenergic agonists, the paper's under decongestants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sharewell.errors import DataError
from sharewell.hierarchy import Tree
from sharewell.notes.detectors.doses import Doses
from sharewell.notes.detectors.drugs import Drugs, meant
from sharewell.notes.drug_lexicon import TOP, by_ending, chain, drug_tree, lexicon
from sharewell.notes.spans import Span, Text, compete

Level = int | Literal["full"]


@dataclass(frozen=True)
class Pacs:
    """What is done to drugs and doses of every note alike."""

    drugs: Level = 0
    doses: Literal["keep", "suppress"] = "keep"
    tree: Tree | None = None

    def __post_init__(self) -> None:
        if self.drugs != "full" and (isinstance(self.drugs, bool) or not isinstance(self.drugs, int) or self.drugs < 0):
            raise DataError("pacs — the level of drugs is not 0, 1, 2, … or 'full' — name a level of the hierarchy")
        if self.doses not in ("keep", "suppress"):
            raise DataError("pacs — doses are neither kept nor suppressed — write keep or suppress")

    def flagged(self, text: str) -> list[Span]:
        """Drugs and doses of a note, without overlaps; a note without any passes unchanged."""
        text = Text.of(text)
        return compete([*Drugs().find(text), *Doses().find(text)], text=text)

    def protect(self, text: str) -> str:
        """The note with its drugs generalised and its doses left out as asked."""
        parts: list[str] = []
        at = 0
        for span in self.flagged(text):
            if span.start < at:
                continue
            kept = text[at : span.start]
            if span.kind == "DRUG":
                parts += [kept, generalised(text[span.start : span.end], self.drugs, self.tree)]
                at = span.end
            elif self.doses == "suppress":
                kept, at = _closed(kept, text, span.end)
                parts.append(kept)
        return "".join([*parts, text[at:]])


VARIANTS = {
    "original": Pacs(),
    "noD": Pacs(doses="suppress"),
    "noM": Pacs(drugs="full"),
    "noMD": Pacs(drugs="full", doses="suppress"),
}
"""The four data sets that the paper compares: as they are, no doses, no names of medications, neither."""


def generalised(written: str, level: Level, tree: Tree | None = None) -> str:
    """A drug as written, at a level of a hierarchy (the shipped one unless another is given).

    >>> generalised("Ativan", 1), generalised("lorazapam", 2)
    ('benzodiazepine', 'sedative')
    >>> generalised("antibiotics", 2), generalised("antibiotics", "full")
    ('antibiotics', 'medication')
    """
    if level == 0:
        return written
    top = _top(tree) if tree else TOP
    form = meant(written)
    term = lexicon().terms.get(form)
    if term is not None and not term.name and not (tree and tree.lists(form)):
        return top if level == "full" else written
    listed = tree is None or any(name and tree.lists(name) for name in (form, term.name if term else ""))
    if level == "full" or not listed:
        return top
    if tree is None and not drug_tree().lists(term.name if term else form) and not by_ending(form):
        return top
    above = chain(form, tree)
    return above[min(level, len(above) - 1)]


def _top(tree: Tree) -> str:
    """The most general label that says something."""
    labels = [label for label in tree.chain(tree.leaves[0]) if label.strip("*")]
    return labels[-1]


def _closed(kept: str, text: str, end: int) -> tuple[str, int]:
    """What stands before a dose that is left out, and where the text goes on: without its brackets, blanks and "of"."""
    if kept.endswith("(") and text.startswith(")", end):
        kept, end = kept[:-1], end + 1
    if text.startswith(" of ", end):
        end += 3
    if end == len(text) or text[end] in " \t.,;:)\n":
        kept = kept.rstrip(" \t")
    return kept, end
