"""A cut of the tree of codes: a label alone is counted by its own records, and comes to what counting anew does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.codes.engine.code_tree import CodesTree
from sharewell.codes.engine.protection.tree_cuts import TreeCut
from sharewell.hierarchy import ICD9CM

CODES = ["401.0", "401.1", "401.9", "250.00", "250.01", "250.02", "427.31", "038.9", "999.zz"]


class _CountedAnew(TreeCut):
    """Counts the rare labels of all records after every move."""

    def _settle_best(self, size: int, below_root: bool) -> bool:
        expected = self._rarities(self.shown(self.label), size, self.size, 0)
        assert self.rarities.tolist() == expected.tolist()
        return super()._settle_best(size, below_root)


@given(
    st.lists(st.lists(st.sampled_from(CODES), max_size=5), min_size=1, max_size=9),
    st.integers(1, 4),
    st.integers(1, 2),
    st.sampled_from([0.0, 0.3]),
    st.booleans(),
)
def test_rare_labels_are_those_that_counting_anew_finds(
    rows: list[list[str]], k: int, most: int, suppress: float, listed: bool
) -> None:
    data = CodeSets.of(rows, hierarchy=ICD9CM() if listed else None)
    tree = CodesTree.of(data)
    cut = _CountedAnew(tree, tree.placed(data), k, suppress)
    cut.settle(most)
    assert not cut.rarities.any()
