"""Facts that would have to be left out, shown less precisely instead where that helps: a diagnosis by its category.

Inside a group of persons a fact changes in all records or in none, as when it is left out. A coarser fact counts only
with its equals, so that k persons of the group must show that very fact. From the leaves of the tree of coarser facts
up, the cheapest choice is made at every node: what has no place below it becomes the node, or everything below becomes
it, or what has no place waits for a higher node. What finds none is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.combination_walk import run_numbers
from sharewell.joint.engine.joined_records import Ints, Items, JoinedRecords
from sharewell.protocols import CoarserFacts

Marks = NDArray[np.bool_]
Allowed = Callable[[Sequence[int]], bool]
"""May these persons be all who show a fact?"""
LEFT_OUT = -2


def coarser_facts(joined: JoinedRecords, part: Items, marks: Marks, tree: CoarserFacts, allowed: Allowed) -> Ints:
    """For each fact of a part the node that it becomes, -1 if it stays as it is, or LEFT_OUT.

    marks: the facts that cannot stay.
    """
    node = tree.node[part.fact_item] if part.sort == "labels" else tree.node
    group = joined.group[part.fact_person]
    result = np.where(marks, LEFT_OUT, -1).astype(np.int64)
    touched = np.zeros(int(group.max(initial=-1)) + 1, bool)
    touched[group[marks]] = True
    facts = np.flatnonzero(touched[group])
    least = int(node.min(initial=0))
    key = (group[facts] * (int(node.max(initial=0)) - least + 1) + node[facts] - least) * 2 + marks[facts]
    order = np.argsort(key, kind="stable")
    facts = facts[order]
    run, lengths = run_numbers(key[order])
    ends = np.cumsum(lengths)
    first = facts[ends - lengths]  # of each run of facts that say the same in the same group
    persons, stops = part.fact_person[facts].tolist(), [0, *ends.tolist()]
    kinds = list(zip(node[first].tolist(), marks[first].tolist(), strict=True))
    of_run: list[int] = []
    begins = np.flatnonzero(np.diff(group[first], prepend=-1)).tolist()
    for begin, end in pairwise([*begins, len(first)]):
        own = {kinds[one]: persons[stops[one] : stops[one + 1]] for one in range(begin, end)}
        becomes = _Cut(own, tree, allowed).becomes()
        of_run += [becomes[one] for one in kinds[begin:end]]
    result[facts] = np.array(of_run, np.int64)[run]
    return result


_Fact = tuple[int, bool]
"""Facts of one node that can stay (False) or cannot (True)."""


class _Cut:
    """The cheapest choice for one group. own: who has each fact, once for every time."""

    def __init__(self, own: Mapping[_Fact, list[int]], tree: CoarserFacts, allowed: Allowed) -> None:
        self.own, self.tree, self.allowed = own, tree, allowed
        self.children: dict[int, list[int]] = {}
        self.roots: list[int] = []
        seen: set[int] = set()
        for one in sorted({node for node, _ in own}):
            while one not in seen:
                seen.add(one)
                above = int(tree.parent[one])
                if above < 0:
                    self.roots.append(one)
                    break
                self.children.setdefault(above, []).append(one)
                one = above

    def becomes(self) -> dict[_Fact, int]:
        """Of each fact: the node that it becomes, -1 if it stays, or LEFT_OUT."""
        results = dict.fromkeys(self.own, LEFT_OUT)
        for root in self.roots:
            results |= self._best(root).becomes
        return {(node, gone): -1 if to == node and not gone else to for (node, gone), to in results.items()}

    def _best(self, node: int) -> _Chosen:
        """The cheapest choice for all facts from this node down."""
        below = [self._best(child) for child in self.children.get(node, ())]
        becomes = {one: to for each in below for one, to in each.becomes.items()}
        homeless = [one for each in below for one in each.homeless]
        cost, lost = sum(each.cost for each in below), float(self.tree.loss[node])
        kept, gone = (node, False), (node, True)
        if kept in self.own:
            becomes[kept] = node
            cost += lost * len(self.own[kept])
        if gone in self.own:  # nothing can become what some cannot stay
            return _Chosen(cost, becomes, [*homeless, gone])
        here = _Chosen(cost, becomes, homeless)
        if not homeless:
            return here
        some, every = self._persons(homeless), self._persons([*becomes, *homeless])
        choices = [(cost + len(some), 0)]
        if self.allowed(sorted({*some, *self.own.get(kept, ())})):
            choices.append((cost + lost * len(some), 1))
        if self.allowed(sorted(set(every))):
            choices.append((lost * len(every), 2))
        price, best = min(choices)
        if best == 0:
            return here
        moved = homeless if best == 1 else [*becomes, *homeless]
        return _Chosen(price, becomes | dict.fromkeys(moved, node), [])

    def _persons(self, facts: Sequence[_Fact]) -> list[int]:
        """The person of each of these facts."""
        return [person for one in facts for person in self.own[one]]


@dataclass(frozen=True)
class _Chosen:
    cost: float
    """Of the facts that have a place."""
    becomes: dict[_Fact, int]
    homeless: list[_Fact]
    """Facts that have none so far: higher up there may be one."""
