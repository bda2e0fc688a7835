"""The rows of a person under one pseudonym: in which pieces a mechanism breaks them, and whose dates move together."""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.tables.engine.array_types import Indices, Ints


@dataclass(frozen=True, eq=False)
class PublishedTrails:
    """What stands beside the rows of a release in which a person may have several pseudonyms."""

    piece: Ints
    """Of each row: rows of one person with the same number stand under one pseudonym."""
    moved_with: Ints | None = None
    """Of each row: rows with the same number move their dates by the same number of days; None: those of a person."""

    def take(self, rows: Indices) -> PublishedTrails:
        return PublishedTrails(self.piece[rows], None if self.moved_with is None else self.moved_with[rows])
