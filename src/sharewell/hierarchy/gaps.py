"""Gaps: how many distinct values of a column a hierarchy does not list.

>>> from sharewell.hierarchy.dates import Dates
>>> gaps(Dates(), ["2015-03-04", "2015", "spring", "spring", ""])
Gaps(listed=2, missing=1, total=3)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sharewell.errors import DataError
from sharewell.hierarchy.levels import Hierarchy
from sharewell.roles import did_you_mean


@runtime_checkable
class Listing(Protocol):
    """Can say which values it lists; all of our hierarchies can."""

    def lists(self, value: str) -> bool: ...


class ListingHierarchy(Hierarchy, Listing, Protocol):
    """A hierarchy that can say what it lists."""


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
    """The values that lack an entry, sorted. These are cell values: never log them."""
    return sorted(value for value in _distinct(values) if not hierarchy.lists(value))


def _distinct(values: Iterable[str | None]) -> set[str]:
    return {text for value in values if (text := (value or "").strip())}


def gaps_by_column(
    hierarchy: Listing, table: Sequence[Sequence[str]], column: str | None = None
) -> dict[str, tuple[Gaps, list[str]]]:
    """The gaps of one column or of each, with the values that lack an entry; the first row of the table is its header.

    >>> from sharewell.hierarchy.dates import Dates
    >>> gaps_by_column(Dates(), [["born", "sex"], ["2001-05-06", "F"]])["sex"]
    (Gaps(listed=0, missing=1, total=1), ['F'])
    """
    header = [name.strip() for name in table[0]] if table else []
    if column is not None and column not in header:
        hint = did_you_mean(column, header)
        raise DataError(f"column {column} — not in the file — {len(header)} columns found — {hint or 'check the name'}")
    result = {}
    for place, name in enumerate(header):
        if column in (None, name):
            values = [row[place] for row in table[1:] if place < len(row)]
            result[name] = gaps(hierarchy, values), missing_values(hierarchy, values)
    return result
