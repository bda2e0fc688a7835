"""The coarser labels that may stand in the place of published ones: the nodes above them, among codes that are shown.

>>> from sharewell.codes import CodeSets
>>> from sharewell.hierarchy import ICD9CM
>>> shown = CodeSets.of([["401.1", "250.00"], ["401.9"]], hierarchy=ICD9CM(), published=True)
>>> tree = LabelTree.of(shown)
>>> tree.names[tree.parent[tree.node[shown.names.index("401.9")]]]
'401'

Codes that no label shows any more stay out: a label that spoke of them would say that they were there.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.code_tree import CodeHierarchy, CodesTree
from sharewell.codes.engine.packed_sets import Ints

if TYPE_CHECKING:
    from sharewell.codes.data import CodeSets


@dataclass(frozen=True, eq=False)
class LabelTree:
    """First the labels of the data by their numbers, then the nodes of the tree that are no label yet."""

    names: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    parent: Ints
    loss: NDArray[np.float64]
    """The share of all codes that each may stand for; nothing for one code."""

    @property
    def node(self) -> Ints:
        """The node of each label of the data."""
        return np.arange(len(self.names), dtype=np.int64)

    @classmethod
    def of(cls, data: CodeSets) -> LabelTree:
        tree, covered_by = _tree_of(data)
        leaf = {code: int(node) for code, node in zip(tree.codes, tree.leaf, strict=True)}
        label_of = {members: number for number, members in enumerate(data.members)}
        names, members = list(data.names), list(data.members)
        number_of: dict[int, int] = {}
        taken = set(data.names)
        for node, covered in enumerate(covered_by):
            if covered in label_of:
                number_of[node] = label_of[covered]
                continue
            name = tree.names[node]
            while name in taken:
                name += ".-"
            taken.add(name)
            number_of[node] = len(names)
            names.append(name)
            members.append(covered)
        parent = np.full(len(names), -1, dtype=np.int64)
        for node, number in number_of.items():
            above = int(tree.parent[node])
            parent[number] = number_of[above] if above >= 0 else -1
        placed = set(number_of.values())
        for number, codes in enumerate(data.members):
            if number not in placed:
                parent[number] = number_of[_lowest(tree, [leaf[code] for code in codes])]
        sizes = np.array([len(codes) for codes in members])
        return cls(tuple(names), tuple(members), parent, np.where(sizes > 1, sizes / max(1, len(data.codes)), 0.0))


_Covered = tuple[tuple[str, ...], ...]


def _tree_of(data: CodeSets) -> tuple[CodesTree, _Covered]:
    """The tree above all codes that labels may stand for, and the codes of each of its nodes.

    Leaving out occurrences of labels, pass by pass, mostly leaves the same codes: the last trees are remembered.
    """
    try:
        return _remembered(cast(Hashable, type(data)), data.codes, cast(Hashable, data.hierarchy))
    except TypeError:  # a hierarchy of several systems has no hash
        return _remembered.__wrapped__(type(data), data.codes, data.hierarchy)


@lru_cache(maxsize=4)
def _remembered(
    kind: type[CodeSets], codes: tuple[str, ...], hierarchy: CodeHierarchy | None
) -> tuple[CodesTree, _Covered]:
    tree = CodesTree.of(kind.of([codes], hierarchy=hierarchy))
    return tree, tuple(tuple(sorted(tree.members(node))) for node in range(len(tree.names)))


def _lowest(tree: CodesTree, leaves: list[int]) -> int:
    """The lowest node above all of these."""
    node = leaves[0]
    while not all(tree.first[node] <= tree.first[leaf] < tree.last[node] for leaf in leaves):
        node = int(tree.parent[node])
    return node
