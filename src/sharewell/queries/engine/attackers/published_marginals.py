"""The marginals of a published noisy table, as an attacker reads them, and how their noise is distributed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.queries.data import EVERY, ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.subset_answers import discrete_laplace

Floats = NDArray[np.float64]
UNKNOWN_NOISE = "its counts do not have noise of their own, each by itself"


@dataclass(frozen=True)
class NoiseLaw:
    """Noise that every published count has of its own."""

    name: Literal["discrete-laplace", "discrete-gaussian"]
    scale: float

    @property
    def variance(self) -> float:
        if self.name == "discrete-gaussian":
            return self.scale**2
        alpha = math.exp(-1 / self.scale)
        return 2 * alpha / (1 - alpha) ** 2

    def log_likelihood(self, noise: Floats) -> Floats:
        """But for a constant."""
        if self.name == "discrete-gaussian":
            return -(noise**2) / (2 * self.scale**2)
        result: Floats = -np.abs(noise) / self.scale
        return result

    def draw(self, rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        if self.name == "discrete-gaussian":
            return np.rint(rng.normal(0, self.scale, shape))
        return discrete_laplace(rng, self.scale, shape[0] * shape[1]).reshape(shape).astype(np.float64)


@dataclass(frozen=True)
class Marginal:
    """Counts by some columns."""

    columns: tuple[str, ...]
    labels: Sequence[tuple[str, ...]] = field(repr=False)
    counts: Floats = field(repr=False)


@dataclass(frozen=True)
class Estimate:
    """One number as several sums of published counts tell it."""

    value: float
    variance: float
    actual: int | None
    """The true number, where it is known."""

    @property
    def exact(self) -> float:
        """Is it right when rounded? Where the truth is not known: with what probability."""
        if self.actual is not None:
            return float(round(self.value) == self.actual)
        return 1.0 if self.variance == 0 else math.erf(0.5 / math.sqrt(2 * self.variance))


def marginals_of(table: NoisyTable) -> list[Marginal]:
    """In the order in which they are published."""
    names = list(table.keys)
    rows: dict[tuple[str, ...], list[int]] = {}
    for row in range(table.rows):
        rows.setdefault(tuple(name for name in names if table.keys[name][row] != EVERY), []).append(row)
    return [
        Marginal(columns, [tuple(table.keys[name][row] for name in columns) for row in places], table.counts[places])
        for columns, places in rows.items()
    ]


def noise_of(table: NoisyTable) -> NoiseLaw | None:
    """None where counts are not independent, or the dictionary does not say how they were drawn."""
    terms = table.spent.get("terms")
    if not table.rows or not isinstance(terms, list) or len(terms) != 1 or "marginals" not in table.spent:
        return None
    name, scale = terms[0].get("noise"), terms[0].get("scale")
    if name not in ("discrete-laplace", "discrete-gaussian") or not isinstance(scale, int | float) or scale <= 0:
        return None
    return NoiseLaw(name, float(scale))


def loss_of(table: NoisyTable, delta: float = 1e-6) -> float:
    """ε of the table; of Gaussian noise, at this δ."""
    rho = table.spent.get("rho")
    if isinstance(rho, int | float):
        return float(rho) + 2 * math.sqrt(float(rho) * math.log(1 / delta))
    return float(table.spent.get("epsilon") or 0.0)


def true_counts(original: ConfidentialTable | None, columns: Sequence[str]) -> dict[tuple[str, ...], int] | None:
    """The true number of rows of each cell."""
    if original is None:
        return None
    counts = original.counts(columns)
    labels = [original.domains[name].labels for name in columns]
    return {
        tuple(labels[i][place] for i, place in enumerate(cell)): int(counts[cell]) for cell in np.ndindex(counts.shape)
    }


def summed(marginal: Marginal, columns: Sequence[str]) -> dict[tuple[str, ...], tuple[float, int]]:
    """Cells by fewer columns: (sum of counts, how many were added up)."""
    places = [marginal.columns.index(name) for name in columns]
    results: dict[tuple[str, ...], tuple[float, int]] = {}
    for labels, count in zip(marginal.labels, marginal.counts.tolist(), strict=True):
        cell = tuple(labels[place] for place in places)
        total, number = results.get(cell, (0.0, 0))
        results[cell] = (total + count, number + 1)
    return results
