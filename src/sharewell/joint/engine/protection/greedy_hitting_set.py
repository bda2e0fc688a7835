"""A greedy hitting set, group by group: which facts to leave out so that no bad combination keeps all of its facts.

In every group, again and again, the fact that breaks most combinations for each occurrence it costs; of equal ones the
first. How often a fact occurs in the combinations that are left is counted once: what breaks is taken off. So a round
costs the combinations that are left and the facts that they hold, and no sorting.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import numbered
from sharewell.joint.engine.joined_records import Ints

Marks = NDArray[np.bool_]


def hitting_facts(groups: Ints, facts: Ints, total: int, prices: tuple[Ints, Ints]) -> Ints:
    """Chosen facts as group · total + fact.

    groups: of each combination. facts: its facts, all below total; -1 where it has fewer than others. prices: the same
    numbers, ascending, and what leaving each out costs.
    """
    every, group = numbered(groups)
    held = facts >= 0
    elements, place = numbered((group[:, None] * total + facts)[held])
    if not len(elements):
        return np.zeros(0, np.int64)
    keys = every[elements // total] * total + elements % total
    known, costs = prices
    return keys[_chosen(elements // total, costs[np.searchsorted(known, keys)], _columns(held, place, len(elements)))]


def _columns(held: Marks, place: Ints, nothing: int) -> list[Ints]:
    """The number of each fact of the combinations, column by column; `nothing` where there is none."""
    places = np.full(held.shape, nothing, np.int64)
    places[held] = place
    return [np.ascontiguousarray(column) for column in places.T]


def _chosen(group: Ints, costs: Ints, columns: list[Ints]) -> Ints:
    """Numbers of the chosen facts. group: of each fact, ascending."""
    facts = len(group)
    counts = np.bincount(np.concatenate(columns), minlength=facts + 1)[:facts]
    several = reduce(np.add, ((column < facts).astype(np.int8) for column in columns)) > 1
    alone = reduce(np.minimum, columns)[~several]  # nothing but leaving out the one fact helps
    chosen = np.zeros(facts + 1, np.bool_)
    chosen[alone] = True
    new = chosen.copy()
    while True:
        broken = reduce(np.logical_or, (new[column] for column in columns))
        counts -= np.bincount(np.concatenate([column[broken] for column in columns]), minlength=facts + 1)[:facts]
        columns = [column[~broken] for column in columns]
        if not len(columns[0]):
            return np.flatnonzero(chosen[:facts])
        best = _best(group, costs, counts)
        new[:] = False
        new[best] = chosen[best] = True


def _best(group: Ints, costs: Ints, counts: Ints) -> Ints:
    """In each group of which combinations are left, the fact that breaks most of them for its cost."""
    left = np.flatnonzero(counts)
    owner, score = group[left], counts[left] / costs[left]
    begins = np.flatnonzero(np.diff(owner, prepend=-1))
    highest = np.repeat(np.maximum.reduceat(score, begins), np.diff(np.append(begins, len(owner))))
    best = np.flatnonzero(score == highest)
    return np.asarray(left[best[np.diff(owner[best], prepend=-1) != 0]])
