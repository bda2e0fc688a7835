"""Range error: the error, in rows, of counts of ranges, such as ages from 40 to 65, in a noisy table.

## What it does not protect
Not a privacy measure, and confidential: it is computed from the true counts. It is shown to the steward and never
published, and no release is accepted or rejected by it.

## Parameters
number: this many ranges of a column are looked at; all of them if there are fewer.
seed: of the ranges that are drawn.

## Worked example
Three bins have six ranges. One bin is off by 3, and with it the four ranges that it is in.

>>> import numpy as np, pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries import ConfidentialTable, NoisyTable, Range
>>> before = ConfidentialTable(Source.of(pa.table({"age": [10, 40, 70]})), {"age": Range(0, 90, bins=3)})
>>> after = NoisyTable({"age": ["[0, 30)", "[30, 60)", "[60, 90]"]}, np.array([1.0, 4.0, 1.0]), {})
>>> result = RangeError().score(before, after)
>>> result.value, result.details.ranges, result.details.largest
(2.0, 6, 3.0)

## Why it is safe
Every range of bins is added up on both sides. Columns with a range that the table does not tell are left out, and their
number stands beside. Groups of values are spread evenly over their values.

## Cost
O(ranges) for every ordered column.

## Source
The error of range counts, as in Hay, Rastogi, Miklau and Suciu, 2010, and Xiao, Wang and Gehrke, 2010.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Measure
from sharewell.queries.data import ConfidentialTable, NoisyTable, Range
from sharewell.queries.engine.marginal_estimates import Estimates


@dataclass(frozen=True)
class RangeErrorDetails:
    """Absolute errors of ranges, in rows."""

    columns: int
    """With a range."""
    published: int
    ranges: int
    mean: float | None
    root_mean_square: float | None
    largest: float | None


@dataclass(frozen=True)
class RangeError(Declared, Measure[ConfidentialTable | NoisyTable]):
    """The mean absolute error of the counts of ranges."""

    number: Count = 10_000
    seed: int = 0

    def score(self, before: ConfidentialTable | NoisyTable, after: ConfidentialTable | NoisyTable) -> Finding:
        if not isinstance(before, ConfidentialTable) or not isinstance(after, NoisyTable):
            return Finding(self.name, None, note="there is no noisy table to look at")
        ordered = [name for name, domain in before.domains.items() if isinstance(domain, Range)]
        estimates = Estimates(before.domains, after)
        claim = {name: estimate for name in ordered if (estimate := estimates.of([name])) is not None}
        if not claim:
            return Finding(self.name, None, note="the table has no column of ranges")
        off = np.concatenate([self._errors(estimate - before.counts([name])) for name, estimate in claim.items()])
        mean, square = float(off.mean()), math.sqrt(float((off**2).mean()))
        details = RangeErrorDetails(len(ordered), len(claim), len(off), mean, square, float(off.max()))
        return Finding(self.name, mean, unit="rows", details=details)

    def _errors(self, off: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far off the sum of every range is, from what each bin is off by."""
        sums = np.concatenate([[0.0], np.cumsum(off)])
        starts, ends = np.triu_indices(len(sums), k=1)
        if len(starts) > self.number:
            drawn = np.random.default_rng(self.seed).choice(len(starts), self.number, replace=False)
            starts, ends = starts[drawn], ends[drawn]
        errors: NDArray[np.float64] = np.abs(sums[ends] - sums[starts])
        return errors
