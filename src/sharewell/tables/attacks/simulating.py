"""Carrying an attack out: drawn targets, one pick each, counted successes. Only a steward, who has the truth, can."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.protocols import Truth
from sharewell.tables.dataset import Table

TARGETS = 2_000
"""At most so many persons are drawn."""
SEED = 7
NOT_SIMULATED = "computed, not simulated"


@dataclass(frozen=True)
class Simulated:
    """How often the attacker was right."""

    targets: int
    successes: int
    share: float
    error: float
    """The standard error of the share, had every pick the chance that was found for it."""


def person_of(truth: Truth[Table]) -> NDArray[np.intp]:
    """Whom each published row is about, as a number, −1 if unknown; without a subject every record is a person."""
    subject = truth.original.subject
    if subject is None:
        return truth.rows
    codes = subject.codes[truth.rows].astype(np.intp)
    return np.where(codes == subject.size - 1, -1, codes) if subject.has_missing else codes


def draw_rows(persons: NDArray[np.intp], visible: NDArray[np.bool_]) -> NDArray[np.intp]:
    """One published row each of up to TARGETS persons, drawn with a fixed seed."""
    rows = np.flatnonzero(visible & (persons >= 0))
    rows = np.random.default_rng(SEED).permutation(rows)
    _, first = np.unique(persons[rows], return_index=True)
    return rows[np.sort(first)[:TARGETS]]


def picks(chances: NDArray[np.float64]) -> Simulated | None:
    """One pick for each target, right with the target's own chance."""
    if not len(chances):
        return None
    right = int((np.random.default_rng(SEED + 1).random(len(chances)) < chances).sum())
    error = float(np.sqrt((chances * (1 - chances)).sum())) / len(chances)
    return Simulated(len(chances), right, right / len(chances), error)
