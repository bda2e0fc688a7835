"""ρ-uncertainty and what makes it hold, against definitions written out as loops."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import plain_codes as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, KmAnonymity, RhoUncertainty, SuppressControl, TDControl
from sharewell.codes.engine import rules as counting
from sharewell.codes.engine.labels import read_record, write_label, write_record
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.protection import rule_suppression
from sharewell.codes.engine.rules import rules
from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import json_details
from sharewell.hierarchy import ICD9CM, Tree

CODES = list("abcdefgh")
TEN = [list(codes) for codes in ["abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh"]]
rows = st.lists(st.sets(st.sampled_from(CODES), max_size=6), min_size=1, max_size=12)
hidden = st.sets(st.sampled_from([*CODES[4:], "never"]), min_size=1, max_size=4)
rhos = st.sampled_from([0, 0.2, 0.34, 0.5, 0.6, 0.75, 1])


def labels_of(data: CodeSets) -> list[list[frozenset[str]]]:
    return [[frozenset(data.members[i]) for i in data.sets.row(row)] for row in range(data.records)]


def read_again(data: CodeSets) -> CodeSets:
    """Through text, as a recipient gets it."""
    texts = [write_record(data.names[i] for i in data.sets.row(row)) for row in range(data.records)]
    members = dict(zip(data.names, data.members, strict=True))
    return CodeSets.of([read_record(text) for text in texts], published=True, members=members)


def confidences(records: Any, sensitive: Any, size: int) -> list[Fraction]:
    """Of every rule that occurs, by definition: any codes known, any sensitive code beside them."""
    found = []
    for known in [(), *plain.combinations(plain.universe(records), size)]:
        alone = plain.support(records, known)
        for code in sorted(set(sensitive) - set(known)) if alone else []:
            if together := plain.support(records, [*known, code]):
                found.append(Fraction(together, alone))
    return found


def broken(found: list[Fraction], rho: float, strict: bool) -> int:
    bound = Fraction(str(rho))
    return sum(one >= bound if strict else one > bound for one in found)


@settings(max_examples=120, deadline=None)
@given(rows, hidden, st.integers(1, 4), rhos, st.booleans())
def test_the_criterion_says_what_the_definition_says(records: Any, secret: Any, size: int, rho: Any, strict: bool):
    if strict and rho == 0:
        return
    criterion = RhoUncertainty(rho, sorted(secret), size, strict)
    data = CodeSets.of(records)
    found = confidences(labels_of(data), secret, size)
    finding = criterion.check(data)
    assert finding.value == max(found, default=0)
    assert finding.details.above == broken(found, rho, strict)
    assert sum(one.rules for one in finding.details.by_size) == len(found)
    if found:
        assert finding.ok is (not broken(found, rho, strict))
    json.dumps(json_details(finding.details))


groups = st.lists(st.sets(st.sampled_from(CODES), min_size=1, max_size=3).map(frozenset), max_size=4)


@settings(max_examples=120, deadline=None)
@given(st.lists(groups, min_size=1, max_size=10), hidden, st.integers(1, 3), rhos)
def test_labels_that_overlap_or_mix_are_judged_by_what_they_may_stand_for(
    records: Any, secret: Any, size: int, rho: Any
):
    shown = CodeSets.of([[write_label(label) for label in record] for record in records], published=True)
    finding = RhoUncertainty(rho, sorted(secret), size).check(shown)
    found = confidences(records, secret, size)
    assert finding.value == max(found, default=0)
    assert finding.ok is not bool(broken(found, rho, False))


def test_homogeneous_patients_give_their_secret_away() -> None:
    data = CodeSets.of([["401.0", "401.1", "295"], ["401.0", "401.1", "303", "295"]])
    for rho in (0.1, 0.5, 0.99):
        assert RhoUncertainty(rho, ["295"]).check(data).ok is False
    assert RhoUncertainty(0.5, ["295"]).check(data).value == 1


@pytest.mark.parametrize(("rho", "number"), [(0.5, 169), (0.6, 167), (0.75, 155)])
def test_ten_patients_have_one_cheapest_suppression(rho: float, number: int) -> None:
    data = CodeSets.of(TEN)
    criterion = RhoUncertainty(rho, ["g", "h"], size=8)
    assert criterion.check(data).details.above == number
    assert broken(confidences(labels_of(data), "gh", 8), rho, False) == number
    costs = {}
    for size in range(9):
        for gone in itertools.combinations(CODES, size):
            left = [[frozenset(code) for code in row if code not in gone] for row in TEN]
            if not broken(confidences(left, "gh", 8), rho, False):
                costs["".join(gone)] = sum(len(set(row) & set(gone)) for row in TEN)
    best = min(costs.values())
    assert [gone for gone, cost in costs.items() if cost == best] == ["gh"]
    assert best == 8
    found = SuppressControl().protect(data, [criterion])
    assert {code for code, label in found.data.labels.items() if label is None} == {"g", "h"}
    assert found.details.suppressed_occurrences == 8


@settings(max_examples=100, deadline=None)
@given(rows, hidden, st.integers(1, 4), rhos, st.booleans(), st.integers(1, 3))
def test_suppress_control_makes_it_hold_and_leaves_out_nothing_in_vain(
    records: Any, secret: Any, size: int, rho: Any, strict: bool, most: int
) -> None:
    if strict and rho == 0:
        return
    criterion = RhoUncertainty(rho, sorted(secret), size, strict)
    second = RhoUncertainty(0.5, ["a"], size=1)
    before = rule_suppression.MOST_RULES
    rule_suppression.MOST_RULES = (
        most if most < 3 else before
    )  # few rules at a time give another order, no other guarantee
    try:
        found = SuppressControl().protect(CodeSets.of(records), [criterion, second])
    except Infeasible:
        assert not any(row - secret for row in records) or all(row <= secret | {"a"} for row in records)
        return
    finally:
        rule_suppression.MOST_RULES = before
    gone = {code for code, label in found.data.labels.items() if label is None}
    shown = labels_of(found.data)
    assert shown == [[frozenset(c) for c in found.data.names if c in row - gone] for row in records]

    def holds(left: Any) -> bool:
        first, other = confidences(left, secret, size), confidences(left, "a", 1)
        return not broken(first, rho, strict) and not broken(other, 0.5, False)

    assert holds(shown)
    again = read_again(found.data)
    assert criterion.check(again).ok
    assert second.check(again).ok
    for code in gone:
        assert not holds([[frozenset(c) for c in row - gone | (row & {code})] for row in records])
    assert found.details.suppressed == len(gone)
    assert found.details.suppressed_occurrences == sum(len(row & gone) for row in records)


@st.composite
def trees(draw: Any) -> Tree | None:
    """Two levels; sensitive codes lie below the same nodes, and one is called like a node."""
    if draw(st.integers(0, 3)) == 0:
        return None
    return Tree(
        [[code, f"{draw(st.sampled_from('xyz'))}{top}", top] for code in CODES for top in [draw(st.sampled_from("VW"))]]
    )


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.sets(st.sampled_from([*CODES, "V"]), max_size=6), min_size=1, max_size=12),
    st.sets(st.sampled_from([*CODES[4:], "V"]), min_size=1, max_size=4),
    st.integers(1, 4),
    rhos,
    trees(),
)
def test_td_control_makes_it_hold_with_one_true_cut(records: Any, secret: Any, size: int, rho: Any, tree: Any):
    criterion = RhoUncertainty(rho, sorted(secret), size)
    try:
        found = TDControl().protect(CodeSets.of(records, hierarchy=tree), [criterion])
    except Infeasible:
        assert all(row <= secret for row in records)
        return
    shown = labels_of(found.data)
    assert not broken(confidences(shown, secret, size), rho, False)
    assert criterion.check(read_again(found.data)).ok
    members = dict(zip(found.data.names, found.data.members, strict=True))
    for code, label in found.data.labels.items():
        assert label is None or code in members[label]
        assert label is None or code not in secret or members[label] == (code,), "a sensitive code is never generalised"
    for record, row in enumerate(records):
        names = {found.data.names[i] for i in found.data.sets.row(record)}
        assert names == {found.data.labels[code] for code in row} - {None}
    gone = {code for code, label in found.data.labels.items() if label is None}
    for code in gone & secret:
        again = [
            [*labels, *(frozenset([code]) for _ in row & {code})] for labels, row in zip(shown, records, strict=True)
        ]
        assert broken(confidences(again, secret, size), rho, False), "it could be shown"
    assert found.details.suppressed == len(gone)
    assert found.details.suppressed_occurrences == sum(len(row & gone) for row in records)


def test_td_control_keeps_sensitive_codes_that_suppression_would_lose() -> None:
    patients = [["401.0", "295"]] * 3 + [["401.1", "303"]] * 3 + [["401.9"]] * 4 + [["250.00"], ["250.01"]] * 4
    data = CodeSets.of(patients, hierarchy=ICD9CM())
    criterion = RhoUncertainty(0.3, ["295", "303"])
    by_tree, by_suppression = (kind.protect(data, [criterion]) for kind in (TDControl(), SuppressControl()))
    assert {"295", "303"} <= set(by_tree.data.names)
    assert by_tree.details.suppressed_occurrences < by_suppression.details.suppressed_occurrences
    assert by_tree.data.labels["250.00"] == "250.00"
    assert by_tree.data.labels["401.0"] == by_tree.data.labels["401.9"] != "401.9"


def test_a_node_called_like_a_sensitive_code_gets_another_name() -> None:
    tree = Tree([["401.0", "401", "*"], ["401.1", "401", "*"], ["401", "401", "*"], ["b", "b", "*"]])
    rows = [["401.0", "401"], ["401.0", "401"], ["401.1"], ["401.1"], ["b"], ["b"]]
    released = TDControl().protect(CodeSets.of(rows, hierarchy=tree), [RhoUncertainty(0.5, ["401"])]).data
    assert released.labels["401"] == "401"
    assert released.labels["401.0"] == "401.-"
    assert released.members[released.names.index("401.-")] == ("401.0", "401.1")


def test_rules_are_the_same_by_bytes_by_parts_and_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = CodeSets.of(TEN).sets

    def all_rules(size: int, universe: int) -> list[tuple[int, ...]]:
        found = rules(sets, universe, [3, 5], size)
        return sorted(
            (*map(int, a), int(c), int(t), int(s))
            for part in found
            for a, c, t, s in zip(part.antecedent, part.consequent, part.together, part.alone, strict=True)
        )

    expected = [all_rules(size, 8) for size in range(5)]
    assert [all_rules(size, 1 << 20) for size in range(5)] == expected, "four items of 20 bits are no number"
    monkeypatch.setattr("sharewell.codes.engine.itemsets._PART", 7)
    assert [all_rules(size, 8) for size in range(5)] == expected
    monkeypatch.setattr(counting, "_MANY", 0)
    assert [all_rules(size, 8) for size in range(5)] == expected
    assert not list(rules(Sets.of([[], []]), 8, [3], 1))


def test_bad_parameters_and_strange_data(tmp_path: Path) -> None:
    for wrong in (
        {"rho": 1.2, "sensitive": ["a"]},
        {"rho": -0.1, "sensitive": ["a"]},
        {"rho": 0.5, "sensitive": []},
        {"rho": 0.5, "sensitive": "a"},
        {"rho": 0.5, "sensitive": ["a"], "size": 0},
        {"rho": 0, "sensitive": ["a"], "strict": True},
        {"rho": float("nan"), "sensitive": ["a"]},
    ):
        with pytest.raises(ValueError, match=r"rho|sensitive|size"):
            RhoUncertainty(**wrong)
    listed = tmp_path / "sensitive.txt"
    listed.write_text("# secret\n295 303\n\n042\n")
    assert RhoUncertainty(0.5, file=listed).sensitive == ("042", "295", "303")
    assert RhoUncertainty(0.5, [295]).sensitive == ("295",)
    criterion = RhoUncertainty(0.5, ["a"])
    assert criterion.check(CodeSets.of([])).failed
    assert criterion.check(CodeSets.of([[]])).ok
    assert criterion.check(CodeSets.of([["a"]])).ok is False
    assert "at most 2" in criterion.check(CodeSets.of([list("abcd"), []])).note
    assert "any number" in criterion.check(CodeSets.of([list("abc"), []])).note
    with pytest.raises(PolicyError):
        criterion.check("chunks")
    half = RhoUncertainty(0.5, ["a"], strict=True).check(CodeSets.of([["a"], ["b"]]))
    assert half.ok is False
    assert half.value == Fraction(1, 2)


@pytest.mark.parametrize("mechanism", [SuppressControl(), TDControl()])
def test_what_cannot_be_done_is_said(mechanism: Any) -> None:
    criterion = RhoUncertainty(0.1, ["a", "b"])
    with pytest.raises(Infeasible):
        mechanism.protect(CodeSets.of([]), [criterion])
    with pytest.raises(Infeasible, match="no code"):
        mechanism.protect(CodeSets.of([["a"], ["b"]]), [criterion])
    with pytest.raises(PolicyError, match="km-anonymity"):
        mechanism.protect(CodeSets.of([["a"]]), [KmAnonymity(2)])
    with pytest.raises(PolicyError, match="already"):
        mechanism.protect(CodeSets.of([["a"]], published=True), [criterion])
    untouched = mechanism.protect(CodeSets.of([["c", "d"], []]), [criterion])
    assert untouched.data.names == ("c", "d")
    many = mechanism.protect(CodeSets.of([[f"c{i}" for i in range(500)], ["c1", "a"], ["c2"]]), [criterion])
    assert many.data.labels["a"] is None
    assert np.array_equal(many.rows, np.arange(3))


@pytest.mark.parametrize("mechanism", [SuppressControl(), TDControl()])
def test_beyond_reach_is_infeasible_not_hours(mechanism: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_suppression, "MOST_OCCURRENCES", 3)
    with pytest.raises(Infeasible, match="too many"):
        mechanism.protect(CodeSets.of(TEN), [RhoUncertainty(0.4, ["g", "h"])])
