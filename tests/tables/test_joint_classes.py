"""The classes of a table, divided by others: against a plain count."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cells import SUPPRESSED
from sharewell.people_evidence import PeopleEvidence
from sharewell.tables import Table
from sharewell.tables.engine.checks import joint_classes as engine
from sharewell.tables.engine.checks.joint_classes import (
    LinkedTable,
    NotComparable,
    joint_classes,
)

records = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("xyz"), st.sampled_from(["flu", "Flu ", "gout", None])),
    min_size=1,
    max_size=9,
)


def linked(title: str, drawn: list[Any]) -> LinkedTable:
    frame = pa.table({"q": [row[1] for row in drawn], "s": pa.array([row[2] for row in drawn], pa.string())})
    data = Table.of(frame, quasi=["q"], sensitive=["s"], published=True)
    persons = pa.array([row[0] for row in drawn], pa.string())
    return LinkedTable(title, data, PeopleEvidence("who", "", persons, np.arange(len(drawn))))


def plain(first: list[Any], second: list[Any], unchanged: bool = False) -> set[frozenset[int]]:
    """Groups of record numbers, by the definition."""
    groups: dict[Any, set[int]] = defaultdict(set)
    for number, (who, cell, value) in enumerate(first):
        theirs = [row for row in second if row[0] == who]
        for other in {row[1] for row in theirs} or {None}:
            values = [row[2] for row in theirs if row[1] == other]
            same = not values or value is None or None in values
            same = same or any((one or "").strip().lower() == value.strip().lower() for one in values)
            if same or not unchanged:
                groups[cell, other].add(number)
    return {frozenset(some) for some in groups.values()}


@settings(max_examples=200, deadline=None)
@given(first=records, second=records)
def test_groups_are_those_of_the_definition(first: list[Any], second: list[Any]) -> None:
    joint = joint_classes(linked("one", first), [linked("two", second)])
    wanted = plain(first, second)
    found = [frozenset(some.tolist()) for some in np.split(joint.groups.order, joint.groups.starts[1:-1])]
    assert set(found) == wanted
    again = plain(first, second, unchanged=True)
    if joint.unchanged:
        (some,) = joint.unchanged
        assert {frozenset(part.tolist()) for part in np.split(some.order, some.starts[1:-1]) if len(part)} == again
    else:
        assert again == wanted


def test_withheld_rows_are_told_from_absent_ones() -> None:
    data = linked("one", [("a", "x", "flu"), ("b", "x", "flu"), ("c", "x", "flu")])
    other = linked("two", [("a", "x", "flu"), ("b", SUPPRESSED, None)])
    assert other.data.classes.count == 1
    assert joint_classes(data, [other]).groups.count == 3


def test_too_many_places_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_PLACES", 3)
    rows = [("a", "x", "flu"), ("a", "y", "flu"), ("a", "z", "flu")]
    with pytest.raises(NotComparable, match="too many records"):
        joint_classes(linked("one", rows), [linked("two", rows)])
