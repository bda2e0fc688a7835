"""Noise and private choices, drawn by opendp, each with the loss that opendp states for it.

Only whole numbers pass: opendp's whole-number noise is exact, so that no rounding of a computer gives anything away.

>>> _, term = noisy(np.array([3, 0]), moved=1, epsilon=0.5, what="counts")
>>> term.scale, term.epsilon
(2.0, 0.5)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.extras import package

if TYPE_CHECKING:
    from sharewell.plain_data import Json, JsonObject
    from sharewell.queries.data import ConfidentialTable

Ints = NDArray[np.int64]
Epsilon = Annotated[float, Interval(ge=1e-6, le=50)]
"""A budget. Below, noise leaves nothing of any count; beyond, nobody is protected."""
Rule = Literal["permute-and-flip", "exponential"]
"""How one of several candidates is chosen: both spend the same, and the first finds the best candidate more often."""


@dataclass(frozen=True)
class Term:
    """One draw of noise over many numbers, or one private choice: what composes to the loss of a publication."""

    what: str
    noise: str
    scale: float
    sensitivity: int
    """How far two neighbouring tables are apart: for counts in sum, for a choice in any one score."""
    epsilon: float
    """As opendp's map states it for one of them."""
    times: int = 1
    """How many of these the budget provides for."""


def noisy(counts: Ints, moved: int, epsilon: float, what: str) -> tuple[Ints, Term]:
    """Counts with discrete Laplace noise, of which neighbouring tables are `moved` apart in sum."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    try:
        scale = moved / epsilon
        draw = dp.m.make_laplace(*space, scale=scale)
        while (spent := float(draw.map(moved))) > epsilon:  # opendp rounds the loss up
            scale = math.nextafter(scale, math.inf)
            draw = dp.m.make_laplace(*space, scale=scale)
        drawn = draw(counts.ravel().tolist()) if counts.size else []
    except _failures() as error:
        raise DataError(f"{what} — opendp draws no noise for this budget — ask for a larger epsilon") from error
    return np.array(drawn, dtype=np.int64).reshape(counts.shape), Term(what, "discrete Laplace", scale, moved, spent)


def chosen(
    scores: Sequence[int], moved: int, epsilon: float, what: str, *, rule: Rule, monotone: bool
) -> tuple[int, Term]:
    """The position of a large score, of which neighbouring tables are at most `moved` apart in every score.

    Scores are monotone if one more row lowers none of them: a choice then spends half. The exponential mechanism is
    noise of Gumbel on the scores, for which opendp states ρ = ε²/8 only; its ε is that of the exponential noise of the
    same scale, by which permute-and-flip works.
    """
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=monotone)
    try:
        scale = (1 if monotone else 2) * moved / epsilon
        draw = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=scale)
        while (spent := float(draw.map(moved))) > epsilon:
            scale = math.nextafter(scale, math.inf)
            draw = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=scale)
        if rule == "exponential":
            draw = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)
        place = int(draw([int(score) for score in scores]))
    except _failures() as error:
        raise DataError(f"{what} — opendp chooses nothing with this budget — ask for a larger epsilon") from error
    return place, Term(what, rule, scale, moved, spent)


def loss_of(terms: Sequence[Term]) -> float:
    """The sum, rounded up to the next number that a computer has."""
    exact = sum((Fraction(term.epsilon) * term.times for term in terms), Fraction(0))
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


def spent_on(mechanism: str, data: ConfidentialTable, terms: Sequence[Term], **more: Json) -> JsonObject:
    """What the dictionary says: enough to compute the loss anew."""
    counted = terms[-1]
    said: JsonObject = {
        "mechanism": mechanism,
        "epsilon": loss_of(terms),
        "delta": 0.0,
        "rho": None,
        "neighbours": data.neighbours,
        "rows_per_person": data.rows_per_person,
        "noise": counted.noise,
        "scale": counted.scale,
        "sensitivity": counted.sensitivity,
        "terms": [asdict(term) for term in terms],
    }
    return said | more


def opendp() -> ModuleType:
    dp: ModuleType = package("opendp.prelude", "noise")
    dp.enable_features("contrib")
    return dp


def _failures() -> tuple[type[Exception], ...]:
    """What opendp raises, if it is there: looked up only where something was raised."""
    try:
        from opendp.mod import OpenDPException
    except ImportError:
        return ()
    return (OpenDPException, OverflowError)
