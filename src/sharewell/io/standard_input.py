"""Standard input as a file: what is piped in lies in a private temporary folder, and is gone when the work ends."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sharewell.errors import DataError

SIGN = Path("-")
"""What names standard input in place of a file."""
NAME = "standard-input"
_PIECE = 1 << 20


@contextmanager
def spooled(path: Path, stream: BinaryIO | None = None) -> Iterator[Path]:
    """The path as it is; for `-` that of a file with what was piped in, which only this account can read.

    stream: what is read in place of standard input.
    """
    if path != SIGN:
        yield path
        return
    piped = stream or sys.stdin.buffer
    if piped.isatty():
        raise DataError("standard input — is a terminal, not a file — pipe the data in, or name a file")
    with tempfile.TemporaryDirectory(prefix="sharewell-") as folder:
        held = Path(folder) / NAME
        with held.open("wb") as file:
            while piece := piped.read(_PIECE):
                file.write(piece)
        yield held
