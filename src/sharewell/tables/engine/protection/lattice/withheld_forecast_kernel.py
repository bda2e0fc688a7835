"""The compiled twin of `withheld_forecast`: one loop over looks, one over nodes."""

from __future__ import annotations

import math

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Bools, Floats, Ints
from sharewell.tables.engine.protection.lattice.withheld_forecast import DRAWN, FAR, LEAST_ERROR, SWEEPS


@jit
def fit(levels: Ints, excesses: Floats, sizes: Ints, terms: Floats) -> float:
    """Fit the terms, of which the last row holds the mean, once more; the standard error of what they say."""
    looks, columns = levels.shape
    rest = excesses.copy()
    for i in range(looks):
        rest[i] -= terms[columns, 0]
        for j in range(columns):
            rest[i] -= terms[j, levels[i, j]]
    sums, counts = np.empty(terms.shape[1]), np.empty(terms.shape[1])
    for _ in range(SWEEPS):
        shift = rest.mean()
        terms[columns, 0] += shift
        rest -= shift
        for j in range(columns):
            sums[:], counts[:] = 0.0, 0.0
            for i in range(looks):
                sums[levels[i, j]] += rest[i]
                counts[levels[i, j]] += 1
            for level in range(sizes[j]):
                sums[level] = (sums[level] - DRAWN * terms[j, level]) / (counts[level] + DRAWN)
                terms[j, level] += sums[level]
            for i in range(looks):
                rest[i] -= sums[levels[i, j]]
    return max(LEAST_ERROR, math.sqrt((rest * rest).mean()))


@jit
def chances(terms: Floats, error: float, sizes: Ints, excluded: Bools) -> Floats:
    """Of every node, in the order of their numbers; 0 where it is excluded. One exponential a term, none a node."""
    return shifted_chances(terms, error, sizes, excluded, np.zeros(1))[:, 0].copy()


@jit
def shifted_chances(terms: Floats, error: float, sizes: Ints, excluded: Bools, shifts: Floats) -> Floats:
    """The same, where each of some shifts is added to every logarithm."""
    far = FAR / (len(terms) + 1)
    odds = np.exp(np.minimum(np.maximum(-terms / error, -far), far))
    totals, made = np.empty(len(excluded)), 1
    totals[0] = odds[len(sizes), 0]
    for j in range(len(sizes)):
        for i in range(made - 1, -1, -1):  # from the last on, so that no product is overwritten before it is used
            total = totals[i]
            for level in range(sizes[j]):
                totals[i * sizes[j] + level] = total * odds[j, level]
        made *= sizes[j]
    factors, result = np.exp(np.minimum(np.maximum(-shifts / error, -far), far)), np.zeros((len(excluded), len(shifts)))
    for number in range(len(excluded)):
        if not excluded[number]:
            for i in range(len(shifts)):
                result[number, i] = 1 / (1 + totals[number] * factors[i])
    return result
