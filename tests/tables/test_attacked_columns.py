from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pytest

from sharewell.errors import PolicyError
from sharewell.findings import Finding
from sharewell.tables.data import Table
from sharewell.tables.engine.attackers.attacked_columns import above_baseline, most_frequent, mount_on_columns
from sharewell.tables.engine.columns import Column


@dataclass(frozen=True)
class Details:
    baseline: float


def table(rows: int = 4) -> Table:
    frame = pa.table(
        {
            "age": ["30", "30", "40", "40"][:rows],
            "illness": ["a", "b", "b", "b"][:rows],
            "income": ["low", "low", "high", "low"][:rows],
        },
        schema=pa.schema([(name, pa.string()) for name in ("age", "illness", "income")]),
    )
    return Table.of(frame, quasi=["age"], sensitive=["illness", "income"])


def finding(column: Column) -> Finding:
    """Illness is told more often, income further above what anybody would guess."""
    value, baseline = {"illness": (0.9, 0.8), "income": (0.7, 0.2)}[column.name]
    return Finding("attack", value, column=column.name, details=Details(baseline))


def test_the_worst_column_is_shown_with_all_of_them_as_parts() -> None:
    result = mount_on_columns("attack", table(), None, finding, above_baseline)
    assert (result.value, result.column) == (0.7, None)
    assert [part.column for part in result.parts] == ["illness", "income"]


def test_of_a_named_column_there_are_no_parts() -> None:
    result = mount_on_columns("attack", table(), "illness", finding, above_baseline)
    assert (result.value, result.column, result.parts) == (0.9, "illness", ())


def test_a_column_that_is_not_sensitive_is_refused() -> None:
    with pytest.raises(PolicyError, match="no sensitive column named 'age'"):
        mount_on_columns("attack", table(), "age", finding, above_baseline)


def test_without_a_record_nothing_is_attacked() -> None:
    assert mount_on_columns("attack", table(0), None, finding, above_baseline).note == "no published record"


def test_most_frequent_values_and_their_shares() -> None:
    data = table()
    column = data.columns["illness"]
    codes, share = most_frequent(data.classes, column)
    assert [column.texts[code] for code in codes.tolist()] == ["a", "b"]
    assert share.tolist() == [0.5, 1.0]
