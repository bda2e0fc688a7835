"""Sequence hiding: as little as possible is deleted from visits until listed sequences of codes are rare.

Guarantee
---------
Hidden patterns of kind `sequence`: no listed sequence is in more persons' visits than allowed. Visits stay in their
order, lose codes and gain none, and no sequence becomes more frequent.

Adversary
---------
That of hidden patterns: mines the visits for frequent sequences.

What it does not protect
------------------------
Identity: visits in their order identify more than sets of codes do. A visit that loses all its codes is not shown;
codes that stand in no visit are not published.

Parameters
----------
objective: "distortion" (default) deletes as little as possible. "side-effects" deletes where other frequent sequences
suffer least, of one code or of two that follow each other.
frequent: for side-effects, in how many records a sequence is frequent; by itself one in a hundred, and more than any
bound that is asked for.

Worked example
--------------
250 came before 428 in three patients' visits. In one it may.

>>> from sharewell.codes import CodeSets, HiddenPattern
>>> data = CodeSets.of_visits([[["250"], ["428"]], [["250"], ["250"], ["428"], ["250"]],
...                            [["250"], ["428"], ["250"], ["428"]], [["428"], ["250"]]])
>>> hidden = SequenceHiding().protect(data, [HiddenPattern(["250 > 428"], max_support=1, kind="sequence")])
>>> for visits in hidden.data.visits.listed(hidden.data.names, 4): print(visits)
[['428']]
[['250'], ['250'], ['250']]
[['250'], ['428'], ['250'], ['428']]
[['428'], ['250']]

The third patient would have had to lose two codes, the others lost one each.

Why it is safe
--------------
In each record every way to find the sequence is a path through the visits, part by part. The cheapest cut breaks all of
them. It is the smallest there is if no code stands in two parts of the sequence; else it is a cut without needless
deletions. The records with the cheapest cuts are taken, so one sequence without repeated codes is hidden with the
fewest deletions possible. Deletions never make a sequence more frequent, so each is hidden once. The criteria are
checked before the result is returned.

Cost
----
For each sequence O(places of its codes) in the records that have it, and sorting them. For side-effects, eight times
that, with the other codes of the record; and once all pairs of codes of the records that hold a listed code.

Source
------
Gkoulalas-Divanis and Loukides, KDD 2011: sequences as graphs, and the two objectives. Their algorithms were not
available. Finding the cut as a shortest path, the weighing of side effects, and visits as sets of codes are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.criteria.hidden_patterns import HiddenPattern
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.protection.pattern_deletion import (
    HidingDetails,
    Objective,
    asked,
    frequent_from,
    published,
    weights,
)
from sharewell.codes.engine.protection.requirements import Criteria
from sharewell.codes.engine.protection.sequence_cut import Node, cheapest_cut, passable
from sharewell.codes.engine.sequences import Spans, Timeline
from sharewell.keys import Key
from sharewell.output_check import refuse_failing
from sharewell.parameters import Count, Declared
from sharewell.protocols import Mechanism, Protected

_ROUNDS = 8
"""How often, while one sequence is hidden, it is asked anew what does least harm."""
_FINE, _COARSE = 1_000_000, 10_000
"""Harm is weighed in millionths; of equal harm, fewer deletions are better."""
Parts = tuple[tuple[int, ...], ...]
"""A sequence by the numbers of its codes."""


@dataclass(frozen=True)
class SequenceHiding(Declared, Mechanism[CodeSets]):
    """Sequences hidden by deletion."""

    objective: Objective = "distortion"
    frequent: Count | None = None

    name: ClassVar[str] = "sequence-hiding"
    engine: ClassVar[str] = "shows"

    def protect(self, data: CodeSets, must: Criteria, key: Key | None = None) -> Protected[CodeSets]:
        criteria = asked(self, data, must, ("sequence",))
        timeline = Timeline.of(data, self.name)
        listed, most = _listed(data, criteria)
        others = None
        if self.objective == "side-effects":
            others = _Others(timeline, listed, frequent_from(self.frequent, data, criteria))
        work = _Work(timeline, listed, others)
        before = sum(len(found) > bound for found, bound in zip(work.holders, most, strict=True))
        for which in sorted(range(len(listed)), key=lambda i: (most[i] - len(work.holders[i]), i)):
            work.hide(which, most[which])
        released = _published(self.name, data, work.alive)
        refuse_failing(self.name, released, criteria)
        visits, gone = timeline.visits, ~work.alive
        details = HidingDetails(
            patterns=sum(len(one.patterns) for one in criteria),
            shown_before=before,
            deleted=int(gone.sum()),
            changed_records=len(np.unique(visits.owner[visits.sets.row_of[gone]])),
            watched=None if others is None else int((others.before >= others.least).sum()),
            lost=None if others is None else others.lost,
            outside_visits=len(data.sets.items) - len(visits.by_person(data.records).items),
        )
        return Protected(released, details, np.arange(data.records))


def _listed(data: CodeSets, criteria: Sequence[HiddenPattern]) -> tuple[list[Parts], list[int]]:
    """(sequences whose codes all occur, in how many records each may be)."""
    number = {code: i for i, code in enumerate(data.names)}
    found, most = [], []
    for criterion in criteria:
        for parts in criterion.patterns:
            if all(code in number for part in parts for code in part):
                found.append(tuple(tuple(number[code] for code in part) for part in parts))
                assert criterion.max_support is not None  # of sequences nothing else can be bounded
                most.append(criterion.max_support)
    return found, most


def _published(name: str, data: CodeSets, alive: NDArray[np.bool_]) -> CodeSets:
    """What is left of the visits, and of each record the codes that it has in some visit."""
    assert data.visits is not None
    visits = data.visits.kept(alive)
    released = published(name, data, visits.by_person(data.records))
    place = {label: i for i, label in enumerate(released.names)}
    number = np.array([place.get(write_label([code]), -1) for code in data.names], dtype=np.int64)
    return replace(released, visits=visits.renumbered(number))


Events = dict[int, list[tuple[int, int]]]
"""For each code of a record (place in time, item of the visits), the earliest first."""


class _Work:
    """Visits at work: what of them is still there, and who has which sequence."""

    def __init__(self, timeline: Timeline, listed: list[Parts], others: _Others | None) -> None:
        self.listed, self.others, self.width = listed, others, timeline.width
        self.names, self.sets = timeline.data.names, timeline.visits.sets
        self.alive: NDArray[np.bool_] = np.ones(len(self.sets.items), dtype=bool)
        self.places = timeline.places
        owner, records = timeline.visits.owner, np.arange(timeline.data.records + 1)
        self.starts = self.sets.starts[np.searchsorted(owner, records)]
        named = [tuple(tuple(self.names[item] for item in part) for part in parts) for parts in listed]
        self.holders = [set(timeline.having(parts).tolist()) for parts in named]
        self.support = np.bincount(self.sets.items, minlength=len(self.names)).tolist()

    def events(self, record: int) -> Events:
        inside = slice(self.starts[record], self.starts[record + 1])
        found: Events = {}
        there = np.flatnonzero(self.alive[inside]) + inside.start
        for item, place, event in zip(
            self.sets.items[there].tolist(), self.places[there].tolist(), there.tolist(), strict=True
        ):
            found.setdefault(item, []).append((place, event))
        return found

    def hide(self, which: int, most: int) -> None:
        """Break a sequence in the records where that is cheapest."""
        rounds = 1 if self.others is None else _ROUNDS
        while (excess := len(self.holders[which]) - most) > 0:
            ranked = sorted(self._cut(record, which) for record in self.holders[which])
            step = max(1, -(-excess // rounds))
            rounds = max(1, rounds - 1)
            for _, _, _, record, gone in ranked[: min(step, excess)]:
                self._delete(record, gone)

    def _cut(self, record: int, which: int) -> tuple[int, int, tuple[tuple[int, int], ...], int, tuple[int, ...]]:
        """(cost, events, what the record holds, the record, what to delete): by what is cheapest, then by content."""
        events, parts = self.events(record), self.listed[which]
        cost, nodes = cheapest_cut(self._layers(events, parts))
        gone = sorted({node.event for node in nodes})
        if len({item for part in parts for item in part}) < sum(map(len, parts)):
            gone = self._needed(events, parts, gone)
            cost = sum(self._weights(events, parts)[event] for event in gone)
        begin = min((place for found in events.values() for place, _ in found), default=0) // self.width * self.width
        content = tuple(sorted((place - begin, item) for item, found in events.items() for place, _ in found))
        return cost, len(content), content, record, tuple(gone)

    def _layers(self, events: Events, parts: Parts, gone: frozenset[int] = frozenset()) -> list[list[Node]]:
        """The nodes of each part; of several codes in a visit the one that costs least would be deleted."""
        weigh = self._weights(events, parts)
        layers = []
        for part in parts:
            by_visit: dict[int, list[tuple[int, int, int]]] = {}
            for item in part:
                for place, event in events.get(item, ()):
                    if event not in gone:
                        by_visit.setdefault(place // self.width, []).append((place, event, item))
            layer = []
            for _, found in sorted(by_visit.items()):
                if len(found) == len(part):
                    places = [place for place, _, _ in found]
                    _, event, _ = min(found, key=lambda one: (weigh[one[1]], -self.support[one[2]], self.names[one[2]]))
                    layer.append(Node(min(places), max(places), weigh[event], event))
            layers.append(layer)
        return layers

    def _weights(self, events: Events, parts: Parts) -> dict[int, int]:
        """What deleting each event of a listed code costs."""
        listed = {item for part in parts for item in part}
        found = {event: 1 for item in listed for _, event in events.get(item, ())}
        if self.others is not None:
            for item in listed:
                for event, harm in self.others.harm(events, item).items():
                    found[event] += round(harm * _FINE) * _COARSE
        return found

    def _needed(self, events: Events, parts: Parts, gone: list[int]) -> list[int]:
        """A cut without what is not needed: where a code stands in two parts, one deletion may do for both."""
        needed = list(gone)
        for event in gone:
            rest = [other for other in needed if other != event]
            if not passable(self._layers(events, parts, frozenset(rest))):
                needed = rest
        return needed

    def _delete(self, record: int, gone: Sequence[int]) -> None:
        before = self.events(record)
        self.alive[list(gone)] = False
        after = self.events(record)
        if self.others is not None:
            self.others.lose(before, after, {int(self.sets.items[event]) for event in gone})
        for which, parts in enumerate(self.listed):
            if record in self.holders[which] and not passable(self._layers(after, parts)):
                self.holders[which].remove(record)


class _Others:
    """Frequent sequences of one or two codes, one of them listed, that are to stay frequent."""

    def __init__(self, timeline: Timeline, listed: Sequence[Parts], least: int) -> None:
        self.least, self.universe = least, len(timeline.data.names)
        touching = np.zeros(self.universe, dtype=bool)
        touching[[item for parts in listed for part in parts for item in part]] = True
        spans = Spans.of(timeline)
        rows = np.unique(spans.sets.row_of[touching[spans.sets.items]])
        common = np.bincount(spans.sets.items, minlength=self.universe)
        keys, supports = spans.take(rows).pairs(self.universe, touching)
        singles = np.flatnonzero(touching)
        sensitive = {tuple(part[0] for part in parts) for parts in listed if all(len(part) == 1 for part in parts)}
        pairs = [one[0] * self.universe + one[1] for one in sensitive if len(one) == 2]
        alone = {one[0] for one in sensitive if len(one) == 1}
        kept = (supports >= least) & ~np.isin(keys, pairs)
        kept &= ~np.isin(keys // self.universe, list(alone)) & ~np.isin(keys % self.universe, list(alone))
        singles = singles[(common[singles] >= least) & ~np.isin(singles, list(alone))]
        told = [(x, y) for x, y in zip(*np.divmod(keys[kept], self.universe), strict=True)]
        self.number = {(int(x), int(y)): i for i, (x, y) in enumerate(told)}
        self.number |= {(int(x), -1): len(told) + i for i, x in enumerate(singles)}
        self.before = np.concatenate([supports[kept], common[singles]])
        self.now = self.before.copy()
        self._weights = weights(self.now, least).tolist()

    @property
    def lost(self) -> int:
        return int((self.now < self.least).sum())

    def harm(self, events: Events, item: int) -> dict[int, float]:
        """What is lost with the first or the last event of a code; those between carry nothing alone."""
        found = events.get(item, [])
        held = self._held(events, item, found)
        ends = {event for _, event in (*found[:1], *found[-1:])}
        return {
            event: sum(
                self._weights[i] for i in held - self._held(events, item, [one for one in found if one[1] != event])
            )
            for event in sorted(ends)
        }

    def lose(self, before: Events, after: Events, items: set[int]) -> None:
        """What a record no longer holds."""
        held = set().union(*(self._held(before, item, before.get(item, [])) for item in items))
        held -= set().union(*(self._held(after, item, after.get(item, [])) for item in items))
        gone = np.array(sorted(held), dtype=np.int64)
        self.now[gone] -= 1
        for i, weight in zip(gone.tolist(), weights(self.now[gone], self.least).tolist(), strict=True):
            self._weights[i] = weight

    def _held(self, events: Events, item: int, found: list[tuple[int, int]]) -> set[int]:
        """The sequences with a code that a record has, if these are the code's events."""
        if not found:
            return set()
        pairs = [(item, -1)]
        first, last = found[0][0], found[-1][0]
        for other, those in events.items():
            if other != item:
                pairs += [(item, other)] * (first < those[-1][0]) + [(other, item)] * (those[0][0] < last)
        pairs += [(item, item)] * (first < last)
        return {self.number[pair] for pair in pairs if pair in self.number}
