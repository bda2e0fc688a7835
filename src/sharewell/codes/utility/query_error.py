"""Query error (average relative error): the error of counts of patients with given codes in the release.

## What it does not protect
Not a privacy measure. It speaks for the queries that were asked: give those that the recipient will ask.

## Parameters
queries: lists of codes; each asks how many records hold all of its codes. Left out, queries are drawn.
number: how many queries to draw.
size: how many codes a drawn query asks for; each is held by a record together with those before it.
frequent: draw only queries that at least this share of the records answers.
estimator: how a reader spreads a label over its codes. "simple": each code asked for is there with chance 1/|g|.
"subset": the label stands for any non-empty set of its codes alike, so that j codes asked for are in it with chance
2^(|g|−j) / (2^|g|−1).
floor: the error is divided by max(actual count, floor); left out, 1 or 1 % of the records, whichever is more.
seed: of the drawn queries.

## Worked example
Three records show [401.1-2], a label of two codes: a reader expects 3 · 1/2 of them to have 401.2, and one has it. The
fourth shows 401, which may be any of five codes and adds 1/5. (The tutorial computes 3 · 2/3 = 2 for the first three;
no reading of the label as two or three codes gives 2/3.)

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]])
>>> meant = {"[401.1-2]": ["401.1", "401.2"], "401": ["401.0", "401.1", "401.2", "401.3", "401.4"]}
>>> shown = [["[401.1-2]"], ["[401.1-2]", "401.3"], ["[401.1-2]"], ["401", "401.3"]]
>>> after = CodeSets.of(shown, published=True, members=meant)
>>> round(QueryError([["401.2"]]).score(before, after).value, 12)
0.7

## Why it is safe
The estimate is the sum over published records of the chance that the record holds all codes of the query. Where a code
lies in several labels of a record, its chances are added, up to 1.

## Cost
O(queries · records that show a label asked for).

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006; Loukides, Gkoulalas-Divanis and Malin, PNAS 2010. A floor is the sanity bound of
Garofalakis and Gibbons, 2002.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Measure, Positive, Share
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.combinations import listed
from sharewell.query_errors import NO_QUERY, Answers

_TRIES = 20
"""How often a query is drawn anew that too few records answer."""


@dataclass(frozen=True)
class QueryError(Declared, Measure[CodeSets]):
    """The mean of |estimate − actual| / max(actual, floor)."""

    queries: Sequence[Sequence[str]] = ()
    number: Count = 500
    size: Count = 2
    frequent: Share = 0.0
    estimator: Literal["simple", "subset"] = "simple"
    floor: Positive | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "queries", listed(self.queries, "queries"))

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        queries = self.queries or self.drawn(before)
        if not before.records or not queries:
            return Finding(self.name, None, note=NO_QUERY)
        reader = _Reader(after, self.estimator)
        actual = np.array([before.support(query) for query in queries], dtype=np.float64)
        estimate = np.array([reader.estimate(query) for query in queries])
        return Answers.of(actual, estimate, self.floor, before.records).finding(self.name)

    def chances(self, after: CodeSets, queries: Sequence[Sequence[str]]) -> Iterator[NDArray[np.float64]]:
        """Query by query, the chance that each record of `after` holds all of the codes."""
        reader = _Reader(after, self.estimator)
        return (reader.by_record(query) for query in queries)

    def drawn(self, before: CodeSets) -> list[list[str]]:
        """Random queries, the same for the same sets in whatever order."""
        rng = np.random.default_rng(self.seed)
        universe = len(before.names)
        by_code, alone = before.sets.transposed(universe), before.sets.supports(universe)
        least = max(1.0, self.frequent * before.records)
        queries: list[list[str]] = []
        for _ in range(self.number * _TRIES):
            chosen: list[int] = []
            for _ in range(self.size):
                rows = before.sets.holding(chosen, by_code) if chosen else None
                supports = alone if rows is None else before.sets.take(rows).supports(universe)
                times = supports.astype(np.float64)
                times[chosen] = 0
                times[times < least] = 0
                if not times.any():
                    break
                chosen.append(int(rng.choice(universe, p=times / times.sum())))
            if len(chosen) == self.size:
                queries.append(sorted(before.names[code] for code in chosen))
            if len(queries) == self.number:
                break
        return queries


class _Reader:
    """Someone who has the release and the meaning of its labels."""

    def __init__(self, after: CodeSets, estimator: str) -> None:
        self.after, self.subset = after, estimator == "subset"
        self.rows = after.sets.transposed(len(after.names))
        self.labels = after.labels_of
        self.apart = all(len(labels) == 1 for labels in self.labels.values())

    def estimate(self, query: Sequence[str]) -> float:
        """How many records a reader expects to hold all of the codes."""
        if not all(code in self.labels for code in query):
            return 0.0
        if not self.apart:
            return float(self.by_record(query).sum())
        codes_of: dict[int, int] = {}
        for code in query:
            label = self.labels[code][0]
            codes_of[label] = codes_of.get(label, 0) + 1
        records = len(self.after.sets.holding(sorted(codes_of), self.rows))
        return records * float(np.prod([self._chance(label, codes) for label, codes in codes_of.items()]))

    def _chance(self, label: int, codes: int) -> float:
        """That this many codes of a label are there."""
        size = len(self.after.members[label])
        return 2.0**-codes / (1 - 2.0**-size) if self.subset else float(size) ** -codes

    def by_record(self, query: Sequence[str]) -> NDArray[np.float64]:
        """The chance of each record, also where a code may lie in several of its labels."""
        chance = np.ones(self.after.records)
        for code in query:
            of_code = np.zeros(self.after.records)
            for label in self.labels.get(code, ()):
                of_code[self.rows.row(label)] += self._chance(label, 1)
            chance *= np.minimum(of_code, 1.0)
        return chance
