"""Leaving labels out of all records until no rule is too sure, for the methods that make ρ-uncertainty hold.

What is left out of every record changes nothing for combinations without it: they are in the same records as before. So
the rules that remain are as sure as they were, and no new one appears. To make all rules of one size harmless is then
to choose labels so that each rule that is too sure loses one; and no size is looked at twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.criteria.rho_uncertainty import RhoUncertainty
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, occurrences
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.packed_sets import Ints, Sets
from sharewell.codes.engine.rules import rules
from sharewell.errors import Infeasible
from sharewell.preconditions import refuse_incompatible, refuse_unfit
from sharewell.protocols import Mechanism

MOST_RULES = 10_000_000
"""Rules that are held at a time."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """A criterion, and its sensitive codes as they are numbered here."""

    criterion: RhoUncertainty
    sensitive: tuple[int, ...]

    def turned(self, turn: int, universe: int) -> Wanted:
        return Wanted(self.criterion, tuple((item - turn) % universe for item in self.sensitive))


def refuse(mechanism: Mechanism[CodeSets], data: CodeSets, must: Sequence[RhoUncertainty]) -> None:
    """Say what cannot be done before anything is done."""
    refuse_unfit(mechanism.name, data, data.records)
    refuse_incompatible(mechanism, must)


def refuse_nothing(mechanism: Mechanism[CodeSets], released: CodeSets, must: Sequence[RhoUncertainty]) -> None:
    if not released.names:
        blocking = [one.name for one in must]
        raise Infeasible(f"{mechanism.name} — no code could be shown", blocking=blocking, relaxations=["a larger rho"])


def settle(
    sets: Sets, universe: int, wanted: Sequence[Wanted], cost: Ints, rank: Ints, high: int | None = None
) -> list[int]:
    """The labels to leave out. With `high`, only rules whose antecedent holds a label below it can be too sure.

    cost: what leaving out each label loses; below 0, it must not be left out. rank: of equals, the first goes.
    """
    gone: list[int] = []
    most = min(max((one.criterion.size for one in wanted), default=-1), sets.longest)
    for size in range(0 if high is None else 1, most + 1):
        complete = False
        while not complete:
            broken, complete = _some_broken(sets, universe, wanted, size, high)
            victims = cover(broken, cost, rank)
            sets = without(sets, victims, universe)
            gone += victims
    return gone


def _some_broken(sets: Sets, universe: int, wanted: Sequence[Wanted], size: int, high: int | None) -> tuple[Ints, bool]:
    """(rules of a size that are too sure, are these all?). So many are held at a time as memory bears."""
    parts, held = [np.zeros((0, size + 1), dtype=np.int64)], 0
    for one in wanted:
        for part in _broken(sets, universe, one, size, high):
            parts.append(part)
            held += len(part)
            if held >= MOST_RULES:
                return np.concatenate(parts), False
    return np.concatenate(parts), True


def cover(broken: Ints, cost: Ints, rank: Ints) -> list[int]:
    """Labels such that each rule, one a row, holds one of them: always the one in most rules for its cost."""
    width = broken.shape[1]
    counts = np.bincount(broken.ravel(), minlength=len(cost))
    starts = np.append(0, np.cumsum(counts))
    rule_of = np.argsort(broken.ravel(), kind="stable") // width
    alive = np.ones(len(broken), dtype=bool)
    chosen: list[int] = []
    while True:
        score = np.where(cost < 0, 0, counts / np.maximum(cost, 1))
        if not score.any():
            return chosen
        best = np.flatnonzero(score == score.max())
        chosen.append(int(best[np.argmin(rank[best])]))
        hit = rule_of[starts[chosen[-1]] : starts[chosen[-1] + 1]]
        hit = hit[alive[hit]]
        alive[hit] = False
        counts -= np.bincount(broken[hit].ravel(), minlength=len(cost))


def without(sets: Sets, gone: Sequence[int], universe: int) -> Sets:
    """The records without some labels; the others keep their numbers."""
    number = np.arange(universe)
    number[list(gone)] = -1
    return sets.renumbered(number)


def without_codes(data: CodeSets, gone: Iterable[int]) -> CodeSets:
    """The release in which some codes are left out of all records, and all others are their own labels."""
    left_out = set(gone)
    shown = {code: write_label([code]) for i, code in enumerate(data.names) if i not in left_out}
    return data.recoded({code: shown.get(code) for code in data.names}, {label: (c,) for c, label in shown.items()})


def put_back(
    sets: Sets, universe: int, gone: Sequence[int], wanted: Sequence[Wanted], cost: Ints, rank: Ints
) -> list[int]:
    """Of the labels left out, those that must stay out: each of the others is shown again, the costliest first.

    sets: the records with all labels. A label that cannot be shown now cannot be shown later, beside more labels.
    """
    out = set(gone)
    holders = sets.transposed(universe)
    live = without(sets, gone, universe)
    told = {item for one in wanted for item in _follows(live, universe, one, gone, holders)}
    for item in sorted(out - told, key=lambda item: (-cost[item], rank[item])):
        if not _breaks(item, live, universe, wanted, holders):
            out.remove(item)
            live = without(sets, sorted(out), universe)
    return sorted(out)


def _breaks(item: int, live: Sets, universe: int, wanted: Sequence[Wanted], holders: Sets) -> bool:
    """Would showing a label make a rule too sure? In its own records, an antecedent with it is one without it."""
    here = live.take(holders.row(item))
    for one in wanted:
        for size in range(min(one.criterion.size, here.longest) if here.count else 0):
            if next(_broken(here, universe, one, size, None), None) is not None:
                return True
        if _follows(live, universe, one, [item], holders):
            return True
    return False


def _follows(live: Sets, universe: int, one: Wanted, items: Sequence[int], holders: Sets) -> set[int]:
    """Which of some labels that are left out would follow too surely from those that are shown."""
    asked = sorted(set(items).intersection(one.sensitive))
    found: set[int] = set()
    for size in range(min(one.criterion.size, live.longest) + 1 if asked else 0):
        for part in rules(live, universe, asked, size, holders=holders):
            found.update(part.consequent[one.criterion.too_sure(part.together, part.alone)].tolist())
    return found


def _broken(sets: Sets, universe: int, one: Wanted, size: int, high: int | None) -> Iterator[Ints]:
    """The rules of a size that are too sure: their labels, one rule a row."""
    if size > one.criterion.size:
        return
    if occurrences(sets, size) > MOST_OCCURRENCES:
        what = f"{one.criterion.name} — combinations of {size} codes are too many to count"
        raise Infeasible(what, blocking=[one.criterion.name], relaxations=[f"size at most {size - 1}"])
    for part in rules(sets, universe, one.sensitive, size, high):
        sure: NDArray[np.bool_] = one.criterion.too_sure(part.together, part.alone)
        if sure.any():
            yield part.where(sure).items
