"""Tables together: every hidden cell keeps its protection when all tables of the same people are read at once.

## Guarantee
Every cell that the criterion of its own table calls unsafe keeps the doubt that this criterion asks for, even to a
reader of all tables of counts and sums, and of all tables of records, about the same people. sharewell judges it on
every release that publishes a table of counts or sums beside another such table, or beside records, of the same people,
earlier releases that the policy names included. A release that fails it, or in which it cannot be decided, is refused.

## Adversary
Has all of these tables and records, knows that they are about the same people, and adds and subtracts. May be a person
in the tables.

## What it does not protect
Against tables that the policy neither publishes nor names. Tables of randomised responses are left out: their cells are
not true. Codes, notes and DNA of the same people are not read; the certificate lists them as not judged together.

## Worked example
A table of patients by illness hides the count of 3 and the total; one by ward hides nothing. Together they disclose the
3: 53 − 30 − 20.

>>> import numpy as np
>>> from sharewell.io.sources import Source
>>> from sharewell.protocols import PublishedDataset
>>> from sharewell.reports import CellProtection
>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> rule, people = CellProtection(threshold=5), frozenset({0})
>>> illness = CountTable.of_cells({("cold",): 30, ("flu",): 20, ("gout",): 3}, ["illness"])
>>> illness = illness.showing(np.array([HIDDEN, 30, 20, HIDDEN]))
>>> ward = CountTable.of_cells({("A",): 25, ("B",): 28}, ["ward"])
>>> tables = {"by-illness": illness, "by-ward": ward}
>>> [bool(rule.check(table).ok) for table in tables.values()]
[True, True]
>>> published = [PublishedDataset(n, t, Source(), "reports", (rule,), people) for n, t in tables.items()]
>>> print(TablesTogether().check(published))
tables-together = 1 cells (≤ 0: FAILS)

## Why it is safe
The check works from the published cells. It accepts a cell only with two sets of tables of whole numbers, far enough
apart in that cell, that both agree with everything published (`reports.counts.engine.together` has the argument).
What is too large or cannot be read is undecided, and fails.

## Cost
At most two linear programs for each unsafe cell and reader; at most 20,000 cells over all tables.

## Source
Dobra and Fienberg, 2000 (bounds from released marginals); Hundepool et al., Statistical Disclosure Control, 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from sharewell import registry
from sharewell.algorithm import DataError, Declared, Finding, Role
from sharewell.protocols import JointCriterion, PublishedDataset
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.record_counts import PublishedRecords
from sharewell.reports.counts.engine.together import judge_together
from sharewell.wing import ColumnFacts

COUNT = "count"
RECORDS = "tables"
"""The kind of data whose rows are records of persons."""


@dataclass(frozen=True)
class TablesTogether(Declared, JointCriterion):
    """No unsafe cell of any table is bounded more tightly than its own criterion allows."""

    packages: ClassVar[tuple[str, ...]] = ("highspy", "scipy")
    needs_kind: ClassVar[str] = "reports"
    judges_all: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("reports", RECORDS)
    remedies: ClassVar[tuple[str, ...]] = (
        "publish one of these datasets, or one table that has the columns of all of them",
        "drop or coarsen the columns that they do not share",
    )
    by_columns: ClassVar[bool] = True

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Tables with true cells; records only where there is such a table for them to tell something of."""
        tables = [one for one in datasets if isinstance(one.data, CountTable) and one.data.randomised is None]
        tables = [one for one in tables if one.data.noise is None]
        return [*tables, *(one for one in datasets if one.kind == RECORDS)] if tables else []

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        tables = {one.title: one for one in datasets if isinstance(one.data, CountTable)}
        try:
            records = {one.title: _records(one) for one in datasets if one.kind == RECORDS}
            by_source = {title: _by_source(one) for title, one in tables.items()}
        except DataError as error:  # two columns that are spelt alike, and nobody can tell which is which
            return self.finding(None, unit="cells", note=str(error))
        # An earlier release is about the people of all files that are named here.
        everybody = frozenset(str(label) for one in datasets for label in one.people)
        people = {one.title: frozenset(map(str, one.people)) or everybody for one in datasets}
        required = {title: one.criteria for title, one in tables.items()}
        return judge_together(by_source, required, records=records, people=people)


def _by_source(dataset: PublishedDataset) -> CountTable:
    """With the names that columns have in the file: two names or spellings of one column hide nothing."""
    table: CountTable = dataset.data
    dimensions = tuple(replace(one, name=dataset.source_name(one.name)) for one in table.dimensions)
    measure = table.value if table.is_count else dataset.source_name(table.value)
    if measure == COUNT and not table.is_count:
        measure = f"{COUNT} "  # sums of a column that has this name; no folded name ends with a blank
    return replace(table, dimensions=dimensions, value=measure)


def _records(dataset: PublishedDataset) -> PublishedRecords:
    """Falsified records tell nothing for certain and perhaps a lot: with them the whole is undecided."""
    size = registry.wing(dataset.kind).size(dataset.data)
    one_each = size["persons"] == size["rows"] and not dataset.falsified
    table = replace(dataset.file, newlines=True).read()
    names = [dataset.source_name(name) for name in table.column_names]
    if len({*names}) < len(names):
        raise DataError(f"{dataset.title} — two of its columns are spelt alike — publish one of them")
    columns = {dataset.source_name(name): _facts(dataset, facts) for name, facts in dataset.columns.items()}
    shifted = [name for name, facts in columns.items() if facts.get("role") == str(Role.SHIFT)]
    table = table.rename_columns(names)
    return PublishedRecords(table, columns, one_each, frozenset(shifted))


def _facts(dataset: PublishedDataset, facts: ColumnFacts) -> ColumnFacts:
    """One of the two ends of a range says of which column, by the name that this has in the file."""
    of = facts.get("of")
    return {**facts, "of": dataset.source_name(of)} if isinstance(of, str) else facts
