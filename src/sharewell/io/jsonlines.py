"""JSON Lines: one object a line, read one at a time, or as a table whose columns are the keys."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.compression import open_unpacked
from sharewell.io.pieces import text_tables
from sharewell.io.refused_files import FHIR
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    import pyarrow as pa

LOOKED_AT = 10_000
"""Every key must occur in this many first objects."""
PIECE_ROWS = 4096
"""How much is held at once: objects, and characters in them."""
Objects = Callable[[bool], Iterator[tuple[str, JsonObject]]]
"""Given whether numbers stay as they were written: places, such as "line 3", and objects."""


def read_jsonl(path: Path, *, exact: bool = False) -> Iterator[tuple[int, JsonObject]]:
    """Line numbers and objects; blank lines are passed over. A broken line is a DataError that does not quote it.

    exact: numbers stay as they were written, as text.
    """
    try:
        with open_unpacked(path) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _object(path, number, line, exact)
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


def _lines(path: Path) -> Objects:
    return lambda exact: ((f"line {number}", record) for number, record in read_jsonl(path, exact=exact))


def jsonl_names(path: Path) -> list[str]:
    """The keys of the first lines, in the order in which they are met."""
    return keys_of(path, _lines(path), "one object a line is wanted")


def jsonl_pieces(path: Path, only: Sequence[str] | None = None, rows: int = PIECE_ROWS) -> Iterator[pa.Table]:
    """Arrow tables of text, piece by piece; at least one. Numbers keep their digits; lists and objects stay JSON."""
    return tables_of(path, _lines(path), jsonl_names(path), only, rows)


def jsonl_table(path: Path, only: Sequence[str] | None = None) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables(jsonl_pieces(path, only)).combine_chunks()


def keys_of(path: Path, objects: Objects, wanted: str) -> list[str]:
    """The keys of the first objects, in the order in which they are met; resources of FHIR are no rows of a table."""
    names: dict[str, None] = {}
    for _, record in islice(objects(False), LOOKED_AT):
        names |= dict.fromkeys(record)
    if "resourceType" in names:
        raise FHIR.error(path.name)
    if not names:
        raise DataError(f"{path.name} — holds no JSON object with a key — {wanted}")
    return list(names)


def tables_of(
    path: Path, objects: Objects, names: Sequence[str], only: Sequence[str] | None, rows: int
) -> Iterator[pa.Table]:
    """The objects as Arrow tables of text, piece by piece; at least one."""
    known, wanted = set(names), names if only is None else only

    def cells() -> Iterator[dict[str, str | None]]:
        for place, record in objects(True):
            if not record.keys() <= known:
                problem = "has a key that nothing before it has"
                raise DataError(f"{path.name}, {place} — {problem} — give the first object every key, null where empty")
            yield {name: _cell(record.get(name)) for name in wanted}

    yield from text_tables(cells(), wanted, min(rows, PIECE_ROWS))


def _cell(value: object) -> str | None:
    """A value as text; None for null and for an empty text, as in every other format; half a surrogate pair is "?"."""
    if isinstance(value, str):
        return (value if value.isascii() else value.encode("utf-8", "replace").decode()) or None
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else json.dumps(value, ensure_ascii=False)
