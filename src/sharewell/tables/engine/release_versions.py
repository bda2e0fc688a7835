"""Two versions of a release: both as one table, and the rows by which the later one differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from sharewell.errors import DataError
from sharewell.roles import Role
from sharewell.tables.data import Indices, Table, group
from sharewell.tables.engine.columns import ArrowColumn, Column, encode

_JUDGED = (Role.QUASI, Role.SENSITIVE, Role.SUBJECT)


def append_rows(earlier: Table, later: Table) -> Table:
    """The rows of two published tables, the earlier ones first. Both must have the same columns in the same roles."""
    if not (earlier.published and later.published):
        raise DataError("two versions — both must hold published cells — protect the newcomers first")
    earlier_roles, later_roles = (
        {name: role for name, role in table.schema.roles.items() if role is not Role.DROP} for table in (earlier, later)
    )
    if earlier_roles != later_roles:
        odd = sorted({name for name, _ in earlier_roles.items() ^ later_roles.items()})
        raise DataError(f"two versions — different roles or no such column: {', '.join(odd)} — give both the same")
    means = [name for name, column in later.columns.items() if _is_mean(column) != _is_mean(earlier.columns[name])]
    if means:
        raise DataError(f"two versions — only one shows means in {', '.join(means)} — give both the same style")
    columns = {name: _joined(earlier.columns[name], column) for name, column in later.columns.items()}
    carried = _carried(earlier.carried, later.carried)
    return Table(later.schema, columns, carried, earlier.rows + later.rows, later.backend, published=True)


def _carried(earlier: pa.Table, later: pa.Table) -> pa.Table:
    if not (isinstance(earlier, pa.Table) and isinstance(later, pa.Table)):
        raise DataError("two versions — some columns were left on disk — read both into memory")
    try:
        return pa.concat_tables([earlier.select(later.column_names), later], promote_options="permissive")
    except pa.ArrowException:
        odd = [f.name for f in later.schema if earlier.schema.field(f.name).type != f.type]
        raise DataError(
            f"two versions — columns of different types: {', '.join(odd)} — read both the same way"
        ) from None


def _joined(earlier: Column, later: Column) -> Column:
    texts = pa.chunked_array([earlier.arrow, later.arrow], pa.string())
    if later.role is Role.QUASI:
        cells = encode(later.name, later.role, texts, kind="cells")
        return replace(cells, hierarchy=later.hierarchy, asked=later.asked)
    column = encode(later.name, later.role, texts, kind=later.kind, hierarchy=later.hierarchy)
    return replace(column, date_format=later.date_format)


def new_rows(earlier: Table, later: Table) -> tuple[Indices, int]:
    """The rows of the later release that the earlier does not have, and how many of the earlier the later lacks.

    Rows are known by all that both releases show, and by their person, each as often as it occurs: a row of which a
    column was changed that no criterion looks at is another row. Which of several equal rows are called new makes no
    difference to what a class holds. O(n log n)
    """
    names = [name for name in later.schema.having(*_JUDGED) if name in earlier.columns]
    codes = [_joined(earlier.columns[name], later.columns[name]).codes for name in names]
    common = {*earlier.carried.column_names} - {*names}
    for name in [name for name in later.carried.column_names if name in common]:
        texts = pa.chunked_array([_plain(name, side.carried[name]) for side in (earlier, later)], pa.string())
        codes.append(encode(name, Role.KEEP, texts, kind="text").codes)
    order, starts = group(codes, earlier.rows + later.rows)
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    old = order < earlier.rows
    before = np.bincount(owner[old], minlength=len(starts) - 1)
    after = np.diff(starts) - before
    rank = np.arange(len(order)) - starts[:-1][owner] - before[owner]  # earlier rows come first in each group
    new = order[~old & (rank >= before[owner])] - earlier.rows
    return np.sort(new), int(np.maximum(before - after, 0).sum())


def _is_mean(column: Column) -> bool:
    return column.asked is not None and column.asked.name == "mean"


def _plain(name: str, array: ArrowColumn) -> pa.Array:
    """A column that is merely carried along as strings, whatever its type."""
    try:
        texts = encode(name, Role.KEEP, array, kind="text").arrow
    except DataError:  # lists and records
        texts = pa.array([None if value is None else repr(value) for value in array.to_pylist()], pa.string())
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
