"""Two published files of the same people: which rows belong together, as a reader of both would find out.

Only what recipients have is looked at: the files and their dictionaries. Rows are tied by an equal pseudonym, or by
columns that both files publish as they are, where such a combination of values occurs once in each.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.findings import Finding
from sharewell.roles import Role
from sharewell.shifting import days_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
NO_ROWS = "no row of one file can be tied to a row of the other"


@dataclass(frozen=True, eq=False)
class PublishedFile:
    """One dataset of a release as a recipient has it."""

    table: Any = field(repr=False)
    """The file, as an Arrow table."""
    columns: Mapping[str, Mapping[str, Any]] = field(repr=False)
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
            return _days(days_of(name, column))
        texts = column.cast(pa.string()).to_pylist()
        if any(text and text.count("-") == 2 and text[4:5] == "-" for text in texts):
            return np.array([_day(text) for text in texts])
        return np.array([_number(text) for text in texts])

    def texts(self, name: str) -> list[str]:
        column = self.table[name]
        nested = pa.types.is_nested(column.type) or pa.types.is_binary(column.type)
        told = [repr(value) for value in column.to_pylist()] if nested else column.cast(pa.string()).to_pylist()
        return ["" if text is None else str(text) for text in told]


def stable_columns(this: PublishedFile, earlier: PublishedFile) -> list[str]:
    """Columns that both publish, and that neither falsifies, shifts or replaces."""
    moving = (Role.SUBJECT, Role.SHIFT, Role.TEXT)
    found = []
    for name, facts in this.columns.items():
        theirs = earlier.columns.get(name)
        if theirs is not None and not any("falsified" in one or one.get("role") in moving for one in (facts, theirs)):
            found.append(name)
    return found


def codes_in_both(this: PublishedFile, earlier: PublishedFile, names: Sequence[str]) -> tuple[Ints, Ints]:
    """A number for each combination of values, the same in both files."""
    ours, theirs = this.table.num_rows, earlier.table.num_rows
    found = np.zeros(ours + theirs, np.int64)
    for name in names:
        values = np.array([*this.texts(name), *earlier.texts(name)], dtype=object)
        one = np.unique(values.astype(str), return_inverse=True)[1].astype(np.int64)
        found = np.unique(found * (int(one.max(initial=0)) + 1) + one, return_inverse=True)[1].astype(np.int64)
    return found[:ours], found[ours:]


def aligned(this: PublishedFile, earlier: PublishedFile) -> tuple[Ints, Ints]:
    """Rows of this file, and the row of the earlier one that each of them is tied to."""
    stable = stable_columns(this, earlier)
    ways = [stable] if stable else []
    if this.pseudonym is not None and this.pseudonym == earlier.pseudonym:
        ways = [[this.pseudonym, *stable], [this.pseudonym], *ways]
    best = (np.zeros(0, np.int64), np.zeros(0, np.int64))
    for names in ways:
        found = once_in_both(*codes_in_both(this, earlier, names))
        best = found if len(found[0]) > len(best[0]) else best
    return best


def once_in_both(ours: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """Where a number that occurs once in each stands."""
    first, second = _once(ours), _once(theirs)
    both = np.intersect1d(ours[first], theirs[second])
    here, there = first[np.isin(ours[first], both)], second[np.isin(theirs[second], both)]
    return here[np.argsort(ours[here])], there[np.argsort(theirs[there])]


def mount_all(this: Mapping[str, PublishedFile], earlier: Mapping[str, PublishedFile]) -> list[Finding]:
    """Both attacks on every dataset of this release, each against all datasets of an earlier one; column: the dataset.

    Files that share no perturbed column, no shifted column and no pseudonyms have nothing to be attacked by.
    """
    from sharewell.tables.attacks.noise_differencing import NoiseDifferencing
    from sharewell.tables.attacks.release_linkage import ReleaseLinkage

    found = []
    for name, file in this.items():
        perturbed = [one for one in earlier.values() if set(file.perturbed) & set(one.columns)]
        drawn = [one for one in earlier.values() if _draws_alike(file, one)]
        found += [NoiseDifferencing(perturbed).mount(file)] if perturbed else []
        found += [ReleaseLinkage(drawn).mount(file)] if drawn else []
        found = [replace(one, column=one.column or name) for one in found]
    return found


def _draws_alike(this: PublishedFile, earlier: PublishedFile) -> bool:
    moved = set(this.having(Role.SHIFT)) & set(earlier.having(Role.SHIFT))
    return bool(moved) or (this.pseudonym is not None and earlier.pseudonym is not None)


def _once(codes: Ints) -> Ints:
    _, place, count = np.unique(codes, return_index=True, return_counts=True)
    return np.asarray(place[count == 1], dtype=np.int64)


def _days(days: Ints) -> Floats:
    return np.where(days > 0, days, np.nan)


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
