"""What other packages add through the entry-point group `sharewell`.

To ask Python's own module takes 40 ms, most of them for its imports. On most machines no package adds anything, and a
look at the small files that would name one tells so in less than five.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

GROUP = "sharewell"
_ENDINGS = (".dist-info", ".egg-info")


def plug_ins() -> dict[str, str]:
    """Name of an entry point → `module:attribute`."""
    if not _may_be_any():
        return {}
    from importlib.metadata import entry_points  # slow to import

    return {point.name: point.value for point in entry_points(group=GROUP)}


def _may_be_any() -> bool:
    """Does a package name the group, or is there a place for packages that cannot be looked at so simply?"""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    return any(finder is not PathFinder for finder in finders) or any(map(_names_group, dict.fromkeys(sys.path)))


def _names_group(place: str) -> bool:
    """Does a folder of `sys.path` hold a package with the group? An archive, or a packed package, may."""
    try:
        with os.scandir(place or ".") as entries:
            packages = [entry.path for entry in entries if entry.name.endswith(_ENDINGS)]
    except NotADirectoryError:
        return True
    except OSError:
        return False
    if Path(place, "EGG-INFO").exists():
        return True
    return any(map(_holds_group, packages))


def _holds_group(package: str) -> bool:
    try:
        return f"[{GROUP}]".encode() in Path(package, "entry_points.txt").read_bytes()
    except OSError:  # most packages have none
        return False
