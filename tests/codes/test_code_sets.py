"""Sets of codes, what a release says about them, and the first criteria, against definitions written out as loops."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plain_codes as plain
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, CompleteKAnonymity, KmAnonymity, PrivacyPolicy
from sharewell.codes.engine import itemsets, labels
from sharewell.codes.engine.packed_sets import Sets
from sharewell.errors import DataError, PolicyError

CODES = list("abcdefg")
label = st.frozensets(st.sampled_from(CODES), min_size=1, max_size=3)
published = st.lists(st.frozensets(label, max_size=4), min_size=1, max_size=9)
"""Any labels at all: overlapping ones too, as local recoding publishes them."""


def shown(records: Any) -> CodeSets:
    return CodeSets.of([[labels.write_label(one) for one in record] for record in records], published=True)


@settings(max_examples=150, deadline=None)
@given(published, st.sets(st.sampled_from([*CODES, "never"]), max_size=4))
def test_published_support_is_as_defined(records: Any, codes: set[str]) -> None:
    assert shown(records).support(codes) == plain.support(records, codes)


@settings(max_examples=150, deadline=None)
@given(published, st.integers(1, 4), st.integers(1, 4))
def test_km_anonymity_is_as_defined(records: Any, k: int, m: int) -> None:
    found = KmAnonymity(k, m).check(shown(records))
    assert found.ok is (plain.km_holds(records, k, m) if plain.universe(records) else len(records) >= k)


@settings(max_examples=150, deadline=None)
@given(published, st.lists(st.sets(st.sampled_from(CODES), min_size=1, max_size=4), min_size=1, max_size=3), st.data())
def test_a_privacy_policy_is_as_defined(records: Any, listed: Any, data: Any) -> None:
    k, strict = data.draw(st.integers(1, 4)), data.draw(st.booleans())
    found = PrivacyPolicy([sorted(one) for one in listed], k, strict).check(shown(records))
    assert found.ok is plain.policy_holds(records, [sorted(one) for one in listed], k, strict)


@settings(max_examples=80, deadline=None)
@given(published, st.integers(1, 4))
def test_complete_k_anonymity_is_as_defined(records: Any, k: int) -> None:
    assert CompleteKAnonymity(k).check(shown(records)).ok is plain.complete_holds(records, k)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 8)), max_size=10), st.integers(1, 4), st.sampled_from([1, 7, 10**6]))
def test_compiled_counting_counts_as_numpy_does(rows: Any, size: int, part: int) -> None:
    sets, kept = Sets.of(rows), (itemsets._SMALL, itemsets._PART)
    try:
        itemsets._PART = part
        by_numpy = itemsets.count(sets, 9, size, 2)
        itemsets._SMALL = -1
        assert itemsets.count(sets, 9, size, 2) == by_numpy
    finally:
        itemsets._SMALL, itemsets._PART = kept


def test_more_combinations_than_can_be_counted_are_undecided() -> None:
    wide = CodeSets.of([[f"c{i}" for i in range(500)]] * 2)
    found = KmAnonymity(2, m=9).check(wide)
    assert found.ok is None
    assert "smaller m" in found.note
    assert KmAnonymity(2, m=2).check(wide).ok


def test_numbers_of_many_codes_do_not_overflow() -> None:
    """Twelve codes out of 60,000: their digits do not fit into one number."""
    rows = [[f"c{i:05d}" for i in range(0, 60_000, 5_000)]] * 2 + [[f"c{i:05d}"] for i in range(60_000)]
    found = KmAnonymity(1, m=5).check(CodeSets.of(rows))
    assert found.details.by_size[4].distinct == 792
    assert found.details.by_size[4].least == 2


@given(st.lists(st.text(alphabet="ab,()\\ ", min_size=1, max_size=4), min_size=1, max_size=3, unique=True))
def test_labels_come_back_as_they_went(codes: list[str]) -> None:
    assert labels.read_label(labels.write_label(codes)) == tuple(sorted(codes))


def test_any_frame_with_one_code_a_row() -> None:
    columns = {"who": ["p", "q", "p", "p", "r"], "code": ["x", "x", "y", " y", None], "visit": [1, 1, 2, 2, 1]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        data = CodeSets.from_long(frame, subject="who", code="code", visit="visit")
        assert data.persons == ("p", "q", "r")
        assert [sorted(data.names[i] for i in data.sets.row(r)) for r in range(3)] == [["x", "y"], ["x"], []]
        assert data.visits is not None
        assert data.visits.owner.tolist() == [0, 0, 1]
        assert data.visits.sets.lengths.tolist() == [1, 1, 1]


def test_bad_input_is_told() -> None:
    with pytest.raises(PolicyError, match="not one string"):
        CodeSets.of(["401"])
    with pytest.raises(DataError, match="no column kode"):
        CodeSets.from_long(pa.table({"who": ["p"], "code": ["x"]}), subject="who", code="kode")
    with pytest.raises(DataError, match=r"1 row\(s\) belong to nobody"):
        CodeSets.from_long(pa.table({"who": ["p", None], "code": ["x", "y"]}), subject="who", code="code")
    for wrong in (
        lambda: PrivacyPolicy([], 2),
        lambda: PrivacyPolicy([[]], 2),
        lambda: KmAnonymity(0),
        lambda: KmAnonymity(2, 0),
    ):
        with pytest.raises(ValueError, match="must"):
            wrong()


def test_nothing_is_not_certified() -> None:
    nobody = CodeSets.of([])
    for criterion in (KmAnonymity(2), CompleteKAnonymity(2), PrivacyPolicy([["a"]], 2)):
        assert criterion.check(nobody).failed


def test_the_tutorials_tables() -> None:
    """Four patients: the sets that violate 2²-anonymity, and two releases of them."""
    original = CodeSets.of([["401.2", "401.3"], ["401.3", "401.4"], ["401.0", "401.1"], ["401.0", "401.1"]])
    assert KmAnonymity(2, 2).check(original).details.by_size[0].below == 2
    node = CodeSets.of([["401"]] * 4, published=True, members={"401": [f"401.{i}" for i in range(5)]})
    assert KmAnonymity(4, 5).check(node).ok
    local = [["401.0", "401.1"], ["401", "401.3"]] * 2
    members = {"401": [f"401.{i}" for i in range(10)]}
    assert CompleteKAnonymity(2).check(CodeSets.of(local, published=True, members=members)).ok
    recoded = CodeSets.of([["a", "b"], ["c"]]).recoded({"a": "(a,b)", "b": "(a,b)", "c": None}, {"(a,b)": ["a", "b"]})
    assert recoded.names == ("(a,b)",)
    assert recoded.sets.lengths.tolist() == [1, 0]
    assert recoded.labels == {"a": "(a,b)", "b": "(a,b)", "c": None}


@pytest.mark.parametrize("again", ["p0", "P0 ", "p\u200b0"])
def test_a_person_with_two_records_is_not_counted_twice(again: str) -> None:
    """The code b is one person's alone, though two records show it."""
    with pytest.raises(DataError, match=r"1 of 3 record.s. are of a person who was named before"):
        CodeSets.of([["a", "b"], ["a", "b"], ["a"]], persons=["p0", again, "p1"])
    with pytest.raises(DataError, match=r"2 person.s. for 3 record"):
        CodeSets.of([["a"], ["a"], ["a"]], persons=["p0", "p1"])
    with pytest.raises(DataError, match=r"1 record.s. belong to nobody"):
        CodeSets.of([["a"], ["a"]], persons=["p0", " "])
    frame = pa.table({"who": ["p0", "p0", again, "p1"], "code": ["a", "b", "b", "a"]})
    assert not KmAnonymity(2, 1).check(CodeSets.from_long(frame, subject="who", code="code")).ok
