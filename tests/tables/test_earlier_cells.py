"""Earlier cells: what an earlier release shows is all that the later one shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible
from sharewell.tables import EarlierCells, KAnonymity, LDiversity, Mondrian, Table
from sharewell.tables.criteria.composition import LinkedTable, PeopleEvidence, judge_composition

ILLNESSES = ("flu", "gout", "asthma")
rows = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(20, 40)), st.sampled_from(["F", "M", None]), st.sampled_from(ILLNESSES)),
    min_size=4,
    max_size=14,
)


def people(drawn: list[Any], first: int = 0) -> Table:
    names = [f"p{first + i}" for i in range(len(drawn))]
    columns = {
        "who": pa.array(names, pa.string()),
        "age": pa.array([row[0] for row in drawn], pa.int64()),
        "sex": pa.array([row[1] for row in drawn], pa.string()),
        "illness": pa.array([row[2] for row in drawn], pa.string()),
    }
    return Table.of(pa.table(columns), quasi=["age", "sex"], sensitive=["illness"], subject="who")


def linked(title: str, table: Table) -> LinkedTable:
    assert table.subject is not None
    persons = table.subject.arrow
    persons = persons.combine_chunks() if isinstance(persons, pa.ChunkedArray) else persons
    return LinkedTable(title, table, PeopleEvidence("who", "", persons, np.arange(table.rows)))


def cells(table: Table) -> set[tuple[Any, ...]]:
    return set(zip(*(column.arrow.to_pylist() for column in table.quasi), strict=True))


@settings(max_examples=150, deadline=None)
@given(drawn=rows, joined=rows, k=st.integers(1, 3), l=st.integers(1, 2))
def test_every_class_is_an_earlier_one_and_every_criterion_holds(
    drawn: list[Any],
    joined: list[Any],
    k: int,
    l: int,  # noqa: E741
) -> None:
    must: list[Any] = [KAnonymity(k), LDiversity(l)]
    try:
        before = Mondrian().protect(people(drawn), must).data
    except Infeasible:
        return
    today = people([*drawn, *joined])
    try:
        later = EarlierCells(before.arrow, suppress=0.99).protect(today, must)
    except Infeasible:
        return
    assert cells(later.data) <= cells(before)
    assert all(one.check(later.data).ok for one in must)
    assert later.details.returning + later.details.newcomers == later.data.rows
    assert later.data.rows + later.details.waiting + later.details.not_covered == today.rows
    kept = {f"p{i}" for i in later.rows.tolist()}
    assert kept == set(later.data.subject.arrow.to_pylist())


@settings(max_examples=100, deadline=None)
@given(drawn=rows, k=st.integers(2, 3), order=st.randoms())
def test_the_same_people_once_more_are_safe_together(drawn: list[Any], k: int, order: Any) -> None:
    """Where every record is covered by one class, they come back to their own."""
    must = [KAnonymity(k)]
    try:
        before = Mondrian().protect(people(drawn), must).data
    except Infeasible:
        return
    today = people(drawn)
    shuffled = list(range(today.rows))
    order.shuffle(shuffled)
    later = EarlierCells(before.arrow).protect(today.take(np.array(shuffled)), must).data
    assert later.rows == before.rows
    found = judge_composition([linked("a", before), linked("b", later)], {"a": must, "b": must})
    assert found.ok or found.value, "never undecided"
    if len(cells(before)) == 1:
        assert found.ok


def test_the_result_does_not_depend_on_the_order_of_rows() -> None:
    before = pa.table({"age": ["[20-30]"] * 2 + ["[25-40]"] * 2, "sex": ["*"] * 4, "illness": ["flu", "gout"] * 2})
    drawn = [(27, "F", "flu"), (28, "M", "gout"), (29, "F", "flu"), (30, "M", "gout")]
    one = EarlierCells(before).protect(people(drawn), [KAnonymity(2)]).data
    two = EarlierCells(before).protect(people(drawn).take(np.array([3, 1, 0, 2])), [KAnonymity(2)]).data
    assert sorted(one.arrow.to_pylist(), key=str) == sorted(two.arrow.to_pylist(), key=str)


def test_nobody_covered_or_too_many_withheld_is_infeasible() -> None:
    before = pa.table({"age": ["[70-80]"] * 3, "sex": ["*"] * 3})
    with pytest.raises(Infeasible, match="every record would be withheld"):
        EarlierCells(before).protect(people([(20, "F", "flu")] * 4), [KAnonymity(2)])
    before = pa.table({"age": ["[20-30]"] * 3, "sex": ["*"] * 3})
    with pytest.raises(Infeasible, match=r"1 of 4 persons would lose records, and at most 0 may"):
        EarlierCells(before).protect(people([(20, "F", "flu")] * 3 + [(50, "F", "flu")]), [KAnonymity(2)])


def test_a_file_without_a_quasi_column_is_refused() -> None:
    with pytest.raises(DataError, match="lacks the column"):
        EarlierCells(pa.table({"age": ["[20-30]"]})).protect(people([(20, "F", "flu")] * 3), [KAnonymity(2)])
