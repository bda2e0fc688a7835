"""Wavelets of counts in whole numbers: every coefficient times its weight, so that one scale of noise fits all.

An ordered column of m values (padded to a power of two) has its sum, and for every node of the binary tree over it the
left half's sum less the right half's. A column of f values without an order has its sum S, and f·x − S for every value
x. A plain column has its counts as they are. Several columns are transformed one after the other.

>>> ordered = Ordered(8)
>>> whole = ordered.forward(np.array([9, 3, 6, 2, 8, 4, 5, 7]))
>>> (whole / ordered.weights).tolist()
[5.5, -0.5, 1.0, 0.0, 3.0, 2.0, 2.0, -1.0]
>>> ordered.inverse(whole.astype(float)).tolist()
[9.0, 3.0, 6.0, 2.0, 8.0, 4.0, 5.0, 7.0]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Part(NamedTuple):
    """Coefficients that share a scale of noise."""

    where: slice
    moved: int
    """By how much one more record moves all of them together."""
    squares: int
    """By how much, squared and added up: one more record by no more, and a replaced one by no more than twice this."""


class Wavelet(Protocol):
    """The transform of one axis, which here is always the last one."""

    @property
    def factor(self) -> int:
        """The generalised sensitivity: how far one more record moves all coefficients, each times its weight."""
        ...

    @property
    def parts(self) -> tuple[Part, ...]: ...

    def forward(self, counts: Ints) -> Ints: ...

    def inverse(self, coefficients: Floats) -> Floats: ...


@dataclass(frozen=True)
class Plain:
    """Counts as they are."""

    size: int

    @property
    def factor(self) -> int:
        return 1

    @property
    def parts(self) -> tuple[Part, ...]:
        return (Part(slice(None), 1, 1),)

    def forward(self, counts: Ints) -> Ints:
        return counts

    def inverse(self, coefficients: Floats) -> Floats:
        return coefficients


@dataclass(frozen=True)
class Ordered:
    """Haar's wavelet: the sum, then differences of halves, from the root down."""

    size: int

    @property
    def levels(self) -> int:
        return (self.size - 1).bit_length()

    @property
    def factor(self) -> int:
        return 1 + self.levels

    @property
    def parts(self) -> tuple[Part, ...]:
        return (Part(slice(None), self.factor, self.factor),)

    @cached_property
    def weights(self) -> Ints:
        """The leaves under each node: what the paper's coefficient is multiplied by here."""
        whole = 1 << self.levels
        return np.array([whole] + [whole >> level for level in range(self.levels) for _ in range(1 << level)])

    def forward(self, counts: Ints) -> Ints:
        padding = [(0, 0)] * (counts.ndim - 1) + [(0, (1 << self.levels) - self.size)]
        sums = np.pad(counts, padding)
        results = []
        while sums.shape[-1] > 1:
            left, right = sums[..., ::2], sums[..., 1::2]
            results.append(left - right)
            sums = left + right
        return np.concatenate([sums, *reversed(results)], axis=-1)

    def inverse(self, coefficients: Floats) -> Floats:
        sums = coefficients[..., :1]
        for level in range(self.levels):
            less = coefficients[..., 1 << level : 2 << level]
            halves = np.stack([sums + less, sums - less], axis=-1) / 2
            sums = halves.reshape(*halves.shape[:-2], -1)
        return sums[..., : self.size]


@dataclass(frozen=True)
class Nominal:
    """The nominal wavelet of a column without an order: one root, and the values under it."""

    size: int

    @property
    def factor(self) -> int:
        return 2

    @property
    def parts(self) -> tuple[Part, ...]:
        return (Part(slice(0, 1), 1, 1), Part(slice(1, None), 2 * self.size - 2, self.size**2))

    def forward(self, counts: Ints) -> Ints:
        whole = counts.sum(axis=-1, keepdims=True)
        return np.concatenate([whole, self.size * counts - whole], axis=-1)

    def inverse(self, coefficients: Floats) -> Floats:
        """Differences from the mean add up to nothing: what noise adds to all of them alike is taken away."""
        whole, less = coefficients[..., :1], coefficients[..., 1:]
        result: Floats = (whole + less - less.mean(axis=-1, keepdims=True)) / self.size
        return result


def forward(counts: Ints, wavelets: tuple[Wavelet, ...]) -> Ints:
    for axis, wavelet in enumerate(wavelets):
        counts = np.moveaxis(wavelet.forward(np.moveaxis(counts, axis, -1)), -1, axis)
    return counts


def inverse(coefficients: Floats, wavelets: tuple[Wavelet, ...]) -> Floats:
    for axis, wavelet in enumerate(wavelets):
        coefficients = np.moveaxis(wavelet.inverse(np.moveaxis(coefficients, axis, -1)), -1, axis)
    return coefficients
