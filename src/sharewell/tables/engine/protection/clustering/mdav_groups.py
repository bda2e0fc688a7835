"""MDAV's grouping on whole numbers: points far from the centre gather their nearest neighbours.

Everything is counted in integers, so that the compiled twin forms the same groups on every machine. A point is a row of
`points` (numbers, on a grid of 1/65536 of a standard deviation) and of `names` (categories as codes, each with the
weight of being different). Equal distances go to the point that stands first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sharewell.compiled import numba_or_numpy
from sharewell.tables.engine.array_types import Floats, Indices, Ints

GRID = 2**16
WIDEST = 2**26
"""Grid points from the mean beyond which a value counts as this far: squares and their sums must fit 63 bits."""
_LARGE = 2_000
"""Number of points from which the compiled twin is faster, its loading included."""


class Points(NamedTuple):
    """What is grouped: numbers and categories, a row a point, and what each category weighs if it differs."""

    points: Ints
    names: Ints
    weights: Ints


def standardised(values: Floats) -> Ints:
    """A column on the grid: mean 0, standard deviation 65536; missing values stand at the mean."""
    known = ~np.isnan(values)
    if not known.any():
        return np.zeros(len(values), dtype=np.int64)
    spread = values[known].std()
    scaled = (np.where(known, values, values[known].mean()) - values[known].mean()) / (spread if spread > 0 else 1.0)
    grid: Ints = np.clip(np.rint(scaled * GRID), -WIDEST, WIDEST).astype(np.int64)
    return grid


def mismatch_weight(codes: Ints) -> int:
    """The squared distance of two different categories, so that random points are as far as in a numeric column."""
    shares = np.bincount(codes) / max(1, len(codes))
    different = 1 - float((shares**2).sum())
    return round(2 * GRID**2 / different) if different > 1e-12 else 0


def grouped(points: Ints, names: Ints, weights: Ints, k: int, block: int) -> Ints:
    """The group of each point; every group has k to 2k − 1 points, or all of them if there are fewer than 2k.

    More than `block` points are first cut at the median of the widest column, again and again.
    """
    group = np.empty(len(points), dtype=np.int64)
    count = 0
    for part in _blocks(points, np.arange(len(points)), max(block, 2 * k)):
        numbers = _one_block(points[part], names[part], weights, k)
        group[part] = count + numbers
        count += int(numbers.max(initial=-1)) + 1
    return group


def _blocks(points: Ints, rows: Indices, most: int) -> list[Indices]:
    """Halve at the median of the widest numeric column; without one, halve in the order of content."""
    if len(rows) <= most:
        return [rows]
    half, line = len(rows) // 2, rows
    if points.shape[1]:
        widest = int(points[rows].astype(np.float64).std(axis=0).argmax())
        line = rows[np.argsort(points[rows, widest], kind="stable")]
    return [*_blocks(points, np.sort(line[:half]), most), *_blocks(points, np.sort(line[half:]), most)]


def _one_block(points: Ints, names: Ints, weights: Ints, k: int) -> Ints:
    form = numba_or_numpy(
        len(points) >= _LARGE, "sharewell.tables.engine.protection.clustering.mdav_kernel:form", form_twin
    )
    group: Ints = form(Points(np.ascontiguousarray(points), np.ascontiguousarray(names), weights), k)
    return group


def form_twin(data: Points, k: int) -> Ints:
    """MDAV in numpy. O(n² / k) steps of one point each."""
    points, names, weights = data
    group = np.full(len(points), -1, dtype=np.int64)
    left = np.arange(len(points))
    count = 0

    def gather(seed: int, left: Indices) -> Indices:
        """The seed's group, closed; what is left without it."""
        nonlocal count
        distance = _distance(points[left], names[left], points[seed], names[seed], weights)
        distance[left == seed] = -1
        nearest = np.argsort(distance, kind="stable")[:k]
        group[left[nearest]] = count
        count += 1
        return np.delete(left, nearest)

    while len(left) >= 2 * k:
        centre = points[left].sum(axis=0) // len(left)
        usual = np.array([np.bincount(column).argmax() for column in names[left].T], dtype=np.int64)
        seed = left[_distance(points[left], names[left], centre, usual, weights).argmax()]
        several = len(left) >= 3 * k
        left = gather(seed, left)
        if several:
            apart = _distance(points[left], names[left], points[seed], names[seed], weights)
            left = gather(left[apart.argmax()], left)
    group[left] = count
    return group


def _distance(points: Ints, names: Ints, centre: Ints, usual: Ints, weights: Ints) -> Ints:
    squares = ((points - centre) ** 2).sum(axis=1)
    return np.asarray(squares + (names != usual) @ weights, dtype=np.int64)
