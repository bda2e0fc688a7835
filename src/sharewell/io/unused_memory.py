"""Memory that nobody uses any more, given back to the system between the steps of a release.

Allocators keep what was freed for whoever asks next. After a large file was read that is more than what is left of it.
"""

from __future__ import annotations

import sys


def give_back() -> None:
    """Takes milliseconds; nothing where Arrow was not needed."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
