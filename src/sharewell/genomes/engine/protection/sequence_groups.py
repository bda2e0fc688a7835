"""Groups of k sequences or more that are near each other; who is left over, and who had better change places.

The cost of a group is the sum over its members of level(join) − level(own). As the second sum is the same whatever the
groups are, only size · level(join) is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.engine.iupac_lattice import LEVELS, Codes, Gap, joined
from sharewell.genomes.engine.protection.bit_distances import BitDistances
from sharewell.genomes.engine.protection.sequence_pairs import Distances, Ints, nearest

PASSES = 5
"""Times that all sequences are looked at for a better place."""
NEIGHBOURS = 10
"""Nearest others in whose groups a place is sought."""
AROUND = 40
"""The same where few groups are looked at."""


@dataclass(frozen=True, eq=False)
class Needs:
    """What a group must have: k members, and l different labels (-1 is none)."""

    k: int
    l: int = 1  # noqa: E741 - the name the literature gives it
    labels: Ints | None = field(default=None, repr=False)

    def met(self, members: Sequence[int]) -> bool:
        return len(members) >= self.k and self.distinct(members) >= self.l

    def distinct(self, members: Sequence[int]) -> int:
        """Different labels; where none are asked for, as many as that."""
        if self.labels is None:
            return self.l
        return len({label for label in self.labels[list(members)].tolist() if label >= 0})


@dataclass(eq=False)
class Groups:
    """Members of each group, and what each shows."""

    codes: Codes = field(repr=False)
    gap: Gap
    needs: Needs
    members: list[list[int]] = field(default_factory=list)
    joins: Codes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        empty = np.zeros((0, self.codes.shape[1]), dtype=np.uint8)
        self.joins = np.stack([joined(self.codes[m]) for m in self.members]) if self.members else empty

    def level(self, joins: Codes) -> Ints:
        """The sum of levels of each row."""
        return np.asarray(LEVELS[self.gap][joins].sum(axis=-1), dtype=np.int64)

    @property
    def sizes(self) -> Ints:
        return np.array([len(one) for one in self.members], dtype=np.int64)

    @property
    def cost(self) -> int:
        """The lattice distance of all members from what is shown for them."""
        return int((self.sizes * self.level(self.joins)).sum() - self.level(self.codes).sum())

    def join_cheapest(self, left: Sequence[int]) -> None:
        """Each one that is left over joins the group to which that adds least."""
        for one in left:
            wider = self.joins | self.codes[one]
            added = (self.sizes + 1) * self.level(wider) - self.sizes * self.level(self.joins)
            best = int(added.argmin())
            self.members[best].append(one)
            self.joins[best] = wider[best]

    def improve(self, distances: Distances, passes: int = PASSES) -> int:
        """Moves and exchanges between groups, as long as they lower the cost; how many there were."""
        near = nearest(distances, count=NEIGHBOURS)[0]
        home = self._homes()
        steps = 0
        for _ in range(passes):
            before = steps
            for one in range(len(self.codes)):
                there = [int(g) for g in np.unique(home[near[one]]) if g != home[one]]
                best = min((step for g in there for step in self._steps(one, int(home[one]), g)), default=None)
                if best is not None:
                    self._take(one, int(home[one]), best[1], best[2], home)
                    steps += 1
            if steps == before:
                break
        return steps

    def improve_around(self, distances: BitDistances, groups: set[int], passes: int = PASSES) -> int:
        """The same, but only into and out of some groups, and those that change: all others are pairs that cost least.

        An exchange between two of those gives other pairs of the same sequences, which cost no less.
        """
        home = self._homes()
        steps = 0
        for _ in range(passes):
            places: dict[int, set[int]] = {}
            for one in [one for group in sorted(groups) for one in self.members[group]]:
                row = distances.row(one)
                row[one] = row.max() + 1
                for other in np.argsort(row, kind="stable")[:AROUND].tolist():
                    places.setdefault(one, set()).add(other)
                    places.setdefault(other, set()).add(one)
            before = steps
            for one, others in sorted(places.items()):
                here = int(home[one])
                there = sorted({int(home[other]) for other in others} - {here})
                best = min((step for g in there for step in self._steps(one, here, g)), default=None)
                if best is not None:
                    self._take(one, here, best[1], best[2], home)
                    groups |= {here, best[1]}
                    steps += 1
            if steps == before:
                break
        return steps

    def _homes(self) -> Ints:
        """The group of each sequence."""
        home = np.empty(len(self.codes), dtype=np.int64)
        for number, members in enumerate(self.members):
            home[members] = number
        return home

    def _steps(self, one: int, here: int, there: int) -> Iterator[tuple[int, int, int]]:
        """Moves that cost less than staying, each as (change of cost, group, who comes in exchange or -1)."""
        ours, theirs = self.members[here], self.members[there]
        without = [member for member in ours if member != one]
        now = len(ours) * int(self.level(self.joins[here])) + len(theirs) * int(self.level(self.joins[there]))
        left, arriving = joined(self.codes[without]), self.codes[one]
        if self.needs.met(without):
            wider = int(self.level(self.joins[there] | arriving))
            moved = len(without) * int(self.level(left)) + (len(theirs) + 1) * wider
            if moved < now:
                yield moved - now, there, -1
        others = _all_but_one(self.codes[theirs]) | arriving
        then = len(ours) * self.level(left | self.codes[theirs]) + len(theirs) * self.level(others)
        for i in np.flatnonzero(then < now).tolist():
            other = theirs[i]
            stays = [member for member in theirs if member != other]
            if self.needs.labels is None or (self.needs.met([*without, other]) and self.needs.met([*stays, one])):
                yield int(then[i]) - now, there, other

    def _take(self, one: int, here: int, there: int, other: int, home: Ints) -> None:
        self.members[here].remove(one)
        self.members[there].append(one)
        home[one] = there
        if other >= 0:
            self.members[there].remove(other)
            self.members[here].append(other)
            home[other] = here
        for group in (here, there):
            self.joins[group] = joined(self.codes[self.members[group]])


def gathered(distances: Distances, needs: Needs) -> tuple[list[list[int]], list[int]]:
    """Groups that meet the needs, and who is left over: the way of MDAV.

    The sequence that is farthest from all others gathers its nearest ones, then the one farthest from it does the same.
    The last ones are a group of k to 2k − 1, if that meets the needs.
    """
    free = np.ones(len(distances), dtype=bool)
    totals = distances.totals()
    groups: list[list[int]] = []
    seed: int | None = None
    while (count := int(free.sum())) >= needs.k:
        if count < 2 * needs.k:
            last = np.flatnonzero(free).tolist()
            if needs.met(last):
                groups.append(last)
                free[:] = False
            break
        start = int(np.where(free, totals, -1).argmax()) if seed is None else seed
        row = distances.rows([start])[0]
        group = _nearest(start, row, free, needs)
        if group is None:
            break
        free[group] = False
        groups.append(group)
        totals -= distances.from_all_of(group)
        seed = int(np.where(free, row, -1).argmax()) if seed is None and free.any() else None
    return groups, np.flatnonzero(free).tolist()


def _nearest(start: int, row: Ints, free: NDArray[np.bool_], needs: Needs) -> list[int] | None:
    """The start and its nearest free ones: first l different labels, then anybody up to k. None if labels run out."""
    order = np.flatnonzero(free)
    order = order[np.argsort(row[order], kind="stable")]
    order = np.concatenate([[start], order[order != start]])
    if needs.labels is None:
        return [int(one) for one in order[: needs.k]]
    labels = needs.labels[order]
    first = np.unique(labels, return_index=True)[1]
    first = np.sort(first[labels[first] >= 0])[: needs.l]
    if len(first) < needs.l:
        return None
    chosen = list(dict.fromkeys([0, *first.tolist(), *range(len(order))]))[: max(needs.k, len({0, *first.tolist()}))]
    return [int(one) for one in order[chosen]]


def _all_but_one(codes: Codes) -> Codes:
    """For each row, the join of all others."""
    before, after = np.zeros_like(codes), np.zeros_like(codes)
    np.bitwise_or.accumulate(codes[:-1], axis=0, out=before[1:])
    after[:-1] = np.bitwise_or.accumulate(codes[:0:-1], axis=0)[::-1]
    return before | after
