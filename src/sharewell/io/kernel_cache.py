"""Has a kernel been compiled on this machine before? Asked without loading the compiler, which takes half a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path


def was_compiled(module: str, function: str) -> bool:
    """Is there compiled code of this function that is not older than its source?

    numba keeps it beside the source, or in the user's cache, or where NUMBA_CACHE_DIR says. Whoever keeps it elsewhere
    is told no: then the work is done in numpy, and comes out the same.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin)
    name = f"{source.stem}.{function}-*.py{sys.version_info.major}{sys.version_info.minor}*.nbi"
    try:
        written = source.stat().st_mtime
        return any(kept.stat().st_mtime >= written for place in _places(source) for kept in place.glob(name))
    except OSError:
        return False


def _places(source: Path) -> Iterator[Path]:
    """Where numba would keep it."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given is None:
        yield source.parent / "__pycache__"
    users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba"
    yield from (Path(given) if given else users).glob(f"{source.parent.name}_*")
