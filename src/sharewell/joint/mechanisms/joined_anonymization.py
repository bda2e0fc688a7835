"""Joined anonymization: protects demographics, codes and DNA in one record, in the order that loses least.

## Guarantee
`joined-record`: every class of equal quasi cells has at least k persons, and inside it every combination of at most m
codes and the cells of at most `snps` positions has a published support of 0 or at least k, where a cell counts only
with its equals. With `k-km-anonymity` the DNA is protected as if one SNP were known. Nothing is falsified: every cell
and every label covers what the person has.

## Adversary
Knows the quasi values of a target, at most m codes and at most `snps` values of the DNA, and that the target is in the
data.

## What it does not protect
People about whom more is known. What all matching records have in common. Relatives, about whom DNA says something too.
Whoever knows this mechanism and how the data came out may reason from minimality: cells are coarsened only where
something was too rare, which makes some of the records that show the same likelier than others.

## Parameters
order: which part forms the groups. "people" and "codes" protect demographics and codes as `rt-anonymization` does, and
then merge cells of the DNA, class by class, as far as necessary. "code-groups" and "dna" put persons with similar
codes, or similar DNA, into groups that show the same DNA; this holds however many SNPs are known. "search" (default)
tries all of them and takes the one with the smallest mean loss over the parts that there are (the measure `ncp`); the
details list what was tried. An order is abandoned as soon as some parts alone lose more than the best order so far.
bound: the largest loss allowed, a share from 0 to 1: of the demographics where people come first, and of the codes
where codes come first and there are demographics to merge by.
code_bound, dna_bound: the largest loss of the codes, or of the DNA, allowed in any order. No bound if left out.
merge: as for `rt-anonymization`: whether a group's partner is chosen by demographics, by codes or by both.
sizes: groups, and combinations of codes, start with this many times k persons; every number listed is tried. Small ones
keep demographics and codes, large ones the DNA. A size that makes more than 4,000 groups is skipped if a larger one is
listed.
start: the clusters to begin with: "k-member" (default, tight) or "mondrian" (quick).
suppress: as for `apriori`, in each class: the share of codes that may be withheld where that saves others.

## Worked example
The four patients with codes and DNA of the tutorial cited below; three bases are known. Grouping by codes gives two
pairs, and both patients of a pair show the same labels and bases. Protecting the codes of all four at once would have
cost more.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.hierarchy import ICD9CM
>>> from sharewell.joint import JoinedRecord, RTData, SnpCells
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"who": ["1", "2", "3", "4"]}), quasi=[], subject="who")
>>> rows = [["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]]
>>> dna = SnpCells.of_bases([[1, 2, 8], [4, 2, 2], [2, 2, 1], [2, 1, 8]], name="dna")
>>> data = RTData.of(people, CodeSets.of(rows, hierarchy=ICD9CM()), dna)
>>> result = JoinedAnonymization().protect(data, [JoinedRecord(2, m=2, snps=3)])
>>> result.data.arrow.to_pydict()
{'codes': ['401.0 401.1', '401', '401.0 401.1', '401'], 'dna': ['MCW', 'SMY', 'MCW', 'SMY']}
>>> for one in result.details.tried:
...     print(f"{one.method}: {one.loss:.3f}{' (chosen)' if one.chosen else ''}")
codes first, groups of 2: 0.694
code-groups first, groups of 2: 0.389 (chosen)
dna first, groups of 2: 0.389

## Why it is safe
People or codes first: classes and labels are those of `rt-anonymization`, for k persons or more. Cells of a SNP are
then merged for a whole class, as 0 and 1 into {0,1}, until every combination of codes and cells is shown by no record
of the class or by at least k. All records of a class with the same value show the same cell, so that the carrier of a
rare value does not keep it while others gain it. Merging adds supports up and undoes nothing. It always ends, at the
latest when all records of a class show the same DNA; where it would take too long, they do at once. Groups by codes or
DNA: each has at least k persons who show the same DNA, and inside each the codes are k^m-anonymous, so every support is
a sum of numbers that are 0 or at least k. Ties are broken by the content of records.

## Cost
For each order and size, that of `rt-anonymization`; then, for P pairs of a record and a combination of its codes and S
SNPs, O(P · S) for one known SNP, in vectors, and O(P · S²) for two, times the merges. Groups by DNA cost what `start`
costs.

## Source
Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013 (demographics and codes); Malin, Methods of
Information in Medicine 2005 (the lattice of bases); tutorial of Gkoulalas-Divanis and Loukides on medical data privacy,
SIAM Data Mining 2012 (codes with DNA). Merging cells by class, and the search over orders, are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from annotated_types import Interval, MinLen

from sharewell.algorithm import Count, Criteria, Declared, Infeasible, Key, Mechanism, PolicyError, Protected, Share
from sharewell.joint.data import RTData
from sharewell.joint.engine.protection.class_codes import ClassCodes
from sharewell.joint.engine.protection.clusters import SLACK, Rule
from sharewell.joint.engine.protection.dna_groups import (
    Bounded,
    groups_by_codes,
    groups_by_dna,
    numbers_of,
    protected_dna,
)
from sharewell.joint.engine.protection.rt_methods import (
    Driver,
    Rows,
    Start,
    Trial,
    Tried,
    first_clusters,
    grouped,
    least_lossy,
    refuse_beyond,
    strictest_km,
)
from sharewell.preconditions import refuse_incompatible, refuse_published

Order = Literal["people", "codes", "code-groups", "dna"]
MOST_GROUPS = 4_000
"""Each is protected by itself, which takes some milliseconds."""
_DRIVER: dict[str, Driver] = {"people": "R", "codes": "T"}


@runtime_checkable
class KnownSnps(Protocol):
    """A criterion that bounds how many SNPs are known."""

    snps: int


@dataclass(frozen=True)
class JoinedDetails:
    order: str
    """Which part came first."""
    size: int
    """The fewest persons of a group to begin with."""
    classes: int
    smallest: int
    relational_loss: float
    """Mean NCP of the quasi cells."""
    code_loss: float
    """Mean NCP of the codes held."""
    dna_loss: float
    """Mean NCP of the cells of DNA that were known."""
    loss: float
    """The mean over the parts that there are."""
    dna_shown: int
    """Different rows of DNA."""
    labels: int
    withheld_occurrences: int
    unknown: int
    """Codes that the hierarchy does not list."""
    tried: tuple[Trial, ...] = ()


@dataclass(frozen=True)
class JoinedAnonymization(Declared, Mechanism[RTData]):
    """Groups by one part, codes inside them, and cells of DNA that are merged."""

    order: Literal["search", "people", "codes", "code-groups", "dna"] = "search"
    bound: Share = 0.6
    merge: Rule = "R"
    sizes: Annotated[Sequence[Count], MinLen(1)] = (1, 4, 16)
    start: Start = "k-member"
    suppress: Annotated[float, Interval(ge=0, lt=1)] = 0.0
    code_bound: Share | None = None
    dna_bound: Share | None = None

    engine: ClassVar[tuple[str, ...]] = ("joined", "inside")

    def protect(self, data: RTData, must: Criteria[RTData], key: Key | None = None) -> Protected[RTData]:
        """No random choice is made, so the key is not used."""
        bounded = self._strictest(data, must)
        ways = self._ways(data, bounded.k)
        first: dict[tuple[str, int], tuple[Rows, Rows]] = {}
        result, tried = least_lossy(
            (f"{order} first, groups of {size * bounded.k}", partial(self._tried, data, bounded, order, size, first))
            for order, size in ways
        )
        released, details = result
        return Protected(released, replace(details, tried=tried), np.arange(data.rows))

    def _ways(self, data: RTData, k: int) -> list[tuple[Order, int]]:
        """The orders and sizes to try; small ones first, in which more is kept."""
        orders = self._orders(data)
        sizes = sorted(dict.fromkeys(size for size in self.sizes if size * k <= data.rows)) or [min(self.sizes)]
        large = [size for size in sizes if data.rows <= MOST_GROUPS * size * k] or sizes[-1:]
        one_class: tuple[Order, ...] = () if data.table.schema.quasi else ("people", "codes")
        return [(order, size) for size in sizes for order in orders if size in large or order in one_class]

    def _orders(self, data: RTData) -> tuple[Order, ...]:
        """Without demographics, people first is codes first."""
        if self.order != "search":
            return (self.order,)
        people: tuple[Order, ...] = ("people",) if data.table.schema.quasi else ()
        return (*people, "codes", "code-groups", "dna")

    def _tried(
        self,
        data: RTData,
        bounded: Bounded,
        order: Order,
        size: int,
        first: dict[tuple[str, int], tuple[Rows, Rows]],
        method: str,
        least: float,
    ) -> Tried[tuple[RTData, JoinedDetails]]:
        """One order and size; `first` keeps clusters for others of the same size."""
        assert data.dna is not None
        k, alike = size * bounded.k, order in ("code-groups", "dna")
        if k > data.rows:
            raise Infeasible(f"{self.name} — groups of {k} of {data.rows} persons", relaxations=["a smaller k"])
        by = order if alike else "clusters"
        if (by, k) not in first:
            first[by, k] = self._first(data, k, by)
        dna = data.dna.joined(numbers_of(*first[by, k])) if alike else None
        if dna is not None:  # what the codes lose takes longest to find out
            self._give_up(data, least, dna=data.dna.lost(dna))
        codes = ClassCodes(data.codes, k, bounded.m, self.suppress)
        way: tuple[Driver, Rule] = (_DRIVER.get(order, "R"), self.merge)
        free = alike or not data.table.schema.quasi
        result = grouped(self.name, data, first[by, k], codes, way, 1.0 if free else self.bound, merging=not alike)
        self._give_up(data, least, result.clusters.lost, result.code_loss)
        released = result.released(data, codes)
        if dna is None:
            dna = protected_dna(replace(released, dna=data.dna), bounded)
        losses = (result.clusters.lost, result.code_loss, data.dna.lost(dna))
        lost = _mean(data, *losses)
        self._refuse(losses[1], losses[2])
        details = JoinedDetails(
            order=order,
            size=k,
            classes=released.table.classes.count,
            smallest=int(released.table.classes.sizes.min()),
            relational_loss=losses[0],
            code_loss=losses[1],
            dna_loss=losses[2],
            loss=lost,
            dna_shown=int(dna.groups.max()) + 1,
            labels=len(released.codes.names),
            withheld_occurrences=sum(coded_class.withheld for coded_class in result.coded.values()),
            unknown=codes.tree.unknown,
        )
        return Tried(Trial(method, lost, *losses), (replace(released, dna=dna), details))

    def _refuse(self, codes: float, dna: float) -> None:
        for bound, lost, part, parameter in (
            (self.code_bound, codes, "codes", "code_bound"),
            (self.dna_bound, dna, "DNA", "dna_bound"),
        ):
            if bound is not None:
                refuse_beyond(self.name, bound, lost, "this order loses", part, parameter)

    def _give_up(self, data: RTData, least: float, people: float = 0.0, codes: float = 0.0, dna: float = 0.0) -> None:
        """Raise where some parts alone lose more, on the mean of all, than what was found before."""
        if _mean(data, people, codes, dna) > least + SLACK:
            raise Infeasible(f"{self.name} — some of its parts lose more than all parts of another")

    def _first(self, data: RTData, k: int, by: str) -> tuple[Rows, Rows]:
        if by == "clusters":
            return first_clusters(data, k, self.start)
        return groups_by_codes(data, k) if by == "code-groups" else groups_by_dna(data, k, self.start)

    def _strictest(self, data: RTData, criteria: Criteria[RTData]) -> Bounded:
        """The strictest of the criteria, on data that can be protected at all."""
        RTData.require(data, self.name)
        refuse_published(self.name, data)
        refuse_incompatible(self, criteria)
        if data.dna is None:
            raise PolicyError(f"{self.name} — there is no DNA beside the codes — use rt-anonymization")
        snps = max((one.snps for one in criteria if isinstance(one, KnownSnps)), default=1)
        return Bounded(*strictest_km(self.name, data, criteria), snps)


def _mean(data: RTData, people: float, codes: float, dna: float) -> float:
    """What is lost on the mean of the parts that there are."""
    return (people + codes + dna) / 3 if data.table.schema.quasi else (codes + dna) / 2
