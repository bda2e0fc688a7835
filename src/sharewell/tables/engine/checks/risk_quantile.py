"""The risk that at most a share of the persons exceed: the largest risk of all where the share is 0."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.worst_class import Tally

Ints = NDArray[np.int64]


def risk_exceeded_by(share: Fraction, sizes: Ints, persons: Ints) -> Fraction | None:
    """The least t such that at most this share of the persons, in groups of risk 1/size each, have more than t.

    >>> risk_exceeded_by(Fraction(0), np.array([2, 5]), np.array([2, 98]))
    Fraction(1, 2)
    >>> risk_exceeded_by(Fraction(2, 100), np.array([2, 5]), np.array([2, 98]))
    Fraction(1, 5)
    """
    if not len(sizes):
        return None
    order = np.argsort(sizes, kind="stable")
    allowed = int(share * int(persons.sum()))
    beyond = np.flatnonzero(np.cumsum(persons[order]) > allowed)
    return Fraction(1, max(1, int(sizes[order][beyond[0]]))) if len(beyond) else None


def risk_exceeded_by_persons(share: Fraction, found: Sequence[Tally]) -> tuple[Fraction | None, Tally]:
    """The same in the reading of records without a person where it is largest, and that reading."""
    reached = [(risk_exceeded_by(share, people, persons), (people, persons)) for people, persons in found]
    return max(reached, key=lambda one: -1 if one[0] is None else one[0])
