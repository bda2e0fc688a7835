"""Cases, answers and how many answers were false."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, ClassVar

import numpy as np

from sharewell.errors import SharewellError

SHOWN = 3
"""Cases of false answers that are shown, the smallest first."""
CHUNK = 500
"""Cases that are drawn from one seed: the same cases, however many processes share them."""
WORKERS = min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class Answer:
    """Is it safe (None: undecided), and what would be published?"""

    safe: bool | None
    published: Any = None
    stopped: bool = False
    """Nothing would be published: there is nothing to judge."""


@dataclass
class Tally:
    name: str
    cases: int = 0
    said_safe: int = 0
    refused: int = 0
    undecided: int = 0
    stopped: int = 0
    """Of those refused: an error or an infeasible demand, with nothing published."""
    truly_safe: int = 0
    """By the oracle, of all that was or would be published."""
    over_cautious: int = 0
    """Refused or undecided although truly safe."""
    false_safe: int = 0
    seconds: float = 0.0
    """Of CPU time."""
    examples: list[str] = field(default_factory=list)
    means: dict[Any, tuple[float, float, int, int]] = field(default_factory=dict)
    """Of kinds that are judged by means: sum, sum of squares, cases and persons of each regime."""

    def add(self, answer: Answer, true: bool, case: object = None) -> None:
        self.cases += 1
        self.said_safe += answer.safe is True
        self.refused += answer.safe is False
        self.undecided += answer.safe is None
        self.stopped += answer.stopped
        if answer.stopped:
            return
        self.truly_safe += true
        self.over_cautious += true and answer.safe is not True
        if answer.safe is True and not true:
            self.false_safe += 1
            self.show(case)

    def show(self, case: object) -> None:
        self.examples = sorted([*self.examples, repr(case)], key=len)[:SHOWN]

    def merge(self, other: Tally) -> None:
        counts = "cases said_safe refused undecided stopped truly_safe over_cautious false_safe seconds"
        for name in counts.split():
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.examples = sorted([*self.examples, *other.examples], key=len)[:SHOWN]
        for regime, sums in other.means.items():
            mine = self.means.get(regime, (0.0, 0.0, 0, 0))
            self.means[regime] = tuple(a + b for a, b in zip(mine, sums, strict=True))  # type: ignore[assignment]

    def __str__(self) -> str:
        asked = max(1, self.cases - self.said_safe - self.stopped)
        return (
            f"{self.name}: {self.cases:,} cases, {self.said_safe:,} claimed safe, {self.truly_safe:,} truly safe, "
            f"{self.refused:,} refused ({self.stopped:,} with nothing to judge), {self.undecided:,} undecided, "
            f"{self.over_cautious:,} refused though safe ({self.over_cautious / asked:.0%} of refusals judged)"
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

    def tally(
        self, cases: int, seed: int, protected: bool = True, progress: Callable[[Tally], None] | None = None
    ) -> Tally:
        """Without protection every case is published as it is and said to be safe: the control."""
        found = Tally(self.name)
        for part in tallied(type(self), cases, seed, protected):
            found.merge(part)
            if progress is not None:
                progress(found)
        self.finish(found)
        return found

    def chunk(self, cases: int, seed: tuple[int, int], protected: bool = True) -> Tally:
        rng, found, began = np.random.default_rng(seed), Tally(self.name), time.process_time()
        for _ in range(cases):
            case = self.draw(rng)
            answer = self._answered(case) if protected else Answer(True, self.unprotected(case))
            found.add(answer, not answer.stopped and self.is_safe(case, answer.published), case)
        found.seconds = time.process_time() - began
        return found

    def finish(self, found: Tally) -> None:  # noqa: B027
        """What only all cases together tell."""

    def _answered(self, case: Any) -> Answer:
        try:
            return self.answer(case)
        except SharewellError:
            return Answer(False, stopped=True)


def tallied(kind: type[Kind], cases: int, seed: int, protected: bool, workers: int = WORKERS) -> Iterator[Tally]:
    """Chunk by chunk, over several processes where there are several chunks."""
    sizes = [CHUNK] * (cases // CHUNK) + ([cases % CHUNK] if cases % CHUNK else [])
    parts = [(kind, size, (seed, number), protected) for number, size in enumerate(sizes)]
    if len(parts) < 2 or workers < 2:
        yield from map(_chunk, parts)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_chunk, parts)


def _chunk(part: tuple[type[Kind], int, tuple[int, int], bool]) -> Tally:
    kind, cases, seed, protected = part
    return kind().chunk(cases, seed, protected)


def pick(rng: np.random.Generator, choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]
