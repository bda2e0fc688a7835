"""Disclosure risk, as in PACS: the released fraction of the notes times their persistence.

## Guarantee
None; a figure to compare variants with. It is not a probability of anything that an attacker does.

## Adversary
None is modelled. What attackers can do is measured by the attacks.

## What it does not protect
Not a privacy measure, its name notwithstanding.

## Parameters
fraction: which part of the notes is released (default: all that were not withheld).
k, seed, starts: as of `persistence`.

## Worked example
>>> round(risk(0.05, 0.86), 4), round(risk(0.10, 0.45), 4)
(0.043, 0.045)
>>> from sharewell.notes import Notes
>>> texts = ["chest pain and cough", "chest pain, cough", "broken ankle after fall", "fall with broken ankle"]
>>> print(DisclosureRisk(fraction=0.1, k=2).score(Notes.of(texts), Notes.of(texts)))
disclosure-risk = 0.1 share

## Why it is safe
A product of two numbers. The paper's own table departs from it twice: at 5 % without doses it prints 4.5 %, where the
product is 4.3 %, and at 10 % without both 4.6 %, where it is 4.5 %.

## Cost
That of `persistence`.

## Source
Ghemri and Kannah, Privacy in Medical Data Publishing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge

from sharewell.findings import Finding
from sharewell.notes.data import Notes
from sharewell.notes.utility.persistence import Persistence
from sharewell.parameters import Count, Declared, Share
from sharewell.protocols import Measure

FRACTIONS = (0.01, 0.05, 0.10)
"""Those of the paper's table."""


def risk(fraction: float, persistence: float) -> float:
    """The product."""
    return fraction * persistence


@dataclass(frozen=True)
class Details:
    """What the product is made of, and what it would be at the paper's fractions."""

    fraction: float
    persistence: float
    at: dict[str, float]


@dataclass(frozen=True)
class DisclosureRisk(Declared, Measure[Notes]):
    """Released fraction × persistence."""

    fraction: Share | None = None
    k: Annotated[int, Ge(2)] = 5
    seed: int = 0
    starts: Count = 10

    name: ClassVar[str] = "disclosure-risk"
    packages: ClassVar[tuple[str, ...]] = ("scipy", "sklearn", "snowballstemmer")

    def score(self, before: Notes, after: Notes) -> Finding:
        average = Persistence(self.k, self.seed, self.starts).kept(before, after).average
        fraction = after.rows / before.rows if self.fraction is None else self.fraction
        by_fraction = {f"{share:.0%}": risk(share, average) for share in FRACTIONS}
        return Finding(
            self.name, risk(fraction, average), unit="share", details=Details(fraction, average, by_fraction)
        )
