"""Greedy top-down partitioning: records are divided by ever finer nodes, as long as at least k of them stay alike.

## Guarantee
Complete k-anonymity: every published set of labels is the set of at least k records. So any combination of codes has a
published support of 0 or at least k.

## Adversary
Knows all codes of a target, and that the target is in the data.

## What it does not protect
What the k equal records have in common.

## Parameters
None. Records without a code are a class of their own if there are k of them, and else are dropped: to show them as
anything else would be untrue.

## Worked example
>>> from sharewell.codes import CodeSets, CompleteKAnonymity
>>> from sharewell.hierarchy import Tree
>>> tree = Tree([[f"401.{i}", "401"] for i in range(5)])
>>> patients = [["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]]
>>> released = GreedyPartitioning().protect(CodeSets.of(patients, hierarchy=tree), [CompleteKAnonymity(2)]).data
>>> [sorted(released.names[i] for i in released.sets.row(r)) for r in range(4)]
[['401.0', '401.1'], ['401'], ['401.0', '401.1'], ['401']]

The tutorial from which the example is shows `401 401.3` in rows 2 and 4. No cut through the tree gives that, since
`401.3` lies below `401`. Its sketch also has a node replaced "by its ascendants", where it must be its children, and
returns where k-anonymity is *not* satisfied, where it must be where a split would break it.

## Why it is safe
Each part is shown as one set of nodes that cover all its records. It is divided only into parts of k records or more:
those that touch the same children of a node, and a remainder that keeps the node. A remainder that is too small takes
records from larger parts, or a whole part. Parts that end with the same set are one larger class.

## Cost
O(occurrences · nodes on the way down) time, with a heap for the remainder.

## Source
He and Naughton, VLDB 2009.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.complete_k_anonymity import CompleteKAnonymity
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.requirements import StrictestKm


@dataclass(frozen=True)
class PartitioningDetails:
    """Parts and the smallest of them, labels, records without a code, and how many of these were dropped."""

    parts: int
    smallest: int
    labels: int
    empty_records: int
    dropped_records: int
    unknown: int


@dataclass(frozen=True)
class GreedyPartitioning(Declared, Mechanism[CodeSets]):
    """Local recoding top down."""

    engine: ClassVar[tuple[str, ...]] = ("class_sizes", "counted")

    def protect(
        self, data: CodeSets, must: Sequence[KmAnonymity | CompleteKAnonymity], key: Key | None = None
    ) -> Protected[CodeSets]:
        strictest = StrictestKm.of(self, data, must)
        tree = CodesTree.of(data)
        parts = _parts(tree, tree.placed(data), strictest.holding, strictest.k)
        empty = np.flatnonzero(data.sets.lengths == 0)
        kept = empty if len(empty) >= strictest.k else empty[:0]
        rows = np.sort(np.concatenate([part.rows for part in parts] + [kept]))
        owner = np.concatenate([np.repeat(part.rows, len(part.cut)) for part in parts])
        shown = np.concatenate([np.tile(part.cut, len(part.rows)) for part in parts])
        sets = Sets.of_pairs(np.searchsorted(rows, owner), shown, len(rows))
        released = tree.shown(data, sets, rows)
        smallest = min(len(part.rows) for part in parts)
        details = PartitioningDetails(
            len(parts), smallest, len(released.names), len(empty), len(empty) - len(kept), tree.unknown
        )
        return Protected(released, details, rows)


@dataclass(frozen=True, eq=False)
class _Part:
    """Records, and the nodes by which all of them are shown; nodes found not to divide them are blocked."""

    rows: Ints
    cut: Ints
    blocked: frozenset[int] = frozenset()


def _parts(tree: CodesTree, sets: Sets, holding: Ints, k: int) -> list[_Part]:
    """From one part shown as the root, down to parts that nothing divides."""
    rows = holding[sets.take(holding).by_content()]
    todo, done = [_Part(rows, np.zeros(1, dtype=np.int64))], []
    while todo:
        part = todo.pop()
        divided = _divided(tree, sets, part, k)
        if divided is None:
            done.append(part)
        else:
            todo += divided
    return done


def _divided(tree: CodesTree, sets: Sets, part: _Part, k: int) -> list[_Part] | None:
    """By the children of the node that gains most; None if no node is left to try."""
    open_ = (tree.sizes[part.cut] > 1) & ~np.isin(part.cut, list(part.blocked))
    if not open_.any():
        return None
    taken = sets.take(part.rows)
    place = np.searchsorted(tree.first[part.cut], taken.items, side="right") - 1
    node = part.cut[place]
    child = tree.down[tree.depth[node] + 1, taken.items]
    gain = tree.weights[node] - tree.weights[child]
    total = np.where(open_, np.bincount(place, weights=gain, minlength=len(part.cut)), -1)
    best = int(total.argmax())
    of_best = place == best
    of_row = np.bincount(taken.row_of[of_best], weights=gain[of_best], minlength=taken.count)
    keys = Sets.of_pairs(taken.row_of[of_best], child[of_best], taken.count)
    number, sizes = keys.equal()
    groups, remainder = _balanced(np.argsort(number, kind="stable"), sizes, of_row, k)
    rest = np.delete(part.cut, best)
    parts = []
    for group in groups:
        cut = np.sort(np.concatenate([rest, keys.row(int(group[0]))]))
        parts.append(_Part(part.rows[group], cut, part.blocked))
    if len(remainder):
        parts.append(_Part(part.rows[remainder], part.cut, part.blocked | {int(part.cut[best])}))
    return parts


def _balanced(order: Ints, sizes: Ints, gain: Ints, k: int) -> tuple[list[Ints], Ints]:
    """Groups of k or more, and what is left over: nothing, or k or more.

    A left-over that is too small gets, from groups that can spare them, the records that lose least; if none can, the
    whole group that loses least. Ties go by the order of rows, which is that of their contents.
    """
    groups = [members[np.argsort(gain[members], kind="stable")] for members in np.split(order, np.cumsum(sizes)[:-1])]
    remainder = np.concatenate([order[:0], *(members for members in groups if len(members) < k)])
    groups = [members for members in groups if len(members) >= k]
    if not 0 < len(remainder) < k:
        return groups, remainder
    taken = [0] * len(groups)
    spare = [(gain[members[0]], members[0], g) for g, members in enumerate(groups) if len(members) > k]
    heapq.heapify(spare)
    moved: list[int] = []
    while spare and len(remainder) + len(moved) < k:
        _, row, g = heapq.heappop(spare)
        moved.append(row)
        taken[g] += 1
        if len(groups[g]) - taken[g] > k:
            following = groups[g][taken[g]]
            heapq.heappush(spare, (gain[following], following, g))
    remainder = np.concatenate([remainder, np.array(moved, dtype=remainder.dtype)])
    groups = [members[count:] for members, count in zip(groups, taken, strict=True)]
    if len(remainder) < k:
        least = min(range(len(groups)), key=lambda g: (gain[groups[g]].sum(), groups[g].min()))
        remainder = np.concatenate([remainder, groups.pop(least)])
    return groups, remainder
