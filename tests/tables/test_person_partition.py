"""Groups of persons: at least k, together everybody, cut where it pays."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from test_trail_grouping import opened, visits

from sharewell.tables import KAnonymity, Table
from sharewell.tables.engine.protection.trails.person_partition import PersonPartition
from sharewell.tables.engine.protection.trails.person_rows import PersonRows


@settings(max_examples=150, deadline=None)
@given(some=st.lists(visits, min_size=1, max_size=16), k=st.integers(1, 3))
def test_groups_hold_everybody_once(some: list[tuple[object, ...]], k: int) -> None:
    table: Table = opened(some)
    people = PersonRows.of(table, {})
    partition = PersonPartition(table, people, [KAnonymity(k)], k, "year")
    groups = partition.groups()
    if people.count < k or not people.count:
        assert groups == [] or not len(groups[0])
        return
    assert np.sort(np.concatenate(groups)).tolist() == list(range(people.count))
    assert all(len(group) >= k and partition.holds(group) for group in groups)
    assert sum(map(partition.loss, groups)) <= partition.loss(np.arange(people.count))
