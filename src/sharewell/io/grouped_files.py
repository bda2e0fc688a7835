"""Group files of one or several owners into the cells of a table, with DuckDB, one line a person and cell.

The same identifier in several files, in whichever spelling, is one person. A person counts once in a cell, however
many rows there are; the amounts of a person in a cell are added up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharewell.errors import DataError, SharewellError
from sharewell.io.sources import Source

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

DECIMALS = 6
"""Amounts may have this many decimals."""
_NUMBER = rf"[0-9]{{1,20}}(\.[0-9]{{1,{DECIMALS}}}0*)?"
_NO_EXTENSIONS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""DuckDB fetches extensions from the network by itself unless it is told not to."""


@dataclass(frozen=True)
class Grouped:
    """One row a cell and, where persons are known and amounts asked for, a person: dimensions, person, amount."""

    table: pa.Table
    decimals: int
    persons: int | None
    repeated: int
    """Persons who stand in more than one cell."""


def grouped(sources: Sequence[Source], dimensions: Sequence[str], subject: str | None, measure: str | None) -> Grouped:
    """The cells that occur. Amounts come as whole numbers, in units of the last decimal."""
    import duckdb

    unreadable: list[SharewellError] = []
    wanted = [*dimensions, *(name for name in (subject, measure) if name is not None)]
    with duckdb.connect(config=_NO_EXTENSIONS) as database:
        for number, source in enumerate(sources):
            database.register(f"source_{number}", _reader(source, wanted, subject, unreadable))
        union = " UNION ALL ".join(f"SELECT * FROM source_{number}" for number in range(len(sources)))
        keys = ", ".join(f"d{i}" for i in range(len(dimensions)))
        cells = ", ".join(f"nullif(c{i}, '') AS d{i}" for i in range(len(dimensions)))
        person = f"nullif(c{len(dimensions)}, '')" if subject is not None else "NULL"
        amount = f"nullif(c{len(wanted) - 1}, '')" if measure is not None else "'1'"
        is_number = f"regexp_full_match(m, '{_NUMBER}')"
        query = (
            f"CREATE TEMP TABLE parts AS SELECT {keys}, s, count(*) AS n, "
            f"count(*) FILTER (WHERE NOT {is_number}) AS odd, "
            f"max(length(rtrim(split_part(m, '.', 2), '0'))) AS places, "
            f"sum(TRY_CAST(m AS DECIMAL(38,{DECIMALS}))) FILTER (WHERE {is_number}) AS amount "
            f"FROM (SELECT {cells}, {person} AS s, {amount} AS m FROM ({union})) WHERE m IS NOT NULL GROUP BY {keys}, s"
        )
        try:
            database.execute(query)
        except duckdb.Error:
            if unreadable:  # DuckDB would wrap what a reader says in an error of its own
                raise unreadable[0] from None
            raise
        decimals = _checked(database, subject, measure)
        persons, repeated = _persons(database) if subject is not None else (None, 0)
        return Grouped(_result(database, dimensions, subject, measure, decimals), decimals, persons, repeated)


def _reader(
    source: Source, wanted: Sequence[str], subject: str | None, unreadable: list[SharewellError]
) -> pa.RecordBatchReader:
    """The columns as text, batch by batch, as every other source is read; persons by the folds of their names.

    unreadable: where an error goes that the source raises while it is read.
    """
    import pyarrow as pa

    source.refuse_unknown(wanted)
    schema = pa.schema([(f"c{i}", pa.string()) for i in range(len(wanted))])

    def batches() -> Iterator[pa.RecordBatch]:
        for piece in _pieces(source, wanted, unreadable):
            columns = [_folds(_text(piece[name])) if name == subject else _text(piece[name]) for name in wanted]
            yield from pa.table(columns, schema=schema).to_batches()

    return pa.RecordBatchReader.from_batches(schema, batches())


def _pieces(source: Source, wanted: Sequence[str], unreadable: list[SharewellError]) -> Iterator[pa.Table]:
    try:
        yield from source.batches() if source.path is not None else [source.read(list(wanted))]
    except SharewellError as error:
        unreadable.append(error)
        raise


def _folds(names: pa.ChunkedArray) -> pa.Array:
    """Every name as it looks, so that one person's are equal in all files."""
    import pyarrow.compute as pc

    from sharewell.spelling import folded

    encoded = pc.dictionary_encode(names.combine_chunks())
    return folded(encoded.dictionary).take(encoded.indices)


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Numbers as text; floats are rounded, since their shortest text may have digits that the data does not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        texts = [None if v is None else f"{v:.{DECIMALS}f}".rstrip("0").rstrip(".") for v in column.to_pylist()]
        return pa.chunked_array([pa.array(texts, pa.string())])
    return column.cast(pa.string())


def _checked(database: duckdb.DuckDBPyConnection, subject: str | None, measure: str | None) -> int:
    """Refuse rows without a person or a number; how many decimals amounts have."""
    query = "SELECT sum(n) FILTER (WHERE s IS NULL), sum(odd), max(places) FROM parts"
    ((nobody, odd, places),) = database.execute(query).fetchall()
    if subject is not None and nobody:
        raise DataError(f"column {subject} — {nobody} row(s) belong to nobody — name the person, or drop the rows")
    if measure is not None and odd:
        problem = f"{odd} row(s) hold no number from 0 on with up to {DECIMALS} decimals"
        raise DataError(f"column {measure} — {problem} — correct them, or leave them empty")
    return int(places or 0) if measure is not None else 0


def _persons(database: duckdb.DuckDBPyConnection) -> tuple[int, int]:
    query = "SELECT count(*), coalesce(sum((k > 1)::INT), 0) FROM (SELECT s, count(*) AS k FROM parts GROUP BY s)"
    ((persons, repeated),) = database.execute(query).fetchall()
    return int(persons), int(repeated)


def _result(
    database: duckdb.DuckDBPyConnection,
    dimensions: Sequence[str],
    subject: str | None,
    measure: str | None,
    decimals: int,
) -> pa.Table:
    """The cells, sorted by content, so that the order of files and rows leaves no trace."""
    import duckdb

    named = ", ".join(f'd{i} AS "{i}"' for i in range(len(dimensions)))
    keys = ", ".join(f"d{i}" for i in range(len(dimensions)))
    if measure is not None and subject is not None:
        amount = f"CAST(amount * {10**decimals} AS BIGINT)"
        query = f"SELECT {named}, dense_rank() OVER (ORDER BY s) AS person, {amount} AS amount FROM parts"
    else:
        added = f"sum(amount) * {10**decimals}" if measure is not None else "sum(n)"
        count = "count(*)" if measure is None and subject is not None else added
        query = f"SELECT {named}, NULL::BIGINT AS person, CAST({count} AS BIGINT) AS amount FROM parts GROUP BY {keys}"
    try:
        return database.sql(f"{query} ORDER BY ALL NULLS FIRST").to_arrow_table()
    except (duckdb.ConversionException, duckdb.OutOfRangeException):
        raise DataError("the table — its sums are too large to be computed with exactly") from None
