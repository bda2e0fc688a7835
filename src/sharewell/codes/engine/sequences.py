"""The records that have a sequence of codes: parts that follow each other in time, each within one visit.

Every code that was written down has a place in time, a number. Codes of a visit without an order have the same place.
One part follows another if all its places come after; so in a visit with an order one code can follow another, and
in one without an order none can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.combinations import Pattern
from sharewell.codes.engine.visits import Visits
from sharewell.errors import PolicyError

_AT_ONCE = 4_000_000
"""Pairs of codes processed at a time."""


@dataclass(frozen=True, eq=False)
class Timeline:
    """What was coded at which places, by label."""

    data: CodeSets
    visits: Visits

    @classmethod
    def of(cls, data: CodeSets, name: str) -> Timeline:
        if data.visits is None:
            problem = "sequences need visits in time order, and the data has none"
            raise PolicyError(f"{name} — {problem} — name the visit or the date column, or choose another kind")
        return cls(data, data.visits)

    @cached_property
    def width(self) -> int:
        """Places of a visit."""
        return max(1, self.visits.sets.longest) if self.visits.ordered else 1

    @cached_property
    def places(self) -> Ints:
        """The place of each item of the visits."""
        place = self.visits.places if self.visits.places is not None else 0
        return self.visits.sets.row_of * self.width + place

    @cached_property
    def _by_label(self) -> tuple[Ints, Ints]:
        """(where the items of each label begin, the places of items by label)."""
        items = self.visits.sets.items
        order = np.argsort(items, kind="stable")
        starts = np.searchsorted(items[order], np.arange(len(self.data.names) + 1))
        return starts, self.places[order]

    def places_of(self, code: str) -> Ints:
        """The places where a code may stand, rising."""
        starts, places = self._by_label
        lists = [places[starts[label] : starts[label + 1]] for label in self.data.labels_of.get(code, [])]
        if len(lists) == 1:
            return lists[0]
        return np.unique(np.concatenate([*lists, np.zeros(0, dtype=np.int64)]))

    def holders(self, pattern: Pattern) -> Ints:
        """The records that have a sequence: of each part, the earliest that follows what was found before is enough."""
        records = self.data.atoms.holding({code for part in pattern for code in part}).astype(np.int64)
        reached = np.searchsorted(self.visits.owner, records) * self.width - 1
        limit = np.searchsorted(self.visits.owner, records, side="right") * self.width
        for part in pattern:
            reached = self._next(part, reached, limit)
            reachable = reached >= 0
            records, reached, limit = records[reachable], reached[reachable], limit[reachable]
        return records

    def _next(self, part: Sequence[str], after: Ints, limit: Ints) -> Ints:
        """Where each record first has all codes of a part in one visit after a place; −1 if nowhere."""
        beyond = np.iinfo(np.int64).max
        lists = [np.append(self.places_of(code), beyond) for code in part]
        reached, todo, low = np.full(len(after), -1), np.arange(len(after)), after.copy()
        while len(todo):
            ahead = np.stack([places[np.searchsorted(places, low[todo], side="right")] for places in lists])
            last = ahead.max(axis=0)
            in_record = last < limit[todo]
            todo, last, first = todo[in_record], last[in_record], ahead.min(axis=0)[in_record]
            together = first // self.width == last // self.width
            reached[todo[together]] = last[together]
            todo, last = todo[~together], last[~together]
            low[todo] = last // self.width * self.width - 1  # nothing before that visit can hold them all
        return reached


@dataclass(frozen=True, eq=False)
class Spans:
    """For each record its different codes, and where each of them stands first and last."""

    sets: Sets
    first: Ints
    last: Ints

    @classmethod
    def of(cls, timeline: Timeline, among: NDArray[np.bool_] | None = None) -> Spans:
        """The spans of all labels, or of those that `among` marks."""
        visits, universe = timeline.visits, max(1, len(timeline.data.names))
        keys = visits.owner[visits.sets.row_of] * universe + visits.sets.items
        places = timeline.places
        if among is not None:
            keys, places = keys[among[visits.sets.items]], places[among[visits.sets.items]]
        order = np.lexsort((places, keys))
        keys, places = keys[order], places[order]
        is_last = np.append(keys[1:] != keys[:-1], True)[: len(keys)]
        begins = np.append(True, is_last[:-1])[: len(keys)]
        owner, item = np.divmod(keys[begins], universe)
        starts = np.searchsorted(owner, np.arange(timeline.data.records + 1)).astype(np.int64)
        return cls(Sets(starts, item.astype(np.int32)), places[begins], places[is_last])

    def take(self, rows: Ints) -> Spans:
        """Some of the records."""
        places = Sets(self.sets.starts, np.arange(len(self.sets.items), dtype=np.int32)).take(rows).items
        return Spans(self.sets.take(rows), self.first[places], self.last[places])

    def pairs(self, universe: int, touching: NDArray[np.bool_] | None = None) -> tuple[Ints, Ints]:
        """(pairs x > y as x · universe + y, in how many records); with `touching`, those with one of these codes."""
        parts = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]
        for keys in self._pairs(universe, touching):
            parts.append(np.unique(keys, return_counts=True))
            if sum(len(pairs) for pairs, _ in parts) > _AT_ONCE:
                parts = [_summed(parts)]
        return _summed(parts)

    def _pairs(self, universe: int, touching: NDArray[np.bool_] | None) -> Iterator[Ints]:
        for length in np.unique(self.sets.lengths).tolist():
            rows = np.flatnonzero(self.sets.lengths == length)
            step = max(1, _AT_ONCE // max(1, length * length))
            for start in range(0, len(rows), step):
                places = self.sets.starts[rows[start : start + step]][:, None] + np.arange(length)
                items = self.sets.items[places].astype(np.int64)
                follows = self.first[places][:, :, None] < self.last[places][:, None, :]
                if touching is not None:
                    follows &= touching[items][:, :, None] | touching[items][:, None, :]
                yield (items[:, :, None] * universe + items[:, None, :])[follows]


def _summed(parts: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    keys, number = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    counts = np.bincount(number, weights=np.concatenate([counts for _, counts in parts]), minlength=len(keys))
    return keys, counts.astype(np.int64)
