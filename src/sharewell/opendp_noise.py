"""Noise on whole numbers by opendp, and what it costs by opendp's own account.

Discrete Laplace noise under pure ε, discrete Gaussian noise under ρ-zCDP, built for a price: the scale is the smallest
for which the loss that opendp states is not above the price. The loss is a property of scale and sensitivity alone, so
that it is known before any row is read.

The noise is drawn by opendp from the machine's own randomness, in exact integer arithmetic. `honest-but-curious` and
idealised floating-point parts of opendp are not enabled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError, PolicyError
from sharewell.extras import package

Accounting = Literal["pure", "zcdp"]
UNITS: dict[Accounting, str] = {"pure": "epsilon", "zcdp": "rho"}
"""What a price is counted in."""
LEAST, MOST = 1e-6, 50.0
"""A price below has noise beyond any use, one above protects nobody."""
_TRIES = 64


@dataclass(frozen=True)
class Price:
    """How much one question may spend: ε under pure differential privacy, ρ under zero-concentrated.

    >>> Price("pure", 0.5).unit
    'epsilon'
    >>> Price("pure", float("nan"))
    Traceback (most recent call last):
    sharewell.errors.PolicyError: policy: epsilon — must be a number from 1e-06 to 50
    """

    accounting: Accounting
    amount: float

    def __post_init__(self) -> None:
        fits = isinstance(self.amount, int | float) and not isinstance(self.amount, bool)
        if not fits or not LEAST <= self.amount <= MOST:
            raise PolicyError(f"{self.unit} — must be a number from {LEAST:g} to {MOST:g}")

    @classmethod
    def of(cls, epsilon: float | None, rho: float | None) -> Price:
        """From the one of the two that a policy gives."""
        if epsilon is not None and rho is None:
            return cls("pure", epsilon)
        if rho is not None and epsilon is None:
            return cls("zcdp", rho)
        raise ValueError("epsilon and rho — give one of them, as the budget")

    @property
    def unit(self) -> str:
        return UNITS[self.accounting]


@dataclass(frozen=True)
class VectorNoise:
    """Whole-number noise for every entry of a vector.

    >>> VectorNoise.within(Price("pure", 1.0), l1=3, l2=3.0).scale
    3.0
    """

    accounting: Accounting
    scale: float
    sensitivity: float
    """How far one person moves the vector: in sum (L1) for Laplace noise, in length (L2) for Gaussian noise."""
    loss: float
    """ε or ρ, as opendp states it."""

    @classmethod
    def within(cls, price: Price, l1: int, l2: float) -> VectorNoise:
        """The least noise within the price, for a vector that one person moves by so much."""
        pure = price.accounting == "pure"
        moved: float = l1 if pure else l2
        first = moved / price.amount if pure else moved / math.sqrt(2 * price.amount)

        def stated(scale: float) -> float:
            return float(_vector_noise(price.accounting, scale).map(moved))

        scale, loss = smallest_scale(stated, first, price)
        return cls(price.accounting, scale, float(moved), loss)

    @property
    def name(self) -> str:
        return "discrete-laplace" if self.accounting == "pure" else "discrete-gaussian"

    def add(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Fresh noise on every entry."""
        if not len(numbers):
            return numbers
        drawn = guarded(lambda: _vector_noise(self.accounting, self.scale)(numbers.tolist()))
        return np.array(drawn, dtype=np.int64)

    @property
    def standard_deviation(self) -> float:
        if self.accounting == "zcdp":
            return self.scale
        alpha = math.exp(-1 / self.scale)
        return math.sqrt(2 * alpha) / (1 - alpha)


def smallest_scale(stated: Callable[[float], float], first: float, price: Price) -> tuple[float, float]:
    """The scale, from a first guess on, at which the stated loss is within the price, and that loss."""
    scale = first
    for i in range(_TRIES):
        loss = _stated_at(stated, scale)
        if not math.isfinite(loss) or loss < 0:
            break
        if loss <= price.amount:
            return scale, loss
        scale = max(math.nextafter(scale, math.inf), scale * (1 + 2.0 ** (i - 52)))
    raise DataError(f"{price.unit} — opendp states no finite loss within the price — choose a larger one")


def _stated_at(stated: Callable[[float], float], scale: float) -> float:
    return float(guarded(lambda: stated(scale)))


def guarded(work: Callable[[], Any]) -> Any:
    """opendp's own errors may quote what they were given: only that it refused is told."""
    try:
        return work()
    except (opendp().OpenDPException, OverflowError, ValueError):
        raise DataError("opendp — refuses to draw this noise — choose another price, or a smaller question") from None


@cache
def opendp() -> ModuleType:
    dp: ModuleType = package("opendp.prelude", "questions")
    dp.enable_features("contrib")
    return dp


def _vector_noise(accounting: Accounting, scale: float) -> Any:
    dp = opendp()
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if accounting == "pure":
        return dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)
    return dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale=scale)
