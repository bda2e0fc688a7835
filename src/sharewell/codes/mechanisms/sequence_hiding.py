"""Sequence hiding: as few codes as possible are deleted from visits until listed sequences of codes are rare.

## Guarantee
Hidden patterns of kind `sequence`: no listed sequence is in more persons' visits than allowed. Visits stay in their
order, lose codes and gain none, and no sequence becomes more frequent.

## Adversary
That of hidden patterns: mines the visits for frequent sequences.

## What it does not protect
Identity: visits in their order identify more than sets of codes do. A visit that loses all its codes is not shown;
codes that stand in no visit are not published.

## Parameters
objective: "distortion" (default) deletes as little as possible. "side-effects" deletes where other frequent sequences
suffer least, of one code or of two that follow each other.
frequent: for side-effects, in how many records a sequence is frequent; by itself one in a hundred, and more than any
bound that is asked for.

## Worked example
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

## Why it is safe
In each record every way to find the sequence is a path through the visits, part by part. The cheapest cut breaks all of
them. It is the smallest there is if no code stands in two parts of the sequence; else it is a cut without needless
deletions. The records with the cheapest cuts are taken, so one sequence without repeated codes is hidden with the
fewest deletions possible. Deletions never make a sequence more frequent, so each is hidden once. The criteria are
checked before the result is returned.

## Cost
For each sequence O(places of its codes) in the records that have it, and sorting them. For side-effects, eight times
that, with the other codes of the record; and once all pairs of codes of the records that hold a listed code.

## Source
Gkoulalas-Divanis and Loukides, KDD 2011: sequences as graphs, and the two objectives. Their algorithms were not
available. Finding the cut as a shortest path, the weighing of side effects, and visits as sets of codes are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criteria, Declared, Key, Mechanism, Protected, refuse_failing
from sharewell.codes.criteria.hidden_patterns import HiddenPattern
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.protection import pattern_deletion
from sharewell.codes.engine.protection.pattern_deletion import HidingDetails, Objective
from sharewell.codes.engine.protection.sequence_cut import Node, cheapest_cut, passable
from sharewell.codes.engine.sequences import Spans, Timeline

_ROUNDS = 8
"""How often the least harmful deletions are computed anew while one sequence is hidden."""
_FINE, _COARSE = 1_000_000, 10_000
"""Harm is weighed in millionths; of equal harm, fewer deletions are better."""
Parts = tuple[tuple[int, ...], ...]
"""A sequence by the numbers of its codes."""


@dataclass(frozen=True)
class SequenceHiding(Declared, Mechanism[CodeSets]):
    """Sequences hidden by deletion."""

    objective: Objective = "distortion"
    frequent: Count | None = None

    engine: ClassVar[str] = "shows"

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        criteria = pattern_deletion.patterns_to_hide(self, data, must, ("sequence",))
        timeline = Timeline.of(data, self.name)
        listed, most = _listed(data, criteria)
        others = None
        if self.objective == "side-effects":
            others = _WatchedSequences(timeline, listed, pattern_deletion.frequent_from(self.frequent, data, criteria))
        work = _VisitDeletion(timeline, listed, others)
        before = sum(len(holders) > bound for holders, bound in zip(work.holders, most, strict=True))
        for number in sorted(range(len(listed)), key=lambda i: (most[i] - len(work.holders[i]), i)):
            work.hide(number, most[number])
        released = _published(self.name, data, work.alive)
        refuse_failing(self.name, released, criteria)
        visits, deleted = timeline.visits, ~work.alive
        details = HidingDetails(
            patterns=sum(len(criterion.patterns) for criterion in criteria),
            shown_before=before,
            deleted=int(deleted.sum()),
            changed_records=len(np.unique(visits.owner[visits.sets.row_of[deleted]])),
            watched=None if others is None else int((others.before >= others.least).sum()),
            lost=None if others is None else others.lost,
            outside_visits=len(data.sets.items) - len(visits.by_person(data.records).items),
        )
        return Protected(released, details, np.arange(data.records))


def _listed(data: CodeSets, criteria: Sequence[HiddenPattern]) -> tuple[list[Parts], list[int]]:
    """(sequences whose codes all occur, in how many records each may be)."""
    number = {code: i for i, code in enumerate(data.names)}
    sequences, most = [], []
    for criterion in criteria:
        for parts in criterion.patterns:
            if all(code in number for part in parts for code in part):
                sequences.append(tuple(tuple(number[code] for code in part) for part in parts))
                assert criterion.max_support is not None  # of sequences nothing else can be bounded
                most.append(criterion.max_support)
    return sequences, most


def _published(name: str, data: CodeSets, alive: NDArray[np.bool_]) -> CodeSets:
    """What is left of the visits, and of each record the codes that it has in some visit."""
    assert data.visits is not None
    visits = data.visits.kept(alive)
    released = pattern_deletion.published(name, data, visits.by_person(data.records))
    place = {label: i for i, label in enumerate(released.names)}
    number = np.array([place.get(write_label([code]), -1) for code in data.names], dtype=np.int64)
    return replace(released, visits=visits.renumbered(number))


Events = dict[int, list[tuple[int, int]]]
"""For each code of a record (place in time, item of the visits), the earliest first."""


class _VisitDeletion:
    """Visits while codes are deleted: what is left of them, and who has which sequence."""

    def __init__(self, timeline: Timeline, listed: list[Parts], others: _WatchedSequences | None) -> None:
        self.listed, self.others, self.width = listed, others, timeline.width
        self.names, self.sets = timeline.data.names, timeline.visits.sets
        self.alive: NDArray[np.bool_] = np.ones(len(self.sets.items), dtype=bool)
        self.places = timeline.places
        owner, records = timeline.visits.owner, np.arange(timeline.data.records + 1)
        self.starts = self.sets.starts[np.searchsorted(owner, records)]
        named = [tuple(tuple(self.names[item] for item in part) for part in parts) for parts in listed]
        self.holders = [set(timeline.holders(parts).tolist()) for parts in named]
        self.support = np.bincount(self.sets.items, minlength=len(self.names)).tolist()

    def events(self, record: int) -> Events:
        span = slice(self.starts[record], self.starts[record + 1])
        events: Events = {}
        places = np.flatnonzero(self.alive[span]) + span.start
        for item, place, event in zip(
            self.sets.items[places].tolist(), self.places[places].tolist(), places.tolist(), strict=True
        ):
            events.setdefault(item, []).append((place, event))
        return events

    def hide(self, number: int, most: int) -> None:
        """Break a sequence in the records where that is cheapest."""
        rounds = 1 if self.others is None else _ROUNDS
        while (excess := len(self.holders[number]) - most) > 0:
            ranked = sorted(self._cut(record, number) for record in self.holders[number])
            step = max(1, -(-excess // rounds))
            rounds = max(1, rounds - 1)
            for _, _, _, record, deleted in ranked[: min(step, excess)]:
                self._delete(record, deleted)

    def _cut(self, record: int, number: int) -> tuple[int, int, tuple[tuple[int, int], ...], int, tuple[int, ...]]:
        """(cost, events, what the record holds, the record, what to delete): by what is cheapest, then by content."""
        events, parts = self.events(record), self.listed[number]
        cost, nodes = cheapest_cut(self._layers(events, parts))
        deleted = sorted({node.event for node in nodes})
        if len({item for part in parts for item in part}) < sum(map(len, parts)):
            deleted = self._needed(events, parts, deleted)
            cost = sum(self._weights(events, parts)[event] for event in deleted)
        places = [(place, item) for item, occurrences in events.items() for place, _ in occurrences]
        begin = min(places, default=(0, 0))[0] // self.width * self.width
        content = tuple(sorted((place - begin, item) for place, item in places))
        return cost, len(content), content, record, tuple(deleted)

    def _layers(self, events: Events, parts: Parts, deleted: frozenset[int] = frozenset()) -> list[list[Node]]:
        """The nodes of each part; of several codes in a visit the one that costs least would be deleted."""
        weigh = self._weights(events, parts)
        layers = []
        for part in parts:
            by_visit: dict[int, list[tuple[int, int, int]]] = {}
            for item in part:
                for place, event in events.get(item, ()):
                    if event not in deleted:
                        by_visit.setdefault(place // self.width, []).append((place, event, item))
            layer = []
            for _, in_visit in sorted(by_visit.items()):
                if len(in_visit) == len(part):
                    places = [place for place, _, _ in in_visit]
                    _, event, _ = min(in_visit, key=lambda e: (weigh[e[1]], -self.support[e[2]], self.names[e[2]]))
                    layer.append(Node(min(places), max(places), weigh[event], event))
            layers.append(layer)
        return layers

    def _weights(self, events: Events, parts: Parts) -> dict[int, int]:
        """What deleting each event of a listed code costs."""
        listed = {item for part in parts for item in part}
        weights = {event: 1 for item in listed for _, event in events.get(item, ())}
        if self.others is not None:
            for item in listed:
                for event, harm in self.others.harm(events, item).items():
                    weights[event] += round(harm * _FINE) * _COARSE
        return weights

    def _needed(self, events: Events, parts: Parts, deleted: list[int]) -> list[int]:
        """A cut without what is not needed: where a code stands in two parts, one deletion may do for both."""
        needed = list(deleted)
        for event in deleted:
            rest = [other for other in needed if other != event]
            if not passable(self._layers(events, parts, frozenset(rest))):
                needed = rest
        return needed

    def _delete(self, record: int, deleted: Sequence[int]) -> None:
        before = self.events(record)
        self.alive[list(deleted)] = False
        after = self.events(record)
        if self.others is not None:
            self.others.lose(before, after, {int(self.sets.items[event]) for event in deleted})
        for number, parts in enumerate(self.listed):
            if record in self.holders[number] and not passable(self._layers(after, parts)):
                self.holders[number].remove(record)


class _WatchedSequences:
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
        pairs = [sequence[0] * self.universe + sequence[1] for sequence in sensitive if len(sequence) == 2]
        alone = {sequence[0] for sequence in sensitive if len(sequence) == 1}
        kept = (supports >= least) & ~np.isin(keys, pairs)
        kept &= ~np.isin(keys // self.universe, list(alone)) & ~np.isin(keys % self.universe, list(alone))
        singles = singles[(common[singles] >= least) & ~np.isin(singles, list(alone))]
        followers = [(x, y) for x, y in zip(*np.divmod(keys[kept], self.universe), strict=True)]
        self.number = {(int(x), int(y)): i for i, (x, y) in enumerate(followers)}
        self.number |= {(int(x), -1): len(followers) + i for i, x in enumerate(singles)}
        self.before = np.concatenate([supports[kept], common[singles]])
        self.now = self.before.copy()
        self._weights = dict(enumerate(pattern_deletion.weights(self.now, least).tolist()))

    @property
    def lost(self) -> int:
        return int((self.now < self.least).sum())

    def harm(self, events: Events, item: int) -> dict[int, float]:
        """What is lost with the first or the last event of a code; those between carry nothing alone."""
        own_events = events.get(item, [])
        before = self._held(events, item, own_events)
        harm = {}
        for event in sorted({event for _, event in (*own_events[:1], *own_events[-1:])}):
            kept = self._held(events, item, [other for other in own_events if other[1] != event])
            harm[event] = sum(self._weights[i] for i in before - kept)
        return harm

    def lose(self, before: Events, after: Events, items: set[int]) -> None:
        """What a record no longer holds."""
        lost = set().union(*(self._held(before, item, before.get(item, [])) for item in items))
        lost -= set().union(*(self._held(after, item, after.get(item, [])) for item in items))
        numbers = np.array(sorted(lost), dtype=np.int64)
        self.now[numbers] -= 1
        harm = pattern_deletion.weights(self.now[numbers], self.least)
        self._weights.update(zip(numbers.tolist(), harm.tolist(), strict=True))

    def _held(self, events: Events, item: int, own_events: list[tuple[int, int]]) -> set[int]:
        """The sequences with a code that a record has, if these are the code's events."""
        if not own_events:
            return set()
        pairs = [(item, -1)]
        first, last = own_events[0][0], own_events[-1][0]
        for other, other_events in events.items():
            if other != item:
                pairs += [(item, other)] * (first < other_events[-1][0]) + [(other, item)] * (other_events[0][0] < last)
        pairs += [(item, item)] * (first < last)
        return {self.number[pair] for pair in pairs if pair in self.number}
