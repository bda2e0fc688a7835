"""A guess at how much nodes withhold, from those looked at: it decides what a search looks at next, and nothing else.

The logarithm of what is withheld at a node and at every lower one is taken to be a sum of one term a column, which
depends on the level. Terms are fitted to all looks so far, one column after the other, and drawn towards 0 where looks
are few. The order of looks does not change which node is best, nor what is proven.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.compiled import numba_or_numpy
from sharewell.tables.engine.array_types import Bools, Floats, Ints

SWEEPS = 4
DRAWN = 0.5
"""As if each term had been seen to be 0 this many times."""
LEAST_ERROR = 0.05
FAR = 700.0
"""Beyond this an exponential is too large for a floating-point number, and so is a product of many."""
_KERNEL = "sharewell.tables.engine.protection.lattice.withheld_forecast_kernel"


class WithheldForecast:
    """The chance that every node at or below one withholds too much."""

    def __init__(self, shape: Sequence[int], compiled: bool = False) -> None:
        self._sizes = np.array(shape, dtype=np.int64)
        self._terms = np.zeros((len(shape) + 1, max(shape, default=1)))
        self._nodes = np.zeros((64, len(shape)), dtype=np.int64)
        self._excesses = np.zeros(64)
        self._looks = 0
        self._fit = numba_or_numpy(compiled, f"{_KERNEL}:fit", fit)
        self._chances = numba_or_numpy(compiled, f"{_KERNEL}:chances", chances)
        self._shifted_chances = numba_or_numpy(compiled, f"{_KERNEL}:shifted_chances", shifted_chances)

    @property
    def informed(self) -> bool:
        return self._looks > 0

    def observe(self, node: Sequence[int], excess: float) -> None:
        """What a look told: the logarithm of what is withheld there and below over what may be, 0 where both agree."""
        if self._looks == len(self._excesses):
            self._nodes = np.vstack([self._nodes, np.zeros_like(self._nodes)])
            self._excesses = np.append(self._excesses, np.zeros_like(self._excesses))
        self._nodes[self._looks], self._excesses[self._looks] = node, excess
        self._looks += 1

    def chances(self, excluded: Bools, shift: float = 0.0) -> Floats:
        """Of every node of the lattice, in the order of their numbers; 0 where it is excluded.

        shift: what to add to every logarithm that was observed.
        """
        error = 1.0
        if self._looks:
            error = self._fit(self._nodes[: self._looks], self._excesses[: self._looks], self._sizes, self._terms)
        terms = self._terms.copy()
        terms[-1, 0] += shift
        return self._chances(terms, error, self._sizes, excluded)

    def shifted_chances(self, excluded: Bools, shifts: Floats) -> Floats:
        """The same by each of several shifts, node after node."""
        error = self._fit(self._nodes[: self._looks], self._excesses[: self._looks], self._sizes, self._terms)
        return self._shifted_chances(self._terms, error, self._sizes, excluded, shifts)


def fit(levels: Ints, excesses: Floats, sizes: Ints, terms: Floats) -> float:
    """Fit the terms, of which the last row holds the mean, once more; the standard error of what they say."""
    columns = list(zip(levels.T, terms, sizes.tolist(), strict=False))
    rest = excesses - terms[-1, 0]
    for level, term, _ in columns:
        rest -= term[level]
    counts = [np.bincount(level, minlength=size) for level, _, size in columns]
    for _ in range(SWEEPS):
        shift = float(rest.mean())
        terms[-1, 0] += shift
        rest -= shift
        for (level, term, size), count in zip(columns, counts, strict=True):
            sums = np.bincount(level, weights=rest, minlength=size)
            change = (sums - DRAWN * term[:size]) / (count + DRAWN)
            term[:size] += change
            rest -= change[level]
    return max(LEAST_ERROR, float(np.sqrt((rest**2).mean())))


def chances(terms: Floats, error: float, sizes: Ints, excluded: Bools) -> Floats:
    """Of every node, in the order of their numbers; 0 where it is excluded. One exponential a term, none a node."""
    return shifted_chances(terms, error, sizes, excluded, np.zeros(1))[:, 0]


def shifted_chances(terms: Floats, error: float, sizes: Ints, excluded: Bools, shifts: Floats) -> Floats:
    """The same, where each of some shifts is added to every logarithm."""
    far = FAR / (len(terms) + 1)
    odds = np.exp(np.clip(-terms / error, -far, far))
    total = odds[-1, :1]
    for factor, size in zip(odds, sizes.tolist(), strict=False):
        total = (total[:, None] * factor[:size]).ravel()
    shifted = total[:, None] * np.exp(np.clip(-shifts / error, -far, far))
    return np.where(excluded[:, None], 0.0, 1 / (1 + shifted))
