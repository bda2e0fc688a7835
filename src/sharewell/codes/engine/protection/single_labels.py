"""The moves of a tree cut that leave no label rare by itself, found without weighing every node anew for each move.

What a move settles and costs depends on the codes below its node alone. So raising to a node, or withholding a label,
changes the scores of the nodes above it and of no other. Two heaps hold the scores; outdated entries are passed over.
O((labels + moves) · depth · log labels), where weighing all nodes for every move is O(moves · nodes).
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sharewell.codes.engine.protection.tree_cuts import TreeCut


class SingleLabels:
    """The search over a cut whose `rarities` say which labels are rare: 1, or 0."""

    def __init__(self, cut: TreeCut, below_root: bool) -> None:
        tree = cut.tree
        self._cut, self._below_root = cut, below_root
        self._top = 0 if below_root or tree.any_root else -1
        """Nothing is raised to this node; of a tree without `*` every node may be raised to."""
        self._parent, self._first, self._last = tree.parent.tolist(), tree.first.tolist(), tree.last.tolist()
        self._after = np.searchsorted(tree.first, tree.last).tolist()
        """The nodes below n are n + 1 … after[n] − 1."""
        self._settled, self._paid = (_sums(of, cut) for of in (cut.rarities, cut.paid))
        self._held = (cut.held[tree.last] - cut.held[tree.first]).tolist()
        self._weights = tree.weights.tolist()
        self._rare_children = [0] * len(self._parent)
        self._changes = [0] * len(self._parent)
        """How often the score of a node changed."""
        self._raised: list[tuple[float, int, int]] = []
        self._withheld: list[tuple[float, int, int]] = []
        for label in cut.node[cut.rarities > 0].tolist():
            self._add_rare(label)
        heapify(self._withheld)
        self._raised = [(-self._score(node), node, 0) for node, some in enumerate(self._rare_children) if some]
        heapify(self._raised)

    def next_move(self) -> tuple[int, bool] | None:
        """The node that settles most for its cost, and whether to raise to it; else it is withheld."""
        raised, withheld = self._raised, self._withheld
        while raised and not (self._rare_children[raised[0][1]] and self._changes[raised[0][1]] == raised[0][2]):
            heappop(raised)
        while withheld and not self._can_withhold(withheld[0][2]):
            heappop(withheld)
        if withheld and (not raised or withheld[0][0] < raised[0][0]):
            return withheld[0][2], False
        return (raised[0][1], True) if raised else None

    def moved(self, node: int, raised: bool) -> None:
        """After a move: what is below the node and above it changed."""
        rare = int(self._cut.rarities[self._first[node]])
        settled, paid = rare - self._settled[node], self._paid_now(node, raised) - self._paid[node]
        if raised:
            self._rare_children[node : self._after[node]] = [0] * (self._after[node] - node)
        elif self._parent[node] > self._top:
            self._rare_children[self._parent[node]] -= 1
        if rare:
            begun = len(self._withheld)
            self._add_rare(node)
            if len(self._withheld) > begun:
                heappush(self._withheld, self._withheld.pop())
        above = node
        while above >= 0:
            self._settled[above] += settled
            self._paid[above] += paid
            self._changes[above] += 1
            if self._rare_children[above]:
                heappush(self._raised, (-self._score(above), above, self._changes[above]))
            above = self._parent[above]

    def _add_rare(self, label: int) -> None:
        above = self._parent[label]
        if above > self._top:
            self._rare_children[above] += 1
        if not self._below_root and (above <= self._top or self._held[label] <= self._cut.spare):
            price = max(self._held[label] * (self._cut.size - self._weights[label]), 1)
            self._withheld.append((-(1 / price), self._first[label], label))

    def _can_withhold(self, label: int) -> bool:
        """Is it still a label, and rare, and cheap enough to go?"""
        first = self._first[label]
        shown = self._cut.node[first] == label and self._cut.rarities[first] > 0
        return bool(shown) and (self._parent[label] <= self._top or self._held[label] <= self._cut.spare)

    def _score(self, node: int) -> float:
        cost = self._weights[node] * self._held[node] - self._paid[node]
        return float(self._settled[node] / max(cost, 1))

    def _paid_now(self, node: int, raised: bool) -> int:
        return int((self._weights[node] if raised else self._cut.size) * self._held[node])


def _sums(values: np.ndarray[tuple[int], np.dtype[np.int64]], cut: TreeCut) -> list[int]:
    """For each node the sum over its places."""
    before = np.append(0, np.cumsum(values))
    sums: list[int] = (before[cut.tree.last] - before[cut.tree.first]).tolist()
    return sums
