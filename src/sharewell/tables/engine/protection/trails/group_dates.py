"""Dates that all persons of a group publish alike: intervals from the first date, as exact as the group allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sharewell.tables.engine.array_types import Indices, Ints

Precision = Literal["day", "week", "month", "quarter", "year"]
WITHIN: dict[str, int] = {"day": 0, "week": 6, "month": 30, "quarter": 91, "year": 365}
"""By how many days intervals of one precision may differ."""


@dataclass(frozen=True, eq=False)
class GroupDates:
    """The days of some groups in one shifted column each, and how far off they are."""

    days: dict[str, Ints]
    """Column → the day of each row of the table, 0 without one; rows of no group keep theirs."""
    off: dict[str, int]
    """Column → by how many days, at most, an interval from the first date is published too short."""
    withheld: dict[str, int]
    """Column → dates that are not published, because their intervals in a group differ by more than is allowed."""


def group_dates(days: dict[str, Ints], groups: Sequence[Indices], precision: Precision) -> GroupDates:
    """groups: persons × rows, aligned. Every person of a group gets the same days.

    The dates of a group begin at the mean of its persons' first dates. A later one follows after the shortest interval
    of any person there, if the longest is at most as much longer as the precision allows; else it is withheld from all.
    """
    results = {name: one.copy() for name, one in days.items()}
    off, withheld = dict.fromkeys(days, 0), dict.fromkeys(days, 0)
    for rows in groups if days else ():
        shown = np.stack([one[rows] for one in days.values()])  # columns × persons × rows
        large = np.iinfo(np.int64).max
        first = np.where(shown > 0, shown, large).min(axis=(0, 2))
        dated = first < large
        if not dated.any():
            continue
        begin = int(first[dated].sum()) // int(dated.sum())
        for name, cells in zip(days, shown, strict=True):
            offset = cells - np.where(dated, first, 0)[:, None]
            low, high = offset.min(axis=0), offset.max(axis=0)
            complete = (cells > 0).all(axis=0)
            fits = complete & (high - low <= WITHIN[precision])
            results[name][rows] = np.where(fits, begin + low, 0)
            off[name] = max(off[name], int((high - low)[fits].max(initial=0)))
            withheld[name] += int((cells > 0)[:, ~fits].sum())
    return GroupDates(results, off, withheld)
