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
    here = inference(publication, knowledge)
    for cell in range(len(here.cells)):
        here.explore(cell)
    if not here.witnesses.points:
        return dict.fromkeys(here.cells, math.nan)
    seen = _walked(here, steps)
    width = float(exact(grain))
    return {cell: _entropy(np.floor(seen[:, number] / width)) for number, cell in enumerate(here.cells)}


def _walked(here: Inference, steps: int) -> Floats:
    """Tables from chains that start at witnesses far apart."""
    random, points = np.random.default_rng(SEED), here.witnesses.points
    starts = [points[i] for i in np.linspace(0, len(points) - 1, CHAINS).astype(int)]
    directions = _directions(here)
    seen = []
    for start in starts:
        point = start
        for _ in range(steps):
            along = directions @ random.normal(size=directions.shape[1])
            if random.random() < _ALONG:
                first, second = random.integers(len(points), size=2)
                along = points[first] - points[second]
            along = along / (np.linalg.norm(along) or 1.0)
            pieces = _possible(here, point, along)
            lengths = np.array([high - low for low, high in pieces])
            if along.any() and lengths.sum() > 0:
                piece = pieces[int(random.choice(len(pieces), p=lengths / lengths.sum()))]
                point = point + random.uniform(*piece) * along
            seen.append(point)
    return np.array(seen)


def _directions(here: Inference) -> Floats:
    """Ways along which equations stay true."""
    equations = here.witnesses.equalities.rows
    if not equations:
        return np.eye(len(here.cells))
    matrix = np.zeros((len(equations), len(here.cells)))
    for number, (pivot, weights, _) in enumerate(equations):
        matrix[number, pivot] = 1.0
        for cell, weight in weights.items():
            matrix[number, cell] = float(weight)
    _, sizes, rows = np.linalg.svd(matrix)
    return np.asarray(rows[int((sizes > 1e-9).sum()) :].T)


def _possible(here: Inference, point: Floats, along: Floats) -> Pieces:
    """Where on a line all figures hold: pieces of the line, by their distance from the point."""
    relaxation, pieces = here.relaxation, [(-np.inf, np.inf)]
    for low, high, at, by in zip(relaxation.low, relaxation.high, point, along, strict=True):
        pieces = _cut(pieces, _between(low - at, high - at, by))
    for one in here.constraints.linear:
        if one.cells and one.low != one.high:
            weights = np.array([float(w) for w in one.weights])
            cells = list(one.cells)
            at, by = float(weights @ point[cells]), float(weights @ along[cells])
            low = -np.inf if one.low is None else float(one.low)
            pieces = _cut(pieces, _between(low - at, (np.inf if one.high is None else float(one.high)) - at, by))
    for ball in relaxation.balls:
        at, by = ball.matrix @ point + ball.offset, ball.matrix @ along
        pieces = _cut(pieces, _inside(at, by, ball.outer))
        if ball.inner > 0:
            pieces = _cut(pieces, _outside(_inside(at, by, ball.inner)))
    for spread in here.constraints.spreads:
        at = np.concatenate([point[list(spread.cells)], [float(v) for v in spread.known]])
        by = np.concatenate([along[list(spread.cells)], np.zeros(len(spread.known))])
        pairs = [(i, k) for i in range(len(at)) for k in range(len(at)) if i != k]
        if spread.high is not None:
            for i, k in pairs:
                pieces = _cut(pieces, _between(-np.inf, float(spread.high) - (at[i] - at[k]), by[i] - by[k]))
        if spread.low:
            wide = [_between(float(spread.low) - (at[i] - at[k]), np.inf, by[i] - by[k]) for i, k in pairs]
            pieces = _cut(pieces, _union([piece for one in wide for piece in one]))
    return pieces


def _between(low: float, high: float, by: float) -> Pieces:
    """Distances t with low ≤ by · t ≤ high."""
    if abs(by) < 1e-12:
        return [(-np.inf, np.inf)] if low <= 1e-9 and high >= -1e-9 else []
    ends = sorted((low / by, high / by))
    return [(ends[0], ends[1])]


def _inside(at: Floats, by: Floats, radius: float) -> Pieces:
    """Distances t with |at + by · t| ≤ radius."""
    a, b, c = float(by @ by), float(at @ by), float(at @ at) - radius * radius
    if a < 1e-18:
        return [(-np.inf, np.inf)] if c <= 0 else []
    root = b * b - a * c
    return [((-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a)] if root > 0 else []


def _outside(inside: Pieces) -> Pieces:
    return [(-np.inf, inside[0][0]), (inside[0][1], np.inf)] if inside else [(-np.inf, np.inf)]


def _cut(one: Pieces, other: Pieces) -> Pieces:
    both = [(max(a, c), min(b, d)) for a, b in one for c, d in other]
    return [(low, high) for low, high in both if low < high]


def _union(pieces: Pieces) -> Pieces:
    """Without overlaps, so that none counts twice."""
    found: Pieces = []
    for low, high in sorted(pieces):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def _entropy(bins: Floats) -> float:
    _, counts = np.unique(bins, return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0
