"""What algorithms are written with, in one line of imports: protocols, parameters, roles, findings, key, errors."""

from __future__ import annotations

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.findings import Finding, Number, Sense
from sharewell.keys import Key
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
from sharewell.protocols import Attack, Criterion, Measure, Mechanism, Protected, Truth
from sharewell.roles import Role

__all__ = [
    "Attack",
    "Chance",
    "Count",
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
    "Natural",
    "NotNegative",
    "Number",
    "PolicyError",
    "Positive",
    "PositiveShare",
    "Protected",
    "Role",
    "Sense",
    "Share",
    "ShareBelowOne",
    "Truth",
    "TwoOrMore",
]
