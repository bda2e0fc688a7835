"""The four one-method protocols of every wing, and what a mechanism returns. Having the method is enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from sharewell.findings import Finding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sharewell.io.sources import Source
    from sharewell.keys import Key

Data = TypeVar("Data")
Judged = TypeVar("Judged", contravariant=True)


class Criterion(Protocol[Judged]):
    """What must hold. Evidence beyond the published data is a field."""

    def check(self, data: Judged) -> Finding: ...


class Mechanism(Protocol[Data]):
    """How it is made to hold. Raises Infeasible rather than return what fails."""

    def protect(self, data: Data, must: Sequence[Any], key: Key | None = None) -> Protected[Data]: ...


class Attack(Protocol[Judged]):
    """What an attacker could do. What the attacker knows are fields; `truth` only counts successes.

    An attacker who knows how a release was made has a method `knowing(mechanism, criteria)` that returns the attack
    with both; a release calls it before it mounts the attack.
    """

    def mount(self, released: Judged, truth: Any = None) -> Finding: ...


class Measure(Protocol[Judged]):
    """What it cost."""

    def score(self, before: Judged, after: Judged) -> Finding: ...


@dataclass(frozen=True)
class PublishedDataset:
    """One dataset as it is published, by this release or by an earlier one: what is judged together with others."""

    name: str
    data: Any = field(repr=False)
    """As its wing reads it from the published file; with the steward's evidence where that is there."""
    file: Source
    """The published file itself."""
    kind: str = ""
    """Its kind of data."""
    criteria: tuple[Any, ...] = ()
    """What must hold in it by itself."""
    people: frozenset[int] = frozenset()
    """Labels of the files whose people it is about. Of an earlier release: empty, the people of whatever it joins."""
    release: str = ""
    """The name of the earlier release that published it; empty: this one."""
    columns: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Its part of the dictionary."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Published column → its name in the file that it comes from, where the policy gave it another one."""
    falsified: bool = False
    """Were values changed on purpose, so that a cell need not be true?"""

    @property
    def title(self) -> str:
        return f"{self.name} of {self.release}" if self.release else self.name


class JointCriterion(Protocol):
    """What must hold of several published datasets taken together. `relevant` chooses those that it speaks of."""

    needs_kind: ClassVar[str]
    """It speaks of nothing unless a dataset of this kind is there."""
    kinds: ClassVar[tuple[str, ...]]
    """Kinds of data that it may speak of."""

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]: ...

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding: ...


class JointAttack(Protocol):
    """What an attacker can do with several published datasets of the same people."""

    needs_kind: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]: ...

    def mount(self, datasets: Sequence[PublishedDataset]) -> Finding: ...


@dataclass(frozen=True)
class Truth(Generic[Data]):
    """The original and the private alignment: row i of the release came from row rows[i] of the original."""

    original: Data
    rows: NDArray[np.intp] = field(repr=False)


@dataclass(frozen=True)
class Protected(Generic[Data]):
    """What a mechanism returns."""

    data: Data
    details: Any
    rows: NDArray[np.intp] = field(repr=False)
    reproducible: bool = True
    """False if a random choice was made under a key drawn on the spot."""

    def truth(self, original: Data) -> Truth[Data]:
        """What only the steward knows: which published row is whose."""
        return Truth(original, self.rows)
