"""Trail linkage: what all rows of a person, or some of them, give away."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from test_trail_k_anonymity import visits
from trail_cases import Published, least, releases

from sharewell.protocols import Truth
from sharewell.tables import Table, TrailKAnonymity, TrailLinkage
from sharewell.testing import check_attack

DAY = datetime.date(2021, 3, 1)


def dated(rows: list[tuple[str, int]], published: bool = True) -> Table:
    came = [(DAY + datetime.timedelta(days=day)).isoformat() for _, day in rows]
    frame = pa.table({"who": [who for who, _ in rows], "came": came})
    return Table.of(frame, quasi=[], subject="who", shift=["came"], published=published)


def test_the_papers_classes() -> None:
    """Four of eight are alone with their number of visits; the others have one like them."""
    found = TrailLinkage().mount(visits())
    assert (found.value, found.details.alone, found.details.persons) == (1.0, 4, 8)
    assert found.details.risk.average == (4 * 1 + 4 * 0.5) / 8


@settings(max_examples=400, deadline=None)
@given(case=releases(), k=st.integers(1, 3))
def test_trail_k_anonymity_bounds_it_where_dates_do_not_move(case: Published, k: int) -> None:
    plain = Published(tuple((who, piece, ward, None) for who, piece, ward, _ in case.rows))
    if not TrailKAnonymity(k).check(plain.table).ok:
        return
    for rows in ("all", 1, 2):
        found = TrailLinkage(rows=rows).mount(plain.table)
        assert found.value is None or found.value <= 1 / k + 1e-9


@settings(max_examples=300, deadline=None)
@given(case=releases(), rows=st.integers(1, 3))
def test_some_rows_are_found_as_plain_counting_finds_them(case: Published, rows: int) -> None:
    """Without dates and pieces: one in as many persons as have such rows."""
    plain = Published(tuple((who, 0, ward, None) for who, _, ward, _ in case.rows if who is not None))
    found = TrailLinkage(rows=rows).mount(plain.table)
    expected = least(plain, rows)
    assert found.value is None if expected is None else abs(found.value - 1 / expected) < 1e-9


def test_intervals_survive_the_shift() -> None:
    """p and q came a week apart, r after eight days: r is found whatever the shift, p and q are each other's double."""
    table = dated([("p", 0), ("p", 7), ("q", 100), ("q", 107), ("r", 50), ("r", 58)])
    found = TrailLinkage().mount(table)
    assert (found.value, found.details.alone) == (1.0, 1)
    assert TrailLinkage(rows=1).mount(table).value == 1 / 3
    assert TrailLinkage(rows=2).mount(table).value == 1.0


def test_who_would_have_moved_too_far_is_ruled_out() -> None:
    before = [("p", 0), ("p", 7), ("q", 100), ("q", 107)]
    after = [("p", 5), ("p", 12), ("q", 98), ("q", 105)]
    released, truth = dated(after), Truth(dated(before, published=False), np.arange(4))
    assert TrailLinkage(columns={"came": 10}).mount(released, truth).value == 1.0
    assert TrailLinkage(columns={"came": 120}).mount(released, truth).value == 0.5


def test_one_value_of_a_whole_trail_is_told() -> None:
    rows: dict[str, Any] = {
        "who": ["p", "q", "r", "s"],
        "ward": ["A", "A", "B", "B"],
        "ill": ["hiv", "hiv", "flu", "hiv"],
    }
    table = Table.of(pa.table(rows), quasi=["ward"], sensitive=["ill"], subject="who", published=True)
    assert TrailLinkage().mount(table).details.same_value == 1.0
    assert TrailLinkage().mount(table.take(np.array([2, 3]))).details.same_value == 0.5


def test_it_keeps_the_contract() -> None:
    frame = pa.table({"who": ["canary p", "canary q"] * 2, "ward": ["canary A"] * 4, "came": ["2020-01-01"] * 4})
    for rows in ("all", 2):
        check_attack(
            TrailLinkage(rows=rows),
            lambda f: Table.of(f, quasi=["ward"], subject="who", shift=["came"], published=True),
            frame,
        )
