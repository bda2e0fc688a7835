"""Shifted dates as an attacker reads them; the attacks themselves are tested in their own files."""

import numpy as np

from sharewell.tables.engine.attackers.shifted_dates import ShiftedColumns, persons_in, share_of


def test_intervals_and_what_stands_beside_them() -> None:
    shown = np.array([[10, 17, 30, 37]])
    columns = ShiftedColumns(5, shown, None, np.zeros_like(shown), np.array([[1, 99]]), np.zeros((1, 7), bool))
    trail = np.array([0, 0, 1, 1])
    assert len(set(columns.fingerprint(trail).tolist())) == 1
    assert len(set(columns.fingerprint(trail, [np.array([1, 2, 2, 1])]).tolist())) == 2


def test_shares_of_a_group() -> None:
    group, person = np.array([0, 0, 0, 1]), np.array([4, 4, 5, 5])
    assert share_of(group, person).tolist() == [2 / 3, 2 / 3, 1 / 3, 1.0]
    assert persons_in(group, person).tolist() == [2, 2, 2, 1]
