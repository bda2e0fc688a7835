"""Suppress outliers: a few records at the edge of a class are withheld, so that the others keep more detail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.tables.data import Bools, Classes, Floats, Indices, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold
from sharewell.tables.engine.protection.partitioning.cuts import runs_of


@dataclass(frozen=True, eq=False)
class _Edges:
    """For every class, the best edge to take off: in which column, which codes, how many records, what benefit."""

    column: Indices
    code_low: Ints
    code_high: Ints
    records: Ints
    benefit: Floats


def trim(table: Table, partition: Classes, criteria: ClassCriteria, most_persons: int) -> Classes:
    """Take off the edges with the greatest benefit per record, until nothing gains or the budget is spent.

    A record withheld costs its whole remaining detail; what is gained is the shrinking of its class. The budget counts
    records, so that never more than `most_persons` persons lose one. Each round is O(q · n log n).
    """
    budget = most_persons
    while budget > 0:
        edges = _best_edges(table, partition)
        order = np.lexsort((np.arange(partition.count), -edges.benefit / np.maximum(edges.records, 1)))
        order = order[edges.benefit[order] > 1e-12]
        affordable = order[np.cumsum(edges.records[order]) <= budget]
        affordable = affordable[_rest_holds(table, partition, edges, affordable, criteria)]
        if not len(affordable):
            return partition
        budget -= int(edges.records[affordable].sum())
        partition = _without(table, partition, edges, affordable)
    return partition


def _best_edges(table: Table, partition: Classes) -> _Edges:
    count, sizes = partition.count, partition.sizes
    best = _Edges(
        np.zeros(count, np.intp),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.full(count, -np.inf),
    )
    candidates, losses = [], np.zeros(count)
    for j, column in enumerate(table.quasi):
        runs = runs_of(column.codes[partition.order], partition.class_of, count, column)
        first, last = runs.first[:-1], runs.last
        width = max(1, column.size - 1)
        if column.style == "set":
            loss = (last - first) / width
            after_low = after_high = np.maximum(last - first - 1, 0) / width
        else:
            loss = column.range_loss(runs.low[first], runs.high[last])
            after_low = column.range_loss(runs.low[np.minimum(first + 1, last)], runs.high[last])
            after_high = column.range_loss(runs.low[first], runs.high[np.maximum(last - 1, first)])
        losses += loss
        several = last > first
        candidates.append((j, several, runs.low[first], runs.high[first], runs.count[first], loss - after_low))
        candidates.append((j, several, runs.low[last], runs.high[last], runs.count[last], loss - after_high))
    for j, several, low, high, records, shrink in candidates:
        benefit = (sizes - records) * shrink - records * (len(table.quasi) - losses)
        better = several & (benefit > best.benefit)
        best.column[better], best.benefit[better] = j, benefit[better]
        best.code_low[better], best.code_high[better] = low[better], high[better]
        best.records[better] = records[better]
    return best


def _off(table: Table, classes: Classes, edges: _Edges, which: Indices) -> Bools:
    """Which rows of these classes lie on the edge to be taken off?"""
    owner = which[classes.class_of]
    codes = np.stack([column.codes for column in table.quasi])[edges.column[owner], classes.order]
    return np.asarray((codes >= edges.code_low[owner]) & (codes <= edges.code_high[owner]))


def _kept(classes: Classes, off: Bools) -> Classes:
    sizes = np.bincount(classes.class_of[~off], minlength=classes.count)
    return Classes(classes.order[~off], np.concatenate([[0], np.cumsum(sizes)]), classes.columns, classes.subject)


def _rest_holds(table: Table, partition: Classes, edges: _Edges, which: Indices, criteria: ClassCriteria) -> Bools:
    chosen = partition.select(which)
    rest = _kept(chosen, _off(table, chosen, edges, which))
    return all_hold(criteria, rest) & (rest.sizes > 0)


def _without(table: Table, partition: Classes, edges: _Edges, which: Indices) -> Classes:
    touched = np.zeros(partition.count, dtype=bool)
    touched[which] = True
    off = _off(table, partition, edges, np.arange(partition.count)) & touched[partition.class_of]
    return _kept(partition, off)
