"""The four data sets of PACS: as they are, without doses, without names of medications, without both; what each keeps.

Every data set is clustered from the same start and compared with the original: persistence cluster by cluster, its
average, and the risk table, released fraction × average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sharewell.hierarchy.tree import Tree
from sharewell.notes.engine.measures.note_clusters import ClusterPersistence, clusters, compare_clusters
from sharewell.notes.mechanisms.pacs import VARIANTS
from sharewell.notes.utility.disclosure_risk import FRACTIONS, risk


@dataclass(frozen=True)
class FourDataSets:
    """What each data set keeps of the clusters of the original."""

    notes: int
    flagged: int
    """Notes in which a drug or a dose was found."""
    kept: Mapping[str, ClusterPersistence]
    """Without the original, which keeps everything."""
    two_starts: float
    """The original against itself, clustered from another start: what chance alone costs."""

    @property
    def averages(self) -> dict[str, float]:
        return {name: persistence.average for name, persistence in self.kept.items()}

    @property
    def risks(self) -> dict[str, dict[float, float]]:
        """Data set → released fraction → risk."""
        return {name: {part: risk(part, average) for part in FRACTIONS} for name, average in self.averages.items()}

    def to_json(self) -> dict[str, object]:
        sets = {
            name: {
                "persistence": persistence.average,
                "by_cluster": list(persistence.by_cluster),
                "records_kept": persistence.records_kept,
                "risk": {f"{part:.0%}": value for part, value in self.risks[name].items()},
            }
            for name, persistence in self.kept.items()
        }
        sizes = next(iter(self.kept.values())).sizes
        facts = {"notes": self.notes, "flagged": self.flagged, "clusters": list(sizes), "two_starts": self.two_starts}
        return {**facts, "data_sets": sets}


def four_data_sets(
    texts: Sequence[str],
    k: int = 5,
    seed: int = 0,
    starts: int = 10,
    tree: Tree | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> FourDataSets:
    """Make all four, cluster and compare them. O(notes · words) for each, and k-means five times."""
    progress("clustering the original")
    original = clusters(texts, k, seed, starts)
    kept, changed = {}, [False] * len(texts)
    for name, pacs in VARIANTS.items():
        if name == "original":
            continue
        progress(f"clustering {name}")
        variant_texts = [replace(pacs, tree=tree).of(text) for text in texts]
        changed = [was or old != new for was, old, new in zip(changed, texts, variant_texts, strict=True)]
        kept[name] = compare_clusters(original, clusters(variant_texts, k, seed, starts))
    progress("clustering from another start")
    again = compare_clusters(original, clusters(texts, k, seed + 1, starts))
    return FourDataSets(len(texts), sum(changed), kept, again.average)
