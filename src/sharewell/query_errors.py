"""Relative errors of counting queries, whatever is counted: |estimate − actual| / max(actual, floor)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.findings import Finding

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AnswersDetails:
    """What a measure says of its queries beside their mean error."""

    queries: int
    median: float
    largest: float
    empty_queries: int
    """Queries that no original record answers; their error is divided by the floor."""
    lost_queries: int
    """Queries that some record answers, and whose estimate is 0."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The true answer to each query, and the one that a reader of the release expects."""

    actual: NDArray[np.int64] | Floats
    estimate: Floats
    floor: float
    """A sanity bound: no error is divided by less."""

    @classmethod
    def of(cls, actual: NDArray[np.int64] | Floats, estimate: Floats, floor: float | None, records: int) -> Answers:
        """Without a floor it is one in a hundred records, and at least one."""
        return cls(actual, estimate, max(1.0, records / 100) if floor is None else floor)

    @cached_property
    def errors(self) -> Floats:
        result: Floats = np.abs(self.estimate - self.actual) / np.maximum(self.actual, self.floor)
        return result

    @property
    def empty(self) -> int:
        return int((self.actual == 0).sum())

    @property
    def lost(self) -> int:
        return int(((self.actual > 0) & (self.estimate == 0)).sum())

    def finding(self, name: str) -> Finding:
        """The mean error."""
        median, largest = float(np.median(self.errors)), float(self.errors.max())
        details = AnswersDetails(len(self.errors), median, largest, self.empty, self.lost)
        return Finding(name, float(self.errors.mean()), details=details)


NO_QUERY = "no query to ask"
