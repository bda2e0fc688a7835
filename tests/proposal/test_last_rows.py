"""Rows at the end of a table that are no records."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.proposal.last_rows import rows_of_one_cell

FULL, TOTAL, BLANK = ("1", "F", "B2"), ("in all: 2", None, " "), ("", None, "")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([FULL, FULL], 0),
        ([FULL, TOTAL], 1),
        ([FULL, FULL, BLANK, TOTAL], 2),
        ([FULL, TOTAL, FULL], 0),
        ([TOTAL, TOTAL], 0),
        ([FULL, *[TOTAL] * 20], 0),
        ([], 0),
    ],
)
def test_rows_of_one_cell_are_counted_below_a_fuller_row(rows: list[tuple[str | None, ...]], expected: int) -> None:
    """A table that is sparse throughout, or for long, tells nothing."""
    columns = dict(zip(("mrn", "sex", "ward"), map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    empty: list[str] = []
    assert rows_of_one_cell(pa.table(columns or {"mrn": empty, "sex": empty, "ward": empty})) == expected


def test_a_narrow_table_is_left_alone() -> None:
    assert rows_of_one_cell(pa.table({"person": ["1", "2", "3"], "code": ["I10", "E11", None]})) == 0
