"""Orders of a table's rows that depend on what they hold and on nothing else, however the source was sorted.

There are two. What is drawn row by row follows `by_content`, and must go on to do so: under the same key the same rows
would draw other noise, and whoever has both releases could average it out. Rows that are grouped by what they are like
come `quasi_first`, which looks at the remaining columns only where all others are equal.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from sharewell.content_order import ranks
from sharewell.tables.data import Indices, Table, group


def by_content(table: Table) -> Indices:
    """Rows by all their columns in the order of their names; rows that hold the same may change places.

    O(columns · n log n)
    """
    keys = (table.columns[name].codes for name in sorted(table.columns))
    # Of sensitive columns the cells too: a missing value or a zero may be written in more than one way.
    others = [name for name in sorted(table.carried.column_names) if name not in table.schema.quasi]
    return group(chain(keys, (ranks(table.carried[name], as_written=True) for name in others)), table.rows)[0]


def quasi_first(table: Table) -> Indices:
    """Rows by quasi, sensitive and subject values, then by whatever else is published. O(n log n)

    Rows that are equal in all of it are interchangeable.
    """
    coded = [*table.quasi, *table.sensitive, *([table.subject] if table.subject else [])]
    order, starts = group([column.codes for column in coded], table.rows)
    others = [name for name in table.carried.column_names if name not in table.columns]
    sizes = np.diff(starts)
    if not others or not (sizes > 1).any():
        return order
    tied = np.flatnonzero(np.repeat(sizes > 1, sizes))
    rows = order[tied]
    keys = [ranks(table.carried[name].take(rows), as_written=True) for name in others]
    within = np.lexsort([*reversed(keys), np.repeat(np.arange(len(sizes)), sizes)[tied]])
    order[tied] = rows[within]
    return order
