"""A cut of the tree of codes: labels alone are settled by heaps, and come to what weighing all nodes anew does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.tree_cuts import TreeCut
from sharewell.hierarchy import ICD9CM

CODES = ["401.0", "401.1", "401.9", "250.00", "250.01", "250.02", "427.31", "427.32", "428.0", "038.9", "999.zz"]


class _CountedAnew(TreeCut):
    """Counts the rare labels of all records after every move."""

    def _settle_best(self, size: int, below_root: bool) -> bool:
        expected = self._rarities(self.shown(self.label), size, self.size, 0)
        assert self.rarities.tolist() == expected.tolist()
        return super()._settle_best(size, below_root)

    def _settle_single(self, below_root: bool) -> None:
        while self._settle_best(1, below_root):
            self.moves += 1


@given(
    st.lists(st.lists(st.sampled_from(CODES), max_size=6), min_size=1, max_size=14),
    st.integers(1, 5),
    st.integers(1, 2),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.booleans(),
    st.booleans(),
)
def test_moves_are_those_of_weighing_all_nodes_and_counting_anew(
    rows: list[list[str]], k: int, most: int, suppress: float, listed: bool, below_root: bool
) -> None:
    data = CodeSets.of(rows, hierarchy=ICD9CM() if listed else None)
    tree = CodesTree.of(data)
    quick, plain = (one(tree, tree.placed(data), k, suppress) for one in (TreeCut, _CountedAnew))
    quick.settle(most, below_root)
    plain.settle(most, below_root)
    assert quick.label.tolist() == plain.label.tolist()
    assert quick.node.tolist() == plain.node.tolist()
    assert (quick.withheld, quick.moves, quick.spare) == (plain.withheld, plain.moves, plain.spare)
    assert quick.rarities.tolist() == plain.rarities.tolist()
    assert below_root or not quick.rarities.any()
