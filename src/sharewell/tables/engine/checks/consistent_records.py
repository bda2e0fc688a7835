"""Which original records a published record may stand for: those whose values its cells cover."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding, Sense
from sharewell.io.sources import Evidence, Source
from sharewell.parameters import Count, Declared
from sharewell.roles import Role
from sharewell.tables.data import Indices, Ints, Table, encode
from sharewell.tables.engine.cell_matching import fitting, people_like
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.classes import Classes, known_codes


@dataclass(frozen=True)
class ConsistencyProfile:
    """Counts of records; `failing` are published classes, or original records, below k."""

    originals: int
    published: int
    failing: int
    withheld: int = 0
    """Originals that no published record covers, and that need not be: so many were withheld."""


@dataclass(frozen=True, eq=False)
class ConsistencyCounts:
    """For each published class the originals it covers, for each original the published records that cover it."""

    classes: Classes
    of_class: Ints
    of_original: Ints


@dataclass(frozen=True)
class OriginalsCriterion(ClassCriterion, Declared):
    """Fields and counting that criteria about the original records share."""

    originals: Evidence
    k: Count
    subject: str | None = field(default=None, kw_only=True)
    unit: Literal["person", "record"] = field(default="person", kw_only=True)

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"
    growing: ClassVar[bool] = True
    reads_trees: ClassVar[Role] = Role.QUASI

    @property
    def least_records(self) -> int:
        return self.k

    def worst(self, classes: Classes) -> NDArray[np.number]:
        """What mechanisms may ask for: k persons in a class are enough, for its cells cover its own originals.

        More than necessary: a release can hold without it. `check` counts the originals themselves.
        """
        known = any(column.role is Role.SUBJECT for column in classes.columns.values())
        if self.unit == "person" and self.subject is not None and not known:
            raise PolicyError(f"{self.name} — persons are to be counted — give a column of the table the role subject")
        return classes.persons if self.unit == "person" else classes.sizes

    def consistent(self, data: Table) -> ConsistencyCounts:
        """O(originals · classes) if every class covers everything, O(originals log originals) if none overlap."""
        source: Source = self.originals
        known = source.names()
        lacking = [name for name in data.schema.quasi if name not in known]
        if lacking:
            raise DataError(
                f"{source.label} — lacks the quasi column(s) {', '.join(lacking)} — map names with `columns:`"
            )
        subject = self._subject(data, known)
        wanted = list(dict.fromkeys([*data.schema.quasi, *([subject] if subject else [])]))
        frame = source.read(wanted or known[:1])
        persons = None  # a record without a person, −1, may be anybody's, and adds none
        if subject is not None:
            persons = known_codes(encode("subject", Role.SUBJECT, frame[subject], kind="text"))
        classes = data.classes
        of_class = np.zeros(classes.count, dtype=np.int64)
        records = np.zeros(frame.num_rows, dtype=np.int64)
        largest = np.zeros(frame.num_rows, dtype=np.int64)
        for which, fit in self._fitting(data, frame):
            of_class[which] = len(fit) if persons is None else len(np.setdiff1d(persons[fit], [-1]))
            records[fit] += int(classes.sizes[which].sum())
            largest[fit] = np.maximum(largest[fit], int(classes.persons[which].max()))
        if persons is not None and len(persons):
            # One person may own records in several classes, under several pseudonyms: this many persons at least.
            most = int(np.bincount(persons + 1).max())
            records = np.maximum(largest, -(-records // most))
        return ConsistencyCounts(classes, of_class, records)

    def _fitting(self, data: Table, frame: pa.Table) -> Iterable[tuple[Indices, Indices]]:
        classes = data.classes
        if not data.quasi:
            return [(np.arange(classes.count), np.arange(frame.num_rows))] if classes.count else []
        people = [people_like(column, frame[column.name]) for column in data.quasi]
        first = classes.order[classes.starts[:-1]]
        return fitting(data.quasi, people, np.stack([column.codes[first] for column in data.quasi]))

    def _subject(self, data: Table, known: list[str]) -> str | None:
        """The column of the originals that identifies persons; needed where the release knows persons."""
        if self.unit == "record":
            return None
        if self.subject is not None or data.schema.subject is None:
            return self.subject
        if data.schema.subject in known:
            return data.schema.subject
        raise DataError(
            f"{self.originals.label} — which column identifies persons is not known"
            " — name it with `subject:`, or say `unit: record`"
        )

    def counted_in(self, data: Table) -> str:
        return "persons" if self.unit == "person" and (self.subject or data.schema.subject) else "records"

    def judge_published(self, data: Table, counts: ConsistencyCounts) -> Finding:
        """(k,1): the fewest originals that a published record covers."""
        value = int(counts.of_class.min()) if len(counts.of_class) else None
        failing = int((counts.of_class < self.k).sum())
        details = ConsistencyProfile(len(counts.of_original), int(counts.classes.sizes.sum()), failing)
        return self.finding(value, unit=self.counted_in(data), details=details)

    def judge_originals(self, data: Table, counts: ConsistencyCounts) -> Finding:
        """(1,k): the fewest published records that cover an original. Withheld ones are covered by none."""
        published = int(counts.classes.sizes.sum())
        bare = int((counts.of_original == 0).sum())
        withheld = bare if bare <= len(counts.of_original) - published else 0
        judged = counts.of_original[counts.of_original > 0] if withheld else counts.of_original
        value = int(judged.min()) if len(judged) and published else None
        failing = int((judged < self.k).sum())
        details = ConsistencyProfile(len(counts.of_original), published, failing, withheld)
        note = f"{withheld} original record(s) were withheld" if withheld else ""
        return self.finding(value, unit=self.counted_in(data), details=details, note=note)
