"""LRA: similar records are put side by side and cut into parts, and each part is anonymised by Apriori.

## Guarantee
k^m-anonymity: every combination of at most m codes has a published support of 0 or at least k. A code may be shown by
different nodes in different parts, so labels overlap: `401` in some records, `401.1` in others.

## Adversary
Knows at most m codes of a target, and that the target is in the data.

## What it does not protect
Anyone of whom more than m codes are known. What all matching records have in common.

## Parameters
parts: into how many parts the records are cut, as long as each has k records that hold a code.
suppress: as for `apriori`, in each part.

## Worked example
>>> from sharewell.codes import CodeSets, KmAnonymity
>>> from sharewell.hierarchy import Tree
>>> tree = Tree([[f"401.{i}", "401"] for i in range(5)] + [["295", "*"]])
>>> patients = [["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]]
>>> released = LRA(parts=2).protect(CodeSets.of(patients, hierarchy=tree), [KmAnonymity(2, m=2)])
>>> [sorted(released.data.names[i] for i in released.data.sets.row(r)) for r in range(4)]
[['401.0', '401.1'], ['401'], ['401.0', '401.1'], ['401']]
>>> released.data.support(["401.0", "401.1"]), released.data.support(["401.0", "401.2"])
(4, 2)

## Why it is safe
In each part a combination of at most m codes may be in no record or in at least k. The published support is the sum
over the parts, so it is 0 or at least k. Records without a code are in no part and stay as they are.

## Cost
O(n log n) comparisons of records for the order, and that of `apriori` for each part. Verifying such a release costs far
more where coarse and fine labels overlap, since every label is spread over its codes; a count beyond reach is
undecided.

## Source
Terrovitis, Mamoulis and Kalnis, VLDB Journal 2011 (local recoding; our reading of it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.requirements import StrictestKm
from sharewell.codes.engine.protection.tree_cuts import OccurrenceShare, TreeCut


@dataclass(frozen=True)
class LocalDetails:
    """How many parts, labels over all of them, and occurrences of codes that are not shown."""

    parts: int
    smallest: int
    labels: int
    withheld_occurrences: int
    unknown: int


@dataclass(frozen=True)
class LRA(Declared, Mechanism[CodeSets]):
    """Local recoding: one cut for each part."""

    parts: Count = 10
    suppress: OccurrenceShare = 0.0

    engine: ClassVar[str] = "counted"

    def protect(self, data: CodeSets, must: Sequence[KmAnonymity], key: Key | None = None) -> Protected[CodeSets]:
        strictest = StrictestKm.of(self, data, must)
        tree = CodesTree.of(data)
        placed = tree.placed(data)
        ordered = strictest.holding[gray_order(data.sets.take(strictest.holding), len(data.names))]
        parts = np.array_split(ordered, min(self.parts, len(ordered) // strictest.k))
        owner, shown, withheld = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
        for rows in parts:
            part = placed.take(rows)
            cut = TreeCut(tree, part, strictest.k, self.suppress)
            cut.protect(strictest.m)
            nodes = cut.shows()[part.items]
            owner.append(rows[part.row_of[nodes >= 0]])
            shown.append(nodes[nodes >= 0])
            withheld += int((nodes < 0).sum())
        sets = Sets.of_pairs(np.concatenate(owner), np.concatenate(shown), data.records)
        everybody = np.arange(data.records)
        released = tree.shown(data, sets, everybody)
        smallest = min(len(rows) for rows in parts)
        return Protected(
            released, LocalDetails(len(parts), smallest, len(released.names), withheld, tree.unknown), everybody
        )


def gray_order(sets: Sets, universe: int) -> Ints:
    """Rows so that neighbours differ little: in the order of a Gray code over the items, the most frequent first.

    In such a code the order of what follows turns around with every item held. So at an even place the row with the
    earlier item goes last, and a row that ends goes first; at an odd place it is the other way round.

    >>> gray_order(Sets.of([[0], [], [1], [0, 1]]), 2).tolist()
    [1, 2, 3, 0]
    """
    place = np.arange(len(sets.items)) - sets.starts[sets.row_of]
    turned = np.where(place % 2 == 0, universe - sets.items, sets.items)
    last_digit = sets.starts[1:] + np.arange(sets.count)
    digits = np.empty(len(sets.items) + sets.count, dtype=">u4")
    digits[np.arange(len(sets.items)) + sets.row_of] = turned
    digits[last_digit] = np.where(sets.lengths % 2 == 0, 0, universe)
    text, stops = digits.tobytes(), np.append(-1, last_digit) * 4 + 4
    keys = [text[stops[row] : stops[row + 1]] for row in range(sets.count)]
    return np.array(sorted(range(sets.count), key=keys.__getitem__), dtype=np.int64)
