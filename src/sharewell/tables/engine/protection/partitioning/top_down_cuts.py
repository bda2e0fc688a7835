"""Top-down partitioning: all classes of one depth are cut together, as long as every criterion holds in both halves.

What differs between mechanisms is which cuts they prefer; that is a function from the cuts found to a score for each
cut and class, the highest first. More cuts than the middle ones may be proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.data import Bools, Classes, Floats, Indices, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold
from sharewell.tables.engine.protection.partitioning.class_layout import ChosenCuts, Layout
from sharewell.tables.engine.protection.partitioning.cuts import CandidateCuts, Cuts, Ints

Preference = Callable[[CandidateCuts, Classes], Floats]
Allowed = Callable[[Classes, Classes], Bools]
"""(parents, their halves) → may each parent be cut so? Besides what the criteria say."""
Proposal = Callable[[CandidateCuts, Classes], Sequence[Cuts]]
"""(the middle cut of each column, the classes) → further cuts."""

BLOCK, CLASSES = 1 << 20, 1 << 15
"""Rows, and number, of the classes that are cut together: what is computed for each then stays near the processor."""


def partition(
    table: Table,
    root: Classes,
    criteria: ClassCriteria,
    prefer: Preference,
    allowed: Allowed | None = None,
    *,
    propose: Sequence[Proposal] = (),
    tuples: NDArray[np.int32] | None = None,
) -> tuple[Classes, int]:
    """Depth by depth; finished classes are set aside, the others cut again. The classes, and how deep it went.

    `tuples` numbers each row's tuple of quasi values; it is needed for cuts that run through a value.
    """
    if not table.quasi:
        return root, 0
    layout = Layout(table.quasi, root, tuples)
    with layout.counted():
        starts, deepest = _cut_through(layout, root, criteria, prefer, allowed, propose)
    return layout.classes(starts), deepest


def _cut_through(
    layout: Layout,
    root: Classes,
    criteria: ClassCriteria,
    prefer: Preference,
    allowed: Allowed | None,
    propose: Sequence[Proposal],
) -> tuple[Indices, int]:
    """Where each class begins in the layout's order at the end."""
    least = max((criterion.least_records for criterion in criteria), default=1)
    finished: list[Ints] = []
    blocks: list[tuple[Ints, Ints, int]] = [(root.starts[:1], root.starts[1:], 0)]
    deepest = 0
    while blocks:
        begins, ends, depth = blocks.pop()
        deepest = max(deepest, depth + 1)
        chosen, uncut = _choose(layout, begins, ends, criteria, least, prefer, allowed, propose)
        finished.append(begins[uncut])
        layout.cut(chosen)
        middle = chosen.begins + chosen.left
        begins, ends = _in_turn(chosen.begins, middle), _in_turn(middle, chosen.ends)
        large = ends - begins >= 2 * least
        finished.append(begins[~large])
        blocks += [(*block, depth + 1) for block in _blocks(begins[large], ends[large])]
    layout.close()
    return np.append(np.sort(np.concatenate(finished)), len(layout.order)).astype(np.intp), deepest


def _in_turn(one: Ints, other: Ints) -> Ints:
    return np.stack([one, other], axis=1).ravel()


def _blocks(begins: Ints, ends: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Neighbouring classes, about BLOCK rows at a time and not too many of them."""
    if 0 < len(begins) <= CLASSES and (ends - begins).sum() <= BLOCK:
        yield begins, ends
    elif len(begins):
        number = np.cumsum(ends - begins) // BLOCK + np.arange(len(begins)) // CLASSES
        edges = np.concatenate([[0], np.flatnonzero(np.diff(number)) + 1, [len(begins)]])
        for first, last in pairwise(edges):
            yield begins[first:last], ends[first:last]


def _choose(
    layout: Layout,
    begins: Ints,
    ends: Ints,
    criteria: ClassCriteria,
    least: int,
    prefer: Preference,
    allowed: Allowed | None,
    propose: Sequence[Proposal],
) -> tuple[ChosenCuts, Bools]:
    """Try each class's cuts from best to worst until one leaves two classes in which everything holds."""
    active = layout.rows(begins, ends)
    candidates = layout.find(begins, ends)
    if propose:
        candidates = candidates.joined([cuts for proposal in propose for cuts in proposal(candidates, active)])
    score = prefer(candidates, active)
    options = _Options(begins, ends, candidates)
    score[(options.left < least) | (options.left > active.sizes - least)] = -np.inf
    best = score.argmax(axis=0)  # the first of equal ones: column order
    uncut = np.ones(len(begins), dtype=bool)
    pending = np.flatnonzero(score[best, np.arange(len(begins))] > -np.inf)
    while len(pending):
        trial = options.of(best, pending)
        halves = layout.halves(trial)
        both = all_hold(criteria, halves).reshape(-1, 2).all(axis=1)
        if allowed is not None:
            both &= allowed(layout.rows(trial.begins, trial.ends), halves)
        uncut[pending[both]] = False
        failed = pending[~both]
        score[best[failed], failed] = -np.inf
        best[failed] = score[:, failed].argmax(axis=0)
        pending = failed[score[best[failed], failed] > -np.inf]
    return options.of(best, np.flatnonzero(~uncut)), uncut


class _Options:
    """The cuts that may be taken, as [cut, class]."""

    def __init__(self, begins: Ints, ends: Ints, candidates: CandidateCuts) -> None:
        self.begins, self.ends, self.place = begins, ends, candidates.places
        self.at, self.left, self.tie = candidates.stacked("at"), candidates.stacked("left"), candidates.ties()

    def of(self, best: Ints, which: Ints) -> ChosenCuts:
        """The cut `best` of each of these classes."""
        best = best[which]
        at, left = self.at[best, which], self.left[best, which]
        tie = at if self.tie is None else self.tie[best, which]
        return ChosenCuts(self.begins[which], self.ends[which], self.place[best], at, left, tie)
