"""What a publication is made of: noisy vectors and private choices, each with the loss that opendp states for it.

Only whole numbers pass: opendp's whole-number noise is exact, so that no rounding of a computer gives anything away.

>>> _, term = noisy(np.array([3, 0]), Price("pure", 0.5), 1, 1.0, "counts")
>>> term.scale, term.epsilon
(2.0, 0.5)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from sharewell.opendp_noise import LEAST, MOST, Accounting, Price, VectorNoise, guarded, opendp, smallest_scale

if TYPE_CHECKING:
    from sharewell.plain_data import Json, JsonObject
    from sharewell.queries.data import ConfidentialTable

Ints = NDArray[np.int64]
Amount = Annotated[float, Interval(ge=LEAST, le=MOST)]
"""A budget. Below, noise leaves nothing of any count; beyond, nobody is protected."""
Rule = Literal["permute-and-flip", "exponential"]
"""How one of several candidates is chosen: both spend the same ε, and the first finds the best candidate more often."""


@dataclass(frozen=True)
class Term:
    """One draw of noise over many numbers, or one private choice: what composes to the loss of a publication."""

    what: str
    noise: str
    scale: float
    sensitivity: float
    """How far neighbouring tables are apart: for counts in sum or in length, for a choice in any one score."""
    epsilon: float | None
    rho: float | None
    """The loss of one of them, as opendp's map states it: ε, or ρ under zero-concentrated privacy."""
    times: int = 1
    """How many of these the budget provides for."""

    @property
    def loss(self) -> float:
        return (self.epsilon if self.rho is None else self.rho) or 0.0


def noisy(counts: Ints, price: Price, l1: int, l2: float, what: str) -> tuple[Ints, Term]:
    """Counts with noise, where neighbouring tables are so far apart: in sum (l1) and in length (l2)."""
    noise = VectorNoise.within(price, l1, l2)
    drawn = noise.add(counts.ravel()).reshape(counts.shape)
    loss = (noise.loss, None) if price.accounting == "pure" else (None, noise.loss)
    return drawn, Term(what, noise.name, noise.scale, noise.sensitivity, *loss)


@dataclass(frozen=True)
class PrivateChoice:
    """A choice of the candidate with a large score, of which neighbouring tables are `moved` apart in every score.

    Scores are monotone if one more row lowers none of them: a choice then spends half. Permute-and-flip adds
    exponential noise to the scores, and the exponential mechanism Gumbel's. For the latter opendp states ρ = ε²/8 only,
    where ε is what it states for exponential noise of the same scale.
    """

    accounting: Accounting
    rule: Rule
    scale: float
    moved: int
    monotone: bool
    loss: float

    @classmethod
    def within(cls, price: Price, moved: int, rule: Rule, monotone: bool) -> PrivateChoice:
        """The least noise within the price. Under ρ the exponential mechanism is the only one that opendp offers."""
        pure = price.accounting == "pure"

        def stated(scale: float) -> float:
            return float(_noisy_max(scale, monotone, gumbel=not pure).map(moved))

        sides = 1 if monotone else 2
        first = sides * moved / price.amount if pure else sides * moved / math.sqrt(8 * price.amount)
        scale, loss = smallest_scale(stated, first, price)
        return cls(price.accounting, rule if pure else "exponential", scale, moved, monotone, loss)

    @cached_property
    def _draw(self) -> Any:
        return _noisy_max(self.scale, self.monotone, gumbel=self.rule == "exponential")

    def among(self, scores: Sequence[int]) -> int:
        """The position of the chosen one."""
        return int(guarded(lambda: self._draw([int(score) for score in scores])))

    def term(self, what: str, times: int) -> Term:
        epsilon, rho = (self.loss, None) if self.accounting == "pure" else (None, self.loss)
        return Term(what, self.rule, self.scale, self.moved, epsilon, rho, times)


def _noisy_max(scale: float, monotone: bool, gumbel: bool) -> Any:
    dp = opendp()
    measure = dp.zero_concentrated_divergence() if gumbel else dp.max_divergence()
    metric = dp.linf_distance(T="i64", monotonic=monotone)
    return dp.m.make_noisy_max(dp.vector_domain(dp.atom_domain(T="i64")), metric, measure, scale=scale)


def loss_of(terms: Sequence[Term]) -> float:
    """The sum, rounded up to the next number that a computer has."""
    exact = sum((Fraction(term.loss) * term.times for term in terms), Fraction(0))
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


def spent_on(mechanism: str, data: ConfidentialTable, terms: Sequence[Term], **more: Json) -> JsonObject:
    """What the dictionary says, enough to compute the loss anew; scale and sensitivity are those of the counts."""
    counted, total = terms[-1], loss_of(terms)
    pure = counted.rho is None
    return {
        "mechanism": mechanism,
        "epsilon": total if pure else None,
        "delta": 0.0,
        "rho": None if pure else total,
        "neighbours": data.neighbours,
        "rows_per_person": data.rows_per_person,
        "noise": counted.noise,
        "scale": counted.scale,
        "sensitivity": counted.sensitivity,
        "terms": [asdict(term) for term in terms],
        **more,
    }
