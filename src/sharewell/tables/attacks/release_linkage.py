"""Release linkage: links persons of this file to another file by their pseudonyms and date shifts.

## Guarantee
None; a measurement. The value is the share of the persons of this file (of its records, where no pseudonyms are
published) who appear in an earlier file under the same pseudonym, or with dates that moved by the same number of days.

## Adversary
Has this file and other published files of the same people (of the same release, or of earlier ones), and joins them by
equal pseudonyms and by shifted dates. For the dates, the attacker tries every difference between the shifts of two
releases that is the same for everybody.

## What it does not protect
A shift keeps intervals: somebody whose intervals and unchanged columns are unique can be linked by them, whatever the
shifts. The details count such records, and those that unchanged columns alone link; the value covers only what
pseudonyms and shifts give away.

## Parameters
earlier: the other published files.
reach: the largest difference between the shifts of two releases to try, in days either way.

## Worked example
A file beside itself has the same pseudonyms. A file with other pseudonyms, but with the same shifts, is linked by
dates.

>>> import pyarrow as pa
>>> columns = {"who": {"role": "subject"}, "came": {"role": "shift"}}
>>> days = [f"2020-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(60)]
>>> first = PublishedFile(pa.table({"who": [f"x{i}" for i in range(60)], "came": days}), columns)
>>> second = PublishedFile(pa.table({"who": [f"y{i}" for i in range(60)], "came": days}), columns)
>>> ReleaseLinkage([first]).mount(first).value
1.0
>>> result = ReleaseLinkage([first]).mount(second)
>>> result.value > 0.9, result.details.pseudonyms, result.details.by_shift, result.details.difference
(True, 0, 56, 0)

## Why it is safe
Some rows agree by chance. A difference of shifts counts only if it links far more rows than the other differences do
(six standard deviations above their median), and the number that the others link is subtracted. The finding holds
counts and quotes no value.

## Cost
O(d · n log n) for n rows and d differences. If this file has more than 20,000 rows, the attack draws 20,000 of them,
and the note says so.

## Source
Sweeney, 2002 (temporal attacks on releases); Hripcsak, Mirhaji, Low and Malin, 2016 (what a shift keeps).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Finding, Role
from sharewell.tables.engine.array_types import Floats, Ints
from sharewell.tables.engine.attackers.release_matching import (
    AcrossDatasets,
    PublishedFile,
    aligned,
    codes_in_both,
    once_in_both,
    stable_columns,
)
from sharewell.tables.engine.classes import distinct_rows

MOST = 20_000
"""Rows of this file whose dates are compared."""
_SEED = 7
_CALENDAR = 4_000_000
"""More days than the calendar has."""


@dataclass(frozen=True)
class ReleaseLinkageDetails:
    """How persons or records of this file are tied to an earlier one."""

    persons: int
    """Of this file; records where no pseudonyms are published."""
    pseudonyms: int
    """Pseudonyms of this file that the earlier one has too."""
    by_shift: int
    """Records tied by dates that moved by the same days, without those that chance ties."""
    difference: int | None
    """Between the shifts of both releases, in days, where it is the same for everybody."""
    by_intervals: int
    """Records that are alone in both files with their intervals and unchanged columns, whatever the shifts."""
    by_columns: int
    """Records that pseudonyms or unchanged columns tie."""


@dataclass(frozen=True)
class ReleaseLinkage:
    """Equal pseudonyms and equal shifts in two releases."""

    earlier: Sequence[PublishedFile]
    reach: int = 60

    name: ClassVar[str] = "release-linkage"

    def mount(self, released: PublishedFile, truth: object = None) -> Finding:
        findings = [self._against(released, one) for one in self.earlier]
        if not findings:
            return Finding(self.name, None, note="no earlier file")
        return max(findings, key=lambda one: float(one.value or 0))

    def _against(self, this: PublishedFile, earlier: PublishedFile) -> Finding:
        rows = this.table.num_rows
        if not rows:
            return Finding(self.name, None, note="no published record")
        persons, shared = rows, 0
        if this.pseudonym is not None:
            pseudonyms = set(this.texts(this.pseudonym)) - {""}
            persons = len(pseudonyms) or rows
            earlier_pseudonyms = set(earlier.texts(earlier.pseudonym)) if earlier.pseudonym is not None else set()
            shared = len(pseudonyms & earlier_pseudonyms)
        tied, difference, intervals, part = self._dates(this, earlier)
        details = ReleaseLinkageDetails(persons, shared, tied, difference, intervals, len(aligned(this, earlier)[0]))
        words = [f"against {earlier.label}" if earlier.label else "", part]
        share = max(shared / persons, min(1.0, tied / rows))
        note = "; ".join(word for word in words if word)
        return Finding(self.name, share, unit="share", details=details, note=note)

    def _dates(self, this: PublishedFile, earlier: PublishedFile) -> tuple[int, int | None, int, str]:
        """(rows tied by shifts, the difference of shifts, rows tied by intervals, a note)."""
        earlier_shifted = earlier.having(Role.SHIFT)
        names = [name for name in this.having(Role.SHIFT) if name in earlier_shifted]
        if not names:
            return 0, None, 0, ""
        days = [np.stack([file.numbers(name) for name in names]) for file in (this, earlier)]
        groups = _patterns(codes_in_both(this, earlier, stable_columns(this, earlier)), days)
        starts = [_first(one) for one in days]
        intervals = len(once_in_both(*groups)[0]) if len(names) > 1 else 0
        keys, earlier_keys = (groups[i] * _CALENDAR + starts[i] for i in (0, 1))
        keys, earlier_keys = keys[starts[0] > 0], np.unique(earlier_keys[starts[1] > 0])
        drawn, part = np.random.default_rng(_SEED), ""
        if len(keys) > MOST:
            part = f"dates of {MOST} of {len(keys)} records compared"
            keys = drawn.choice(keys, MOST, replace=False)
        return *self._scanned(keys, earlier_keys, len(starts[0]) / max(1, len(keys))), intervals, part

    def _scanned(self, keys: Ints, earlier_keys: Ints, scale: float) -> tuple[int, int | None]:
        """The difference that ties by far the most rows, and how many beyond chance; none if no one stands out."""
        steps = np.arange(-self.reach, self.reach + 1)
        ties = np.array([np.isin(keys + step, earlier_keys).sum() for step in steps])
        best = int(ties.argmax())
        usual = float(np.median(np.delete(ties, best)))
        if ties[best] < 5 or ties[best] <= usual + 6 * math.sqrt(usual + 1):
            return 0, None
        return round((int(ties[best]) - usual) * scale), int(steps[best])


def _patterns(codes: tuple[Ints, Ints], days: Sequence[Floats]) -> tuple[Ints, Ints]:
    """A number for unchanged columns and intervals together, the same in both files."""
    offsets = np.concatenate([np.nan_to_num(one - np.nanmin(_full(one), axis=0), nan=-1.0) for one in days], axis=1)
    numbers = distinct_rows(np.concatenate(codes), *offsets)
    return numbers[: len(codes[0])], numbers[len(codes[0]) :]


def _first(days: Floats) -> Ints:
    """The first day of each row, 0 where it has none."""
    return np.where(np.isnan(days).all(axis=0), 0, np.nanmin(_full(days), axis=0)).astype(np.int64)


def _full(days: Floats) -> Floats:
    """Rows without any date as 0, so that a minimum exists."""
    return np.where(np.isnan(days).all(axis=0), 0.0, days)


@dataclass(frozen=True)
class LinkageAcrossDatasets(AcrossDatasets):
    """Pseudonyms and shifts of datasets of one release, and of earlier ones that it names."""

    name: ClassVar[str] = ReleaseLinkage.name

    def shares(self, this: PublishedFile, other: PublishedFile) -> bool:
        """Do both files publish pseudonyms, or shift the same column?"""
        shifted = set(this.having(Role.SHIFT)) & set(other.having(Role.SHIFT))
        return bool(shifted) or (this.pseudonym is not None and other.pseudonym is not None)

    def against(self, this: PublishedFile, others: list[PublishedFile]) -> Finding:
        return ReleaseLinkage(others).mount(this)
