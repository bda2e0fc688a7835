"""Gaps: how many distinct values of a column a hierarchy does not list.

>>> from sharewell.hierarchy.dates import Dates
>>> gaps(Dates(), ["2015-03-04", "2015", "spring", "spring", ""])
Gaps(listed=2, missing=1, total=3)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


class Listing(Protocol):
    """A hierarchy that can say which values it lists; all of ours can."""

    def lists(self, value: str) -> bool: ...


@dataclass(frozen=True)
class Gaps:
    """Counts of distinct values; blank ones are not counted."""

    listed: int
    missing: int
    total: int


def gaps(hierarchy: Listing, values: Iterable[str | None]) -> Gaps:
    """Count the values that lack an entry."""
    distinct = _distinct(values)
    missing = len(missing_values(hierarchy, distinct))
    return Gaps(len(distinct) - missing, missing, len(distinct))


def missing_values(hierarchy: Listing, values: Iterable[str | None]) -> list[str]:
    """The values that lack an entry, in the order of their text. They are cell values: for a terminal, not for a log."""
    return sorted(value for value in _distinct(values) if not hierarchy.lists(value))


def _distinct(values: Iterable[str | None]) -> set[str]:
    return {text for value in values if (text := (value or "").strip())}
