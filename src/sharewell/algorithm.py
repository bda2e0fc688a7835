"""What algorithms are written with, in one line of imports: protocols, parameters, roles, findings, key, errors."""

from __future__ import annotations

from sharewell.attack_simulation import NOT_SIMULATED, SEED, TARGETS, Simulated
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.findings import Finding, Number, Sense
from sharewell.keys import Key
from sharewell.output_check import refuse_failing
from sharewell.parameters import (
    Chance,
    Count,
    Declared,
    ExactChance,
    ExactNotNegative,
    ExactPositiveShare,
    ExactShare,
    ExactShareBelowOne,
    Natural,
    NotNegative,
    Positive,
    PositiveShare,
    Share,
    ShareBelowOne,
    TwoOrMore,
)
from sharewell.protocols import Attack, Criteria, Criterion, Measure, Mechanism, Protected, Truth
from sharewell.roles import Role

__all__ = [
    "Attack",
    "Chance",
    "Count",
    "Criteria",
    "Criterion",
    "DataError",
    "Declared",
    "ExactChance",
    "ExactNotNegative",
    "ExactPositiveShare",
    "ExactShare",
    "ExactShareBelowOne",
    "Finding",
    "Infeasible",
    "Key",
    "Measure",
    "Mechanism",
    "NOT_SIMULATED",
    "Natural",
    "NotNegative",
    "Number",
    "PolicyError",
    "Positive",
    "PositiveShare",
    "Protected",
    "Role",
    "SEED",
    "Sense",
    "Share",
    "ShareBelowOne",
    "Simulated",
    "TARGETS",
    "Truth",
    "TwoOrMore",
    "refuse_failing",
]
