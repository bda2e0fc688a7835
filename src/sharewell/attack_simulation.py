"""What attacks that are carried out share: how many targets are drawn, by which seed, how successes are reported."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TARGETS = 2_000
"""At most this many persons are drawn."""
SEED = 7
NOT_SIMULATED = "computed, not simulated"


@dataclass(frozen=True)
class Simulated:
    """How often the attacker was right."""

    targets: int
    successes: int
    share: float
    error: float
    """Standard error of the success rate under the attacker's own probabilities."""

    @classmethod
    def of(cls, right: NDArray[np.bool_], chances: NDArray[np.float64]) -> Simulated | None:
        """Guesses that were right, beside the chances that the attacker gave them; None without a target."""
        if not len(right):
            return None
        error = float(np.sqrt((chances * (1 - chances)).sum())) / len(right)
        return cls(len(right), int(right.sum()), float(right.mean()), error)
