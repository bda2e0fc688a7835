"""Query error: the error of counting queries that are answered from a noisy table.

## What it does not protect
Not a privacy measure, and confidential: it is computed from the true counts. It is shown to the steward and never
published, and no release is accepted or rejected by it.

## Parameters
number: how many queries are drawn.
dimensions: how many columns a query asks for (fewer if no marginal has as many).
floor: the error is divided by max(true count, floor); one in a hundred rows, and at least 1, if left out.
seed: of the drawn queries.

## Worked example
>>> import numpy as np, pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries import ConfidentialTable, NoisyTable, Values
>>> before = ConfidentialTable(Source.of(pa.table({"sex": ["F"] * 6 + ["M"] * 4})), {"sex": Values(("F", "M"))})
>>> after = NoisyTable({"sex": ["F", "M", "other"]}, np.array([6.0, 5.0, 0.0]), {})
>>> QueryError(number=200).score(before, after).details.largest
0.25

## Why it is safe
A query asks for some labels of each of its columns. Its estimate adds up the published cells of the smallest marginal
that has all its columns; what no marginal has is not asked.

## Cost
O(queries · (rows + cells)).

## Source
The average relative error of Xiao and Tao, 2006, with the sanity bound of Garofalakis and Gibbons, 2002.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Measure, Positive
from sharewell.queries.data import EVERY, ConfidentialTable, NoisyTable
from sharewell.query_errors import NO_QUERY, Answers

Query = Mapping[str, NDArray[np.bool_]]
"""Column → which of its labels are asked for."""


@dataclass(frozen=True)
class QueryError(Declared, Measure[ConfidentialTable | NoisyTable]):
    """The mean of |estimate − actual| / max(actual, floor) over drawn queries."""

    number: Count = 500
    dimensions: Count = 2
    floor: Positive | None = None
    seed: int = 0

    def score(self, before: ConfidentialTable | NoisyTable, after: ConfidentialTable | NoisyTable) -> Finding:
        if not isinstance(before, ConfidentialTable) or not isinstance(after, NoisyTable):
            return Finding(self.name, None, note="there is no noisy table to ask")
        marginals = _marginals(before, after)
        if not marginals or not len(before.kept):
            return Finding(self.name, None, note=NO_QUERY)
        rng = np.random.default_rng(self.seed)
        queries = [self._drawn(rng, before, list(marginals)) for _ in range(self.number)]
        actual = np.array([_actual(before, query) for query in queries], dtype=np.int64)
        estimate = np.array([_estimate(before, after, marginals, query) for query in queries])
        return Answers.of(actual, estimate, self.floor, len(before.kept)).finding(self.name)

    def _drawn(self, rng: np.random.Generator, before: ConfidentialTable, marginals: list[frozenset[str]]) -> Query:
        columns = sorted(marginals[int(rng.integers(len(marginals)))])
        chosen = rng.permutation(len(columns))[: self.dimensions]
        return {columns[i]: _some(rng, len(before.domains[columns[i]].labels)) for i in sorted(chosen.tolist())}


def _some(rng: np.random.Generator, labels: int) -> NDArray[np.bool_]:
    """Any labels, at least one."""
    wanted = rng.random(labels) < 0.5
    wanted[int(rng.integers(labels))] = True
    return wanted


def _marginals(before: ConfidentialTable, after: NoisyTable) -> dict[frozenset[str], NDArray[np.intp]]:
    """Columns of each marginal → the published rows of it; rows with labels of another language are left out."""
    results: dict[frozenset[str], list[int]] = {}
    known = {name: {*domain.labels, EVERY} for name, domain in before.domains.items()}
    named = [name for name in after.keys if name in before.domains]
    for row in range(after.rows):
        labels = {name: after.keys[name][row] for name in named}
        if all(label in known[name] for name, label in labels.items()):
            results.setdefault(frozenset(n for n, label in labels.items() if label != EVERY), []).append(row)
    return {columns: np.array(rows, dtype=np.intp) for columns, rows in results.items() if columns}


def _actual(before: ConfidentialTable, query: Query) -> int:
    inside = np.ones(len(before.codes), dtype=bool)
    for name, wanted in query.items():
        inside &= wanted[before.codes[:, list(before.domains).index(name)]]
    return int(inside.sum())


def _estimate(
    before: ConfidentialTable, after: NoisyTable, marginals: Mapping[frozenset[str], NDArray[np.intp]], query: Query
) -> float:
    able = [columns for columns in marginals if set(query) <= columns]
    rows = marginals[min(able, key=lambda columns: (len(columns), sorted(columns)))]
    inside = np.ones(len(rows), dtype=bool)
    for name, wanted in query.items():
        place = {label: i for i, label in enumerate(before.domains[name].labels)}
        codes = np.array([place[after.keys[name][row]] for row in rows.tolist()])
        inside &= wanted[codes]
    return float(after.counts[rows[inside]].sum())
