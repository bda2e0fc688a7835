"""Marginal error: the error of counts by one, two or more columns in a noisy table.

## What it does not protect
Not a privacy measure, and confidential: it is computed from the true counts. It is shown to the steward and never
published, and no release is accepted or rejected by it.

## Parameters
ways: counts by at most this many columns are looked at.

## Worked example
Of ten people one is counted with the wrong sex.

>>> import numpy as np, pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries import ConfidentialTable, NoisyTable, Values
>>> before = ConfidentialTable(Source.of(pa.table({"sex": ["F"] * 6 + ["M"] * 4})), {"sex": Values(("F", "M"))})
>>> after = NoisyTable({"sex": ["F", "M", "other"]}, np.array([5.0, 5.0, 0.0]), {})
>>> result = MarginalError().score(before, after)
>>> result.value, result.details.published, result.details.marginals
(0.1, 1, 1)

## Why it is safe
Half the absolute differences of all cells, over the rows: the share of rows that stand in the wrong cell. What the
table does not tell is left out of the mean, and how many marginals it tells stands beside: leaving out what is hard
must not look like being exact. Groups of values are spread evenly over their values.

## Cost
O(marginals · cells).

## Source
The total variation distance, as in McKenna, Miklau and Sheldon, 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sharewell.algorithm import Count, Declared, Finding, Measure
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.marginal_estimates import Estimates


@dataclass(frozen=True)
class MarginalErrorDetails:
    """Shares of rows in the wrong cell, and how many marginals the table tells."""

    marginals: int
    published: int
    mean: float | None
    largest: float | None
    by_ways: dict[int, float]
    """Number of columns → the mean over its marginals."""


@dataclass(frozen=True)
class MarginalError(Declared, Measure[ConfidentialTable | NoisyTable]):
    """The mean share of rows in the wrong cell, over all marginals that are published."""

    ways: Count = 2

    def score(self, before: ConfidentialTable | NoisyTable, after: ConfidentialTable | NoisyTable) -> Finding:
        if not isinstance(before, ConfidentialTable) or not isinstance(after, NoisyTable):
            return Finding(self.name, None, note="there is no noisy table to look at")
        rows = len(before.kept)
        if not rows:
            return Finding(self.name, None, note="there are no rows to count")
        estimates = Estimates(before.domains, after)
        sizes = range(1, min(self.ways, len(before.domains)) + 1)
        asked = [columns for size in sizes for columns in combinations(before.domains, size)]
        results: dict[int, list[float]] = {}
        for columns in asked:
            estimate = estimates.of(columns)
            if estimate is not None:
                off = float(np.abs(estimate - before.counts(columns)).sum()) / (2 * rows)
                results.setdefault(len(columns), []).append(off)
        errors = [off for some in results.values() for off in some]
        mean = float(np.mean(errors)) if errors else None
        by_ways = {size: float(np.mean(some)) for size, some in results.items()}
        details = MarginalErrorDetails(len(asked), len(errors), mean, max(errors, default=None), by_ways)
        note = "" if errors else "the table has no marginal"
        return Finding(self.name, mean, unit="of the rows", details=details, note=note)
