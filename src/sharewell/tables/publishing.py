"""From a partition of rows to published cells: tight ranges, lowest common ancestors, sets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.cells import Any, Cell, Exact, Interval, Set, labelled
from sharewell.roles import Role
from sharewell.tables.classes import Classes
from sharewell.tables.columns import Codes, Column
from sharewell.tables.dataset import Table


def publish(table: Table, partition: Classes) -> tuple[Table, NDArray[np.intp]]:
    """The table that shows each row only what its class shares, and which original row each row was.

    Rows keep their order; rows that the partition leaves out are gone. O(n) and one cell per distinct range.
    """
    rows = np.sort(partition.order)
    place = np.empty(table.rows, dtype=np.intp)
    place[partition.order] = partition.class_of
    class_of_row = place[rows]
    columns = {name: column.take(rows) for name, column in table.columns.items() if column.role is not Role.QUASI}
    for column in table.quasi:
        columns[column.name] = _published(column, partition, class_of_row)
    kept = [name for name in table.carried.column_names if name not in table.schema.quasi]
    carried = table.carried.select(kept).take(pa.array(rows))
    released = Table(table.schema, columns, carried, len(rows), table.backend, published=True)
    return released, rows


def _published(column: Column, partition: Classes, class_of_row: NDArray[np.intp]) -> Column:
    ordered = column.codes[partition.order]
    if column.style == "set":
        keys, cell_of = _sets(column, ordered, partition)
    else:
        keys, cell_of = _ranges(column, ordered, partition)
    distinct, which = np.unique(keys, return_inverse=True)
    texts = [cell_of(int(key)).text for key in distinct]
    # Two ranges may publish the same text (two halves of one year are both `2019`): the text decides.
    order = sorted(set(texts) - {""})
    missing = "" in texts
    number = {text: i for i, text in enumerate([*order, ""])}
    codes = np.array([number[text] for text in texts], dtype=np.int32)[which][class_of_row]
    values = pa.array([*order, ""] if missing else order, pa.string())
    return Column(column.name, column.role, "cells", codes, values, missing, hierarchy=column.hierarchy)


def _ranges(column: Column, ordered: Codes, partition: Classes) -> tuple[NDArray[np.int64], Callable[[int], Cell]]:
    """Classes as (lowest, highest) code, packed into one integer."""
    low = np.minimum.reduceat(ordered, partition.starts[:-1]).astype(np.int64)
    high = np.maximum.reduceat(ordered, partition.starts[:-1]).astype(np.int64)
    size, texts, missing = column.size, column.texts, column.size - 1 if column.has_missing else column.size

    node_of: dict[int, int] = {}
    if column.levels is not None:
        wide = high < missing
        nodes = column.levels.lowest_common(low[wide], high[wide])
        node_of = dict(zip((low[wide] * size + high[wide]).tolist(), nodes.tolist(), strict=True))

    def cell(key: int) -> Cell:
        lowest, highest = divmod(key, size)
        if lowest == highest:
            if column.levels is None or lowest == missing:
                return Exact(texts[lowest])
            return Exact(column.levels.labels[column.levels.nodes[0, lowest]])  # the hierarchy's own spelling
        if highest == missing:
            return Any()
        if column.levels is None:
            return Interval(texts[lowest], texts[highest])
        return labelled(column.levels.labels[node_of[key]])

    return low * size + high, cell


def _sets(column: Column, ordered: Codes, partition: Classes) -> tuple[NDArray[np.int64], Callable[[int], Cell]]:
    """Classes as the set of codes that occur: as bits where they fit into one integer, else numbered."""
    if column.size < 63:
        bits = np.bitwise_or.reduceat(np.int64(1) << ordered.astype(np.int64), partition.starts[:-1])
        return bits, lambda key: _set(column, [code for code in range(column.size) if key >> code & 1])
    pairs = partition.class_of * column.size + ordered
    pairs.sort()
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    classes, codes = np.divmod(pairs, column.size)
    ends = np.searchsorted(classes, np.arange(partition.count + 1))
    members: dict[bytes, int] = {}
    keys = np.empty(partition.count, dtype=np.int64)
    for c in range(partition.count):
        keys[c] = members.setdefault(codes[ends[c] : ends[c + 1]].tobytes(), len(members))
    numbered = list(members)
    return keys, lambda key: _set(column, np.frombuffer(numbered[key], dtype=codes.dtype).tolist())


def _set(column: Column, codes: list[int]) -> Cell:
    texts = [column.texts[code] for code in codes]
    return Exact(texts[0]) if len(texts) == 1 else Set(tuple(texts))


def withheld(table: Table, rows: NDArray[np.intp]) -> int:
    """How many persons of the table own a record that is not among these rows."""
    if len(rows) == table.rows:
        return 0
    gone = np.ones(table.rows, dtype=bool)
    gone[rows] = False
    if table.subject is None:
        return int(gone.sum())
    lost = np.bincount(table.subject.codes[gone], minlength=table.subject.size) > 0
    return int(lost.sum()) - int(table.subject.has_missing and lost[-1])
