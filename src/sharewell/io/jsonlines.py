"""JSON Lines: one object a line, read one at a time, or as a table whose columns are the keys."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    import pyarrow as pa

LOOKED_AT = 10_000
"""Every key must occur in this many first lines."""
PIECE_ROWS, PIECE_SIGNS = 4096, 1 << 24
"""How much is held at once: lines, and characters in them."""


def read_jsonl(path: Path, *, exact: bool = False) -> Iterator[tuple[int, JsonObject]]:
    """Line numbers and objects; blank lines are passed over. A broken line is a DataError that does not quote it.

    exact: numbers stay as they were written, as text.
    """
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _object(path, number, line, exact)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        problem = "is a damaged gzip archive, or none at all"
        raise DataError(f"{path.name} — {problem} — copy or compress it again, or name it without .gz") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name} — is not text in UTF-8 — save it as UTF-8, one JSON object a line") from None
    except OSError as error:
        raise DataError(f"{path.name} — {error.strerror or 'cannot be read'}") from None


def _object(path: Path, number: int, line: str, exact: bool = False) -> JsonObject:
    try:
        record = json.loads(line, parse_int=str, parse_float=str) if exact else json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise DataError(f"{path.name}, line {number} — is not a JSON object — one object a line is wanted")
    return record


def jsonl_names(path: Path) -> list[str]:
    """The keys of the first lines, in the order in which they are met."""
    names: dict[str, None] = {}
    for _, record in islice(read_jsonl(path), LOOKED_AT):
        names |= dict.fromkeys(record)
    if not names:
        raise DataError(f"{path.name} — holds no JSON object with a key — one object a line is wanted")
    return list(names)


def jsonl_pieces(path: Path, only: Sequence[str] | None = None, rows: int = PIECE_ROWS) -> Iterator[pa.Table]:
    """Arrow tables of text, piece by piece; at least one. Numbers keep their digits; lists and objects stay JSON."""
    import pyarrow as pa

    names = jsonl_names(path)
    columns: dict[str, list[str | None]] = {name: [] for name in (names if only is None else only)}
    known, characters, records, pieces = set(names), 0, 0, 0

    def piece() -> pa.Table:
        table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
        for cells in columns.values():
            cells.clear()
        return table

    for number, record in read_jsonl(path, exact=True):
        if not record.keys() <= known:
            problem = "has a key that no line before it has"
            raise DataError(f"{path.name}, line {number} — {problem} — give the first line every key, null where empty")
        for name, cells in columns.items():
            cells.append(cell := _cell(record.get(name)))
            characters += len(cell or "")
        records += 1
        if records >= min(rows, PIECE_ROWS) or characters >= PIECE_SIGNS:
            yield piece()
            characters, records, pieces = 0, 0, pieces + 1
    if records or not pieces:
        yield piece()


def jsonl_table(path: Path, only: Sequence[str] | None = None) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables(jsonl_pieces(path, only)).combine_chunks()


def _cell(value: object) -> str | None:
    """A value as text; None for null and for an empty text, as in every other format; half a surrogate pair is "?"."""
    if isinstance(value, str):
        return (value if value.isascii() else value.encode("utf-8", "replace").decode()) or None
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else json.dumps(value, ensure_ascii=False)
