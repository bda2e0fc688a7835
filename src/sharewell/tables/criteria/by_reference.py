"""Criteria that hold the sensitive values of a class against a reference: their distribution before any was withheld.

At protection the reference is read from the table itself. A recipient has only the published rows, so that whoever
withholds rows should give the reference: as `counts` (which the certificate then publishes), or as a file, `reference`
(which only the steward can open).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.findings import Finding
from sharewell.io.sources import Source
from sharewell.tables.classes import Classes
from sharewell.tables.columns import Column, encode
from sharewell.tables.criteria.by_ratio import Decided
from sharewell.tables.criteria.sensitive import judged, placed
from sharewell.tables.dataset import Table

Ints = NDArray[np.int64]
OWN_ROWS = "compared with the rows of this table, not with the distribution before any was withheld"
ELSEWHERE = "compared with a reference that is not here"


@dataclass(frozen=True, eq=False)
class Held:
    """The values of each class, beside the distribution that they are held against."""

    expected: Expected
    column: Column
    """The column with every value of the reference, whether it was published or not."""
    owner: Ints
    code: Ints
    count: Ints
    size: Ints
    """How many there are in all, in the class of each."""

    @property
    def rank(self) -> Ints:
        """Where each code lies in the column's own order."""
        if "rank" not in self.expected.__dict__:
            self.expected.__dict__["rank"] = placed(self.column).rank
        rank: Ints = self.expected.__dict__["rank"]
        return rank

    @property
    def reference(self) -> Ints:
        """How many of each code there are in the reference."""
        return self.expected.reference

    @property
    def total(self) -> int:
        return int(self.reference.sum())


@dataclass(frozen=True, eq=False)
class Expected:
    """A reference beside one column. It does not keep the column itself in memory."""

    wide: Column | None
    """The column with every value of the reference; None if it has them all."""
    place: Ints | None
    """The code that each of the column's own has there."""
    reference: Ints

    def held(self, classes: Classes, column: Column, by_person: bool) -> Held:
        """Classes against the reference."""
        owner, code, count = classes.counts(column, by_person)
        size = np.bincount(owner, weights=count, minlength=classes.count).astype(np.int64)[owner]
        if self.wide is None or self.place is None:
            return Held(self, column, owner, code, count, size)
        code = self.place[code]
        order = np.lexsort((code, owner))
        return Held(self, self.wide, owner[order], code[order], count[order], size[order])


def expected(
    name: str, classes: Classes, column: Column, by_person: bool, reference: Source | None, counts: Any
) -> Expected:
    """The reference for a column; where none is given, all rows of the table."""
    if reference is not None:
        listed = encode(column.name, column.role, reference.read([column.name])[column.name], kind="text")
        counts = dict(zip(listed.texts, np.bincount(listed.codes, minlength=listed.size).tolist(), strict=True))
    if counts is None:
        return Expected(None, None, _own(classes, column, by_person))
    occurs = np.bincount(column.codes, minlength=column.size) > 0
    lacking = sum(seen and not counts.get(text) for text, seen in zip(column.texts, occurs.tolist(), strict=True))
    if lacking:
        raise DataError(f"{name} — the reference lacks {lacking} value(s) of column {column.name} — give all rows")
    wide, place = _with_values(column, [text for text, number in counts.items() if number])
    return Expected(wide, place, np.array([counts.get(text, 0) for text in wide.texts], dtype=np.int64))


def _own(classes: Classes, column: Column, by_person: bool) -> Ints:
    """How many of each code there are among all rows of the table."""
    if not by_person or classes.subject is None:
        return np.bincount(column.codes, minlength=column.size).astype(np.int64)
    rows = np.arange(len(column.codes))
    whole = Classes(rows, np.array([0, len(rows)]), classes.columns, classes.subject)
    _, codes, number = whole.counts(column, by_person)
    found = np.zeros(column.size, dtype=np.int64)
    found[codes] = number
    return found


def _with_values(column: Column, texts: list[str]) -> tuple[Column, Ints]:
    """The column with more values than it has, and the new code of each old one."""
    more = sorted(set(texts) - set(column.texts))
    kind = column.kind if column.kind in ("number", "date") else "text"
    every = pa.array([*column.texts, *more], pa.string())
    wide = encode(column.name, column.role, every, hierarchy=column.hierarchy, kind=kind)
    return wide, wide.codes[: column.size].astype(np.int64)


class ByReference(Decided):
    """Mix-in for a dataclass with the fields `column`, `counts`, `reference` and `unit`."""

    column: str | None
    counts: dict[str, int] | None
    reference: Source | None
    unit: str

    def settle_reference(self) -> None:
        """Accept what a policy, a program or a certificate gives; to be called once, by `__post_init__`."""
        object.__setattr__(self, "counts", _checked(self.counts))
        if self.reference is not None and not _is_elsewhere(self.reference):
            object.__setattr__(self, "reference", Source.of(self.reference))
        if self.counts is not None and self.reference is not None:
            raise ValueError("counts and reference say the same: give one of them")
        if self.column is None and (self.counts is not None or self.reference is not None):
            raise ValueError("column must be named where a reference is given")

    def held(self, classes: Classes) -> Iterator[Held]:
        by_person = self.unit == "person"
        for column in judged(self.name, classes, self.column):
            yield self._expected(classes, column, by_person).held(classes, column, by_person)

    def _expected(self, classes: Classes, column: Column, by_person: bool) -> Expected:
        """Read or counted once for a column: a search asks about thousands of nodes of one table."""
        known: WeakKeyDictionary[Column, dict[str | None, Expected]]
        known = self.__dict__.setdefault("_known", WeakKeyDictionary())
        by_subject = known.setdefault(column, {})
        if classes.subject not in by_subject:
            read = expected(self.name, classes, column, by_person, self.reference, self.counts)
            by_subject[classes.subject] = read
        return by_subject[classes.subject]

    def check(self, data: Table) -> Finding:
        """Undecided where the reference is known by its hash alone."""
        return self._told(None, None, data, None) if _is_elsewhere(self.reference) else super().check(data)

    def note(self, data: Table) -> str:
        own = OWN_ROWS if self.counts is None and self.reference is None else ""
        return "; ".join(filter(None, [super().note(data), ELSEWHERE if _is_elsewhere(self.reference) else own]))


def _is_elsewhere(reference: Any) -> bool:
    """Is this what a certificate keeps of a source: its hash, or that there was one?"""
    return reference == "named source" or (isinstance(reference, Mapping) and "salted_sha256" in reference)


def _checked(counts: Any) -> dict[str, int] | None:
    """value → how many."""
    if counts is None:
        return None
    if not isinstance(counts, Mapping) or not all(isinstance(n, int) and n >= 0 for n in counts.values()):
        raise ValueError("counts must map every value to a whole number")
    return {str(value): n for value, n in counts.items()}
