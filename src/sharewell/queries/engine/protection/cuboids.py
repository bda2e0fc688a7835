"""Cuboids of a data cube: which of them to count with noise, and how all of them are made to add up.

A cuboid is a set of columns; its table sums over all others. Cuboids are numbers here, with a bit for every column.

>>> choose([0, 1, 2, 3], [0, 1, 2, 3], (2, 2)).sources, choose([0, 1, 2, 3], [0, 1, 2, 3], (2, 2)).worst
((3,), 4)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """The cuboids that get noise."""

    sources: tuple[int, ...]
    worst: int
    """The largest variance of a published cuboid, over that of one count: s² (or s) times the cells summed."""
    within: tuple[int, ...]
    """The cuboids that can be published: all, or those within the limit."""


def columns_in(cuboid: int, shape: Sequence[int]) -> list[int]:
    return [axis for axis in range(len(shape)) if cuboid >> axis & 1]


def size_of(cuboid: int, shape: Sequence[int]) -> int:
    return math.prod(shape[axis] for axis in columns_in(cuboid, shape))


def summed(source: int, cuboid: int, shape: Sequence[int]) -> int | None:
    """How many cells of the source are added up for one of the cuboid; None where it cannot be derived."""
    return None if cuboid & ~source else size_of(source & ~cuboid, shape)


def choose(wanted: Sequence[int], possible: Sequence[int], shape: Sequence[int], power: int = 2) -> Choice:
    """Cuboids that keep the worst variance small: the best number s of them, each set by greedy cover.

    With s noisy cuboids the budget is split s ways, and a cuboid has s² · (cells summed) times the variance of one
    count, or s · (cells summed) with a budget in ρ: `power` says which. For every s the smallest limit is sought under
    which a greedy choice of at most s covers all that are wanted.
    """
    best: Choice | None = None
    ratios = _ratios(wanted, possible, shape)
    limits = np.unique(ratios[np.isfinite(ratios)])
    for count in range(1, len(wanted) + 1):
        if best is not None and count**power >= best.worst:
            break
        low, high, result = 0, len(limits) - 1, None
        while low <= high:
            middle = (low + high) // 2
            places, covered = _greedy(ratios <= limits[middle], count)
            if covered.all():
                result, high = places, middle - 1
            else:
                low = middle + 1
        if result is not None:
            sources = tuple(possible[place] for place in result)
            worst = worst_of(sources, wanted, shape, power)
            if best is None or worst < best.worst:
                best = Choice(sources, worst, tuple(wanted))
    if best is None:
        raise ValueError("no cuboid from which all others can be derived is small enough")
    return best


def choose_within(
    wanted: Sequence[int], possible: Sequence[int], shape: Sequence[int], limit: float, power: int = 2
) -> Choice:
    """Cuboids from which as many as possible are within a limit of s² (or s) times the cells summed, greedily."""
    best = Choice((), 0, ())
    ratios = _ratios(wanted, possible, shape)
    for count in range(1, len(wanted) + 1):
        places, covered = _greedy(ratios <= limit / count**power, count)
        if not places:
            break
        if covered.sum() > len(best.within):
            sources = tuple(possible[place] for place in places)
            within = tuple(one for one, is_covered in zip(wanted, covered, strict=True) if is_covered)
            best = Choice(sources, worst_of(sources, within, shape, power), within)
    return best


def worst_of(sources: Sequence[int], wanted: Sequence[int], shape: Sequence[int], power: int = 2) -> int:
    return int(len(sources) ** power) * max(least_summed(sources, cuboid, shape) for cuboid in wanted)


def least_summed(sources: Sequence[int], cuboid: int, shape: Sequence[int]) -> int:
    """How many cells are summed from the nearest source; there must be one."""
    return min(n for source in sources if (n := summed(source, cuboid, shape)) is not None)


def _ratios(wanted: Sequence[int], possible: Sequence[int], shape: Sequence[int]) -> Floats:
    """Sources × wanted cuboids: the cells to sum, infinite where the one cannot be derived from the other."""
    results = [[math.inf if (n := summed(a, b, shape)) is None else float(n) for b in wanted] for a in possible]
    return np.array(results, dtype=np.float64)


def _greedy(reach: NDArray[np.bool_], count: int) -> tuple[list[int], NDArray[np.bool_]]:
    """At most this many sources, each covering the most of what is not yet covered; what is covered then."""
    covered = np.zeros(reach.shape[1], dtype=bool)
    places: list[int] = []
    while not covered.all() and len(places) < count:
        gain = (reach & ~covered).sum(axis=1)
        place = int(gain.argmax())
        if not gain[place]:
            break
        places.append(place)
        covered |= reach[place]
    return places, covered


def consistent(noisy: Mapping[int, Floats], wanted: Sequence[int], shape: Sequence[int]) -> dict[int, Floats]:
    """Tables of all wanted cuboids that add up to each other, nearest to the noisy ones by least squares.

    A table is the sum of effects, one for every set of its columns: what these columns say beyond any smaller set of
    them. Effects are orthogonal, so that least squares takes each by itself: the mean of what the noisy tables say of
    it, each weighted by one over the cells that it had to sum.
    """
    effects: dict[int, Floats] = {}
    parts = {part for cuboid in wanted for part in range(cuboid + 1) if not part & ~cuboid}
    for part in parts:
        total, weight = np.zeros([shape[axis] for axis in columns_in(part, shape)]), 0.0
        for source, table in noisy.items():
            cells = summed(source, part, shape)
            if cells is not None:
                total = total + _centred(_rolled_up(table, source, part, shape)) / cells
                weight += 1 / cells
        effects[part] = total / weight
    return {cuboid: _table(effects, cuboid, shape) for cuboid in wanted}


def _rolled_up(table: Floats, source: int, cuboid: int, shape: Sequence[int]) -> Floats:
    away = tuple(i for i, axis in enumerate(columns_in(source, shape)) if not cuboid >> axis & 1)
    result: Floats = table.sum(axis=away)
    return result


def _centred(table: Floats) -> Floats:
    for axis in range(table.ndim):
        table = table - table.mean(axis=axis, keepdims=True)
    return table


def _table(effects: Mapping[int, Floats], cuboid: int, shape: Sequence[int]) -> Floats:
    axes = columns_in(cuboid, shape)
    result: Floats = np.zeros([shape[axis] for axis in axes])
    for part, effect in effects.items():
        if not part & ~cuboid:
            spread = [shape[axis] if part >> axis & 1 else 1 for axis in axes]
            result = result + effect.reshape(spread) / size_of(cuboid & ~part, shape)
    return result
