"""Draws together: drawn values of the same people in several datasets disclose no more than each criterion allows.

## Guarantee
What `rho1-to-rho2` or `delta-growth` promises of one dataset holds for a reader of all datasets that this release
publishes, and of the earlier releases that it names, about the same people. A release that fails it, or in which it
cannot be decided, is refused.

## Adversary
Has all of these datasets, knows which records are whose, and how the values of each were drawn. Averages.

## What it does not protect
Against draws that the policy neither publishes nor names. Noise, swapping and post-randomisation, which promise no
bound: the attack `noise-differencing` measures what two such files disclose. Columns that are not drawn, as for one
dataset; a column that one dataset draws and another publishes as it is, is refused.

## Worked example
Each of two datasets draws the diagnosis with γ = 9, so that a belief of 10 % becomes at most 50 %. Both together have γ
= 81, and a belief of 10 % becomes 90 %. With γ = 3 in each of them, 9 in all, it stays within 50 %.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.keys import Key
>>> from sharewell.tables import RetentionReplacement, Rho1ToRho2, Table
>>> people = pa.table({"sex": ["F", "M"] * 20, "code": [str(i % 4) for i in range(40)]})
>>> table, rule = Table.of(people, quasi=["sex"], sensitive=["code"]), Rho1ToRho2("1/10", "1/2")
>>> def dataset(name, ratio):
...     how = RetentionReplacement({"code": ["0", "1", "2", "3"]}, ratio=ratio)
...     data = how.protect(table, [rule], Key(f"an example key, enough bytes: {name}".encode())).data
...     facts = {"sex": {"role": "quasi"}, "code": {"role": "sensitive", **data.columns["code"].drawn.facts}}
...     return PublishedDataset(name, data, Source(), "tables", (rule,), columns=facts)
>>> print(DrawsTogether().check([dataset("first", 9), dataset("second", 9)]))
draws-together = 2 criteria (≤ 0: FAILS)
>>> print(DrawsTogether().check([dataset("first", 3), dataset("second", 3)]))
draws-together = 0 criteria (≤ 0: holds)

## Why it is safe
Draws of two datasets are independent given the true values, so the probabilities of what is published multiply, and so
do the ratios γ between two true values. The check recomputes each dataset's γ from its dictionary, as its criteria do,
multiplies them in exact fractions, and compares the product with the γ that every criterion allows. Draws that are in
fact the same tell less than this.

## Cost
O(n) for n records.

## Source
Evfimievski, Gehrke and Srikant, 2003 (γ amplification); the product is the sequential composition of local differential
privacy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import ClassVar

from sharewell.algorithm import Declared, Finding
from sharewell.protocols import JointCriterion, PublishedDataset
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.drawn_columns import Ratio, stated_ratios
from sharewell.tables.engine.drawn_values import DRAWN_FROM, BoundsRatio

TABLES = "tables"


@dataclass(frozen=True)
class DrawsDetails:
    """How the datasets came to be judged."""

    datasets: int
    criteria: int
    largest_ratio: float
    """γ of all draws of a person together."""


@dataclass(frozen=True)
class DrawsTogether(Declared, JointCriterion):
    """The draws of all datasets, multiplied, stay within the ratio that every criterion allows."""

    needs_kind: ClassVar[str] = TABLES
    needs_fact: ClassVar[str] = DRAWN_FROM
    kinds: ClassVar[tuple[str, ...]] = (TABLES,)
    remedies: ClassVar[tuple[str, ...]] = (
        "draw the column once: publish one of these datasets",
        "give each retention-replacement a ratio, so that all of them multiplied stay within every bound",
    )

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Tables with a drawn column, and those that publish the same column as it is."""
        tables = [one for one in datasets if one.kind == TABLES]
        drawn = {column for one in tables for column in _drawn(one)}
        return [one for one in tables if drawn & {one.source_name(column) for column in one.columns}]

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        drawing = [one for one in datasets if _drawn(one)]
        truly = {one.title: {one.source_name(column) for column in one.columns} - _drawn(one) for one in datasets}
        for one in drawing:
            for other in datasets:
                if shown := sorted(_drawn(one) & truly[other.title]):
                    reason = f"publishes column {shown[0]} as it is, which {one.title} draws"
                    return self._undecided(f"{other.title} {reason}")
                if _drawn(one) & _drawn(other) and not _same_groups(one, other):
                    return self._undecided(f"{one.title} and {other.title} draw a column within different groups")
        ratios: dict[str, list[Ratio]] = {}
        for one in drawing:
            ratios[one.title], _, problem = _stated(one)
            if problem:
                return self._undecided(f"{one.title}: {problem}")
        return self._judged(drawing, ratios)

    def _judged(self, drawing: Sequence[PublishedDataset], ratios: dict[str, list[Ratio]]) -> Finding:
        largest = {title: max((one.ratio for one in result), default=Fraction(1)) for title, result in ratios.items()}
        failing, judged = 0, 0
        for dataset in drawing:
            beside = prod((ratio for title, ratio in largest.items() if title != dataset.title), start=Fraction(1))
            together = [(one.ratio * beside, one.share) for one in ratios[dataset.title]]
            for criterion in dataset.criteria:
                if isinstance(criterion, BoundsRatio):
                    judged += 1
                    failing += not all(ratio <= criterion.largest_ratio(share) for ratio, share in together)
        details = DrawsDetails(len(drawing), judged, float(prod(largest.values(), start=Fraction(1))))
        return self.finding(failing, unit="criteria", details=details)

    def _undecided(self, why: str) -> Finding:
        return self.finding(None, unit="criteria", note=why)


def _stated(dataset: PublishedDataset) -> tuple[list[Ratio], object, str]:
    """The ratios of all that the dataset draws; its criteria may speak of one column, and other columns may not be."""
    data: Table = dataset.data
    drawn = [column.name for column in data.sensitive if column.drawn is not None]
    return stated_ratios(data, drawn[0] if drawn else None)


def _drawn(dataset: PublishedDataset) -> set[str]:
    """Columns whose values were drawn, by their names in the file."""
    return {dataset.source_name(name) for name, facts in dataset.columns.items() if DRAWN_FROM in facts}


def _same_groups(one: PublishedDataset, other: PublishedDataset) -> bool:
    """Do both publish the same groups of the columns that both draw? Else a value lies where two groups overlap."""
    ours, theirs = _groups(one), _groups(other)
    return all(ours[name] == theirs[name] for name in ours if name in theirs)


def _groups(dataset: PublishedDataset) -> dict[str, set[frozenset[str]]]:
    """Drawn column → its groups; values that are drawn from all others are one group, whatever it lists."""
    results = {}
    for name, facts in dataset.columns.items():
        listed = [frozenset(map(str, group["values"])) for group in facts.get(DRAWN_FROM, ())]
        results[dataset.source_name(name)] = {frozenset()} if len(listed) == 1 else set(listed)
    return {name: results[name] for name in _drawn(dataset)}
