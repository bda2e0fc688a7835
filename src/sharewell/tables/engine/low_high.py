"""The style low-high: a column of ranges written as two columns, and read back as one.

Inside, the ranges are cells of one column, so that nothing else needs to know of the style. Two rows show the same
range exactly if they show the same two ends: grouping by both columns gives the same classes.

>>> import pyarrow as pa
>>> shown = pa.table({"age_low": ["20", "30", "*"], "age_high": ["25", "30", "*"]})
>>> join_low_high(shown, ["age"])["age"].to_pylist()
['[20-25]', '30', '*']
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from sharewell.cells import SUPPRESSED, Interval, place_on_line
from sharewell.errors import DataError
from sharewell.roles import Role
from sharewell.styles import ends_of
from sharewell.tables.engine.columns import Column, encode

_WHOLE = ("", "*", SUPPRESSED)
"""What stands in both columns, and is not a number."""


def is_low_high(column: Column) -> bool:
    """Is this published column written as two?"""
    return column.kind == "cells" and column.published_as.name == "low-high"


def split_low_high(column: Column) -> dict[str, pa.Array]:
    """The two columns, by name, as Arrow strings; missing values are null."""
    cells, codes = zip(column.cells, column.texts, strict=True), pa.array(column.codes)
    ends = [(cell.low, cell.high) if isinstance(cell, Interval) else (text, text) for cell, text in cells]
    names = enumerate(ends_of(column.name))
    return {name: pa.array([pair[i] or None for pair in ends], pa.string()).take(codes) for i, name in names}


def join_low_high(arrow: pa.Table, names: Sequence[str]) -> pa.Table:
    """A table in which the two columns of each of these names are one again, in the place of the first."""
    for name in names:
        low, high = ends_of(name)
        lacking = [end for end in (low, high) if end not in arrow.column_names]
        if lacking:
            raise DataError(f"column {name} — published as low and high, but {', '.join(lacking)} is not there")
        cells = _cells(name, arrow[low], arrow[high])
        place = arrow.column_names.index(low)
        arrow = arrow.set_column(place, name, cells).drop_columns([high])
    return arrow


def _cells(name: str, low: pa.ChunkedArray, high: pa.ChunkedArray) -> pa.Array:
    """Each distinct pair of ends is read once, strictly: nothing else may pass for a range."""
    lows, highs = (encode(name, Role.QUASI, ends, kind="cells") for ends in (low, high))
    size = max(1, highs.size)
    pairs, which = np.unique(lows.codes.astype(np.int64) * size + highs.codes, return_inverse=True)
    texts = []
    for pair in pairs.tolist():
        first, last = lows.texts[pair // size], highs.texts[pair % size]
        numbers = place_on_line(first) is not None and place_on_line(last) is not None
        if not numbers and (first != last or first not in _WHOLE):
            raise DataError(
                f"column {name} — its low and high columns hold something that is no range — correct the file"
            )
        texts.append(first or None if first == last else Interval(first, last).text)
    return pa.array(texts, pa.string()).take(pa.array(which))
