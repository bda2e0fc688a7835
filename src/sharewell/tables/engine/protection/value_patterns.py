"""Which cells of each row to suppress: rows with one pattern and the same values left must form a class that holds.

A *pattern* is the set of suppressed columns, as bits. Patterns are tried from the cheapest on. At each, the rows that
have no class yet are grouped by what the pattern leaves; groups in which every criterion holds are closed. Rows that
no pattern helps (fewer than a class needs) join a class that fits them, or borrow rows from classes that can spare
them. Then every row looks once more for a cheaper class.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from sharewell.tables.data import Bools, Classes, Indices, Ints, Table, group
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold

Rows = Indices
MOST_PATTERNS = 4_096
"""Patterns that are tried, the cheapest ones; all of them up to twelve columns."""
_ROUNDS, _TRIES, _LENDERS = 5, 12, 400
"""Rounds of improvement; patterns tried for a row that is left over; rows asked to join it."""


class Patterns:
    """The search. `pattern[row]` is the answer; −1 while a row has no class."""

    def __init__(self, table: Table, criteria: ClassCriteria, costs: Sequence[float], order: Rows) -> None:
        self.table, self.criteria, self.order = table, criteria, order
        self.codes = [column.codes.astype(np.int64) for column in table.quasi]
        self.sizes = [max(1, column.size) for column in table.quasi]
        self.costs = np.array(costs, dtype=np.float64)
        self.full = (1 << len(costs)) - 1
        self.ranked = list(_by_cost(costs, MOST_PATTERNS))
        self.cost_of = {pattern: cost for cost, pattern in self.ranked}
        self.pattern = np.full(table.rows, -1, dtype=np.int64)
        self.rescued = 0

    def run(self) -> Ints:
        pending = self.order
        for _, level in groupby(self.ranked, key=lambda pair: pair[0]):
            pending = self._close_level([pattern for _, pattern in level], pending)
            if not len(pending):
                break
        if len(pending):
            self.rescued = len(pending)
            self._rescue(pending)
        for _ in range(_ROUNDS):
            if not self._improve():
                break
        return self.pattern

    def _close_level(self, patterns: Sequence[int], pending: Rows) -> Rows:
        """Patterns of one cost: those that close the most rows first."""
        helped = [(len(self._closable(pending, pattern)), pattern) for pattern in patterns]
        for _, pattern in sorted((pair for pair in helped if pair[0]), key=lambda pair: (-pair[0], pair[1])):
            closed = self._closable(pending, pattern)
            if len(closed):
                self.pattern[closed] = pattern
                pending = pending[self.pattern[pending] < 0]
        return pending

    def _closable(self, rows: Rows, pattern: int) -> Rows:
        """Rows in groups that hold, if all of them took this pattern."""
        if not len(rows):
            return rows
        classes = self._grouped(rows, self._key(rows, pattern))
        return classes.select(np.flatnonzero(all_hold(self.criteria, classes))).order

    def _grouped(self, rows: Rows, key: Ints) -> Classes:
        order, starts = group([np.unique(key, return_inverse=True)[1].astype(np.int32)], len(rows))
        return self.table.as_classes(rows[order], starts)

    def _hold_together(self, rows: Rows) -> bool:
        return bool(len(rows) and all_hold(self.criteria, self.table.as_classes(rows, np.array([0, len(rows)])))[0])

    def _key(self, rows: Rows, pattern: int) -> Ints:
        """What the pattern leaves of each row, numbered."""
        key, distinct = np.zeros(len(rows), dtype=np.int64), 1
        for j, (codes, size) in enumerate(zip(self.codes, self.sizes, strict=True)):
            if not pattern >> j & 1:
                if distinct * size > 2**62:
                    key = np.unique(key, return_inverse=True)[1].astype(np.int64)
                    distinct = int(key.max(initial=0)) + 1
                key, distinct = key * size + codes[rows], distinct * size
        return key

    def _cost(self, pattern: int) -> float:
        known = self.cost_of.get(pattern)
        return float(sum(c for j, c in enumerate(self.costs) if pattern >> j & 1)) if known is None else known

    def _improve(self) -> bool:
        """Rows move to an existing class that leaves them more, if all classes still hold. Was there a move?"""
        moved = False
        used = sorted(np.unique(self.pattern).tolist(), key=self._cost)
        cost = {pattern: self._cost(pattern) for pattern in used}
        for pattern in used[:-1]:
            dearer = [other for other in used if cost[other] > cost[pattern] + 1e-12]
            members = self.order[self.pattern[self.order] == pattern]
            others = self.order[np.isin(self.pattern[self.order], dearer)]
            if not len(members) or not len(others):
                continue
            key = self._key(np.concatenate([members, others]), pattern)
            fits = others[np.isin(key[len(members) :], key[: len(members)])]
            moved |= self._move(fits, pattern)
        return moved

    def _move(self, rows: Rows, pattern: int) -> bool:
        """Move rows whose classes vanish or hold without them; take it back if a class fails by it."""
        leaving = np.zeros(self.table.rows, dtype=bool)
        leaving[rows] = True
        for old in np.unique(self.pattern[rows]).tolist():
            rows_there = self.order[self.pattern[self.order] == old]
            classes = self._grouped(rows_there, self._key(rows_there, old))
            leaving_rows = np.bincount(classes.class_of[leaving[classes.order]], minlength=classes.count)
            touched = np.flatnonzero((leaving_rows > 0) & (leaving_rows < classes.sizes))
            for which in touched.tolist():
                inside = classes.order[classes.starts[which] : classes.starts[which + 1]]
                if not self._hold_together(inside[~leaving[inside]]):
                    self._keep_enough(inside, leaving)
        taken = np.flatnonzero(leaving)
        if not len(taken):
            return False
        before = self.pattern[taken].copy()
        self.pattern[taken] = pattern
        rows_there = self.order[self.pattern[self.order] == pattern]
        if not all_hold(self.criteria, self._grouped(rows_there, self._key(rows_there, pattern))).all():
            self.pattern[taken] = before
            return False
        return True

    def _keep_enough(self, inside: Rows, leaving: Bools) -> None:
        """Call back those who would leave a class, one by one, until it holds."""
        for row in inside[leaving[inside]].tolist():
            leaving[row] = False
            if self._hold_together(inside[~leaving[inside]]):
                return

    def _rescue(self, left: Rows) -> None:
        """Rows that no pattern helps: each by itself as cheaply as it goes, or all together with nothing left."""
        before = self.pattern.copy()
        apart = sum(self._rescue_one(row) for row in left.tolist())
        alone = self.pattern
        self.pattern = before
        together = self._borrow(left, self.full)
        if together is None and np.isinf(apart):
            self._dissolve(left)
        elif together is None or apart < together[0]:
            self.pattern = alone
        else:
            self.pattern[np.append(left, together[1])] = self.full

    def _rescue_one(self, row: int) -> float:
        """The least cost of giving a row a class, and do it; infinite if there is no way."""
        alone = np.array([row], dtype=np.intp)
        best, chosen = np.inf, (alone, 0)
        tried = 0
        agree = sum(((codes == codes[row]).astype(np.int64) << j) for j, codes in enumerate(self.codes))
        placed = self.pattern >= 0
        for cost, pattern in self.ranked:
            if cost >= best or tried >= _TRIES:
                break
            fits = np.flatnonzero(placed & ((agree | pattern) == self.full))
            fits = fits[fits != row]
            if not len(fits):
                continue
            same = fits[self.pattern[fits] == pattern]
            if len(same) and self._hold_together(np.append(same, row)):
                best, chosen = cost, (alone, pattern)
                break
            tried += 1
            borrowed = self._borrow(alone, pattern)
            if borrowed is not None and borrowed[0] < best:
                best, chosen = borrowed[0], (np.append(alone, borrowed[1]), pattern)
        if np.isfinite(best):
            self.pattern[chosen[0]] = chosen[1]
        return float(best)

    def _borrow(self, rows: Rows, pattern: int) -> tuple[float, Rows] | None:
        """(cost, lenders): rows from classes that can spare them, so that a class of this pattern holds."""
        key = self._key(np.append(self.order, rows[:1]), pattern)
        fits = self.order[(key[:-1] == key[-1]) & (self.pattern[self.order] >= 0)]
        worth = np.array([self._cost(pattern) for pattern in self.pattern[fits].tolist()])
        fits = fits[np.argsort(-worth, kind="stable")][:_LENDERS]
        ids, taken = self._class_ids(), np.zeros(self.table.rows, dtype=bool)
        lenders: list[int] = []
        cost = self._cost(pattern) * len(rows)
        for row in fits.tolist():
            taken[row] = True
            inside = np.flatnonzero((ids == ids[row]) & ~taken)
            if not self._hold_together(inside):
                taken[row] = False
                continue
            lenders.append(row)
            cost += self._cost(pattern) - self._cost(int(self.pattern[row]))
            if self._hold_together(np.append(rows, lenders).astype(np.intp)):
                return cost, np.array(lenders, dtype=np.intp)
        return None

    def _class_ids(self) -> Ints:
        """The class of each row as things stand; −1 for rows that have none."""
        ids = np.full(self.table.rows, -1, dtype=np.int64)
        count = 0
        for pattern in np.unique(self.pattern[self.pattern >= 0]).tolist():
            members = np.flatnonzero(self.pattern == pattern)
            number = np.unique(self._key(members, pattern), return_inverse=True)[1]
            ids[members] = count + number
            count += int(number.max()) + 1
        return ids

    def _dissolve(self, left: Rows) -> None:
        """Whole classes lose everything, the cheapest first, until the rows without any cell hold together."""
        pool = np.append(left, self.order[self.pattern[self.order] == self.full])
        while not self._hold_together(pool):
            others = self.order[(self.pattern[self.order] >= 0) & (self.pattern[self.order] != self.full)]
            others = others[~np.isin(others, pool)]
            if not len(others):
                break
            price = []
            for pattern in np.unique(self.pattern[others]).tolist():
                members = others[self.pattern[others] == pattern]
                classes = self._grouped(members, self._key(members, pattern))
                which = int(classes.sizes.argmin())
                inside = classes.order[classes.starts[which] : classes.starts[which + 1]]
                price.append(((self._cost(self.full) - self._cost(pattern)) * len(inside), pattern, inside))
            pool = np.append(pool, min(price, key=lambda one: one[:2])[2])
        self.pattern[pool] = self.full


def _by_cost(costs: Sequence[float], most: int) -> Iterator[tuple[float, int]]:
    """Sets of columns from the cheapest on, at most this many; the set of all columns is always the last."""
    order = sorted(range(len(costs)), key=lambda j: (costs[j], j))
    full = (1 << len(costs)) - 1
    heap: list[tuple[float, int, int]] = [(0.0, 0, 0)]
    cost_given = 0
    while heap and cost_given < most:
        cost, pattern, after = heapq.heappop(heap)
        if pattern != full:
            cost_given += 1
            yield cost, pattern
        for place in range(after, len(order)):
            j = order[place]
            heapq.heappush(heap, (round(cost + costs[j], 9), pattern | 1 << j, place + 1))
    yield round(float(sum(costs)), 9), full
