"""Persons who are seen otherwise than nearly all of their group, and what to leave out so that they are seen alike.

Within a class some persons have a record in a dataset and others have none, and leaving facts out empties some records.
Fewer than k who are seen in the same way would stand out. Withholding them from all datasets costs most; it is often
cheaper to leave out what makes them different: their rows or words in one dataset, or the same of a few others.

Every step joins two ways to be seen: the persons of both, or as few of the larger as are needed, lose what the other
does not show. The cheapest step is taken first; withholding is one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.joined_records import Ints, JoinedRecords

ABSENT, EMPTY, WITH_FACTS = 0, 1, 2
Seen = tuple[int, ...]
"""How somebody is seen in each part."""
WITHHELD: Seen = ()


@dataclass(frozen=True)
class _Step:
    cost: float
    to: Seen
    """How the persons are seen then; WITHHELD: in no dataset at all."""
    persons: tuple[int, ...]


def levelled(joined: JoinedRecords, k: int, droppable: Sequence[bool]) -> tuple[Ints, NDArray[np.bool_]]:
    """How everybody is to be seen in each part, and who is withheld, so that k or none are seen alike in every class.

    droppable: part by part, can a whole record go, so that the person is absent? Rows always can.
    """
    cost = _costs(joined)
    target, withheld = joined.seen.copy(), np.zeros(joined.persons, bool)
    counts = np.bincount(joined.group)
    classes = np.unique(joined.alike[counts[joined.group] < k])
    order = np.argsort(joined.alike, kind="stable")
    starts = np.searchsorted(joined.alike[order], classes, side="left")
    ends = np.searchsorted(joined.alike[order], classes, side="right")
    for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
        for person, to in _class(joined, order[begin:end], k, cost, droppable):
            if to == WITHHELD:
                withheld[person] = True
            else:
                target[person] = to
    return target, withheld


def _costs(joined: JoinedRecords) -> NDArray[np.float64]:
    """Person × part: the share of all facts of the part that the person has."""
    held = [np.diff(part.starts) / max(1, len(part.items)) for part in joined.parts]
    return np.stack([*held, np.full(joined.persons, 1 / max(1, joined.persons))], axis=1)


def _class(
    joined: JoinedRecords, persons: Ints, k: int, cost: NDArray[np.float64], droppable: Sequence[bool]
) -> Iterator[tuple[int, Seen]]:
    """(person, how they are to be seen) of one class, for everybody who changes."""
    groups: dict[Seen, list[int]] = {}
    for person in persons[np.argsort(joined.by_name[persons])].tolist():
        groups.setdefault(tuple(joined.seen[person].tolist()), []).append(person)
    while small := [seen for seen, members in groups.items() if seen != WITHHELD and 0 < len(members) < k]:
        least = min(small, key=lambda seen: (len(groups[seen]), seen))
        steps = list(_steps(joined, groups, least, k, cost, droppable))
        best = min(steps, key=lambda step: (step.cost, step.to))
        moved = set(best.persons)
        for seen in groups:
            groups[seen] = [person for person in groups[seen] if person not in moved]
        groups.setdefault(best.to, []).extend(best.persons)
    for seen, members in groups.items():
        for person in members:
            if seen == WITHHELD or tuple(joined.seen[person].tolist()) != seen:
                yield person, seen


def _steps(
    joined: JoinedRecords,
    groups: dict[Seen, list[int]],
    least: Seen,
    k: int,
    cost: NDArray[np.float64],
    droppable: Sequence[bool],
) -> Iterator[_Step]:
    """What can be done about persons who are too few."""
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
        needed = k - len(members) - len(groups.get(to, ())) * (to not in (least, other))
        enough = len(others) - needed >= k and needed > 0
        if needed > 0 and not enough:
            needed = len(others)
        prices = np.array([_price(cost, [person], other, to) for person in others])
        chosen = [others[i] for i in np.argsort(prices, kind="stable")[: max(0, needed)].tolist()]
        yield _Step(own + _price(cost, chosen, other, to), to, (*members, *chosen) if to != least else tuple(chosen))


def _common(joined: JoinedRecords, one: Seen, other: Seen, droppable: Sequence[bool]) -> Seen | None:
    """How both can be seen alike, with as little left out as can be; None: in no way but by withholding."""
    found = []
    for part, (first, second) in enumerate(zip(one, other, strict=True)):
        low = min(first, second)
        if first != second:
            sort = joined.parts[part].sort
            if sort == "places" or (sort == "labels" and low == ABSENT and not droppable[part]):
                return None
        found.append(low)
    return tuple(found)


def _price(cost: NDArray[np.float64], persons: Sequence[int], seen: Seen, to: Seen) -> float:
    """What is lost if these persons are seen otherwise."""
    parts = [part for part in range(len(to)) if seen[part] == WITH_FACTS and to[part] < WITH_FACTS]
    return float(cost[np.asarray(persons, dtype=np.intp)][:, parts].sum())
