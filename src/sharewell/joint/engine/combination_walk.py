"""The walk over all combinations of facts that an attacker may know, and whom each fits.

It is depth first and works on slices of whole combinations, so that memory is bounded. A combination that fits as many
persons as the one it extends fits the same persons: nothing below it is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import distinct
from sharewell.joint.engine.joined_records import Ints, Items, JoinedRecords

SLICE = 1 << 18
"""Rows (a person and a combination that fits it) that are worked on at a time."""
SEED = 5
"""Of the order in which groups are looked at: it decides nothing but which are seen where not all can be."""
MOST_ROWS = 400_000_000
"""Beyond this many rows a question is left undecided rather than worked on for long."""
BINS = 16
"""At most this many counters for each row; else combinations are sorted."""


@dataclass(frozen=True)
class Combinations:
    """Combinations of facts that occur, and whom each fits."""

    owner: Ints
    node: Ints
    """Row i: combination node[i] fits person owner[i]; rows are sorted by node."""
    support: Ints
    """How many persons each combination fits."""
    items: Ints
    """The facts of each combination, one a column; those of part i are numbered from offsets[i] on, -1: none."""
    reached: Ints
    """Of each row: where the last fact stands in the list of the person's facts of its part."""
    part: int
    """The part of the last fact; -1 where no fact is known beyond what is known for sure."""
    picked: int
    """How many facts of that part are known."""
    known: int
    """How many facts of all parts are known."""


@dataclass(frozen=True)
class OneMore:
    """Persons whom combinations fit, each with every fact more of a part that may be known.

    What a row of it says is worked out when it is asked for: most are only counted.
    """

    part: int
    items: Items
    width: int
    """Beyond the largest number of a fact."""
    owner: Ints
    node: Ints
    """The combination of each person, ascending."""
    begin: Ints
    """Where the first of the facts is among all of the part."""
    first: Ints
    """The same in the list of the person's own."""
    lengths: Ints
    in_turn: bool
    """Does the first fact follow one of the same part?"""

    @cached_property
    def whose(self) -> Ints:
        return self._spread(self.owner)

    @cached_property
    def parent(self) -> Ints:
        """The combination, ascending."""
        return self._spread(self.node)

    @cached_property
    def item(self) -> Ints:
        return self.items.items[self._place if self._known is None else self._place[self._known]]

    @cached_property
    def reached(self) -> Ints:
        """Where the fact stands in the list of the person's facts of its part."""
        result = self._place - np.repeat(self.begin - self.first, self.lengths)
        return result if self._known is None else result[self._known]

    def counted(self) -> tuple[Ints, Ints, Ints]:
        """(combination, fact) as one number: of each row, or the place in what follows; those that occur; how often.

        Numbers are combination · width + fact, counted from the first combination.
        """
        key = self._keys()
        largest = int(key.max(initial=0))
        if largest < BINS * len(key):
            counts = np.bincount(key, minlength=largest + 1)
            return key, np.arange(largest + 1), counts
        combinations, place, counts = np.unique(key, return_inverse=True, return_counts=True)
        return place, combinations, counts

    @property
    def least(self) -> int:
        """The first combination."""
        return int(self.node[0]) if len(self.node) else 0

    def _keys(self) -> Ints:
        base, each = (self.node - self.least) * self.width, self._each
        if self._known is None and each and not (self.begin % each).any() and not len(self.items.items) % each:
            return (self.items.items.reshape(-1, each)[self.begin // each] + base[:, None]).ravel()
        return self._spread(base) + self.item

    @cached_property
    def _each(self) -> int:
        """How many facts follow for each person, if as many for all."""
        least, most = int(self.lengths.min(initial=0)), int(self.lengths.max(initial=0))
        return least if len(self.lengths) and least == most else 0

    @cached_property
    def _place(self) -> Ints:
        """Where each fact is among all of the part."""
        before = np.cumsum(self.lengths) - self.lengths
        return np.repeat(self.begin - before, self.lengths) + np.arange(int(self.lengths.sum()))

    @cached_property
    def _known(self) -> NDArray[np.bool_] | None:
        """An attacker can know the second occurrence of a row only if they know the first."""
        if self.items.repeats == 1:
            return None
        item = self.items.items[self._place]
        once = np.asarray(item % self.items.repeats == 0)
        if not self.in_turn:
            return once
        follows = self._place == np.repeat(self.begin, self.lengths)
        return np.asarray(once | (follows & (self.items.items[self._place - 1] == item - 1)))

    def _spread(self, values: Ints) -> Ints:
        """From persons to rows."""
        result = np.repeat(values, self.lengths)
        return result if self._known is None else result[self._known]


class TooManyRows(Exception):
    """More combinations than can be walked through."""


class Walk:
    """All combinations that an attacker may know, slice by slice. `rows` says how much work was done."""

    def __init__(self, joined: JoinedRecords, most_rows: int = MOST_ROWS) -> None:
        self.joined, self.most_rows, self.rows = joined, most_rows, 0
        self.widths = [int(part.items.max(initial=-1)) + 1 for part in joined.parts]
        self.offsets = np.concatenate([[0], np.cumsum(self.widths)]).astype(np.int64)
        self.lengths = [np.diff(part.starts) for part in joined.parts]

    def groups(self) -> Iterator[Combinations]:
        """What is known for sure, alone: one combination for each group, in slices of whole groups.

        They come in a drawn order, so that those seen before a walk is given up are a random sample of all.
        """
        groups = int(self.joined.group.max(initial=-1)) + 1
        turn = np.random.default_rng(SEED).permutation(groups)[self.joined.group]
        order = np.argsort(turn, kind="stable").astype(np.int64)
        group = turn[order]
        for begin, end in _slices(group, SLICE // 8):
            node, support = run_numbers(group[begin:end])
            nothing = np.full((len(support), self.joined.at_most), -1, np.int64)
            yield Combinations(order[begin:end], node, support, nothing, np.full(end - begin, -1), -1, 0, 0)

    def below(self, one: Combinations, extended: NDArray[np.bool_]) -> Iterator[Combinations]:
        """Combinations with one fact more than those marked, of the same part or of a later one."""
        for rows in self.one_more(one, extended):
            yield self.combined(one, rows)

    def one_more(self, one: Combinations, extended: NDArray[np.bool_]) -> Iterator[OneMore]:
        """Each person with each fact that one of the marked combinations may have more; persons of one are together."""
        if one.known >= self.joined.at_most:
            return
        rows = extended[one.node]
        owner, node, reached = one.owner[rows], one.node[rows], one.reached[rows]
        for begin, end in _slices(node, self._rows_at_once(owner)):
            part = slice(begin, end)
            for i, items in enumerate(self.joined.parts):
                if i < one.part or items.most <= (one.picked if i == one.part else 0):
                    continue
                first = reached[part] + 1 if i == one.part else np.zeros(end - begin, np.int64)
                more = self._one_more(one, owner[part], node[part], first, i)
                if more is not None:
                    yield more

    def goes_on(self, one: Combinations, more: OneMore) -> bool:
        """May a fact be known beyond these? If not, they need only be counted."""
        picked = one.picked + 1 if more.part == one.part else 1
        parts = self.joined.parts[more.part :]
        can = any(part.most > (0 if i else picked) for i, part in enumerate(parts))
        return can and one.known + 1 < self.joined.at_most

    def extensions(self, one: Combinations) -> Iterator[Combinations]:
        """These combinations, and all that extend one which fits several persons."""
        yield one
        for more in self.below(one, one.support > 1):
            yield from self.extensions(more)

    def _rows_at_once(self, owner: Ints) -> int:
        """How many rows are extended at a time, so that about one slice of new rows comes of them."""
        parts = self.lengths if len(owner) else ()
        longest = max((float(lengths[owner].mean()) for lengths in parts), default=1.0)
        return max(1, int(SLICE / max(1.0, longest)))

    def _one_more(self, one: Combinations, owner: Ints, node: Ints, first: Ints, part: int) -> OneMore | None:
        items = self.joined.parts[part]
        begin = items.starts[owner] + first
        lengths = np.maximum(items.starts[owner + 1] - begin, 0)
        total = int(lengths.sum())
        self.rows += total
        if self.rows > self.most_rows:
            raise TooManyRows
        if not total:
            return None
        return OneMore(part, items, self.widths[part], owner, node, begin, first, lengths, one.part == part)

    def combined(self, one: Combinations, more: OneMore) -> Combinations:
        """The combinations with one fact more, but for those that fit the same persons without it."""
        items = self.joined.parts[more.part]
        key = more.parent * more.width + more.item
        order = np.argsort(key, kind="stable")
        number, support = run_numbers(key[order])
        starts = np.concatenate([[0], np.cumsum(support)])[:-1]
        parents, added = more.parent[order][starts], more.item[order][starts]
        # Else it fits the same persons as the combination it extends; but a row may be known once more after it.
        new = (support < one.support[parents]) | (items.repeats > 1)
        kept = new[number]
        renumbered = np.cumsum(new) - 1
        rows = order[kept]
        facts = one.items[parents[new]]
        facts[:, one.known] = added[new] + self.offsets[more.part]
        picked, known = one.picked + 1 if more.part == one.part else 1, one.known + 1
        fits = renumbered[number[kept]]
        return Combinations(more.whose[rows], fits, support[new], facts, more.reached[rows], more.part, picked, known)


@dataclass(frozen=True)
class Fewest:
    """The fewest persons whom a combination fits."""

    least: int | None
    """None where nobody is in the data."""
    decided: bool
    failing: int
    """Persons of whom some combination is known to fit too few."""
    examined: int
    """Groups that were looked at from end to end."""
    groups: int


def given_up(examined: int, groups: int) -> str:
    """What is known where a walk was given up and nothing failed before: groups come in a drawn order."""
    share = f"{3 / examined:.2g}" if examined else "1"
    seen = f"too many combinations; {examined} of {groups} groups were examined and none fails"
    return f"{seen}, so that with 95 % confidence at most a share of {share} of them does"


def fewest(joined: JoinedRecords, k: int, most_rows: int = MOST_ROWS) -> Fewest:
    """Walk through all combinations; stop at the first that fits one person, for none fits fewer."""
    groups = len(distinct(joined.group))
    if not joined.persons:
        return Fewest(None, True, 0, 0, 0)
    walk, least, failing = Walk(joined, most_rows), joined.persons, np.zeros(joined.persons, bool)
    examined, decided = 0, True
    try:
        for group in walk.groups():
            for support, owner in _supports(walk, group, k):
                least = min(least, support)
                failing[owner] = True
                if least == 1 and k > 1:
                    return Fewest(1, True, int(failing.sum()), examined, groups)
            examined += len(group.support)
    except TooManyRows:
        decided = False
    return Fewest(least, decided, int(failing.sum()), examined, groups)


def _supports(walk: Walk, one: Combinations, k: int) -> Iterator[tuple[int, Ints]]:
    """The fewest whom these combinations fit and all that extend them, slice by slice; and whom fewer than k fit."""
    few = one.support < k
    yield int(one.support.min(initial=walk.joined.persons)), one.owner[few[one.node]]
    several = one.support > 1
    for more in walk.one_more(one, several):
        if walk.goes_on(one, more):
            yield from _supports(walk, walk.combined(one, more), k)
            continue
        place, _, counts = more.counted()
        fewer = (counts > 0) & (counts < k)
        least = int(counts[counts > 0].min(initial=walk.joined.persons))
        yield least, more.whose[fewer[place]] if fewer.any() else np.zeros(0, np.int64)


def run_numbers(ascending: Ints) -> tuple[Ints, Ints]:
    """Runs of equal values: the number of each, and how long each run is."""
    if not len(ascending):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    begins = np.concatenate([[True], ascending[1:] != ascending[:-1]])
    number = np.cumsum(begins) - 1
    return number, np.bincount(number).astype(np.int64)


def _slices(ascending: Ints, rows: int) -> Iterator[tuple[int, int]]:
    """Stretches of about this many rows that break no run of equal values."""
    begin = 0
    while begin < len(ascending):
        end = min(begin + rows, len(ascending))
        end = int(np.searchsorted(ascending, ascending[end - 1], side="right"))
        yield begin, end
        begin = end
