"""Composition of datasets: combines two tables about the same people, of one release or of an earlier one.

## Guarantee
None; a measurement. The value is the largest probability that an attacker can assign to a sensitive value of one
person, for the two tables that disclose the most together.

## Adversary
Knows the quasi values of a target and that the target is in both tables, since both are about the same people. Takes
the class of each table that covers these values and keeps the sensitive values that both classes show, as `composition`
does.

## What it does not protect
Three tables may disclose more than any two of them. Tables without a quasi and a sensitive column in common are not
combined.

## Parameters
None. It is mounted on every release that publishes several tables of the same people, and on the earlier releases that
a policy names (`release: {after: […]}`).

## Worked example
Each table has one class of three people with three different illnesses. Only gout is in both.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.protocols import PublishedDataset
>>> from sharewell.tables import Table
>>> def published(name, cells, illnesses):
...     frame = pa.table({"age": [cells] * 3, "illness": illnesses})
...     data = Table.of(frame, quasi=["age"], sensitive=["illness"], published=True)
...     return PublishedDataset(name, data, Source.of(frame), people=frozenset({0}))
>>> young = published("young", "[20-29]", ["flu", "asthma", "gout"])
>>> adult = published("adult", "[24-40]", ["gout", "angina", "ulcer"])
>>> result = CompositionOfDatasets().mount([young, adult])
>>> result.value, result.details.by_itself, result.details.worst_pair
(1.0, 0.3333333333333333, ('young', 'adult'))

## Why it is safe
Every table is grouped anew from its published cells, each pair is attacked in both directions, and the finding is about
the worst. Pairs that are too large to attack are counted; if no pair could be attacked, the finding is undecided, not
0.

## Cost
That of `composition` for each ordered pair: at most 40 pairs, each of at most 200,000 classes.

## Source
Ganta, Kasiviswanathan and Smith, 2008: Composition attacks and auxiliary information in data privacy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import ClassVar

from sharewell.algorithm import DataError, Declared, Finding, PolicyError
from sharewell.protocols import JointAttack, PublishedDataset
from sharewell.roles import Schema
from sharewell.tables.attacks.composition import Composition
from sharewell.tables.data import Table

MOST_PAIRS = 40
"""Ordered pairs that are attacked; the rest are counted."""
MOST_CLASSES = 200_000
"""Classes of both tables of a pair; larger pairs are counted and not attacked."""


@dataclass(frozen=True)
class CompositionDetails:
    worst_pair: tuple[str, str]
    """The two tables that tell the most together."""
    by_itself: float
    """The largest probability from the first of them alone."""
    one_value_left: float
    """Share of its records for whose class some class of the other leaves a single value."""
    pairs: int
    """Ordered pairs that were attacked."""
    pairs_left_out: int
    """Ordered pairs that were too large, or too many."""


@dataclass(frozen=True)
class CompositionOfDatasets(Declared, JointAttack):
    """`composition` of every two tables of the same people; the worst pair counts."""

    needs_kind: ClassVar[str] = "tables"
    kinds: ClassVar[tuple[str, ...]] = ("tables",)

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Tables with a sensitive column that another one has too."""
        tables = [(one, _by_source(one)) for one in datasets if isinstance(one.data, Table)]
        return [one for one, table in tables if any(_combine(table, b) for other, b in tables if other is not one)]

    def mount(self, datasets: Sequence[PublishedDataset]) -> Finding:
        tables = {one.title: _by_source(one) for one in datasets}
        pairs = [
            (a, b) for a, b in permutations(datasets, 2) if not a.release and _combine(tables[a.title], tables[b.title])
        ]
        small = [pair for pair in pairs if sum(one.data.classes.count for one in pair) <= MOST_CLASSES][:MOST_PAIRS]
        findings: list[tuple[Finding, PublishedDataset, PublishedDataset]] = []
        for first, second in small:
            try:
                findings.append((Composition(tables[second.title]).mount(tables[first.title]), first, second))
            except (DataError, PolicyError):  # values or quasi columns that cannot be compared
                continue
        judged = [one for one in findings if one[0].value is not None]
        if not judged:
            return Finding(self.name, None, unit="probability", note=f"undecided: none of {len(pairs)} pairs attacked")
        worst, first, second = max(judged, key=lambda one: float(one[0].value or 0))
        details = CompositionDetails(
            (first.title, second.title),
            worst.details.by_itself,
            worst.details.one_value_left,
            len(judged),
            len(pairs) - len(judged),
        )
        note = f"{details.pairs_left_out} of {len(pairs)} pairs were not attacked" if details.pairs_left_out else ""
        return Finding(self.name, worst.value, worst.column, unit="probability", details=details, note=note)


def _by_source(dataset: PublishedDataset) -> Table:
    """With the names that its columns have in the file, so that the same column is found in two tables."""
    table: Table = dataset.data
    names: dict[str, str] = {}
    for column in table.schema.roles:
        name = dataset.source_name(column)
        names[column] = column if name in names.values() else name
    if all(name == column for column, name in names.items()):
        return table
    roles = {names[column]: role for column, role in table.schema.roles.items()}
    columns = {names[name]: replace(column, name=names[name]) for name, column in table.columns.items()}
    return replace(table, schema=Schema(roles), columns=columns)


def _combine(first: Table, second: Table) -> bool:
    """Can an attacker lay one over the other? They need a sensitive and a quasi column in common."""
    a, b = first.schema, second.schema
    return bool(set(a.sensitive) & set(b.sensitive) and set(a.quasi) & set(b.quasi))
