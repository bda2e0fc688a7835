"""Cuts for a purpose: those that tell most about a label, or that fall on the borders of the queries to be asked.

Each is a proposal for `top_down_cuts`: beside the middle cut of a column, one whose `worth` to the workload is largest
among the cuts that leave enough rows on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sharewell.errors import PolicyError
from sharewell.roles import Role, did_you_mean
from sharewell.tables.data import Bools, Classes, Column, Floats, Table, encode
from sharewell.tables.engine.measures.cell_regions import Line, query_regions
from sharewell.tables.engine.protection.partitioning.cuts import CandidateCuts, Cuts, Ints

_STEPS = 1 << 20
"""A numeric label is rounded to this many steps: sums of whole numbers do not depend on the order of rows."""
_NOTHING = 1e-9
"""A worth below this share of the largest possible one counts as 0."""


@dataclass(frozen=True, eq=False)
class LabelCuts:
    """Information gain about a categorical label; reduction of squared deviation of a numeric one."""

    label: Column
    least: int
    """Rows that both sides must have."""

    @classmethod
    def of(cls, table: Table, name: str, least: int) -> LabelCuts:
        role = table.schema.roles.get(name)
        if role not in (Role.SENSITIVE, Role.KEEP):
            known = table.schema.having(Role.SENSITIVE, Role.KEEP)
            hint = did_you_mean(name, known) or f"choose one of them: {', '.join(known) or 'there is none'}"
            raise PolicyError(f"mondrian — label: '{name}' is not a sensitive or kept column — {hint}")
        column = table.columns.get(name)
        return cls(encode(name, role, table.carried[name]) if column is None else column, least)

    def __call__(self, middles: CandidateCuts, active: Classes) -> list[Cuts]:
        return [self._best(cuts, active) for cuts in middles]

    def _best(self, cuts: Cuts, active: Classes) -> Cuts:
        runs = _Runs.of(cuts.column.codes[active.order], active, cuts.column)
        labels = self.label.codes[active.order]
        worth = self._squares(runs, labels) if self.label.numbers is not None else self._bits(runs, labels)
        return runs.best(cuts, worth, self.least)

    def _bits(self, runs: _Runs, labels: Ints) -> Floats:
        """By how many bits, over all rows, the label is better known when the class is cut after each run."""
        size = self.label.size
        keys, times = np.unique(runs.of_row * size + labels, return_counts=True)
        run, label = np.divmod(keys, size)
        pair = runs.owner[run] * size + label
        order = np.argsort(pair, kind="stable")
        up_to = np.empty(len(keys), dtype=np.int64)
        up_to[order] = _within(times[order], pair[order])
        _, which = np.unique(pair, return_inverse=True)
        total = np.bincount(which, weights=times)[which].astype(np.int64)
        gone_left = np.cumsum(_plogp(up_to) - _plogp(up_to - times))
        come_right = np.cumsum(_plogp(total - up_to) - _plogp(total - up_to + times))
        last = np.flatnonzero(np.concatenate([run[1:] != run[:-1], [True]]))
        change = gone_left[last] + come_right[last]
        # Before a class begins nothing has gone left: what was summed up until then belongs to others.
        change -= np.concatenate([[0.0], change])[runs.first][runs.owner]
        left, rows = runs.left, runs.sizes[runs.owner]
        worth: Floats = _plogp(rows) - _plogp(left) - _plogp(rows - left) + change
        return np.where(worth > _NOTHING * rows, worth, 0.0)

    def _squares(self, runs: _Runs, labels: Ints) -> Floats:
        """By how much the sum of squared deviations falls when the class is cut after each run."""
        assert self.label.numbers is not None
        known = self.label.known
        line = self.label.numbers[:known]
        span = float(line[-1] - line[0]) if known else 0.0
        steps = np.append(np.rint((line - line[0]) / (span or 1.0) * _STEPS) if known else [], 0).astype(np.int64)
        labelled = labels < known
        values = np.where(labelled, steps[np.minimum(labels, known)], 0)
        count, total = runs.sums(labelled.astype(np.int64)), runs.sums(values)
        counts, totals = runs.whole(count), runs.whole(total)
        left, right, rows = (
            _square(t, c) for t, c in ((total, count), (totals - total, counts - count), (totals, counts))
        )
        worth: Floats = (left + right - rows) / _STEPS**2
        return np.where(worth > _NOTHING * counts, worth, 0.0)


@dataclass(frozen=True, eq=False)
class _Runs:
    """The distinct values of each class in order; `of_row` is the run of each row."""

    of_row: Ints
    owner: Ints
    code: Ints
    first: Ints
    sizes: Ints
    left: Ints
    """Rows of the class up to and with each run."""
    allowed: Bools
    """May the class be cut after the run? In a tree only between children of its lowest common ancestor."""

    @classmethod
    def of(cls, codes: Ints, active: Classes, column: Column) -> _Runs:
        keys, of_row, times = np.unique(active.class_of * column.size + codes, return_inverse=True, return_counts=True)
        owner, code = np.divmod(keys, column.size)
        first = np.searchsorted(owner, np.arange(active.count))
        allowed = np.concatenate([owner[1:] == owner[:-1], [False]])
        if column.levels is not None:
            last = np.append(first[1:], len(owner)) - 1
            level = np.zeros(active.count, dtype=np.int64)
            for step, nodes in enumerate(column.tree.nodes):
                level[nodes[code[first]] != nodes[code[last]]] = step
            child = column.tree.nodes[level[owner], code]
            allowed[:-1] &= child[1:] != child[:-1]
        return cls(of_row, owner, code, first, active.sizes, _within(times, owner), allowed)

    def sums(self, values: Ints) -> Ints:
        """The sum over the rows of each class up to and with each run. Exact: whole numbers, in all below 2⁵³."""
        totals = np.bincount(self.of_row, weights=values, minlength=len(self.owner))
        return _within(totals.astype(np.int64), self.owner)

    def whole(self, sums: Ints) -> Ints:
        """The sum of the whole class, for each of its runs."""
        return np.asarray(sums[np.append(self.first[1:], len(sums)) - 1][self.owner])

    def best(self, cuts: Cuts, worth: Floats, least: int) -> Cuts:
        """The cut of greatest worth in each class, the first of equal ones; worth 0 where no cut is worth anything."""
        rows = self.sizes[self.owner]
        fits = self.allowed & (self.left >= least) & (rows - self.left >= least)
        worth = np.where(fits, worth, 0.0)
        order = np.lexsort((np.arange(len(worth)), -np.round(worth, 9), self.owner))
        run = order[self.first]
        after = np.minimum(run + 1, len(self.code) - 1)
        left = np.where(worth[run] > 0, self.left[run], 0)
        return replace(
            cuts,
            at=self.code[run],
            after=self.code[after],
            left=left,
            distinct_left=run - self.first + 1,
            worth=worth[run],
        )


@dataclass(frozen=True, eq=False)
class QueryCuts:
    """Of how many records a query is no longer in doubt: its selection holds their box, or does not overlap it."""

    wanted: Sequence[Mapping[int, Bools]]
    """For each query and place of a quasi column: which codes it asks for."""
    weights: Floats
    """A record in doubt counts by the share it is of the answer."""
    least: int

    @classmethod
    def of(cls, table: Table, queries: Sequence[Mapping[str, str]], least: int) -> QueryCuts:
        quasi = table.schema.quasi
        known = [*quasi, *table.schema.sensitive]
        wanted, weights = [], []
        for query in queries:
            if unknown := sorted(set(query) - set(known)):
                problem = f"queries ask for {', '.join(unknown)}"
                raise PolicyError(f"mondrian — {problem} — quasi and sensitive columns can be asked for")
            codes = {name: _selected(table.columns[name], text) for name, text in query.items()}
            fitting = np.ones(table.rows, dtype=bool)
            for name, selected in codes.items():
                fitting &= selected[table.columns[name].codes]
            weights.append(1 / max(1, int(fitting.sum())))
            wanted.append({quasi.index(name): selected for name, selected in codes.items() if name in quasi})
        return cls(wanted, np.array(weights), least)

    def __call__(self, middles: CandidateCuts, active: Classes) -> list[Cuts]:
        doubts = [_DoubtfulClasses.of(query, middles) for query in self.wanted]
        proposals = []
        for cuts in middles:
            asking = [(w, d) for w, d in enumerate(doubts) if cuts.place in self.wanted[w] and len(d.classes)]
            if asking:
                proposals.append(self._best(cuts, active, asking))
        return proposals

    def _best(self, cuts: Cuts, active: Classes, asking: Sequence[tuple[int, _DoubtfulClasses]]) -> Cuts:
        """The border in this column at which the queries that ask for it are cleared of most doubt."""
        chosen = [self.wanted[w][cuts.place] for w, _ in asking]
        borders = np.unique(np.concatenate([np.flatnonzero(one[1:] != one[:-1]) for one in chosen]))
        count, sizes = active.count, active.sizes[:, None]
        if not len(borders):
            return replace(cuts, worth=np.zeros(count), left=np.zeros(count, dtype=np.int64))
        between = np.searchsorted(borders, cuts.column.codes[active.order])
        cells = np.bincount(active.class_of * (len(borders) + 1) + between, minlength=count * (len(borders) + 1))
        left = np.cumsum(cells.reshape(count, -1), axis=1)[:, :-1]
        worth = np.zeros(left.shape)
        for (w, doubt), selected in zip(asking, chosen, strict=True):
            classes, held_elsewhere = doubt.classes, doubt.held_elsewhere[cuts.place][:, None]
            low, high = cuts.low[classes, None], cuts.high[classes, None]
            at = np.clip(borders[None, :], low, high)
            rows = left[classes]
            cleared = np.where(_clear(selected, low, at, held_elsewhere), rows, 0)
            cleared = cleared + np.where(
                _clear(selected, np.minimum(at + 1, high), high, held_elsewhere), sizes[classes] - rows, 0
            )
            worth[classes] += self.weights[w] * cleared
        if cuts.column.levels is not None:
            worth[~_between_children(cuts, borders)] = 0.0
        worth[(left < self.least) | (sizes - left < self.least)] = 0.0
        best, every = np.round(worth, 12).argmax(axis=1), np.arange(count)
        greatest = worth[every, best]
        taken = np.where(greatest > 0, left[every, best], 0)
        return replace(cuts, at=borders[best], after=borders[best] + 1, left=taken, worth=greatest)


@dataclass(frozen=True, eq=False)
class _DoubtfulClasses:
    """The classes whose box a query overlaps but does not hold."""

    classes: Ints
    held_elsewhere: Mapping[int, Bools]
    """For each column it asks for: is the box of these classes held in all the others?"""

    @classmethod
    def of(cls, query: Mapping[int, Bools], middles: CandidateCuts) -> _DoubtfulClasses:
        overlaps = np.ones(len(middles[0].low), dtype=bool)
        held = {}
        for place, selected in query.items():
            low, high = middles[place].low, middles[place].high
            inside = _inside(selected, low, high)
            overlaps &= inside > 0
            held[place] = inside == high - low + 1
        not_held = np.sum([~one for one in held.values()], axis=0) if held else np.zeros(len(overlaps), dtype=np.int64)
        classes = np.flatnonzero(overlaps & (not_held > 0))
        return cls(classes, {place: (not_held - ~one)[classes] == 0 for place, one in held.items()})


def _clear(selected: Bools, low: Ints, high: Ints, held: Bools) -> Bools:
    """Is a query of this selection in no doubt about the codes low … high, if its other columns hold the box?"""
    inside = _inside(selected, low, high)
    return np.asarray((inside == 0) | (held & (inside == high - low + 1)))


def _between_children(cuts: Cuts, borders: Ints) -> Bools:
    """Class × border: does it lie between two children of the class's lowest common ancestor?"""
    nodes = cuts.column.tree.nodes
    level = np.zeros(len(cuts.low), dtype=np.int64)
    for step, line in enumerate(nodes):
        level[line[cuts.low] != line[cuts.high]] = step
    apart: Bools = nodes[level[:, None], borders] != nodes[level[:, None], borders + 1]
    return apart


def _selected(column: Column, text: str) -> Bools:
    """Which codes a cell asks for."""
    places = Line.of(column).places
    return query_regions(column, [text]).hold(np.zeros(len(places), dtype=np.intp), places)


def _inside(selected: Bools, low: Ints, high: Ints) -> Ints:
    """How many of the codes low … high are asked for."""
    up_to = np.concatenate([[0], np.cumsum(selected)])
    return np.asarray(up_to[high + 1] - up_to[low])


def _within(values: Ints, group: Ints) -> Ints:
    """The running sum of whole numbers, begun anew in each run of equal groups."""
    up_to = np.cumsum(values)
    first = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])[: len(group)])
    before = np.repeat(up_to[first] - values[first], np.diff(np.append(first, len(group))))
    return np.asarray(up_to - before)


def _plogp(counts: Ints) -> Floats:
    counts = np.asarray(counts, dtype=np.float64)
    return np.asarray(counts * np.log2(np.maximum(counts, 1.0)))


def _square(total: Ints, count: Ints) -> Floats:
    """total² / count, as floating point: whole numbers would overflow."""
    exact = total.astype(np.float64)
    return np.asarray(exact * exact / np.maximum(count, 1))
