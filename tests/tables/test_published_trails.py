"""Pieces and common shifts go with their rows."""

import numpy as np

from sharewell.tables.engine.published_trails import PublishedTrails


def test_rows_are_taken_with_what_stands_beside_them() -> None:
    taken = PublishedTrails(np.array([0, 1, 2]), np.array([7, 8, 9])).take(np.array([2, 0]))
    assert taken.piece.tolist() == [2, 0]
    assert taken.moved_with is not None
    assert taken.moved_with.tolist() == [9, 7]
    assert PublishedTrails(np.array([0, 1])).take(np.array([1])).moved_with is None
