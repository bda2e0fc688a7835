"""The codes of one class after the other, each protected by itself; and what that loses.

Every class is shown by nodes of one tree, so that a label means the same in all of them. If fewer
than k persons of a class have a code in a branch (a child of the root `*`), its codes are left out at once, which saves
most of the work on small classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell import registry
from sharewell.distinct_numbers import distinct

if TYPE_CHECKING:
    from sharewell.codes import CodeSets
    from sharewell.codes.engine.packed_sets import Sets
    from sharewell.protocols import Criterion, Mechanism

Ints = NDArray[np.int64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CodedClass:
    """What a class shows: for some of its rows the nodes, and what was lost over all its codes."""

    row: Ints
    node: Ints
    loss: float
    """Summed over the codes held: 0 for one that is shown as itself, 1 for one that is not shown."""
    withheld: int
    """Codes held by persons of the class that no label covers."""

    @property
    def says_something(self) -> bool:
        return bool(len(self.node)) and bool((self.node > 0).any())


class ClassCodes:
    """Protects the codes of classes, inside each, by Apriori."""

    def __init__(self, codes: CodeSets, k: int, m: int, suppress: float) -> None:
        self.codes, self.tree, self.k = codes, codes.tree, k
        self._mechanism: Mechanism[CodeSets] = registry.lookup("codes", "mechanisms", "apriori")(suppress=suppress)
        self._criteria: list[Criterion[CodeSets]] = [registry.lookup("codes", "criteria", "km-anonymity")(k, m)]
        self._node_of = {name: node for node, name in enumerate(self.tree.names)}
        self._loss = np.where(self.tree.sizes == 1, 0.0, self.tree.sizes / max(1, len(codes.names)))
        self._branch = self._branches()

    def of(self, rows: Rows) -> CodedClass:
        """The class of these rows: the nodes that each shows."""
        codes = self.codes.sets.take(rows)
        kept = self._frequent(codes.row_of, codes.items)
        if not kept.any():
            return self._root_alone(rows, codes)
        node = np.full(len(codes.items), -1, dtype=np.int64)
        node[kept] = self._shown(codes.row_of[kept], codes.items[kept], len(rows))
        if self.tree.any_root and not (node >= 0).any():
            return self._root_alone(rows, codes)
        shown = node >= 0
        loss = float(self._loss[node[shown]].sum()) + int((~shown).sum())
        return CodedClass(rows[codes.row_of[shown]], node[shown], loss, int((~shown).sum()))

    def published(self, classes: Sequence[CodedClass]) -> CodeSets:
        """The release that shows all of them."""
        row = np.concatenate([np.zeros(0, np.int64), *(coded.row for coded in classes)])
        node = np.concatenate([np.zeros(0, np.int64), *(coded.node for coded in classes)])
        sets = type(self.codes.sets).of_pairs(row, node, self.codes.records)
        shown = self.tree.shown(self.codes, sets, np.arange(self.codes.records))
        return replace(shown, column=self.codes.column, codes_before=len(self.codes.names))

    def _branches(self) -> Ints:
        """The branch of each code, as the data numbers codes."""
        tree = self.tree
        if not tree.any_root:
            return np.zeros(len(tree.codes), dtype=np.int64)
        top = tree.children(0).astype(np.int64)
        by_place = np.repeat(top, tree.sizes[top])
        return by_place[tree.place]

    def _frequent(self, row: Ints, item: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which codes lie in a branch that k persons have a code of."""
        branch = self._branch[item]
        width = len(self.tree.names) + 1
        once = distinct(row * width + branch) % width
        return np.bincount(once, minlength=width)[branch] >= self.k

    def _shown(self, row: Ints, item: NDArray[np.int32], count: int) -> Ints:
        """The node by which each code is shown, −1 where it is withheld."""
        sets, order = type(self.codes.sets).of_pairs(row, item, count).by_support(self.codes.names)
        names = tuple(self.codes.names[i] for i in order)
        part = type(self.codes)(sets, names, tuple((name,) for name in names), hierarchy=self.tree)
        labels = self._mechanism.protect(part, self._criteria).data.labels
        assert labels is not None  # Apriori recodes each code alike in all records
        nodes = np.full(len(self.codes.names), -1, dtype=np.int64)
        nodes[order] = [self._node_of.get(labels[name] or "", -1) for name in names]
        return nodes[item]

    def _root_alone(self, rows: Rows, codes: Sets) -> CodedClass:
        """Every code as the root, if enough persons hold one; else nothing is shown."""
        holders = np.flatnonzero(codes.lengths)
        total = len(codes.items)
        if len(holders) < self.k:
            return CodedClass(rows[:0], np.zeros(0, np.int64), float(total), total)
        return CodedClass(rows[holders], np.zeros(len(holders), np.int64), float(self._loss[0] * total), 0)
