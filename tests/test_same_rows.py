"""Copies are recognised by their rows, in whatever order, form or spelling; other rows are no copy."""

from __future__ import annotations

import datetime
import random
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.io.sources import Source
from sharewell.same_rows import columns_in_common

CELLS = st.lists(st.tuples(*[st.sampled_from(["a", "b", "7", None])] * 3), min_size=1, max_size=8)


def table(rows: list[tuple[object, ...]], names: str) -> Source:
    return Source.of(pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)}))


@given(CELLS, st.randoms(use_true_random=False), st.permutations("xyz"))
def test_a_copy_in_another_order_under_other_names_is_one(
    rows: list[tuple[object, ...]], chance: random.Random, names: list[str]
) -> None:
    """Each column is put beside one that is the same in every row."""
    shuffled = chance.sample(rows, len(rows))
    place = {name: i for i, name in enumerate(names)}
    order = chance.sample(range(3), 3)
    copy = table([tuple(row[i] for i in order) for row in shuffled], "".join(names))
    same = columns_in_common(table(rows, "abc"), copy)
    assert same is not None
    assert sorted(same) == ["x", "y", "z"]
    ours = ["abc".index(same[name]) for name in names]
    theirs = [order[place[name]] for name in names]
    found = [Counter(tuple(row[i] for i in places) for row in rows) for places in (ours, theirs)]
    assert found[0] == found[1]


@given(CELLS, CELLS)
def test_whole_tables_of_other_rows_are_no_copies(
    one: list[tuple[object, ...]], other: list[tuple[object, ...]]
) -> None:
    """Brute force: columns in common are the same rows as often, and all columns or half of the rows told apart."""
    same = columns_in_common(table(one, "abc"), table(other, "abc"))
    if Counter(one) == Counter(other):
        assert same is not None
    if same is not None:
        ours = Counter(tuple(row["abc".index(name)] for name in same.values()) for row in one)
        theirs = Counter(tuple(row["abc".index(name)] for name in same) for row in other)
        assert ours == theirs
        assert len(same) == 3 or 2 * len(ours) >= len(one)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["7", "8.50", "007"], [7.0, 8.5, 7.0]),
        (["2024-02-03", "2024-02-04"], [datetime.datetime(2024, 2, 3), datetime.datetime(2024, 2, 4)]),
        (["2024-02-03", ""], [datetime.date(2024, 2, 3), None]),
        (["TRUE", "false"], [True, False]),
        (["Flu ", "gout"], ["flu", "Gout"]),
    ],
    ids=["numbers", "midnights", "dates", "truth", "spelling"],
)
def test_cells_are_compared_by_meaning(ours: list[object], theirs: list[object]) -> None:
    first, second = (Source.of(pa.table({"value": column})) for column in (ours, theirs))
    assert columns_in_common(first, second) == {"value": "value"}


def test_a_column_in_other_rows_is_not_in_common() -> None:
    """One column of the copy was shuffled: it has the same values, and is another column."""
    persons = [f"p{i}" for i in range(20)]
    first = Source.of(pa.table({"person": persons, "sex": ["F"] * 10 + ["M"] * 10}))
    second = Source.of(pa.table({"person": persons, "sex": ["F", "M"] * 10}))
    assert columns_in_common(first, second) == {"person": "person"}


def test_few_values_in_common_are_chance() -> None:
    """Two groups of twenty, each of ten women and ten men, are not the same people for that."""
    sex = ["F"] * 10 + ["M"] * 10
    first = Source.of(pa.table({"sex": sex, "age": [*range(20)]}))
    second = Source.of(pa.table({"sex": sex, "age": [*range(1, 21)]}))
    assert columns_in_common(first, second) is None
