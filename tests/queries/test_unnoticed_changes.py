"""Changes that no answer notices: drawn evenly, exact, and cut with the cells."""

from __future__ import annotations

import numpy as np

from sharewell.queries.engine.unnoticed_changes import UnnoticedChanges


def test_every_told_sum_of_every_change_is_zero_also_after_cells_are_cut() -> None:
    draw = np.random.default_rng(3)
    changes, sets = UnnoticedChanges(30), []
    for _ in range(12):
        members = draw.random(30) < 0.5
        parents = changes.refine(members.astype(np.int64))
        sets = [told[parents] for told in sets]
        told = np.zeros(len(changes.cells.sizes), bool)
        told[changes.cells.of[members]] = True
        sets.append(told)
        changes = changes.after(told) or changes
        assert all((changes.rows[:, one].sum(axis=1) % changes.prime == 0).all() for one in sets)
        assert changes.cells.sizes.sum() == 30


def test_a_sum_that_follows_from_others_is_nothing_new() -> None:
    changes = UnnoticedChanges(9)
    changes.refine(np.array([0] * 3 + [1] * 3 + [2] * 3))
    for told in ([True, False, False], [False, True, False]):
        after = changes.after(np.array(told))
        assert after is not None
        changes = after
    assert changes.after(np.array([True, True, False])) is None
    assert changes.after(np.array([True, True, True])) is not None


def test_equations_among_one_two_and_three_cells_are_found() -> None:
    """a + b + c and c + d + e … of single people: what is left over decides."""
    for told, fewer_than, found in (
        ([[1, 1, 1, 0, 0]], 3, False),
        ([[1, 1, 1, 0, 0]], 4, True),
        ([[1, 1, 1, 1, 0], [1, 1, 0, 0, 0]], 3, True),
        ([[1, 1, 1, 0, 0], [0, 0, 1, 1, 1]], 2, False),
        ([[1, 1, 0, 0, 1], [1, 0, 1, 0, 1], [0, 1, 1, 0, 1]], 2, False),
        ([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 1, 0, 0]], 2, True),
    ):
        changes = UnnoticedChanges(5)
        changes.refine(np.arange(5))
        for one in told:
            changes = changes.after(np.array(one, bool)) or changes
        assert changes.isolates(fewer_than) is found, told
