"""Two releases class by class: which of their classes could speak of the same person, and who is new in the later one.

`newcomers` takes two versions of one release, the later with people added and none taken away. Classes of the two that
could speak of the same person hang together; over each such group the difference of the counts is known for certain,
and it is the newcomers: how many there are, and how many of them have each sensitive value. An append is safe from this
if every group has no newcomer or enough of them, with enough values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sharewell.spelling import fold
from sharewell.tables.data import Classes, Indices, Table
from sharewell.tables.engine.cell_matching import fitting
from sharewell.tables.engine.cell_overlap import CellOverlap

Ints = Indices


@dataclass(frozen=True)
class Newcomers:
    """What the difference of two versions tells."""

    groups: int
    """Groups of classes that hang together."""
    persons: int
    """Newcomers in all, as the counts tell."""
    smallest: int | None
    """The fewest newcomers of a group that has any; None if nobody is new."""
    disclosed: int
    """Newcomers of groups in which all of them have the same sensitive value."""
    losing: int
    """Groups that lost somebody: there the difference does not tell who is new."""


def newcomers(earlier: Table, later: Table, sensitive: str | None = None) -> Newcomers:
    """Who is new, group by group. `sensitive_columns` names the column whose values are compared; without it none is.

    >>> import pyarrow as pa
    >>> def version(ages):
    ...     return Table.of(pa.table({"age": ages}), quasi=["age"], published=True)
    >>> newcomers(version(["[1-4]"] * 3 + ["[5-9]"] * 3), version(["[1-4]"] * 3 + ["[5-7]"] * 2 + ["[8-9]"] * 4))
    Newcomers(groups=2, persons=3, smallest=3, disclosed=0, losing=0)
    """
    group_of_earlier, group_of_later, groups = common_groups(earlier, later)
    before = _persons(earlier.classes, group_of_earlier, groups)
    after = _persons(later.classes, group_of_later, groups)
    new = after - before
    disclosed = 0
    if sensitive is not None:
        more = _by_value(later, group_of_later, sensitive) - _by_value(earlier, group_of_earlier, sensitive)
        kinds = Counter(group for group, _ in more)
        disclosed = sum(int(new[group]) for group, values in kinds.items() if values == 1 and new[group] > 0)
    grown = new[new > 0]
    smallest = int(grown.min()) if len(grown) else None
    return Newcomers(groups, int(grown.sum()), smallest, disclosed, int((new < 0).sum()))


def meeting(released: Table, other: Table) -> Iterator[tuple[Ints, Ints]]:
    """(classes of a release, classes of another), such that each of the first could speak of the same person as each of
    the second; every two classes that do are in one of these, once. The release with fewer classes is walked."""
    classes, other_classes = released.classes, other.classes
    if not other.quasi or not classes.count or not other_classes.count:
        yield np.arange(classes.count), np.arange(other_classes.count)
        return
    first, other_first = classes.order[classes.starts[:-1]], other_classes.order[other_classes.starts[:-1]]
    columns = [released.columns[name].take(first) for name in other.schema.quasi]
    yours = [column.take(other_first) for column in other.quasi]
    if classes.count <= other_classes.count:
        yield from fitting(columns, yours, np.stack([column.codes for column in columns]), CellOverlap)
    else:
        turned = fitting(yours, columns, np.stack([column.codes for column in yours]), CellOverlap)
        yield from ((ours, theirs) for theirs, ours in turned)


def common_groups(earlier: Table, later: Table) -> tuple[Ints, Ints, int]:
    """The group of each earlier class, of each later class, and how many groups there are."""
    count = later.classes.count
    parent = np.arange(count + earlier.classes.count)

    def top(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = int(parent[node])
        return node

    for which, met in meeting(later, earlier):
        for node in [*which[1:].tolist(), *(met + count).tolist()] if len(which) and len(met) else ():
            first, second = top(int(which[0])), top(node)
            parent[max(first, second)] = min(first, second)
    _, group = np.unique([top(node) for node in range(len(parent))], return_inverse=True)
    return group[count:], group[:count], int(group.max(initial=-1)) + 1


def _persons(classes: Classes, group: Ints, groups: int) -> Ints:
    return np.bincount(group, weights=np.maximum(classes.persons, 1), minlength=groups).astype(np.intp)


def _by_value(table: Table, group: Ints, sensitive: str) -> Counter[tuple[int, str]]:
    """Persons by group and value, in whichever spelling a version has it."""
    column = table.columns[sensitive]
    values = [fold(text) for text in column.texts]
    counts: Counter[tuple[int, str]] = Counter()
    for owner, code, count in zip(*table.classes.counts(column), strict=True):
        counts[int(group[owner]), values[code]] += int(count)
    return counts
