"""Which mechanism suits which criteria, for `using: auto`: the first of these that can make them hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Chunks
from sharewell.protocols import Criterion

BY_CRITERION = {
    "utility-policy": ("cba", "it keeps to the utility policy and generalises least among those that do"),
    "privacy-policy": ("pcta", "it merges codes by least loss until every listed combination is hidden"),
    "hkp-coherence": ("greedy-suppression", "it leaves out the codes that give most combinations away"),
    "ps-rules": ("rbat", "it shows public codes as finely as the rules allow"),
    "hidden-patterns": ("pattern-hiding", "it deletes as few codes as it can"),
    "km-disassociation": ("disassociation", "it alters no code"),
    "cover-free": ("disassociation", "it alters no code"),
    "complete-k-anonymity": ("greedy-partitioning", "it generalises each group of records as little as it needs"),
}


def preferences(data: CodeSets, must: Sequence[Criterion[CodeSets | Chunks]]) -> Iterator[tuple[str, str]]:
    """(mechanism, reason), the best first."""
    asked = [one.name for one in must]
    for name, chosen in BY_CRITERION.items():
        if name in asked:
            yield chosen
    if "rho-uncertainty" in asked:
        if data.hierarchy is not None:
            yield "td-control", "with a hierarchy it generalises where it can, and suppresses the rest"
        yield "suppress-control", "there is no hierarchy, so that codes are shown or left out"
    label = "by the hierarchy" if data.hierarchy is not None else "itself or, without a hierarchy, *"
    yield "apriori", f"one label for each code in all records, {label}"
