"""Rows that may stand for one true row: each of their cells covers the true value."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.joint.engine import row_covers
from sharewell.joint.engine.row_covers import CannotTell, cannot_tell, covering_rows
from sharewell.protocols import PersonFacts

COVERS = {"type": [np.array([0, 1]), np.array([2])], "year": [np.array([0]), np.array([0, 1])]}
CELLS = {"type": np.array([0, 1, 2, 1]), "year": np.array([0, 1, 0, 0])}
FACTS = PersonFacts(list("abcd"), CELLS, ("type", "year"), cell_covers=COVERS.get)


def test_rows_stand_for_one_row_where_they_overlap_in_every_column() -> None:
    found = covering_rows(FACTS, ["type", "year"], np.arange(4))
    assert [one.tolist() for one in found] == [[0, 1, 3], [0, 3]]


def test_what_nobody_can_tell_or_takes_too_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotTell):
        covering_rows(FACTS, ["ward"], np.arange(4))
    with pytest.raises(CannotTell):
        cannot_tell()
    monkeypatch.setattr(row_covers, "MOST_SETS", 1)
    with pytest.raises(CannotTell):
        covering_rows(FACTS, ["type", "year"], np.arange(4))
