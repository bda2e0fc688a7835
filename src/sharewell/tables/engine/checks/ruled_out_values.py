"""What is left of the values of a class to whoever knows the negative rules of the original.

Where a table holds original values, as it does for a mechanism, a class has the profiles of its own members. Where it
holds published cells, a class may hold any original record that its cells cover, and so has the profiles of all these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
from annotated_types import Gt, Interval

from sharewell.errors import DataError
from sharewell.findings import Sense
from sharewell.io.sources import Evidence
from sharewell.parameters import Count, Declared, Share
from sharewell.roles import Role
from sharewell.tables.data import Classes, Column, Ints, Table, encode
from sharewell.tables.engine.attackers.negative_rules import Rule, family_of_rules, unknown_columns
from sharewell.tables.engine.cell_matching import fitting, people_like
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios
from sharewell.tables.engine.checks.sensitive_columns import sensitive_columns, shares, ways_to_count
from sharewell.tables.engine.original_rules import OriginalRules, Profiles, RuleThresholds

_CHUNK = 10_000_000
"""Pairs of a profile and a value that are held in memory at once."""
_Known = WeakKeyDictionary[Column, tuple[tuple[Column, ...], Profiles]]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Classes and the profiles that somebody in them may have; each class also with the first one, without rules."""

    owner: Ints
    profile: Ints
    profiles: Profiles

    @classmethod
    def of(cls, owner: Ints, profile: Ints, classes: int, profiles: Profiles) -> _Pairs:
        many = len(profiles.excludes)
        keys = np.unique(np.concatenate([owner * many + profile, np.arange(classes) * many]))
        return cls(keys // many, keys % many, profiles)


@dataclass(frozen=True)
class RulesCriterion(RatioCriterion, Declared):
    """Fields of a criterion about what rules leave, and how it is judged."""

    originals: Evidence
    l: Count  # noqa: E741 - the name the literature gives it
    column: str | None = None
    size: Annotated[int, Interval(ge=1, le=3)] = 2
    expected: Annotated[float, Gt(0)] = 10.0
    confidence: Annotated[float, Interval(gt=0.5, le=1)] = 1.0
    support: Share = 0.0
    subject: str | None = None
    unit: Literal["person", "record"] = "person"
    rules: tuple[Any, ...] = ()

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "l"
    reads_trees: ClassVar[Role] = Role.QUASI
    disjoint_union_safe: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._rules  # noqa: B018 - a mistake in them is told now

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return tuple(Rule.of(rule) for rule in self.rules)

    @property
    def least_records(self) -> int:
        return self.l

    def parameters_from(self, original: Table) -> dict[str, str]:
        """For a release: the column that names the persons of the originals, which published files may not tell."""
        own = original.schema.subject
        if self.subject is not None or self.unit == "record" or own is None or own not in self.originals.names():
            return {}
        return {"subject": own}

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        quasi = tuple(column for column in classes.columns.values() if column.role is Role.QUASI)
        unknown_columns(self._rules, [column.name for column in quasi])
        for column in sensitive_columns(self.name, classes, self.column):
            pairs = self._pairs(classes, quasi, column)
            for by_person in ways_to_count(classes, self.unit):
                yield from _left(classes, column, pairs, by_person)

    def _pairs(self, classes: Classes, quasi: tuple[Column, ...], sensitive: Column) -> _Pairs:
        if any(column.kind == "cells" for column in quasi):
            return self._covered(classes, quasi, sensitive)
        known: _Known = self.__dict__.setdefault("_known", WeakKeyDictionary())
        columns, profiles = known.get(sensitive, ((), None))
        if profiles is None or columns != quasi:  # columns are equal if they are the same
            _, rules, _ = _read(self, quasi, sensitive, classes.subject)
            profiles = self._profiles(rules, quasi, sensitive, len(sensitive.codes))
            known[sensitive] = quasi, profiles
        return _Pairs.of(classes.class_of, profiles.of_row[classes.order], classes.count, profiles)

    def _profiles(self, rules: OriginalRules, quasi: tuple[Column, ...], sensitive: Column, rows: int) -> Profiles:
        """By rules that were mined, and by those that are given."""
        profiles = rules.profiles({column.name: column for column in quasi}, sensitive, rows)
        for column in quasi:
            family = family_of_rules(self._rules, column, sensitive)
            if family is not None:
                profiles = profiles.join(column.codes.astype(np.int64), family.for_people(column))
        return profiles

    def _covered(self, classes: Classes, quasi: tuple[Column, ...], sensitive: Column) -> _Pairs:
        """All original records that the cells of each class cover."""
        people, rules, count = _read(self, quasi, sensitive, classes.subject)
        profiles = self._profiles(rules, people, sensitive, count)
        first = classes.order[classes.starts[:-1]]
        covered = np.zeros(classes.count, dtype=np.int64)
        owner, profile = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        cells = np.stack([column.codes[first] for column in quasi])
        for which, rows in fitting(quasi, people, cells):
            distinct = np.unique(profiles.of_row[rows])
            covered[which] = len(rows)
            owner.append(np.repeat(which, len(distinct)))
            profile.append(np.tile(distinct, len(which)))
        lacking = int((covered < classes.sizes).sum())
        if lacking:
            raise DataError(
                f"{self.name} — {self.originals.label} — has fewer records than {lacking} of {classes.count} published"
                " class(es) that they should be in — give the original records of this release"
            )
        return _Pairs.of(np.concatenate(owner), np.concatenate(profile), classes.count, profiles)


def _read(
    criterion: RulesCriterion, quasi: tuple[Column, ...], sensitive: Column, own: str | None
) -> tuple[tuple[Column, ...], OriginalRules, int]:
    """The original records by the columns of a release, the rules that hold in them, and how many there are.

    `own` is how the release calls its persons, where somebody has several records.
    """
    source, names = criterion.originals, criterion.originals.names()
    subject = None if criterion.unit == "record" else criterion.subject or (own if own in names else None)
    if own is not None and subject is None and criterion.unit == "person":
        raise DataError(
            f"{source.label} — which column identifies persons is not known"
            " — name it with `subject:`, or say `unit: record`"
        )
    wanted = list(dict.fromkeys([*(column.name for column in quasi), sensitive.name, *([subject] if subject else [])]))
    if lacking := [name for name in wanted if name not in names]:
        raise DataError(f"{source.label} — lacks the column(s) {', '.join(lacking)} — map names with `columns:`")
    frame: pa.Table = source.read(wanted)
    people = tuple(people_like(column, frame[column.name]) for column in quasi)
    values = encode(sensitive.name, Role.SENSITIVE, frame[sensitive.name], kind="text")
    persons = None if subject is None else encode(subject, Role.SUBJECT, frame[subject], kind="text")
    least = RuleThresholds(criterion.expected, criterion.confidence, criterion.support)
    return people, OriginalRules.mine(people, values, persons, least, criterion.size), frame.num_rows


def _left(classes: Classes, column: Column, pairs: _Pairs, by_person: bool) -> Iterator[Ratios]:
    """(n − x) / c for each class and profile, c being those with the most frequent value that is left."""
    owner, code, count, size = shares(classes, column, by_person)
    first = np.searchsorted(owner, np.arange(classes.count + 1))
    sizes = np.ones(classes.count, dtype=np.int64)
    sizes[owner] = size
    ends = np.cumsum(np.diff(first)[pairs.owner])
    total = int(ends[-1]) if len(ends) else 0
    bounds = [0, *np.searchsorted(ends, np.arange(_CHUNK, total, _CHUNK)).tolist(), len(ends)]
    for low, high in pairwise(bounds):
        whose, profile = pairs.owner[low:high], pairs.profile[low:high]
        many = np.diff(first)[whose]
        pair = np.repeat(np.arange(len(whose)), many)
        at = np.repeat(first[whose] - (np.cumsum(many) - many), many) + np.arange(len(pair))
        out = pairs.profiles.excludes[profile[pair], code[at]] | (code[at] >= column.known)
        excluded, most = np.zeros(len(whose), dtype=np.int64), np.zeros(len(whose), dtype=np.int64)
        np.add.at(excluded, pair, np.where(out, count[at], 0))
        np.maximum.at(most, pair, np.where(out, 0, count[at]))
        left = most > 0
        nothing = ~left & (profile == 0)  # nobody's value is known
        yield Ratios(whose[left], np.maximum(most, sizes[whose] - excluded)[left], most[left])
        yield Ratios(whose[nothing], np.zeros(int(nothing.sum()), np.int64), np.ones(int(nothing.sum()), np.int64))
