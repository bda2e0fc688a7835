"""The people of a population, counted at nodes of the lattice: how many fit each class of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sharewell.errors import PolicyError
from sharewell.tables.mechanisms.generalised import Generalised, Grouping, Ints, Tuples, distinct_tuples


class People:
    """A population beside a table, both at the levels of the same hierarchies."""

    def __init__(self, space: Generalised, criterion: Any) -> None:
        names = {ladder.column.name for ladder in space.ladders}
        if criterion.by is not None and set(criterion.by) != names:
            raise PolicyError(f"optimal-recoding — {criterion.name} by some columns only — leave `by` out")
        columns, weights = criterion._people([ladder.column for ladder in space.ladders])
        placed = [ladder.placed(column.texts) for ladder, column in zip(space.ladders, columns, strict=True)]
        codes: Sequence[Ints] = [column.codes.astype(np.int64) for column in columns]
        rows, people = distinct_tuples(
            [labels[0][code] for (labels, _), code in zip(placed, codes, strict=True)],
            [sizes[0] for _, sizes in placed],
            weights,
        )
        labels = [[label[code[rows]] for label in labels] for (labels, _), code in zip(placed, codes, strict=True)]
        sizes = [sizes for _, sizes in placed]
        self.people = Tuples(labels, sizes, people)
        self.table = Tuples(space.labels, sizes, space.records)
        self.total = int(weights.sum())

    def fitting(self, grouping: Grouping) -> Ints:
        """How many people fit each class of a node."""
        found = self.people.at(grouping.node)
        theirs, ours = (
            side.keys(grouping.node, group.tuples)[0] for side, group in ((self.people, found), (self.table, grouping))
        )
        place = np.minimum(np.searchsorted(theirs, ours), len(theirs) - 1)
        return np.where(theirs[place] == ours, found.records[place], 0)
