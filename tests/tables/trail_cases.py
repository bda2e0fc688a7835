"""Small releases with several rows a person, missing dates and rows of nobody, and what holds of them by definition."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from sharewell.tables import Table
from sharewell.tables.engine.published_trails import PublishedTrails

FIRST = datetime.date(2021, 3, 1)


@dataclass(frozen=True)
class Published:
    """Rows of (person or nobody, piece, ward, days after the first of March or nothing)."""

    rows: tuple[tuple[str | None, int, str | None, int | None], ...]

    @property
    def table(self) -> Table:
        came = [None if day is None else (FIRST + datetime.timedelta(days=day)).isoformat() for *_, day in self.rows]
        frame = pa.table(
            {
                "who": pa.array([row[0] for row in self.rows], pa.string()),
                "ward": pa.array([row[2] for row in self.rows], pa.string()),
                "came": pa.array(came, pa.string()),
            }
        )
        table = Table.of(frame, quasi=["ward"], subject="who", shift=["came"], published=True)
        piece = np.array([row[1] for row in self.rows], np.int64)
        return replace(table, trails=PublishedTrails(piece)) if piece.any() else table

    def trails(self) -> list[tuple[str | None, list[tuple[str | None, int | None]]]]:
        """(person, rows) of every pseudonym; a row of nobody stands by itself."""
        found: dict[Any, list[Any]] = {}
        for i, (who, piece, ward, day) in enumerate(self.rows):
            found.setdefault((who, piece) if who is not None else (None, i), []).append((ward, day))
        return [(who, rows) for (who, _), rows in found.items()]


def least(case: Published, most: int | None) -> int | None:
    """The persons left by the worst knowledge of whole trails (None) or of at most so many rows, by definition."""
    trails, worst = case.trails(), None
    for _, rows in trails:
        sizes = [len(rows)] if most is None else range(1, min(most, len(rows)) + 1)
        for size in sizes:
            for known in combinations(rows, size):
                persons = [who for who, other in trails if who is not None and _fits(known, rows, other, most is None)]
                count = len(persons) // max(Counter(persons).values()) if persons else 0
                worst = count if worst is None else min(worst, count)
    return worst


def _fits(known: Any, own: Any, other: Any, whole: bool) -> bool:
    """Could `other` be the trail of somebody with the rows `own`, of which some are known?"""
    if whole:
        return Counter(other) == Counter(known)
    if Counter(known) - Counter(other):
        return False
    ours, theirs = ([day for _, day in rows if day is not None] for rows in (own, other))
    inside = all(ours and min(ours) <= day <= max(ours) for day in theirs)
    return inside and {day % 7 for day in theirs} <= {day % 7 for day in ours}


people = st.sampled_from([*"abcdefgh", None])
wards = st.sampled_from(["A", "B", None])
days = st.sampled_from([0, 1, 7, 14, None])
rows = st.tuples(people, st.just(0), wards, days)
in_pieces = st.tuples(people, st.sampled_from([0, 0, 1, 2]), wards, days)


@st.composite
def releases(draw: Any) -> Published:
    """Alike more often than chance would have it: some trails are copied to another person."""
    some = draw(st.lists(draw(st.sampled_from([rows, in_pieces])), max_size=9))
    for copy in draw(st.lists(st.sampled_from(["i", "j", "k"]), max_size=3, unique=True)):
        model = draw(st.sampled_from(some))[0] if some else None
        some += [(copy, *row[1:]) for row in some if model is not None and row[0] == model]
    return Published(tuple(some))
