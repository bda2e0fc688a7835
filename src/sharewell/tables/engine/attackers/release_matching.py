"""Two published files of the same people: link their rows as a recipient of both could.

Only the files and their dictionaries are used, which recipients have. Rows are linked by an equal pseudonym, or by
columns that both files publish as they are, where a combination of their values occurs once in each file.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from typing import ClassVar

import numpy as np
import pyarrow as pa

from sharewell.algorithm import Declared, Finding, Role
from sharewell.date_shift import days_of
from sharewell.protocols import JointAttack, PublishedDataset
from sharewell.tables.engine.array_types import Floats, Ints
from sharewell.tables.engine.classes import distinct_rows
from sharewell.wing import ColumnFacts

MOST_ROWS = 500_000
"""Larger files are not laid side by side."""
NO_ROWS = "no row of one file can be linked to a row of the other"


@dataclass(frozen=True, eq=False)
class PublishedFile:
    """One dataset of a release as a recipient has it."""

    table: pa.Table = field(repr=False)
    """The file, as an Arrow table."""
    columns: Mapping[str, ColumnFacts] = field(repr=False)
    """What the dictionary of the release says of each column."""
    label: str = ""
    """How a finding names it, such as `diabetes-2025/patients`."""

    def having(self, role: Role) -> list[str]:
        return [name for name, facts in self.columns.items() if facts.get("role") == role]

    @property
    def perturbed(self) -> list[str]:
        """Columns whose values are falsified on purpose."""
        return [name for name, facts in self.columns.items() if "falsified" in facts]

    @cached_property
    def pseudonym(self) -> str | None:
        return next(iter(self.having(Role.SUBJECT)), None)

    def numbers(self, name: str) -> Floats:
        """A column as numbers, dates as days; what is neither is not a number."""
        column = self.table[name]
        if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
            days = days_of(name, column)
            return np.where(days > 0, days, np.nan)
        texts = column.cast(pa.string()).to_pylist()
        if any(text and text.count("-") == 2 and text[4:5] == "-" for text in texts):
            return np.array([_day(text) for text in texts])
        return np.array([_number(text) for text in texts])

    def texts(self, name: str) -> list[str]:
        column = self.table[name]
        nested = pa.types.is_nested(column.type) or pa.types.is_binary(column.type)
        texts = [repr(value) for value in column.to_pylist()] if nested else column.cast(pa.string()).to_pylist()
        return ["" if text is None else str(text) for text in texts]


def stable_columns(this: PublishedFile, earlier: PublishedFile) -> list[str]:
    """Columns that both publish, and that neither falsifies, shifts or replaces."""

    def stay(file: PublishedFile) -> list[str]:
        moving = {*file.perturbed, *file.having(Role.SUBJECT), *file.having(Role.SHIFT), *file.having(Role.TEXT)}
        return [name for name in file.columns if name not in moving]

    kept = set(stay(earlier))
    return [name for name in stay(this) if name in kept]


def codes_in_both(this: PublishedFile, earlier: PublishedFile, names: Sequence[str]) -> tuple[Ints, Ints]:
    """A number for each combination of values, the same in both files."""
    rows = this.table.num_rows
    texts = [np.array([*this.texts(name), *earlier.texts(name)], dtype=str) for name in names]
    codes = distinct_rows(np.zeros(rows + earlier.table.num_rows, np.int64), *texts)
    return codes[:rows], codes[rows:]


def aligned(this: PublishedFile, earlier: PublishedFile) -> tuple[Ints, Ints]:
    """Rows of this file, and the row of the earlier one that each of them is tied to."""
    stable = stable_columns(this, earlier)
    ways = [stable] if stable else []
    if this.pseudonym is not None and this.pseudonym == earlier.pseudonym:
        ways = [[this.pseudonym, *stable], [this.pseudonym], *ways]
    nothing = np.zeros(0, np.int64), np.zeros(0, np.int64)
    pairs = (once_in_both(*codes_in_both(this, earlier, names)) for names in ways)
    return max(pairs, key=lambda pair: len(pair[0]), default=nothing)


def once_in_both(codes: Ints, earlier_codes: Ints) -> tuple[Ints, Ints]:
    """Where a number that occurs once in each stands."""
    first, second = _once(codes), _once(earlier_codes)
    _, at, earlier_at = np.intersect1d(codes[first], earlier_codes[second], assume_unique=True, return_indices=True)
    return first[at], second[earlier_at]


@dataclass(frozen=True)
class AcrossDatasets(Declared, JointAttack):
    """An attack on the tables of one release, each together with all others that share something with it."""

    needs_kind: ClassVar[str] = "tables"
    kinds: ClassVar[tuple[str, ...]] = ("tables",)

    def shares(self, this: PublishedFile, other: PublishedFile) -> bool:
        """Has this file something in common with the other that the attack uses?"""
        raise NotImplementedError

    def against(self, this: PublishedFile, others: list[PublishedFile]) -> Finding:
        """The attack on one file by somebody who has the others."""
        raise NotImplementedError

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Tables of this release that share something with another one, and those others; by dictionaries."""
        tables = [one for one in datasets if one.kind == "tables"]
        files = {id(one): described(one) for one in tables}
        pairs = [
            (a, b) for a, b in permutations(tables, 2) if not a.release and self.shares(files[id(a)], files[id(b)])
        ]
        kept = {id(one) for pair in pairs for one in pair}
        return [one for one in tables if id(one) in kept]

    def mount(self, datasets: Sequence[PublishedDataset]) -> Finding:
        """The worst finding, with the name of its dataset."""
        if any(one.data is not None and one.data.rows > MOST_ROWS for one in datasets):
            note = f"undecided: not carried out on files of more than {MOST_ROWS:,} records"
            return Finding(self.name, None, note=note)
        files = {id(one): read(one) for one in datasets}
        findings = []
        for one in datasets:
            this, rest = files[id(one)], [files[id(other)] for other in datasets if other is not one]
            others = [other for other in rest if self.shares(this, other)]
            if others and not one.release:
                finding = self.against(this, others)
                findings.append(replace(finding, column=finding.column or one.name))
        worst = max(findings, key=lambda finding: -1.0 if finding.value is None else float(finding.value))
        undecided = [str(finding.column) for finding in findings if finding.value is None]
        if undecided and not worst.value:  # 0 for one dataset says nothing of another
            return Finding(self.name, None, unit=worst.unit, note=f"undecided for {', '.join(undecided)}")
        return worst


def described(dataset: PublishedDataset) -> PublishedFile:
    """What the dictionary says; the file is not opened."""
    return PublishedFile(pa.table({}), _by_source(dataset), dataset.title)


def read(dataset: PublishedDataset) -> PublishedFile:
    table, names = replace(dataset.file, newlines=True).read(), dataset.source_names()
    renamed = table.rename_columns([names.get(name, name) for name in table.column_names])
    return PublishedFile(renamed, _by_source(dataset), dataset.title)


def _by_source(dataset: PublishedDataset) -> dict[str, ColumnFacts]:
    """Its dictionary by the names that columns have in the file: so the same column is found in two datasets."""
    names = dataset.source_names()
    return {names[name]: facts for name, facts in dataset.columns.items()}


def _once(codes: Ints) -> Ints:
    _, place, count = np.unique(codes, return_index=True, return_counts=True)
    return np.asarray(place[count == 1], dtype=np.int64)


def _day(text: str | None) -> float:
    try:
        return float(datetime.date.fromisoformat((text or "")[:10]).toordinal())
    except ValueError:
        return float("nan")


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return float("nan")
