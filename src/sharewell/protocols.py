"""The four one-method protocols of every wing, and what a mechanism returns. Having the method is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from sharewell.findings import Finding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sharewell.subjects import Key

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
