"""A dictionary that describes a column in another way than its cells are written is wrong."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from sharewell.roles import Role, Schema
from sharewell.tables import Table
from sharewell.tables.engine.column_descriptions import PSEUDONYMS, misdescribed

RANGE, SET = ["[20-29]", "30", "*", "<suppressed>"], ["{a,b}", "a", "*", "<suppressed>"]
NODE, MEAN = ["021*", "E11", "*", ""], ["24.5", "30", "*", ""]


def described(cells: list[str], asked: str | None = None, **facts: Any) -> str:
    table = Table.from_arrow(pa.table({"c": cells}), Schema({"c": Role.QUASI}), {}, published=True)
    return misdescribed(table, "c", {"role": "quasi", **facts}, asked)


@pytest.mark.parametrize(
    ("cells", "asked", "facts"),
    [
        (RANGE, None, {"kind": "number", "style": "range"}),
        (["[2001-01-01..2001-02-01]", "2001-03-01", ""], None, {"kind": "date", "style": "range"}),
        (SET, None, {"kind": "text", "style": "set"}),
        (SET, "set", {"kind": "number", "style": "set"}),
        (NODE, None, {"kind": "text", "style": "node", "hierarchy": "icd10cm"}),
        (MEAN, "mean", {"kind": "number", "style": "mean"}),
        (SET, None, {"kind": "number", "style": "range", "falsified": "swapped"}),
        (SET, None, {"kind": "date", "style": "range", "safe_harbor": "date"}),
    ],
)
def test_a_column_is_what_it_is_said_to_be(cells: list[str], asked: str | None, facts: dict[str, Any]) -> None:
    assert described(cells, asked, **facts) == ""


@pytest.mark.parametrize(
    ("words", "cells", "asked", "facts"),
    [
        ("of which kind", RANGE, None, {"style": "range"}),
        ("in which style", RANGE, None, {"kind": "number", "style": "ranges"}),
        ("by themselves", RANGE, None, {"kind": "number", "style": "set"}),
        ("by themselves", RANGE, None, {"kind": "number", "style": "range", "hierarchy": "date"}),
        ("by themselves", NODE, None, {"kind": "text", "style": "node"}),
        ("not written in the style", SET, None, {"kind": "number", "style": "range"}),
        ("not written in the style", RANGE, None, {"kind": "text", "style": "set"}),
        ("numbers", ["[a..b]", "c"], None, {"kind": "number", "style": "range"}),
    ],
)
def test_a_column_is_not_what_it_is_said_to_be(
    words: str, cells: list[str], asked: str | None, facts: dict[str, Any]
) -> None:
    assert words in described(cells, asked, **facts)


def test_names_of_persons_are_pseudonyms_and_other_columns_are_as_they_are() -> None:
    table = Table.from_arrow(pa.table({"c": ["x"]}), Schema({"c": Role.QUASI}), {}, published=True)
    assert misdescribed(table, "p", {"role": "subject", "style": PSEUDONYMS}, None) == ""
    assert "pseudonyms" in misdescribed(table, "p", {"role": "subject", "style": "names"}, None)
    assert misdescribed(table, "k", {"role": "keep"}, None) == ""
