"""Which sums over sets of people may be told exactly, given all that was told before.

A set of people is allowed if

1. **size**: it has at least k people, and leaves out at least k;
2. **overlap**: it differs from every set that was told in at least k people, or in none;
3. **combination**, by one of two rules:
   - *cells* (usual): all sets together cut the people into cells of at least k, those in no set included. Nothing then
     depends on who of a cell has which value: the people of a cell could exchange theirs, and no answer would change.
   - *sums*: no combination of all sums speaks of fewer than k people: of one person, or of one, two or three cells that
     hold fewer. That is a linear audit; it allows more questions.

The decision looks at who is in which set and never at the values that are summed. Who is in a set follows from columns
that are not sensitive, so that whoever knows these can foresee every refusal: a refusal tells nothing of the values.
Pairwise overlap alone misses longer combinations, which the third rule finds.

**What it does not protect.** By *cells*: where everybody of a cell has the same value, the answers may tell it. By
*sums*: values are taken for numbers of which nothing is known. Where they are 0 or 1, about as many sums as there are
people let everyone's be solved for (attack reconstruction), so that this rule must not be used for them. A sum of 0, or
of as many as there are people, tells everybody's under either rule; to refuse it would itself tell that it is extreme.
Equations among four or more cells are not looked for, nor those among three where there are more than `MOST_TRIPLES`
small cells.

>>> import numpy as np
>>> ward = np.arange(40) < 10
>>> control = ExactControl(persons=40, least=5)
>>> control.grant(ward), control.grant(ward & (np.arange(40) != 7)), control.grant(~ward)
('', 'overlap', '')
>>> control.grant(np.arange(40) % 8 == 0), control.grant(np.arange(40) % 2 == 0)  # 2 and 3; 5, 5, 15 and 15
('cell', '')
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.queries.engine.unnoticed_changes import UnnoticedChanges

Rule = Literal["cells", "sums"]
Refusal = Literal["", "size", "overlap", "cell", "combination"]
"""Why a set is refused; nothing: it is allowed."""
MOST_NUMBERS = 2**25
"""The audit holds no more numbers than this: questions that would cut the data into more cells are refused."""
MOST_SETS = 2**14
_FEW = 8


class ExactControl:
    """All sets that were told of one table, of all analysts together: they may talk to each other."""

    def __init__(self, persons: int, least: int, rule: Rule = "cells", expected: int = 0) -> None:
        """`expected`: about how many sets were told before and will be remembered."""
        self.persons, self.least, self.rule = persons, least, rule
        self._sets: list[NDArray[np.bool_]] = []
        """Each told set by cells."""
        self._changes = UnnoticedChanges(persons, _number(expected) if rule == "sums" else _FEW)

    @property
    def cells(self) -> int:
        return len(self._changes.cells.sizes)

    def grant(self, members: NDArray[np.bool_]) -> Refusal:
        """Allow a set and keep it in mind, or say why not and forget it."""
        return self.grant_groups(members.astype(np.int64) - 1, 1)[0]

    def grant_groups(self, group: NDArray[np.int64], groups: int) -> list[Refusal]:
        """Grant or refuse several sets that have nobody in common: each person's group, or -1, in order."""
        counts = np.bincount(group + 1, minlength=groups + 1)[1:]
        fits = [bool(self.least <= count <= self.persons - self.least) for count in counts.tolist()]
        if not any(fits):
            return ["size"] * groups
        wanted = np.append(fits, False)[group]  # small groups are not asked, so they cut no cell
        before = (self._changes.cells, self._changes.rows, self._sets)
        self._refine(np.where(wanted, group + 1, 0))
        refusals: list[Refusal] = [
            self._judged(self._by_cell(group == i)) if fit else "size" for i, fit in enumerate(fits)
        ]
        if all(refusals):  # what is not told cuts no cell
            self._changes.cells, self._changes.rows, self._sets = before
        return refusals

    def remember(self, members: NDArray[np.bool_]) -> None:
        """A set that was told before: it is not judged again."""
        self._refine(members.astype(np.int64))
        answered = self._by_cell(members)
        self._keep(answered, self._changes.after(answered) if self.rule == "sums" else None)

    def _judged(self, members: NDArray[np.bool_]) -> Refusal:
        sizes = self._changes.cells.sizes
        for other in self._sets:
            differing = int(sizes[other != members].sum())
            if differing == 0:
                return ""
            if differing < self.least:
                return "overlap"
        if self.rule == "cells":
            if self._smallest_cell(members) < self.least:
                return "cell"
            self._keep(members, None)
            return ""
        after = self._changes.after(members)
        if after is not None and after.isolates(self.least):
            return "combination"
        self._keep(members, after)
        return ""

    def _smallest_cell(self, members: NDArray[np.bool_]) -> int:
        """How many people are alike in all sets, this one included: those of the smallest such cell."""
        _, of = np.unique(np.array([*self._sets, members]), axis=1, return_inverse=True)
        return int(np.bincount(of.reshape(-1), weights=self._changes.cells.sizes).min())

    def _keep(self, members: NDArray[np.bool_], after: UnnoticedChanges | None) -> None:
        if not any(np.array_equal(members, other) for other in self._sets):
            self._sets.append(members)
        if after is not None:
            self._changes = after
        if self.rule == "sums" and self._changes.spent:
            self._draw_more()

    def _draw_more(self) -> None:
        """More changes, from the start: it takes as long as all sets took together, and comes ever more rarely."""
        cells, sets = self._changes.cells, self._sets
        number = _number(len(sets))
        self._refuse_beyond(number, len(cells.sizes))
        changes = UnnoticedChanges(self.persons, number)
        changes.refine(cells.of)
        for answered in sets:
            changes = changes.after(answered) or changes
        self._changes = changes

    def _refine(self, cells: NDArray[np.int64]) -> None:
        if len(self._sets) > MOST_SETS:
            raise DataError(
                "exact answers — too many sets have been answered to audit another — start a dataset of another name"
            )
        groups = int(cells.max(initial=0)) + 1
        if len(self._changes.rows) * self.cells * groups > MOST_NUMBERS:  # at most this many: count them
            number = len(np.unique(self._changes.cells.of * groups + cells))
            self._refuse_beyond(len(self._changes.rows), number)
        parents = self._changes.refine(cells)
        self._sets = [answered[parents] for answered in self._sets]

    @staticmethod
    def _refuse_beyond(rows: int, cells: int) -> None:
        if rows * cells > MOST_NUMBERS:
            what = f"the sets would cut the data into {cells} cells, which are too many to audit"
            raise DataError(f"exact answers — {what} — ask by fewer or coarser conditions")

    def _by_cell(self, members: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The set as cells; every cell lies in it or outside."""
        result = np.zeros(self.cells, np.bool_)
        result[self._changes.cells.of[members]] = True
        return result


def _number(sets: int) -> int:
    """How many changes to begin with, where this many sets are told."""
    return sets * 3 // 2 + 64
