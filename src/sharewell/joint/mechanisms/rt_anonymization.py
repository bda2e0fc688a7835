"""RT-anonymization: similar people form clusters, merged up to a bound, and each cluster's codes are protected apart.

## Guarantee
(k, k^m)-anonymity: every class of equal quasi cells has at least k persons, and inside it every combination of at most
m codes has a published support of 0 or at least k. The bounded loss stays within its bound, or `Infeasible` is raised.
Cells are tight, every label covers the codes it stands for, and a label means the same in all classes.

## Adversary
Knows the quasi values of a target and at most m of the target's codes, and that the target is in the data.

## What it does not protect
Anyone of whom more than m codes are known. What all matching records have in common. Clusters depend on the data and
their boxes may overlap: somebody's values may fit several classes.

## Parameters
bound: the most that may be lost, as a share from 0 to 1: of the demographics (driver "R": mean NCP of the quasi cells,
as ranges, nodes and sets) or of the codes (driver "T": mean NCP of the codes held).
driver: "R" (default) merges clusters as long as the demographics stay within the bound, so that the codes keep as much
as possible; "T" merges until the codes are within it, so that the demographics do. With the merge rule these are the
six methods Rmerge_R, Rmerge_T, Rmerge_RT, Tmerge_R, Tmerge_T and Tmerge_RT. "search" tries all six, each within the
bound for the part that drives it, and takes the one that loses least by the mean of what demographics and codes lose
(the measure `ncp`); the details list what was tried, and `merge` does not matter.
merge: the partner of a cluster: "R" (default) the one whose union with it loses least of the demographics, "T" the one
whose codes are most alike, "RT" the one with the least sum of both ranks. Where codes have little to do with
demographics, "R" keeps most of both.
start: the clusters to begin with: "k-member" (default, tight) or "mondrian" (quick).
suppress: as for `apriori`, in each class: the share of codes that may be withheld where that saves others.

## Worked example
Two pairs of equal age. Inside the pairs no code is shared; in one class all four keep their codes.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import KKmAnonymity, RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 20, 60, 60]}), quasi=["age"])
>>> data = RTData.of(people, CodeSets.of([["401"], ["250"], ["401"], ["250"]]))
>>> RTAnonymization(bound=0.5).protect(data, [KKmAnonymity(2, m=2)]).data.arrow.to_pydict()
{'age': ['20', '20', '60', '60'], 'codes': ['*', '*', '*', '*']}
>>> RTAnonymization(bound=0.5, driver="T").protect(data, [KKmAnonymity(2, m=2)]).data.arrow.to_pydict()
{'age': ['[20-60]', '[20-60]', '[20-60]', '[20-60]'], 'codes': ['401', '250', '401', '250']}

All six methods tried: three keep the ages, and hide the codes; three do the reverse. Both lose half, and the first is
taken.

>>> result = RTAnonymization(bound=0.5, driver="search").protect(data, [KKmAnonymity(2, m=2)])
>>> [(one.method, one.demographics, one.codes, one.loss) for one in result.details.tried if one.chosen]
[('R-R', 0.0, 1.0, 0.5)]

## Why it is safe
The first clusters are classes of k persons, and merging only enlarges them. Inside each, the codes are made
k^m-anonymous, or all of them are withheld. Labels are nodes of one tree, and no two of a class lie above one another,
so a code lies in at most one label of its class. Classes that publish equal cells are one to a reader; the published
support there is a sum of numbers that are each 0 or at least k. Ties are broken by the content of records.

## Cost
That of the first clusters; for c of them O(c² · (quasi columns + codes of a cluster)) for merging, in vectors; and that
of `apriori` for each class, with driver "T" at most log2(c) times for a person. Codes are compared by centroids of
clusters, never by pairs of people. With "search" six times that, but for the first clusters, which are made once.

## Source
Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013, in our reading. There partners that break the
bound end the merging; here the best partner that does not is taken. Their distance of codes is that of the farthest
pair; ours lies between 0 and 1, and the loss of codes is that of the published labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, PolicyError, Protected, Share, ShareBelowOne
from sharewell.joint.data import RTData
from sharewell.joint.engine.protection.class_codes import ClassCodes
from sharewell.joint.engine.protection.clusters import Rule
from sharewell.joint.engine.protection.rt_methods import (
    METHODS,
    Driver,
    Grouped,
    Rows,
    Start,
    Trial,
    Tried,
    first_clusters,
    grouped,
    least_lossy,
    strictest_km,
)
from sharewell.preconditions import refuse_incompatible, refuse_published

MANY = 0.2
"""The share of classes without a telling label from which the details warn."""


@dataclass(frozen=True)
class RTDetails:
    classes: int
    smallest: int
    merges: int
    relational_loss: float
    """Mean NCP of the quasi cells (Rum)."""
    code_loss: float
    """Mean NCP of the codes held (Tum)."""
    labels: int
    root_only: int
    """Classes whose persons hold codes, and that say no more of them than that there are some, or not even that."""
    root_only_persons: int
    withheld_occurrences: int
    unknown: int
    """Codes that the hierarchy does not list."""
    warning: str
    tried: tuple[Trial, ...] = ()
    """With driver "search": what every method lost."""


@dataclass(frozen=True)
class RTAnonymization(Declared, Mechanism[RTData]):
    """Clusters, mergers, and in each class the codes."""

    bound: Share = 0.3
    merge: Rule = "R"
    driver: Literal["R", "T", "search"] = "R"
    start: Start = "k-member"
    suppress: ShareBelowOne = 0.0

    engine: ClassVar[str] = "inside"

    def protect(self, data: RTData, must: Criteria[RTData], key: Key | None = None) -> Protected[RTData]:
        """No random choice is made, so the key is not used."""
        RTData.require(data, self.name)
        refuse_published(self.name, data)
        refuse_incompatible(self, must)
        if data.dna is not None:
            raise PolicyError(f"{self.name} — does not protect the DNA of the records — use joined-anonymization")
        k, m = strictest_km(self.name, data, must)
        codes = ClassCodes(data.codes, k, m, self.suppress)
        first = first_clusters(data, k, self.start)
        tried: tuple[Trial, ...] = ()
        if self.driver == "search":
            result, tried = least_lossy(
                (f"{driver}-{merge}", partial(self._tried, data, first, codes, (driver, merge)))
                for driver, merge in METHODS
            )
        else:
            result = grouped(self.name, data, first, codes, (self.driver, self.merge), self.bound)
        released = result.released(data, codes)
        details = replace(_details(result, released, codes.tree.unknown), tried=tried)
        return Protected(released, details, np.arange(data.rows))

    def _tried(
        self, data: RTData, first: tuple[Rows, Rows], codes: ClassCodes, way: tuple[Driver, Rule], method: str, _: float
    ) -> Tried[Grouped]:
        """One method within the bound, and the mean of what it loses."""
        result = grouped(self.name, data, first, codes, way, self.bound)
        people, lost = result.clusters.lost, result.code_loss
        loss = (people + lost) / 2 if data.table.schema.quasi else lost
        return Tried(Trial(method, loss, people, lost), result)


def _details(result: Grouped, released: RTData, unknown: int) -> RTDetails:
    clusters, coded = result.clusters, result.coded
    silent = [i for i, coded_class in coded.items() if coded_class.loss > 0 and not coded_class.says_something]
    persons = sum(len(clusters.members[i]) for i in silent)
    warning = ""
    if len(silent) > MANY * len(coded):
        warning = (
            f"{len(silent)} of {len(coded)} classes, with {persons} of {released.rows} persons,"
            " say of their codes no more than that there are some:"
            " larger classes would tell more (driver R with a higher bound, or driver T with a lower one)"
        )
    return RTDetails(
        classes=released.table.classes.count,
        smallest=int(released.table.classes.sizes.min()),
        merges=result.merges,
        relational_loss=clusters.lost,
        code_loss=result.code_loss,
        labels=len(released.codes.names),
        root_only=len(silent),
        root_only_persons=persons,
        withheld_occurrences=sum(coded_class.withheld for coded_class in coded.values()),
        unknown=unknown,
        warning=warning,
    )
