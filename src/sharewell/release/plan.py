"""Plan: what a release would do, the risks before it, and what it would cost. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sharewell import registry
from sharewell.errors import Infeasible
from sharewell.findings import Finding, json_details
from sharewell.policy.model import Dataset, Policy
from sharewell.subjects import Key

Progress = Callable[[str], None]


SAMPLE = 100_000
"""Larger tables are tried on so many of their rows: on fewer rows the same criteria cost more detail, not less."""


@dataclass(frozen=True)
class Outcome:
    """What protecting would come to, tried in memory on all rows or on a sample."""

    tried_rows: int
    feasible: bool
    why_not: str = ""
    size: dict[str, int] | None = None
    cost: dict[str, float] | None = None


@dataclass(frozen=True)
class DatasetPlan:
    """One dataset: how it was understood, how large it is, what an attacker could do today, what will be done."""

    kind: str
    size: dict[str, int]
    columns: dict[str, Any]
    risks: tuple[Finding, ...]
    require: tuple[str, ...]
    using: str
    outcome: Outcome
    lookalikes: dict[str, int]
    """Column → how many of its values are another one but for case, blanks or form of characters."""

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "size": self.size,
            "columns": self.columns,
            "risks": [risk.to_json() for risk in self.risks],
            "require": list(self.require),
            "using": self.using,
            "outcome": json_details(self.outcome),
            "lookalikes": self.lookalikes,
        }


def plan(policy: Policy, progress: Progress = lambda step: None) -> dict[str, DatasetPlan]:
    """Open every source, say what was understood, measure the risks as they stand."""
    found = {}
    for name, dataset in policy.datasets.items():
        progress(f"reading {name}")
        wing = registry.wing(dataset.kind)
        data = wing.open(dataset, policy.path.parent)
        progress(f"measuring {name}")
        size = wing.size(data)
        require = tuple(told(item.name, item.parameters) for item in dataset.require)
        using = told(dataset.using.name, dataset.using.parameters)
        risks = tuple(wing.risks(data))
        progress(f"trying {name}")
        outcome = _try(wing, data, dataset)
        alike = wing.lookalikes(data)
        found[name] = DatasetPlan(dataset.kind, size, wing.describe(data), risks, require, using, outcome, alike)
    return found


def _try(wing: Any, data: Any, dataset: Dataset) -> Outcome:
    """Protect in memory, under a key that is thrown away; nothing is written."""
    sample = wing.sample(data, SAMPLE)
    try:
        protected = wing.protect(sample, dataset, Key.fresh())
    except Infeasible as error:
        if sample.rows == data.rows:
            return Outcome(sample.rows, False, str(error))
        sample = data  # what cannot hold on a sample may well hold on the whole
        try:
            protected = wing.protect(data, dataset, Key.fresh())
        except Infeasible as still:
            return Outcome(data.rows, False, str(still))
    scores = {item.name: item.built.score(sample, protected.data).value for item in dataset.utility}
    return Outcome(sample.rows, True, "", wing.size(protected.data), scores)


def told(name: str, parameters: Any) -> str:
    """An algorithm as the policy writes it."""
    inside = ", ".join(f"{key}: {value}" for key, value in parameters.items())
    return f"{name}: {{{inside}}}" if inside else name
