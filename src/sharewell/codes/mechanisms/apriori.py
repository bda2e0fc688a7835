"""Apriori anonymisation: codes are replaced by nodes of their hierarchy until no combination of m of them is rare.

## Guarantee
k^m-anonymity: every combination of at most m codes has a published support of 0 or at least k. One recoding holds for
all records: each code is shown by a node that covers it, or withheld everywhere.

## Adversary
Knows at most m codes of a target, and that the target is in the data.

## What it does not protect
Anyone of whom more than m codes are known. What all matching records have in common.

## Parameters
suppress: the share of all code occurrences that may be withheld where that settles more, for its cost, than showing
whole subtrees by their root. With 0 a label is withheld only if nothing but `*` lies above it. A hundredth often saves
most of the detail: one rare code need not drag its whole chapter along.

## Worked example
Ten patients with the codes a … h, and a hierarchy with the groups (a,b,c) and (d,e,f,g,h).

>>> from sharewell.codes import CodeSets, KmAnonymity
>>> from sharewell.hierarchy import Tree
>>> groups = Tree([[code, "abc"] for code in "abc"] + [[code, "defgh"] for code in "defgh"])
>>> patients = [list(codes) for codes in "abcdefgh acefg cdefh acef efgh defg abde acf ac bh".split()]
>>> released = Apriori().protect(CodeSets.of(patients, hierarchy=groups), [KmAnonymity(5, m=3)])
>>> released.data.labels["b"], released.data.labels["d"]
('abc', 'defgh')
>>> print(KmAnonymity(5, m=3).check(released.data))
km-anonymity = 7 records (≥ 5: holds)

The tutorial from which the example is calls the result 5³-anonymous. It is more: 7^m-anonymous for every m.

## Why it is safe
Combinations of 1, 2, … m labels are settled in turn. Raising labels to a common node only joins the records that show
them, and withholding a label leaves all others as they are; so no frequent combination becomes rare, and no size is
counted twice. What is taken back at the end is counted first. If no label remains, every code is shown by the root; if
fewer than k records hold a code, nothing is published.

## Cost
Each move counts the records it touches, so every occurrence is counted about twice for each level of the tree: O(levels
· Σ C(length, m)), plus O(codes) for each move, of which there are at most as many as nodes.

## Source
Terrovitis, Mamoulis and Kalnis, VLDB 2008 and VLDB Journal 2011. They fix one rare combination at a time, and do not
treat labels that are rare at the root. Taking the move that settles most for its cost, the withholding, and the last
pass are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.requirements import StrictestKm
from sharewell.codes.engine.protection.tree_cuts import OccurrenceShare, TreeCut


@dataclass(frozen=True)
class Apriori(Declared, Mechanism[CodeSets]):
    """One cut through the hierarchy for all records."""

    suppress: OccurrenceShare = 0.0

    engine: ClassVar[str] = "counted"

    def protect(self, data: CodeSets, must: Sequence[KmAnonymity], key: Key | None = None) -> Protected[CodeSets]:
        strictest = StrictestKm.of(self, data, must)
        tree = CodesTree.of(data)
        cut = TreeCut(tree, tree.placed(data), strictest.k, self.suppress)
        cut.protect(strictest.m)
        return cut.published(data)
