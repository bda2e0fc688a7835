"""Has a kernel been compiled on this machine before? Asked without loading the compiler, which takes half a second.

And if not: how long did its work take without it? Every process adds a line of seconds to a small file in the user's
cache, one for the kernels of a module. Lines are written whole, whoever else writes; where nothing can be written,
nothing is counted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from sharewell.io.step_times import users_cache

_LONGEST = 1 << 14
"""Bytes of a file of seconds."""


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
    except (OSError, RuntimeError):  # no home
        return False


def recorded_seconds(module: str) -> float:
    """CPU seconds that numpy has taken in place of these kernels, in all processes of this user."""
    total = 0.0
    try:
        lines = _record(module).read_bytes().split()
    except (OSError, RuntimeError):  # no home
        return 0.0
    for line in lines:
        with suppress(ValueError):
            total += max(0.0, float(line))
    return total


def add_seconds(module: str, seconds: float) -> None:
    """Count them, if that is possible here. Files stop growing once compiling is due: then kernels do the work."""
    try:
        file = _record(module)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as handle:
            if handle.tell() < _LONGEST:
                handle.write(f"{seconds:.2f}\n".encode())
    except (OSError, RuntimeError):
        return


def _record(module: str) -> Path:
    given = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(given) if given else users_cache()
    return root / "sharewell" / f"{module}-py{sys.version_info.major}{sys.version_info.minor}.seconds"


def _places(source: Path) -> Iterator[Path]:
    """Where numba would keep it."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given is None:
        yield source.parent / "__pycache__"
    yield from (Path(given) if given else users_cache() / "numba").glob(f"{source.parent.name}_*")
