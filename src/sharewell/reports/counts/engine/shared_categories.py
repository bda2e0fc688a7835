"""One column in several tables: which categories of one are made of which of another.

A table may be by ward and another by department. Values that nothing divides further are atoms, and the categories of
every table are sets of them; they must nest, so that each division of the column refines the one before.

>>> wards = Dimension.of("ward", {"A1": ("A",), "A2": ("A",), "B": ()})
>>> departments = Dimension.flat("ward", ["A", "B"])
>>> column = Categories("ward", [wards, departments])
>>> column.level(departments), column.level(wards), [sorted(block) for block in column.blocks(0)]
(0, 1, [[0, 1], [2]])
>>> [wards.codes[place] for place in column.places(wards, column.blocks(0)[0])]
['A']
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from sharewell.errors import DataError
from sharewell.reports.counts.engine.dimensions import Dimension

Block = frozenset[int]


class Categories:
    """The atoms of a column, and its divisions from the coarsest to the finest."""

    def __init__(self, name: str, dimensions: Sequence[Dimension]) -> None:
        self.name = name
        self.finest = max(dimensions, key=lambda one: len(one.leaves))
        self._atom = {self.finest.codes[leaf]: number for number, leaf in enumerate(self.finest.leaves)}
        self._of = {id(one): self._atoms(one) for one in dimensions}
        self._kept = list(dimensions)  # an id is only that of an object that is still there
        divisions = sorted({self._division(one) for one in dimensions}, key=len)
        for coarse, fine in pairwise(divisions):
            if not all(any(small <= large for large in coarse) for small in fine):
                raise _not_nested(name)
        self._divisions = divisions

    @cached_property
    def atoms(self) -> int:
        return len(self._atom)

    def level(self, dimension: Dimension) -> int:
        """Which of the divisions a table has; 0 is the coarsest."""
        return self._divisions.index(self._division(dimension))

    def blocks(self, level: int) -> list[Block]:
        """The categories of a division."""
        return sorted(self._divisions[level], key=min)

    def places(self, dimension: Dimension, block: Block) -> list[int]:
        """Categories of a table that make up this one; none where the table has nobody in it."""
        sets = self._of[id(dimension)]
        for place, atoms in enumerate(sets):
            if atoms == block and place:
                return [place]
        return [leaf for leaf in dimension.leaves if sets[leaf] <= block]

    def _division(self, dimension: Dimension) -> frozenset[Block]:
        """Values that a table does not know stand alone: nobody in it has them."""
        sets = [self._of[id(dimension)][leaf] for leaf in dimension.leaves]
        unknown = set(range(self.atoms)).difference(*sets)
        return frozenset(sets) | {frozenset({atom}) for atom in unknown}

    def _atoms(self, dimension: Dimension) -> list[Block]:
        """Of every category, innermost first: by its name among those of the finest table."""
        sets: list[set[int]] = [set() for _ in dimension.codes]
        below = self._below
        seen: set[int] = set()
        for leaf in dimension.leaves:
            code = dimension.codes[leaf]
            place = self.finest.place.get(code)
            if place is None or seen & below[place]:
                raise _not_nested(self.name)
            seen |= below[place]
            step = leaf
            while step >= 0:
                sets[step] |= below[place]
                step = dimension.parents[step]
        return [frozenset(one) for one in sets]

    @cached_property
    def _below(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.finest.codes]
        for leaf in self.finest.leaves:
            step = leaf
            while step >= 0:
                found[step].add(self._atom[self.finest.codes[leaf]])
                step = self.finest.parents[step]
        return found


def _not_nested(name: str) -> DataError:
    what = "its categories in one table are not made of those in another, so that the tables cannot be judged together"
    return DataError(f"column {name} — {what} — use the same hierarchy, or the same values, in all of them")
