"""Table error: hiding, rounding and noise cost something on one scale, against plain sums."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.reports.counts.data import HIDDEN, CountTable
from sharewell.reports.counts.utility.suppressed_share import SuppressedShare
from sharewell.reports.counts.utility.table_error import TableError
from sharewell.testing import check_finding

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = [(sex, ill) for sex in "mf" for ill in ("flu", "gout")]


@given(
    st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any),
    st.lists(st.none() | st.integers(0, 60), min_size=9, max_size=9),
)
def test_it_is_the_sum_of_all_errors(values: list[int], shown: list[int | None]) -> None:
    table = CountTable.of_cells(dict(zip(NAMES, values, strict=True)), ["sex", "ill"])
    after = table.showing(np.array([HIDDEN if one is None else one for one in shown]))
    assert table.truth is not None
    true = table.truth.values.tolist()
    wrong = sum(abs((one or 0) - value) for one, value in zip(shown, true, strict=True))
    found = TableError().score(table, after)
    assert found.value == pytest.approx(float(Fraction(wrong, sum(true))))
    check_finding(found, pa.table({"ill": ["flu", "gout"]}))


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any), st.sets(st.integers(0, 8)))
def test_what_is_hidden_costs_what_the_suppressed_share_says(values: list[int], hidden: set[int]) -> None:
    table = CountTable.of_cells(dict(zip(NAMES, values, strict=True)), ["sex", "ill"])
    shown = [HIDDEN if place in hidden else value for place, value in enumerate(table.shown)]
    after = table.showing(np.array(shown))
    assert TableError().score(table, after).value == pytest.approx(SuppressedShare().score(table, after).value)


def test_categories_are_matched_by_name_and_decimals_may_differ() -> None:
    """A noisy table declares its categories: one that nobody has holds only noise, one that it lacks is lost."""
    options: dict[str, Any] = {"value": "cost"}
    table = CountTable.of_cells({("a",): 150, ("b",): 250, ("c",): 100}, ["ward"], decimals=1, **options)  # 15, 25, 10
    after = CountTable.of_cells({("a",): 16, ("b",): 22, ("d",): 2}, ["ward"], decimals=0, **options)
    lost, off = 10, (50 - 40) + 1 + 3 + 2
    assert TableError().score(table, after).value == pytest.approx((lost + off) / 100)


def test_tables_of_other_columns_have_no_distance() -> None:
    table, other = (CountTable.of_cells({("a",): 3}, [name]) for name in ("ward", "sex"))
    assert TableError().score(table, other).value is None
    assert TableError().score(other.showing(np.array([0, 0])), CountTable.of_cells({("a",): 0}, ["sex"])).value == 1
    empty = CountTable.of_cells({("a",): 0}, ["sex"])
    assert TableError().score(empty, empty).value is None


def test_rounding_is_not_free_on_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    """Where only hidden cells counted, every rounded table seemed to lose nothing, and dominated all others."""
    given = ["compare", str(EXAMPLES / "reports-table" / "policy.yaml"), "--json"]
    assert main(given) == 0
    found = json.loads(capsys.readouterr().out)["patients-by-ward"]
    rounded = [one["loss"] for one in found["points"] if "rounding" in one["mechanism"] and not one["why_not"]]
    assert rounded
    assert min(rounded) > 0


def test_a_noisy_table_has_a_loss_and_withholds_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It declares its categories, more than the data has: the share withheld was below 0, and no loss was measured."""
    monkeypatch.setenv("SHAREWELL_KEY", "a secret of the tests, long enough")
    assert main(["compare", str(EXAMPLES / "reports-noisy" / "policy.yaml"), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["costs"]["points"]
    assert all(one["loss"] > 0 for one in points)
    assert all(one["withheld"] == 0 for one in points)
