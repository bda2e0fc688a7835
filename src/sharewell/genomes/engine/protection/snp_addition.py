"""SNPs that are published one after another, and after each one how many members an attacker would recognise.

A statistic is a sum over SNPs, so one pass suffices: the sums of all people are kept, and each SNP adds to them.
Whether the power is still allowed is a question of whole numbers: how many members score at least as high as the k-th
highest null person, where k and the number allowed follow from the limits of confidence alone (`upper_power`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.engine.membership import References
from sharewell.genomes.engine.membership_statistics import STATISTICS, Statistic
from sharewell.genomes.engine.packed_calls import Calls, Ints
from sharewell.genomes.engine.recognition_curves import power_at, surely_reached, upper_power

Floats = NDArray[np.float64]
FAINT = 1e-9
"""Scores that differ by less than this share are equal; equal scores are told apart by lot."""
MORE = 0.1
PIECE, MOST = 1 << 20, 256
"""Calls, and SNPs, that are looked at at once."""


@dataclass(frozen=True, eq=False)
class Contest:
    """Members of a published group, and null people who are not in it; the attacker compares it with a reference.

    People are numbered through: first the pool, then the reference.
    """

    name: str
    members: Ints
    nulls: Ints
    pool: Frequencies
    references: References
    fold: Ints
    """Of everybody: the part of the reference that is left out of it when the person is scored."""

    @classmethod
    def of(
        cls, name: str, people: Sequence[str], members: Ints, nulls: Ints, pool: Frequencies, references: References
    ) -> Contest:
        fold = np.empty(len(people), dtype=np.int64)
        for number, group in enumerate(references.groups(people)):
            fold[group] = number
        return cls(name, members, nulls, pool, references, fold)

    @property
    def complete(self) -> bool:
        """Is there anybody on both sides?"""
        return bool(len(self.members) and len(self.nulls))

    def tables(self, snps: Ints) -> Iterator[tuple[Statistic, Floats]]:
        """For each statistic SNPs × folds × calls × columns; the last call is the missing one, and adds nothing."""
        mix, size = self.pool.frequency[snps], self.pool.people
        for statistic in STATISTICS.values():
            result = np.zeros((len(snps), len(self.references.sizes), 4, statistic.columns))
            for fold, others in enumerate(self.references.sizes):
                result[:, fold, :3] = statistic.tables(mix, self.references.pop[snps, fold], size, others)
            yield statistic, result

    def each(self, table: Floats, calls: Calls, who: Ints) -> Floats:
        """SNPs × persons × columns: what every SNP adds to every person."""
        result: Floats = table[np.arange(len(calls))[:, None], self.fold[who], calls[:, who]]
        return result


@dataclass(frozen=True)
class Limit:
    """Power at a false-positive rate, to be below `power` with this confidence."""

    fpr: float
    power: float
    confidence: float

    def rank(self, nulls: int) -> int:
        """The threshold is the score of the null person of this rank, from the top."""
        return surely_reached(nulls, self.fpr, (1 - self.confidence) / 2)

    def most(self, members: int) -> int:
        """This many members may reach the threshold; -1: not even none would show that the power is small."""
        # So few of them have the probability of the doubt, at the power allowed; hence their upper limit is within it.
        return members - surely_reached(members, 1 - self.power, (1 - self.confidence) / 2)


@dataclass
class Tally:
    """A contest on the way: the sums of everybody after the SNPs so far."""

    contest: Contest
    limit: Limit
    lots: Floats
    """For every person a number between 0 and 1, which decides between equal scores."""
    sums: dict[tuple[str, int], Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rank, self.most = self.limit.rank(len(self.contest.nulls)), self.limit.most(len(self.contest.members))

    def add(self, snps: Ints, calls: Calls) -> NDArray[np.bool_]:
        """After each of the SNPs: is the power still allowed? calls are of SNPs × all people."""
        contest, allowed = self.contest, np.ones(len(snps), dtype=bool)
        for statistic, table in contest.tables(snps):
            scores: list[Floats] = []
            for who in (contest.members, contest.nulls):
                summed = contest.each(table, calls, who)
                summed[0] += self.sums.get((statistic.name, len(scores)), 0.0)
                np.cumsum(summed, axis=0, out=summed)
                self.sums[statistic.name, len(scores)] = summed[-1].copy()
                scores.append(statistic.score(summed.reshape(-1, statistic.columns)).reshape(summed.shape[:2]))
            allowed &= self._allowed(*scores)
        return allowed

    def _allowed(self, members: Floats, nulls: Floats) -> NDArray[np.bool_]:
        """Do few enough members reach the threshold?"""
        scale = FAINT * np.maximum(np.abs(members).max(axis=1), np.abs(nulls).max(axis=1))[:, None] + 1e-300
        members = members + scale * self.lots[self.contest.members]
        nulls = nulls + scale * self.lots[self.contest.nulls]
        place = nulls.shape[1] - self.rank
        threshold = np.partition(nulls, place, axis=1)[:, place]
        return np.asarray((members >= threshold[:, None]).sum(axis=1) <= self.most)


def looks(most: int) -> NDArray[np.bool_]:
    """The numbers of SNPs, from 1 to the most, at which the power is looked at: each a tenth more than the last.

    The more often one looks, the more often chance alone stops the release early.

    >>> np.flatnonzero(looks(30)).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 27, 30]
    """
    result, number = np.zeros(most + 1, dtype=bool), 1
    while number <= most:
        result[number] = True
        number += max(1, round(number * MORE))
    result[most] = True
    return result


@dataclass(frozen=True)
class Reached:
    """What an attacker reached among people set aside: which statistic did best, its power, and the limits of it."""

    group: str
    statistic: str
    members: int
    nulls: int
    power: float
    error: float
    upper: float


def reached(contest: Contest, snps: Ints, calls: Callable[[Ints], Calls], limit: Limit) -> Reached:
    """The statistic that recognises most members, once all SNPs are added."""
    sides = contest.members, contest.nulls
    sums: dict[str, list[Floats]] = {
        name: [np.zeros((len(who), one.columns)) for who in sides] for name, one in STATISTICS.items()
    }
    for which in in_pieces(snps, len(contest.fold)):
        given = calls(which)
        for statistic, table in contest.tables(which):
            for total, who in zip(sums[statistic.name], sides, strict=True):
                total += contest.each(table, given, who).sum(axis=0)
    results = []
    for name, both in sums.items():
        members, nulls = (STATISTICS[name].score(total) for total in both)
        estimate, upper = power_at(limit.fpr, members, nulls), upper_power(members, nulls, limit.fpr, limit.confidence)
        reached_power = estimate.value or 0.0, estimate.error or 0.0, 1.0 if upper is None else upper
        results.append(Reached(contest.name, name, len(members), len(nulls), *reached_power))
    return max(results, key=lambda one: one.power)


def in_pieces(snps: Ints, people: int) -> Iterator[Ints]:
    """How many SNPs are worked on at a time, so that what they add to everybody fits into memory."""
    size = max(1, min(MOST, PIECE // max(1, people)))
    for first in range(0, len(snps), size):
        yield snps[first : first + size]
