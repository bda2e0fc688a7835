"""VPA: Apriori anonymisation subtree by subtree first, then across them.

## Guarantee
k^m-anonymity: every combination of at most m codes has a published support of 0 or at least k. One recoding holds for
all records.

## Adversary
Knows at most m codes of a target, and that the target is in the data.

## What it does not protect
Anyone of whom more than m codes are known. What all matching records have in common.

## Parameters
groups: into how many groups the subtrees below the root are dealt, largest first; by default each is one of its own.
suppress: as for `apriori`, in the last pass.

## Worked example
>>> from sharewell.codes import CodeSets, KmAnonymity
>>> from sharewell.hierarchy import Tree
>>> groups = Tree([[code, "abc"] for code in "abc"] + [[code, "defgh"] for code in "defgh"])
>>> patients = [list(codes) for codes in "abcdefgh acefg cdefh acef efgh defg abde acf ac bh".split()]
>>> released = VPA().protect(CodeSets.of(patients, hierarchy=groups), [KmAnonymity(5, m=3)])
>>> released.data.names
('defgh', 'abc')

## Why it is safe
The groups only decide where the last pass starts. That pass looks at all combinations, those across subtrees too, as
`apriori` does.

## Cost
As `apriori`, but most labels are raised on records that hold few codes: those of one group.

## Source
Terrovitis, Mamoulis and Kalnis, VLDB Journal 2011 (vertical partitioning; our reading of it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.requirements import StrictestKm
from sharewell.codes.engine.protection.tree_cuts import OccurrenceShare, TreeCut


@dataclass(frozen=True)
class VPA(Declared, Mechanism[CodeSets]):
    """Vertical partitioning: one cut for all records, begun in each group of subtrees."""

    groups: Count | None = None
    suppress: OccurrenceShare = 0.0

    engine: ClassVar[str] = "counted"

    def protect(self, data: CodeSets, must: Sequence[KmAnonymity], key: Key | None = None) -> Protected[CodeSets]:
        strictest = StrictestKm.of(self, data, must)
        tree = CodesTree.of(data)
        placed = tree.placed(data)
        cut = TreeCut(tree, placed, strictest.k, self.suppress)
        subtrees = tree.children(0)
        subtrees = subtrees[np.argsort(-tree.sizes[subtrees], kind="stable")]
        count = min(self.groups or len(subtrees), len(subtrees))
        for group in (subtrees[start::count] for start in range(count)):
            number = np.where(np.isin(tree.down[1], group), np.arange(len(tree.codes)), -1)
            part = TreeCut(tree, placed.renumbered(number), strictest.k)
            part.settle(strictest.m, below_root=True)
            raised = np.unique(part.shows())
            for node in raised[tree.sizes[raised] > 1].tolist():
                cut.raise_to(node)
            cut.moves += part.moves
        cut.protect(strictest.m)
        return cut.published(data)
