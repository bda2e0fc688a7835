"""Files whose author is not trusted, and other files that are read whole: plain ones only, none larger than it may be.

A name in somebody else's directory may be a pipe that never ends, a device, or a file that claims terabytes and holds
nothing. All of these are refused before a byte is read.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.operating_system import blocks_on_disk, data_limit, reading_handle

MOST_BYTES, _SMALL_BYTES = 256_000_000, 10_000_000
"""The largest file that is read into memory, such as a certificate; and the largest policy, or file with a secret."""
GIGABYTE = 1 << 30
_SPARSE_FROM, _SPARSE_SHARE = 1_000_000_000, 100
"""A file above this size of which less than a hundredth is on the disk is refused as sparse."""


def open_plain(path: Path, most: int | None = None) -> BufferedReader:
    """A plain file, opened for reading; pipes, devices, directories and oversized files are refused."""
    try:
        handle = reading_handle(path)
    except FileNotFoundError:
        raise DataError(f"{path.name} — no such file") from None
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "its name cannot be used"
        raise DataError(f"{path.name} — cannot be read ({why})") from None
    facts = os.fstat(handle)
    problem = _problem(facts, most)
    if problem:
        os.close(handle)
        raise DataError(f"{path.name} — {problem}")
    return os.fdopen(handle, "rb")


def read_plain(path: Path, most: int = MOST_BYTES) -> bytes:
    """All bytes of a plain file that is not too large."""
    with open_plain(path, most) as file:
        content = file.read(most + 1)
    if len(content) > most:  # it grew while it was read
        raise DataError(f"{path.name} — larger than {most // 1_000_000} MB, the most that such a file may have")
    return content


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read in pieces."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _problem(facts: os.stat_result, most: int | None) -> str:
    if not stat.S_ISREG(facts.st_mode):
        return "not a plain file: a release holds only plain files"
    if most is not None and facts.st_size > most:
        return f"larger than {most // 1_000_000} MB, the most that such a file may have"
    occupied = blocks_on_disk(facts)
    if occupied is not None and facts.st_size > _SPARSE_FROM and occupied * _SPARSE_SHARE < facts.st_size:
        return "claims a size that it does not have on the disk"
    return ""


def small_file(path: Path, said: str | None = None) -> bytes:
    """The bytes of a file; messages name it as `said`, or by its name, and never quote it."""
    label = said or path.name or "the file"
    try:
        if path.stat().st_size > _SMALL_BYTES:
            raise DataError(f"{label} — larger than {_SMALL_BYTES // 1_000_000} MB — is it the right file?")
        if path.is_fifo() or path.is_char_device() or path.is_block_device():
            raise DataError(f"{label} — a pipe or a device, not a file — name a file")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"{label} — no such file — check the path") from None
    except (OSError, ValueError):
        raise DataError(f"{label} — cannot be read — check that it is a file and that you may read it") from None


@contextmanager
def memory_limit(gigabytes: float, advice: str) -> Iterator[None]:
    """Within the block, needing more memory is a DataError with this advice.

    Systems without such a limit (Windows) have none.
    """
    try:
        with data_limit(int(gigabytes * GIGABYTE)):
            yield
    except MemoryError:  # pyarrow's and numpy's own are of this kind
        raise DataError(f"more than {gigabytes:g} GB of memory would be needed — {advice}") from None
