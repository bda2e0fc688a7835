"""Hierarchy methods, against definitions written out as loops."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import plain_codes as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, CompleteKAnonymity, KmAnonymity, PrivacyPolicy
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.protection import tree_cuts
from sharewell.codes.mechanisms.apriori import Apriori
from sharewell.codes.mechanisms.greedy_partitioning import GreedyPartitioning
from sharewell.codes.mechanisms.lra import LRA, gray_order
from sharewell.codes.mechanisms.vpa import VPA
from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import json_details
from sharewell.hierarchy import ICD9CM, ICD10CM, Tree

CODES = list("abcdefghij")
TEN = [list(codes) for codes in ["abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh"]]
HYPERTENSION = [["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]]
UNDER_401 = Tree([[f"401.{i}", "401", "*"] for i in range(5)])


@st.composite
def trees(draw: Any) -> Tree | None:
    """Two levels above some codes; inner nodes occur as codes too, and other codes are not listed."""
    if draw(st.booleans()) and draw(st.booleans()):
        return None
    rows = [
        [code, f"{draw(st.sampled_from('xyz'))}{top}", top]
        for code in CODES[:8]
        for top in [draw(st.sampled_from(["V", "W"]))]
    ]
    return Tree(rows)


records = st.lists(st.sets(st.sampled_from([*CODES, "V", "xW"]), max_size=6), min_size=1, max_size=12)
km = st.tuples(st.integers(1, 4), st.integers(1, 4))
suppress = st.sampled_from([0.0, 0.1, 0.6])


def labels_of(data: CodeSets) -> list[list[frozenset[str]]]:
    return [[frozenset(data.members[i]) for i in data.sets.row(row)] for row in range(data.records)]


def names_of(data: CodeSets) -> list[list[str]]:
    return [sorted(data.names[i] for i in data.sets.row(row)) for row in range(data.records)]


def protected(mechanism: Any, rows: Any, tree: Any, must: Any) -> Any:
    try:
        return mechanism.protect(CodeSets.of([sorted(row) for row in rows], hierarchy=tree), must)
    except Infeasible:
        assert sum(map(bool, rows)) < max(one.k for one in must), "the root covers everybody who has a code"
        return None


def check_true(found: Any, rows: Any, withholds: bool) -> None:
    """Each label covers a code of its record, and each code is covered, or (`withholds`) not shown at all."""
    for shown, row in zip(labels_of(found.data), found.rows, strict=True):
        assert all(label & rows[row] for label in shown)
        assert withholds or rows[row] <= frozenset().union(*shown)


@settings(max_examples=120, deadline=None)
@given(records, trees(), km, suppress, st.sampled_from([Apriori, VPA]))
def test_one_cut_for_all_makes_k_m_anonymity_hold(rows: Any, tree: Any, km: Any, share: float, kind: Any) -> None:
    found = protected(kind(suppress=share), rows, tree, [KmAnonymity(*km)])
    if found is None:
        return
    assert plain.km_holds(labels_of(found.data), *km)
    assert found.data.records == len(rows)
    check_true(found, rows, withholds=True)
    members = dict(zip(found.data.names, found.data.members, strict=True))
    for code, label in found.data.labels.items():
        assert label is None or code in members[label]
    for shown, row in zip(names_of(found.data), rows, strict=True):
        assert shown == sorted({found.data.labels[code] for code in row} - {None})
    assert found.data.names, "something is shown"
    assert found.details.labels == len(members)
    assert found.details.withheld == sum(label is None for label in found.data.labels.values())
    json.dumps(json_details(found.details))


@settings(max_examples=100, deadline=None)
@given(records, trees(), km, suppress, st.integers(1, 4))
def test_a_cut_for_each_part_makes_k_m_anonymity_hold(rows: Any, tree: Any, km: Any, share: float, parts: int) -> None:
    found = protected(LRA(parts, share), rows, tree, [KmAnonymity(*km)])
    if found is not None:
        assert plain.km_holds(labels_of(found.data), *km)
        assert KmAnonymity(*km).check(found.data).ok
        assert found.data.labels is None
        check_true(found, rows, withholds=True)


@settings(max_examples=120, deadline=None)
@given(records, trees(), st.integers(1, 4))
def test_partitioning_makes_complete_k_anonymity_hold(rows: Any, tree: Any, k: int) -> None:
    found = protected(GreedyPartitioning(), rows, tree, [CompleteKAnonymity(k), KmAnonymity(k, 9)])
    if found is None:
        return
    shown = labels_of(found.data)
    assert plain.complete_holds(shown, k)
    assert plain.km_holds(shown, k, 3)
    check_true(found, rows, withholds=False)
    empty = sum(not row for row in rows)
    assert found.details.dropped_records == len(rows) - len(found.rows) == (empty if empty < k else 0)
    for labels in shown:  # a cut: no label of a record lies below another
        assert all(not one & other for one, other in itertools.combinations(labels, 2))


@settings(max_examples=60, deadline=None)
@given(records, trees(), km, st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(rows: Any, tree: Any, km: Any, mix: Any) -> None:
    mixed = mix.sample(rows, len(rows))
    for mechanism in (Apriori(suppress=0.1), VPA(groups=2), LRA(3), GreedyPartitioning()):
        found = protected(mechanism, rows, tree, [KmAnonymity(*km)])
        other = protected(mechanism, mixed, tree, [KmAnonymity(*km)])
        assert (found is None) == (other is None)
        assert found is None or sorted(names_of(found.data)) == sorted(names_of(other.data))


@settings(max_examples=60, deadline=None)
@given(records, trees(), km, suppress)
def test_compiled_recoding_recodes_as_numpy_does(rows: Any, tree: Any, km: Any, share: float) -> None:
    by_numpy = protected(Apriori(share), rows, tree, [KmAnonymity(*km)])
    kept = tree_cuts._SMALL
    try:
        tree_cuts._SMALL = -1
        compiled = protected(Apriori(share), rows, tree, [KmAnonymity(*km)])
    finally:
        tree_cuts._SMALL = kept
    assert by_numpy is None or by_numpy.data.labels == compiled.data.labels
    assert by_numpy is None or by_numpy.details == compiled.details


@settings(max_examples=80, deadline=None)
@given(records, trees(), km)
def test_no_label_could_be_shown_by_its_children(rows: Any, tree: Any, km: Any) -> None:
    """What was raised needlessly is taken back."""
    found = protected(Apriori(), rows, tree, [KmAnonymity(*km)])
    if found is None:
        return
    data = CodeSets.of([sorted(row) for row in rows], hierarchy=tree)
    above = CodesTree.of(data)
    number = {name: i for i, name in enumerate(above.names)}
    for label in found.data.names:
        children = above.children(number[label])
        if not len(children) or any(label is None for label in found.data.labels.values()):
            continue  # beside withheld labels, the root may have been shown as the last resort
        finer = {code: above.names[child] for child in children for code in above.members(child)}
        split = {**found.data.labels, **finer}
        members: dict[str, list[str]] = {}
        for code, name in split.items():
            members.setdefault(name, []).append(code)
        assert found.data.names == ("*",) or not plain.km_holds(labels_of(data.recoded(split, members)), *km)


def test_ten_patients_as_the_tutorial_has_them() -> None:
    """Its 5³-anonymous table, which is 7^m-anonymous for every m."""
    tree = Tree([[code, "abc"] for code in "abc"] + [[code, "defgh"] for code in "defgh"])
    both, upper, lower = ["abc", "defgh"], ["abc"], ["defgh"]
    for mechanism in (Apriori(), VPA(), VPA(groups=1), LRA(parts=1)):
        found = mechanism.protect(CodeSets.of(TEN, hierarchy=tree), [KmAnonymity(5, 3)])
        assert names_of(found.data) == [both, both, both, both, lower, lower, both, both, upper, both]
        assert KmAnonymity(7, 8).check(found.data).ok
        assert KmAnonymity(8, 8).check(found.data).failed


def test_hypertension_as_the_tutorial_has_it() -> None:
    data = CodeSets.of(HYPERTENSION, hierarchy=UNDER_401)
    for mechanism in (Apriori(), VPA(), LRA()):
        released = mechanism.protect(data, [KmAnonymity(4, 2)]).data
        assert names_of(released) == [["401"]] * 4
        assert KmAnonymity(4, 9).check(released).ok
    complete = GreedyPartitioning().protect(data, [CompleteKAnonymity(2)]).data
    assert CompleteKAnonymity(2).check(complete).ok
    assert names_of(complete)[0] == ["401.0", "401.1"]


def test_the_first_split_goes_by_the_children_that_records_touch() -> None:
    """(A), (C) and (A,C); the two groups of one record are the left-over, and keep the root."""
    rows, tree = (
        [list("ab"), list("c"), list("cd"), list("abcd")],
        Tree([["a", "A"], ["b", "A"], ["c", "C"], ["d", "C"]]),
    )
    found = GreedyPartitioning().protect(CodeSets.of(rows, hierarchy=tree), [CompleteKAnonymity(2)])
    assert names_of(found.data) == [["*"], ["C"], ["C"], ["*"]]
    alone = GreedyPartitioning().protect(CodeSets.of(rows, hierarchy=tree), [CompleteKAnonymity(1)])
    assert names_of(alone.data) == [sorted(row) for row in rows]


def test_a_left_over_that_is_too_small_gets_records_or_a_whole_group() -> None:
    tree = Tree([["a", "*"], ["b", "*"], ["c", "*"]])
    spared = GreedyPartitioning().protect(CodeSets.of([["a"]] * 3 + [["b"]], hierarchy=tree), [CompleteKAnonymity(2)])
    assert sorted(names_of(spared.data)) == [["*"], ["*"], ["a"], ["a"]]
    merged = GreedyPartitioning().protect(
        CodeSets.of([["a"]] * 2 + [["b"]] + [["c"]] * 2, hierarchy=tree), [CompleteKAnonymity(2)]
    )
    assert sorted(names_of(merged.data)) == [["*"], ["*"], ["*"], ["c"], ["c"]]


def test_a_rare_code_below_the_root_is_withheld_rather_than_everything_shown_as_anything() -> None:
    tree = Tree([["a", "A"], ["b", "A"], ["z", "Z"]])
    rows = [["a", "b"]] * 4 + [["a", "b", "z"]]
    found = Apriori().protect(CodeSets.of(rows, hierarchy=tree), [KmAnonymity(2, 2)])
    assert found.data.labels == {"a": "a", "b": "b", "z": None}
    assert found.details.withheld_occurrences == 1


def test_if_nothing_would_remain_all_is_shown_as_the_root() -> None:
    rows = [["a"], ["b"], ["c"]]
    found = Apriori().protect(CodeSets.of(rows), [KmAnonymity(2, 2)])
    assert found.data.labels == {"a": "*", "b": "*", "c": "*"}
    with pytest.raises(Infeasible, match="2 of 5 records hold a code, fewer than k = 3") as told:
        Apriori().protect(CodeSets.of([["a"], ["b"], [], [], []]), [KmAnonymity(3, 2)])
    assert told.value.relaxations == ("k at most 2",)


def test_a_little_withholding_keeps_detail() -> None:
    """One rare code need not take its whole group along."""
    tree = Tree([[code, "G"] for code in "abcd"] + [[code, "H"] for code in "xy"])
    rows = [["a", "x"], ["b", "x"], ["c", "y"], ["a", "b", "y"]] * 10 + [["d", "x"]]
    data = CodeSets.of(rows, hierarchy=tree)
    strict = Apriori().protect(data, [KmAnonymity(5, 2)]).data.labels
    loose = Apriori(suppress=0.05).protect(data, [KmAnonymity(5, 2)]).data.labels
    assert strict == dict.fromkeys("abcd", "G") | {"x": "x", "y": "y"}
    assert loose == {code: code for code in "abcxy"} | {"d": None}


def test_the_tree_holds_the_codes_of_the_data() -> None:
    """An inner node that is a code, one code written two ways, unlisted codes, a code called like the root."""
    rows = [["E11.9", "E11", "E119", "E11.65"], ["*", "I10", "nonsense"], ["E11.9999", "401.1", "R99.zz"]]
    tree = CodesTree.of(CodeSets.of(rows, hierarchy=ICD10CM()))
    assert len(set(tree.names)) == len(tree.names)
    assert set(tree.codes) == {code for row in rows for code in row}
    assert tree.unknown == 4
    below = {tree.names[node]: set(tree.members(node)) for node in range(len(tree.names))}
    assert below["E11.-"] == {"E11.9", "E11", "E119", "E11.65", "E11.9999"}
    assert below["E11.9.-"] == {"E11.9", "E119", "E11.9999"}
    assert (tree.sizes[tree.parent[1:]] > tree.sizes[1:]).all()
    for rows_, hierarchy in (([[]], ICD9CM()), ([["401.1"]], ICD9CM()), ([["a"], ["b"]], None)):
        small = CodesTree.of(CodeSets.of(rows_, hierarchy=hierarchy))
        assert len(small.names) == (0, 1, 3)[len(small.codes)]
    listed = Tree([["401.0", "401", "V"], ["401.1", "401", "V"], ["x", "W"]])
    unlisted = CodesTree.of(CodeSets.of([["401.0", "401.9", "zz", "x"]], hierarchy=listed))
    assert (unlisted.unknown, "401" in unlisted.names) == (2, True)


def test_an_inner_node_that_is_a_code_is_told_apart_in_local_labels() -> None:
    rows = [["401.1"], ["401"], ["401.1"], ["401.2"]]
    for mechanism in (GreedyPartitioning(), LRA(parts=2), Apriori()):
        found = mechanism.protect(CodeSets.of(rows, hierarchy=ICD9CM()), [KmAnonymity(2, 2)])
        members = dict(zip(found.data.names, found.data.members, strict=True))
        assert members["401.-"] == ("401", "401.1", "401.2")
        assert members.get("401", ("401",)) == ("401",)


def test_a_patient_with_500_codes_and_patients_with_none() -> None:
    codes = ICD10CM().codes()[:4000:8]
    rows = [list(codes)] + [list(codes[i : i + 5]) for i in range(0, 400, 3)] + [[]] * 3
    data = CodeSets.of(rows, hierarchy=ICD10CM())
    for mechanism in (Apriori(), VPA(), LRA(parts=3)):
        found = mechanism.protect(data, [KmAnonymity(3, 2)])
        assert KmAnonymity(3, 2).check(found.data).ok
        assert found.data.sets.lengths[-3:].tolist() == [0, 0, 0]
    complete = GreedyPartitioning().protect(data, [CompleteKAnonymity(3)])
    assert CompleteKAnonymity(3).check(complete.data).ok
    assert complete.details.dropped_records == 0


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sets(st.integers(0, 4)), max_size=12))
def test_gray_order_is_that_of_the_gray_code(rows: Any) -> None:
    def rank(row: set[int]) -> list[int]:
        bits = [int(item in row) for item in range(5)]
        return [sum(bits[: i + 1]) % 2 for i in range(5)]

    order = gray_order(Sets.of(rows), 5).tolist()
    assert [rank(rows[i]) for i in order] == sorted(map(rank, rows))


def test_what_cannot_be_done_is_told() -> None:
    data = CodeSets.of(HYPERTENSION, hierarchy=UNDER_401)
    released = Apriori().protect(data, [KmAnonymity(2)]).data
    for mechanism in (Apriori(), VPA(), LRA(), GreedyPartitioning()):
        with pytest.raises(Infeasible, match="fewer than k = 5"):
            mechanism.protect(data, [KmAnonymity(5)])
        with pytest.raises(Infeasible, match="0 of 0 records"):
            mechanism.protect(CodeSets.of([]), [KmAnonymity(2)])
        with pytest.raises(PolicyError, match="published already"):
            mechanism.protect(released, [KmAnonymity(2)])
        with pytest.raises(PolicyError, match="cannot make privacy-policy hold"):
            mechanism.protect(data, [PrivacyPolicy([["401.0"]], 2)])
    for wrong in (lambda: Apriori(suppress=1), lambda: VPA(groups=0), lambda: LRA(parts=0)):
        with pytest.raises(ValueError, match="must be at least"):
            wrong()
    assert np.array_equal(Apriori().protect(data, []).data.sets.lengths, data.sets.lengths)
