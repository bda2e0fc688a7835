"""What becomes of a column, from the dictionary and the published cells."""

from __future__ import annotations

import pytest

from sharewell.pipeline.column_fates import ColumnFate, example_of, fate_of, fate_of_listed, lost_columns, unpublished
from sharewell.protocols import ListedValues

QUASI = {"role": "quasi", "kind": "number", "style": "range"}


@pytest.mark.parametrize(
    ("facts", "cells", "fate", "exact"),
    [
        (QUASI, ["30", "[30-39]", "[30-39]", "[30-39]"], "ranges", 0.25),
        (QUASI, ["30", "31"], "exact", 1.0),
        (QUASI, ["*", "*", None], "nothing", 0.0),
        (QUASI, ["[30-39]"] * 3, "one value", 0.0),
        ({"role": "quasi", "style": "set"}, ["{a,b}", "c"], "sets", 0.5),
        ({"role": "quasi", "style": "node", "hierarchy": "date"}, ["2020-05", "2020-05-01"], "labels", 0.5),
        ({"role": "quasi", "style": "node", "hierarchy": "zip"}, ["021*", "022*"], "prefixes", 0.0),
        ({"role": "quasi", "style": "mean", "kind": "number"}, ["30.5", "31"], "means", 0.0),
        ({"role": "keep"}, ["x"], "exact", 1.0),
        ({"role": "sensitive", "falsified": True}, ["x"], "changed", None),
        ({"role": "shift"}, ["2020-01-01"], "shifted", None),
        ({"role": "text"}, [], "rewritten", None),
        ({"role": "subject"}, ["q1"], "pseudonyms", None),
    ],
)
def test_a_fate_in_a_word(facts: dict[str, str], cells: list[str | None], fate: str, exact: float | None) -> None:
    before = {"30", "31", "39", "a", "b", "c", "2020-05-01", "02139"}
    found = fate_of("x", facts, cells, before)
    assert (found.fate, found.exact) == (fate, exact)


def test_a_column_that_no_file_shows() -> None:
    assert unpublished("name", "drop", 5) == ColumnFate("name", "drop", "dropped", None, 5)
    assert unpublished("who", "subject", 5).fate == "not published"


def test_an_example_shows_the_form_and_no_value_of_the_data() -> None:
    """It depends on the dictionary alone, which holds no cell."""
    facts = [QUASI, {"role": "text"}, {"role": "shift"}, {"role": "quasi", "style": "node", "hierarchy": "icd10cm"}]
    assert [example_of(one) for one in facts] == [
        "[40-49]",
        "Seen by Dr. Lowe for a cough.",
        "2019-07-14",
        "E10-E14",
    ]
    assert example_of({"role": "keep"}) == ""


def test_a_column_is_lost_by_one_value_or_by_stars() -> None:
    before = {name: {"role": "quasi", "distinct": 5} for name in "abcd"} | {"e": {"role": "quasi", "distinct": 1}}
    after = {"a": {"distinct": 1}, "b": {"distinct": 2}, "c": {"distinct": 2}, "e": {"distinct": 1}}
    shown = {"b": ["*"] * 95 + ["x"] * 5, "c": ["*", "x"]}
    assert lost_columns(before, after, shown) == ["a", "b"]


@pytest.mark.parametrize(
    ("exact", "stars", "held", "fate", "share"),
    [
        (40, 0, 40, "exact", 1.0),
        (40, 0, 50, "exact", 0.8),
        (30, 0, 40, "labels", 0.75),
        (30, 0, 60, "labels", 0.5),
        (0, 36, 40, "nothing", 0.0),
    ],
)
def test_of_a_list_single_labels_count(exact: int, stars: int, held: int, fate: str, share: float) -> None:
    """Of a value that is left out no label is shown; it counts among what could have been exact."""
    facts = {"role": "quasi", "kind": "codes", "style": "labels", "hierarchy": "icd10cm"}
    reached = fate_of_listed(
        "dx", facts, ListedValues(before=9, after=7, labels=40, exact=exact, stars=stars, held=held)
    )
    assert (reached.fate, reached.exact, reached.distinct_before, reached.distinct_after) == (fate, share, 9, 7)
