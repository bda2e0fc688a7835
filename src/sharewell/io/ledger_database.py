"""The database that a ledger of budgets is kept in: a file of SQLite, or a PostgreSQL server.

Both run the same statements. What differs is in the two classes below: how to connect, how a transaction begins, how a
row is locked, and what errors mean. A transaction that was committed is on disk: SQLite writes its log ahead with
`synchronous=FULL`, PostgreSQL commits with `synchronous_commit=on`. Whatever the database says is wrapped, so that no
statement, value or password gets into a message.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sharewell.errors import DataError
from sharewell.extras import package
from sharewell.io.operating_system import new_private_file

if TYPE_CHECKING:
    import psycopg

Cell = int | str | None
"""What a column of the ledger holds."""
Work = tuple[str, *tuple[Cell, ...]]
"""A statement and its values."""
PATIENCE = 60.0
"""Seconds that a transaction waits for those of others."""


class LedgerDatabase:
    """One connection, used by one thread at a time. Use `open_database`."""

    row_lock: ClassVar[str] = ""
    """Put behind a SELECT, it locks the rows until the transaction ends."""
    setup_lock: ClassVar[str] = ""
    """A statement that lets one process alone create tables."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._process = os.getpid()
        self._threads = threading.RLock()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that is committed when the block ends, and undone if it fails."""
        with self._transaction(self._begin_writing):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction that sees one state of the database, whatever others write meanwhile."""
        with self._transaction(self._begin_reading):
            yield

    def execute(self, statement: str, *values: Cell) -> list[tuple[Cell, ...]]:
        """The rows that a statement gives. `?` stands for a value."""
        raise NotImplementedError

    def change(self, *work: Work) -> list[int]:
        """Run several statements, each with its values; how many rows has each changed? A server gets them at once."""
        raise NotImplementedError

    def tables(self) -> set[str]:
        raise NotImplementedError

    def damage(self) -> str | None:
        """What the database itself finds wrong with its file, if it can tell."""
        return None

    def close(self) -> None:
        raise NotImplementedError

    _begin_writing: ClassVar[str]
    _begin_reading: ClassVar[str]

    def _run(self, statement: str) -> None:
        raise NotImplementedError

    def _undo(self) -> None:
        raise NotImplementedError

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if os.getpid() != self._process:
            raise DataError(f"{self.label} — was opened by another process — open it anew in this one")
        with self._threads:
            self._run(begin)
            try:
                yield
                self._run("COMMIT")
            except BaseException:
                self._undo()
                raise


class SqliteDatabase(LedgerDatabase):
    """A file on a local disk; several processes of one machine may use it at once."""

    _begin_writing = "BEGIN IMMEDIATE"
    _begin_reading = "BEGIN"

    def __init__(self, path: Path, *, create: bool) -> None:
        super().__init__(str(path))
        if not create and not (path.exists() and path.stat().st_size):
            raise DataError(f"{path} — there is no ledger — create one, or correct the path")
        with self._wrapped():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                with suppress(FileExistsError):  # for this user alone: it holds answers
                    new_private_file(path)
            self.connection = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=64
            )
        try:
            self._claim(new=not path.stat().st_size)
            self._set_durable()
        except BaseException:
            self.connection.close()
            raise

    def _claim(self, *, new: bool) -> None:
        """Mark a new file as a ledger before anything else is written to it; refuse files without the mark."""
        if new:
            self._run(f"PRAGMA application_id = {_MARK}")
        elif self.execute("PRAGMA application_id") != [(_MARK,)]:
            raise DataError(f"{self.label} — holds tables of something else — give the ledger a file of its own")

    def _set_durable(self) -> None:
        """A log that is written ahead and flushed at every commit."""
        until = time.monotonic() + PATIENCE
        while True:  # two processes that open a new file at once do not wait for each other here
            try:
                [(mode,)] = self.connection.execute("PRAGMA journal_mode=WAL").fetchall()
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise self._error(error) from None
                time.sleep(0.01)
            except sqlite3.Error as error:
                raise self._error(error) from None
        if mode != "wal":
            raise DataError(f"{self.label} — this disk cannot keep a ledger — put it on a local disk")
        with self._wrapped():
            self.connection.execute("PRAGMA synchronous=FULL")
            self.connection.execute("PRAGMA foreign_keys=ON")

    def execute(self, statement: str, *values: Cell) -> list[tuple[Cell, ...]]:
        with self._wrapped():
            return self.connection.execute(statement, values).fetchall()

    def change(self, *work: Work) -> list[int]:
        with self._wrapped():
            return [self.connection.execute(statement, values).rowcount for statement, *values in work]

    def tables(self) -> set[str]:
        return {str(name) for (name,) in self.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def damage(self) -> str | None:
        try:
            [(said,), *more] = self.connection.execute("PRAGMA integrity_check(5)").fetchall()
        except sqlite3.DatabaseError:
            return "the file is damaged"
        return None if said == "ok" and not more else f"the file is damaged in {1 + len(more)} place(s) or more"

    def close(self) -> None:
        with self._threads, suppress(sqlite3.Error):
            self.connection.close()

    def _run(self, statement: str) -> None:
        with self._wrapped():
            self.connection.execute(statement)

    def _undo(self) -> None:
        with suppress(sqlite3.Error):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    @contextmanager
    def _wrapped(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(error) from None
        except OSError as error:
            raise DataError(f"{self.label} — cannot be written ({error.strerror}) — nothing was granted") from None

    def _error(self, error: sqlite3.Error) -> DataError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        said = _SQLITE_ERRORS.get(code, f"cannot be used (error {code}) — check the file")
        return DataError(f"{self.label} — {said}; nothing was granted")


_MARK = int.from_bytes(b"SWbl", "big")
"""In the header of the file: this is a ledger of budgets."""
_SQLITE_ERRORS = {
    sqlite3.SQLITE_FULL: "the disk is full — make room",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written — check its space and its health",
    sqlite3.SQLITE_READONLY: "is read-only — make file and directory writable for this user",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened — make file and directory readable and writable for this user",
    sqlite3.SQLITE_PERM: "cannot be opened — make file and directory readable and writable for this user",
    sqlite3.SQLITE_CORRUPT: "the file is damaged — restore it from a copy and charge again what came after it",
    sqlite3.SQLITE_NOTADB: "is no ledger — name another file; or restore it from a copy if it has been one",
    sqlite3.SQLITE_BUSY: f"others have used it for {PATIENCE:g} s without a pause — try again",
}


class PostgresDatabase(LedgerDatabase):
    """A server, for services on several machines."""

    row_lock = " FOR UPDATE"
    setup_lock = "SELECT pg_advisory_xact_lock(7310579613245001)"
    _begin_writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    _begin_reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def __init__(self, url: str) -> None:
        self.driver = package("psycopg", "a ledger on PostgreSQL")
        try:
            parts = self.driver.conninfo.conninfo_to_dict(url)
        except self.driver.Error:
            raise DataError("ledger — its URL cannot be read — write postgresql://user@host/database") from None
        super().__init__(f"postgresql://{parts.get('host', '')}/{parts.get('dbname', '')}")  # without the password
        self.url = url
        self.connection: psycopg.Connection = self._connect()

    def _connect(self) -> psycopg.Connection:
        with self._wrapped():
            options = {"connect_timeout": 20, "application_name": "sharewell ledger"}
            connection: psycopg.Connection = self.driver.connect(self.url, autocommit=True, **options)
            for setting, value in {
                "synchronous_commit": "on",
                "lock_timeout": f"{PATIENCE:g}s",
                # A client that stands still in the middle must not stop all others.
                "idle_in_transaction_session_timeout": f"{PATIENCE:g}s",
                "client_min_messages": "warning",
            }.items():
                connection.execute("SELECT set_config(%s, %s, false)", (setting, value))
        return connection

    def execute(self, statement: str, *values: Cell) -> list[tuple[Cell, ...]]:
        with self._wrapped():
            cursor = self._sent(statement, values)
            return cursor.fetchall() if cursor.description else []

    def change(self, *work: Work) -> list[int]:
        with self._wrapped():
            with self.connection.pipeline():
                sent = [self._sent(statement, values) for statement, *values in work]
            return [cursor.rowcount for cursor in sent]

    def tables(self) -> set[str]:
        results = self.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {str(name) for (name,) in results}

    def close(self) -> None:
        with self._threads:
            self.connection.close()

    def _sent(self, statement: str, values: Sequence[Cell]) -> psycopg.Cursor:
        return self.connection.execute(statement.replace("?", "%s").encode(), values)

    def _run(self, statement: str) -> None:
        if statement.startswith("BEGIN") and self.connection.closed:
            self.connection = self._connect()
        with self._wrapped():
            self.connection.execute(statement.encode())

    def _undo(self) -> None:
        with suppress(self.driver.Error):
            if self.connection.closed:
                return
            self.connection.execute("ROLLBACK")

    @contextmanager
    def _wrapped(self) -> Iterator[None]:
        try:
            yield
        except self.driver.Error as error:
            known, code = self.driver.errors, str(error.sqlstate or "")
            if isinstance(error, known.DiskFull):
                said = "the server's disk is full — make room"
            elif isinstance(error, known.ReadOnlySqlTransaction | known.InsufficientPrivilege):
                said = "this user may not write there — grant the right to create and change tables"
            elif isinstance(error, known.LockNotAvailable):
                said = f"others have used it for {PATIENCE:g} s without a pause — try again"
            elif isinstance(error, self.driver.OperationalError):
                said = f"the server does not answer or ended the work {code and f'({code})'} — check it and try again"
            else:
                said = f"the database refused the work ({code or type(error).__name__}) — check it"
            raise DataError(f"{self.label} — {said}; nothing was granted") from None


def open_database(where: str | Path, *, create: bool) -> LedgerDatabase:
    """`postgresql://…` names a server, everything else a file."""
    if isinstance(where, str) and where.startswith(("postgresql://", "postgres://")):
        return PostgresDatabase(where)
    return SqliteDatabase(Path(where), create=create)
