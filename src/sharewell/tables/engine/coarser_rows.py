"""What published rows may be coarsened to: one cell after the other, by the column's hierarchy, dates to months,
quarters and years, and everything to `*` in the end.

>>> coarser_cell("2016-02", Dates()), coarser_cell("2016-02-29", None), coarser_cell("[2016-01-01..2016-03-31]", None)
('2016', '[2016-02-01..2016-02-29]', '[2016-01-01..2016-12-31]')
>>> coarser_cell("{A,B}", None), coarser_cell("*", None)
('*', None)
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sharewell.cells import Any, Exact, Interval, Mean, Suppressed, labelled, parse
from sharewell.hierarchy import Hierarchy, HierarchyGap
from sharewell.hierarchy.dates import Dates as Dates
from sharewell.protocols import CoarserFacts
from sharewell.tables.data import Table
from sharewell.tables.engine.classes import combination_numbers
from sharewell.tables.engine.columns import Column, as_shown

_ANY = Any().text
_MONTHS = (1, 3, 12)
"""Lengths of the spans to which dates without a hierarchy are coarsened."""
Ints = NDArray[np.int64]
Row = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CoarserRows(CoarserFacts):
    """Rows of quasi cells, those of the table and all that they may become."""

    cells: tuple[Row, ...] = field(repr=False)
    """Of each node."""


def coarser_cell(text: str, hierarchy: Hierarchy | None) -> str | None:
    """One step coarser; None where nothing is."""
    cell = parse(text, nodes=hierarchy is not None)
    if isinstance(cell, Any | Suppressed | Mean):
        return None
    if hierarchy is not None:
        try:
            chain = [labelled(label).text for label in hierarchy.chain(text)]
        except HierarchyGap:
            return _ANY
        if text not in chain:
            return _ANY
        return next((label for label in chain[chain.index(text) + 1 :] if label != text), None)
    if not isinstance(cell, Exact | Interval):
        return _ANY
    low, high = (cell.value, cell.value) if isinstance(cell, Exact) else (cell.low, cell.high)
    wider = [_span(low, high, months) for months in _MONTHS]
    return next((one for one in wider if one is not None and one != text), _ANY)


def _span(low: str, high: str, months: int) -> str | None:
    """The span of this many months, counted from January, that covers two dates; None: it takes more than one."""
    try:
        first, last = date.fromisoformat(low), date.fromisoformat(high)
    except ValueError:
        return None
    begin = (first.month - 1) // months * months + 1
    if (first.year, begin) != (last.year, (last.month - 1) // months * months + 1):
        return None
    end = begin + months - 1
    whole = date(first.year, begin, 1), date(first.year, end, monthrange(first.year, end)[1])
    return Interval(*(day.isoformat() for day in whole)).text


@lru_cache(maxsize=2)
def coarser_rows(data: Table) -> CoarserRows | None:
    """None where rows are no published cells that a reader can tell apart: means, trails of several pseudonyms."""
    columns = data.quasi
    if not data.published or not columns or data.trails is not None:
        return None
    if any(c.kind != "cells" or c.shows_means or c.published_as.name == "low-high" for c in columns):
        return None
    first = sorted(range(len(columns)), key=lambda i: -columns[i].size)  # the most detailed column goes first
    chains = [_chains(column) for column in columns]
    node, of_node = _row_numbers(columns)
    starts = [tuple(column.texts[code] for column, code in zip(columns, row, strict=True)) for row in of_node]
    number = {row: i for i, row in enumerate(starts)}
    parent = [-1] * len(starts)
    for row in starts:
        while parent[number[row]] < 0 and (above := _above(row, chains, first)) is not None:
            if above not in number:
                number[above] = len(number)
                parent.append(-1)
            parent[number[row]] = number[above]
            row = above
    longest = [max(map(len, each.values()), default=1) for each in chains]
    loss = [_loss(row, chains, longest) for row in number]
    return CoarserRows(node, np.array(parent, np.int64), np.array(loss), tuple(number))


def _row_numbers(columns: Sequence[Column]) -> tuple[Ints, list[list[int]]]:
    """The number of each row, by its cells, and the codes of each number's cells."""
    number = combination_numbers([column.codes for column in columns], len(columns[0].codes))
    first = np.zeros(int(number.max(initial=-1)) + 1, np.int64)
    first[number] = np.arange(len(number))  # any row of a number shows the same
    return number, np.stack([column.codes[first] for column in columns], axis=1).tolist()


def _chains(column: Column) -> dict[str, list[str]]:
    """Cell → itself and all that is coarser."""
    results: dict[str, list[str]] = {}
    for text in column.texts:
        chain: list[str] = [text]
        while (above := coarser_cell(chain[-1], column.hierarchy)) is not None:
            chain.append(above)
        for i, one in enumerate(chain):
            results.setdefault(one, chain[i:])
    return results


def _above(row: Row, chains: list[dict[str, list[str]]], first: list[int]) -> Row | None:
    wider = ((i, chains[i][row[i]]) for i in first)
    return next(((*row[:i], chain[1], *row[i + 1 :]) for i, chain in wider if len(chain) > 1), None)


def _loss(row: Row, chains: list[dict[str, list[str]]], longest: list[int]) -> float:
    """The mean over cells of the steps that were taken. That there is a row at all is one more thing that it tells."""
    steps = [
        1 - (len(each[cell]) - 1) / max(1, long - 1) for cell, each, long in zip(row, chains, longest, strict=True)
    ]
    return sum(steps) / (len(row) + 1)


def with_coarser_rows(data: Table, nodes: Ints) -> Table:
    """The table with other cells in some rows: nodes of `coarser_rows`, -1 where a row stays as it is."""
    tree = coarser_rows(data)
    if tree is None or not (nodes >= 0).any():
        return data
    changed = np.flatnonzero(nodes >= 0)
    columns = dict(data.columns)
    for i, column in enumerate(data.quasi):
        new = sorted({tree.cells[node][i] for node in nodes[changed].tolist()})
        texts, number = [*column.texts, *new], {text: column.size + j for j, text in enumerate(new)}
        codes = column.codes.astype(np.int64)
        codes[changed] = [number[tree.cells[node][i]] for node in nodes[changed].tolist()]
        columns[column.name] = as_shown(column, texts, codes)
    return replace(data, columns=columns)
