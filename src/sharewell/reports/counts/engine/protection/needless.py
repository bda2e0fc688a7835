"""Show again what need not be hidden, the dearest first.

What one cell is needed for is known before it is tried: moves that do without it serve what they serve, and a cut that
the others no longer reach proves that it is needed. Only what neither decides is asked of the linear program.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.reports.counts.engine.protection.moves import Moves, Served
from sharewell.reports.counts.engine.protection.suppression_problem import Cut, Mask, Problem
from sharewell.reports.counts.engine.protection_check import protection
from sharewell.reports.counts.engine.relations import Floats, Ints

_CLOSE = 1e-6


def show_needless(
    problem: Problem, hidden: Mask, known: list[Ints], moves: Moves, cuts: Sequence[Cut] = (), steps: int = 200
) -> Mask:
    """A choice within this one that passes the audit too; this one if none was found. moves: of outsiders."""
    each = problem.many_readers  # then every step takes an audit of every reader
    spare = np.flatnonzero(hidden & ~problem.must)
    spare = spare[np.argsort(-problem.weights[spare], kind="stable")][: steps // 4 if each else steps]
    if not len(spare):
        return hidden
    rest = _Rest(problem, hidden, moves, cuts)
    for cell in spare.tolist():
        if rest.without(cell) and each:
            audited = protection(problem.published(rest.kept), problem.needs, first=True, known=known)
            if audited.failing:
                rest.again(cell)
    last = protection(problem.published(rest.kept), problem.needs, first=True, known=known)
    return hidden if last.failing else rest.kept


class _Rest:
    """What is still hidden, ways to move that serve its unsafe cells, and cuts that it must still reach."""

    def __init__(self, problem: Problem, hidden: Mask, moves: Moves, cuts: Sequence[Cut]) -> None:
        self.kept, self.moves = hidden.copy(), moves
        size, unsafe = problem.table.size, problem.needs.count
        self.uses = np.zeros((0, size), dtype=bool)
        """For each way the cells that must be hidden for it."""
        self.serves = np.zeros((0, 2, unsafe), dtype=bool)
        """For each way the unsafe cells that it takes far enough down and up."""
        self.fresh: list[Cut] = []
        """Cuts that came up here; of the others how far each is reached, and what every cell gives to it."""
        lengths = [len(cut.cells) for cut in cuts]
        nothing: Ints = np.zeros(0, np.int64)
        cells = np.concatenate([nothing, *(cut.cells for cut in cuts)])
        weights = np.concatenate([np.zeros(0), *(cut.weights for cut in cuts)])
        number = np.repeat(np.arange(len(lengths)), lengths)
        reached = np.bincount(number, weights=weights * hidden[cells], minlength=len(lengths))
        self.reached: Floats = reached.astype(np.float64)
        order = np.argsort(cells, kind="stable")
        self.parts = cells[order], number[order], weights[order]
        self.sides = np.ones((2, unsafe), dtype=bool)
        """What can be served: about the rest the audit decides."""
        self.sides = ~self._unserved(hidden, self.sides, every=True)

    def without(self, cell: int) -> bool:
        """Show this cell, if every side stays served."""
        kept = self.kept.copy()
        kept[cell] = False
        first, end = np.searchsorted(self.parts[0], [cell, cell + 1])
        cuts, weights = (part[first:end] for part in self.parts[1:])
        if (self.reached[cuts] - weights < 1 - _CLOSE).any():
            return False
        if any(cut.weights[kept[cut.cells]].sum() < 1 - _CLOSE for cut in self.fresh):
            return False
        without = ~self.uses[:, cell]
        missing = self.sides & ~self.serves[without].any(axis=0)
        if self._unserved(kept, missing).any():
            return False
        self.kept = kept
        self.reached[cuts] -= weights
        still = ~self.uses[:, cell]
        self.uses, self.serves = self.uses[still], self.serves[still]
        return True

    def again(self, cell: int) -> None:
        self.kept[cell] = True
        first, end = np.searchsorted(self.parts[0], [cell, cell + 1])
        self.reached[self.parts[1][first:end]] += self.parts[2][first:end]

    def _unserved(self, kept: Mask, missing: Mask, every: bool = False) -> Mask:
        """Find ways for what is missing, and keep them; what cannot be served, or the first of that."""
        unserved = np.zeros_like(missing)
        if not missing.any():
            return unserved
        self.moves.set(kept.astype(np.float64))
        served = Served(self.moves)
        served.down[~missing[0]] = served.up[~missing[1]] = 0
        self.moves.remember(served)
        self.moves.serve_many(served)
        for number, side in self.moves.problem.sides:
            if not served.is_served(number, side):
                cut = self.moves.cut(number, side)
                served.learn(self.moves.last)
                if cut is not None:
                    unserved[int(side > 0), number] = True
                    if not every:
                        self.fresh.append(cut)
                        break
        for move in self.moves.useful:
            self.serves = np.concatenate([self.serves, np.stack(served.reached(move))[None]])
            self.uses = np.concatenate([self.uses, (self.moves.used(move) | self.moves.used(-move))[None]])
        return unserved
