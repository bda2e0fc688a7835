"""Coarser labels: what stands above the labels of a release, and records that show them."""

from __future__ import annotations

import numpy as np

from sharewell.codes import CodeSets
from sharewell.codes.utility.ncp import NCP
from sharewell.codes.wing import coarser_labels
from sharewell.hierarchy import ICD9CM

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
