"""Columns on a line, taken apart into numbers and put together again: what numeric perturbation works on."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from sharewell.algorithm import Criteria, DataError, PolicyError, refuse_failing
from sharewell.roles import Role, did_you_mean
from sharewell.tables.data import Floats, Table
from sharewell.tables.engine.columns import ArrowColumn, Column, Kind, encode
from sharewell.tables.engine.protection.perturbation.cell_writer import Replacement, WrittenColumn, as_cells, released

CHANGEABLE = (Role.QUASI, Role.SENSITIVE, Role.KEEP)
"""The roles of columns that a mechanism may be told to change."""
_MOST_DECIMALS = 9
_LARGEST = 2.0**62
"""What is larger does not fit into a whole number of Arrow."""
_LAST_DAY = datetime.date.max.toordinal()
WrittenColumns = Sequence[tuple[str, WrittenColumn]]
"""Columns by name."""


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """One column: where each row lies (NaN if missing), and how finely the column is written."""

    column: Column
    values: Floats = field(repr=False)
    decimals: int
    role: Role
    type: pa.DataType
    """The Arrow type to publish: text stays text, numbers stay numbers."""

    @property
    def name(self) -> str:
        return self.column.name

    def written(self, values: Floats, more_decimals: int = 0) -> WrittenColumn:
        """Published with the column's own decimals (and some more): as a quasi column of cells, or (Arrow, codes)."""
        if self.column.kind == "date":
            known = np.clip(np.nan_to_num(np.rint(values), nan=1), 1, _LAST_DAY)
            values = np.where(np.isnan(values), np.nan, known)
        else:
            values = np.round(values, self.decimals + more_decimals) + 0.0
        distinct, codes = np.unique(values, return_inverse=True)
        texts = [self._text(value, self.decimals + more_decimals) for value in distinct.tolist()]
        if self.role is Role.QUASI:
            return replace(as_cells(self.column, codes, texts), hierarchy=None), None
        array = pa.array([text or None for text in texts], pa.string()).take(pa.array(codes))
        codes_of = None
        if self.role is Role.SENSITIVE:
            codes_of = encode(self.name, Role.SENSITIVE, array, kind=self.column.kind)
        kind = self._published_type(more_decimals)
        if pa.types.is_integer(kind) and np.nanmax(np.abs(distinct), initial=0) > _LARGEST:
            kind = pa.float64()
        return None, (array.cast(kind), codes_of)

    def _text(self, value: float, decimals: int) -> str:
        if np.isnan(value):
            return ""
        if self.column.kind == "date":
            return datetime.date.fromordinal(int(value)).isoformat()
        text = f"{value:.{decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def _published_type(self, more_decimals: int) -> pa.DataType:
        if self.column.kind == "date":
            return pa.date32() if pa.types.is_date(self.type) or pa.types.is_timestamp(self.type) else pa.string()
        if pa.types.is_integer(self.type):
            return pa.float64() if more_decimals else pa.int64()
        return pa.float64() if pa.types.is_floating(self.type) or pa.types.is_decimal(self.type) else pa.string()


def any_column(mechanism: str, table: Table, name: str) -> tuple[Column, ArrowColumn]:
    """A column that may be changed, as codes, and as Arrow."""
    role = table.schema.roles.get(name)
    if role is None:
        shown = table.schema.having(*CHANGEABLE)
        raise PolicyError(f"{mechanism} — no column '{name}' — {did_you_mean(name, shown) or 'see its columns'}")
    if role not in CHANGEABLE:
        raise PolicyError(f"{mechanism} — column '{name}' has the role {role} — only {', '.join(CHANGEABLE)} can be")
    if role is Role.KEEP:
        array = table.carried[name]
        return encode(name, Role.SENSITIVE, array), array
    column = table.columns[name]
    return column, table.carried[name] if name in table.carried.column_names else column.arrow


def number_column(mechanism: str, table: Table, name: str) -> NumberColumn:
    """A column as numbers; refused if it holds none. A hierarchy does not matter here: the values themselves do."""
    column, array = any_column(mechanism, table, name)
    role = table.schema.roles[name]
    if column.numbers is None:
        declared: Kind | None = "date" if column.kind == "date" else None
        column = encode(name, Role.SENSITIVE, column.arrow, kind=declared)
    if column.numbers is None:
        distinct = f"{column.known} distinct value(s) that are neither all numbers nor all dates"
        why = distinct if column.known else "no value at all"
        raise DataError(f"{mechanism} — column {name} — {why} — name another column, or set its type")
    return NumberColumn(column, column.numbers[column.codes], decimals_of(column), role, array.type)


def decimals_of(column: Column) -> int:
    """How many decimals the column is written with."""
    if column.kind == "date":
        return 0
    texts = (text.lower() for text in column.texts)
    parts = [(text.partition("e")[0].partition(".")[2], text.partition("e")[2]) for text in texts]
    return max((min(_MOST_DECIMALS, max(0, len(after) - int(power or 0))) for after, power in parts), default=0)


def released_if_holding(
    mechanism: str,
    table: Table,
    written: WrittenColumns,
    criteria: Criteria[Table],
    relaxations: Sequence[str],
) -> Table:
    """The table with columns as they were written anew; Infeasible if a criterion fails in it."""
    out = released(table, *split(written))
    refuse_failing(mechanism, out, criteria, relaxations)
    return out


def split(written: WrittenColumns) -> tuple[dict[str, Column], dict[str, Replacement]]:
    """What `written` returned for several columns, as `cell_writer.released` takes it."""
    quasi = {name: cells for name, (cells, _) in written if cells is not None}
    return quasi, {name: other for name, (_, other) in written if other is not None}
