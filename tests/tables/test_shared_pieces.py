"""Pieces: shared by k persons each, true to their trails, and nothing lost that could be shared."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.tables.engine.protection.trails.shared_pieces import shared_pieces


@settings(max_examples=600, deadline=None)
@given(
    trails=st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=9),
    k=st.integers(1, 4),
    prefer=st.sampled_from(["rows", "trails"]),
)
def test_every_row_is_in_one_piece_or_left(trails: list[list[int]], k: int, prefer: Any) -> None:
    pieces, left = shared_pieces(trails, k, prefer)
    own = [Counter(rest) for rest in left]
    for piece in pieces:
        assert len(piece.persons) == len(set(piece.persons)) >= k
        for person in piece.persons:
            own[person] += Counter(piece.cells)
    assert own == [Counter(trail) for trail in trails]
    having = Counter(cell for rest in left for cell in set(rest.elements()))
    assert all(count < k for count in having.values()), "k persons still have a row of one class"
    for cell in {cell for trail in trails for cell in trail} if prefer == "rows" else ():
        rows = [trail.count(cell) for trail in trails]
        if sum(rows) >= k * max(rows):
            assert not any(rest[cell] for rest in left), "a row was withheld although nobody owns too many of its class"


def test_who_shares_everything_is_not_cut() -> None:
    pieces, left = shared_pieces([[1, 2], [1, 2], [1, 3], [1, 3], [1]], 2, "trails")
    assert sorted((sorted(piece.cells), piece.persons) for piece in pieces) == [([1, 2], (0, 1)), ([1, 3], (2, 3))]
    assert [rest.total() for rest in left] == [0, 0, 0, 0, 1]


def test_a_row_is_taken_out_of_a_longer_piece_for_who_has_it_alone() -> None:
    pieces, left = shared_pieces([[1, 2], [1, 2], [1, 3], [1, 3], [1]], 2)
    assert sorted((piece.cells, piece.persons) for piece in pieces) == [
        ((1,), (0, 1, 4)),
        ((1, 3), (2, 3)),
        ((2,), (0, 1)),
    ]
    assert not any(rest.total() for rest in left)
