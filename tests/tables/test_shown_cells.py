"""Cells as numbers: equal cells have equal numbers, and each row has its person."""

from __future__ import annotations

import pyarrow as pa

from sharewell.roles import Role, Schema
from sharewell.tables.data import Table
from sharewell.tables.engine.shown_cells import ShownCells, person_facts

FRAME = pa.table(
    {
        "who": ["p", "p", None, "q"],
        "age": ["30", "31", "30", None],
        "illness": ["flu", "gout", "flu", "flu"],
        "plan": ["A", None, "A", "B"],
    }
)
ROLES = {"who": Role.SUBJECT, "age": Role.QUASI, "illness": Role.SENSITIVE, "plan": Role.KEEP}


def test_every_published_column_has_a_number_for_each_distinct_cell() -> None:
    cells = ShownCells(Table.from_arrow(FRAME, Schema(ROLES), {}, published=True))
    assert list(cells) == ["age", "illness", "plan"]
    assert len(cells) == 3
    for name in cells:
        values, numbers = FRAME[name].to_pylist(), cells[name].tolist()
        assert all(
            (a == b) == (x == y)
            for a, x in zip(values, numbers, strict=True)
            for b, y in zip(values, numbers, strict=True)
        )


def test_rows_have_the_person_whom_the_column_names() -> None:
    found = person_facts(Table.from_arrow(FRAME, Schema(ROLES), {}, published=True))
    assert found is not None
    assert list(found.persons) == ["p", "p", None, "q"]
    assert found.knowable == ("age",)
    assert set(found.sensitive) == {"illness"}


def test_without_a_column_of_persons_nothing_is_known_of_them() -> None:
    schema = Schema({**ROLES, "who": Role.DROP})
    assert person_facts(Table.from_arrow(FRAME, schema, {}, published=True)) is None
