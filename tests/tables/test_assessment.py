"""Risk by column against brute force, and the assessment of a table as it stands."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, PolicyError
from sharewell.tables import Table, assess, assess_file, risk_by_column
from sharewell.tables.engine import column_risk

NAMES = ("age", "sex", "ward")
rows_of = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("FM"), st.sampled_from("xyz"), st.integers(0, 6)),
    min_size=1,
    max_size=20,
)


def table_of(rows: list[Any], subject: bool) -> Table:
    columns = zip(*rows, strict=True)
    frame = pa.table(dict(zip((*NAMES, "who"), ([str(v) for v in column] for column in columns), strict=True)))
    return Table.of(frame, quasi=NAMES, subject="who" if subject else None, rest="drop")


def by_hand(rows: list[Any], chosen: tuple[int, ...], subject: bool) -> tuple[Fraction, Fraction]:
    """(classes divided by persons in each, share of different persons who are alone in some class)."""
    classes: dict[Any, set[Any]] = defaultdict(set)
    for number, row in enumerate(rows):
        classes[tuple(row[j] for j in chosen)].add(row[3] if subject else number)
    persons = sum(map(len, classes.values()))
    alone = {one for held in classes.values() if len(held) == 1 for one in held}
    return Fraction(len(classes), persons), Fraction(len(alone), len(set().union(*classes.values())))


@settings(max_examples=80, deadline=None)
@given(rows=rows_of, subject=st.booleans())
def test_contributions_are_averages_over_all_orders(rows: list[Any], subject: bool) -> None:
    subject = subject and len({row[3] for row in rows}) < len(rows)
    found = risk_by_column(table_of(rows, subject))
    whole, unique = by_hand(rows, (0, 1, 2), subject)
    assert (found.risk, found.unique) == (pytest.approx(float(whole)), pytest.approx(float(unique)))
    told = {one.column: one for one in found.columns}
    for j, name in enumerate(NAMES):
        added = []
        for order in permutations(range(3)):
            before = tuple(sorted(order[: order.index(j)]))
            after = tuple(sorted((*before, j)))
            added.append(by_hand(rows, after, subject)[0] - by_hand(rows, before, subject)[0])
        assert told[name].contribution == pytest.approx(float(sum(added) / 6), abs=1e-9)
        rest = tuple(i for i in range(3) if i != j)
        assert told[name].without == pytest.approx(float(by_hand(rows, rest, subject)[0]))
        assert told[name].unique_without == pytest.approx(float(by_hand(rows, rest, subject)[1]))
        assert told[name].alone == pytest.approx(float(by_hand(rows, (j,), subject)[1]))
        assert told[name].distinct == len({row[j] for row in rows})
    empty = by_hand(rows, (), subject)[0]
    assert sum(one.contribution for one in found.columns) == pytest.approx(float(whole - empty), abs=1e-9)
    assert found.exact
    assert [one.contribution for one in found.columns] == sorted((c.contribution for c in found.columns), reverse=True)


@settings(max_examples=40, deadline=None)
@given(rows=rows_of)
def test_distinction_and_separation_by_hand(rows: list[Any]) -> None:
    found = {one.columns: one for one in risk_by_column(table_of(rows, False)).sets}
    assert len(found) == 7
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            values = [tuple(row[j] for j in chosen) for row in rows]
            pairs = list(combinations(values, 2))
            one = found[tuple(NAMES[j] for j in chosen)]
            assert one.distinction == pytest.approx(len(set(values)) / len(values))
            assert one.separation == pytest.approx(sum(a != b for a, b in pairs) / len(pairs) if pairs else 0.0)


@pytest.mark.parametrize("subject", [False, True])
def test_paths_of_counting_agree(monkeypatch: pytest.MonkeyPatch, subject: bool) -> None:
    """Weights or rows, dense keys or sorted ones, renumbered or not: the same counts."""
    draw = np.random.default_rng(1)
    rows = [tuple(draw.integers([300, 200, 150, 90])) for _ in range(2_000)]
    frame = pa.table({name: [str(row[j]) for row in rows] for j, name in enumerate((*NAMES, "who"))})
    frame = pa.concat_tables([frame] * 3)
    table = Table.of(frame, quasi=NAMES, subject="who" if subject else None, rest="drop")
    plain = risk_by_column(table)
    original = column_risk._ColumnSets.of

    def unrolled(one: Table) -> Any:
        sets = original(one)
        if sets.weights is not None:
            weights = sets.weights.astype(int)
            sets.codes, sets.weights = [np.repeat(codes, weights) for codes in sets.codes], None
        return sets

    monkeypatch.setattr(column_risk._ColumnSets, "of", unrolled)
    assert risk_by_column(table) == plain
    monkeypatch.setattr(column_risk._ColumnSets, "_bits", property(lambda self: 13 if subject else 0))
    assert risk_by_column(table) == plain


def test_wide_keys_are_renumbered() -> None:
    """Seven columns of a thousand values each do not fit into one integer."""
    draw = np.random.default_rng(2)
    frame = pa.table({f"c{j}": [str(v) for v in draw.permutation(1_000)] for j in range(7)})
    found = risk_by_column(Table.of(frame, quasi=frame.column_names))
    assert (found.risk, found.unique) == (1.0, 1.0)
    assert {one.alone for one in found.columns} == {1.0}
    assert found.columns[0].contribution == pytest.approx((1 - 1 / 1_000) / 7)


def test_many_columns_are_sampled_and_that_is_said() -> None:
    draw = np.random.default_rng(3)
    frame = pa.table({f"c{j:02}": [str(v) for v in draw.integers(2 + j // 4, size=300)] for j in range(14)})
    table = Table.of(frame, quasi=frame.column_names)
    found = risk_by_column(table)
    assert (found.exact, found.orders) == (False, 400)
    assert sum(one.contribution for one in found.columns) == pytest.approx(found.risk - 1 / 300)
    assert all(0 < one.error < 0.05 for one in found.columns)
    fewer = Table.of(frame, quasi=frame.column_names[:9], rest="drop")
    exact = {one.column: one for one in risk_by_column(fewer).columns}
    sampled, errors, _ = column_risk._sampled(column_risk._ColumnSets.of(fewer))
    for name, value, error in zip(fewer.schema.quasi, sampled, errors, strict=True):
        assert abs(exact[name].contribution - value) <= 5 * error


def test_nothing_to_look_at() -> None:
    nobody = Table.of(pa.table({"age": pa.array([], pa.string())}), quasi=["age"])
    assert risk_by_column(nobody).risk == 0.0
    found = assess(nobody)
    assert (found.smallest, found.anonymous, found.persons) == (None, False, 0)
    no_quasi = Table.of(pa.table({"x": ["a", "b"]}), quasi=[], keep=["x"])
    assert risk_by_column(no_quasi).columns == ()
    assert assess(no_quasi, k=2).anonymous
    with pytest.raises(PolicyError):
        assess(no_quasi, k=0)


@settings(max_examples=40, deadline=None)
@given(rows=rows_of, k=st.integers(1, 5))
def test_the_assessment_by_hand(rows: list[Any], k: int) -> None:
    found = assess(table_of(rows, False), k=k, population=pa.table({"age": ["0", "1", "1"]}))
    sizes = [sum(row[:3] == other[:3] for other in rows) for row in rows]
    assert found.smallest == min(sizes)
    assert found.anonymous == (min(sizes) >= k)
    assert (found.unique, found.below) == (sizes.count(1), sum(size < k for size in sizes))
    assert found.prosecutor.value == 1 / min(sizes)
    assert found.marketer == pytest.approx(sum(1 / size for size in sizes) / len(rows))
    assert found.journalist.value == max(({0: 1.0, 1: 0.5}[row[0]] for row in rows if row[0] in (0, 1)), default=None)
    assert all(verdict.ok == (min(sizes) >= verdict.k) for verdict in found.verdicts)
    json.dumps(found.to_json(), allow_nan=False)


def test_persons_count_and_not_their_records() -> None:
    frame = pa.table({"who": ["a"] * 11 + ["b"], "age": ["1"] * 12, "ill": ["flu"] * 12})
    known = assess(Table.of(frame, quasi=["age"], sensitive=["ill"], subject="who"))
    blind = assess(Table.of(frame.drop_columns(["who"]), quasi=["age"], sensitive=["ill"]))
    assert (known.smallest, known.unit, blind.smallest, blind.unit) == (2, "persons", 12, "records")
    assert known.inference[0].details.certain == 1.0


@settings(max_examples=40, deadline=None)
@given(rows=rows_of, k=st.integers(1, 5))
def test_a_person_of_several_classes_is_one_person(rows: list[Any], k: int) -> None:
    """Never more persons at risk than there are: each counts once, in however many classes."""
    found = assess(table_of(rows, True), k=k)
    whose: dict[Any, set[Any]] = defaultdict(set)
    for row in rows:
        whose[row[:3]].add(row[3])
    assert found.persons == found.columns.persons == len({row[3] for row in rows})
    assert found.unique == len(set().union(*(held for held in whose.values() if len(held) == 1)))
    assert found.below == len(set().union(*(held for held in whose.values() if len(held) < k)))
    assert found.columns.unique == pytest.approx(found.unique / found.persons)


def test_one_of_eight_people_who_moved_is_not_a_ninth() -> None:
    """Everybody is alone by age and postcode; one of them has visits from two addresses."""
    frame = pa.table({"who": [*"aabcdefgh"], "age": [*"112345678"], "zip": ["x", "y", *"xxxxxxx"]})
    found = assess(Table.of(frame, quasi=["age", "zip"], subject="who"))
    assert (found.persons, found.unique, found.below, found.classes) == (8, 8, 8, 9)
    assert (found.columns.persons, found.columns.unique) == (8, 1.0)


def test_withheld_rows_of_a_release_count_nowhere(tmp_path: Path) -> None:
    frame = pa.table({"age": ["[20-29]"] * 3 + ["<suppressed>"], "ill": ["flu", "gout", "flu", None]})
    pa.csv.write_csv(frame, tmp_path / "r.csv")
    found = assess_file(tmp_path / "r.csv", quasi=["age"], sensitive=["ill"], published=True, k=3)
    assert (found.withheld, found.persons, found.smallest, found.anonymous) == (1, 3, 3, True)


def test_columns_that_are_not_there_are_told(tmp_path: Path) -> None:
    pa.csv.write_csv(pa.table({"age": ["1"], "sex": ["F"]}), tmp_path / "d.csv")
    with pytest.raises(DataError, match="no column 'aeg'"):
        assess_file(tmp_path / "d.csv", quasi=["aeg"])
    with pytest.raises(PolicyError, match="named twice"):
        assess_file(tmp_path / "d.csv", quasi=["age"], sensitive=["age"])
    with pytest.raises(DataError, match="no column 'who'"):
        assess_file(tmp_path / "d.csv", subject="who")


def test_printed_it_says_what_one_asks_first() -> None:
    frame = pa.table({"age": [30, 30, 30, 41], "sex": ["m", "m", "m", "f"]})
    told = str(assess(Table.of(frame, quasi=["age", "sex"]), k=3))
    assert told == (
        "By age, sex: 4 records in 2 classes, of which the smallest has 1. Alone in a class: 1; with fewer than 2"
        " others: 1. Chance to pick the right record: 100 % at most, 50 % on average."
    )
    assert str(assess(Table.of(frame.slice(0, 0), quasi=["age", "sex"]))) == "no records to look at"
