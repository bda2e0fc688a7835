"""From a partition of rows to published cells, in the style of each column: see `sharewell.styles`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from sharewell.cells import Any, Exact, intervals_of, labelled, sets_of
from sharewell.distinct_numbers import distinct, numbered
from sharewell.io.spilled_columns import SpilledColumns
from sharewell.tables.data import Classes, Indices, Ints, Table
from sharewell.tables.engine.class_means import class_means
from sharewell.tables.engine.columns import ArrowColumn, Codes, Column, as_shown
from sharewell.tables.engine.most_detailed import are_codes, of_codes, of_dates

LARGE = 5_000_000
"""Cells (rows × quasi columns) from which the codes of all columns are packed before they are given to rows."""
_AT_ONCE = 1 << 14
"""Classes whose rows are told their class at a time."""
Cells = tuple[Ints, Callable[[Ints], list[str]]]
"""A number for what each class shows, and the texts of the cells that some such numbers stand for."""


def publish(table: Table, partition: Classes) -> tuple[Table, Indices]:
    """The table that shows each row only what its class shares, and which original row each row was.

    Rows keep their order; rows that the partition leaves out are gone. O(n) and one cell per distinct range.
    """
    shown = [class_cells(column, partition) for column in table.quasi]
    partition.let_go()
    some = _some(table, partition)
    codes = list(_spread(shown, partition, table.rows, some))
    cells = {column.name: replace(column, codes=own) for column, own in zip(shown, codes, strict=True)}
    rows = np.arange(table.rows) if some is None else some  # now: what the codes took in passing is free again
    return table.released(cells, rows), rows


def _some(table: Table, partition: Classes) -> Indices | None:
    """The rows that the partition holds, in their order; None for all."""
    if partition.starts[-1] == table.rows:
        return None
    held = np.zeros(table.rows, dtype=bool)
    held[partition.short_order] = True
    return np.flatnonzero(held)


def _spread(shown: Sequence[Column], partition: Classes, count: int, some: Indices | None) -> Iterable[Codes]:
    """From the codes of each class to those of each row, or of some. Where rows are many, the codes of all columns are
    looked up together: to look up a row's class takes longer than to take words apart."""
    class_of = np.empty(count, dtype=np.int32)
    for begin in range(0, partition.count, _AT_ONCE):
        sizes = partition.sizes[begin : begin + _AT_ONCE]
        first = int(partition.starts[begin])
        among = partition.short_order[first : first + int(sizes.sum())]
        class_of[among] = np.repeat(np.arange(begin, begin + len(sizes), dtype=np.int32), sizes)
    class_of = class_of if some is None else class_of[some]
    if count * len(shown) < LARGE:
        return (column.codes.take(class_of) for column in shown)
    from sharewell.tables.engine.protection.partitioning.packed_rows import PackedRows

    return PackedRows(shown, None, partition.count).codes_at(class_of, [column.codes.dtype for column in shown])


def class_cells(column: Column, partition: Classes) -> Column:
    """What each class shows in a column: a column with one row for each class."""
    style = column.published_as.name
    if style == "set":
        keys, texts_of = _sets(column, partition)
    elif style == "mean":
        keys, cell_of = class_means(column, partition.codes(column), partition)
        texts_of = lambda keys: [cell_of(key).text for key in keys.tolist()]  # noqa: E731
    else:
        keys, texts_of = _ranges(column, partition)
    different, which = numbered(keys)
    # Two ranges may publish the same text (two halves of one year are both `2019`): the text decides.
    return as_shown(column, texts_of(different), which)


def _ranges(column: Column, partition: Classes) -> Cells:
    """Classes as (lowest, highest) code, packed into one integer."""
    low, high = partition.extremes(column)
    size, missing = column.size, column.size - 1 if column.has_missing else column.size
    between = _between(column) if column.levels is None else None
    node_of: dict[int, int] = {}
    keys = low * size + high
    if column.levels is not None:
        wide = (low < high) & (high < missing)
        lowest = column.levels.lowest_common(low[wide], high[wide])
        nodes, first, which = np.unique(lowest, return_index=True, return_inverse=True)
        keys[wide] = keys[wide][first][which]  # one range for all under the same node
        node_of = dict(zip(keys[wide][first].tolist(), nodes.tolist(), strict=True))

    def text(lowest: int, highest: int) -> str:
        if lowest == highest:
            return Exact(column.spelt(lowest)).text
        if highest == missing:
            return Any().text
        if between is not None:
            return between(lowest, highest)
        assert column.levels is not None
        return labelled(column.levels.labels[node_of[lowest * size + highest]]).text

    return keys, lambda keys: [text(*divmod(key, size)) for key in keys.tolist()]


def _between(column: Column) -> Callable[[int, int], str]:
    """What two different values of a column without a tree are published as, and all between them."""
    texts = column.texts
    if column.published_as.name == "common" and column.kind == "date":
        return lambda first, last: of_dates(texts[first], texts[last]).text
    if column.numbers is not None:
        return intervals_of(texts)
    if are_codes(texts[: column.known]):
        return lambda first, last: of_codes(texts[first], texts[last]).text
    return lambda first, last: Any().text


def _sets(column: Column, partition: Classes) -> Cells:
    """Classes as the set of codes that occur: as bits where they fit into one integer, else numbered."""
    text = sets_of([column.spelt(code) for code in range(column.size)])
    if column.size < 63:
        bit = np.int64(1) << np.arange(column.size)
        return partition.bits(column), lambda keys: [text(codes) for codes in _members(keys[:, None] & bit)]
    pairs = distinct(partition.class_of * column.size + partition.codes(column))
    classes, codes = np.divmod(pairs, column.size)
    ends = np.searchsorted(classes, np.arange(partition.count + 1))
    members: dict[bytes, int] = {}
    keys = np.empty(partition.count, dtype=np.int64)
    for c in range(partition.count):
        keys[c] = members.setdefault(codes[ends[c] : ends[c + 1]].tobytes(), len(members))
    numbered = list(members)
    return keys, lambda keys: [text(np.frombuffer(numbered[key], codes.dtype).tolist()) for key in keys.tolist()]


def _members(chosen: Ints) -> Iterator[list[int]]:
    """Where each row of a matrix is not 0."""
    rows, columns = np.nonzero(chosen)
    members, ends = columns.tolist(), np.searchsorted(rows, np.arange(len(chosen) + 1)).tolist()
    return (members[begin:end] for begin, end in pairwise(ends))


def persons_withheld(table: Table, rows: Indices) -> int:
    """How many persons of the table own a record that is not among these rows.

    A record without a person counts as one of its own: whatever is withheld has its price.
    """
    if len(rows) == table.rows:
        return 0
    missing = np.ones(table.rows, dtype=bool)
    missing[rows] = False
    if table.subject is None:
        return int(missing.sum())
    return owners(table.subject, table.subject.codes[missing])


def owners(subject: Column, codes: Codes) -> int:
    """How many persons these rows are about; a row without a person counts as one of its own."""
    rows = np.bincount(codes, minlength=subject.size)
    nobody = int(rows[-1]) if subject.has_missing else 0
    return int((rows[: subject.known] > 0).sum()) + nobody


def replace_carried(carried: pa.Table, name: str, array: ArrowColumn) -> pa.Table:
    """The columns that are carried along, in memory or on disk, with one of them replaced."""
    if isinstance(carried, SpilledColumns):
        return carried.with_column(name, array)
    return carried.set_column(carried.column_names.index(name), name, array)
