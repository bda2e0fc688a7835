"""Coarser rows: every step covers the one before, and ends in `*`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.hierarchy.dates import Dates
from sharewell.roles import Role, Schema
from sharewell.tables.data import Table
from sharewell.tables.engine.coarser_rows import coarser_cell, coarser_rows, with_coarser_rows


def _table(columns: dict[str, list[str]], published: bool = True) -> Table:
    roles = {name: Role.SUBJECT if name == "id" else Role.QUASI for name in columns}
    frame = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    return Table.from_arrow(frame, Schema(roles), {}, published=published)


@pytest.mark.parametrize(
    ("cell", "steps"),
    [
        (
            "2020-02-29",
            ["[2020-02-01..2020-02-29]", "[2020-01-01..2020-03-31]", "[2020-01-01..2020-12-31]", "*"],
        ),
        ("[2020-01-15..2020-03-02]", ["[2020-01-01..2020-03-31]", "[2020-01-01..2020-12-31]", "*"]),
        ("[2019-12-15..2020-03-02]", ["*"]),
        ("{M,Z}", ["*"]),
        ("[20-25]", ["*"]),
    ],
)
def test_dates_become_months_quarters_and_years_and_all_else_anything(cell: str, steps: list[str]) -> None:
    found: list[str] = []
    at: str | None = cell
    while (at := coarser_cell(at, None)) is not None:
        found.append(at)
    assert found == steps


def test_a_hierarchy_says_what_is_coarser() -> None:
    assert coarser_cell("2020-02-29", Dates()) == "2020-02"
    assert coarser_cell("2015-2019", Dates()) == "2010-2019"


def test_rows_change_cell_by_cell_and_lose_more_at_every_step() -> None:
    table = _table({"id": list("abc"), "day": ["2020-02-29", "2020-02-01", "2021-01-01"], "type": ["M", "M", "Z"]})
    tree = coarser_rows(table)
    assert tree is not None
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            assert tree.loss[above] > tree.loss[node]
            assert sum(a != b for a, b in zip(tree.cells[node], tree.cells[above], strict=True)) == 1
    assert tree.parent[tree.node[0]] == tree.parent[tree.node[1]]  # the same month
    assert tree.cells[int(np.flatnonzero(tree.parent < 0)[0])] == ("*", "*")
    left = with_coarser_rows(table, np.array([tree.parent[tree.node[0]]] * 2 + [-1]))
    assert left.columns["day"].arrow.to_pylist() == ["[2020-02-01..2020-02-29]"] * 2 + ["2021-01-01"]
    assert left.columns["type"].arrow.to_pylist() == ["M", "M", "Z"]


def test_originals_are_not_coarsened() -> None:
    assert coarser_rows(_table({"id": ["a"], "type": ["M"]}, published=False)) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1, max_size=8))
def test_equal_rows_are_one_node_in_the_order_of_their_cells(rows: list[tuple[str, str]]) -> None:
    table = _table(
        {"id": [str(i) for i in range(len(rows))], "one": [a for a, _ in rows], "other": [b for _, b in rows]}
    )
    tree = coarser_rows(table)
    assert tree is not None
    assert [tree.cells[node] for node in tree.node.tolist()] == rows
    codes = np.stack([column.codes for column in table.quasi], axis=1)
    assert tree.node.tolist() == np.unique(codes, axis=0, return_inverse=True)[1].ravel().tolist()
