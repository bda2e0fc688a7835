"""Whom an attacker finds who knows true values: everybody of whom some published fact may stand for each of them.

Cells of different rows may overlap: whoever knows a visit of type M finds all who show `M` and all who show `{M,Z}`.
That more persons fit than show one and the same fact does no harm where persons are counted, but a sensitive value may
have a larger share among them than among those of each single fact, because somebody who shows both counts once.

If nobody shows two of the facts that may stand for a value, those who fit are the holders of one fact, those of the
next, and so on, and no share is larger than in all of these. That is so of what is known for sure, of SNPs, and of most
values. The others become facts of their own here: a person holds such a *covering fact* if one of the person's rows or
labels may stand for the value. Known rows are different rows, so that two that are known need two rows: they are one
covering fact that stands for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.combination_walk import TooManyRows
from sharewell.joint.engine.joined_records import Items, JoinedRecords, packed

MOST_FACTS = 5_000_000
"""Covering facts of all persons; beyond that the question is left undecided."""
Ints = NDArray[np.int64]
Covers = dict[int, list[Ints]]
"""Group → sets of facts that may stand for one value, and of which somebody of the group shows two."""


@dataclass(frozen=True)
class CoveringRecords:
    """Joined records that show covering facts in place of some facts."""

    joined: JoinedRecords
    stands_for: tuple[tuple[tuple[int, ...], ...] | None, ...]
    """Part by part: the rows or labels (without repeats) that each covering fact speaks of; None: facts as before."""


def covering_records(joined: JoinedRecords) -> Iterator[CoveringRecords]:
    """Records of all that may be known as true values and is not judged by equal facts already.

    Raises TooManyRows, and CannotTell where nobody can tell what published cells stand for.
    """
    covers = [_telling_covers(joined, part) for part in joined.parts]
    if not any(map(len, covers)):
        return
    sizes = [
        range(1, part.most + 1) if len(sets) and part.sort == "rows" else (0,) for part, sets in _both(joined, covers)
    ]
    for size in product(*sizes):
        parts, stands_for = [], []
        for (part, sets), known in zip(_both(joined, covers), size, strict=True):
            new, covered = (part, None) if not len(sets) else _covering_part(joined, part, sets, known)
            parts.append(new)
            stands_for.append(covered)
        every = sum(part.most for part in parts)
        beyond = sum(known - 1 for known in size if known)
        most = every if joined.limit is None else min(every, joined.limit - beyond)
        if most > 0:
            yield CoveringRecords(replace(joined, parts=tuple(parts), at_most=most), tuple(stands_for))


def _both(joined: JoinedRecords, covers: list[Covers]) -> Iterator[tuple[Items, Covers]]:
    return zip(joined.parts, covers, strict=True)


def _telling_covers(joined: JoinedRecords, part: Items) -> Covers:
    """Those of one part."""
    lengths = np.diff(part.starts)
    if part.covers is None or not part.most or int(lengths.max(initial=0)) < 2:
        return {}
    owner, fact = np.repeat(np.arange(joined.persons), lengths), part.items // part.repeats
    order = np.argsort(fact, kind="stable")
    covers: Covers = {}
    for members in part.covers():
        first, last = np.searchsorted(fact[order], members), np.searchsorted(fact[order], members, side="right")
        here = np.concatenate([order[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)])
        different = np.unique(np.stack([owner[here], fact[here]], axis=1), axis=0)[:, 0]
        several = np.flatnonzero(np.bincount(different, minlength=1) > 1)
        for group in np.unique(joined.group[several]).tolist():
            covers.setdefault(group, []).append(members)
    return covers


def _covering_part(
    joined: JoinedRecords, part: Items, covers: Covers, known: int
) -> tuple[Items, tuple[tuple[int, ...], ...]]:
    """The part with covering facts; each stands for this many known rows, or, of labels (0), for one."""
    numbers: dict[tuple[tuple[int, ...], ...], int] = {}
    owner: list[int] = []
    items: list[int] = []
    values = {group: _by_fact(sets) for group, sets in covers.items()}
    for person in range(joined.persons):
        facts = (part.items[part.starts[person] : part.starts[person + 1]] // part.repeats).tolist()
        alternatives = values.get(int(joined.group[person]), {})
        held = [[(fact,), *alternatives.get(fact, ())] for fact in facts]
        for one in _known_together(held, known):
            items.append(numbers.setdefault(one, len(numbers)))
            owner.append(person)
        if len(items) > MOST_FACTS:
            raise TooManyRows
    whose, fact = np.array(owner, np.int64), np.array(items, np.int64)
    starts, every = packed(whose, fact, joined.persons)
    most = 1 if known else min(part.asked, int(np.diff(starts).max(initial=0)))
    ways = [number for one, number in numbers.items() if len(one) == 1 and one[0][0] in part.ways_seen]
    new = Items(part.dataset, part.sort, most, starts, every, whose, fact, ways_seen=np.array(ways, np.int64))
    return new, tuple(tuple(sorted({fact for value in one for fact in value})) for one in numbers)


def _by_fact(sets: Sequence[Ints]) -> dict[int, list[tuple[int, ...]]]:
    """Fact → the sets that it is in."""
    results: dict[int, list[tuple[int, ...]]] = {}
    for members in sets:
        one = tuple(members.tolist())
        for fact in one:
            results.setdefault(fact, []).append(one)
    return results


def _known_together(held: list[list[tuple[int, ...]]], known: int) -> set[tuple[tuple[int, ...], ...]]:
    """Values that may be true of different facts of a person, this many at once; `held`: fact by fact."""
    results: set[tuple[tuple[int, ...], ...]] = set()
    for facts in combinations(held, max(1, known)):
        results.update(tuple(sorted(values)) for values in product(*facts))
        if len(results) > MOST_FACTS:
            raise TooManyRows
    return results
