"""Criteria about all classes together (average risk, uniqueness): the smallest classes are withheld until they hold.

Of two classes of one size the one with the lower loss goes first, then the one whose first row comes first.

Average risk and sample uniqueness are lowest if the smallest classes go. What is left of a lower node, at a higher
one, is as many records or more in as many classes or fewer: so a higher node withholds no more than a lower one.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.classes import Classes
from sharewell.tables.mechanisms.generalised import Generalised, Grouping
from sharewell.tables.mechanisms.losses import ClassLoss, ColumnLoss
from sharewell.tables.mechanisms.withholding import Withheld, persons_of

LESS_ABOVE = ("marketer-risk", "sample-uniqueness")
"""Criteria for which a higher node withholds no more than a lower one."""


def is_overall(criterion: Any) -> bool:
    """Does it judge the sizes of all classes together?"""
    return not hasattr(criterion, "holds") and getattr(criterion, "population", None) is None


class SmallestFirst:
    """Withholds the smallest classes of a node until every criterion about all of them holds."""

    def __init__(self, space: Generalised, loss: ColumnLoss | ClassLoss, criteria: Sequence[Any], grows: bool) -> None:
        self.space, self.loss, self.criteria = space, loss, criteria
        self.less_above = grows and all(criterion.name in LESS_ABOVE for criterion in criteria)
        first = np.empty(len(space.records), dtype=np.int64)
        first[space.tuple_of_row[::-1]] = np.arange(space.table.rows)[::-1]
        self._first = first

    def at(self, grouping: Grouping, classes: Classes, found: Withheld) -> Withheld:
        """The failing classes, and as many of the smallest others as need be. O(classes log classes)"""
        sizes = np.asarray(classes.persons)
        left = np.delete(np.arange(grouping.count), found.failing)
        order = left[np.lexsort((self._first_rows(grouping)[left], self._losses(grouping)[left], sizes[left]))]
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._hold(sizes[order[middle:]]) else (middle + 1, high)
        failing = np.sort(np.append(found.failing, order[:low]))
        persons = persons_of(classes, failing)
        return Withheld(failing, found.certain, persons, persons if self.less_above else found.persons_below)

    def _hold(self, sizes: NDArray[np.intp]) -> bool:
        classes = SimpleNamespace(sizes=sizes, persons=sizes, count=len(sizes))
        data: Any = SimpleNamespace(classes=classes, schema=SimpleNamespace(subject=None))
        return len(sizes) > 0 and all(criterion.check(data).ok for criterion in self.criteria)

    def _first_rows(self, grouping: Grouping) -> NDArray[np.int64]:
        found = np.full(grouping.count, self.space.table.rows, dtype=np.int64)
        np.minimum.at(found, self.space.class_of_tuple(grouping.node), self._first)
        return found

    def _losses(self, grouping: Grouping) -> NDArray[np.float64]:
        """What each class loses by generalisation alone; nothing where the loss does not say."""
        if isinstance(self.loss, ClassLoss) or not self.loss.by_share:
            return np.zeros(grouping.count)
        shares = [
            grouping.records * ladder.leaves[level][codes[grouping.tuples]] / ladder.domain
            for ladder, level, codes in zip(self.space.ladders, grouping.node, self.space.codes, strict=True)
        ]
        return self.loss.of_each(shares)
