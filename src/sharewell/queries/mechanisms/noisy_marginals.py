"""Noisy marginals: publishes counts by one or several columns, with separate noise in every public cell.

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

import numpy as np

from sharewell.algorithm import Criteria, Key, PolicyError, Protected, refuse_failing
from sharewell.opendp_noise import VectorNoise
from sharewell.plain_data import JsonObject
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.accuracy import half_width
from sharewell.queries.engine.protection.budget_terms import Amount
from sharewell.queries.engine.protection.publication import Publication, cells_of_marginals, refuse_many
from sharewell.roles import did_you_mean


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
class NoisyMarginals(Publication):
    """Counts of every public cell of some marginals, with noise."""

    epsilon: Amount | None = None  # this one, and rho, may also be given by position
    rho: Amount | None = None
    of: Sequence[Sequence[str]] = ()

    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]:
        """The noise is fresh by nature: no key repeats it."""
        marginals = self._marginals(data)
        count = len(marginals)
        noise = VectorNoise.within(self.price, count * data.changed_rows, math.sqrt(count) * data.changed_length)
        exact = np.concatenate([data.counts(marginal).ravel() for marginal in marginals])
        drawn = noise.add(exact).astype(np.float64)
        cells = cells_of_marginals(data, data.domains, marginals)
        released = NoisyTable(cells, drawn, _spent(data, noise, marginals))
        refuse_failing(self.name, released, must, ["a larger epsilon in the criterion", "a smaller one here"])
        details = NoisyMarginalsDetails(
            epsilon=released.spent["epsilon"],
            rho=released.spent["rho"],
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
        refuse_many(self.name, cells, ["fewer columns in a marginal", "fewer bins"])
        return marginals


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
