"""Persons cut into groups with like trails: top down, where the loss of their common trail shrinks most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sharewell.tables.data import Floats, Indices, Table, group
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, ClusterSpace
from sharewell.tables.engine.protection.partitioning.class_layout import everything
from sharewell.tables.engine.protection.trails.group_dates import WITHIN, Precision
from sharewell.tables.engine.protection.trails.person_rows import PersonRows
from sharewell.tables.engine.published_cells import class_cells


@dataclass(frozen=True, eq=False)
class PersonPartition:
    """All persons of a table, to be cut into groups of k or more whose common trail meets every criterion."""

    data: Table
    rows: PersonRows
    criteria: ClassCriteria
    k: int
    precision: Precision
    dear: int = 1
    """How many times its cells a row costs that is left out."""

    def aligned(self, persons: Indices) -> Indices:
        """persons × rows: the rows that these persons would publish as one trail; surplus rows are left out."""
        return self.rows.first_rows(persons, int(self.rows.lengths[persons].min()))

    def groups(self) -> list[Indices]:
        """Groups in which everything holds, and which no cut would improve; none if all persons together fail."""
        whole = np.arange(self.rows.count)
        if not self.holds(whole):
            return []
        open_, done = [whole], []
        while open_:
            persons = open_.pop()
            halves = self._best_cut(persons)
            if halves is None:
                done.append(persons)
            else:
                open_ += halves
        return sorted(done, key=lambda persons: int(persons[0]))

    def holds(self, persons: Indices) -> bool:
        """Would a group of these persons meet every criterion in every class that its trail shows?"""
        if len(persons) < self.k:
            return False
        rows = self.aligned(persons).T
        slots = self.data.as_classes(rows.ravel(), np.arange(rows.shape[0] + 1) * rows.shape[1])
        shown = [class_cells(column, slots).codes for column in self.data.quasi]
        order, starts = group(shown, len(rows))  # slots that show the same cells are one class to a reader
        classes = self.data.as_classes(rows[order].ravel(), starts * rows.shape[1])
        return bool(all_hold(self.criteria, classes).all())

    def loss(self, persons: Indices) -> int:
        """Detail that the group loses: cells made wider, rows left out, and dates moved or withheld."""
        rows = self.aligned(persons)
        width = max(1, len(self.data.quasi)) + len(self.rows.days)
        total: int = (int(self.rows.lengths[persons].sum()) - rows.size) * width * FULL * self.dear
        slots = np.arange(rows.shape[1] + 1) * rows.shape[0]
        total += int(self._space.loss(self._space.boxes(rows.T.ravel(), slots)).sum()) * rows.shape[0]
        return total + sum(self._date_loss(days[rows]) for days in self.rows.days.values())

    @cached_property
    def _space(self) -> ClusterSpace:
        return ClusterSpace(self.data, everything(self.data))

    def _date_loss(self, cells: Indices) -> int:
        """Per date: how much intervals differ, and first dates; a date that is not published costs all of it."""
        first = np.where(cells > 0, cells, np.iinfo(np.int64).max).min(axis=1, initial=np.iinfo(np.int64).max)
        offset = cells - np.where((cells > 0).any(axis=1), first, 0)[:, None]
        spread = offset.max(axis=0) - offset.min(axis=0)
        fits = (cells > 0).all(axis=0) & (spread <= WITHIN[self.precision])
        lost = np.where(fits, spread / (2 * (WITHIN[self.precision] or 1)), 1.0)
        lost = np.where((cells > 0).any(axis=0), lost, 0.0)
        moved = first[first < np.iinfo(np.int64).max]
        apart = min(1.0, float(np.ptp(moved)) / 365) if len(moved) else 0.0
        return int(FULL * (float(lost.sum()) + apart / 2) * len(cells))

    def _best_cut(self, persons: Indices) -> list[Indices] | None:
        """The cut with the least loss among those after which everything holds, if that is a gain."""
        if len(persons) < 2 * self.k:
            return None
        cuts = {tuple(left.tolist()): (left, right) for left, right in self._cuts(persons)}
        scored = sorted(
            (self.loss(left) + self.loss(right), number) for number, (left, right) in enumerate(cuts.values())
        )
        before, pairs = self.loss(persons), list(cuts.values())
        for after, number in scored:
            if after >= before:
                return None
            if all(self.holds(half) for half in pairs[number]):
                return list(pairs[number])
        return None

    def _cuts(self, persons: Indices) -> Iterator[tuple[Indices, Indices]]:
        """In two by each of what tells persons apart, at the place nearest the middle; by length at every place."""
        for which, feature in enumerate(self._features):
            values = feature[persons]
            order = np.argsort(values, kind="stable")
            places = np.flatnonzero(np.diff(values[order])) + 1
            places = places[(places >= self.k) & (places <= len(persons) - self.k)]
            if not len(places):
                continue
            middle = places[np.argmin(np.abs(2 * places - len(persons)))]
            for place in places.tolist() if which == 0 else [int(middle)]:
                yield np.sort(persons[order[:place]]), np.sort(persons[order[place:]])

    @cached_property
    def _features(self) -> list[Floats]:
        """What persons are compared by: number of rows, first date, mean and first value of each quasi column."""
        rows, owner, lengths = self.rows.order, self.rows.owner, self.rows.lengths
        results = [lengths.astype(np.float64)]
        for days in self.rows.days.values():
            first = np.full(self.rows.count, np.inf)
            np.minimum.at(first, owner, np.where(days[rows] > 0, days[rows], np.inf))
            results += [first, _spans(days[rows], owner, first)]
        for column in self.data.quasi:
            codes = column.codes[rows].astype(np.float64)
            results += [
                np.bincount(owner, codes, self.rows.count) / np.maximum(1, lengths),
                codes[self.rows.starts[:-1]],
            ]
        return [np.where(np.isfinite(one), one, 1e18) for one in results]


def _spans(days: Indices, owner: Indices, first: Floats) -> Floats:
    """From each person's first date to the last."""
    last = np.full(len(first), -np.inf)
    np.maximum.at(last, owner, np.where(days > 0, days, -np.inf))
    return np.where(np.isfinite(first), last - first, np.inf)
