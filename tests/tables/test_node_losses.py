"""Floors of losses hold: no lower node that withholds the same records, and maybe more, loses less."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from every_node import puzzle

from sharewell.tables import KAnonymity
from sharewell.tables.engine.protection.lattice.node_losses import Loss, LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes


@pytest.mark.parametrize("balance", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("loss", ["loss", "entropy", "precision", "height"])
def test_no_lower_node_loses_less_than_its_floor(loss: Loss, balance: float) -> None:
    """Where values of a class have parents of different size, one of its rows does not speak for the others."""
    compared = 0
    for seed in range(12):
        table = puzzle(seed).table
        if table.several_records:
            continue
        nodes = Nodes(table, [KAnonymity(3)], LossChoice(loss, None, None, balance, True), table.rows)
        for node in itertools.product(*map(range, nodes.shape)):
            grouping, withheld, _ = nodes.withheld(node)
            if not len(withheld.certain):
                continue
            floors = np.broadcast_to(nodes.loss.below(grouping, withheld.certain), [level + 1 for level in node])  # type: ignore[arg-type]
            for lower in itertools.product(*(range(level + 1) for level in node)):
                assert floors[lower] <= nodes.score(lower)[0] + 1e-9, (seed, node, lower)
                compared += 1
    assert compared > 100
