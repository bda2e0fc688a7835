"""A mechanism for notes: it protects them all, and rewrites those of one person."""

from __future__ import annotations

from typing import Protocol

from sharewell.notes.data import Notes
from sharewell.notes.engine.rewritten_text import Rewriter
from sharewell.protocols import Mechanism


class NoteMechanism(Mechanism[Notes], Rewriter, Protocol):
    """What another mechanism can work with."""
