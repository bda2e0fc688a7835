"""A dimension of a table: its categories, what they add up to, and the total of all.

>>> sex = Dimension.flat("sex", ["m", "f"])
>>> sex.codes, sex.parents
(('*', 'f', 'm'), (-1, 0, 0))
>>> ward = Dimension.of("ward", {"A1": ("A",), "A2": ("A",), "B": ()})
>>> ward.codes, ward.parents
(('*', 'A', 'A1', 'A2', 'B'), (-1, 0, 1, 1, 0))
>>> ward.sums
((0, (1, 4)), (1, (2, 3)))

One table may be by ward and another by department. `Categories` tells which categories of one are made of which of the
other: values that nothing divides further are atoms, the categories of every table are sets of them, and each division
of the column must refine the one before.

>>> departments = Dimension.flat("ward", ["A", "B"])
>>> column = Categories("ward", [ward, departments])
>>> column.level(departments), column.level(ward), [sorted(block) for block in column.blocks(0)]
(0, 1, [[0, 1], [2]])
>>> [ward.codes[place] for place in column.places(ward, column.blocks(0)[0])]
['A']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from sharewell.cells import Exact, labelled
from sharewell.errors import DataError
from sharewell.hierarchy.chains import ROOT
from sharewell.hierarchy.levels import Hierarchy

TOTAL = "*"
Code = str | None
"""A category as it is published; None are the rows that have no value there."""


@dataclass(frozen=True)
class Dimension:
    """Categories in order, every one after the one that it is a part of; the total comes first."""

    name: str
    codes: tuple[Code, ...]
    parents: tuple[int, ...]
    """For each category the place of the one that it is a part of; −1 for the total."""
    tree: Hierarchy | None = field(default=None, repr=False, compare=False)
    """The hierarchy that the categories between values and total come from, if any."""

    def __post_init__(self) -> None:
        if len(set(self.codes)) < len(self.codes):
            raise DataError(f"column {self.name} — two categories have one name — rename one")
        ordered = all(parent < place for place, parent in enumerate(self.parents))
        if len(self.parents) != len(self.codes) or self.parents[:1] != (-1,) or not ordered or -1 in self.parents[1:]:
            raise DataError(f"column {self.name} — its categories do not add up to one total")

    @classmethod
    def flat(cls, name: str, values: Iterable[str | None]) -> Dimension:
        """Categories that add up to the total at once."""
        return cls.of(name, dict.fromkeys(values, ()))

    @classmethod
    def of(cls, name: str, above: Mapping[Code, Sequence[str]], tree: Hierarchy | None = None) -> Dimension:
        """Values of the data, each with the labels above it, the nearest first; the total need not be named."""
        paths: dict[tuple[str, ...], Code] = {(): TOTAL}
        for value in above:
            labels = [labelled(label).text for label in above[value] if label not in (ROOT, value)]
            path: tuple[str, ...] = ()
            for label in reversed(labels):
                path = (*path, label)
                paths[path] = label
            leaf = None if value is None else Exact(value).text
            if leaf == _MISSING:
                raise DataError(f"column {name} — a value is a control character, which means no value — rename it")
            paths[(*path, _MISSING if leaf is None else leaf)] = leaf
        ordered = sorted(paths)
        place = {path: i for i, path in enumerate(ordered)}
        parents = [-1 if not path else place[path[:-1]] for path in ordered]
        return cls(name, tuple(paths[path] for path in ordered), tuple(parents), tree)

    @classmethod
    def read(cls, name: str, codes: Iterable[Code], above: Mapping[str, str]) -> Dimension:
        """From the categories of a published column, and the one above each where that is not the total."""
        known = {*codes}
        if TOTAL not in known or not {*above} <= known or not {*above.values()} <= known:
            raise DataError(f"column {name} — its total is missing, or the dictionary names unknown categories")
        paths = {code: _path(code, above, name) for code in known - {TOTAL}}
        ordered: list[tuple[str, ...]] = sorted([(), *paths.values()])
        code_of = {path: code for code, path in paths.items()} | {(): TOTAL}
        place = {path: i for i, path in enumerate(ordered)}
        return cls(name, tuple(code_of[path] for path in ordered), tuple(place[p[:-1]] if p else -1 for p in ordered))

    @cached_property
    def sums(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Every category that is a sum, and its parts."""
        below: dict[int, list[int]] = {}
        for place, parent in enumerate(self.parents[1:], start=1):
            below.setdefault(parent, []).append(place)
        return tuple((parent, tuple(children)) for parent, children in sorted(below.items()))

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Categories without parts: the values of the data."""
        inner = {parent for parent, _ in self.sums}
        return tuple(place for place in range(len(self.codes)) if place not in inner)

    @cached_property
    def below(self) -> tuple[frozenset[int], ...]:
        """The values that make up every category; a value is made up of itself."""
        below: list[set[int]] = [set() for _ in self.codes]
        for leaf in self.leaves:
            step = leaf
            while step >= 0:
                below[step].add(leaf)
                step = self.parents[step]
        return tuple(map(frozenset, below))

    @cached_property
    def place(self) -> dict[Code, int]:
        return {code: i for i, code in enumerate(self.codes)}

    @property
    def is_flat(self) -> bool:
        return all(parent <= 0 for parent in self.parents)

    def above(self) -> dict[str, str]:
        """What a dictionary tells: category → the one above it, where that is not the total."""
        parent_of = {}
        for code, parent in zip(self.codes, self.parents, strict=True):
            if parent > 0:
                parent_of["" if code is None else code] = str(self.codes[parent])
        return parent_of


_MISSING = "\x00"


def _path(code: Code, above: Mapping[str, str], name: str) -> tuple[str, ...]:
    path: list[str] = []
    step: Code = code
    while step != TOTAL:
        path.append(_MISSING if step is None else step)
        step = above.get("" if step is None else step, TOTAL)
        if len(path) > len(above) + 1:
            raise DataError(f"column {name} — the dictionary names categories that are above themselves")
    return tuple(reversed(path))


Block = frozenset[int]


class Categories:
    """The atoms of a column, and its divisions from the coarsest to the finest."""

    def __init__(self, name: str, dimensions: Sequence[Dimension]) -> None:
        self.name = name
        self.finest = max(dimensions, key=lambda one: len(one.leaves))
        self._atom = {leaf: number for number, leaf in enumerate(self.finest.leaves)}
        self._of = {id(one): self._atoms(one) for one in dimensions}
        self._kept = list(dimensions)  # an id is only that of an object that is still there
        divisions = sorted({self._division(one) for one in dimensions}, key=len)
        for coarse, finer in pairwise(divisions):
            if not all(any(small <= large for large in coarse) for small in finer):
                raise _not_nested(name)
        self._divisions = divisions

    @cached_property
    def atoms(self) -> int:
        return len(self._atom)

    def level(self, dimension: Dimension) -> int:
        """The division that a table has; 0 is the coarsest."""
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
        """Every category as a block: the names of its values among those of the finest table."""
        of_leaf: dict[int, Block] = {}
        for leaf in dimension.leaves:
            place = self.finest.place.get(dimension.codes[leaf])
            if place is None:
                raise _not_nested(self.name)
            of_leaf[leaf] = frozenset(self._atom[one] for one in self.finest.below[place])
        if len(frozenset().union(*of_leaf.values())) < sum(map(len, of_leaf.values())):
            raise _not_nested(self.name)
        return [frozenset().union(*(of_leaf[leaf] for leaf in below)) for below in dimension.below]


def _not_nested(name: str) -> DataError:
    what = "its categories in one table are not made of those in another, so that the tables cannot be judged together"
    return DataError(f"column {name} — {what} — use the same hierarchy, or the same values, in all of them")
