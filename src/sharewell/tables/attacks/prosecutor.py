"""Prosecutor risk: the chance of picking the right record of someone known to be in the data.

Guarantee
---------
None; a measurement. The value is the largest probability over all published records.

Adversary
---------
Knows the quasi values of a target and that the target is in the data; picks one of the persons in the matching class.

What it does not protect
------------------------
An attacker who knows more than the quasi columns does better than this says.

Parameters
----------
threshold: records whose probability exceeds this are counted as at risk.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]", "[20-29]", "[30-39]"]}), quasi=["age"])
>>> found = Prosecutor().mount(table)
>>> found.value, found.details.average
(1.0, 0.6666666666666666)

Why it is safe
--------------
Classes are grouped anew from published cells; the result holds numbers only.

Cost
----
O(n log n).

Source
------
El Emam and Dankar, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.findings import Finding
from sharewell.protocols import Truth
from sharewell.tables.dataset import Table

RISK_EDGES = (0.0, 0.01, 0.05, 0.1, 0.2, 0.34, 0.51, 1.0)
"""Lower edges of the bins in which per-record probabilities are told; the last bin is certainty."""


@dataclass(frozen=True)
class RiskProfile:
    """Probabilities over the published records: mean, share above the threshold, and a histogram by lower edge."""

    average: float
    at_risk: float
    threshold: float
    records_by_risk: dict[float, int]
    computed: bool = True
    """True: computed from class sizes; False: counted in a simulation."""


def risk_profile(risk: NDArray[np.float64], weight: NDArray[np.intp], threshold: float) -> RiskProfile:
    """Summarise one probability for each group of `weight` records."""
    total = max(1, int(weight.sum()))
    bins = np.searchsorted(RISK_EDGES, risk, side="right") - 1
    counts = np.bincount(bins, weights=weight, minlength=len(RISK_EDGES)) if len(bins) else np.zeros(len(RISK_EDGES))
    return RiskProfile(
        average=float(risk @ weight) / total,
        at_risk=float(weight[risk > threshold].sum()) / total,
        threshold=threshold,
        records_by_risk={edge: int(n) for edge, n in zip(RISK_EDGES, counts, strict=True) if n},
    )


@dataclass(frozen=True)
class Prosecutor:
    """1 / persons in the class, for every record."""

    threshold: float = 0.09

    name: ClassVar[str] = "prosecutor"

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        classes = released.classes
        if not classes.count:
            return Finding(self.name, None, note="no published record")
        risk = 1.0 / np.maximum(classes.persons, 1)
        details = risk_profile(risk, classes.sizes, self.threshold)
        return Finding(self.name, float(risk.max()), unit="probability", details=details)
