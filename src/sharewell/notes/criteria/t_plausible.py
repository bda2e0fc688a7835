"""t-plausible: every note could stand for at least t different texts.

## Guarantee
Every published note that speaks of the ontology at all could have come from at least t texts: replacing each of its
labels by any of the leaves below it gives so many. `variant: uniform` counts leaves. `variant: expected` counts what
leaves are worth to somebody who knows how common each is: 2 to the power of the entropy of the prior below the label.

## Adversary
Reads the note, knows the ontology, and (expected) how common each leaf is.

## What it does not protect
Anything that the ontology does not list, and what the rest of the note says: "insulin" makes one leaf of "metabolic
disease" far more plausible than the others. Names, dates and numbers are for `replace`.

## Parameters
t: the least number of plausible texts.
tree: the ontology, a hierarchy file with one leaf a row.
variant: `uniform` (default) or `expected`.
prior: of `expected`, a table with the columns `leaf` and `weight`. A leaf that it does not list weighs nothing.

## Worked example
>>> from sharewell.hierarchy import Tree
>>> from sharewell.notes import Notes
>>> tree = Tree([["tuberculosis", "infection", "*"], ["HIV", "infection", "*"], ["asthma", "*"]])
>>> rule = TPlausible(2, tree)
>>> print(rule.check(Notes.of(["Treated for tuberculosis."])))
t-plausible = 1 texts (≥ 2: FAILS)
>>> print(rule.check(Notes.of(["Treated for infection.", "Well."])))
t-plausible = 2 texts (≥ 2: holds)

## Why it is safe
Labels are looked for anew in the published text. A label that stands in a note twice counts once: nobody can tell from
the text whether it hides one word or two, so one is assumed. Different labels hide different words, so that a leaf is
not counted for two of them; the expected variant takes labels for independent.

## Cost
O(words).

## Source
Jiang, Murugesan, Clifton and Si, 2009 (t-plausibility). Both variants are our reading of it; there, two words that
were given the same label count twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log2, prod
from typing import ClassVar, Literal

from sharewell.errors import DataError
from sharewell.findings import Finding, Sense
from sharewell.hierarchy.chains import ROOT
from sharewell.hierarchy.tree import Tree
from sharewell.io.sources import Source
from sharewell.notes.data import Notes
from sharewell.notes.engine.vocabulary import Vocabulary
from sharewell.parameters import Count, Declared
from sharewell.protocols import Criterion

MASK = "[*]"
"""The root in a text: any leaf of the ontology."""


@dataclass(frozen=True)
class Ontology:
    """A tree, and how many texts each of its labels is worth."""

    tree: Tree
    weights: Mapping[str, float] | None = None
    """Leaf → weight; None counts leaves."""

    def worth(self, label: str) -> int | float:
        """Leaves below a label, or what they are worth under the prior."""
        return self._worth[ROOT if label == MASK else label]

    @cached_property
    def labels(self) -> Vocabulary:
        return Vocabulary(label for label in self._worth if label != ROOT)

    @cached_property
    def _below(self) -> dict[str, frozenset[str]]:
        """Label → its leaves."""
        below: dict[str, set[str]] = {}
        for leaf in self.tree.leaves:
            for label in {*self.tree.chain(leaf), ROOT}:
                below.setdefault(label, set()).add(leaf)
        return {label: frozenset(leaves) for label, leaves in below.items()}

    @cached_property
    def _worth(self) -> dict[str, int | float]:
        if self.weights is None:
            return {label: len(leaves) for label, leaves in self._below.items()}
        weights = self.weights
        return {label: _effective([weights.get(leaf, 0.0) for leaf in leaves]) for label, leaves in self._below.items()}

    def labels_in(self, text: str) -> set[str]:
        """The labels that a text shows, each once."""
        shown = {label for _, _, label in self.labels.find(text)}
        return shown | ({MASK} if MASK in text else set())

    def plausible(self, labels: Collection[str]) -> int | float:
        """How many texts they could stand for together. Exact for leaves.

        Different labels hide different words. Of two labels in a tree one lies within the other or they share nothing;
        so, from the smallest to the largest, each has as many leaves to choose from as those within it have not taken.
        """
        if self.weights is not None:
            return prod(self.worth(label) for label in sorted(labels))
        sets = sorted((self._below[ROOT if label == MASK else label] for label in labels), key=len)
        return prod(len(leaves) - sum(inner <= leaves for inner in sets[:i]) for i, leaves in enumerate(sets))


def _effective(weights: list[float]) -> float:
    """2 to the power of the entropy: the number of equally common leaves that would be as hard to guess."""
    total = sum(weights)
    if total <= 0:
        return 1.0
    return float(2 ** -sum(w / total * log2(w / total) for w in sorted(weights) if w > 0))


@dataclass(frozen=True)
class TPlausible(Declared, Criterion[Notes]):
    """Every note could stand for at least t texts."""

    t: Count
    tree: Source | Tree
    variant: Literal["uniform", "expected"] = "uniform"
    prior: Source | None = None

    name: ClassVar[str] = "t-plausible"
    unit: ClassVar[str] = "note"
    sense: ClassVar[Sense] = "≥"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.variant == "expected") != (self.prior is not None):
            raise ValueError("prior goes with variant: expected, and the other way round")

    @property
    def bound(self) -> int:
        return self.t

    @cached_property
    def ontology(self) -> Ontology:
        """Read when it is first asked for."""
        return ontology(self.tree, self.prior)

    def check(self, data: Notes) -> Finding:
        """The fewest texts that a note with a label of the ontology could stand for; a note without any hides nothing.

        What a prior is worth is a floating-point number: a hair below t is taken for t.
        """
        least: int | float | None = None
        for text in data.texts:
            labels = self.ontology.labels_in(text)
            if labels:
                count = self.ontology.plausible(labels)
                least = count if least is None else min(least, count)
        if least is None:
            note = "no note speaks of the ontology"
            return Finding(self.name, None, None, self.t, self.sense, True, unit="texts", note=note)
        value = least if isinstance(least, int) else Fraction(least).limit_denominator(10**6)
        enough = least >= self.t * (1 - 1e-12) if isinstance(least, float) else least >= self.t
        return Finding(self.name, value, None, self.t, self.sense, enough, unit="texts")


def ontology(tree: Source | Tree, prior: Source | None) -> Ontology:
    """From files, or from a tree in memory."""
    if isinstance(tree, Source):
        if tree.path is None:
            raise DataError("tree — the ontology is missing — name its file")
        tree = Tree.from_csv(tree.path)
    if prior is None:
        return Ontology(tree)
    rows = prior.read(["leaf", "weight"])
    try:
        weights = {str(leaf): float(weight) for leaf, weight in zip(*rows.to_pydict().values(), strict=True)}
    except (TypeError, ValueError):
        raise DataError(f"{prior.label} — a weight is not a number — each leaf needs one") from None
    if any(not 0 <= weight < float("inf") for weight in weights.values()):
        raise DataError(f"{prior.label} — a weight is negative or not finite — give numbers of 0 or more")
    if not any(weights.get(leaf, 0) > 0 for leaf in tree.leaves):
        raise DataError(f"{prior.label} — weighs no leaf of the ontology — its column `leaf` must hold leaves")
    return Ontology(tree, weights)
