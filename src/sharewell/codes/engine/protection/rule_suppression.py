"""Leaving labels out of all records until no rule is too sure, for the methods that make ρ-uncertainty hold.

What is left out of every record changes nothing for combinations without it: they are in the same records as before. So
the rules that remain are as sure as they were, and no new one appears. To make all rules of one size harmless is then
to choose labels so that each rule that is too sure loses one; and each size is settled once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Infeasible, Mechanism
from sharewell.codes.criteria.rho_uncertainty import RhoUncertainty
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, occurrences
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.rules import rules
from sharewell.preconditions import refuse_incompatible, refuse_unfit

MOST_RULES = 10_000_000
"""Rules that are held at a time."""


@dataclass(frozen=True, eq=False)
class Requirement:
    """A criterion, and its sensitive codes as they are numbered here."""

    criterion: RhoUncertainty
    sensitive: tuple[int, ...]

    @classmethod
    def of(cls, criterion: RhoUncertainty, number: Mapping[str, int]) -> Requirement:
        return cls(criterion, tuple(number[code] for code in criterion.sensitive if code in number))

    def turned(self, turn: int, universe: int) -> Requirement:
        return Requirement(self.criterion, tuple((item - turn) % universe for item in self.sensitive))


def refuse(mechanism: Mechanism[CodeSets], data: CodeSets, criteria: Sequence[RhoUncertainty]) -> None:
    """Say what cannot be done before anything is done."""
    refuse_unfit(mechanism.name, data, data.records)
    refuse_incompatible(mechanism, criteria)


def refuse_nothing(mechanism: Mechanism[CodeSets], released: CodeSets, criteria: Sequence[RhoUncertainty]) -> None:
    if not released.names:
        blocking = [criterion.name for criterion in criteria]
        raise Infeasible(f"{mechanism.name} — no code could be shown", blocking=blocking, relaxations=["a larger rho"])


def settle(
    sets: Sets, universe: int, needs: Sequence[Requirement], cost: Ints, rank: Ints, high: int | None = None
) -> list[int]:
    """The labels to leave out. With `high`, only rules whose antecedent holds a label below it can be too sure.

    cost: what leaving out each label loses; below 0, it must not be left out. rank: of equals, the first goes.
    """
    removed: list[int] = []
    most = min(max((need.criterion.size for need in needs), default=-1), sets.longest)
    for size in range(0 if high is None else 1, most + 1):
        complete = False
        while not complete:
            broken, complete = _some_broken(sets, universe, needs, size, high)
            victims = cover(Sets.of_tables([broken]), cost, rank)
            sets = without(sets, victims, universe)
            removed += victims
    return removed


def _some_broken(
    sets: Sets, universe: int, needs: Sequence[Requirement], size: int, high: int | None
) -> tuple[Ints, bool]:
    """(rules of a size that are too sure, are these all?). As many are held at a time as memory bears."""
    parts, total = [np.zeros((0, size + 1), dtype=np.int64)], 0
    for need in needs:
        for part in _broken(sets, universe, need, size, high):
            parts.append(part)
            total += len(part)
            if total >= MOST_RULES:
                return np.concatenate(parts), False
    return np.concatenate(parts), True


def cover(sets: Sets, cost: Ints, rank: Ints) -> list[int]:
    """Items so that each set holds one of them: always the one in most sets for its cost, of equals the first by rank.

    An item with a cost below 0 is never taken.
    """
    counts, by_item = sets.supports(len(cost)), sets.transposed(len(cost))
    uncovered = np.ones(sets.count, dtype=bool)
    chosen: list[int] = []
    while True:
        score = np.where(cost < 0, 0, counts / np.maximum(cost, 1))
        if not score.any():
            return chosen
        best = np.flatnonzero(score == score.max())
        chosen.append(int(best[np.argmin(rank[best])]))
        rows = by_item.row(chosen[-1])
        rows = rows[uncovered[rows]]
        uncovered[rows] = False
        counts -= sets.take(rows).supports(len(cost))


def without(sets: Sets, removed: Sequence[int], universe: int) -> Sets:
    """The records without some labels; the others keep their numbers."""
    number = np.arange(universe)
    number[list(removed)] = -1
    return sets.renumbered(number)


def without_codes(data: CodeSets, removed: Iterable[int]) -> CodeSets:
    """The release in which some codes are left out of all records, and all others are their own labels."""
    left_out = set(removed)
    shown = {code: write_label([code]) for i, code in enumerate(data.names) if i not in left_out}
    return data.recoded({code: shown.get(code) for code in data.names}, {label: (c,) for c, label in shown.items()})


def put_back(
    sets: Sets, universe: int, removed: Sequence[int], needs: Sequence[Requirement], cost: Ints, rank: Ints
) -> list[int]:
    """The labels that must stay left out: each of the others is shown again, the costliest first.

    sets: the records with all labels. A label that cannot be shown now cannot be shown later, with more labels.
    """
    out = set(removed)
    holders = sets.transposed(universe)
    live = without(sets, removed, universe)
    inferable = {item for need in needs for item in _follows(live, universe, need, removed, holders)}
    for item in sorted(out - inferable, key=lambda item: (-cost[item], rank[item])):
        if not _breaks(item, live, universe, needs, holders):
            out.remove(item)
            live = without(sets, sorted(out), universe)
    return sorted(out)


def _breaks(item: int, live: Sets, universe: int, needs: Sequence[Requirement], holders: Sets) -> bool:
    """Would showing a label make a rule too sure? In its own records, an antecedent with it is one without it."""
    records = live.take(holders.row(item))
    for need in needs:
        for size in range(min(need.criterion.size, records.longest) if records.count else 0):
            if next(_broken(records, universe, need, size, None), None) is not None:
                return True
        if _follows(live, universe, need, [item], holders):
            return True
    return False


def _follows(live: Sets, universe: int, need: Requirement, items: Sequence[int], holders: Sets) -> set[int]:
    """Which of some labels that are left out would follow too surely from those that are shown."""
    sensitive = sorted(set(items).intersection(need.sensitive))
    inferable: set[int] = set()
    for size in range(min(need.criterion.size, live.longest) + 1 if sensitive else 0):
        for part in rules(live, universe, sensitive, size, holders=holders):
            inferable.update(part.consequent[need.criterion.too_sure(part.together, part.alone)].tolist())
    return inferable


def _broken(sets: Sets, universe: int, need: Requirement, size: int, high: int | None) -> Iterator[Ints]:
    """The rules of a size that are too sure: their labels, one rule a row."""
    if size > need.criterion.size:
        return
    if occurrences(sets, size) > MOST_OCCURRENCES:
        problem = f"{need.criterion.name} — combinations of {size} codes are too many to count"
        raise Infeasible(problem, blocking=[need.criterion.name], relaxations=[f"size at most {size - 1}"])
    for part in rules(sets, universe, need.sensitive, size, high):
        sure: NDArray[np.bool_] = need.criterion.too_sure(part.together, part.alone)
        if sure.any():
            yield part.where(sure).items
