"""Where a ledger is kept: its tables are created in an empty database, and moved to another one whole."""

from __future__ import annotations

from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.ledger_database import Cell, LedgerDatabase, Work, open_database
from sharewell.queries.engine.ledger import statements

_AT_ONCE = 500
"""Rows that are sent to a server at once."""


def create_tables(database: LedgerDatabase) -> bool:
    """Create the tables of a ledger, within a transaction of the caller; False: they are there already."""
    if database.setup_lock:
        database.execute(database.setup_lock)
    if statements.TABLES & (there := database.tables()):
        return False
    if there:
        raise DataError(f"{database.label} — holds tables of something else — give the ledger a place of its own")
    for statement in statements.CREATE:
        database.execute(statement)
    return True


def move_ledger(old: str | Path, new: str | Path, *, again: bool = False) -> None:
    """Move a ledger with all it holds to an empty place. The old one can be used no more.

    The old one is closed before the new one counts, so that no budget is spent twice. If the work is interrupted in
    between, neither can be used; `again` takes up such a move.
    """
    source = open_database(old, create=False)
    try:
        target = open_database(new, create=True)
        try:
            with target.writing():
                if not create_tables(target):
                    raise DataError(f"{target.label} — holds a ledger already — move to an empty place")
                for table, rows in _closed(source, again).items():
                    work: list[Work] = [(statements.new_row(table), *row) for row in rows]
                    for first in range(0, len(work), _AT_ONCE):
                        target.change(*work[first : first + _AT_ONCE])
                target.execute(statements.SET_VERSION, statements.VERSION)
        finally:
            target.close()
    finally:
        source.close()


def _closed(source: LedgerDatabase, again: bool) -> dict[str, list[tuple[Cell, ...]]]:
    """All rows of a ledger, which refuses everything from now on."""
    with source.writing():
        if statements.TABLES - source.tables():
            raise DataError(f"{source.label} — contains no ledger — correct its name")
        [(version, *_)] = source.execute(statements.HEAD + source.row_lock)
        if version == statements.MOVED and not again:
            raise DataError(f"{source.label} — was moved before — open it where it is, or finish the move with again")
        if version not in (statements.VERSION, statements.MOVED):
            raise DataError(f"{source.label} — is of another version — move it with its own sharewell")
        source.execute(statements.SET_VERSION, statements.MOVED)
        return {table: source.execute(statements.all_rows(table)) for table in statements.COLUMNS}
