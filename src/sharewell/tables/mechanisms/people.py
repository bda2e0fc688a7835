"""The people of a population, counted at nodes of the lattice: how many fit each class of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import PolicyError
from sharewell.tables.mechanisms.generalised import Generalised, Grouping, Ints, Node, Tuples, distinct_tuples


class People:
    """A population beside a table, both at the levels of the same hierarchies."""

    def __init__(self, space: Generalised, criterion: Any) -> None:
        names = {ladder.column.name for ladder in space.ladders}
        if criterion.by is not None and set(criterion.by) != names:
            raise PolicyError(f"optimal-recoding — {criterion.name} by some columns only — leave `by` out")
        columns, weights = criterion._people([ladder.column for ladder in space.ladders])
        placed = [ladder.placed(column.texts) for ladder, column in zip(space.ladders, columns, strict=True)]
        codes: Sequence[Ints] = [column.codes.astype(np.int64) for column in columns]
        labels = [
            [np.append(mine, label[code].astype(np.int32)) for mine, label in zip(ours, theirs, strict=True)]
            for ours, (theirs, _), code in zip(space.labels, placed, codes, strict=True)
        ]
        self.total = int(weights.sum())
        self._both = Both(labels, [sizes for _, sizes in placed], space.records, weights)

    def at(self, node: Node) -> tuple[Grouping, Ints]:
        """The classes of the table at a node, and how many people fit each."""
        found = self._both.at(node)
        begin = found.count - int(np.count_nonzero(found.tuples < self._both.ours))
        both, bits = found.records[begin:], self._both.bits
        return Grouping(node, found.tuples[begin:], both >> bits), both & ((1 << bits) - 1)


class Both(Tuples):
    """Tuples of a table, and of people after them. Records and people are kept in one number and counted together."""

    def __init__(
        self,
        labels: Sequence[Sequence[NDArray[np.integer]]],
        sizes: Sequence[Sequence[int]],
        records: Ints,
        people: Ints,
    ) -> None:
        self.ours, self.bits = len(records), int(people.sum()).bit_length()
        both = np.append(records << self.bits, people)[::-1]  # of equal tuples the last stands for all: ours
        found, counts = distinct_tuples([column[0][::-1] for column in labels], [size[0] for size in sizes], both)
        places = len(both) - 1 - found
        order = places.argsort()
        super().__init__([[label[places[order]] for label in column] for column in labels], sizes, counts[order])
        every = np.arange(len(order))
        self._remember(self._kept((0,) * len(sizes), every, self.records, every))

    def _kept(self, node: Node, tuples: Ints, records: Ints, keys: Ints) -> Grouping:
        """Classes of the table come last, in their order, so that one of its tuples stands for each of them."""
        theirs = tuples >= self.ours
        order = np.concatenate((theirs.nonzero()[0], (~theirs).nonzero()[0]))
        return Grouping(node, tuples.take(order), records.take(order))
