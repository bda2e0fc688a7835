"""Drugs → a level of a hierarchy: the class, the group above it, or "medication".

>>> at_level("Ativan", 1), at_level("Ativan", "full")
('benzodiazepine', 'medication')
"""

from __future__ import annotations

from typing import Literal

from sharewell.hierarchy import Tree


def at_level(written: str, level: int | Literal["full"], tree: Tree | None = None) -> str:
    """A drug as written, at a level of the shipped hierarchy or of a user's own."""
    from sharewell.notes.engine.protection.drugs_and_doses import generalised

    return generalised(written, level, tree)
