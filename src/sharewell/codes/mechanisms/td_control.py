"""TDControl: public codes are replaced by the finest nodes of their hierarchy that keep sensitive codes uncertain.

## Guarantee
ρ-uncertainty, up to the number of known codes that the criterion names. Public codes are shown by nodes that cover
them, one cut for all records; sensitive codes are shown as themselves; codes of either kind may be left out everywhere.

## Adversary
Knows codes of a target, public and sensitive, as many as the criterion says, and wants to know a sensitive one.

## What it does not protect
Identity. What the criterion does not judge: larger combinations, and knowledge from outside the data.

## Parameters
None. The criterion says what is sensitive; the data brings its hierarchy. Without one, public codes are shown as
themselves or all by `*`.

## Worked example
Whoever has 401.0 has schizophrenia (295); of all with hypertension, half have. So the codes below 401 are shown by it.

>>> from sharewell.codes import CodeSets, RhoUncertainty
>>> from sharewell.hierarchy import Tree
>>> tree = Tree([["401.0", "401"], ["401.1", "401"]])
>>> rows = [["401.0", "295"], ["401.0", "295"], ["401.1"], ["401.1"], ["250"], ["250"]]
>>> unsure = RhoUncertainty(0.5, sensitive=["295"])
>>> released = TDControl().protect(CodeSets.of(rows, hierarchy=tree), must=[unsure]).data
>>> [" ".join(sorted(released.names[i] for i in released.sets.row(r))) for r in range(6)]
['295 401', '295 401', '401', '401', '250', '250']
>>> print(unsure.check(released))
rho-uncertainty = 0.5 confidence (≤ 0.5: holds)

## Why it is safe
All public codes begin as the root, and sensitive codes are left out until no rule is too sure. Then nodes are replaced
by their children, the one with most to win first. Rules without one of the children are as sure as before; those with
one are counted in the records that hold one, and labels are left out until none is too sure. The split is kept if that
loses less than the finer labels win. So every state is ρ-uncertain, and each node is tried once. In the end each label
is shown again that makes no rule too sure.

## Cost
Each node is counted in the records below it, so every record about once for each level of the tree: O(levels · Σ over
records of C(length, size) · sensitive codes of the record).

## Source
Cao, Karras, Raïssi and Tan, PVLDB 2010, in our reading. Loss is counted over occurrences: a label by the number of
codes it covers, a code left out as if shown by a label that covers all.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.rho_uncertainty import RhoUncertainty
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.protection.rule_suppression import Requirement, put_back, refuse, refuse_nothing, settle
from sharewell.codes.engine.protection.tree_cuts import TreeLabels


@dataclass(frozen=True)
class TopDownDetails:
    """How many codes and labels there are, what became of the codes, and how many nodes could not be divided."""

    codes: int
    labels: int
    generalised: int
    suppressed: int
    suppressed_sensitive: int
    suppressed_occurrences: int
    divided: int
    kept_whole: int
    unknown: int


@dataclass(frozen=True)
class TDControl(Declared, Mechanism[CodeSets]):
    """Top-down specialisation with suppression."""

    engine: ClassVar[str] = "too_sure"

    def protect(self, data: CodeSets, must: Sequence[RhoUncertainty], key: Key | None = None) -> Protected[CodeSets]:
        refuse(self, data, must)
        cut = _TopDown(data, must)
        cut.divide()
        released = cut.published()
        refuse_nothing(self, released, must)
        return Protected(released, cut.details(released), np.arange(data.records))


class _TopDown(TreeLabels):
    """A cut that is lowered step by step. Items: public labels by the first place they cover, then sensitive codes."""

    def __init__(self, data: CodeSets, criteria: Sequence[RhoUncertainty]) -> None:
        self.data = data
        named = {code for criterion in criteria for code in criterion.sensitive}
        public = [i for i, code in enumerate(data.names) if code not in named]
        self.sensitive = [i for i, code in enumerate(data.names) if code in named]
        tree = CodesTree.of(replace(data, names=tuple(data.names[i] for i in public), visits=None))
        self.public = len(public)
        number = np.empty(len(data.names), dtype=np.int64)
        number[public] = tree.place
        number[self.sensitive] = self.public + np.arange(len(self.sensitive))
        super().__init__(tree, data.sets.renumbered(number), len(data.names))
        item_of = {data.names[i]: int(number[i]) for i in self.sensitive}
        self.needs = [Requirement.of(criterion, item_of) for criterion in criteria]
        by_name = np.argsort([*tree.codes, *(data.names[i] for i in self.sensitive)], kind="stable")
        self.rank = np.argsort(by_name, kind="stable")
        self.cost = np.diff(self.held) * self.size
        """Of each item: what is lost if it is left out."""
        self.out: set[int] = set()
        self.divided = self.kept_whole = 0

    def divide(self) -> None:
        """From the root down, as long as it pays."""
        if self.public:
            self.place(0)
        spared = np.where(np.arange(self.size) < self.public, -1, self.cost)
        self.out.update(settle(self.shown(self.label), self.size, self.needs, spared, self.rank))
        todo = [(-self.gain(0), 0)] if self.public else []
        while todo:
            gain, node = heapq.heappop(todo)
            if gain == 0:
                break
            if int(self.tree.first[node]) in self.out:
                continue
            if self._divided(node, -gain):
                for child in self.tree.children(node).tolist():
                    heapq.heappush(todo, (-self.gain(child), child))
        everything = self.shown(self.label)
        self.out = set(put_back(everything, self.size, sorted(self.out), self.needs, self.cost, self.rank))

    def _divided(self, node: int, gain: int) -> bool:
        """Show a node's children in its place, if that wins more than what must be left out for it loses."""
        first, last = int(self.tree.first[node]), int(self.tree.last[node])
        for child in self.tree.children(node).tolist():
            self.place(child)
        label = np.where(np.isin(self.label, list(self.out)), -1, self.label)
        shown = self.shown(label, self.holding(first, last), first)
        needs = [need.turned(first, self.size) for need in self.needs]
        cost, rank = np.roll(self.cost, -first), np.roll(self.rank, -first)
        victims = [(item + first) % self.size for item in settle(shown, self.size, needs, cost, rank, last - first)]
        if int(self.cost[victims].sum()) < gain:
            self.out.update(victims)
            self.divided += 1
            return True
        self.place(node)
        self.kept_whole += 1
        return False

    def place(self, node: int) -> None:
        super().place(node)
        self.cost[self.tree.first[node]] = self.occurrences(node) * (self.size - int(self.tree.weights[node]))

    def published(self) -> CodeSets:
        """Codes under the names of their nodes. A node that is called like a sensitive code gets another name."""
        labels: dict[str, str | None] = {}
        members: dict[str, tuple[str, ...]] = {}
        taken = {*self.data.names, *self.tree.names}
        for first in np.flatnonzero(self.node >= 0).tolist():
            node = int(self.node[first])
            codes, name = self.tree.members(node), self.tree.names[node]
            while len(codes) > 1 and name in self.data.names:
                name = next(f"{name}{'.-' * i}" for i in range(1, len(taken) + 2) if f"{name}{'.-' * i}" not in taken)
            shown = None if first in self.out else write_label(codes) if len(codes) == 1 else name
            labels |= dict.fromkeys(codes, shown)
            if shown is not None:
                members[shown] = codes
        for place, i in enumerate(self.sensitive, start=self.public):
            code = self.data.names[i]
            labels[code] = None if place in self.out else write_label([code])
            members[write_label([code])] = (code,)
        return self.data.recoded(labels, members)

    def details(self, released: CodeSets) -> TopDownDetails:
        removed = np.isin(self.label, list(self.out))
        general = sum(len(codes) for codes in released.members if len(codes) > 1)
        hidden = sum(item >= self.public for item in self.out)
        lost = int(np.diff(self.held)[removed].sum())
        tally = (int(removed.sum()), hidden, lost, self.divided, self.kept_whole, self.tree.unknown)
        return TopDownDetails(self.size, len(released.names), general, *tally)
