"""Multiple-record partitioning: the table is cut where persons' records stay most evenly spread for the detail gained.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Meant for data with several records
a person, and for the criteria g-balance, h-affiliation and record-share; any class criterion is accepted.

## Adversary
That of the criteria; for g-balance one who also knows that a person has many records in the data.

## What it does not protect
g ≥ g* bounds the largest share of one person in a class only by √(1 − g*): g* = 0.5 still allows 0.707. Ask for
record-share ½ where no person may own most of a class. A person whose records lie in several classes is protected in
each by itself; `straddling` says how many there are.

## Parameters
rank: "balance" (default) takes the column with the least loss of balance per variance, "width" the one with the widest
normalised range, which lost less information in most trials on synthetic data.
keep_person_together: never cut between two records of one person.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import GBalance, Table
>>> visits = pa.table({"who": ["Ann", "Ann", "Bea", "Bea", "Cy", "Cy", "Dan", "Dan"],
...                    "age": [31, 31, 33, 33, 52, 52, 58, 58]})
>>> table = Table.of(visits, quasi=["age"], subject="who")
>>> released = MultiRecordPartitioning().protect(table, must=[GBalance("1/2")])
>>> sorted(set(released.data.arrow["age"].to_pylist())), released.details.straddling
(['[31-33]', '[52-58]'], 0)

## Why it is safe
The root class must satisfy every criterion, and a cut is taken only if both halves do. Balance never grows by cutting:
the record-weighted mean of the halves' g is at most that of the whole, so the ratio is never negative.

## Cost
O(q · n log n · depth) for q quasi columns and n records; about twice the work of Mondrian, because the balance of
both halves is computed for every column.

## Source
Kartal and Li, 2016 (the ratio, and the order of cuts). Variance is taken inside the class, of values scaled to [0, 1]
by the whole table's range; equal ratios go by the name of the column.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Declared, Key, Mechanism, PolicyError, Protected
from sharewell.tables.criteria.g_balance import GBalance
from sharewell.tables.data import Bools, Classes, Column, Floats, Indices, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.partitioning.cuts import CandidateCuts, Cuts
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_merged, root_class
from sharewell.tables.engine.protection.partitioning.top_down_cuts import partition
from sharewell.tables.engine.published_cells import publish


@dataclass(frozen=True)
class MultiRecordDetails:
    classes: int
    smallest: int
    depth: int
    straddling: int
    """Persons whose records lie in more than one class."""
    suppressed_records: int = 0
    suppressed_persons: int = 0


@dataclass(frozen=True)
class MultiRecordPartitioning(Declared, Mechanism[Table]):
    """Partitioning by balance-variance ratio."""

    rank: Literal["balance", "width"] = "balance"
    keep_person_together: bool = False

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        if data.subject is None:
            raise PolicyError(f"{self.name} — no column identifies the person of a record — give one the role subject")
        root = root_class(self.name, data, must)
        lines = [_line(column)[column.codes] for column in data.quasi]
        names = np.argsort(np.argsort([column.name for column in data.quasi], kind="stable"), kind="stable")

        def by_ratio(candidates: CandidateCuts, active: Classes) -> Floats:
            return _ranked(
                np.stack([_ratio(c, active, line) for c, line in zip(candidates, lines, strict=True)]), names
            )

        def by_width(candidates: CandidateCuts, active: Classes) -> Floats:
            return _ranked(-np.stack([cuts.loss for cuts in candidates]), names)

        prefer = by_ratio if self.rank == "balance" else by_width
        allowed = _no_person_cut if self.keep_person_together else None
        classes, depth = partition(data, root, must, prefer, allowed)
        released, rows = publish(data, classes)
        refuse_merged(self.name, released, must)
        details = MultiRecordDetails(classes.count, int(classes.sizes.min()), depth, _straddling(released))
        return Protected(released, details, rows)


def _line(column: Column) -> Floats:
    """Where each code lies between 0 and 1: numbers and dates by value, categories by rank or leaf order."""
    known = column.known
    places = np.arange(column.size, dtype=np.float64) if column.numbers is None else column.numbers.copy()
    if known:
        low, high = places[0], places[known - 1]
        places = (places - low) / ((high - low) or 1.0)
    if column.has_missing:
        places[-1] = 1.0
    return places


def _ratio(cuts: Cuts, active: Classes, line: Floats) -> Floats:
    """Loss of balance per variance of one column, for every class; where it has no variance there is no cut."""
    which = np.flatnonzero(cuts.possible)
    ratio = np.full(active.count, np.inf)
    if not len(which):
        return ratio
    parents = active.select(which)
    owner, middle = parents.class_of, parents.starts[:-1] + cuts.left[which]
    right = cuts.column.codes[parents.order] > cuts.at[which][owner]
    in_left, order = np.arange(len(owner)) < middle[owner], np.empty_like(parents.order)
    order[in_left], order[~in_left] = parents.order[~right], parents.order[right]
    starts = np.append(np.stack([parents.starts[:-1], middle], axis=1).ravel(), len(order))
    children = Classes(order, starts, parents.columns, parents.subject)
    measure = GBalance(Fraction(0))
    balance, parts = measure.worst(parents), measure.worst(children)
    left = cuts.left[which] / parents.sizes
    lost = balance - left * parts[0::2] - (1 - left) * parts[1::2]
    values, starts = line[parents.order], parents.starts[:-1]
    mean = np.add.reduceat(values, starts) / parents.sizes
    spread = np.add.reduceat((values - mean[owner]) ** 2, starts) / parents.sizes
    ratio[which] = np.where(spread > 0, lost / np.where(spread > 0, spread, 1.0), np.inf)
    return ratio


def _ranked(ratio: Floats, names: Indices) -> Floats:
    """The least ratio first, equal ones (to twelve digits) by name: as scores of which the highest is best."""
    finite = np.isfinite(ratio)
    rounded = np.where(finite, np.round(np.where(finite, ratio, 0.0), 12), np.inf)
    order = np.lexsort((np.broadcast_to(names[:, None], ratio.shape), rounded), axis=0)
    score = np.empty(ratio.shape)
    np.put_along_axis(score, order, -np.arange(len(ratio), dtype=np.float64)[:, None] + np.zeros(ratio.shape), axis=0)
    return score


def _no_person_cut(parents: Classes, children: Classes) -> Bools:
    """Do the halves of each class share no person? Records without a subject belong to nobody."""
    return np.asarray(children.persons[0::2] + children.persons[1::2] == parents.persons)


def _straddling(released: Table) -> int:
    subject, classes = released.subject, released.classes
    assert subject is not None
    pairs = np.unique(subject.codes[classes.order].astype(np.int64) * classes.count + classes.class_of)
    several = np.bincount(pairs // classes.count, minlength=subject.size) > 1
    return int(several.sum()) - int(subject.has_missing and several[-1])
