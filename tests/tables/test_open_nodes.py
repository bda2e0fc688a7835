"""Nodes of a lattice: what looks tell about others closes them, or raises their floors."""

from __future__ import annotations

import numpy as np

from sharewell.tables.engine.protection.lattice.open_nodes import SHARES, Lattice, NodeAssessment

SHAPE = (3, 4)
FLOORS = np.add.outer(np.arange(3.0), np.arange(4.0))


def opened(lattice: Lattice) -> list[list[int]]:
    return [list(lattice.node(number)) for number in np.flatnonzero(lattice.open).tolist()]


def test_where_too_much_is_withheld_below_all_lower_nodes_are_closed() -> None:
    lattice = Lattice(SHAPE, [FLOORS])
    lattice.learn(int(np.ravel_multi_index((1, 2), SHAPE)), NodeAssessment(False, None, True, False))
    assert opened(lattice) == [[0, 3], [1, 3], [2, 0], [2, 1], [2, 2], [2, 3]]


def test_floors_that_a_look_raises_close_lower_nodes_that_lose_more_than_the_best() -> None:
    lattice = Lattice(SHAPE, [FLOORS])
    lattice.limit(((3.0,), 3, (0, 3)))
    top = int(np.ravel_multi_index((2, 3), SHAPE))
    lattice.learn(top, NodeAssessment(True, (9.0,), False, True, floors_below=lambda: FLOORS + 1.5))
    assert opened(lattice) == [[0, 0], [0, 1], [1, 0]]


def test_a_node_is_closed_by_the_least_share_whose_withholding_loses_more_than_the_best() -> None:
    lattice = Lattice(SHAPE, [FLOORS], usual_losses=lambda share: FLOORS + 8 * share)
    lattice.limit(((3.0,), 3, (0, 3)))
    shares = [[SHARES[place] for place in row] for row in lattice.closing_shares().reshape(SHAPE).tolist()]
    assert shares[0] == [1 / 2, 1 / 3, 1 / 5, 1 / 16]
    assert shares[2][2:] == [1 / 16, 1 / 16]


def test_without_a_best_node_only_too_much_withheld_closes() -> None:
    lattice = Lattice(SHAPE, [FLOORS], usual_losses=lambda share: FLOORS + 8 * share)
    assert set(lattice.closing_shares().tolist()) == {len(SHARES) - 1}
