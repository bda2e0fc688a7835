"""Utility measure: the groups of the literature, and every class counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.roles import Schema
from sharewell.tables import LM, UM, KAnonymity, Mondrian, Table
from sharewell.testing import check_measure

AGES, PLACES = [20, 30, 30, 40, 50, 60, 60, 75, 90], [0, 10, 26, 75, 0, 45, 50, 80, 95]
NINE = Table.of(pa.table({"age": AGES, "place": PLACES}), quasi=["age", "place"])
SHOWN = {
    "age": [*["[20-30]"] * 2, *["[30-40]"] * 2, *["[50-60]"] * 2, *["[60-90]"] * 3],
    "place": [*["[0-10]"] * 2, *["[26-75]"] * 2, *["[0-45]"] * 2, *["[50-95]"] * 3],
}


def shown(before: Table, cells: dict[str, list[str]]) -> Table:
    roles = {name: before.schema.roles[name] for name in cells}
    return Table.from_arrow(pa.table(cells), Schema(roles), {}, published=True)


def test_every_group_counts_the_same() -> None:
    found = UM().score(NINE, shown(NINE, SHOWN))
    assert found.value == (Fraction(60, 70) + Fraction(10 + 49 + 45 + 45, 95)) / 8 == Fraction(1613, 5320)
    assert [part.value for part in found.parts] == [Fraction(60, 280), Fraction(149, 380)]
    assert (found.details.classes, found.details.withheld_records) == (4, 0)


@pytest.mark.parametrize("kept", ["dropped", "marked"])
def test_withheld_records_are_one_group_that_loses_all(kept: str) -> None:
    six = {name: cells[:6] + (["<suppressed>"] * 3 if kept == "marked" else []) for name, cells in SHOWN.items()}
    found = UM().score(NINE, shown(NINE, six))
    assert found.value == (Fraction(30, 70) + Fraction(104, 95) + 2) / 8
    assert (found.details.classes, found.details.withheld_records) == (3, 3)


def test_it_has_no_score_without_cells() -> None:
    nothing = NINE.take(NINE.classes.order[:0])
    assert UM().score(nothing, nothing).value is None
    means = Table.of(
        pa.table({"age": ["25"] * 9, "place": ["40"] * 9}),
        quasi=["age", "place"],
        styles={"age": "mean"},
        published=True,
    )
    assert UM().score(NINE, means).value is None


def test_it_keeps_the_contract() -> None:
    frame = pa.table({"age": [30, 41, 41, 52], "sex": ["f", "m", "m", "f"], "who": ["ann", "bob", "bob", "eve"]})

    def open_(one: pa.Table) -> Table:
        return Table.of(one, quasi=["age", "sex"], subject="who")

    check_measure(UM(), open_, frame, Mondrian().protect(open_(frame), [KAnonymity(2)]).data)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_it_is_the_mean_over_classes(data: st.DataObject) -> None:
    """Several records a person, missing values, cells of every style; the loss of a class by counting whole numbers."""
    rows = data.draw(st.integers(1, 12))
    ages = data.draw(st.lists(st.none() | st.integers(0, 9), min_size=rows, max_size=rows))
    who = data.draw(st.lists(st.sampled_from("abcde"), min_size=rows, max_size=rows))
    before = Table.of(pa.table({"age": pa.array(ages, pa.int64()), "who": who}), quasi=["age"], subject="who")
    cells = data.draw(
        st.lists(st.sampled_from(["*", "[0-9]", "[1-4]", "3", "{1,7}", "<suppressed>"]), min_size=0, max_size=rows)
    )
    after = Table.of(pa.table({"age": pa.array(cells, pa.string())}), quasi=["age"], published=True)
    known = [age for age in ages if age is not None]
    domain = (max(known) - min(known) + 1 if known else 0) + (None in ages)
    open_values = {"*": domain, "[0-9]": 10, "[1-4]": 4, "3": 1, "{1,7}": 2}
    withheld = rows - sum(cell != "<suppressed>" for cell in cells)
    losses = [
        Fraction(min(open_values[cell], domain) - 1, max(1, domain - 1)) for cell in set(cells) - {"<suppressed>"}
    ]
    losses += [Fraction(1)] * (withheld > 0)
    found = UM().score(before, after)
    if known:  # without any number the column is no line
        assert found.value == sum(losses, Fraction(0)) / len(losses)
    assert 0 <= (-1 if found.value is None else found.value) <= 1


def test_equal_classes_weigh_as_in_lm() -> None:
    before = Table.of(pa.table({"age": list(range(8))}), quasi=["age"])
    after = Mondrian().protect(before, [KAnonymity(2)]).data
    assert UM().score(before, after).value == LM().score(before, after).value
