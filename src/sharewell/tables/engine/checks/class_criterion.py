"""Criteria that hold if they hold in every class: `worst` gives a number for each class, the rest derives from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.findings import Finding, Number
from sharewell.protocols import Criterion
from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.classes import Classes

if TYPE_CHECKING:
    from sharewell.tables.data import Table

Edge = TypeVar("Edge", int, float)
SIZE_EDGES = (1, 2, 3, 5, 11, 20, 50, 100, 1_000, 10_000)
"""Lower edges of the bins in which class sizes are reported: the customary least cell sizes, then decades."""


@dataclass(frozen=True)
class ClassProfile:
    """How many classes there are, how many fail, and how large they are (bin's lower edge → classes, records)."""

    classes: int
    failing: int
    classes_by_size: dict[int, int]
    records_by_size: dict[int, int]


@dataclass(frozen=True)
class ValueProfile(ClassProfile):
    """The same for a criterion about sensitive values, beside how alike the persons of a class are."""

    person_share: Fraction | None = None
    """The largest share of a class's persons who have one value; of its records where no subject is known."""


class ClassCriterion(Criterion["Table"]):
    """Mix-in for a criterion with a `bound` and `worst(classes)`: adds `holds` and `check`."""

    unit_name: ClassVar[str] = ""
    growing: ClassVar[bool] = False
    """Does it hold for every class larger than one in which it holds?"""

    @property
    def least_records(self) -> int:
        """A class of fewer records cannot hold: mechanisms need not ask."""
        return 1

    @property
    def groupings(self) -> int | None:
        """With how many groupings it reckons from which the release was chosen; None where that does not matter."""
        return None

    @property
    def union_safe(self) -> bool:
        """Does it hold for the union of two classes in which it holds? Mechanisms may then merge classes freely."""
        return True

    @property
    def disjoint_union_safe(self) -> bool:
        """Does it hold for the union of two classes in which it holds, if no person owns records in both?"""
        return self.union_safe

    def worst(self, classes: Classes) -> NDArray[np.number]:
        """The decisive number of each class."""
        raise NotImplementedError

    def holds(self, classes: Classes) -> Bools:
        """Does it hold, class by class?"""
        reached, bound = np.asarray(self.worst(classes)), self.bound
        if isinstance(bound, Fraction):  # exact: whole numbers on both sides
            reached, bound = reached * bound.denominator, bound.numerator
        return np.asarray(reached >= bound if self.sense == "≥" else reached <= bound, dtype=bool)

    def least_withheld(self, classes: Classes) -> Ints:
        """At least this many records of each failing class go however it is divided; all, if no part can hold.

        0 where nothing is known. Where unions of classes that hold do, at least one goes in any case, for what is left
        of a class must hold itself.
        """
        return np.zeros(classes.count, dtype=np.int64)

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and judge the worst class. No class at all is undecided, and so fails."""
        classes = data.classes
        reached = self.worst(classes)
        value: Number | None = None
        if len(reached):
            value = (reached.min() if self.sense == "≥" else reached.max()).item()
        profile = class_profile(classes, int((~self.holds(classes)).sum()))
        return self.finding(value, unit=self.counted_in(data), details=profile)

    def counted_in(self, data: Table) -> str:
        return self.unit_name


def all_hold(criteria: Iterable[ClassCriterion], classes: Classes) -> Bools:
    """Does every criterion hold, class by class?"""
    holds = np.ones(classes.count, dtype=bool)
    for criterion in criteria:
        holds &= criterion.holds(classes)
    return holds


def class_profile(classes: Classes, failing: int) -> ClassProfile:
    """Sizes in bins: never one class alone by its values."""
    sizes = classes.sizes
    return ClassProfile(classes.count, failing, by_edge(SIZE_EDGES, sizes), by_edge(SIZE_EDGES, sizes, sizes))


def by_edge(
    edges: Sequence[Edge], numbers: NDArray[np.number], weights: NDArray[np.integer] | None = None
) -> dict[Edge, int]:
    """How many numbers lie in each bin, by its lower edge; bins without any are left out."""
    bins = np.searchsorted(edges, numbers, side="right") - 1
    counts = np.bincount(bins, weights, len(edges))
    return {edge: int(count) for edge, count in zip(edges, counts, strict=True) if count}


ClassCriteria: TypeAlias = Sequence[ClassCriterion]
