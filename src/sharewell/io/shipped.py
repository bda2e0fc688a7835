"""Tables that ship with the package, under `sharewell/data/`; `data/ORIGINS.md` names the origin of each."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from importlib import resources


def shipped_bytes(name: str) -> bytes:
    """The bytes of `sharewell/data/<name>`, unpacked if the name ends in .gz."""
    raw = resources.files("sharewell").joinpath("data", *name.split("/")).read_bytes()
    return gzip.decompress(raw) if name.endswith(".gz") else raw


def shipped_text(name: str) -> str:
    """The same as UTF-8 text."""
    return shipped_bytes(name).decode("utf-8")


def shipped_rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a shipped CSV file, as text."""
    return csv.DictReader(io.StringIO(shipped_text(name), newline=""))
