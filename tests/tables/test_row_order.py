from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Indices
from sharewell.tables.engine.protection.row_order import by_content, quasi_first


def people(rows: int) -> pa.Table:
    """Few different values, some missing, so that most rows are equal in all columns but the last ones."""
    draw = np.random.default_rng(4)

    def pick(*values: str | None) -> list[str | None]:
        return [values[i] for i in draw.integers(len(values), size=rows)]

    return pa.table(
        {
            "age": pick("30", "40", None),
            "ward": pick("east", "west"),
            "illness": pick("asthma", "influenza", None),
            "remark": pick("noted", "unnoted", None),
            "bed": pick("1", "2", "10"),
        }
    )


def opened(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["ward", "age"], sensitive=["illness"], keep=["remark", "bed"])


@pytest.mark.parametrize("order", [by_content, quasi_first])
def test_an_order_shows_the_same_rows_however_the_source_was_sorted(order: Callable[[Table], Indices]) -> None:
    frame = people(300)
    first = frame.take(pa.array(order(opened(frame)))).to_pylist()
    for seed in range(3):
        shuffled = frame.take(pa.array(np.random.default_rng(seed).permutation(300)))
        rows = order(opened(shuffled))
        assert sorted(rows.tolist()) == list(range(300))
        assert shuffled.take(pa.array(rows)).to_pylist() == first


def test_rows_that_are_grouped_come_by_quasi_values_first() -> None:
    """Those that are drawn for come by the name of the column instead, so that `age` precedes `ward`."""
    table = opened(people(300))
    pairs = list(zip(*(column.codes[quasi_first(table)].tolist() for column in table.quasi), strict=True))
    assert pairs == sorted(pairs)
    ages = table.columns["age"].codes[by_content(table)].tolist()
    assert ages == sorted(ages)
