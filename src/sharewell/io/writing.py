"""Writing: tables, JSON, and whole releases that appear at once or not at all."""

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
from typing import Any, Literal

from sharewell.errors import DataError
from sharewell.io.plain_files import read_plain
from sharewell.io.spool import SortedRows

PARTIAL = ".partial-"
"""Marks the name of a directory in which a release is being made."""
LOCK, JOURNAL = ".lock", "journal"
"""In such a directory: who is at work there, and what of long work is finished."""
_MOST_DIGITS = 40
"""Of a whole number in a file of JSON; a longer one only costs time."""


def write_table(path: Path, table: Any, form: Literal["parquet", "csv"]) -> None:
    """One Arrow table, or sorted rows from disk, as a Parquet or CSV file; the same table gives the same bytes."""
    if isinstance(table, SortedRows):
        table.write(path, form)
    elif form == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(table.replace_schema_metadata(None), path, compression="zstd")
    else:
        import pyarrow as pa
        from pyarrow import csv

        try:
            csv.write_csv(table, path, csv.WriteOptions(quoting_style="needed"))
        except pa.ArrowException:
            odd = [f.name for f in table.schema if pa.types.is_nested(f.type) or pa.types.is_binary(f.type)]
            what = f"column(s) {', '.join(odd)} cannot be written as text" if odd else "cannot be written as text"
            raise DataError(f"{path.name} — {what} — write Parquet, or drop them") from None


def write_salted(path: Path, table: Any, salt: bytes) -> None:
    """A Parquet file for internal/ whose hash is published: with a secret in it, so that guesses cannot be tried."""
    import pyarrow.parquet as pq

    write_table(path, table, "parquet")
    salted = path.with_suffix(".salted")
    with pq.ParquetFile(path) as plain:
        schema = plain.schema_arrow.with_metadata({"salt": salt.hex()})
        with pq.ParquetWriter(salted, schema, compression="zstd") as file:
            for batch in plain.iter_batches(1 << 16):
                file.write_batch(batch.cast(schema))
    salted.replace(path)


def write_json(path: Path, content: Any) -> None:
    """JSON that reads well and is the same for the same content: keys keep their order, no spaces at line ends."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """UTF-8, line feeds. A private file can be read by its owner alone, from the first byte on."""
    write_bytes(path, text.encode(), private=private)


def write_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """A whole file; a private one must be new."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if private else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600 if private else 0o666), "wb") as file:
        file.write(content)


@contextmanager
def temporary_file(text: str, suffix: str = "") -> Iterator[Path]:
    """A file that nobody else can read, and that is gone afterwards."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"text{suffix}"
        write_text(path, text, private=True)
        yield path


def read_json(path: Path) -> Any:
    """JSON from a file; what is wrong is told without quoting it."""
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


@contextmanager
def all_or_nothing(target: Path) -> Iterator[Path]:
    """A temporary sibling directory that becomes `target` if the block succeeds, and vanishes if it fails.

    Whatever kills the process leaves at most a hidden directory whose name says that it is partial; the next attempt
    clears it away, but for a journal of long work, which it takes over. The same holds for an interruption from the
    keyboard. An existing target is never touched.
    """
    refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{target.name}{PARTIAL}", dir=target.parent))
    lock = _lock(partial)
    _clear_dead(target, partial)
    try:
        yield partial
        shutil.rmtree(partial / JOURNAL, ignore_errors=True)
        (partial / LOCK).unlink(missing_ok=True)
        _flush(partial)
        refuse_existing(target)
        partial.chmod(0o755)
        partial.rename(target)
        _flush_directory(target.parent)
    except BaseException as error:
        _clear_failed(partial, keep_journal=isinstance(error, KeyboardInterrupt))
        raise
    finally:
        if lock is not None:
            os.close(lock)


@contextmanager
def whole_file(target: Path, *, take_over: bool = False) -> Iterator[Path]:
    """A temporary sibling directory; what stands in it under the name of `target` becomes that file in the end.

    take_over: a journal that an interrupted attempt has left is found in it; otherwise it is cleared away.
    """
    refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{target.name}{PARTIAL}", dir=target.parent))
    lock = _lock(partial)
    _clear_dead(target, partial, take_over)
    try:
        yield partial
        with (partial / target.name).open("rb") as file:
            os.fsync(file.fileno())
        refuse_existing(target)
        (partial / target.name).rename(target)
        shutil.rmtree(partial, ignore_errors=True)
    except BaseException as error:
        _clear_failed(partial, keep_journal=isinstance(error, KeyboardInterrupt))
        raise
    finally:
        if lock is not None:
            os.close(lock)


def refuse_existing(target: Path) -> None:
    if target.exists():
        raise DataError(f"{target} — already there, and never overwritten — choose another name or move it")


def make_directories(path: Path, *, private: bool = False) -> None:
    path.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)


def copy_file(source: Path, target: Path) -> None:
    """The same bytes under another name."""
    shutil.copyfile(source, target)


def remove_tree(path: Path) -> None:
    """Remove a directory and all in it."""
    shutil.rmtree(path, ignore_errors=True)


def append_line(path: Path, event: str, **facts: Any) -> None:
    """One line of the audit trail, on disk before the call returns."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    line = json.dumps({"time": now, "event": event, **facts}, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def held(path: Path) -> Iterator[None]:
    """A file that one process at a time works with; made if it is not there. Others are refused, not kept waiting."""
    import fcntl

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DataError(f"{path} — cannot be written ({error.strerror})") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise DataError(f"{path.name} — in use by another process — wait until that has ended") from None
    try:
        yield
    finally:
        os.close(handle)


def _clear_dead(target: Path, partial: Path, take_over: bool = True) -> None:
    """Remove what killed attempts left behind, but for one journal: a living one holds the lock of its directory."""
    for left in sorted(target.parent.glob(f".{target.name}{PARTIAL}*")):
        lock = None if left == partial else _lock(left)
        if lock is not None:
            if take_over and (left / JOURNAL).is_dir() and not (partial / JOURNAL).exists():
                (left / JOURNAL).rename(partial / JOURNAL)
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)


def _clear_failed(partial: Path, keep_journal: bool) -> None:
    if not (keep_journal and (partial / JOURNAL).is_dir()):
        shutil.rmtree(partial, ignore_errors=True)
        return
    for path in partial.iterdir():
        if path.is_dir() and path.name != JOURNAL:
            shutil.rmtree(path, ignore_errors=True)
        elif path.is_file():
            path.unlink(missing_ok=True)


def journal_in(partial: Path, work: str) -> Path:
    """Where long work of this name keeps what is finished; journals of other work are removed."""
    found = partial / JOURNAL / work
    for other in (partial / JOURNAL).iterdir() if (partial / JOURNAL).is_dir() else ():
        if other != found:
            shutil.rmtree(other, ignore_errors=True)
    found.mkdir(parents=True, exist_ok=True, mode=0o700)
    return found


def _lock(partial: Path) -> int | None:
    """A handle that holds the directory's lock, which goes with the process; None if another process has it."""
    import fcntl

    handle = os.open(partial / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _flush(directory: Path) -> None:
    """Push every file to the disk before the name appears."""
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    for path in [directory, *directory.rglob("*")]:
        if path.is_dir():
            _flush_directory(path)


def _flush_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
