"""What every mechanism refuses before it begins: published or empty data, and criteria that it cannot make hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sharewell.errors import Infeasible, PolicyError
from sharewell.protocols import AnyCriterion, AnyMechanism
from sharewell.registry import compatible


class Publishable(Protocol):
    """Data that says whether a release showed it."""

    @property
    def published(self) -> bool: ...


def refuse_unfit(mechanism: str, data: Publishable, rows: int) -> None:
    """Mechanisms need original, non-empty data."""
    refuse_published(mechanism, data)
    if rows == 0:
        raise Infeasible(f"{mechanism} — the data has no rows — there is nothing to release")


def refuse_published(mechanism: str, data: Publishable) -> None:
    if data.published:
        raise PolicyError(f"{mechanism} — the data is published already — start from the original")


def refuse_incompatible(mechanism: AnyMechanism, criteria: Sequence[AnyCriterion]) -> None:
    if other := [one.name for one in criteria if not compatible(mechanism, one)]:
        raise PolicyError(f"{mechanism.name} — cannot make {', '.join(other)} hold — choose another mechanism")
