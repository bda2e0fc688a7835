"""The cells of a table as numbers, row by row with the person: what joint criteria and attacks look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.content_order import content_order
from sharewell.protocols import PersonFacts
from sharewell.record_owners import RecordOwners
from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.tables.engine.cell_overlap import CellOverlap
from sharewell.tables.engine.coarser_rows import coarser_rows


class ShownCells(Mapping[str, NDArray[np.int64]]):
    """Column → its cells as numbers, each encoded when it is asked for; equal cells have equal numbers."""

    def __init__(self, data: Table) -> None:
        self._data = data
        self._carried = [name for name in data.carried.column_names if name not in data.columns]

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        if name in self._carried:
            encoded = pc.fill_null(self._data.carried[name].cast(pa.string()), "").combine_chunks().dictionary_encode()
            indices = (encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded).indices
            return np.asarray(indices).astype(np.int64)
        return self._data.columns[name].codes.astype(np.int64)

    def __iter__(self) -> Iterator[str]:
        yield from (name for name, column in self._data.columns.items() if column.role is not Role.SUBJECT)
        yield from self._carried

    def __len__(self) -> int:
        return sum(1 for _ in self)


def person_facts(data: Table) -> PersonFacts | None:
    """The cells of each row, and whose it is; None where no column names persons."""
    if data.subject is None:
        return None
    persons = RecordOwners(data.subject.shown_texts, data.subject.codes.astype(np.int64))
    sensitive = {column.name: column.codes.astype(np.int64) for column in data.sensitive}
    return PersonFacts(
        persons,
        ShownCells(data),
        tuple(data.schema.quasi),
        sensitive,
        rank=partial(_content_rank, data),
        cell_covers=partial(_cell_covers, data),
        coarser=partial(coarser_rows, data),
    )


def _cell_covers(data: Table, name: str) -> list[NDArray[np.int64]] | None:
    """For every value that the cells of a column allow: the cells that cover it; None: nobody can tell."""
    column = data.columns.get(name)
    if column is None or (column.kind != "cells" and column.hierarchy is None):  # every cell is a value
        count = int(ShownCells(data)[name].max(initial=-1)) + 1 if column is None else column.size
        return [np.array([cell]) for cell in range(count)]
    result = CellOverlap(column, column).covering()
    return None if result is None else [cells.astype(np.int64) for cells in result]


def _content_rank(data: Table) -> NDArray[np.int64]:
    """The place of each row in an order that its columns decide, whatever the order of the source."""
    columns = {name: data.carried[name] for name in data.carried.column_names}
    columns |= {column.name: column.arrow for column in data.columns.values()}
    rank = np.empty(data.rows, np.int64)
    rank[np.asarray(content_order(pa.table(columns)))] = np.arange(data.rows)
    return rank
