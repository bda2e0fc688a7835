"""What a release asks of a wing whose data is one thing, with no column that could be left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sharewell.policy.model import Dataset


class OneThing:
    """The answers of wings for codes, DNA and notes when a release looks for columns to do without."""

    def bare(self, data: Any) -> Any:
        return data

    def droppable(self, data: Any) -> tuple[str, ...]:
        return ()

    def without(self, data: Any, column: str) -> Any:
        return data

    def blanked(self, released: Any, original: Any, column: str) -> Any:
        return released

    def default_attacks(self, dataset: Dataset, released: Any) -> Sequence[Any]:
        """Attacks mounted on every release, whether the policy names them or not."""
        return ()
