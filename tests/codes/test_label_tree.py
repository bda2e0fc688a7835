"""Coarser labels: what stands above the labels of a release, and records that show them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.codes.engine import code_tree, label_tree
from sharewell.codes.engine.label_tree import LabelTree
from sharewell.codes.utility.ncp import NCP
from sharewell.codes.wing import coarser_labels
from sharewell.hierarchy import ICD9CM
from sharewell.hierarchy.systems import Systems

SHOWN = CodeSets.of(
    [["401.1", "250.00"], ["401.9"], ["(401.1,401.9)"]], hierarchy=ICD9CM(), published=True, persons=["a", "b", "c"]
)


def test_a_label_that_is_no_node_hangs_below_the_node_that_covers_it() -> None:
    tree = SHOWN.coarser
    for number, members in enumerate(SHOWN.members):
        above = int(tree.parent[number])
        while above >= 0:
            assert set(members) <= set(tree.members[above])
            assert tree.loss[above] > tree.loss[number] or len(members) == len(tree.members[above])
            above = int(tree.parent[above])
    pair = SHOWN.names.index("(401.1,401.9)")
    assert tree.members[pair] == ("401.1", "401.9")


def test_some_occurrences_become_coarser_and_others_go() -> None:
    data = CodeSets.of([["401.1", "250.00"], ["401.9"]], hierarchy=ICD9CM(), published=True, persons=["a", "b"])
    tree = data.coarser
    nodes, removed = np.full(3, -1), np.zeros(3, bool)
    for i, item in enumerate(data.sets.items.tolist()):
        name = data.names[item]
        nodes[i] = tree.parent[item] if name.startswith("401") else -1
        removed[i] = name == "250.00"
    left = data.coarsened(nodes, removed)
    assert left.names == ("401",)
    assert left.members == (("401.1", "401.9"),)
    assert left.sets.lengths.tolist() == [1, 1]
    before = CodeSets.of([["401.1", "250.00"], ["401.9"]], persons=["a", "b"])
    assert NCP().score(before, left).value == (2 * 2 / 3 + 1) / 3


def test_without_a_classification_nothing_is_coarser() -> None:
    assert coarser_labels(CodeSets.of([["a"], ["b"]], published=True, persons=["x", "y"])) is None


def test_whoever_is_withheld_shows_no_code() -> None:
    before = CodeSets.of([["401.1"], ["250.00"]], persons=["a", "b"])
    after = CodeSets.of([["250.00"]], published=True, persons=["b"])
    assert NCP().score(before, after).value == 0.5


CODES = ["401.1", "401.9", "250.00", "250.01", "427.31", "999.zz"]


@given(st.lists(st.lists(st.sampled_from(CODES), max_size=4), min_size=1, max_size=4), st.data())
def test_a_remembered_tree_is_the_one_that_would_be_made(rows: list[list[str]], data: st.DataObject) -> None:
    classification = data.draw(st.sampled_from([ICD9CM(), None, Systems({"ICD9": ICD9CM()})]))
    shown = CodeSets.of(rows, hierarchy=classification, published=True)
    first = LabelTree.of(shown)
    again = LabelTree.of(shown)
    label_tree._remembered.cache_clear()
    code_tree._remembered.cache_clear()
    anew = LabelTree.of(shown)
    for one in (first, again):
        assert (one.names, one.members) == (anew.names, anew.members)
        assert one.parent.tolist() == anew.parent.tolist()
        assert one.loss.tolist() == anew.loss.tolist()
