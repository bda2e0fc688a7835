"""What attacks on a noisy table and on whoever answers questions about people have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sharewell.algorithm import Attack, Finding, Truth
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.subset_answers import SubsetAnswers

Bits: TypeAlias = NDArray[np.int64]
"""Everybody's secret, zero or one."""


class SubsetAttack(Attack["NoisyTable | SubsetAnswers"], Protocol):
    """An attack that reads a published table, or asks about groups of people where nothing is published."""

    released_only: ClassVar[bool] = True

    def mount(
        self, released: NoisyTable | SubsetAnswers, truth: Truth[ConfidentialTable] | ArrayLike | None = None
    ) -> Finding:
        """`truth`: of a table, the original; of answers, everybody's zero or one."""
        original = truth.original if isinstance(truth, Truth) else None
        if isinstance(released, NoisyTable):
            return self.on_table(released, original)
        return self.by_asking(released, None if truth is None or isinstance(truth, Truth) else np.asarray(truth))

    @abstractmethod
    def on_table(self, released: NoisyTable, original: ConfidentialTable | None) -> Finding: ...

    @abstractmethod
    def by_asking(self, answers: SubsetAnswers, bits: Bits | None) -> Finding: ...
