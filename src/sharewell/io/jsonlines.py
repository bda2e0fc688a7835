"""JSON Lines: one object a line, read one at a time."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sharewell.errors import DataError


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and objects; blank lines are passed over. A broken line is a DataError that does not quote it."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _object(path, number, line)
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile):
        raise DataError(f"{path.name} — is not text in UTF-8 — save it as UTF-8, one JSON object a line") from None
    except OSError as error:
        raise DataError(f"{path.name} — {error.strerror or 'cannot be read'}") from None


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DataError(f"{path.name}, line {number} — is not a JSON object — one object a line is wanted")
    return found
