"""Every move that the heaps give is the one that weighing all nodes anew gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from test_tree_cuts import CODES

from sharewell.codes import CodeSets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.single_labels import SingleLabels
from sharewell.codes.engine.protection.tree_cuts import TreeCut
from sharewell.hierarchy import ICD9CM


@given(
    st.lists(st.lists(st.sampled_from(CODES), max_size=6), min_size=1, max_size=14),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.booleans(),
    st.booleans(),
)
def test_the_next_move_is_the_best_of_all(
    rows: list[list[str]], k: int, suppress: float, listed: bool, below_root: bool
) -> None:
    data = CodeSets.of(rows, hierarchy=ICD9CM() if listed else None)
    tree = CodesTree.of(data)
    cut = TreeCut(tree, tree.placed(data), k, suppress)
    cut.rarities = cut._rarities(cut.shown(cut.label), 1, cut.size, 0)
    search = SingleLabels(cut, below_root)
    while (move := search.next_move()) is not None:
        assert move == cut._best(below_root)
        cut._make(*move)
        cut.rarities = cut._rarities(cut.shown(cut.label), 1, cut.size, 0)
        search.moved(*move)
    assert cut._best(below_root)[0] < 0
