"""Mechanisms start from original genotypes; each form in which DNA is published has its own criteria."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol, TypeVar

from sharewell.algorithm import Criteria, Infeasible, Key, Mechanism, Protected
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.preconditions import refuse_published

OF_SEQUENCES = ("diverse-sequences", "k-identical", "snp-bins")
"""Criteria that judge sequences, and neither frequencies nor the answers of a beacon."""
OF_BEACONS = ("beacon-power",)
"""And those that judge the answers of a beacon."""
OF_FREQUENCIES = ("membership-power", "minor-frequency", "safe-number")

Original = TypeVar("Original", contravariant=True)
Released = TypeVar("Released")


class Publishing(Mechanism[Any], Protocol[Original, Released]):
    """A mechanism that publishes DNA in another form than it reads."""

    @abstractmethod
    def protect(self, data: Original, must: Criteria[Released], key: Key | None = None) -> Protected[Released]: ...


def refuse_unfit(mechanism: str, data: Genotypes) -> None:
    """Mechanisms need original, non-empty data."""
    refuse_published(mechanism, data)
    if not data.rows or not data.count:
        raise Infeasible(f"{mechanism} — nobody and no SNP to release")
