"""Columns of a table that are read as text although most of their values are dates or numbers.

They would be published as sets of exact values. `sharewell.written_types` has the rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sharewell.tables.data import Table
from sharewell.written_types import Mistyped, mistyped


def mistyped_columns(table: Table, known: Collection[str]) -> Iterator[tuple[str, Mistyped]]:
    """(column, what it holds) of quasi and sensitive columns, but for those whose type is known."""
    for column in (*table.quasi, *table.sensitive):
        if column.kind == "text" and column.name not in known:
            result = mistyped(column.values.slice(0, column.known))
            if result is not None:
                yield column.name, result
