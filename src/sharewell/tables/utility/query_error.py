"""Query error (average relative error): the error of COUNT queries that a recipient runs on the release.

## What it does not protect
Not a privacy measure. It speaks for the queries that were asked: give those that the recipient will ask.

## Parameters
queries: a list of queries, each a mapping of column to cell in the language of published cells (`age: "[21-25]"`,
`sex: F`, `zip: 021*`, `ward: "{A,B}"`). Left out, queries are drawn.
number: how many queries to draw.
dimensions: how many columns a drawn query asks for (fewer if there are not as many).
selectivity: the share of the domain that a drawn query covers, all its columns together.
sensitive: also draw among sensitive columns. Given queries may name them in any case.
floor: the error is divided by max(actual count, floor), because an actual count may be 0.
seed: of the drawn queries.

## Worked example
Two of age 21 to 30 live in CF1 to CF10; one of them is 30 and lives in CF1. A recipient who spreads the two evenly over
10 · 10 places expects 2 · 1/100 = 1/50 of them there: the relative error is 49/50.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"age": [30, 24], "cf": [1, 7]}), quasi=["age", "cf"])
>>> cells = pa.table({"age": ["[21-30]"] * 2, "cf": ["[1-10]"] * 2})
>>> after = Table.from_arrow(cells, before.schema, {}, published=True)
>>> round(QueryError(queries=({"age": "30", "cf": "1"},)).score(before, after).value, 12)
0.98

## Why it is safe
An estimate is the sum over classes of records · Π (places of the cell that the query asks for / places of the cell), as
`cell_regions` defines places: every number or day of a closed range, the column's own values for sets, trees and
categories. Withheld records are in the actual counts and in no estimate. Drawn queries ask for a range of a numeric
column, and of a tree's leaves, and for a random set of other values; missing values are not drawn.

## Cost
O(queries · (n + classes)) after O(d) for d distinct cells.

## Source
Xiao and Tao, 2006; LeFevre, DeWitt and Ramakrishnan, 2006; Xu et al., 2006. A floor is the sanity bound of Garofalakis
and Gibbons, 2002.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, DataError, Declared, Finding, Measure, Positive, PositiveShare
from sharewell.query_errors import NO_QUERY, Answers
from sharewell.tables.data import Column, Floats, Indices, Ints, Table, group
from sharewell.tables.engine.measures.cell_regions import Line, Places, query_regions, regions

Query = Mapping[str, tuple[Places, Places]]
"""Column → the runs of places that are asked for."""


@dataclass(frozen=True)
class QueryErrorDetails:
    queries: int
    median: float
    largest: float
    empty_queries: int
    """Queries that no original record answers; their error is divided by the floor."""
    withheld_records: int


@dataclass(frozen=True)
class QueryError(Declared, Measure[Table]):
    """The mean of |estimate − actual| / max(actual, floor); one part for each column, over the queries that name it."""

    queries: Sequence[Mapping[str, str]] = ()
    number: Count = 500
    dimensions: Count = 2
    selectivity: PositiveShare = 0.05
    sensitive: bool = False
    floor: Positive = 1.0
    seed: int = 0

    def score(self, before: Table, after: Table) -> Finding:
        queries = self.given(before) if self.queries else self.drawn(before)
        if not before.rows or not queries:
            return Finding(self.name, None, note=NO_QUERY)
        answers = Answers.of(*counts(before, after, queries), self.floor, before.rows)
        errors = answers.errors
        names = dict.fromkeys(name for query in queries for name in query)
        asking = {name: [name in query for query in queries] for name in names}
        parts = [Finding(self.name, float(errors[some].mean()), column=name) for name, some in asking.items()]
        details = QueryErrorDetails(
            queries=len(queries),
            median=float(np.median(errors)),
            largest=float(errors.max()),
            empty_queries=answers.empty,
            withheld_records=before.rows - int((~after.suppressed).sum()),
        )
        return Finding(self.name, float(errors.mean()), parts=tuple(parts), details=details)

    def shares(self, before: Table, after: Table, queries: Sequence[Query]) -> Iterator[Floats]:
        """Query by query, the share of each row of `after` that it asks for; withheld rows have none."""
        names = list(dict.fromkeys(name for query in queries for name in query))
        asked_for = {name: _shares(queries, before.columns[name], after.columns[name]) for name in names}
        for i, query in enumerate(queries):
            shares = np.where(after.suppressed, 0.0, 1.0)
            for name in query:
                shares *= asked_for[name][i][after.columns[name].codes]
            yield shares

    def given(self, before: Table) -> list[Query]:
        """The queries that were written down."""
        known = [*before.schema.quasi, *before.schema.sensitive]
        queries: list[Query] = []
        for query in self.queries:
            unknown = sorted(set(query) - set(known))
            if unknown:
                raise DataError(
                    f"query-error — queries ask for {', '.join(unknown)} — quasi and sensitive columns can be asked for"
                    f" — they are: {', '.join(known) or 'none'}"
                )
            selections = {name: query_regions(before.columns[name], [text]) for name, text in query.items()}
            queries.append({name: (region.low, region.high) for name, region in selections.items()})
        return queries

    def drawn(self, before: Table) -> list[Query]:
        """Random queries, the same for the same values in whatever rows."""
        pool = [c for c in (*before.quasi, *(before.sensitive if self.sensitive else ())) if c.size > c.has_missing]
        lines = [Line.of(column) for column in pool]
        if not pool:
            return []
        rng = np.random.default_rng(self.seed)
        dimensions = min(self.dimensions, len(pool))
        share = self.selectivity ** (1 / dimensions)
        queries: list[Query] = []
        for _ in range(self.number):
            chosen = np.sort(rng.choice(len(pool), dimensions, replace=False))
            queries.append({pool[i].name: _draw(rng, pool[i], lines[i], share) for i in chosen})
        return queries


def _draw(rng: np.random.Generator, column: Column, line: Line, share: float) -> tuple[Places, Places]:
    """Places of a column: a range where it has an order of its own, else any values."""
    length = line.last - line.first + 1
    wanted = min(length, max(1, math.ceil(length * share)))
    if line.unit is not None or column.levels is not None:
        start = line.first + int(rng.integers(0, length - wanted + 1))
        return np.array([start]), np.array([start + wanted - 1])
    places = np.sort(rng.choice(length, wanted, replace=False)) + line.first
    return places, places


def counts(before: Table, after: Table, queries: Sequence[Query]) -> tuple[Ints, Floats]:
    """(actual counts, estimates) of each query."""
    names = list(dict.fromkeys(name for query in queries for name in query))
    originals = [before.columns[name] for name in names]
    everyone = np.arange(before.rows)
    own_shares = [_shares(queries, original, original) for original in originals]
    actual = _sums(queries, names, own_shares, [original.codes for original in originals], everyone)
    published = [after.columns[name] for name in names]
    shares = [_shares(queries, original, shown) for original, shown in zip(originals, published, strict=True)]
    estimate = _sums(queries, names, shares, [column.codes for column in published], np.flatnonzero(~after.suppressed))
    return np.rint(actual).astype(np.int64), estimate


def _shares(queries: Sequence[Query], original: Column, shown: Column) -> dict[int, Floats]:
    """By the number of a query: the share of each distinct cell that it asks for."""
    cell_regions = regions(original, shown)
    return {i: cell_regions.inside(*query[original.name]) for i, query in enumerate(queries) if original.name in query}


def _sums(
    queries: Sequence[Query],
    names: Sequence[str],
    shares: Sequence[Mapping[int, Floats]],
    codes: Sequence[NDArray[np.int32]],
    rows: Indices,
) -> Floats:
    """The sum over rows of the products of shares; rows with equal cells are taken together."""
    order, starts = group([column[rows] for column in codes], len(rows))
    first, sizes = rows[order[starts[:-1]]], np.diff(starts).astype(np.float64)
    cells = dict(zip(names, (column[first] for column in codes), strict=True))
    sums = np.empty(len(queries))
    for i, query in enumerate(queries):
        product = sizes.copy()
        for name, share in zip(names, shares, strict=True):
            if name in query:
                product *= share[i][cells[name]]
        sums[i] = product.sum()
    return sums
