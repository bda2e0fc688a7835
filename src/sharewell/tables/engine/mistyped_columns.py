"""Columns of a table that are read as categories although most of their values are dates, numbers or free text.

They would be published as sets of exact values. `sharewell.written_types` has the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.written_types import FreeText, Mistyped, free_text, mistyped


def mistyped_columns(table: Table, known: Collection[str]) -> Iterator[tuple[str, Mistyped | FreeText]]:
    """(column, what it holds) of quasi and sensitive columns, but for those whose type is known."""
    for column in (*table.quasi, *table.sensitive):
        if column.kind == "text" and column.name not in known:
            values = column.values.slice(0, column.known)
            filled = int(np.count_nonzero(np.asarray(column.codes) < column.known))
            result = mistyped(values) or free_text(values, filled, sentences=column.role is Role.SENSITIVE)
            if result is not None:
                yield column.name, result
