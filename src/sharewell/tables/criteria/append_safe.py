"""Append-safe: comparing a release with the one before it discloses about newcomers only what the criteria allow.

## Guarantee
Every earlier record is published again unchanged, and what is new, taken by itself, satisfies every criterion that
`holding` names. Two releases together then tell no more than the earlier one and a release of the newcomers alone.

## Adversary
Holds both releases, knows the quasi values of a target, and whether the target joined before the earlier release or
after it; may subtract one release from the other, class by class and value by value.

## What it does not protect
Persons whose records change or are taken out between the releases, and persons with records in both the earlier part
and the new one: for them the two parts are two releases (see the attack `composition`). Persons who
wait because they are too few are not in the later release, which somebody who knows that they joined can notice.

## Parameters
earlier: the published file of the earlier release.
holding: criterion → its parameters, for example `{k-anonymity: {k: 5}, l-diversity: {l: 3}}`.
supplement: true where this release holds the newcomers alone and is to be read together with the earlier one; false
(default) where it holds the earlier records too.

## Worked example
Four people, then one more joins. Published anew, the fifth is the difference of the two releases; the value is known.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> ages, values = ["[20-29]"] * 4, ["flu", "flu", "asthma", "asthma"]
>>> earlier = pa.table({"age": ages, "illness": values})
>>> later = pa.table({"age": [*ages, "[20-29]"], "illness": [*values, "cancer"]})
>>> after = Table.of(later, quasi=["age"], sensitive=["illness"], published=True)
>>> two = {"k-anonymity": {"k": 2}}
>>> print(AppendSafe(earlier, holding=two).check(after))
append-safe = 1 classes (≤ 0: FAILS)

Two more are no difference of one.

>>> later = pa.table({"age": [*ages, "[30-39]", "[30-39]"], "illness": [*values, "cancer", "flu"]})
>>> after = Table.of(later, quasi=["age"], sensitive=["illness"], published=True)
>>> print(AppendSafe(earlier, holding=two).check(after))
append-safe = 0 classes (≤ 0: holds)

## Why it is safe
If every earlier row is there again, the later release is the earlier one and the new rows, and follows from the two.
What an attacker infers about a newcomer is then an average of what could be inferred by one who is told which rows are
new; for that one the criteria hold in the class of every newcomer. Nothing new is said about the others. The check
starts from the two published files and uses nothing else. It fails where an earlier row is missing, even if nothing
could be inferred from that: such releases are refused, not judged.

## Cost
O(n log n) for n records of both releases, and the cost of the criteria.

## Source
Byun, Sohn, Bertino and Li, 2006 (attacks on releases that grow); Xiao and Tao, 2007. Both republish earlier records in
other classes and bound what that tells; here it cannot tell anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell import registry
from sharewell.algorithm import DataError, Declared, Finding, PolicyError
from sharewell.io.sources import Evidence, Source
from sharewell.roles import Role, Schema
from sharewell.styles import ends_of
from sharewell.tables.data import Bools, Classes, Column, Table, encode
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.low_high import join_low_high
from sharewell.tables.engine.release_versions import append_rows, new_rows


@dataclass(frozen=True)
class AppendProfile:
    """Counts of records; `failing` are classes of newcomers in which a criterion fails."""

    earlier: int
    newcomers: int
    not_there_again: int
    failing: int


@dataclass(frozen=True)
class AppendSafe(ClassCriterion, Declared):
    """What is new satisfies the criteria by itself, and nothing else has changed."""

    earlier: Evidence
    holding: dict[str, object] = field(default_factory=dict)
    supplement: bool = False

    bound: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.holding:
            raise ValueError("holding must name the criteria for newcomers, such as {k-anonymity: {k: 5}}")
        assert self._criteria  # a mistake in them is told now

    @cached_property
    def _criteria(self) -> tuple[ClassCriterion, ...]:
        criteria = []
        for name, parameters in self.holding.items():
            criterion = registry.lookup("tables", "criteria", name)
            if not issubclass(criterion, ClassCriterion) or criterion is AppendSafe:
                raise PolicyError(f"holding — {name} cannot be judged class by class — name another criterion")
            settings = _checked_words(name, criterion, parameters)
            try:
                criteria.append(criterion(**settings))
            except (TypeError, ValueError) as error:
                raise ValueError(f"holding: {name}: {error}") from None
        return tuple(criteria)

    @property
    def union_safe(self) -> bool:
        return all(criterion.union_safe for criterion in self._criteria)

    @property
    def least_records(self) -> int:
        return max(criterion.least_records for criterion in self._criteria)

    def worst(self, classes: Classes) -> NDArray[np.number]:
        """In each class of newcomers, how many of the criteria fail."""
        return np.asarray(np.sum([~criterion.holds(classes) for criterion in self._criteria], axis=0))

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(self.worst(classes) == 0)

    def check(self, data: Table) -> Finding:
        earlier = self._published(data)
        new, withdrawn = (np.arange(data.rows), 0) if self.supplement else new_rows(earlier, data)
        newcomers = data.take(new)
        failing = int((~self.holds(newcomers.classes)).sum())
        if self.supplement and not failing:
            failing = self._failing_together(earlier, newcomers)
        details = AppendProfile(earlier.rows, len(new), withdrawn, failing)
        note = f"{withdrawn} earlier record(s) are missing from this release" if withdrawn else ""
        parts = [criterion.check(newcomers) for criterion in self._criteria] if len(new) else []
        value = failing + withdrawn if data.rows else None
        return self.finding(value, unit="classes", parts=parts, details=details, note=note)

    def _failing_together(self, earlier: Table, newcomers: Table) -> int:
        """Classes that a reader of both releases takes for one, and in which a criterion fails."""
        both = append_rows(earlier, _judged(newcomers, earlier)).classes
        shared = np.bincount(both.class_of, weights=both.order >= earlier.rows, minlength=both.count) > 0
        return int((shared & ~self.holds(both)).sum())

    def _published(self, data: Table) -> Table:
        """The earlier file, read like the later one."""
        source: Source = self.earlier
        names = source.names()
        in_two = [name for name in data.schema.quasi if name not in names and {*ends_of(name)} <= {*names}]
        known = [*names, *in_two]
        wanted = {name: column for name, column in data.columns.items() if name in known}
        lacking = [name for name in (*data.schema.quasi, *data.schema.sensitive) if name not in known]
        if lacking:
            raise DataError(f"{source.label} — lacks the column(s) {', '.join(lacking)} — name the published file")
        if data.subject is not None and data.subject.name not in known and data.persons < data.rows:
            advice = "publish pseudonyms within classes, or give each person one record"
            raise DataError(f"{source.label} — does not identify persons, and some have several records — {advice}")
        carried = [name for name in data.carried.column_names if name in names and name not in wanted]
        ends = [end for name in in_two for end in ends_of(name)]
        frame = join_low_high(source.read([name for name in wanted if name not in in_two] + ends + carried), in_two)
        columns = {name: _like(column, frame[name]) for name, column in wanted.items()}
        roles = {name: column.role for name, column in columns.items()}
        return Table(Schema(roles), columns, frame.select(carried), frame.num_rows, published=True)


def _checked_words(name: str, criterion: type[ClassCriterion], parameters: object) -> Mapping[str, object]:
    """What a policy checks of its own criteria: a misspelt word would count something else, and tell nobody."""
    hints = get_type_hints(criterion)
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise ValueError(f"holding: {name}: parameters must be a mapping, such as {{k: 5}}")
    for key, value in parameters.items():
        hint = hints.get(key)
        if get_origin(hint) is Literal and value not in get_args(hint):
            raise ValueError(f"holding: {name}: {key} must be one of {', '.join(map(str, get_args(hint)))}")
        if hint is int and (not isinstance(value, int) or isinstance(value, bool)):
            raise ValueError(f"holding: {name}: {key} must be a whole number")
        if isinstance(value, Mapping) and Source in (hint, *get_args(hint)):
            raise ValueError(f"holding: {name}: {key} would name a second file, which nobody could find again")
    return parameters


def _judged(table: Table, earlier: Table) -> Table:
    """Without the columns that no criterion looks at, or that the earlier release does not have."""
    kept = {name: column for name, column in table.columns.items() if name in earlier.columns}
    roles = {name: column.role for name, column in kept.items()}
    return Table(Schema(roles), kept, pa.table({}), table.rows, published=True)


def _like(column: Column, array: pa.ChunkedArray) -> Column:
    """An earlier column as the later one is read."""
    if column.role is Role.QUASI:
        return encode(column.name, column.role, array, kind="cells")
    return encode(column.name, column.role, array, kind=column.kind, date_format=column.date_format)
