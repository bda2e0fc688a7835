"""Classification metric (CM): the share of records whose label is not the most frequent one of their class.

## What it does not protect
Not a privacy measure. It wants classes of one label, and such a class tells that label to whoever finds a person in
it: a low value is a high attribute risk if the label is sensitive.

## Parameters
label: the column to predict, sensitive or kept; left out, each sensitive column in turn, and their mean.

## Worked example
Nine patients in four classes; in each of them, one label is kept as the majority's: 5 of 9 differ from it. With the
last group withheld, its three records count too: 3 + 3.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> disease = ["HIV", "Cold", "Cancer", "Cold", "HIV", "Cancer", "Cold", "Cough", "HIV"]
>>> rows = pa.table({"group": list("aabbccddd"), "disease": disease})
>>> table = Table.of(rows, quasi=["group"], sensitive=["disease"])
>>> Classification().score(table, table).value
Fraction(5, 9)
>>> Classification().score(table, Table.of(rows.slice(0, 6), quasi=["group"], sensitive=["disease"])).value
Fraction(2, 3)

## Why it is safe
Labels are counted in the classes of the release as published; a missing label is a label. A withheld record counts 1.

## Cost
O(n log n).

## Source
Iyengar, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sharewell.algorithm import DataError, Declared, Finding, Measure, Role
from sharewell.tables.data import Column, Table, encode


@dataclass(frozen=True)
class ClassificationDetails:
    minority_records: dict[str, int]
    """Label column → published records that differ from the majority of their class."""
    withheld_records: int


@dataclass(frozen=True)
class Classification(Declared, Measure[Table]):
    """(Records that differ from their class's majority label + withheld records) / all records, exact."""

    label: str | None = None

    def score(self, before: Table, after: Table) -> Finding:
        labels = [label_column(after, self.label)] if self.label is not None else list(after.sensitive)
        if not before.rows or not labels:
            return Finding(self.name, None, note="no label to predict")
        withheld = before.rows - int(after.classes.sizes.sum())
        fewer = {label.name: _minority(label, after) for label in labels}
        parts = [
            Finding(self.name, Fraction(count + withheld, before.rows), column=name, unit="share")
            for name, count in fewer.items()
        ]
        value = Fraction(sum(fewer.values()) + withheld * len(parts), before.rows * len(parts))
        details = ClassificationDetails(fewer, withheld)
        return Finding(self.name, value, unit="share", parts=tuple(parts), details=details)


def label_column(table: Table, name: str) -> Column:
    """A sensitive or kept column, as codes."""
    role = table.schema.roles.get(name)
    if role is Role.SENSITIVE:
        return table.columns[name]
    if role is Role.KEEP:
        return encode(name, role, table.carried[name], kind="text")
    known = ", ".join(table.schema.having(Role.SENSITIVE, Role.KEEP)) or "there is none"
    raise DataError(f"label {name} — not a sensitive or kept column — choose one of them: {known}")


def _minority(label: Column, after: Table) -> int:
    """Records that differ from the most frequent label of their class."""
    owner, _, counts = after.classes.counts(label, by_person=False)
    largest = np.zeros(after.classes.count, dtype=np.int64)
    np.maximum.at(largest, owner, counts)
    return int(after.classes.sizes.sum() - largest.sum())
