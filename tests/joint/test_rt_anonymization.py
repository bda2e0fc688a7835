"""People with their codes: the criterion against its definition, and all six ways of merging."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import plain_joint as plain
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.codes import CodeSets, KmAnonymity
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.findings import json_details
from sharewell.hierarchy import ICD9CM, Tree
from sharewell.joint import CodesNCP, KKmAnonymity, RelationalNCP, RTAnonymization, RTData
from sharewell.tables import KAnonymity, Table
from sharewell.testing import check_criterion, check_finding, check_mechanism

CODES = list("abcdefgh")
TREE = Tree([[code, f"{'xy'[i % 2]}{'VW'[i // 4]}", "VW"[i // 4]] for i, code in enumerate(CODES)])
ZIPS = Tree([[f"zip{i}", f"area{i // 2}", "*"] for i in range(6)])
METHODS = list(itertools.product("RT", ["R", "T", "RT"]))

person = st.tuples(
    st.integers(20, 26),
    st.sampled_from(["F", "M", None]),
    st.integers(0, 5),
    st.sets(st.sampled_from([*CODES, "V", "q"]), max_size=5),
)
people = st.lists(person, min_size=1, max_size=14)


def opened(rows: list[Any], tree: Any = TREE) -> RTData:
    ages, sexes, zips, codes = zip(*rows, strict=True) if rows else ((), (), (), ())
    frame = pa.table(
        {
            "age": pa.array(ages, pa.int64()),
            "sex": pa.array(sexes, pa.string()),
            "zip": pa.array([f"zip{i}" for i in zips], pa.string()),
        }
    )
    table = Table.of(frame, quasi=["age", "sex", "zip"], hierarchies={"zip": ZIPS})
    return RTData.of(table, CodeSets.of([sorted(one) for one in codes], hierarchy=tree))


def labels_of(codes: CodeSets) -> list[list[frozenset[str]]]:
    return [[frozenset(codes.members[i]) for i in codes.sets.row(row)] for row in range(codes.records)]


def shown(data: RTData) -> list[plain.Record]:
    table = data.table.arrow
    cells = list(zip(*(map(str, table[name].to_pylist()) for name in data.table.schema.quasi), strict=True))
    return list(zip(cells, labels_of(data.codes), strict=True))


@given(people, st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_the_criterion_is_its_definition_on_originals(rows: Any, k: int, m: int) -> None:
    data = opened(rows)
    assert KKmAnonymity(k, m).check(data).value == plain.least(shown(data), m)


label = st.sets(st.sampled_from("abcd"), min_size=1, max_size=3).map(lambda codes: "(" + ",".join(sorted(codes)) + ")")
cell = st.sampled_from(["[20-25]", "[20-29]", "30"])


@given(st.lists(st.tuples(cell, st.lists(label, max_size=3)), min_size=1, max_size=12), st.integers(1, 3))
@settings(max_examples=120, deadline=None)
def test_the_criterion_is_its_definition_on_labels_that_overlap(rows: Any, m: int) -> None:
    cells, codes = zip(*rows, strict=True)
    table = Table.of(pa.table({"age": list(cells)}), quasi=["age"], published=True)
    data = RTData.of(table, CodeSets.of([list(map(_bare, one)) for one in codes], published=True))
    assert KKmAnonymity(1, m).check(data).value == plain.least(shown(data), m)


def _bare(label: str) -> str:
    return label if "," in label else label[1:-1]


@pytest.mark.parametrize(("driver", "merge"), METHODS)
@given(
    rows=people, k=st.integers(1, 4), m=st.integers(1, 3), bound=st.sampled_from([0.2, 0.5, 1.0]), flat=st.booleans()
)
@settings(max_examples=25, deadline=None)
def test_every_way_of_merging_keeps_what_it_promises(
    driver: Any, merge: Any, rows: Any, k: int, m: int, bound: float, flat: bool
) -> None:
    data = opened(rows, None if flat else TREE)
    try:
        found = RTAnonymization(bound, merge, driver).protect(data, [KKmAnonymity(k, m)])
    except Infeasible:
        return
    reached = plain.least(shown(found.data), m)
    assert reached is not None
    assert reached >= k
    assert KKmAnonymity(k, m).check(found.data).value == reached
    assert found.rows.tolist() == list(range(len(rows)))
    before, after = [row[3] for row in rows], labels_of(found.data.codes)
    for codes, labels in zip(before, after, strict=True):
        assert all(codes & label for label in labels), "a label that covers none of the person's codes"
    lost = plain.codes_loss(before, after)
    relational = RelationalNCP().score(data, found.data).value
    assert found.details.code_loss == pytest.approx(lost)
    assert found.details.relational_loss == pytest.approx(relational)
    assert CodesNCP().score(data, found.data).value == pytest.approx(lost)
    assert (relational if driver == "R" else lost) <= bound + 1e-8


@given(people, st.sampled_from(METHODS), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_the_people_does_not_matter(rows: Any, method: Any, random: Any) -> None:
    driver, merge = method
    mechanism, must = RTAnonymization(0.9, merge, driver), [KKmAnonymity(2, 2)]
    other = list(rows)
    random.shuffle(other)
    try:
        first = mechanism.protect(opened(rows), must).data
    except Infeasible:
        with pytest.raises(Infeasible):
            mechanism.protect(opened(other), must)
        return
    second = mechanism.protect(opened(other), must).data
    assert sorted(map(repr, _pairs(first))) == sorted(map(repr, _pairs(second)))


def _pairs(data: RTData) -> list[Any]:
    return [(cells, sorted(map(sorted, labels))) for cells, labels in shown(data)]


def test_contracts() -> None:
    rng = np.random.default_rng(4)
    size = 60
    frame = pa.table(
        {
            "age": rng.integers(20, 60, size),
            "town": rng.choice(["Innsbruck", "Salzburg", "Klagenfurt"], size),
            "kept": [f"remark {i % 7}" for i in range(size)],
            "listed": [
                " ".join(sorted(set(rng.choice(["alpha1", "alpha2", "beta1", "beta2"], 2)))) for _ in range(size)
            ],
        }
    )
    tree = Tree([[f"{name}{i}", name, "*"] for name in ("alpha", "beta") for i in (1, 2)])

    def open_(table: Any) -> RTData:
        codes = CodeSets.of([text.split() for text in table["listed"].to_pylist()], hierarchy=tree)
        people = Table.of(table.drop_columns(["listed"]), quasi=["age", "town"], keep=["kept"])
        return RTData.of(people, codes)

    for driver, merge in METHODS:
        check_mechanism(RTAnonymization(0.8, merge, driver), open_, frame, [KKmAnonymity(3, 2)])
    check_criterion(KKmAnonymity(3, 2), open_, frame)
    check_finding(KKmAnonymity(3, 2).check(open_(frame)), frame)


def test_k_anonymity_and_km_anonymity_apart_are_not_enough() -> None:
    """Each part holds by itself, and both together do not."""
    table = Table.of(pa.table({"age": ["[20-29]"] * 2 + ["[40-49]"] * 2}), quasi=["age"], published=True)
    codes = CodeSets.of([["401"], ["250"], ["401"], ["250"]], published=True)
    assert KAnonymity(2).check(table).ok
    assert KmAnonymity(2, 2).check(codes).ok
    finding = KKmAnonymity(2, 2).check(RTData.of(table, codes))
    assert (finding.ok, finding.value) == (False, 1)
    assert [part.value for part in finding.parts] == [2, 1]


def test_a_withheld_record_must_show_no_codes() -> None:
    cells = pa.table({"age": ["[20-29]"] * 3 + ["<suppressed>"]})
    table = Table.of(cells, quasi=["age"], published=True)
    quiet = RTData.of(table, CodeSets.of([["401"]] * 3 + [[]], published=True))
    loud = RTData.of(table, CodeSets.of([["401"]] * 4, published=True))
    assert KKmAnonymity(3, 1).check(quiet).ok
    assert KKmAnonymity(3, 1).check(loud).value == 1


def test_one_label_means_the_same_in_every_class() -> None:
    """`401` is a code of one class and a node above the codes of another: the node has a name of its own."""
    rows = [["401"], ["401"], ["401.1"], ["401.9"]]
    table = Table.of(pa.table({"age": [20, 20, 60, 60]}), quasi=["age"])
    data = RTData.of(table, CodeSets.of(rows, hierarchy=ICD9CM()))
    released = RTAnonymization(bound=0.0).protect(data, [KKmAnonymity(2, 2)]).data
    assert released.arrow["codes"].to_pylist() == ["401", "401", "401.-", "401.-"]
    assert released.codes.members == (("401",), ("401", "401.1", "401.9"))


def test_a_bound_that_cannot_be_kept_is_told_with_one_that_can() -> None:
    rows = [(20, "F", 0, {"a"}), (26, "M", 5, {"b"}), (20, "M", 5, {"a"}), (26, "F", 0, {"e"})]
    for driver in ("R", "T"):
        with pytest.raises(Infeasible) as told:
            RTAnonymization(0.0, driver=driver).protect(opened(rows, None), [KKmAnonymity(2, 2)])
        wanted = float(told.value.relaxations[0].removeprefix("bound: "))
        found = RTAnonymization(wanted, driver=driver).protect(opened(rows, None), [KKmAnonymity(2, 2)])
        assert KKmAnonymity(2, 2).check(found.data).ok


@pytest.mark.parametrize("rows", [[], [(20, "F", 0, {"a"})], [(20, "F", 0, set())] * 5, [(20, None, 0, {"a"})] * 2])
def test_too_few_persons_or_codes_are_infeasible(rows: Any) -> None:
    with pytest.raises(Infeasible):
        RTAnonymization(1.0).protect(opened(rows), [KKmAnonymity(3, 2)])


def test_a_class_in_which_too_few_hold_codes_shows_none() -> None:
    rows = [(20, "F", 0, {"a"})] * 3 + [(26, "M", 5, set())] * 2 + [(26, "M", 5, {"b"})]
    found = RTAnonymization(bound=0.0).protect(opened(rows), [KKmAnonymity(3, 2)])
    assert found.data.codes.sets.lengths.tolist() == [1, 1, 1, 0, 0, 0]
    assert (found.details.root_only, found.details.withheld_occurrences) == (1, 1)
    assert "say of their codes no more" in found.details.warning


def test_a_person_with_very_many_codes_breaks_nothing() -> None:
    codes = [[f"{i}.{j}" for i in range(100) for j in range(5)], ["1.1"], ["1.2"], ["2.1"]]
    tree = Tree([[f"{i}.{j}", str(i), "*"] for i in range(100) for j in range(5)])
    table = Table.of(pa.table({"age": [20, 30, 40, 50]}), quasi=["age"])
    data = RTData.of(table, CodeSets.of(codes, hierarchy=tree))
    found = RTAnonymization(bound=1.0).protect(data, [KKmAnonymity(2, 2)])
    assert KKmAnonymity(2, 2).check(found.data).ok


def test_details_hold_no_value() -> None:
    rows = [(20 + i % 3, "F", i % 6, {CODES[i % 8]}) for i in range(20)]
    found = RTAnonymization().protect(opened(rows), [KKmAnonymity(2, 2)])
    assert "zip" not in json.dumps(json_details(found.details))


def test_what_is_asked_wrongly_is_refused() -> None:
    data = opened([(20, "F", 0, {"a"})] * 4)
    released = RTAnonymization().protect(data, [KKmAnonymity(2, 2)]).data
    with pytest.raises(PolicyError, match="published already"):
        RTAnonymization().protect(released, [KKmAnonymity(2, 2)])
    with pytest.raises(PolicyError, match="cannot make k-anonymity hold"):
        RTAnonymization().protect(data, [KAnonymity(2)])
    with pytest.raises(PolicyError, match="together with their codes"):
        KKmAnonymity(2).check(data.table)  # type: ignore[arg-type]
    for bad in ({"bound": 2}, {"merge": "X"}, {"driver": "X"}, {"start": "X"}, {"suppress": 1}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            RTAnonymization(**bad)  # type: ignore[arg-type]
    assert registry.compatible(RTAnonymization, KKmAnonymity)
    assert not registry.compatible(RTAnonymization, KmAnonymity)


def joined(people: list[str | None], codes: list[tuple[str, str]]) -> RTData:
    table = Table.of(pa.table({"who": people, "age": [20] * len(people)}), quasi=["age"], subject="who")
    long = pa.table({"who": [who for who, _ in codes], "code": [code for _, code in codes]})
    return RTData.joined(table, CodeSets.from_long(long, subject="who", code="code"))


def test_people_and_codes_are_joined_by_person() -> None:
    data = joined(["a", "b", "c"], [("c", "401"), ("a", "250"), ("c", "428"), ("c", "401")])
    assert data.arrow["codes"].to_pylist() == ["250", "", "401 428"]
    assert data.codes.persons == ("a", "b", "c")
    some = data.take(np.array([2, 1]))
    assert some.arrow["codes"].to_pylist() == ["401 428", ""]


def test_codes_of_strangers_are_refused_with_counts_and_without_names() -> None:
    with pytest.raises(DataError, match=r"2 of 3 persons with codes \(3 codes\) are not in the table") as told:
        joined(["a"], [("a", "401"), ("stranger", "250"), ("stranger", "401"), ("other", "250")])
    assert "stranger" not in str(told.value)
    with pytest.raises(DataError, match="4 rows about 3 persons"):
        joined(["a", "a", "b", "c"], [("a", "401")])
    data = joined(["a", "b"], [("a", "401")])
    with pytest.raises(DataError, match="different persons"):
        RTData.of(data.table.take(np.array([1, 0])), data.codes)
    with pytest.raises(DataError, match="2 rows, and there are 1 sets"):
        RTData.of(joined(["a", "b"], []).table, CodeSets.of([["401"]]))
