"""Rows at the end of a table that are no records: a count, a total or a note stands in one of their cells.

>>> import pyarrow as pa
>>> rows_of_one_cell(pa.table({"mrn": ["17", "18", "2 patients"], "sex": ["F", "M", None], "ward": ["B2", "B1", ""]}))
1
"""

from __future__ import annotations

import pyarrow as pa

_MOST = 10
"""Rows at the end that are looked at."""
_NARROWEST = 3
"""Columns of a table in which a row of one cell tells something."""


def rows_of_one_cell(table: pa.Table) -> int:
    """How many rows at the end have one value at most, if the row above them has more."""
    if table.num_columns < _NARROWEST:
        return 0
    last = table.slice(max(table.num_rows - _MOST, 0)).to_pydict().values()
    filled = [sum(map(_is_filled, row)) for row in zip(*last, strict=True)]
    sparse = next((i for i, count in enumerate(reversed(filled)) if count > 1), len(filled))
    return sparse if sparse < len(filled) else 0


def _is_filled(cell: object) -> bool:
    return cell is not None and bool(str(cell).strip())
