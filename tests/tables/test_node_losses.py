"""Floors of losses hold: no lower node that withholds the same records, and maybe more, loses less."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from every_node import puzzle

from sharewell.tables import AlphaKAnonymity, BetaLikeness, DeltaDisclosure, KAnonymity, RecursiveLDiversity
from sharewell.tables.engine.protection.lattice.node_losses import Loss, LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes

CRITERIA = [
    KAnonymity(3),
    BetaLikeness("1/2", unit="record"),
    DeltaDisclosure(1, unit="record"),
    AlphaKAnonymity("1/2", 2, unit="record"),
    RecursiveLDiversity(2, 2, unit="record"),
]


@pytest.mark.parametrize("balance", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("loss", ["loss", "entropy", "precision", "height", "ambiguity"])
def test_no_lower_node_loses_less_than_its_floor(loss: Loss, balance: float) -> None:
    """Where values of a class have parents of different size, one of its rows does not speak for the others."""
    compared, some = 0, 0
    for seed in range(24):
        table = puzzle(seed).table
        if table.several_records:
            continue
        criterion = CRITERIA[seed % len(CRITERIA)]
        nodes = Nodes(table, [criterion], LossChoice(loss, None, None, balance, True), table.rows)
        score = cache(nodes.score)
        for node in itertools.product(*map(range, nodes.shape)):
            grouping, withheld, _ = nodes.withheld(node)
            if not withheld.least.any():
                continue
            some += bool(((withheld.least > 0) & (withheld.least < grouping.records)).any())
            floors = np.broadcast_to(nodes.loss.below(grouping, withheld.least), [level + 1 for level in node])  # type: ignore[arg-type]
            for lower in itertools.product(*(range(level + 1) for level in node)):
                assert floors[lower] <= score(lower)[0] * (1 + 1e-12) + 1e-9, (seed, node, lower)
                compared += 1
    assert compared > 100
    assert some > 10, "of no class a part is withheld at every lower node"


@pytest.mark.parametrize("loss", ["class-size", "discernibility", "ambiguity"])
def test_no_node_that_loses_as_little_withholds_more_than_is_said(loss: Loss) -> None:
    compared = 0
    for seed in range(6):
        table = puzzle(seed).table
        if table.several_records:
            continue
        nodes = Nodes(table, [KAnonymity(3)], LossChoice(loss, None, None, 0.5, True), table.rows)
        every = list(itertools.product(*map(range, nodes.shape)))
        scores = {node: nodes.score(node) for node in every}
        withheld = {node: nodes.withheld(node)[1].persons for node in every}
        for node in every:
            most = nodes.loss.most_withheld(scores[node])
            assert all(withheld[other] <= most for other in every if scores[other] <= scores[node]), (seed, node)
            compared += most < table.rows
    assert compared > 0 or loss == "class-size"
