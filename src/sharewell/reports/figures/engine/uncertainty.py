"""How many bits of each cell a snooper lacks who holds all possible tables equally likely: an estimate, never a proof.

Chains walk through the possible tables (hit and run): a random line through the present table, and on it a random place
among all that are possible, which may be several pieces. A chain may miss parts of the set, so that the estimate errs
to either side; nothing is judged by it.

>>> from sharewell.reports import Levels, Publication, Report
>>> rates = Report.of({"A": {"x": 80}, "B": {"x": 84}}, domain=(0, 100))
>>> shown = Publication.of(rates, columns=Levels(center=2))
>>> found = estimate(shown, shown.knowledge("A"), grain=0.1)
>>> round(found["B", "x"], 1)
6.6
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from sharewell.reports.figures.data import Cell, Knowledge, Publication, exact
from sharewell.reports.figures.engine.bounds import Inference, inference
from sharewell.reports.figures.engine.solvers.clarabel import Floats
from sharewell.reports.figures.engine.witnesses import SEED

CHAINS, STEPS = 4, 4_000
_ALONG = 0.8
"""Share of steps from witness to witness: the set is long in some directions and thin in others."""
Pieces = list[tuple[float, float]]


def estimate(
    publication: Publication, knowledge: Knowledge, *, grain: Fraction | float = Fraction(1, 10), steps: int = STEPS
) -> dict[Cell, float]:
    """Bits by cell: the entropy of its value, in parts of the grain, over tables that chains came by."""
    inferred = inference(publication, knowledge)
    for cell in range(len(inferred.cells)):
        inferred.explore(cell)
    if not inferred.witnesses.points:
        return dict.fromkeys(inferred.cells, math.nan)
    seen = _walked(inferred, steps)
    width = float(exact(grain))
    return {cell: _entropy(np.floor(seen[:, number] / width)) for number, cell in enumerate(inferred.cells)}


def _walked(inferred: Inference, steps: int) -> Floats:
    """Tables from chains that start at witnesses far apart."""
    random, points = np.random.default_rng(SEED), inferred.witnesses.points
    starts = [points[i] for i in np.linspace(0, len(points) - 1, CHAINS).astype(int)]
    directions = _directions(inferred)
    seen = []
    for start in starts:
        point = start
        for _ in range(steps):
            along = directions @ random.normal(size=directions.shape[1])
            if random.random() < _ALONG:
                first, second = random.integers(len(points), size=2)
                along = points[first] - points[second]
            along = along / (np.linalg.norm(along) or 1.0)
            pieces = _possible(inferred, point, along)
            lengths = np.array([high - low for low, high in pieces])
            if along.any() and lengths.sum() > 0:
                piece = pieces[int(random.choice(len(pieces), p=lengths / lengths.sum()))]
                point = point + random.uniform(*piece) * along
            seen.append(point)
    return np.array(seen)


def _directions(inferred: Inference) -> Floats:
    """Ways along which equations stay true."""
    equations = inferred.witnesses.equalities.rows
    if not equations:
        return np.eye(len(inferred.cells))
    matrix = np.zeros((len(equations), len(inferred.cells)))
    for number, (pivot, weights, _) in enumerate(equations):
        matrix[number, pivot] = 1.0
        for cell, weight in weights.items():
            matrix[number, cell] = float(weight)
    _, sizes, rows = np.linalg.svd(matrix)
    return np.asarray(rows[int((sizes > 1e-9).sum()) :].T)


def _possible(inferred: Inference, point: Floats, along: Floats) -> Pieces:
    """Where on a line all figures hold: pieces of the line, by their distance from the point."""
    relaxation, pieces = inferred.relaxation, [(-np.inf, np.inf)]
    for low, high, start, step in zip(relaxation.low, relaxation.high, point, along, strict=True):
        pieces = _cut(pieces, _between(low - start, high - start, step))
    for one in inferred.constraints.linear:
        if one.cells and one.low != one.high:
            weights = np.array([float(w) for w in one.weights])
            cells = list(one.cells)
            start, step = float(weights @ point[cells]), float(weights @ along[cells])
            low = -np.inf if one.low is None else float(one.low)
            high = np.inf if one.high is None else float(one.high)
            pieces = _cut(pieces, _between(low - start, high - start, step))
    for ball in relaxation.balls:
        start, step = ball.matrix @ point + ball.offset, ball.matrix @ along
        pieces = _cut(pieces, _inside(start, step, ball.outer))
        if ball.inner > 0 and (hole := _inside(start, step, ball.inner)):
            pieces = _cut(pieces, [(-np.inf, hole[0][0]), (hole[0][1], np.inf)])
    for spread in inferred.constraints.spreads:
        start = np.concatenate([point[list(spread.cells)], [float(v) for v in spread.known]])
        step = np.concatenate([along[list(spread.cells)], np.zeros(len(spread.known))])
        pairs = [(i, k) for i in range(len(start)) for k in range(len(start)) if i != k]
        if spread.high is not None:
            for i, k in pairs:
                pieces = _cut(pieces, _between(-np.inf, float(spread.high) - (start[i] - start[k]), step[i] - step[k]))
        if spread.low:
            wide = [_between(float(spread.low) - (start[i] - start[k]), np.inf, step[i] - step[k]) for i, k in pairs]
            pieces = _cut(pieces, _union([piece for one in wide for piece in one]))
    return pieces


def _between(low: float, high: float, step: float) -> Pieces:
    """Distances t with low ≤ by · t ≤ high."""
    if abs(step) < 1e-12:
        return [(-np.inf, np.inf)] if low <= 1e-9 and high >= -1e-9 else []
    bounds = sorted((low / step, high / step))
    return [(bounds[0], bounds[1])]


def _inside(start: Floats, step: Floats, radius: float) -> Pieces:
    """Distances t with |at + by · t| ≤ radius."""
    a, b, c = float(step @ step), float(start @ step), float(start @ start) - radius * radius
    if a < 1e-18:
        return [(-np.inf, np.inf)] if c <= 0 else []
    root = b * b - a * c
    return [((-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a)] if root > 0 else []


def _cut(one: Pieces, other: Pieces) -> Pieces:
    both = [(max(a, c), min(b, d)) for a, b in one for c, d in other]
    return [(low, high) for low, high in both if low < high]


def _union(pieces: Pieces) -> Pieces:
    """Without overlaps, so that none counts twice."""
    merged: Pieces = []
    for low, high in sorted(pieces):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _entropy(bins: Floats) -> float:
    _, counts = np.unique(bins, return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0
