"""Persistence: how well clusters of the published notes match clusters of the original ones.

## What it does not protect
Not a privacy measure. It says nothing about any one note.

## Parameters
k: how many clusters (default 5, as in the paper).
seed, starts: of k-means; the same seed gives the same clusters.

## Worked example
Notes are clustered by their words, before and after, and clusters are paired so that they agree the most; of each pair
the share |intersection| / |union| stays. The value is the average over the original clusters.

>>> from sharewell.notes import Notes
>>> texts = ["chest pain and cough", "chest pain, cough", "broken ankle after fall", "fall with broken ankle"]
>>> print(Persistence(k=2).score(Notes.of(texts), Notes.of(texts)))
persistence = 1 share

## Why it is safe
k-means depends on its start: from two starts, the same notes agree less than perfectly, too. The details tell how far
(`two_starts`); a persistence near that is as good as it gets.

## Cost
O(starts · iterations · k · words).

## Source
Ghemri and Kannah, Privacy in Medical Data Publishing. They give the distance |union| − |intersection| and call its
normalised value persistence without saying what it is divided by, or how clusters are paired: the union, and the best
pairing, are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge

from sharewell.findings import Finding, Sense
from sharewell.notes.data import Notes
from sharewell.notes.engine.measures.note_clusters import ClusterPersistence, align_notes, clusters, compare_clusters
from sharewell.parameters import Count, Declared
from sharewell.protocols import Measure


@dataclass(frozen=True)
class Details:
    """Cluster by cluster."""

    by_cluster: tuple[float, ...]
    sizes: tuple[int, ...]
    records_kept: float
    two_starts: float
    """The same for the original against itself, clustered from another start: what chance alone costs."""


@dataclass(frozen=True)
class Persistence(Declared, Measure[Notes]):
    """How much of the clusters stays."""

    k: Annotated[int, Ge(2)] = 5
    seed: int = 0
    starts: Count = 10

    name: ClassVar[str] = "persistence"
    packages: ClassVar[tuple[str, ...]] = ("scipy", "sklearn", "snowballstemmer")
    sense: ClassVar[Sense] = "≥"

    def kept(self, before: Notes, after: Notes) -> ClusterPersistence:
        """Cluster by cluster."""
        old, new = align_notes(before, after)
        ours = (self.k, self.seed, self.starts)
        return compare_clusters(clusters(old, *ours), clusters(new, *ours))

    def score(self, before: Notes, after: Notes) -> Finding:
        measured = self.kept(before, after)
        old, _ = align_notes(before, after)
        again = compare_clusters(
            clusters(old, self.k, self.seed, self.starts), clusters(old, self.k, self.seed + 1, self.starts)
        )
        details = Details(measured.by_cluster, measured.sizes, measured.records_kept, again.average)
        return Finding(self.name, measured.average, unit="share", details=details)
