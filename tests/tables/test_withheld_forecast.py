"""Forecasts of what nodes withhold: they learn terms of columns, and bring looks in an order that closes more."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sharewell.tables.engine.array_types import Floats
from sharewell.tables.engine.protection.lattice.open_nodes import Lattice, NodeAssessment
from sharewell.tables.engine.protection.lattice.search import search
from sharewell.tables.engine.protection.lattice.withheld_forecast import WithheldForecast

SHAPE = (4, 3, 5)
NONE = np.zeros(60, dtype=bool)


def test_sums_of_terms_are_learnt_from_a_part_of_the_nodes() -> None:
    draw = np.random.default_rng(1)
    terms = [np.sort(draw.normal(size=size))[::-1] * 2 for size in SHAPE]
    excess = {node: sum(term[level] for term, level in zip(terms, node, strict=True)) for node in np.ndindex(SHAPE)}
    forecast = WithheldForecast(SHAPE)
    for node in draw.permutation(list(np.ndindex(SHAPE)))[:30].tolist():
        forecast.observe(node, excess[tuple(node)])
    for _ in range(5):
        chances = forecast.chances(NONE).tolist()
    right = [(chance > 0.5) == (excess[node] > 0) for node, chance in zip(np.ndindex(SHAPE), chances, strict=True)]
    assert sum(right) >= 0.95 * len(right)


def test_without_looks_nothing_is_more_likely_than_its_contrary() -> None:
    assert set(WithheldForecast(SHAPE).chances(NONE).tolist()) == {0.5}


def test_far_from_what_may_be_withheld_chances_stay_between_0_and_1() -> None:
    forecast, none = WithheldForecast((2,)), np.zeros(2, dtype=bool)
    forecast.observe((0,), 1e6)
    forecast.observe((1,), -1e6)
    for _ in range(50):
        chances = forecast.chances(none)
    assert np.isfinite(chances).all()
    assert chances.tolist() == sorted(chances.tolist(), reverse=True)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("misled", [False, True])
def test_misleading_usual_losses_change_neither_the_best_node_nor_the_proof(seed: int, misled: bool) -> None:
    """Every node fits, and looks close others by floors alone; which ones, is forecast, maybe from wrong losses."""
    draw = np.random.default_rng(seed)
    first, second, third = (np.cumsum(draw.integers(0, 3, size)) for size in SHAPE)
    floors = np.add.outer(np.add.outer(first, second), third).astype(np.float64)
    withheld = draw.integers(0, 9, SHAPE)
    for axis in range(3):
        withheld = np.flip(np.maximum.accumulate(np.flip(withheld), axis=axis))
    losses = floors + withheld
    ranks = [((float(losses[node]),), sum(node), node) for node in np.ndindex(SHAPE)]

    def look(node: tuple[int, ...], worst: float | None, wants_bounds: bool) -> NodeAssessment:
        score = (float(losses[node]),) if worst is not None else None
        below = floors[tuple(slice(level + 1) for level in node)] + withheld[node]
        excess = draw.normal() * 9 if misled else math.log((withheld[node] + 1) / 10)
        return NodeAssessment(True, score, False, True, None, lambda: below, excess)

    def usual(share: float) -> Floats:
        return np.asarray(draw.random(SHAPE) * 20 if misled else floors + share * 9)

    result = search(Lattice(SHAPE, [floors], False, usual), look)
    assert result.proven
    assert (result.score, result.node) == (min(ranks)[0], min(ranks)[2])


@pytest.mark.parametrize("seed", range(40))
def test_misleading_looks_change_neither_the_best_node_nor_the_proof(seed: int) -> None:
    """What looks tell the forecast is arbitrary here; what they tell the search is true."""
    draw = np.random.default_rng(seed)
    first, second, third = (np.cumsum(draw.integers(0, 3, size)) for size in SHAPE)
    floors = np.add.outer(np.add.outer(first, second), third).astype(np.float64)
    losses, withheld = floors + draw.integers(0, 4, SHAPE), draw.integers(0, 9, SHAPE)
    for axis in range(3):
        withheld = np.flip(np.maximum.accumulate(np.flip(withheld), axis=axis))
    fits = withheld <= 7
    ranks = [((float(losses[node]),), sum(node), node) for node in np.ndindex(SHAPE) if fits[node]]

    def look(node: tuple[int, ...], worst: float | None, wants_bounds: bool) -> NodeAssessment:
        score = (float(losses[node]),) if fits[node] and worst is not None else None
        return NodeAssessment(bool(fits[node]), score, not fits[node], bool(fits[node]), excess=draw.normal() * 9)

    result = search(Lattice(SHAPE, [floors]), look)
    assert result.proven
    assert (result.score, result.node) == ((min(ranks)[0], min(ranks)[2]) if ranks else ((), None))
    assert result.checked <= math.prod(SHAPE)


@pytest.mark.parametrize("seed", range(40))
def test_misleading_looks_without_known_floors_change_neither_the_best_node_nor_the_proof(seed: int) -> None:
    """Floors are told by looks, above and below, and are true; what helps the forecast alone is arbitrary."""
    draw = np.random.default_rng(seed)
    losses = 1.0 + np.cumsum(np.cumsum(np.cumsum(draw.integers(0, 3, SHAPE), axis=0), axis=1), axis=2)
    losses += draw.integers(0, 4, SHAPE)
    withheld = draw.integers(0, 9, SHAPE)
    for axis in range(3):
        withheld = np.flip(np.maximum.accumulate(np.flip(withheld), axis=axis))
    fits = withheld <= 7
    ranks = [((float(losses[node]),), sum(node), node) for node in np.ndindex(SHAPE) if fits[node]]

    def look(node: tuple[int, ...], worst: float | None, wants_bounds: bool) -> NodeAssessment:
        score = (float(losses[node]),) if fits[node] and worst is not None else None
        floor_above = float(losses[tuple(slice(level, None) for level in node)].min())
        floor_below = float(losses[tuple(slice(level + 1) for level in node)].min())
        excess, room = draw.normal() * 9, draw.normal()
        fit = bool(fits[node])
        return NodeAssessment(fit, score, not fit, fit, floor_above, lambda: floor_below, excess, room)

    result = search(Lattice(SHAPE, None), look)
    assert result.proven
    assert (result.score, result.node) == ((min(ranks)[0], min(ranks)[2]) if ranks else ((), None))


def test_a_shift_moves_what_was_observed() -> None:
    forecast, shifted = WithheldForecast((2,)), WithheldForecast((2,))
    for node, excess in (((0,), 3.0), ((1,), 1.0)):
        forecast.observe(node, excess)
        shifted.observe(node, excess - 2)
    none = np.zeros(2, dtype=bool)
    for _ in range(50):
        moved, same = forecast.chances(none, -2.0), shifted.chances(none)
    assert moved == pytest.approx(same, abs=1e-6)
