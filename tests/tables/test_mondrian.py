"""Mondrian, judged from its published cells by code that shares nothing with it."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cells import Any as AnyCell
from sharewell.cells import Exact, Interval, Node, Prefix, Set, parse
from sharewell.errors import Infeasible, PolicyError
from sharewell.hierarchy import Dates, Ordered, Prefixes
from sharewell.tables import NCP, Discernibility, KAnonymity, LDiversity, Mondrian, Table
from sharewell.testing import check_mechanism

TREES = {"zip": Prefixes(), "born": Dates(), "ward": Ordered(["east", "north", "south", "west"])}


def people(seed: int, rows: int, persons: int) -> pa.Table:
    """A messy little table: numbers, dates, prefixes, categories, missing cells, several records a person."""
    draw = np.random.default_rng(seed)
    pick = lambda values: [None if draw.random() < 0.05 else values[draw.integers(len(values))] for _ in range(rows)]  # noqa: E731
    return pa.table(
        {
            "who": [f"person-{draw.integers(max(1, persons))}" for _ in range(rows)],
            "age": pick([str(a) for a in range(20, 60)]),
            "sex": pick(["female", "male"]),
            "zip": pick(["02139", "02138", "02115", "94110", "94117", "021"]),
            "born": pick(["1980-01-31", "1980-02-01", "1981-12-24", "1900-01-01", "2100-12-31"]),
            "ward": pick(["east", "north", "south", "west"]),
            "illness": pick(["influenza", "asthma", "diabetes", "*", "[1-2]"]),
        }
    )


def opened(frame: pa.Table) -> Table:
    return Table.of(
        frame, quasi=["age", "sex", "zip", "born", "ward"], sensitive=["illness"], subject="who", hierarchies=TREES
    )


def covers(name: str, text: str | None, value: str | None) -> bool:
    """Does a published cell cover an original value? Written from the definition of cells alone."""
    cell = parse(text or "", nodes=name in TREES)
    value = value or ""
    match cell:
        case AnyCell():
            return True
        case Exact(exact):
            return exact == value
        case Set(members):
            return value in members
        case Prefix(start):
            return value.startswith(start) and value != start
        case Interval(low, high):
            return value != "" and float(low) <= float(value) <= float(high)
        case Node(label):
            return value != "" and label in TREES[name].chain(value)
    return False


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 90),
    persons=st.integers(1, 60),
    k=st.integers(1, 12),
    diverse=st.integers(1, 3),
    split=st.sampled_from(["gain", "width"]),
    suppress=st.sampled_from([0.0, 0.1]),
)
def test_what_it_publishes_satisfies_everything_asked_for(
    seed: int, rows: int, persons: int, k: int, diverse: int, split: Any, suppress: float
) -> None:
    """Grouped by hand: k persons and l values in every class, every cell covers its original, the limit is kept."""
    frame = people(seed, rows, persons)
    try:
        released = Mondrian(split, suppress).protect(opened(frame), [KAnonymity(k), LDiversity(diverse)])
    except Infeasible:
        whole = {v for v in frame["illness"].to_pylist() if v is not None}
        assert len(set(frame["who"].to_pylist())) < k or len(whole) < diverse
        return
    published, originals = released.data.arrow.to_pylist(), frame.to_pylist()
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for row, source in enumerate(released.rows.tolist()):
        for name in ("age", "sex", "zip", "born", "ward"):
            assert covers(name, published[row][name], originals[source][name]), (name, published[row][name])
        assert published[row]["illness"] == originals[source]["illness"]
        groups[tuple(published[row][n] for n in ("age", "sex", "zip", "born", "ward"))].append(source)
    for members in groups.values():
        assert len({originals[i]["who"] for i in members}) >= k
        assert len({originals[i]["illness"] for i in members} - {None}) >= diverse
    gone = set(range(rows)) - set(released.rows.tolist())
    touched = {originals[i]["who"] for i in gone}
    assert len(touched) <= suppress * len({row["who"] for row in originals})
    assert released.details.suppressed_persons == len(touched)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 60), k=st.integers(1, 6), suppress=st.sampled_from([0.0, 0.2]))
def test_it_keeps_the_contract(seed: int, rows: int, k: int, suppress: float) -> None:
    check_mechanism(Mondrian(suppress=suppress), opened, people(seed, rows, rows), [KAnonymity(k)])


SLIDE = {"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]}


@pytest.mark.parametrize(("split", "total"), [("width", Fraction(16, 3)), ("gain", Fraction(20, 9))])
def test_the_textbooks_six_people(split: Any, total: Fraction) -> None:
    """Age first gives 16/3, and the gain cut finds the optimum over all 41 partitions, 20/9."""
    table = Table.of(pa.table(SLIDE), quasi=["age", "sex"])
    released = Mondrian(split).protect(table, [KAnonymity(2)]).data
    value = NCP().score(table, released).value
    assert value is not None
    assert abs(float(value) - float(total / 12)) < 1e-12


def test_a_whole_table_that_fails_is_infeasible_and_says_why() -> None:
    table = Table.of(pa.table(SLIDE), quasi=["age", "sex"])
    with pytest.raises(Infeasible) as caught:
        Mondrian().protect(table, [KAnonymity(7)])
    assert caught.value.blocking == ("k-anonymity ≥ 7: all rows as one class reach 6",)
    assert caught.value.relaxations == ("k-anonymity with bound 6",)


def test_an_empty_table_is_infeasible() -> None:
    table = Table.of(pa.table({"age": pa.array([], pa.string())}), quasi=["age"])
    with pytest.raises(Infeasible, match="no rows"):
        Mondrian().protect(table, [KAnonymity(2)])


def test_a_published_table_is_not_protected_again() -> None:
    table = Table.of(pa.table(SLIDE), quasi=["age", "sex"])
    with pytest.raises(PolicyError, match="published already"):
        Mondrian().protect(Mondrian().protect(table, [KAnonymity(2)]).data, [KAnonymity(2)])


def test_without_quasi_columns_all_rows_are_one_class() -> None:
    table = Table.of(pa.table({"x": ["a", "b"]}), quasi=[], keep=["x"])
    assert Mondrian().protect(table, [KAnonymity(2)]).details.classes == 1


def test_withholding_outliers_keeps_detail_for_the_others() -> None:
    """One person of 99 among people of 20 to 29: giving up one record keeps the ranges narrow."""
    ages = [20 + i % 10 for i in range(40)] + [99]
    table = Table.of(pa.table({"age": ages}), quasi=["age"])
    strict, trimmed = (Mondrian(suppress=s).protect(table, [KAnonymity(5)]) for s in (0.0, 0.05))
    assert (trimmed.details.suppressed_records, strict.details.suppressed_records) == (1, 0)
    before, after = (NCP().score(table, m.data).value for m in (strict, trimmed))
    assert before is not None
    assert after is not None
    assert after < before


def test_discernibility_counts_withheld_records() -> None:
    before = Table.of(pa.table({"age": list("abcdefghi")}), quasi=["age"])
    after = Table.of(pa.table({"age": list("aabbcc")}), quasi=["age"])
    assert Discernibility().score(before, after).value == 39
