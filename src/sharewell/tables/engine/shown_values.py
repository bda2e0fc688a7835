"""Cells that name only values of published rows, where rows were withheld after cells had been made of them.

A class of people from Ulm and Xanadu shows `{Ulm,Xanadu}`. If the only person from Xanadu is then withheld, because
other datasets would single them out, the cell would still tell that somebody came from there. Such a value leaves every
set, and a range ends at the next published value. All other values stay in the cells that they were in.

>>> import pyarrow as pa
>>> original = Table.of(pa.table({"town": ["Ulm", "Bonn", "Xanadu"], "age": ["20", "30", "97"]}), quasi=["town", "age"])
>>> cells = {"town": ["{Bonn,Ulm,Xanadu}"] * 2, "age": ["[20-97]"] * 2}
>>> released = Table.of(pa.table(cells), quasi=["town", "age"], published=True)
>>> [column.texts for column in with_shown_values(released, original, np.array([0, 1])).quasi]
[('{Bonn,Ulm}',), ('[20-30]',)]
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sharewell.cells import Cell, Exact, Interval, Set
from sharewell.tables.data import Indices, Table
from sharewell.tables.engine.columns import Column, as_shown


def with_shown_values(released: Table, original: Table, rows: Indices) -> Table:
    """The release without values that no published row has; rows: the original row of each row."""
    if len(rows) == original.rows:
        return released
    columns = dict(released.columns)
    for column in released.quasi:
        before = original.columns.get(column.name)
        if before is not None and before.kind != "cells" and column.kind == "cells" and not column.shows_means:
            columns[column.name] = _without_absent(column, before, rows)
    return replace(released, columns=columns)


def _without_absent(column: Column, before: Column, rows: Indices) -> Column:
    """The cells of one column, each distinct one looked at once, and only if some value is not published any more."""
    published = np.bincount(before.codes[rows], minlength=before.size)[: before.known] > 0
    if published.all():
        return column
    values = [before.spelt(code) for code in range(before.known)]
    present = [value for value, shown in zip(values, published.tolist(), strict=True) if shown]
    absent = set(values).difference(present)
    place = {value: code for code, value in enumerate(values)}
    after = np.append(0, np.cumsum(published))  # how many published values lie before each code

    def left(cell: Cell) -> list[str]:
        """What is left of the values that a cell names; nothing where the cell may stay as it is."""
        if isinstance(cell, Set) and not absent.isdisjoint(cell.members):
            return [member for member in cell.members if member not in absent]
        if not isinstance(cell, Interval) or before.levels is not None or absent.isdisjoint((cell.low, cell.high)):
            return []
        if cell.low not in place or cell.high not in place:
            return []
        return present[after[place[cell.low]] : after[place[cell.high] + 1]]

    texts = list(column.texts)
    for number, cell in enumerate(column.cells):
        if some := left(cell):
            several = Interval(some[0], some[-1]) if isinstance(cell, Interval) else Set(tuple(some))
            texts[number] = (several if len(some) > 1 else Exact(some[0])).text
    return column if texts == list(column.texts) else as_shown(column, texts, column.codes)
