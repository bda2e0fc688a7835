"""Write tables, JSON, texts and lines of the audit trail; read JSON back."""

from __future__ import annotations

import datetime
import json
import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sharewell.errors import DataError
from sharewell.io.operating_system import lock_file, writing_handle
from sharewell.io.plain_files import read_plain
from sharewell.plain_data import Json

if TYPE_CHECKING:
    import pyarrow as pa

    from sharewell.io.external_sort import SortedRows

_MOST_DIGITS = 40
"""A longer whole number in a JSON file is refused: it would only cost time."""


def write_table(path: Path, table: pa.Table | SortedRows, form: Literal["parquet", "csv"]) -> None:
    """One Arrow table, or sorted rows from disk, as a Parquet or CSV file; the same table gives the same bytes."""
    import pyarrow as pa

    if not isinstance(table, pa.Table):
        table.write(path, form)
    elif form == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(table.replace_schema_metadata(None), path, compression="zstd")
    else:
        from pyarrow import csv

        try:
            csv.write_csv(table, path, csv.WriteOptions(quoting_style="needed"))
        except pa.ArrowException:
            odd = [f.name for f in table.schema if pa.types.is_nested(f.type) or pa.types.is_binary(f.type)]
            problem = f"column(s) {', '.join(odd)} cannot be written as text" if odd else "cannot be written as text"
            raise DataError(f"{path.name} — {problem} — write Parquet, or drop them") from None


def write_salted(path: Path, table: pa.Table | SortedRows, salt: bytes) -> None:
    """A Parquet file for internal/ whose hash is published; the salt prevents guessing its content from the hash."""
    import pyarrow.parquet as pq

    write_table(path, table, "parquet")
    salted = path.with_suffix(".salted")
    with pq.ParquetFile(path) as plain:
        schema = plain.schema_arrow.with_metadata({"salt": salt.hex()})
        with pq.ParquetWriter(salted, schema, compression="zstd") as file:
            for batch in plain.iter_batches(1 << 16):
                file.write_batch(batch.cast(schema))
    salted.replace(path)


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """A name to write under: the file gets the name `path` if the block succeeds, and vanishes if it fails."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise DataError(f"{path} — cannot be written ({error.strerror or 'unknown reason'})") from None
    finally:
        unfinished.unlink(missing_ok=True)


def write_json(path: Path, content: object) -> None:
    """JSON that reads well and is the same for the same content: keys keep their order, no spaces at line ends."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """UTF-8, line feeds. A private file can be read by its owner alone, from the first byte on."""
    write_bytes(path, text.encode(), private=private)


def write_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """A whole file; a private one must be new."""
    with os.fdopen(writing_handle(path, private=private), "wb") as file:
        file.write(content)


@contextmanager
def temporary_file(text: str, suffix: str = "") -> Iterator[Path]:
    """A file that nobody else can read, removed afterwards."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"text{suffix}"
        write_text(path, text, private=True)
        yield path


def read_json(path: Path) -> Json:
    """JSON from a file; errors do not quote it."""
    try:
        return json.loads(read_plain(path), parse_constant=_no_number, parse_float=_finite, parse_int=_bounded)
    except (ValueError, RecursionError):
        raise DataError(f"{path.name} — not valid JSON — the file is damaged or was edited") from None


def _no_number(name: str) -> None:
    raise ValueError(name)


def _finite(text: str) -> float:
    """A number that a release could have written; 1e999 is none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _bounded(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError
    return int(text)


def read_bytes(path: Path) -> bytes:
    """A whole file."""
    return read_plain(path)


def refuse_existing(target: Path) -> None:
    if os.path.lexists(target):
        raise DataError(f"{target} — already there, and never overwritten — choose another name or move it")


def make_directories(path: Path, *, private: bool = False) -> None:
    path.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)


def copy_file(source: Path, target: Path) -> None:
    """The same bytes under another name."""
    shutil.copyfile(source, target)


def remove_tree(path: Path) -> None:
    """Remove a directory and all in it."""
    shutil.rmtree(path, ignore_errors=True)


def append_line(path: Path, event: str, **facts: object) -> None:
    """One line of the audit trail, on disk before the call returns."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    line = json.dumps({"time": now, "event": event, **facts}, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Lock a file for this process, by a lock file beside it; another process is refused at once, not kept waiting."""
    if not path.parent.is_dir():
        raise DataError(f"{path} — cannot be written — there is no such directory")
    busy = f"{path.name} — in use by another process — wait until that has ended"
    with lock_file(path.with_name(f".{path.name}.lock"), busy):
        yield
