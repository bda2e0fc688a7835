"""Plan: what a release would do, and the risks before it. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sharewell import registry
from sharewell.findings import Finding
from sharewell.policy.model import Policy

Progress = Callable[[str], None]


@dataclass(frozen=True)
class DatasetPlan:
    """One dataset: how it was understood, how large it is, what an attacker could do today, what will be done."""

    kind: str
    size: dict[str, int]
    columns: dict[str, Any]
    risks: tuple[Finding, ...]
    require: tuple[str, ...]
    using: str
    seconds: float
    """Expected time of protecting, from the size alone: a rough figure."""

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "size": self.size,
            "columns": self.columns,
            "risks": [risk.to_json() for risk in self.risks],
            "require": list(self.require),
            "using": self.using,
            "expected_seconds": self.seconds,
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
        seconds = round(1 + 1.2e-6 * size["rows"] * max(1, len(data.schema.quasi)), 1)
        found[name] = DatasetPlan(
            dataset.kind, size, wing.describe(data), tuple(wing.risks(data)), require, using, seconds
        )
    return found


def told(name: str, parameters: Any) -> str:
    """An algorithm as the policy writes it."""
    inside = ", ".join(f"{key}: {value}" for key, value in parameters.items())
    return f"{name}: {{{inside}}}" if inside else name
