"""Prosecutor risk: the chance of picking the right record of someone known to be in the data.

## Guarantee
None; a measurement. The value is the largest probability over all published records.

## Adversary
Knows the quasi values of a target and that the target is in the data; picks one of the persons in the matching class.

## What it does not protect
An attacker who knows more than the quasi columns does better than this says.

## Parameters
threshold: records whose probability exceeds this are counted as at risk.
missing: "own" (default) takes a missing cell as a value of its own; "wildcard" lets the attacker reckon with records
that lack a value the target has (see `sharewell.tables.engine.wildcards`): never more risk than "own".

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]", "[20-29]", "[30-39]"]}), quasi=["age"])
>>> result = Prosecutor().mount(table)
>>> result.value, result.details.average
(1.0, 0.6666666666666666)

## Why it is safe
Classes are grouped anew from published cells; the result holds numbers only. With the truth the attack is also carried
out: for up to 2,000 drawn persons the attacker takes the true quasi values of one of their records, finds every
published class that covers them, and picks one of the persons there; successes are counted. A class can be covered
together with others, so that the simulated share lies at or below the computed average.

## Cost
O(n log n); the simulation O(columns · classes · 2,000 / 64) machine words.

## Source
El Emam and Dankar, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, Share, Simulated, Truth
from sharewell.tables.data import Floats, Indices, Table
from sharewell.tables.engine.attackers.covering_classes import covering
from sharewell.tables.engine.attackers.simulation import draw_rows, person_of, picks
from sharewell.tables.engine.cell_matching import Missing
from sharewell.tables.engine.checks.class_criterion import by_edge
from sharewell.tables.engine.wildcards import candidates

CUSTOMARY = 1 / 11
"""The usual threshold, often written as 0.09: one in a class of eleven."""
RISK_EDGES = (0.0, 0.01, 0.05, 0.1, 0.2, 0.34, 0.51, 1.0)
"""Lower edges of the bins in which per-record probabilities are told; the last bin is certainty."""


@dataclass(frozen=True)
class RiskProfile:
    """Probabilities over the published records: mean, share above the threshold, and a histogram by lower edge."""

    average: float
    at_risk: float
    threshold: float
    records_by_risk: dict[float, int]
    simulated: Simulated | None = None
    """The attack carried out, where the truth was given."""


def risk_profile(risk: Floats, weight: Indices, threshold: float, simulated: Simulated | None = None) -> RiskProfile:
    """Summarise one probability for each group of `weight` records."""
    total = max(1, int(weight.sum()))
    return RiskProfile(
        average=float(risk @ weight) / total,
        at_risk=float(weight[risk > threshold].sum()) / total,
        threshold=threshold,
        records_by_risk=by_edge(RISK_EDGES, risk, weight),
        simulated=simulated,
    )


@dataclass(frozen=True)
class Prosecutor(Declared, Attack[Table]):
    """1 / persons in the class, for every record."""

    threshold: Share = CUSTOMARY
    missing: Missing = "own"

    picks_record: ClassVar[bool] = True

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        classes = released.classes
        if not classes.count:
            return Finding(self.name, None, note="no published record")
        counts = classes.persons if self.missing == "own" else candidates(released)
        risk = 1.0 / np.maximum(counts, 1)
        simulated = None if truth is None else simulate(released, truth, self.missing)
        details = risk_profile(risk, classes.sizes, self.threshold, simulated)
        note = NOT_SIMULATED if simulated is None else ""
        return Finding(self.name, float(risk.max()), unit="probability", details=details, note=note)


def simulate(released: Table, truth: Truth[Table], missing: Missing = "own") -> Simulated | None:
    """Drawn targets, each with the chance of picking the target among the persons of all classes that cover it.

    None where means are published: they do not say whom they cover.
    """
    if says_nobody(released):
        return None
    persons, classes = person_of(truth), released.classes
    targets = draw_rows(persons, ~released.suppressed)
    pairs = covering(released, truth, targets, missing)
    own_records = pairs.per_target(pairs.includes_own(classes, persons, persons[targets]))
    return picks(own_records / np.maximum(pairs.per_target(classes.persons[pairs.owner]), 1))


def says_nobody(released: Table) -> bool:
    """Are means published? They do not say whom they cover, and an attack by true values is not carried out."""
    return any(column.shows_means for column in released.quasi)
