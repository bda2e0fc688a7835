"""Cases, answers and how many answers were false."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from sharewell.errors import SharewellError

SHOWN = 3
"""Cases of false answers that are shown, the smallest first."""


@dataclass(frozen=True)
class Answer:
    """Is it safe (None: undecided), and what would be published?"""

    safe: bool | None
    published: Any = None


@dataclass
class Tally:
    name: str
    cases: int = 0
    said_safe: int = 0
    refused: int = 0
    undecided: int = 0
    false_safe: int = 0
    seconds: float = 0.0
    """Of CPU time."""
    examples: list[str] = field(default_factory=list)

    def add(self, answer: bool | None, false: bool = False, case: object = None) -> None:
        self.cases += 1
        self.said_safe += answer is True
        self.refused += answer is False
        self.undecided += answer is None
        if false:
            self.false_safe += 1
            self.examples = sorted([*self.examples, repr(case)], key=len)[:SHOWN]

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.cases:,} cases, {self.said_safe:,} said safe, {self.refused:,} refused, "
            f"{self.undecided:,} undecided"
        )


class Kind(ABC):
    """One kind of case: how it is drawn, what the package answers, and what is true of it."""

    name: ClassVar[str]

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Any:
        """A small case; its repr shows it whole."""

    @abstractmethod
    def answer(self, case: Any) -> Answer:
        """The package's. An error or an infeasible demand publishes nothing."""

    @abstractmethod
    def is_safe(self, case: Any, published: Any) -> bool:
        """By enumeration, without the package."""

    def unprotected(self, case: Any) -> Any:
        """What somebody publishes who protects nothing."""
        return None

    def tally(self, cases: int, seed: int, protected: bool = True) -> Tally:
        """Without protection every case is published as it is and said to be safe: the control."""
        rng, found, began = np.random.default_rng(seed), Tally(self.name), time.process_time()
        for _ in range(cases):
            case = self.draw(rng)
            answer = self._answered(case) if protected else Answer(True, self.unprotected(case))
            false = answer.safe is True and not self.is_safe(case, answer.published)
            found.add(answer.safe, false, case)
        found.seconds = time.process_time() - began
        return found

    def _answered(self, case: Any) -> Answer:
        try:
            return self.answer(case)
        except SharewellError:
            return Answer(False)


def pick(rng: np.random.Generator, choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]
