"""What algorithms are written with, in one line of imports: protocols, parameters, findings, key and errors."""

from __future__ import annotations

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.findings import Finding, Number, Sense
from sharewell.keys import Key
from sharewell.parameters import Count, Declared, Share
from sharewell.protocols import Attack, Criterion, Measure, Mechanism, Protected, Truth

__all__ = [
    "Attack",
    "Count",
    "Criterion",
    "DataError",
    "Declared",
    "Finding",
    "Infeasible",
    "Key",
    "Measure",
    "Mechanism",
    "Number",
    "PolicyError",
    "Protected",
    "Sense",
    "Share",
    "Truth",
]
