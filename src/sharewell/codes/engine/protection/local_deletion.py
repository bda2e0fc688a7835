"""Leaving codes out of single records until every combination that is shown is shown often enough; local suppression.

A place is an occurrence of a code in a record, by its number in the original sets. A *danger* is what a record must
not go on showing together: the places of one rare combination in one record.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, Keys, key_of, keyed, occurrences, rare, stretches
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.packed_sets import Ints, Sets, among
from sharewell.errors import Infeasible

_CHUNK = 4_000_000
"""Combinations processed at a time."""


class LocalDeletion:
    """The places of a data set, those still shown, and what must not be shown."""

    def __init__(self, data: CodeSets, criteria: Sequence[KmAnonymity | PrivacyPolicy], rare_first: bool) -> None:
        self.data, self.sets, self.universe = data, data.sets, len(data.names)
        self._rare_first = rare_first
        self.kept = np.ones(len(data.sets.items), dtype=bool)
        counting = [criterion for criterion in criteria if isinstance(criterion, KmAnonymity)]
        sizes = range(1, max((criterion.m for criterion in counting if criterion.k > 1), default=0) + 1)
        self.least = [max(criterion.k for criterion in counting if criterion.m >= size) for size in sizes]
        """For each size of a combination, in how many records it must be."""
        number = {code: i for i, code in enumerate(data.names)}
        self.policies: list[_ListedCombination] = []
        for policy in criteria:
            if isinstance(policy, PrivacyPolicy) and policy.k > 1:
                for codes in policy.itemsets:
                    known = [number[code] for code in codes if code in number]
                    if known and (policy.strict or len(known) == len(codes)):
                        self.policies.append(_ListedCombination(np.array(known), policy.k, policy.strict))
        self._naming = Sets.of([criterion.codes.tolist() for criterion in self.policies]).transposed(self.universe)
        self._rank = np.argsort(np.argsort(data.names, kind="stable"), kind="stable")

    def settle(self) -> int:
        """Until nothing rare is shown; how many rounds it took. Each leaves out at least one place."""
        rounds, changed = 0, np.ones(self.universe, dtype=bool)
        while True:
            dangers = self._rare_combinations()
            if dangers is None:
                dangers = self._rare_parts(changed)
                changed[:] = False
            if dangers is None:
                return rounds
            deleted = self._chosen(dangers)
            changed[self.sets.items[deleted]] = True
            self.kept[deleted] = False
            rounds += 1

    def put_back(self) -> int:
        """Show places again, one a record at a time, as long as they make only combinations that are shown already.

        No combination becomes shown by that, and records only grow: what cannot be put back now never can.
        """
        waiting, back = np.flatnonzero(~self.kept), 0
        shown = self._shown_combinations()
        support = self._now()[0].supports(self.universe)
        while len(waiting):
            waiting = waiting[self._harmless(waiting, shown)]
            items, rows = self.sets.items[waiting], self.sets.row_of[waiting]
            order = np.lexsort((self._rank[items], -support[items], rows))
            first = order[np.append(True, rows[order][1:] != rows[order][:-1])[: len(order)]]
            self.kept[waiting[first]] = True
            back += len(first)
            waiting = np.delete(waiting, first)
        return back

    def published(self) -> CodeSets:
        """One set a person, with the codes that are still shown. No recoding holds for all records."""
        sets, order = self._now()[0].by_support(self.data.names)
        members = tuple((self.data.names[i],) for i in order)
        shown = tuple(map(write_label, members))
        return replace(self.data, sets=sets, names=shown, members=members, labels=None, visits=None, published=True)

    # What is rare

    def _now(self) -> tuple[Sets, Ints]:
        """The records as they are shown, and the place of each of their items."""
        before = np.append(0, np.cumsum(self.kept))
        return Sets(before[self.sets.starts], self.sets.items[self.kept]), np.flatnonzero(self.kept)

    def _rare_combinations(self) -> Ints | None:
        """The dangers of the smallest size that has any: the places of a combination, one a row."""
        now, places = self._now()
        for size, k in enumerate(self.least, start=1):
            if occurrences(now, size) > MOST_OCCURRENCES:
                problem = f"local-suppression — combinations of {size} codes are too many to count"
                raise Infeasible(problem, blocking=["km-anonymity: m"], relaxations=[f"m at most {size - 1}"])
            rare_ones = np.concatenate([np.zeros((0, size), np.int64), *rare(now, self.universe, size, k)])
            if len(rare_ones):
                keys = np.sort(key_of(rare_ones, self.universe))
                parts = [part[among(key_of(now.items[part], self.universe), keys)] for part in _occurring(now, size)]
                return places[np.concatenate(parts)]
        return None

    def _rare_parts(self, changed: NDArray[np.bool_]) -> Ints | None:
        """Rare parts of listed combinations, the places of each in a row; only changed codes are looked at."""
        if not self.policies:
            return None
        now, places = self._now()
        holders = now.transposed(self.universe)
        order = places[np.argsort(now.items, kind="stable")]
        dangers = []
        for policy in self.policies:
            if changed[policy.codes].any():
                lists = [slice(holders.starts[code], holders.starts[code + 1]) for code in policy.codes]
                dangers += policy.dangers([holders.items[part] for part in lists], [order[part] for part in lists])
        if not dangers:
            return None
        width = max(part.shape[1] for part in dangers)
        none = len(self.kept)
        return np.concatenate(
            [np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=none) for part in dangers]
        )

    def _chosen(self, dangers: Ints) -> Ints:
        """Places to leave out, one of every danger: in each record, always the one in most dangers.

        Of equals, the rarer or the more frequent code goes, as `keep` says; then the first by its text.
        """
        none = len(self.kept)
        dangers = np.where(dangers < 0, none, dangers)
        support = self._now()[0].supports(self.universe)
        weight = -support if self._rare_first else support
        deleted = np.zeros(none + 1, dtype=bool)
        while len(dangers):
            open_places = dangers[dangers < none]
            places, times = np.unique(open_places, return_counts=True)
            rows = self.sets.row_of[places]
            items = self.sets.items[places]
            ranked = np.lexsort((-self._rank[items], weight[items], times, rows))
            last = np.append(rows[ranked][1:] != rows[ranked][:-1], True)
            deleted[places[ranked[last]]] = True
            dangers = dangers[~deleted[dangers].any(axis=1)]
        return np.flatnonzero(deleted[:none])

    # What may be shown again

    def _shown_combinations(self) -> list[Keys]:
        """For each size the combinations that are shown, by their keys, rising."""
        now, _ = self._now()
        by_size = []
        for size in range(1, len(self.least) + 1):
            cut = stretches(now, self.universe, size)
            parts = [np.unique(keyed(now, self.universe, size, *stretch)) for stretch in cut]
            by_size.append(np.unique(np.concatenate(parts)))
        return by_size

    def _harmless(self, waiting: Ints, shown: Sequence[Keys]) -> NDArray[np.bool_]:
        """Which places make only combinations that are shown. Of the largest size: smaller ones are parts of them."""
        now, _ = self._now()
        rows, items = self.sets.row_of[waiting], self.sets.items[waiting]
        harmless = np.ones(len(waiting), dtype=bool)
        lengths = now.lengths[rows]
        for length in np.unique(lengths) if shown else ():
            size = min(len(shown), int(length) + 1)
            choices = _choices(int(length), size - 1)
            of_length = np.flatnonzero(lengths == length)
            for part in np.array_split(of_length, -(-len(of_length) * len(choices) // _CHUNK) or 1):
                others = now.items[now.starts[rows[part]][:, None, None] + choices]
                added = np.broadcast_to(items[part][:, None, None], (*others.shape[:2], 1))
                combinations = np.sort(np.concatenate([added, others], axis=2), axis=2).reshape(-1, size)
                known = among(key_of(combinations, self.universe), shown[size - 1])
                harmless[part] = known.reshape(len(part), -1).all(axis=1)
        if self.policies:
            holders = now.transposed(self.universe)
            for place in np.flatnonzero(harmless):
                codes = {int(items[place]), *now.row(int(rows[place])).tolist()}
                named = [self.policies[i] for i in self._naming.row(int(items[place]))]
                harmless[place] = all(policy.allows(codes, now, holders) for policy in named)
        return harmless


class _ListedCombination:
    """One combination of a privacy policy."""

    def __init__(self, codes: Ints, k: int, strict: bool) -> None:
        self.codes, self.k, self.strict = codes, k, strict

    def dangers(self, rows: Sequence[NDArray[np.int32]], places: Sequence[Ints]) -> list[Ints]:
        """For every record that holds a rare part of the combination, the places of that part; −1: not held."""
        records, record_of = np.unique(np.concatenate(rows), return_inverse=True)
        place_of = np.full((len(records), len(self.codes)), -1, dtype=np.int64)
        place_of[record_of, np.repeat(np.arange(len(self.codes)), [len(row) for row in rows])] = np.concatenate(places)
        packed = np.ascontiguousarray(np.packbits(place_of >= 0, axis=1))
        _, first, part, counts = np.unique(
            packed.view(f"S{packed.shape[1]}").ravel(), return_index=True, return_inverse=True, return_counts=True
        )
        few = self._rare(place_of[first] >= 0, counts)[part.reshape(-1)]
        return [place_of[few]] if few.any() else []

    def _rare(self, parts: NDArray[np.bool_], counts: Ints) -> NDArray[np.bool_]:
        """Which parts of the combination are rare: too few records hold them, or more."""
        few = counts < self.k if self.strict else (counts < self.k) & parts.all(axis=1)
        bits, sizes = parts.astype(np.float32), parts.sum(axis=1)
        doubtful = np.flatnonzero(few)
        for some in np.array_split(doubtful, len(doubtful) * len(parts) // _CHUNK + 1):
            covered = bits[some] @ bits.T == sizes[some][:, None]
            few[some] = covered @ counts < self.k
        return np.asarray(few)

    def allows(self, codes: set[int], now: Sets, holders: Sets) -> bool:
        """May a record hold these? What it then holds of the combination must be shown somewhere already."""
        part = [code for code in self.codes.tolist() if code in codes]
        return (not self.strict and len(part) < len(self.codes)) or bool(len(now.holding(part, holders)))


def _choices(length: int, size: int) -> NDArray[np.intp]:
    """All ways to choose `size` of this many, one a row."""
    ways = math.comb(length, size)
    return np.array(list(itertools.combinations(range(length), size)), dtype=np.intp).reshape(ways, size)


def _occurring(sets: Sets, size: int) -> Iterator[Ints]:
    """The numbers of the items of every combination in every record, one a row; part by part."""
    yield np.zeros((0, size), dtype=np.int64)
    for length in np.unique(sets.lengths[sets.lengths >= size]):
        rows = np.flatnonzero(sets.lengths == length)
        choices = _choices(int(length), size)
        for some in np.array_split(rows, -(-len(rows) * len(choices) // _CHUNK) or 1):
            yield (sets.starts[some][:, None, None] + choices).reshape(-1, size)
