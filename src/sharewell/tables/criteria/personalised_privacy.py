"""Personalised privacy: each person names a group of values that must not be inferred, and no class makes it likely.

## Guarantee
For every record with a guarding node, at most a given share of its class has a value under that node: whoever finds the
class infers that the person's value lies there with at most that probability.

## Adversary
Knows the quasi values of a target and that the target is in the data; wants to know whether the target's value belongs
to a group, such as infectious diseases.

## What it does not protect
Records without a guarding node. The published guards themselves: a node that covers one value reveals that value.

## Parameters
guard: the sensitive column that names each record's guarding node, a label of the judged column's hierarchy; empty for
none. The root lets nothing be published unless `most` is 1. Criteria see sensitive columns alone, so that the guards
are published like them, and other criteria without a `column` judge them too.
most: the largest share of a class under a guarding node (the breach probability).
column: the sensitive column with the hierarchy; without it, every sensitive column but the guard is judged.
unit: "person" (default) bounds the share of the persons and that of the records; "record" only the latter.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.hierarchy import Tree
>>> from sharewell.tables import Table
>>> tree = Tree([["flu", "lung", "*"], ["bronchitis", "lung", "*"], ["ulcer", "gut", "*"]])
>>> rows = pa.table({"age": ["[20-29]"] * 3, "ill": ["flu", "bronchitis", "ulcer"], "guards": ["lung", None, "ulcer"]})
>>> table = Table.of(rows, quasi=["age"], sensitive=["ill", "guards"], hierarchies={"ill": tree})
>>> print(PersonalisedPrivacy("guards", most="1/2").check(table))
personalised-privacy = 0.6667 (≤ 0.5: FAILS)

## Why it is safe
Decided on whole numbers, the record's own row counted. A missing value lies under the root only. Records without a
person count as one more under the node, but not as one more in the class. A union may fail where both parts hold: a
guard of one part meets a part that did not guard.

## Cost
O(g · n) for n records and g different guarding nodes.

A search over levels knows nothing of other levels: all are looked at unless their loss rules them out.

## Source
Xiao and Tao, 2006.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import DataError, Declared, ExactPositiveShare, PolicyError, Role
from sharewell.hierarchy.gaps import Listing
from sharewell.spelling import fold
from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios
from sharewell.tables.engine.checks.sensitive_columns import sensitive_columns, ways_to_count
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column


@dataclass(frozen=True)
class PersonalisedPrivacy(RatioCriterion, Declared):
    """At most a share `most` of a class lies under any of its guarding nodes."""

    guard: str
    most: ExactPositiveShare
    column: str | None = None
    unit: Literal["person", "record"] = "person"

    reads_trees: ClassVar[Role] = Role.SENSITIVE
    bounded_by: ClassVar[str] = "most"
    disjoint_union_safe: ClassVar[bool] = False

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        guards = sensitive_columns(self.name, classes, self.guard)[0]
        columns = [c for c in sensitive_columns(self.name, classes, self.column) if c.name != self.guard]
        bare = [c.name for c in columns if c.levels is None]
        if bare or not columns:
            problem = f"no hierarchy for column {', '.join(bare)}" if bare else "no sensitive column besides the guards"
            raise PolicyError(f"{self.name} — {problem} — name the one with a hierarchy with `column`")
        for column in columns:
            for by_person in ways_to_count(classes, self.unit):
                yield from self._under(classes, column, guards, by_person)

    def _under(self, classes: Classes, column: Column, guards: Column, by_person: bool) -> Iterator[Ratios]:
        """Node by node: in the classes that guard it, how many are under it."""
        guarding, values = guards.codes[classes.order], column.codes[classes.order]
        member, of_class = _members(classes, by_person)
        sizes = classes.persons if by_person else classes.sizes
        for code in np.unique(guarding[guarding < guards.known]):
            guarded = np.zeros(classes.count, dtype=bool)
            guarded[classes.class_of[guarding == code]] = True
            hit = np.zeros(len(of_class), dtype=bool)
            hit[member[_covered(self.name, column, guards.texts[code])[values] & guarded[classes.class_of]]] = True
            which = np.flatnonzero(guarded)
            size = sizes[which].astype(np.int64)
            under = np.bincount(of_class[hit], minlength=classes.count)[which]
            yield Ratios(which, np.where(size > 0, np.minimum(under, size), 1), np.maximum(size, 1))


def _members(classes: Classes, by_person: bool) -> tuple[Ints, Ints]:
    """For each row the number of its person in its class, and for each such number the class; nobody's rows apart."""
    if not by_person or classes.subject is None:
        return np.arange(len(classes.order)), classes.class_of.astype(np.int64)
    persons, size = classes.owners()
    members, member = np.unique(classes.class_of * size + persons, return_inverse=True)
    return member.astype(np.int64), members // max(1, size)


def _covered(name: str, column: Column, label: str) -> Bools:
    """Which codes of the column lie under a node."""
    levels = column.levels
    assert levels is not None
    node = levels.node_of.get(label)
    if node is None:
        node = next((one for text, one in levels.node_of.items() if fold(text) == fold(label)), None)
    if node is None and isinstance(column.hierarchy, Listing) and column.hierarchy.lists(label):
        return np.zeros(column.size, dtype=bool)  # a node of the tree under which no value of this table lies
    if node is None:
        raise DataError(f"{name} — a guard is no node of the hierarchy of column {column.name} — correct the guards")
    under = (levels.nodes == node).any(axis=0)
    return np.append(under, node == levels.nodes[-1, 0] if under.size else True)[: column.size]
