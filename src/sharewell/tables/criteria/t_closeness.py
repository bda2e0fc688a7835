"""t-closeness: in every class the sensitive values are distributed nearly as in the whole table.

## Guarantee
Whoever finds the class of a person learns about the sensitive value hardly more than the whole table reveals about
anyone: the earth mover's distance between the two distributions is at most t.

## Adversary
Knows the quasi values of a target, that the target is in the data, and the distribution of the whole table.

## What it does not protect
What the whole table reveals. With `distance: equal` values that mean nearly the same count as different as any others.

## Parameters
t: the largest distance allowed, from 0 to 1.
distance: "equal" (default) any two values lie 1 apart; "ordered" by their ranks, |i − j| / (m − 1) for m values
(numbers and dates along the line, other values by their text); "hierarchical" by the level of their lowest common
ancestor over the height of the column's tree.
column: one sensitive column; without it, every sensitive column is judged.
counts: how many records have each value before anything is withheld; the certificate publishes them.
person_counts: beside `counts`, how many persons have each value, where persons own several records: a person with two
records counts ½ for each, such as `{flu: 3/2}`. Without it persons, too, are held against `counts`.
reference: the same as a file with the column, one row each; only the steward can check against it. With neither, a
class is held against the rows of the table at hand; the finding then says so.
subject: the column of `reference` that names the persons.
unit: "person" (default) asks it of the distribution over records and of that over persons, in which everybody has
weight 1, spread over their records in the class; "record" asks it of records alone.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"class": list("aaabbbccc"), "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
>>> table = Table.of(rows, quasi=["class"], sensitive=["salary"])
>>> print(TCloseness("3/8", distance="ordered").check(table))
t-closeness = 0.375 (≤ 0.375: holds)

## Why it is safe
All three distances have closed forms, computed on whole numbers: half the sum of differences; the sum of running
differences over m − 1; and, since a tree's distance is the sum of its edges, the mean over the levels below the root of
half the sum of differences between its nodes. The distribution over records is held against that of all records, and
the one over persons against that of all persons, so that nobody's many records hide what a class has in common. A
missing value is a value of its own: it lies last in the order, and at the top of the tree. The distance to a fixed
distribution is convex, so that the union of two classes is no farther than the farther of them; where persons are
counted once although they own records in both, this does not follow. Numbers have their order in whatever spelling;
text with numbers or dates in it whose order is unknown (`10` and `<5`, `10 mg` and `5 mg`) is refused.

## Cost
O(n log n) for n records; the hierarchical distance once for each level.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes. Below a level as many records of a failing class are withheld at least as bring what is left of it within t,
however it is divided.

## Source
Li, Li and Venkatasubramanian, 2007; the reference distribution is that of all rows before suppression, as in ARX.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import ExactNotNegative, ExactShare, Natural, PolicyError, Role
from sharewell.io.sources import Source
from sharewell.tables.engine.array_types import Floats, Ints
from sharewell.tables.engine.checks.distributions import DistributionRatioCriterion, WeightedClasses, part_sums
from sharewell.tables.engine.checks.exact_criteria import NEAR, Ratios, sums
from sharewell.tables.engine.checks.reference_criterion import ReferenceComparison, ReferenceCriterion
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Numbers

_DENSE = 2_000_000
"""Classes times parts of partitions that are looked at for a bound; it is not worth more."""
_TANGENTS = 4


@dataclass(frozen=True)
class TCloseness(ReferenceCriterion, DistributionRatioCriterion):
    """Every class is within t of the whole."""

    t: ExactShare
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    column: str | None = None
    counts: dict[str, Natural] | None = None
    reference: Source | None = None
    unit: Literal["person", "record"] = "person"
    person_counts: dict[str, ExactNotNegative] | None = None
    subject: str | None = None

    bounded_by: ClassVar[str] = "t"

    @property
    def reads_trees(self) -> Role | None:
        return Role.SENSITIVE if self.distance == "hierarchical" else None

    def ratios_in(self, weighed: WeightedClasses) -> Iterator[Ratios]:
        for comparison in self.comparisons(weighed):
            if self.distance == "hierarchical" and comparison.column.levels is None:
                raise PolicyError(f"{self.name} — column {comparison.column.name} has no hierarchy — give it one")
            sizes = np.zeros(weighed.classes.count, dtype=comparison.size.dtype)
            sizes[comparison.owner] = comparison.size
            full = np.flatnonzero(sizes)
            over, factor, off = _DISTANCES[self.distance](comparison, sizes)
            yield Ratios(full, over[full], _wide(sizes[full], factor) * factor, NEAR + off)

    def parts(self, comparison: ReferenceComparison) -> tuple[list[Ints], Ints]:
        """The part of each code in every partition of the values, and what the reference has of each part.

        Ordered values have one partition into places, of which `ordered` compares the running sums.
        """
        if self.distance == "ordered":
            place, m = _places(comparison)
            occurs = comparison.occurs
            return [place], np.asarray(sums(place[occurs], comparison.reference[occurs], m), dtype=np.int64)
        if self.distance == "hierarchical" and comparison.column.levels is None:
            raise PolicyError(f"{self.name} — column {comparison.column.name} has no hierarchy — give it one")
        parts = _parts(comparison, self.distance)
        expected = np.asarray(comparison.reference @ parts.astype(np.int64), dtype=np.int64)
        levels = parts.sum(axis=1).max(initial=0)
        members = [np.flatnonzero(row) for row in parts]
        return [np.array([one[level] for one in members], dtype=np.int64) for level in range(int(levels))], expected

    def least_withheld(self, classes: Classes) -> Ints:
        """At least this many records of each class must go before what is left of it can hold.

        Every distance here is a mean, over partitions of the values, of half the sum of differences between their
        parts. Of m records that are left no part has more than the class has, nor counts more than m times its share
        in the reference: the distance is at least 1 − Σ min(count, m · share) / m. The largest m for which that is
        at most t is found from above by tangents, each of which gives a bound.
        """
        fewest = np.zeros(classes.count, dtype=np.int64)
        for comparison in self.comparisons(WeightedClasses(classes)):
            sizes = np.zeros(classes.count)
            sizes[comparison.owner] = comparison.size
            parts = _parts(comparison, self.distance)
            if classes.count * parts.shape[1] > _DENSE:
                continue
            places = comparison.owner * comparison.column.size + comparison.code
            by_value = np.bincount(places, comparison.count, classes.count * len(parts))
            count = by_value.reshape(classes.count, -1) @ parts
            share = comparison.reference @ parts / max(1, comparison.total)
            wanted = (1 - float(self.t)) * share.sum()  # each partition's shares add up to 1
            left = sizes.copy()
            for _ in range(_TANGENTS):
                full = count <= left[:, None] * share
                slope = (share * ~full).sum(axis=1) - wanted
                reach = (count * full).sum(axis=1)
                np.divide(reach, -slope, out=left, where=(slope < -NEAR) & (reach < -slope * left))
            fewest = np.maximum(fewest, np.ceil(sizes - left - 1e-6).astype(np.int64))
        return fewest


def _wide(numbers: Numbers, factor: float) -> Numbers:
    """Python's own integers where 64 bits may not be enough."""
    if numbers.dtype.kind != "i":
        return numbers
    return numbers.astype(object) if int(numbers.max(initial=0)) * factor >= 2**62 else numbers


def _equal(comparison: ReferenceComparison, sizes: Numbers) -> tuple[Numbers, float, float]:
    """Σ of what a class has too much of: (numerator, what the size is to be multiplied with for the denominator, by how
    much decimals may be off besides)."""
    surplus = comparison.count * comparison.total - comparison.size * comparison.reference[comparison.code]
    return sums(comparison.owner, np.maximum(surplus, 0), len(sizes)), comparison.total, 0.0


def _hierarchical(comparison: ReferenceComparison, sizes: Numbers) -> tuple[Numbers, float, float]:
    """The mean over the levels of the equal distance between nodes. Codes are in leaf order, so nodes are runs."""
    levels = comparison.column.levels
    assert levels is not None
    over = np.zeros(len(sizes), dtype=comparison.count.dtype)
    for level in range(levels.height):
        node = np.append(levels.nodes[level], len(levels.labels))[: comparison.column.size].astype(np.int64)
        expected = sums(node, comparison.reference, len(levels.labels) + 1)
        present = node[comparison.code]
        changes = (np.diff(present) != 0) | (np.diff(comparison.owner) != 0)
        begins = np.flatnonzero(np.append(True, changes)[: len(present)])
        count = np.add.reduceat(comparison.count, begins) if len(begins) else comparison.count
        surplus = count * comparison.total - comparison.size[begins] * expected[present[begins]]
        over += sums(comparison.owner[begins], np.maximum(surplus, 0), len(sizes))
    return over, comparison.total * max(1, levels.height), 0.0


def _ordered(comparison: ReferenceComparison, sizes: Numbers) -> tuple[Numbers, float, float]:
    """Σ |running difference|. Between two values of a class its own running count stays, while that of the reference
    rises: where the difference changes its sign is found by bisection, and both parts are summed by prefix sums."""
    place, m = _places(comparison)
    total = comparison.total
    at = place[comparison.code]
    order = np.lexsort((at, comparison.owner))
    owner, at, count, size = comparison.owner[order], at[order], comparison.count[order], comparison.size[order]
    occurs = comparison.occurs
    running = np.cumsum(sums(place[occurs], comparison.reference[occurs], m))
    prefix = np.append(0, np.cumsum(running))
    first = np.append(True, owner[1:] != owner[:-1])[: len(owner)]
    begins = np.flatnonzero(first)[np.cumsum(first) - 1]
    so_far, off = part_sums(count, begins, np.arange(1, len(count) + 1))
    until = np.append(at[1:], m)[: len(at)]
    until[np.append(first[1:], True)[: len(at)]] = m
    reached = total * so_far / size if count.dtype.kind == "f" else -(-total * so_far // size)
    meets = np.clip(np.searchsorted(running, reached), at, until)
    if count.dtype.kind == "i" and total * int(sizes.max(initial=0)) * (m + 1) >= 2**62:
        prefix, size, so_far = prefix.astype(object), size.astype(object), so_far.astype(object)
    less = (meets - at) * (total * so_far) - size * (prefix[meets] - prefix[at])
    more = size * (prefix[until] - prefix[meets]) - (until - meets) * (total * so_far)
    before = np.where(first, size * prefix[at], 0)
    return sums(owner, less + more + before, len(sizes)), total * max(1, m - 1), off + m * 1e-14


def _places(comparison: ReferenceComparison) -> tuple[Ints, int]:
    """(the place of each code among the values of the reference, how many places there are): equal ones share one."""
    rank = comparison.rank(TCloseness.name)
    line = np.unique(rank[comparison.occurs])
    return np.searchsorted(line, rank).astype(np.int64), len(line)


def _parts(comparison: ReferenceComparison, distance: str) -> Floats:
    """The partitions whose mean distance it is: parts[code, part] is 1 if the part holds the value."""
    size, levels = comparison.column.size, comparison.column.levels
    if distance == "equal":
        return np.eye(size)
    if distance == "ordered":
        place, m = _places(comparison)
        below = place[:, None] <= np.arange(max(1, m - 1))
        return np.hstack([below, ~below]).astype(np.float64)
    assert levels is not None
    nodes = [np.append(row, len(levels.labels))[:size] for row in levels.nodes[: levels.height]]
    return np.hstack([node[:, None] == np.unique(node) for node in nodes]).astype(np.float64)


_DISTANCES = {"equal": _equal, "ordered": _ordered, "hierarchical": _hierarchical}
