"""RT query error: the average relative error of counts of people by demographics and codes together.

## What it does not protect
Not a privacy measure. It speaks for the queries that were asked: give those that the recipient will ask.

## Parameters
queries: a list of queries, each with `people` (column → cell in the language of published cells) and `codes`:
`{people: {age: "[20-40]", sex: F}, codes: [401.1]}`. Left out, queries are drawn.
number: how many queries to draw.
dimensions: how many quasi columns each asks for (fewer if there are not as many).
selectivity: the share of the domain of the demographics that a query covers, all its columns together.
size: how many codes it asks for.
frequent: draw only codes that this share of the people hold together.
estimator: "simple" (default) or "subset", as for `query-error` of codes.
floor: the error is divided by max(actual count, floor); left out, a hundredth of the people, and 1 at least.
seed: of the drawn queries.

## Worked example
Two of the four hold 401 and are 20. A reader of the release spreads the four over 41 years of age, and takes each code
of their label to be as likely: 4 · 1/41 · 1/2.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 20, 60, 60]}), quasi=["age"])
>>> before = RTData.of(people, CodeSets.of([["401"], ["401"], ["250"], ["250"]]))
>>> cells = Table.of(pa.table({"age": ["[20-60]"] * 4}), quasi=["age"], published=True)
>>> after = RTData.of(cells, CodeSets.of([["(250,401)"]] * 4, published=True))
>>> asked = {"people": {"age": "20"}, "codes": ["401"]}
>>> result = RTQueryError(queries=(asked,)).score(before, after)
>>> round(result.value, 4) == round((2 - 4 / 41 / 2) / 2, 4)
True

## Why it is safe
An estimate is the sum over published records of the share of its cells that the query asks for, times the chance that
the record holds the codes, as `query-error` of tables and of codes define them, and as if both were independent inside
a record. The two measures draw the queries: ranges or values of quasi columns, and codes that some people hold
together.

## Cost
O(queries · (n + records of the labels asked for)).

## Source
Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013; Xu et al., 2006. A floor is the sanity bound of
Garofalakis and Gibbons, 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell import registry
from sharewell.algorithm import Count, Declared, Finding, Measure, Positive, PositiveShare, Share
from sharewell.joint.data import RTData
from sharewell.query_errors import NO_QUERY, Answers

if TYPE_CHECKING:
    from sharewell.codes.utility.query_error import QueryError as CodeQueries
    from sharewell.tables.utility.query_error import Query
    from sharewell.tables.utility.query_error import QueryError as PeopleQueries

PEOPLE, CODES = "people", "codes"


@dataclass(frozen=True)
class RTQueryError(Declared, Measure[RTData]):
    """The mean of |estimate − actual| / max(actual, floor)."""

    queries: Sequence[Mapping[str, object]] = ()
    number: Count = 500
    dimensions: Count = 2
    selectivity: PositiveShare = 0.1
    size: Count = 1
    frequent: Share = 0.0
    estimator: Literal["simple", "subset"] = "simple"
    floor: Positive | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(set(query) != {PEOPLE, CODES} or not isinstance(query[PEOPLE], Mapping) for query in self.queries):
            raise ValueError("queries have people and codes, such as {people: {sex: F}, codes: [401.1]}")
        self._of_people()
        self._of_codes()

    def score(self, before: RTData, after: RTData) -> Finding:
        RTData.require(before, self.name)
        RTData.require(after, self.name)
        by_people, by_codes = self._of_people(), self._of_codes()
        people = by_people.given(before.table) if self.queries else by_people.drawn(before.table)
        codes = by_codes.queries or by_codes.drawn(before.codes)
        count = min(len(people), len(codes))
        if not before.rows or not count:
            return Finding(self.name, None, note=NO_QUERY)
        people, codes = people[:count], codes[:count]
        actual = np.rint(_counted(before, before, people, codes, by_people, by_codes))
        estimate = _counted(before, after, people, codes, by_people, by_codes)
        return Answers.of(actual, estimate, self.floor, before.rows).finding(self.name)

    def _of_people(self) -> PeopleQueries:
        """The measure of tables that asks the demographic part."""
        cells = [query[PEOPLE] for query in self.queries]
        known = {"number": self.number, "dimensions": self.dimensions, "selectivity": self.selectivity}
        asker: PeopleQueries = registry.lookup("tables", "utility", "query-error")(
            queries=cells, seed=self.seed, **known
        )
        return asker

    def _of_codes(self) -> CodeQueries:
        """The measure of codes that asks the other part."""
        codes = [query[CODES] for query in self.queries]
        known = {"number": self.number, "size": self.size, "frequent": self.frequent, "estimator": self.estimator}
        asker: CodeQueries = registry.lookup("codes", "utility", "query-error")(queries=codes, seed=self.seed, **known)
        return asker


def _counted(
    before: RTData,
    shown: RTData,
    people: Sequence[Query],
    codes: Sequence[Sequence[str]],
    by_people: PeopleQueries,
    by_codes: CodeQueries,
) -> NDArray[np.float64]:
    """For each query, the persons that a reader of `shown` expects to answer it."""
    shares = by_people.shares(before.table, shown.table, people)
    chances = by_codes.chances(shown.codes, codes)
    return np.array([float(share @ chance) for share, chance in zip(shares, chances, strict=True)])
