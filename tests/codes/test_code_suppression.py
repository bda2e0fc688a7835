"""Suppression of codes, in all records or in some, against definitions written out as loops."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import plain_codes as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import (
    Apriori,
    CodeSets,
    CompleteKAnonymity,
    GlobalSuppression,
    KmAnonymity,
    LocalSuppression,
    PrivacyPolicy,
    RhoUncertainty,
    UtilityPolicy,
)
from sharewell.codes.engine.labels import read_record, write_record
from sharewell.codes.engine.protection import local_deletion
from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import json_details

CODES = list("abcdefgh")
TEN = [list(codes) for codes in ["abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh"]]
rows = st.lists(st.sets(st.sampled_from(CODES), max_size=6), min_size=1, max_size=12)
combos = st.lists(st.sets(st.sampled_from([*CODES, "never"]), min_size=1, max_size=4), min_size=1, max_size=4)


def labels_of(data: CodeSets) -> list[list[frozenset[str]]]:
    return [[frozenset(data.members[i]) for i in data.sets.row(row)] for row in range(data.records)]


def codes_of(data: CodeSets) -> list[set[str]]:
    return [{data.names[i] for i in data.sets.row(row)} for row in range(data.records)]


def single(records: Any) -> list[list[frozenset[str]]]:
    return [[frozenset([code]) for code in record] for record in records]


def read_again(data: CodeSets) -> CodeSets:
    texts = [write_record(data.names[i] for i in data.sets.row(row)) for row in range(data.records)]
    return CodeSets.of([read_record(text) for text in texts], published=True)


def holds(records: Any, criterion: Any) -> bool:
    if isinstance(criterion, KmAnonymity):
        return plain.km_holds(single(records), criterion.k, criterion.m)
    return plain.policy_holds(single(records), criterion.itemsets, criterion.k, criterion.strict)


def synthetic(patients: int, codes: int, seed: int = 1) -> CodeSets:
    """Some codes are common, most are rare, and those of one topic come together."""
    rng = np.random.default_rng(seed)
    weight = 1 / np.arange(1, codes + 1) ** 1.05
    topics = [rng.permutation(codes)[: codes // 10] for _ in range(12)]
    records = []
    for _ in range(patients):
        number, topic = 1 + rng.poisson(8), topics[rng.integers(12)]
        of_all = rng.choice(codes, size=number, p=weight / weight.sum())
        of_topic = rng.choice(topic, size=number, p=weight[topic] / weight[topic].sum())
        records.append([f"c{code:04d}" for code in np.where(rng.random(number) < 0.5, of_all, of_topic)])
    return CodeSets.of(records)


# In some records


@st.composite
def asked(draw: Any) -> list[Any]:
    """k^m-anonymity, a privacy policy, or both, or two of one kind."""
    counting = [KmAnonymity(draw(st.integers(1, 4)), draw(st.integers(1, 4))) for _ in range(draw(st.integers(0, 2)))]
    listed = [
        PrivacyPolicy([sorted(one) for one in draw(combos)], draw(st.integers(1, 4)), draw(st.booleans()))
        for _ in range(draw(st.integers(0, 2)))
    ]
    return counting + listed


@settings(max_examples=150, deadline=None)
@given(rows, asked(), st.sampled_from(["occurrences", "codes"]))
def test_local_suppression_makes_it_hold_and_leaves_out_nothing_in_vain(records: Any, must: Any, keep: Any) -> None:
    try:
        found = LocalSuppression(keep).protect(CodeSets.of(records), must)
    except Infeasible as refusal:
        if "no code would be left" not in str(refusal):
            assert sum(map(bool, records)) < max((one.k for one in must), default=1)
        return
    shown = codes_of(found.data)
    assert found.data.labels is None, "no recoding holds for all records"
    assert all(after <= before for after, before in zip(shown, records, strict=True))
    again = read_again(found.data)
    for criterion in must:
        assert holds(shown, criterion)
        assert criterion.check(again).ok
    for record, before in enumerate(records):
        for code in before - shown[record]:
            more = [*shown[:record], shown[record] | {code}, *shown[record + 1 :]]
            assert not all(holds(more, criterion) for criterion in must), "it could be shown"
    details = found.details
    assert details.deleted == sum(len(before) - len(after) for after, before in zip(shown, records, strict=True))
    assert details.codes - details.codes_gone == len(found.data.names)
    assert details.changed_records == sum(after != before for after, before in zip(shown, records, strict=True))
    json.dumps(json_details(details))


def cheapest_global(records: Any, criterion: Any) -> int:
    """The fewest occurrences of codes that, left out everywhere, make it hold: all ways tried."""
    best = sum(map(len, records))
    for size in range(len(CODES) + 1):
        for gone in itertools.combinations(CODES, size):
            left = [set(row) - set(gone) for row in records]
            if holds(left, criterion):
                best = min(best, sum(map(len, records)) - sum(map(len, left)))
    return best


def test_no_more_is_lost_locally_than_by_the_best_global_suppression() -> None:
    seven = ["ab", "b", "bc", "a", "a", "c", "c"]
    for records, criterion, local, best in (
        (seven, KmAnonymity(2, m=2), 2, 3),
        (TEN, KmAnonymity(2, m=2), 7, 7),
        (TEN, KmAnonymity(3, m=2), 15, 15),
        (TEN, PrivacyPolicy([list("abc"), list("defgh")], k=3), 11, 11),
    ):
        found = LocalSuppression().protect(CodeSets.of([list(row) for row in records]), [criterion])
        assert criterion.check(found.data).ok
        assert (found.details.deleted, cheapest_global(records, criterion)) == (local, best)


def test_many_patients_lose_less_locally_than_globally() -> None:
    data, criterion = synthetic(1500, 300), KmAnonymity(5, m=2)
    local = LocalSuppression().protect(data, [criterion])
    varied = LocalSuppression(keep="codes").protect(data, [criterion])
    assert criterion.check(local.data).ok
    assert criterion.check(varied.data).ok
    assert local.details.deleted < varied.details.deleted
    assert local.details.codes_gone > varied.details.codes_gone
    greedy = Apriori().protect(data, [criterion])  # without a hierarchy this is global suppression, chosen greedily
    assert local.details.deleted < greedy.details.withheld_occurrences
    for share in (0.9, 0.95, 0.96, 0.97, 0.98, 0.99):
        try:
            rarest = GlobalSuppression(rarest=share).protect(data, [criterion])
        except Infeasible:
            continue
        left = rarest.details.steps[-1].occurrences
        assert local.details.deleted < local.details.occurrences - left
        break
    else:
        pytest.fail("no share of the codes was enough")


def test_local_suppression_in_small_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    data, must = synthetic(200, 60), [KmAnonymity(4, m=3)]
    whole = codes_of(LocalSuppression().protect(data, must).data)
    monkeypatch.setattr(local_deletion, "_CHUNK", 50)
    assert codes_of(LocalSuppression().protect(data, must).data) == whole


def test_local_suppression_does_not_depend_on_the_order_of_patients() -> None:
    rows = codes_of(synthetic(150, 40))
    must = [KmAnonymity(3, m=2), PrivacyPolicy([["c0001", "c0002", "c0003"]], k=5)]
    plain_order = codes_of(LocalSuppression().protect(CodeSets.of(rows), must).data)
    backwards = codes_of(LocalSuppression().protect(CodeSets.of(rows[::-1]), must).data)
    assert backwards[::-1] == plain_order


def test_what_local_suppression_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    data = CodeSets.of(TEN)
    with pytest.raises(PolicyError, match="complete-k-anonymity"):
        LocalSuppression().protect(data, [CompleteKAnonymity(2)])
    with pytest.raises(PolicyError, match="utility-policy"):
        LocalSuppression().protect(data, [UtilityPolicy([["a"]])])
    with pytest.raises(PolicyError, match="already"):
        LocalSuppression().protect(CodeSets.of([["a"]], published=True), [KmAnonymity(2)])
    with pytest.raises(Infeasible, match="fewer than k"):
        LocalSuppression().protect(data, [KmAnonymity(11)])
    with pytest.raises(Infeasible, match="no code would be left"):
        LocalSuppression().protect(CodeSets.of([["a"], ["b"]]), [KmAnonymity(2)])
    with pytest.raises(ValueError, match="keep"):
        LocalSuppression(keep="all")  # type: ignore[arg-type]
    monkeypatch.setattr(local_deletion, "MOST_OCCURRENCES", 50)
    with pytest.raises(Infeasible, match="too many"):
        LocalSuppression().protect(data, [KmAnonymity(2, m=3)])


def test_a_patient_with_five_hundred_codes_and_one_with_none() -> None:
    rows = [[f"c{i}" for i in range(500)], [], ["c1", "c2"], ["c1", "c2"], ["c1", "c3", "c1"]]
    found = LocalSuppression().protect(CodeSets.of(rows), [KmAnonymity(2, m=2)])
    assert KmAnonymity(2, m=2).check(found.data).ok
    assert codes_of(found.data) == [{"c1", "c2"}, set(), {"c1", "c2"}, {"c1", "c2"}, {"c1"}]


# In all records


@settings(max_examples=100, deadline=None)
@given(rows, st.sampled_from([0, 0.1, 0.25, 0.5, 0.9, 1]), st.booleans(), asked())
def test_global_suppression_leaves_out_what_it_says_and_judges_the_rest(
    records: Any, share: float, by_codes: bool, must: Any
) -> None:
    mechanism = GlobalSuppression(rarest=share) if by_codes else GlobalSuppression(below=share)
    support = {code: sum(code in row for row in records) for row in records for code in row}
    order = sorted(support, key=lambda code: (support[code], code))
    rare = order[: int(share * len(order) + 1e-9)]
    gone = set(rare) if by_codes else {code for code in order if support[code] < share * len(records) - 1e-9}
    left = [row - gone for row in records]
    try:
        found = mechanism.protect(CodeSets.of(records), [*must, UtilityPolicy([])])
    except Infeasible:
        assert not any(left) or not all(holds(left, criterion) for criterion in must)
        return
    assert codes_of(found.data) == left
    assert all(holds(left, criterion) and criterion.check(read_again(found.data)).ok for criterion in must)
    assert {code for code, label in found.data.labels.items() if label is None} == gone
    steps = found.details.steps
    assert (steps[0].codes, steps[-1].codes) == (len(support), len(support) - len(gone))
    for step in steps:
        shown = [row - set(order[: len(order) - step.codes]) for row in records]
        assert step.unique_records == sum(shown.count(row) == 1 and bool(row) for row in shown)
        assert step.empty_records == shown.count(set())
        assert step.occurrences == sum(map(len, shown))


def test_frequent_codes_still_tell_people_apart() -> None:
    """The shape of the case study: by a quarter of the records a handful of codes is left; before, most are unique."""
    data = synthetic(1500, 300)
    steps = GlobalSuppression(below=0.25).protect(data, []).details.steps
    assert steps[0].unique_records > 0.9 * data.records
    assert steps[len(steps) // 2].unique_records > 0.9 * data.records, "half of the codes gone, and still unique"
    assert steps[-1].codes <= 5
    assert steps[-1].unique_records < 0.01 * data.records


def test_what_global_suppression_refuses() -> None:
    for wrong in ({}, {"rarest": 0.1, "below": 0.1}, {"rarest": 1.5}, {"below": -1}, {"below": float("nan")}):
        with pytest.raises(ValueError, match=r"rarest|below"):
            GlobalSuppression(**wrong)
    data = CodeSets.of(TEN)
    with pytest.raises(Infeasible, match="no code would be left"):
        GlobalSuppression(rarest=1).protect(data, [])
    with pytest.raises(Infeasible, match="no rows"):
        GlobalSuppression(rarest=0.5).protect(CodeSets.of([]), [])
    with pytest.raises(Infeasible, match="rho-uncertainty") as refusal:
        GlobalSuppression(below=0.3).protect(data, [RhoUncertainty(0.5, ["g"]), KmAnonymity(1)])
    assert "km-anonymity" not in str(refusal.value)
    with pytest.raises(PolicyError, match="already"):
        GlobalSuppression(rarest=0.5).protect(CodeSets.of([["a"]], published=True), [])
