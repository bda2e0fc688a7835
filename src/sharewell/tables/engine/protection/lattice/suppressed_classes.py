"""What has to be withheld at a node, and what that tells about all lower nodes.

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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.published_cells import owners

Ints = NDArray[np.int64]
GROWING = ("k-anonymity", "l-diversity")
"""Criteria that hold for every class larger than one in which they hold; others say so by `growing = True`."""


def is_growing(criterion: Any) -> bool:
    return bool(getattr(criterion, "growing", criterion.name in GROWING))


def is_union_safe(criterion: Any, classes_share_persons: bool) -> bool:
    """Some criteria are so only if no person owns records in two classes. n/N of a union lies between its parts'."""
    if against_population(criterion) and not hasattr(criterion, "union_safe"):
        return not classes_share_persons
    safe = criterion.union_safe
    return bool(safe if classes_share_persons else getattr(criterion, "disjoint_union_safe", safe))


def against_population(criterion: Any) -> bool:
    """Does it hold classes against the people who fit them?"""
    return hasattr(criterion, "holds_against") and getattr(criterion, "population", None) is not None


@dataclass(frozen=True, eq=False)
class Withheld:
    """The failing classes of a node, and the persons that lose a record (records, where no person is known)."""

    failing: NDArray[np.intp]
    certain: NDArray[np.intp]
    """Those of them whose records are withheld at every lower node as well."""
    persons: int
    persons_below: int
    """At least so many at every lower node."""


class Withholding:
    """Judges nodes against a list of criteria, the cheap and telling ones first."""

    def __init__(self, must: Sequence[Any], most_persons: int, classes_share_persons: bool) -> None:
        self.must = sorted(must, key=lambda criterion: not is_growing(criterion))
        self.most_persons = most_persons
        self.safe = {id(criterion): is_union_safe(criterion, classes_share_persons) for criterion in must}
        self.grows = all(is_growing(criterion) for criterion in must)
        self.union_safe = all(self.safe.values())

    def at(self, classes: Classes, fitting: Mapping[int, Ints]) -> Withheld:
        """Criteria are asked one after the other, until all are or too much is withheld at every lower node.

        `cell_matching` gives the people who fit each class, for the criteria (by identity) that want to know.
        """
        failing = certain = np.zeros(0, dtype=np.intp)
        persons = below = 0
        for criterion in self.must:
            grows = is_growing(criterion)
            if not grows and below > self.most_persons:
                break
            left = np.delete(np.arange(classes.count), failing) if len(failing) else None
            judged, people = classes if left is None else classes.select(left), fitting.get(id(criterion))
            if people is not None:
                there = people if left is None else people[left]
                bad = np.flatnonzero(~criterion.holds_against(judged, there))
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
                below = max(1, below) if enough else self._more(classes, criterion, bad, people, below)
        return Withheld(failing, certain, persons, below)

    def _more(self, classes: Classes, criterion: Any, bad: NDArray[np.intp], people: Ints | None, below: int) -> int:
        """Withheld below for sure, a union-safe criterion included. One person may lose records of several classes."""
        if classes.subject is not None:
            return max(1, below)
        least = np.ones(len(bad), dtype=np.int64)
        if people is not None and hasattr(criterion, "least_withheld_against"):
            least = criterion.least_withheld_against(classes.select(bad), people[bad])
        elif hasattr(criterion, "least_withheld"):
            least = np.maximum(least, criterion.least_withheld(classes.select(bad)))
        small = classes.sizes[bad] < getattr(criterion, "least_records", 1)
        return below + int(np.where(small, classes.sizes[bad], least).sum())


def persons_of(classes: Classes, which: NDArray[np.intp]) -> int:
    """How many persons own a record in these classes; a record without a person counts as one of its own."""
    if not len(which) or classes.subject is None:
        return int(classes.sizes[which].sum())
    subject = classes.columns[classes.subject]
    return owners(subject, subject.codes[classes.select(which).order])
