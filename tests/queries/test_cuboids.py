"""Cuboids: the worked variances, choices against all choices, and least squares against a general solver."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sharewell.queries.engine.protection.cuboids import (
    choose,
    choose_within,
    columns_in,
    consistent,
    least_summed,
    size_of,
    worst_of,
)


def test_two_binary_columns_have_the_variances_of_the_paper() -> None:
    """ε = 1 and one row more or less: noise on all four has 32 each; on the largest alone 2, 4, 4 and 8."""
    everything = [0, 1, 2, 3]
    assert [2 * 4**2 * least_summed(everything, one, (2, 2)) for one in everything] == [32, 32, 32, 32]
    assert [2 * least_summed([3], one, (2, 2)) for one in everything] == [8, 4, 4, 2]
    choice = choose(everything, everything, (2, 2))
    assert (choice.sources, choice.worst) == ((3,), 4)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3, 5), (10, 10), (3, 100), (30, 40, 2)])
@pytest.mark.parametrize("power", [1, 2])
def test_the_choice_is_near_the_best_of_all(shape: tuple[int, ...], power: int) -> None:
    """Greedy cover is no worse than noise on the largest alone, and within a factor of the best of all choices."""
    cuboids = list(range(1 << len(shape)))
    best = min(
        worst_of(sources, cuboids, shape, power)
        for count in range(1, len(cuboids) + 1)
        for sources in combinations(cuboids, count)
        if cuboids[-1] in sources
    )
    choice = choose(cuboids, cuboids, shape, power)
    assert choice.worst == worst_of(choice.sources, cuboids, shape, power)
    assert best <= choice.worst <= worst_of([cuboids[-1]], cuboids, shape, power)
    assert choice.worst <= 2 * best


def test_a_limit_is_kept() -> None:
    shape, cuboids = (10, 10, 10), list(range(8))
    for limit in (1, 10, 50, 100, 400, 1000, 10_000):
        choice = choose_within(cuboids, cuboids, shape, limit)
        assert choice.worst <= limit
        assert all(
            len(choice.sources) ** 2 * least_summed(choice.sources, one, shape) <= limit for one in choice.within
        )
    assert len(choice.within) == 8
    assert choose_within(cuboids, cuboids, shape, 0.5).within == ()


@pytest.mark.parametrize(
    ("shape", "sources"), [((2, 2), [3]), ((2, 3), [3, 1]), ((2, 3, 4), [3, 6, 4]), ((2, 3, 4), [7, 7 - 1, 1, 0])]
)
def test_consistency_is_least_squares(shape: tuple[int, ...], sources: list[int]) -> None:
    draw = np.random.default_rng(3)
    noisy = {one: draw.normal(size=[shape[axis] for axis in columns_in(one, shape)]) for one in sources}
    wanted = [one for one in range(1 << len(shape)) if any(not one & ~source for source in sources)]
    rows = np.concatenate([_sums(one, shape) for one in sources])
    best, *_ = np.linalg.lstsq(rows, np.concatenate([noisy[one].ravel() for one in sources]))
    for cuboid, table in consistent(noisy, wanted, shape).items():
        assert np.allclose(table.ravel(), _sums(cuboid, shape) @ best)


def test_tables_add_up() -> None:
    shape = (2, 3)
    draw = np.random.default_rng(4)
    found = consistent({3: draw.normal(size=shape), 1: draw.normal(size=2)}, [0, 1, 2, 3], shape)
    assert np.allclose(found[3].sum(axis=1), found[1])
    assert np.allclose(found[3].sum(axis=0), found[2])
    assert np.allclose(found[2].sum(), found[0])


def _sums(cuboid: int, shape: tuple[int, ...]) -> np.ndarray:
    """The matrix that sums the cells of the largest table into those of a cuboid."""
    places = np.indices(shape).reshape(len(shape), -1)
    flat = np.zeros(places.shape[1], dtype=int)
    for axis in columns_in(cuboid, shape):
        flat = flat * shape[axis] + places[axis]
    return np.eye(size_of(cuboid, shape))[:, flat]
