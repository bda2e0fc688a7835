"""The delimited file that was read last, kept for whoever reads it next.

Before a release its policy is held against the data: some columns are looked at, then some again, and then the whole
table is opened. Text is costly to parse, so it is parsed once. Whoever reads the whole table takes it, and nothing is
kept any longer. A file that has changed since, a large one and a compressed one are always read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.compression import ENDINGS as PACKED
from sharewell.io.delimited import Delimited

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_BYTES = 1 << 28
"""Of a file that is kept; in memory it is about as large."""
Stamp = tuple[Delimited, int, int, int]


@dataclass
class _Slot:
    stamp: Stamp | None = None
    table: pa.Table | None = None


_slot = _Slot()


def read_parsed(reader: Delimited, only: Sequence[str] | None = None) -> pa.Table:
    """The same table as `reader.read(only)` gives."""
    stamp = _stamp(reader)
    if stamp is None:
        return reader.read(only)
    kept = _slot.table if _slot.stamp == stamp else None
    if only is None:
        _slot.stamp = _slot.table = None
        return reader.read() if kept is None else kept
    if kept is None:
        try:
            kept = reader.read()
        except DataError:  # perhaps of a column that nobody asked for
            return reader.read(only)
        _slot.stamp, _slot.table = stamp, kept
    return kept.select(list(only))


def _stamp(reader: Delimited) -> Stamp | None:
    """What tells a file from another one and from itself after a change; None for a file that is not kept."""
    facts = reader.path.stat()
    if facts.st_size > _MOST_BYTES or reader.path.suffix.lower() in PACKED:
        return None
    return reader, facts.st_ino, facts.st_size, facts.st_mtime_ns
