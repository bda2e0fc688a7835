"""Which classes must be suppressed at a node, and what follows for all lower nodes.

At a lower node classes are parts of this node's classes. Three kinds of criteria:

- *growing*: what holds for a class holds for every larger one (k-anonymity, distinct l-diversity, k-map). Records in
  failing classes are then withheld at every lower node too.
- *union-safe*: what holds for two classes holds for their union. A failing class then has a failing part at every lower
  node, so that at least one of its records is withheld there; or as many as the criterion says by `least_withheld`:
  what is left of the class is a union of classes that hold, and so must hold itself.
- any other: nothing is known about lower nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.population_classes import PopulationClassCriterion
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.published_cells import owners

PerClassCriterion = ClassCriterion | PopulationClassCriterion
"""Criteria that are decided class by class."""


def is_union_safe(criterion: PerClassCriterion, classes_share_persons: bool) -> bool:
    """Some criteria are so only if no person owns records in two classes. n/N of a union lies between its parts'."""
    if isinstance(criterion, PopulationClassCriterion):
        return not classes_share_persons
    return criterion.union_safe if classes_share_persons else criterion.disjoint_union_safe


@dataclass(frozen=True, eq=False)
class SuppressedClasses:
    """The failing classes of a node, and the persons that lose a record (records, where no person is known)."""

    failing: Indices
    certain: Indices
    """Those of them whose records are withheld at every lower node as well."""
    persons: int
    persons_below: int
    """At least so many at every lower node."""


class NodeJudge:
    """Judges nodes by a list of criteria, growing ones first: they are cheap, and rule out lower nodes."""

    def __init__(self, must: Sequence[PerClassCriterion], most_persons: int, classes_share_persons: bool) -> None:
        self.must = sorted(must, key=lambda criterion: not criterion.growing)
        self.most_persons = most_persons
        self.safe = {id(criterion): is_union_safe(criterion, classes_share_persons) for criterion in must}
        self.grows = all(criterion.growing for criterion in must)
        self.union_safe = all(self.safe.values())

    def at(self, classes: Classes, fitting: Mapping[int, Ints]) -> SuppressedClasses:
        """Criteria are asked one after the other, until all are or too much is withheld at every lower node.

        `cell_matching` gives the people who fit each class, for the criteria (by identity) that want to know.
        """
        failing = certain = np.zeros(0, dtype=np.intp)
        persons = below = 0
        for criterion in self.must:
            grows = criterion.growing
            if not grows and below > self.most_persons:
                break
            left = np.delete(np.arange(classes.count), failing) if len(failing) else None
            judged = classes if left is None else classes.select(left)
            if isinstance(criterion, PopulationClassCriterion):
                people = fitting[id(criterion)] if left is None else fitting[id(criterion)][left]
                bad = np.flatnonzero(~criterion.holds_against(judged, people))
            else:
                bad = np.flatnonzero(~criterion.holds(judged))
            if not len(bad):
                continue
            bad = bad if left is None else left[bad]
            failing = bad if left is None else np.sort(np.append(failing, bad))
            persons = persons_of(classes, failing)
            if grows:
                below, certain = persons, failing
            elif self.safe[id(criterion)]:
                enough = persons <= self.most_persons
                below = max(1, below) if enough else self._more(classes, criterion, bad, fitting, below)
        return SuppressedClasses(failing, certain, persons, below)

    def _more(
        self,
        classes: Classes,
        criterion: PerClassCriterion,
        bad: Indices,
        fitting: Mapping[int, Ints],
        below: int,
    ) -> int:
        """Withheld below for sure, a union-safe criterion included. One person may lose records of several classes."""
        if classes.subject is not None:
            return max(1, below)
        if isinstance(criterion, PopulationClassCriterion):
            least = criterion.least_withheld_against(classes.select(bad), fitting[id(criterion)][bad])
            return below + int(least.sum())
        least = np.maximum(1, criterion.least_withheld(classes.select(bad)))
        small = classes.sizes[bad] < criterion.least_records
        return below + int(np.where(small, classes.sizes[bad], least).sum())


def persons_of(classes: Classes, which: Indices) -> int:
    """How many persons own a record in these classes; a record without a person counts as one of its own."""
    if not len(which) or classes.subject is None:
        return int(classes.sizes[which].sum())
    subject = classes.columns[classes.subject]
    return owners(subject, subject.codes[classes.select(which).order])
