"""Persons who are seen otherwise than nearly all of their group, and what to leave out so that they are seen alike.

Within a class some persons have a record in a dataset and others have none, and leaving facts out empties some records.
Fewer than k who are seen in the same way would stand out. Withholding them from all datasets costs most; it is often
cheaper to leave out what makes them different: their rows or words in one dataset, or the same of a few others.

Every step joins two ways to be seen: the persons of both, or as few of the larger as are needed, lose what the other
does not show. The cheapest step is taken first; withholding is one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import contained, distinct
from sharewell.joint.engine.joined_records import Ints, JoinedRecords

ABSENT, EMPTY, WITH_FACTS = 0, 1, 2
Seen = tuple[int, ...]
"""How somebody is seen in each part."""
WITHHELD: Seen = ()
Rule = Callable[[Sequence[int]], bool]
"""May these persons be a group: are they enough, and do they not give a sensitive value away?"""


@dataclass(frozen=True)
class _Step:
    cost: float
    to: Seen
    """How the persons are seen then; WITHHELD: in no dataset at all."""
    persons: tuple[int, ...]


def levelled(
    joined: JoinedRecords, k: int, allowed: Rule, wrong: NDArray[np.bool_], droppable: Sequence[bool]
) -> tuple[Ints, NDArray[np.bool_]]:
    """How everybody is to be seen in each part, and who is withheld, so that everybody is seen like enough others.

    wrong: the persons who are not. droppable: part by part, can a whole record go, so that the person is absent? Rows
    always can.
    """
    cost = _costs(joined)
    target, withheld = joined.seen.copy(), np.zeros(joined.persons, bool)
    classes = distinct(joined.alike[wrong])
    order = np.argsort(joined.alike, kind="stable")
    starts = np.searchsorted(joined.alike[order], classes, side="left")
    ends = np.searchsorted(joined.alike[order], classes, side="right")
    for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
        for person, to in _class(joined, order[begin:end], k, allowed, cost, droppable):
            if to == WITHHELD:
                withheld[person] = True
            else:
                target[person] = to
    return target, withheld


def _costs(joined: JoinedRecords) -> NDArray[np.float64]:
    """Person × part: the share of all facts of the part that the person has."""
    held = facts_held(joined)
    totals = held.sum(axis=0) if joined.totals is None else joined.totals
    return np.asarray(held / np.maximum(totals, 1))


def facts_held(joined: JoinedRecords) -> Ints:
    """Person × part: how many facts of the part the person has; and one column more, of ones."""
    held = []
    for i, part in enumerate(joined.parts):
        counts = np.diff(part.starts)
        if len(part.ways_seen):
            ways = joined.owners(i)[contained(part.items, part.ways_seen)]
            counts = counts - np.bincount(ways, minlength=joined.persons)
        held.append(counts)
    return np.stack([*held, np.ones(joined.persons, np.int64)], axis=1)


def _class(
    joined: JoinedRecords, persons: Ints, k: int, allowed: Rule, cost: NDArray[np.float64], droppable: Sequence[bool]
) -> Iterator[tuple[int, Seen]]:
    """(person, how they are to be seen) of one class, for everybody who changes."""
    groups: dict[Seen, list[int]] = {}
    for person in persons[np.argsort(joined.by_name[persons], kind="stable")].tolist():
        groups.setdefault(tuple(joined.seen[person].tolist()), []).append(person)
    known = ways_known(joined)
    while wrong := list(_wrong(groups, known, allowed)):
        together, _, least = min(wrong)
        steps = list(_steps(joined, groups, least, k - together, cost, droppable))
        best = min(steps, key=lambda step: (step.cost, step.to))
        moved = set(best.persons)
        for seen in groups:
            groups[seen] = [person for person in groups[seen] if person not in moved]
        groups.setdefault(best.to, []).extend(best.persons)
    for seen, members in groups.items():
        for person in members:
            if seen == WITHHELD or tuple(joined.seen[person].tolist()) != seen:
                yield person, seen


def ways_known(joined: JoinedRecords) -> list[tuple[int, ...]]:
    """Parts of which somebody may know a fact that was left out, so that it matters how a record is seen there."""
    parts = [i for i, one in enumerate(joined.parts) if one.sort == "labels" and one.most]
    return [some for size in range(min(len(parts), joined.at_most) + 1) for some in combinations(parts, size)]


def _wrong(
    groups: dict[Seen, list[int]], known: Sequence[tuple[int, ...]], allowed: Rule
) -> Iterator[tuple[int, int, Seen]]:
    """Ways to be seen that too few share: (how many do, how many of these in this very way, the way)."""
    for parts in known:
        sets: dict[tuple[Seen, Seen], list[Seen]] = {}
        for seen, members in groups.items():
            statement = tuple(seen[part] for part in parts) if seen else ()
            if seen != WITHHELD and members and max(statement, default=0) <= WITH_FACTS:
                sets.setdefault((tuple(min(state, 1) for state in seen), statement), []).append(seen)
        for ways in sets.values():
            persons = [person for seen in ways for person in groups[seen]]
            if not allowed(persons):
                yield from ((len(persons), len(groups[seen]), seen) for seen in ways)


def _steps(
    joined: JoinedRecords,
    groups: dict[Seen, list[int]],
    least: Seen,
    lacking: int,
    cost: NDArray[np.float64],
    droppable: Sequence[bool],
) -> Iterator[_Step]:
    """What can be done about persons who are too few. lacking: how many more have to be seen like them."""
    members = groups[least]
    yield _Step(float(cost[members].sum()), WITHHELD, tuple(members))
    for other, others in groups.items():
        if other in (WITHHELD, least) or not others:
            continue
        to = _common(joined, least, other, droppable)
        if to is None:
            continue
        own = _price(cost, members, least, to)
        if to == other:
            yield _Step(own, to, tuple(members))
            continue
        needed = lacking - len(groups.get(to, ())) * (to not in (least, other))
        if len(others) - needed < lacking + len(members) or (needed <= 0 and to == least):
            needed = len(others)
        prices = _lost(cost, others, other, to).sum(axis=1)
        chosen = [others[i] for i in np.argsort(prices, kind="stable")[: max(0, needed)].tolist()]
        yield _Step(own + _price(cost, chosen, other, to), to, (*members, *chosen) if to != least else tuple(chosen))


def _common(joined: JoinedRecords, one: Seen, other: Seen, droppable: Sequence[bool]) -> Seen | None:
    """How both can be seen alike, with as little left out as can be; None: in no way but by withholding."""
    results = []
    for part, (first, second) in enumerate(zip(one, other, strict=True)):
        low = min(first, second)
        if first != second:
            sort = joined.parts[part].sort
            if sort == "places" or low >= WITH_FACTS or (sort == "labels" and low == ABSENT and not droppable[part]):
                return None
        results.append(low)
    return tuple(results)


def _price(cost: NDArray[np.float64], persons: Sequence[int], seen: Seen, to: Seen) -> float:
    """What is lost if these persons are seen otherwise."""
    return float(_lost(cost, persons, seen, to).sum())


def _lost(cost: NDArray[np.float64], persons: Sequence[int], seen: Seen, to: Seen) -> NDArray[np.float64]:
    """The same, person by person and part by part."""
    parts = [part for part in range(len(to)) if seen[part] >= WITH_FACTS and to[part] < WITH_FACTS]
    return np.asarray(cost[np.asarray(persons, dtype=np.intp)][:, parts])
