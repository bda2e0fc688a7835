"""Small files that are read whole: policies, and files that hold a secret."""

from __future__ import annotations

from pathlib import Path

from sharewell.errors import DataError

_MOST_BYTES = 10_000_000


def small_file(path: Path, said: str | None = None) -> bytes:
    """The bytes of a file; messages name it as `said`, or by its name, and never quote it."""
    label = said or path.name or "the file"
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise DataError(f"{label} — larger than {_MOST_BYTES // 1_000_000} MB — is it the right file?")
        if path.is_fifo() or path.is_char_device() or path.is_block_device():
            raise DataError(f"{label} — a pipe or a device, not a file — name a file")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"{label} — no such file — check the path") from None
    except (OSError, ValueError):
        raise DataError(f"{label} — cannot be read — check that it is a file and that you may read it") from None
