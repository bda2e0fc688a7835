"""Noisy marginals: counts by one column or several, every public cell with its own noise.

## Guarantee
ε-differential privacy for every person, or ρ-zCDP (zero-concentrated differential privacy) with Gaussian noise, for all
published counts together: see differential-privacy. The claim is attested: no file shows how the noise was drawn.

## Adversary
Knows everything about everybody but one person, and how the noise was drawn.

## What it does not protect
**Every count is false**, by about √2·s·r/ε for s marginals and r rows per person: small groups are lost in the noise.
Counts may be negative, and the totals of two marginals differ. Losses of publications and answers about the same people
add up; the ledger of the dataset is charged for both. Rows of a person beyond the number that the policy allows are
left out of the counts.

## Parameters
epsilon: the budget ε, split evenly over the marginals; the noise is Laplace's.
rho: in its place, the budget ρ; the noise is Gaussian, and s marginals cost √s rather than s times the noise.
of: the marginals, each a list of columns: `[[age, sex], [diagnosis]]`. One of all columns if left out.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries import ConfidentialTable, Values
>>> rows = pa.table({"sex": ["F"] * 6 + ["M"] * 4, "ward": ["A", "B"] * 5})
>>> table = ConfidentialTable(Source.of(rows), {"sex": Values(("F", "M")), "ward": Values(("A", "B"))})
>>> released = NoisyMarginals(epsilon=1.0, of=[["sex"], ["ward"]]).protect(table, must=[])
>>> released.data.keys["sex"], released.details.scale, released.reproducible
(['F', 'M', 'other', '*', '*', '*'], 2.0, False)

## Why it is safe
Marginals count at most r rows of each person, and each row is in one cell of each marginal. One person more or less
therefore moves the counts of s marginals by at most r·s in sum (L1 distance) and r·√s in length (L2 distance); a person
who replaces another moves them by twice that in sum and √2 times that in length. opendp draws whole-number noise for
this distance and states the loss; a loss above the budget is refused. Which cells exist is public.

## Cost
One pass over the rows for each marginal, and O(cells) noise.

## Source
Dwork, McSherry, Nissim and Smith, 2006; Barak et al., 2007 (marginals). Noise by opendp.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Interval

from sharewell.errors import Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.output_check import refuse_failing
from sharewell.parameters import Declared
from sharewell.plain_data import JsonObject
from sharewell.protocols import Criterion, Mechanism, Protected
from sharewell.queries.data import EVERY, ConfidentialTable, NoisyTable
from sharewell.queries.engine.accuracy import half_width
from sharewell.queries.engine.noise import LEAST, MOST, Price, VectorNoise
from sharewell.roles import did_you_mean

MOST_CELLS = 1_000_000
"""More cells are refused, since every one of them gets its own noise."""


@dataclass(frozen=True)
class NoisyMarginalsDetails:
    """The budget that is spent, and how large the noise is."""

    epsilon: float | None
    rho: float | None
    neighbours: str
    noise: str
    scale: float
    sensitivity: float
    half_width: int
    """Each count is off by at most so much with 95 % probability."""
    marginals: int
    cells: int


@dataclass(frozen=True)
class NoisyMarginals(Declared, Mechanism[Any]):
    """Counts of every public cell of some marginals, with noise."""

    epsilon: Annotated[float, Interval(ge=LEAST, le=MOST)] | None = None
    rho: Annotated[float, Interval(ge=LEAST, le=MOST)] | None = None
    of: Sequence[Sequence[str]] = ()

    packages: ClassVar[tuple[str, ...]] = ("opendp",)
    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        Price.of(self.epsilon, self.rho)

    def protect(
        self, data: ConfidentialTable, must: Sequence[Criterion[NoisyTable]], key: Key | None = None
    ) -> Protected[NoisyTable]:
        """The noise is fresh by nature: no key repeats it."""
        marginals = self._marginals(data)
        price = Price.of(self.epsilon, self.rho)
        count = len(marginals)
        noise = VectorNoise.within(price, count * data.changed_rows, math.sqrt(count) * data.changed_length)
        exact = np.concatenate([data.counts(marginal).ravel() for marginal in marginals])
        drawn = noise.add(exact).astype(np.float64)
        released = NoisyTable(_keys(data, marginals), drawn, _spent(data, noise, marginals))
        refuse_failing(self.name, released, must, ["a larger epsilon in the criterion", "a smaller one here"])
        pure = price.accounting == "pure"
        details = NoisyMarginalsDetails(
            epsilon=noise.loss if pure else None,
            rho=None if pure else noise.loss,
            neighbours=data.neighbours,
            noise=noise.name,
            scale=noise.scale,
            sensitivity=noise.sensitivity,
            half_width=half_width(noise),
            marginals=count,
            cells=len(drawn),
        )
        return Protected(released, details, np.arange(len(drawn)), reproducible=False)

    def _marginals(self, data: ConfidentialTable) -> list[tuple[str, ...]]:
        """Each in the order of the domains; the same columns twice would pay twice for one marginal."""
        wanted = [tuple(one) for one in self.of] or [tuple(data.domains)]
        for name in itertools.chain.from_iterable(wanted):
            if name not in data.domains:
                hint = did_you_mean(name, data.domains) or f"known are {', '.join(data.domains)}"
                raise PolicyError(f"{self.name} — of — column '{name}' has no domain — {hint}")
        marginals = [tuple(name for name in data.domains if name in one) for one in wanted]
        if len(set(marginals)) < len(marginals) or any(len(set(one)) < len(one) for one in wanted):
            raise PolicyError(f"{self.name} — of — names the same columns twice — name each marginal once")
        cells = sum(math.prod(len(data.domains[name].labels) for name in one) for one in marginals)
        if cells > MOST_CELLS:
            what = f"{cells:,} cells would be published, and at most {MOST_CELLS:,} are"
            raise Infeasible(f"{self.name} — {what}", relaxations=["fewer columns in a marginal", "fewer bins"])
        return marginals


def _keys(data: ConfidentialTable, marginals: Sequence[tuple[str, ...]]) -> dict[str, list[str]]:
    """The label of every column in every cell; `*` where a marginal adds up over the column."""
    keys: dict[str, list[str]] = {name: [] for name in data.domains}
    for marginal in marginals:
        cells = list(itertools.product(*(data.domains[name].labels for name in marginal)))
        for name, listed in keys.items():
            place = marginal.index(name) if name in marginal else None
            listed += [EVERY if place is None else cell[place] for cell in cells]
    return keys


def _spent(data: ConfidentialTable, noise: VectorNoise, marginals: Sequence[tuple[str, ...]]) -> JsonObject:
    """What the dictionary says: enough to compute the loss anew."""
    pure = noise.accounting == "pure"
    loss: JsonObject = {"epsilon": noise.loss if pure else None, "rho": None if pure else noise.loss}
    drawn: JsonObject = {"noise": noise.name, "scale": noise.scale, "sensitivity": noise.sensitivity}
    return {
        "mechanism": NoisyMarginals.name,
        **loss,
        "delta": 0.0,
        "neighbours": data.neighbours,
        "rows_per_person": data.rows_per_person,
        **drawn,
        "half_width": half_width(noise),
        "marginals": [list(one) for one in marginals],
        "terms": [{"what": "all marginals", **drawn, **loss, "times": 1}],
    }
