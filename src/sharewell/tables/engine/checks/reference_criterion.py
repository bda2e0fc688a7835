"""Criteria that hold the sensitive values of a class against a reference: their distribution before any was withheld.

At protection the reference is read from the table itself. A recipient has only the published rows, so that whoever
withholds rows should give the reference: as `counts` (which the certificate then publishes), or as a file, `reference`
(which only the steward can open).

Where persons own several records, a class's distribution over records is held against that of all records, and its
distribution over persons against that of all persons: `person_counts`, or the file's column of persons, `subject`.
Where only records are counted in the reference, both are held against it, and the finding says so.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa

from sharewell.errors import DataError
from sharewell.findings import Finding
from sharewell.io.sources import Source
from sharewell.parameters import Declared
from sharewell.roles import Role
from sharewell.spelling import fold
from sharewell.tables.data import Bools, Classes, Floats, Ints, Table
from sharewell.tables.engine.checks.distributions import DistributionCriterion, Weighing, WeightedClasses
from sharewell.tables.engine.checks.sensitive_columns import ranks, sensitive_columns
from sharewell.tables.engine.columns import Column, Numbers, encode, meaning

OWN_ROWS = "compared with the rows of this table, not with the distribution before any was withheld"
ELSEWHERE = "compared with a reference that is not here"
RECORDS_ONLY = "persons, too, are compared with a reference that counts records"
_LONG = 2**57
"""Products of numbers that reach it leave no room for a sum in 64 bits."""


@dataclass(frozen=True, eq=False)
class ReferenceComparison:
    """The values of each class, beside the distribution that they are held against."""

    expected: ReferenceDistribution
    column: Column
    """The column with every value of the reference, whether it was published or not."""
    owner: Ints
    code: Ints
    count: Numbers
    size: Numbers
    """How many there are in all, in the class of each."""
    reference: Numbers
    """How many of each code there are in the reference."""
    total: float
    """How many there are in the reference in all."""

    def rank(self, name: str) -> Ints:
        """Where each code lies in the column's own order, for the criterion of this name."""
        if "rank" not in self.expected.__dict__:
            self.expected.__dict__["rank"] = ranks(name, self.column)
        rank: Ints = self.expected.__dict__["rank"]
        return rank

    @property
    def occurs(self) -> Bools:
        """Which codes are in the reference."""
        return self.expected.occurs


@dataclass(frozen=True, eq=False)
class ReferenceDistribution:
    """A reference beside one column. It does not keep the column itself in memory."""

    wide: Column | None
    """The column with every value of the reference; None if it has them all."""
    place: Ints | None
    """The code that each of the column's own has there."""
    reference: Numbers
    """Whole numbers."""

    @cached_property
    def total(self) -> int:
        return int(self.reference.sum())

    @cached_property
    def occurs(self) -> Bools:
        return np.asarray(self.reference > 0, dtype=bool)

    @cached_property
    def shares(self) -> Floats:
        return np.array([count / max(1, self.total) for count in self.reference.tolist()])

    def compare(self, weighed: WeightedClasses, column: Column) -> ReferenceComparison:
        """Classes against the reference."""
        frequencies = weighed.of(column)
        owner, code, count, size = frequencies.owner, frequencies.code, frequencies.count, frequencies.size
        if self.wide is not None and self.place is not None:
            code = self.place[code]
            order = np.lexsort((code, owner))
            owner, code, count, size = owner[order], code[order], count[order], size[order]
        wide = column if self.wide is None else self.wide
        if count.dtype.kind == "f":
            return ReferenceComparison(self, wide, owner, code, count, size, self.shares, 1.0)
        if weighed.weighing != "records" and int(size.max(initial=0)) * self.total >= _LONG:
            count, size = count.astype(object), size.astype(object)
            return ReferenceComparison(self, wide, owner, code, count, size, self.reference.astype(object), self.total)
        return ReferenceComparison(self, wide, owner, code, count, size, self.reference, self.total)


def _reference_from_counts(name: str, column: Column, counts: Mapping[str, Fraction | int]) -> ReferenceDistribution:
    """The reference for a column, by its values."""
    counts = _by_text(column, counts)
    occurs = np.bincount(column.codes, minlength=column.size) > 0
    lacking = sum(seen and not counts.get(text) for text, seen in zip(column.texts, occurs.tolist(), strict=True))
    if lacking:
        raise DataError(f"{name} — the reference lacks {lacking} value(s) of column {column.name} — give all rows")
    wide, place = _with_values(column, [text for text, number in counts.items() if number])
    one = math.lcm(*(Fraction(number).denominator for number in counts.values()))
    whole = [int(counts.get(text, 0) * one) for text in wide.texts]
    return ReferenceDistribution(wide, place, np.array(whole, dtype=np.int64 if sum(whole) < _LONG else object))


def _by_text(column: Column, counts: Mapping[str, Fraction | int]) -> dict[str, Fraction | int]:
    """The counts under the texts of the column that mean the same value, where there is just one.

    Values that the column lacks are added up where they mean the same; a tree tells them apart by their looks.
    """
    by_text: dict[str, Fraction | int] = {}
    further: dict[Hashable, str] = {}
    for value, number in sorted(counts.items()):
        codes = column.codes_of(value)
        equal = [code for code in codes if fold(column.texts[code]) == fold(value)]
        if not fold(value):
            text = ""  # nothing is seen of it: the missing value
        elif len(codes) == 1 or equal:
            text = column.texts[(equal or codes)[0]]
        else:
            text = further.setdefault(fold(value) if column.levels is not None else meaning(value), value)
        by_text[text] = by_text.get(text, 0) + number
    return by_text


def _reference_from_rows(classes: Classes, column: Column, weighing: Weighing) -> ReferenceDistribution:
    """All rows of the table as one class."""
    rows = np.arange(len(column.codes))
    everybody = Classes(rows, np.array([0, len(rows)]), classes.columns, classes.subject)
    frequencies = WeightedClasses(everybody, weighing, exact=True).of(column)
    counts = np.zeros(column.size, dtype=frequencies.count.dtype)
    counts[frequencies.code] = frequencies.count
    return ReferenceDistribution(None, None, counts)


def _counts_in_file(
    reference: Source, column: Column, subject: str | None, weighing: Weighing
) -> dict[str, Fraction | int]:
    """How often each value occurs in a file, by records, or by persons where it names them."""
    frame = reference.read([column.name] if subject is None else [column.name, subject])
    listed = encode(column.name, column.role, frame[column.name], kind="text")
    columns = {column.name: listed}
    if subject is not None:
        columns[subject] = encode(subject, Role.SUBJECT, frame[subject], kind="text")
    rows = np.arange(len(listed.codes))
    everybody = Classes(rows, np.array([0, len(rows)]), columns, subject)
    frequencies = WeightedClasses(everybody, "records" if subject is None else weighing, exact=True).of(listed)
    parts = zip(frequencies.code.tolist(), frequencies.count.tolist(), strict=True)
    return {listed.texts[code]: int(count) for code, count in parts}


def _with_values(column: Column, texts: list[str]) -> tuple[Column, Ints]:
    """The column with more values than it has, and the new code of each old one."""
    more = sorted(set(texts) - set(column.texts))
    kind = column.kind if column.kind in ("number", "date") else "text"
    every = pa.array([*column.texts, *more], pa.string())
    wide = encode(column.name, column.role, every, hierarchy=column.hierarchy, kind=kind)
    return wide, wide.codes[: column.size].astype(np.int64)


class ReferenceCriterion(DistributionCriterion, Declared):
    """Mix-in for a dataclass with the fields `column`, `counts`, `reference`, `unit`, `person_counts` and `subject`."""

    column: str | None
    counts: dict[str, int] | None
    reference: Source | None
    unit: str
    person_counts: dict[str, Fraction] | None
    subject: str | None
    against_reference: bool = True

    def __post_init__(self) -> None:
        """Accept what a policy, a program or a certificate gives."""
        super().__post_init__()
        for name, counts in (("counts", self.counts), ("person_counts", self.person_counts)):
            if counts is not None:
                object.__setattr__(self, name, {str(value): number for value, number in counts.items()})
        if self.reference is not None and not _is_elsewhere(self.reference):
            object.__setattr__(self, "reference", Source.of(self.reference))
        if self.counts is not None and self.reference is not None:
            raise ValueError("counts and reference say the same: give one of them")
        if self.column is None and (self.counts is not None or self.reference is not None):
            raise ValueError("column must be named where a reference is given")
        if self.person_counts is not None and self.counts is None:
            raise ValueError("person_counts stand beside counts: give both")
        if self.subject is not None and self.reference is None:
            raise ValueError("subject names the persons of the reference: give a reference")

    def comparisons(self, weighed: WeightedClasses) -> Iterator[ReferenceComparison]:
        for column in sensitive_columns(self.name, weighed.classes, self.column):
            yield self._expected(weighed.classes, column, weighed.weighing).compare(weighed, column)

    def _expected(self, classes: Classes, column: Column, weighing: Weighing) -> ReferenceDistribution:
        """Read or counted once for a column: a search asks about thousands of nodes of one table."""
        known: WeakKeyDictionary[Column, dict[tuple[str | None, Weighing], ReferenceDistribution]]
        known = self.__dict__.setdefault("_known", WeakKeyDictionary())
        of_column = known.setdefault(column, {})
        key = classes.subject, weighing
        if key not in of_column:
            of_column[key] = self._read(classes, column, weighing)
        return of_column[key]

    def _read(self, classes: Classes, column: Column, weighing: Weighing) -> ReferenceDistribution:
        """Where none is given, the reference is all rows of the table."""
        if self.reference is not None:
            listed = _counts_in_file(self.reference, column, self.subject, weighing)
            return _reference_from_counts(self.name, column, listed)
        if self.counts is None:
            return _reference_from_rows(classes, column, weighing)
        counts = self.person_counts if weighing != "records" and self.person_counts else self.counts
        return _reference_from_counts(self.name, column, counts)

    def check(self, data: Table) -> Finding:
        """Undecided where the reference is known by its hash alone."""
        return self._finding(None, None, data, None) if _is_elsewhere(self.reference) else super().check(data)

    def note(self, data: Table) -> str:
        if _is_elsewhere(self.reference):
            remark = ELSEWHERE
        elif self.counts is None and self.reference is None:
            remark = OWN_ROWS
        else:
            records_only = self.person_counts is None and self.subject is None and self.unit == "person"
            remark = RECORDS_ONLY if records_only and data.classes.subject is not None else ""
        return "; ".join(filter(None, [super().note(data), remark]))


def _is_elsewhere(reference: object) -> bool:
    """Is this what a certificate keeps of a source: its hash, or that there was one?"""
    return reference == "named source" or (isinstance(reference, Mapping) and "salted_sha256" in reference)
