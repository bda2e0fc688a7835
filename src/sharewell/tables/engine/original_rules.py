"""Negative rules mined from original records: who has certain values hardly ever has a certain sensitive value.

The antecedent of a rule is a value of one quasi column, or of up to three together. Columns of numbers or dates with
many values enter as ranges that hold about equally many records. A rule that follows from one with fewer columns is
left out. Every person has a profile: all sensitive values that rules exclude for this person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from sharewell.spelling import fold
from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.classes import Classes, combination_numbers, group
from sharewell.tables.engine.columns import Column

_RANGES = 16
"""Numbers and dates with more values than this are mined in this many ranges."""
_CHUNK = 50_000_000
"""Cells of a table of tuples and values that are held in memory at once."""


@dataclass(frozen=True)
class RuleThresholds:
    """When values that hardly meet make a rule."""

    expected: float = 10.0
    """How many persons would have both, were they independent."""
    confidence: float = 1.0
    """The share of the persons with the antecedent who lack the value."""
    support: float = 0.0
    """The share of all persons who have the antecedent."""

    def frequent(self, groups: Classes, everybody: BaseCounts) -> Indices:
        """Classes of equal antecedents that are large enough for any rule."""
        most = int(everybody.having.max(initial=0))
        enough = groups.persons * most >= self.expected * everybody.persons
        return np.flatnonzero(enough & (groups.persons >= self.support * everybody.persons))

    def exclude(self, groups: Classes, everybody: BaseCounts, sensitive: Column) -> Bools:
        """For each class of equal antecedents and sensitive value: does a rule say that they do not meet? O(n log n)"""
        owner, value, count = groups.counts(sensitive)
        having = everybody.having
        excluded = np.multiply.outer(groups.persons, having) >= self.expected * everybody.persons
        excluded &= (having > 0) & (groups.persons >= self.support * everybody.persons)[:, None]
        allowed = np.floor((1 - self.confidence) * groups.persons[owner] + 1e-9)
        excluded[owner[count > allowed], value[count > allowed]] = False
        return excluded


@dataclass(frozen=True, eq=False)
class BaseCounts:
    """How many persons there are, and how many of them have each sensitive value."""

    persons: int
    having: Ints
    """0 for a missing value: that something is not known is no fact about a person, and is never excluded."""

    @classmethod
    def of(cls, everybody: Classes, sensitive: Column) -> BaseCounts:
        """From all records in one class."""
        _, codes, persons = everybody.counts(sensitive)
        having = np.zeros(sensitive.size, dtype=np.int64)
        having[codes] = persons
        having[sensitive.known :] = 0
        return cls(max(1, int(everybody.persons[0])), having)


@dataclass(frozen=True, eq=False)
class AntecedentLabels:
    """How the values of a column become antecedents: ranges of numbers, or the values themselves."""

    name: str
    kind: str
    starts: Floats | None
    """The first number of each range; None where values stand for themselves."""
    places: Mapping[str, int] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, column: Column) -> AntecedentLabels:
        known = column.known
        if column.numbers is None or known <= _RANGES:
            return cls(column.name, column.kind, None, {fold(text): i for i, text in enumerate(column.texts[:known])})
        counts = np.bincount(column.codes, minlength=column.size)[:known]
        middle = np.cumsum(counts) - counts / 2
        label = (middle * _RANGES / max(1, counts.sum())).astype(np.int64).clip(0, _RANGES - 1)
        first = np.flatnonzero(np.append(True, np.diff(label) > 0))
        return cls(column.name, column.kind, column.numbers[first])

    @property
    def count(self) -> int:
        return len(self.places) if self.starts is None else len(self.starts)

    def read(self, column: Column) -> Ints:
        """The label of each code of a column; −1 where it has none."""
        labels = np.full(column.size, -1, dtype=np.int64)
        if self.starts is None:
            labels[: column.known] = [self.places.get(fold(text), -1) for text in column.texts[: column.known]]
        elif column.numbers is not None and column.kind == self.kind:
            numbers = column.numbers[: column.known]
            labels[: column.known] = np.maximum(0, np.searchsorted(self.starts, numbers, side="right") - 1)
        return labels


@dataclass(frozen=True, eq=False)
class _Family:
    """Rules about the same columns."""

    columns: tuple[int, ...]
    keys: Ints
    """Antecedents that exclude something, as numbers, rising."""
    excludes: Bools


@dataclass(frozen=True, eq=False)
class Profiles:
    """What rules exclude for each row's person: `excludes[of_row[row]]`. The first profile excludes nothing."""

    of_row: Ints
    excludes: Bools

    def join(self, codes: Ints, excludes: Bools) -> Profiles:
        """With what is excluded besides for whoever has a code, row by row. O(n log n)"""
        both = combination_numbers([self.of_row, codes], len(codes))
        _, first = np.unique(both, return_index=True)
        numbers = ProfileNumbers(excludes.shape[1])
        of_pair = numbers.of(self.excludes[self.of_row[first]] | excludes[codes[first]])
        return Profiles(of_pair[both], numbers.excludes)


class ProfileNumbers:
    """Numbers profiles as they come; 0 is the one that excludes nothing."""

    def __init__(self, values: int) -> None:
        self._profiles = [np.zeros(values, dtype=bool)]
        self._number = {self._profiles[0].tobytes(): 0}

    def of(self, excluded: Bools) -> Ints:
        distinct, where = np.unique(excluded, axis=0, return_inverse=True)
        numbers = []
        for one in distinct:
            number = self._number.setdefault(one.tobytes(), len(self._profiles))
            if number == len(self._profiles):
                self._profiles.append(one)
            numbers.append(number)
        return np.array(numbers, dtype=np.int64)[where.reshape(-1)]

    @property
    def excludes(self) -> Bools:
        return np.array(self._profiles)


@dataclass(frozen=True, eq=False)
class OriginalRules:
    """All negative rules of a table about one sensitive column."""

    labels: tuple[AntecedentLabels, ...]
    values: tuple[str, ...] = field(repr=False)
    families: tuple[_Family, ...]

    @classmethod
    def mine(
        cls, quasi: Sequence[Column], sensitive: Column, subject: Column | None, thresholds: RuleThresholds, size: int
    ) -> OriginalRules:
        """Rules with up to `size` columns in the antecedent. O(n log n) for each choice of columns"""
        labels = tuple(AntecedentLabels.of(column) for column in quasi)
        mined = cls(labels, sensitive.texts, ())
        rows = np.arange(len(sensitive.codes))
        columns = {sensitive.name: sensitive}
        if subject is not None:
            columns[subject.name] = subject
        whose = None if subject is None else subject.name
        everybody = BaseCounts.of(Classes(rows, np.array([0, len(rows)], dtype=np.intp), columns, whose), sensitive)
        of_row = [one.read(column)[column.codes] for one, column in zip(labels, quasi, strict=True)]
        for many in range(1, min(size, len(quasi)) + 1):
            results = []
            for which in combinations(range(len(quasi)), many):
                known = rows[np.logical_and.reduce([of_row[i] >= 0 for i in which])]
                order, starts = group([of_row[i][known] for i in which], len(known))
                groups = Classes(known[order], starts, columns, whose)
                groups = groups.select(thresholds.frequent(groups, everybody))
                if not groups.count:
                    continue
                excluded = thresholds.exclude(groups, everybody, sensitive)
                first = groups.order[groups.starts[:-1]]
                excluded &= ~mined._excluded([labels_of_row[first] for labels_of_row in of_row])
                telling = np.flatnonzero(excluded.any(axis=1))
                if len(telling):
                    keys = mined._keys(which, [labels_of_row[first[telling]] for labels_of_row in of_row])
                    rising = np.argsort(keys, kind="stable")
                    results.append(_Family(which, keys[rising], excluded[telling[rising]]))
            mined = replace(mined, families=(*mined.families, *results))
        return mined

    @property
    def count(self) -> int:
        """Pairs of an antecedent and a value that it excludes."""
        return sum(int(family.excludes.sum()) for family in self.families)

    def profiles(self, quasi: Mapping[str, Column], sensitive: Column, rows: int) -> Profiles:
        """The profile of each row of true values, over the codes of a sensitive column."""
        of_row = [one.read(quasi[one.name])[quasi[one.name].codes] for one in self.labels]
        used = sorted({i for family in self.families for i in family.columns})
        tuples = combination_numbers([of_row[i] + 1 for i in used], rows)
        _, first = np.unique(tuples, return_index=True)
        numbers = ProfileNumbers(sensitive.size)
        of_tuple = np.zeros(len(first), dtype=np.int64)
        for place, excluded in self._pieces(of_row, first, sensitive):
            of_tuple[place] = numbers.of(excluded)
        return Profiles(of_tuple[tuples], numbers.excludes)

    def _pieces(self, of_row: Sequence[Ints], first: Indices, sensitive: Column) -> Iterator[tuple[slice, Bools]]:
        """What is excluded for some of the tuples of labels at a time, over the codes of the sensitive column."""
        place = {fold(text): code for code, text in enumerate(self.values) if text}
        codes = np.array([place.get(fold(text), -1) if text else -1 for text in sensitive.texts], dtype=np.intp)
        step = max(1, _CHUNK // max(1, len(self.values)))
        for low in range(0, len(first), step):
            some = first[low : low + step]
            mined = self._excluded([labels[some] for labels in of_row])
            shown = np.zeros((len(some), sensitive.size), dtype=bool)
            shown[:, codes >= 0] = mined[:, codes[codes >= 0]]
            yield slice(low, low + len(some)), shown

    def _excluded(self, labels: Sequence[Ints]) -> Bools:
        """What rules exclude for tuples of labels, over their own values."""
        many = len(labels[0]) if labels else 0
        excluded = np.zeros((many, len(self.values)), dtype=bool)
        for family in self.families:
            keys = self._keys(family.columns, labels)
            at = np.searchsorted(family.keys, keys).clip(0, len(family.keys) - 1)
            known = (family.keys[at] == keys) & np.logical_and.reduce([labels[i] >= 0 for i in family.columns])
            excluded[known] |= family.excludes[at[known]]
        return excluded

    def _keys(self, columns: tuple[int, ...], labels: Sequence[Ints]) -> Ints:
        key = np.zeros(len(labels[0]), dtype=np.int64)
        for i in columns:
            key = key * (self.labels[i].count + 1) + labels[i] + 1
        return key
