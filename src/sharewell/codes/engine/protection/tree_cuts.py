"""Cuts through a tree of codes in which every combination of at most m labels is in no record or in k.

The cut starts at the codes, or at given nodes, and is raised. For each size of combination, all rare ones are counted
once; then the move that settles most of them for its cost is made, and only records that it touches are counted again.
A move raises all labels below a node to that node. Labels directly below the root `*` are withheld
instead, rather than showing every code as `*`. At the end, needless moves are undone.

A label is known by the first place (leaf) that it covers. Labels cover runs of places, so those that a move replaces
are a run of numbers; counted from there on, they come first in every record, as `itemsets.rare` wants them.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval, Unit
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.itemsets import rare
from sharewell.codes.engine.protection.single_labels import SingleLabels
from sharewell.compiled import numba_or_none, numba_or_numpy
from sharewell.exact_shares import part_of
from sharewell.protocols import Protected

OccurrenceShare = Annotated[float, Interval(ge=0, lt=1), Unit("of code occurrences")]
_SMALL = 5_000
"""Occurrences up to which numpy alone is quick enough."""
_KERNEL = "sharewell.codes.engine.protection.label_counts_kernel"


@dataclass(frozen=True)
class CutDetails:
    """How many codes and labels there are, what became of the codes, and how many the hierarchy does not list."""

    codes: int
    labels: int
    generalised: int
    withheld: int
    withheld_occurrences: int
    unknown: int
    moves: int


class TreeLabels:
    """Labels that are nodes of a tree. `node[p]`: the label that begins at p. `label[p]`: where the label of p begins.

    −1 stands for none. Items of the sets beyond the places of the tree have no node, and are their own labels.
    """

    def __init__(self, tree: CodesTree, sets: Sets, size: int) -> None:
        self.tree, self.sets, self.size = tree, sets, size
        self.holders = sets.transposed(size)
        self.held = np.append(0, np.cumsum(sets.supports(size)))
        """How many occurrences the items before each one have."""
        self.label = np.arange(size)
        self.node = np.full(len(tree.codes), -1, dtype=np.int64)

    def occurrences(self, node: int) -> int:
        return int(self.held[self.tree.last[node]] - self.held[self.tree.first[node]])

    def gain(self, node: int) -> int:
        """What would be won by showing a node's children in its place; 0 if it has none."""
        children, weights = self.tree.children(node).tolist(), self.tree.weights
        lost = sum(int(weights[child]) * self.occurrences(child) for child in children)
        return int(weights[node]) * self.occurrences(node) - lost if children else 0

    def place(self, node: int) -> None:
        """Show all codes below a node as the node."""
        first, last = self.tree.first[node], self.tree.last[node]
        self.label[first:last] = first
        self.node[first:last] = -1
        self.node[first] = node

    def holding(self, first: int, last: int) -> Ints:
        """The records that hold a code at one of these places."""
        rows = self.holders.items[self.holders.starts[first] : self.holders.starts[last]]
        return rows.astype(np.int64) if last - first == 1 else _distinct(rows, self.sets.count)

    def shown(self, label: Ints, rows: Ints | None = None, turn: int = 0) -> Sets:
        """Some records, or all, as labels show them; labels are numbered from `turn` on, and around."""
        rows = np.arange(self.sets.count) if rows is None else rows
        kernel = numba_or_numpy(len(self.sets.items) > _SMALL, f"{_KERNEL}:recoded", recoded)
        return Sets(*kernel(self.sets.starts, self.sets.items, rows, label, turn))


class TreeCut(TreeLabels):
    """A cut that is raised step by step."""

    def __init__(self, tree: CodesTree, sets: Sets, k: int, suppress: float = 0.0) -> None:
        super().__init__(tree, sets, len(tree.codes))
        self.k = k
        self.node = tree.leaf.copy()
        self.spare = part_of(suppress, len(sets.items))
        """How many occurrences may still be withheld though they could be raised."""
        self.paid = np.zeros(self.size, dtype=np.int64)
        """What is lost at each place: occurrences, each by the weight of the node that it is shown as."""
        self.withheld: list[int] = []
        self.moves = 0
        self.rarities = np.zeros(self.size, dtype=np.int64)
        """For each label, the rare combinations that hold it."""

    def shows(self) -> Ints:
        """The node that each code is shown as; −1 if it is withheld."""
        return np.where(self.label >= 0, self.node[self.label], -1)

    def protect(self, most: int) -> None:
        """Make every combination of up to `most` labels frequent. If no label remains, show every code as the root."""
        self.settle(most)
        self._refine(most)
        if not (self.node >= 0).any():
            self.raise_to(0)

    def published(self, data: CodeSets) -> Protected[CodeSets]:
        """The release that shows each code as its label."""
        nodes = self.shows()
        withheld = nodes < 0
        details = CutDetails(
            codes=len(nodes),
            labels=len(np.unique(nodes[~withheld])),
            generalised=int((self.tree.sizes[nodes[~withheld]] > 1).sum()),
            withheld=int(withheld.sum()),
            withheld_occurrences=int(np.diff(self.held)[withheld].sum()),
            unknown=self.tree.unknown,
            moves=self.moves,
        )
        return Protected(self.tree.recoded(data, nodes), details, np.arange(data.records))

    def settle(self, most: int, below_root: bool = False) -> None:
        """Raise labels until no combination of up to `most` of them is rare. `below_root`: none is raised to the root.

        Raising and withholding a label never make another combination rarer, so each size is settled once.
        """
        for size in range(1, most + 1):
            self.rarities = self._all_rarities(size)
            if size == 1:
                self._settle_single(below_root)
                continue
            while self._settle_best(size, below_root):
                self.moves += 1

    def _settle_single(self, below_root: bool) -> None:
        """The same for labels alone: such a one is rare or not, and nothing but its own records counts."""
        search = SingleLabels(self, below_root)
        while (move := search.next_move()) is not None:
            node, raised = move
            first, last = int(self.tree.first[node]), int(self.tree.last[node])
            self.rarities[first:last] = 0
            self._make(node, raised)
            if raised:
                self.rarities[first] = self._is_rare(node)
            search.moved(node, raised)
            self.moves += 1

    def _refine(self, most: int) -> None:
        """Undo needless moves: withheld labels first, then raised ones, the costliest first.

        A move that cannot be undone now cannot be undone later, when more labels are shown.
        """
        for node in sorted(self.withheld, key=lambda node: (-self.occurrences(node), node)):
            self.place(node)
            if self._has_rare(node, most):
                self._withhold(node)
            else:
                self.withheld.remove(node)
        todo = [(-self.gain(node), node) for node in self.node[self.node >= 0].tolist()]
        heapq.heapify(todo)
        while todo:
            gain, node = heapq.heappop(todo)
            if gain == 0:
                return
            children = self.tree.children(node).tolist()
            for child in children:
                self.place(child)
            if self._has_rare(node, most):
                self.place(node)
            else:
                for child in children:
                    heapq.heappush(todo, (-self.gain(child), child))

    def raise_to(self, node: int) -> None:
        """Show everything below a node as the node, what was withheld there included."""
        self.place(node)
        first, last = self.tree.first, self.tree.last
        if not self.withheld:
            return
        self.withheld = [w for w in self.withheld if not first[node] <= first[w] < last[w] <= last[node]]

    def place(self, node: int) -> None:
        super().place(node)
        first, last = self.tree.first[node], self.tree.last[node]
        self.paid[first:last] = self.tree.weights[node] * np.diff(self.held[first : last + 1])

    def _withhold(self, node: int) -> None:
        first, last = self.tree.first[node], self.tree.last[node]
        self.label[first:last] = -1
        self.node[first:last] = -1
        self.paid[first:last] = self.size * np.diff(self.held[first : last + 1])

    def _settle_best(self, size: int, below_root: bool) -> bool:
        """Make one move; False if none is left to make."""
        node, raised = self._best(below_root)
        if node < 0:
            return False
        if size == 2 and (pairs := self._rare_pairs(node)) is not None:
            apart, united = pairs
            self._make(node, raised)
            self.rarities += united - apart if raised else -apart
            return True
        self.rarities -= self._rarities_at(node, size)
        self._make(node, raised)
        if raised:
            self.rarities += self._rarities_at(node, size)
        return True

    def _make(self, node: int, raised: bool) -> None:
        """Raise to a node, or withhold it."""
        if raised:
            self.raise_to(node)
        else:
            self.spare -= self.occurrences(node)
            self.withheld.append(node)
            self._withhold(node)

    def _best(self, below_root: bool) -> tuple[int, bool]:
        """The node that settles most for its cost, and whether to raise to it or withhold it; −1 if nothing is rare."""
        tree = self.tree
        labels = self.node[self.rarities > 0]
        above = tree.parent[labels]
        if below_root:
            labels, above = labels[above > 0], above[above > 0]
        records = self.held[tree.last[labels]] - self.held[tree.first[labels]]
        last_resort = above <= (0 if tree.any_root else -1)
        out = np.zeros(len(labels), bool) if below_root else last_resort | (records <= self.spare)
        up = _distinct(above[~last_resort], len(tree.names))
        settled, cost = self._weighed(up)
        best = (-1, False, -1.0)
        if len(up):
            score = settled / cost
            best = (int(up[score.argmax()]), True, float(score.max()))
        if out.any():
            removable, kept = labels[out], records[out]
            price = np.maximum(kept * (self.size - tree.weights[removable]), 1)
            score = self.rarities[tree.first[removable]] / price
            if score.max() > best[2]:
                best = (int(removable[score.argmax()]), False, float(score.max()))
        return best[:2]

    def _weighed(self, nodes: Ints) -> tuple[Ints, Ints]:
        """How many rare combinations raising to each node would touch, and what it costs over all occurrences below."""
        first, last = self.tree.first[nodes], self.tree.last[nodes]
        rare_before = np.append(0, np.cumsum(self.rarities))
        paid_before = np.append(0, np.cumsum(self.paid))
        now = paid_before[last] - paid_before[first]
        cost = self.tree.weights[nodes] * (self.held[last] - self.held[first]) - now
        return rare_before[last] - rare_before[first], np.maximum(cost, 1)

    def _all_rarities(self, size: int) -> Ints:
        if size == 2 and (pairs := self._rare_pairs(None)) is not None:
            return pairs[0]
        return self._rarities(self.shown(self.label), size, self.size, 0)

    def _rare_pairs(self, node: int | None, any_will_do: bool = False) -> tuple[Ints, Ints] | None:
        """For each label the rare pairs of a label below a node: as they are, and once it is raised to the node.

        any_will_do: some of them, if there are any, are enough.
        None: without the compiled kernel, combinations of every size are counted by sorting them.
        """
        count = numba_or_none(len(self.sets.items) > _SMALL, f"{_KERNEL}:rare_pairs")
        if count is None:
            return None
        first, last = (0, self.size) if node is None else (int(self.tree.first[node]), int(self.tree.last[node]))
        lists = self.sets.starts, self.sets.items, self.holders.starts, self.holders.items
        pairs: tuple[Ints, Ints] = count(*lists, self.label, first, last, self.k, any_will_do)
        return pairs

    def _rarities_at(self, node: int, size: int) -> Ints:
        first, last = int(self.tree.first[node]), int(self.tree.last[node])
        return self._rarities(self.shown(self.label, self.holding(first, last), first), size, last - first, first)

    def _has_rare(self, node: int, most: int) -> bool:
        """Is there a rare combination with a label at or below the node?"""
        first, last = int(self.tree.first[node]), int(self.tree.last[node])
        labels = self.node[first:last]
        if any(map(self._is_rare, labels[labels >= 0].tolist())):
            return True
        pairs = self._rare_pairs(node, any_will_do=True) if most > 1 else None
        if pairs is not None and pairs[0].any():
            return True
        if not (sizes := range(2 if pairs is None else 3, most + 1)):
            return False
        sets = self.shown(self.label, self.holding(first, last), first)
        large = len(self.sets.items) > _SMALL
        by_size = (rare(sets, self.size, size, self.k, last - first, large) for size in sizes)
        return any(len(part) for parts in by_size for part in parts)

    def _is_rare(self, label: int) -> bool:
        """Do some records show a label, but fewer than k?"""
        held = self.occurrences(label)
        records = self.holding(int(self.tree.first[label]), int(self.tree.last[label])) if held >= self.k else ()
        return 0 < held < self.k or 0 < len(records) < self.k

    def _rarities(self, sets: Sets, size: int, high: int, turn: int) -> Ints:
        """For each label the rare combinations that hold it, of those that begin below `high`."""
        total = np.zeros(self.size, dtype=np.int64)
        for part in rare(sets, self.size, size, self.k, high, len(self.sets.items) > _SMALL):
            total += np.bincount((part.ravel() + turn) % self.size, minlength=self.size)
        return total


def _distinct(numbers: NDArray[np.integer], universe: int) -> Ints:
    """Each number once, rising."""
    met = np.zeros(universe, dtype=bool)
    met[numbers] = True
    return np.flatnonzero(met)


def recoded(
    starts: Ints, items: NDArray[np.int32], rows: Ints, label: Ints, turn: int
) -> tuple[Ints, NDArray[np.int32]]:
    """Some records with the labels of their codes, each once; labels are numbered from `turn` on, and around."""
    taken = Sets(starts, items).take(rows)
    shown = label[taken.items]
    kept = shown >= 0
    labels = Sets.of_pairs(taken.row_of[kept], (shown[kept] - turn) % max(1, len(label)), len(rows))
    return labels.starts, labels.items
