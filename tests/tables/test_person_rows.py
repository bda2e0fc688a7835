"""Rows of persons in the order of their dates, whatever the order of the source."""

import numpy as np
from trail_cases import Published

from sharewell.tables.engine.protection.trails.person_rows import PersonRows

ROWS = (("q", 0, "A", 7), ("p", 0, "B", 14), ("p", 0, "A", None), ("p", 0, "A", 1), (None, 0, "A", 0))


def test_by_date_then_by_content() -> None:
    table = Published(ROWS).table
    rows = PersonRows.of(table, {})
    assert rows.order.tolist() == [3, 1, 2, 0]
    assert (rows.count, rows.lengths.tolist(), rows.owner.tolist()) == (2, [3, 1], [0, 0, 0, 1])
    assert rows.first_rows(np.array([0, 1]), 1).tolist() == [[3], [0]]


def test_the_order_of_the_source_decides_nothing() -> None:
    back = PersonRows.of(Published(ROWS[::-1]).table, {})
    assert (4 - back.order).tolist() == PersonRows.of(Published(ROWS).table, {}).order.tolist()
