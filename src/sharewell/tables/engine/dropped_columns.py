"""The same table with a column less: for asking what protection would cost without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from sharewell.roles import Role, Schema
from sharewell.tables.data import Table
from sharewell.tables.engine.columns import Column


def without_carried_columns(table: Table) -> Table:
    """Only what algorithms look at: columns that are merely carried along do not matter to a trial."""
    unused = [n for n in table.schema.having(Role.KEEP, Role.SHIFT, Role.TEXT) if n in table.carried.column_names]
    schema = Schema({name: Role.DROP if name in unused else role for name, role in table.schema.roles.items()})
    return replace(table, schema=schema, carried=pa.table({}))


def without(table: Table, column: str) -> Table:
    """The table as if the column had the role drop."""
    schema = Schema({**table.schema.roles, column: Role.DROP})
    carried = table.carried.select([name for name in table.carried.column_names if name != column])
    columns = {name: one for name, one in table.columns.items() if name != column}
    return replace(table, schema=schema, columns=columns, carried=carried)


def blanked(released: Table, original: Table, column: str) -> Table:
    """A release without the column, as one that publishes `*` in it: for measures that count it as lost."""
    was = original.columns[column]
    any_ = Column(column, was.role, "cells", np.zeros(released.rows, np.int32), pa.array(["*"]), False)
    columns = {**released.columns, column: replace(any_, hierarchy=was.hierarchy)}
    return replace(released, schema=original.schema, columns=columns)
