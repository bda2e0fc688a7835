"""Tables at random: refused, or a tree that obeys the laws."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.hierarchy import Tree

LEAVES = st.sampled_from("abcd")
GROUPS = st.sampled_from([*"abpqrs", "*", ""])
TABLES = st.lists(st.builds(lambda leaf, above: [leaf, *above], LEAVES, st.lists(GROUPS, max_size=3)), max_size=7)


@given(TABLES)
@example([["a", "p", "p", "q", "*"], ["b", "p", "q", "q", "*"], ["c", "r", "q", "q", "*"], ["d", "s", "q", "q", "*"]])
@settings(max_examples=300, deadline=None)
def test_a_table_is_refused_or_obeys_the_laws(rows: list[list[str]]) -> None:
    """Nodes cover runs, levels nest, one label is one node, and the labels are those of the table."""
    try:
        tree = Tree(rows, on_gap="root")
    except DataError:
        assume(False)
    listed = {row[0] for row in rows}
    assert set(tree.leaves) == listed
    labels = {label for leaf in tree.leaves for label in tree.chain(leaf)}
    levels = tree.compile([*labels, "elsewhere"])
    above: dict[str, tuple[str, ...]] = {}
    for position, value in enumerate(levels.values):
        chain = tree.chain(value)
        column = [levels.labels[n] for n in levels.nodes[:, position]]
        assert list(dict.fromkeys(column)) == list(dict.fromkeys(chain))
        unique = tuple(dict.fromkeys(chain))
        for i, label in enumerate(unique):
            assert above.setdefault(label, unique[i:]) == unique[i:]
    for lower, upper in pairwise(levels.nodes):
        assert len({*zip(lower.tolist(), upper.tolist(), strict=True)}) == len(np.unique(lower))
    for row in levels.nodes:
        assert 1 + np.count_nonzero(row[1:] != row[:-1]) == len(np.unique(row))
    assert levels.domain == len(listed) + 1
    assert (np.diff(levels.leaves[levels.nodes], axis=0) >= 0).all()


@given(st.integers(1, 40), st.lists(st.integers(2, 4), min_size=1, max_size=3))
def test_a_regular_tree_keeps_its_file(size: int, factors: list[int]) -> None:
    """A well-formed file comes back as it was written: order, chains and levels."""
    rows = []
    for leaf in range(size):
        row, number = [f"v{leaf}"], leaf
        for level, factor in enumerate(factors):
            number //= factor
            row.append(f"{'xyz'[level]}{number}")
        rows.append([*row, "*"])
    tree = Tree(rows)
    levels = tree.compile([row[0] for row in reversed(rows)])
    assert levels.values == tuple(row[0] for row in rows)
    assert [[levels.labels[n] for n in column] for column in levels.nodes.T] == rows
