"""Ambiguity: the definition, cell by cell; its floors; and the search that finds the least of it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from every_node import puzzle

from sharewell.tables import BetaLikeness, KAnonymity, OptimalRecoding
from sharewell.tables.engine.protection.lattice import ambiguity, rollup
from sharewell.tables.engine.protection.lattice.node_losses import LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes
from sharewell.tables.engine.protection.lattice.rollup import Node

CHOICE = LossChoice("ambiguity", None, None, 0.5, True)


def by_definition(nodes: Nodes, node: Node) -> int:
    """Row by row, in whole numbers."""
    kept, _ = nodes.kept(node)
    published = set(kept.tolist())
    total = 0
    for row in range(nodes.table.rows):
        cells = [
            int(ladder.leaves[level][ladder.column.codes[row]]) if row in published else ladder.domain
            for ladder, level in zip(nodes.ladders, node, strict=True)
        ]
        total += math.prod(cells)
    return total


@pytest.mark.parametrize("exact", [True, False])
def test_it_is_the_sum_of_combinations_and_no_higher_node_is_below_its_floor(
    exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ambiguity, "_EXACT", 2**53 if exact else 0)
    raised = exceeded = 0
    for seed in range(12):
        table = puzzle(seed).table
        nodes = Nodes(table, [KAnonymity(3)], CHOICE, table.persons)
        every = list(itertools.product(*map(range, nodes.shape)))
        losses = {node: by_definition(nodes, node) for node in every}
        for node in every:
            grouping, withheld, _ = nodes.withheld(node)
            assert nodes.score(node) == (float(losses[node]),)
            floor = nodes.loss.above(grouping)
            assert floor is not None
            assert all(floor <= losses[other] for other in every if np.greater_equal(other, node).all())
            raised += floor > table.rows
            records = int(grouping.records[withheld.failing].sum())
            assert not nodes.loss.exceeds(losses[node], node, records)
            exceeded += nodes.loss.exceeds(losses[node] / 4, node, records)
    assert raised
    assert exceeded


@pytest.mark.parametrize("large", [10**9, 0])
def test_the_search_finds_the_least(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollup, "_LARGE", large)
    pytest.importorskip("numba")
    found = 0
    for seed, criterion in itertools.product(range(8), [KAnonymity(3), BetaLikeness("1/2", unit="record")]):
        table = puzzle(seed).table
        nodes = Nodes(table, [criterion], CHOICE, table.persons // 2)
        fits = [node for node in itertools.product(*map(range, nodes.shape)) if nodes.look(node, math.inf).fits]
        if fits:
            details = OptimalRecoding(suppress=0.5, loss="ambiguity").protect(table, [criterion]).details
            assert details.loss == min(by_definition(nodes, node) for node in fits)
            assert details.proven
            found += 1
    assert found > 5
