"""Exchange the names of two directories in one step, so that nobody ever finds the name of neither.

Linux and macOS can do this; Python does not offer it, so the C library is called. Elsewhere `exchange` says no, and the
caller renames twice.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

_HERE = -100
"""AT_FDCWD: paths are relative to the working directory."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS."""


def exchange(one: Path, other: Path) -> bool:
    """Give each the name of the other, or return False and leave both: the system or the file system cannot."""
    names = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform.startswith("linux"):
            return not library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE)
        if sys.platform == "darwin":
            return not library.renamex_np(names[0], names[1], _EXCHANGE)
    except (AttributeError, OSError, TypeError):  # an older C library; Windows has none of this name
        return False
    return False
