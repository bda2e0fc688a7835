"""Columns of a release that are sorted as numbers, and become text only in their final order.

Rows are published in the order of what they show (`sharewell.content_order`). A published cell is a number into a short
list of texts, and a pseudonym ten bytes: both are sorted by numpy, and no text is ever moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Protocol

import numpy as np
import pyarrow as pa

from sharewell.content_order import Ints, KeyOf, order_by, ranks
from sharewell.io.external_sort import SortedRows, decoded
from sharewell.many_digests import Raw
from sharewell.pseudonym_columns import in_hexadecimal
from sharewell.tables.engine.array_types import Bools, Indices
from sharewell.tables.engine.columns import ArrowColumn, Column


class SortableColumn(Protocol):
    """What stands in a column, and by which numbers it is ordered."""

    def sort_keys(self) -> Sequence[KeyOf]: ...

    def arrow(self, rows: Indices | None = None) -> ArrowColumn:
        """The cells of some rows, or of all."""
        ...


@dataclass(frozen=True, eq=False)
class PlainColumn:
    """A column that is published as it came."""

    column: ArrowColumn = field(repr=False)

    def sort_keys(self) -> Sequence[KeyOf]:
        return [lambda rows: ranks(self.arrow(rows))]

    def arrow(self, rows: Indices | None = None) -> ArrowColumn:
        return decoded(self.column if rows is None else self.column.take(pa.array(rows)))


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """Codes of texts, such as the cells that classes show."""

    column: Column = field(repr=False)

    def sort_keys(self) -> Sequence[KeyOf]:
        return [self._ranks]

    def _ranks(self, rows: Indices | None) -> Ints:
        place: Ints = ranks(self.column.shown_texts)
        return place[self.column.codes if rows is None else self.column.codes[rows]]

    def arrow(self, rows: Indices | None = None) -> ArrowColumn:
        return (self.column if rows is None else self.column.take(rows)).arrow


@dataclass(frozen=True, eq=False)
class PseudonymColumn:
    """A pseudonym for each row, in bytes; where nobody is there, none."""

    raw: Raw = field(repr=False)
    there: Bools | None = field(default=None, repr=False)

    def sort_keys(self) -> Sequence[KeyOf]:
        """Bytes have the order of the text that they become: eight at a time as one number."""
        raw = self.raw if self.there is None else np.where(self.there[:, None], self.raw, np.uint8(0))
        words = [partial(_number, raw[:, first : first + 8]) for first in range(0, raw.shape[1], 8)]
        return words if self.there is None else [self._missing, *words]

    def _missing(self, rows: Indices | None) -> Ints:
        assert self.there is not None
        return (~(self.there if rows is None else self.there[rows])).view(np.uint8)

    def arrow(self, rows: Indices | None = None) -> ArrowColumn:
        if rows is None:
            return in_hexadecimal(self.raw, self.there)
        return in_hexadecimal(self.raw.take(rows, axis=0), None if self.there is None else self.there[rows])


def _number(raw: Raw, rows: Indices | None) -> Ints:
    """A few bytes as one number, the first byte counting most."""
    taken = raw if rows is None else raw[rows]
    padded = np.zeros((len(taken), 8), np.uint8)
    padded[:, 8 - taken.shape[1] :] = taken
    return padded.view(">u8").ravel().astype(np.uint64)


@dataclass(frozen=True, eq=False)
class SortedColumns:
    """Some columns of equal length, in the order of what their rows hold."""

    columns: Mapping[str, SortableColumn]
    rows: int

    @cached_property
    def order(self) -> Indices:
        return order_by((key for column in self.columns.values() for key in column.sort_keys()), self.rows)

    def pick(self, names: Mapping[str, str]) -> pa.Table:
        """Some of the sorted columns, under the names to be written."""
        return pa.table({shown: self.columns[name].arrow(self.order) for name, shown in names.items()})

    def in_pieces(self) -> RowsInMemory:
        """The same rows, for a table of which not every cell is to be text at once."""
        names = tuple((name, name) for name in self.columns)
        return RowsInMemory(source=self, num_rows=self.rows, columns=names)


@dataclass(frozen=True, kw_only=True)
class RowsInMemory(SortedRows):
    """Sorted rows that become text piece by piece."""

    source: SortedColumns = field(repr=False)

    def schema(self) -> pa.Schema:
        none = np.zeros(0, dtype=np.intp)
        return pa.schema([(name, column.arrow(none).type) for name, column in self.source.columns.items()])

    def pieces(self, places: Sequence[str]) -> Iterator[pa.Table]:
        for first in range(0, max(1, self.num_rows), self.piece):
            rows = self.source.order[first : first + self.piece]
            yield pa.table({name: self.source.columns[name].arrow(rows) for name in places})
