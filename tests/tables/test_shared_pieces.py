"""Pieces: shared by k persons each, true to their trails, and nothing lost that could be shared."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.tables.engine.protection.trails.shared_pieces import shared_pieces


@settings(max_examples=500, deadline=None)
@given(trails=st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=9), k=st.integers(1, 4))
def test_every_row_is_in_one_piece_or_left(trails: list[list[int]], k: int) -> None:
    pieces, left = shared_pieces(trails, k)
    own = [Counter(rest) for rest in left]
    for piece in pieces:
        assert len(piece.persons) == len(set(piece.persons)) >= k
        for person in piece.persons:
            own[person] += Counter(piece.cells)
    assert own == [Counter(trail) for trail in trails]
    having = Counter(cell for rest in left for cell in set(rest))
    assert all(count < k for count in having.values()), "k persons still have a row of one class"


def test_who_shares_everything_is_not_cut() -> None:
    pieces, left = shared_pieces([[1, 2], [1, 2], [1, 3], [1, 3], [1]], 2)
    assert sorted((sorted(piece.cells), piece.persons) for piece in pieces) == [([1, 2], (0, 1)), ([1, 3], (2, 3))]
    assert [rest.total() for rest in left] == [0, 0, 0, 0, 1]
