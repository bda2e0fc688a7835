"""A table that somebody published, read as it stands: what do its totals give away?

>>> import pyarrow as pa
>>> counts = pa.table({"sex": ["all", "f", "m"], "n": ["23", "-5", "20"]})
>>> table = read_table(counts, ["sex"], "n", total="all")
>>> table.arrow.to_pylist()
[{'sex': '*', 'count': 23}, {'sex': 'f', 'count': -5}, {'sex': 'm', 'count': 20}]
>>> from sharewell.reports.counts.attacks.table_interval import TableInterval
>>> TableInterval().mount(table).value
1.0
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.cells import Exact
from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.reports.counts.data import HIDDEN, CountTable, cells_of
from sharewell.reports.counts.engine.dimensions import TOTAL, Dimension


def read_table(source: object, dimensions: Sequence[str], value: str, *, total: str = TOTAL) -> CountTable:
    """One row a cell, whole numbers. Empty, or absent, is hidden; −k is "1 to k − 1", as OHDSI's tools write it.

    total: what stands for the total of a dimension.
    """
    table = Source.of(source).read([*dimensions, value])
    columns = [table[name].cast("string").to_pylist() for name in dimensions]
    built = tuple(
        Dimension.flat(name, {code for code in column if code != total})
        for name, column in zip(dimensions, columns, strict=True)
    )
    shown = np.full(cells_of(built), HIDDEN, np.int64)
    found = CountTable(built, shown)
    places = []
    for dimension, column in zip(built, columns, strict=True):
        codes = [TOTAL if code == total else None if code is None else Exact(code).text for code in column]
        places.append([dimension.place[code] for code in codes])
    if not table.num_rows:
        raise DataError("the table — has no cell")
    at = np.ravel_multi_index(tuple(np.array(place) for place in places), found.shape)
    if len(np.unique(at)) < len(at):
        raise DataError(f"the table — {len(at) - len(np.unique(at))} cell(s) stand twice — keep one of each")
    shown[at] = _numbers(table[value].to_pylist(), value)
    return found


def _numbers(values: Sequence[object], name: str) -> list[int]:
    try:
        numbers = [HIDDEN if value is None else int(str(value)) for value in values]
    except ValueError:
        raise DataError(f"column {name} — cells that are no whole numbers — leave empty what is hidden") from None
    if odd := sum(number in (-1,) for number in numbers):
        raise DataError(f"column {name} — {odd} cell(s) of −1, which says nothing — −k stands for 1 to k − 1")
    return numbers
