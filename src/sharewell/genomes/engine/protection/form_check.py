"""Judging: what is no original to start from, and which criteria judge which form of DNA."""

from __future__ import annotations

from typing import Any

from sharewell.errors import Infeasible
from sharewell.preconditions import refuse_published

OF_SEQUENCES = ("diverse-sequences", "k-identical", "snp-bins")
"""Criteria that judge sequences, and neither frequencies nor the answers of a beacon."""
OF_BEACONS = ("beacon-power",)
"""And those that judge the answers of a beacon."""
OF_FREQUENCIES = ("membership-power", "minor-frequency", "safe-number")


def refuse_unfit(mechanism: str, data: Any) -> None:
    """Mechanisms need original, non-empty data."""
    refuse_published(mechanism, data)
    if not data.rows or not getattr(data, "count", 1):
        raise Infeasible(f"{mechanism} — nobody and no SNP to release")
