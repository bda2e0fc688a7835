"""Scoring people for membership in a pool: published frequencies, a reference and people on the SNPs that all share.

Thresholds need null people: known not to be in the pool, of the same ancestry, and not counted in the reference that
they are scored against. The reference itself has them. It is cut into folds, and each of its people is scored against
the other folds; so is each target, against the reference without one fold. Little of the reference is lost, and all of
it serves as null people. Which fold a person is in depends on the person's name alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.snps import Snps
from sharewell.genomes.engine.membership_statistics import STATISTICS, totals
from sharewell.genomes.engine.packed_calls import Calls
from sharewell.genomes.engine.recognition_curves import Floats
from sharewell.spelling import fold as look

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
FEWEST = 5
"""Copies of an allele in a reference that tell how frequent it is."""
SEARCHED, COMPARED, BITS = 20_000, 400, 100
"""SNPs among which the most common are sought, those by which people are compared, and how unlikely chance must be."""
CONCORDANT, SITES = 0.9, 50
"""The share of calls in which two samples of one person agree at least, and how many calls it takes to say so."""
BLOCK = 2_048
"""People who are compared at a time."""
_NORMAL = NormalDist()
Side = TypeVar(
    "Side", Genotypes, Frequencies, Genotypes | Frequencies, Genotypes | None, Genotypes | Frequencies | None
)


@dataclass(frozen=True, eq=False)
class Scores:
    """Of some people, by one statistic."""

    values: Floats
    standard: Floats
    """The value that theory expects of a person who is not a member."""
    counted: Floats
    """SNPs at which the person has an informative call."""


@dataclass(frozen=True, eq=False)
class References:
    """Frequencies of a reference without each of its folds; or, with one fold, of all of it."""

    pop: Floats
    """SNPs × folds."""
    sizes: tuple[int | None, ...]
    """People that are left."""
    fold: dict[str, int]
    """Of the reference's people, by the looks of their names; empty where nobody is left out."""

    @classmethod
    def whole(cls, reference: Genotypes | Frequencies) -> References:
        result = reference if isinstance(reference, Frequencies) else Frequencies.of(reference)
        return cls(result.frequency[:, None], (result.people,), {})

    @classmethod
    def in_folds(cls, reference: Genotypes, folds: int) -> References:
        """One pass over the reference. As many folds as people, at most."""
        folds = min(folds, reference.rows)
        if folds < 2:
            raise DataError(f"the reference — {reference.rows} person(s) — two or more are needed to hold some out")
        order = np.argsort(name_numbers(reference.persons), kind="stable")
        fold = np.empty(reference.rows, dtype=np.int64)
        fold[order] = np.arange(reference.rows) % folds
        inside = (fold[:, None] == np.arange(folds)).astype(np.float64)
        alleles, called = (np.empty((reference.count, folds)) for _ in range(2))
        for which, calls in reference.blocks(max(1, (1 << 20) // reference.rows)):
            alleles[which] = np.maximum(calls, 0).astype(np.float64) @ inside
            called[which] = (calls >= 0).astype(np.float64) @ inside
        left = called.sum(axis=1, keepdims=True) - called
        pop = (alleles.sum(axis=1, keepdims=True) - alleles) / np.where(left > 0, 2 * left, np.nan)
        sizes = tuple(int(reference.rows - count) for count in np.bincount(fold, minlength=folds))
        return cls(pop, sizes, dict(zip(map(look, reference.persons), fold.tolist(), strict=True)))

    @property
    def least(self) -> int:
        """People that are left at least."""
        return min(size or 0 for size in self.sizes)

    def groups(self, persons: Sequence[str]) -> list[Ints]:
        """Who is scored without which fold: people of the reference without their own, others by their names."""
        count = len(self.sizes)
        by_name = (name_numbers(persons) % np.uint64(count)).astype(np.int64)
        own = np.array([self.fold.get(look(person), -1) for person in persons], dtype=np.int64)
        which = np.where(own >= 0, own, by_name)
        return [np.flatnonzero(which == number) for number in range(count)]


def scored(pool: Frequencies, references: References, people: Genotypes, names: Sequence[str]) -> dict[str, Scores]:
    """One pass over the people, for all statistics. All sides must be on the same SNPs."""
    chosen = [STATISTICS[name] for name in names]

    def tables(which: slice, group: int) -> Floats:
        mix, pop, size = pool.frequency[which], references.pop[which, group], references.sizes[group]
        return np.concatenate([one.tables(mix, pop, pool.people, size) for one in chosen], axis=2)

    groups = references.groups(people.persons)
    sums = totals(people, sum(one.columns for one in chosen), tables, groups)
    result, first = {}, 0
    for one in chosen:
        mine = sums[:, first : first + one.columns]
        first += one.columns
        standard = np.zeros(people.rows)
        for group, size in zip(groups, references.sizes, strict=True):
            standard[group] = one.standard(mine[group], pool.people, size)
        result[one.name] = Scores(one.score(mine), standard, mine[:, -1])
    return result


@dataclass(frozen=True)
class KnownPopulation:
    """How far members are from others to somebody who knows the frequencies of the population, squared.

    Σ 2(Mix − Pop)²/(Pop(1 − Pop)) is what an attacker gains from the published numbers, however the SNPs were chosen:
    the mean of a member's weighted inner product, and the variance of anybody else's. With the frequencies of a
    reference for Pop, each SNP adds 1/M too much.
    """

    squared: float
    error: float

    @classmethod
    def of(cls, pool: Frequencies, reference: Genotypes, true: Frequencies | None = None) -> KnownPopulation | None:
        """On the same SNPs; None if an allele is too rare in the reference to say how rare it is.

        true: the frequencies of the members, where others are published: with noise, members gain less than Σ.
        """
        alleles, called = reference.counts()
        mix, exact = pool.frequency, pool.frequency if true is None else true.frequency
        if not pool.rows or not well_known(reference).all() or np.isnan(mix).any() or np.isnan(exact).any():
            return None
        share, chance = alleles / (2 * called), float((1 / called).sum())
        scale = 2 / (share * (1 - share))
        gain = max(0.0, float((scale * (exact - share) * (mix - share)).sum()) - chance)
        spread = max(0.0, float((scale * (mix - share) ** 2).sum()) - chance)
        result = gain**2 / spread if spread else 0.0
        return cls(result, float(np.sqrt(4 * result / called.min() + (2 / called**2).sum())))

    def power(self, fpr: float, deviations: float = 0.0) -> float:
        """In the normal approximation, for unlinked SNPs; at most, if this many standard errors are added."""
        reach = math.sqrt(self.squared + deviations * self.error)
        return _NORMAL.cdf(reach - _NORMAL.inv_cdf(1 - fpr))


def well_known(reference: Genotypes) -> Bools:
    """Does the reference have enough copies of both alleles of each SNP to say how frequent they are?"""
    alleles, called = reference.counts()
    return np.asarray(np.minimum(alleles, 2 * called - alleles) >= FEWEST)


def strangers(
    reference: Genotypes, pool: Genotypes, key: Mapping[str, str | None] | None = None
) -> tuple[Genotypes, int]:
    """The reference without members of the pool, and how many these are: by name, by sample, and by their DNA.

    key: sample → person. Members under other names would pass for null people, and make the threshold too high.
    """
    inside = frozenset(map(look, pool.persons))
    known = {look(sample): look(person) for sample, person in (key or {}).items() if person is not None}
    names = [look(name) for name in reference.persons]
    within = np.array([bool({name, known.get(name)} & inside) for name in names], dtype=bool)
    within |= _copies_of(reference, pool)
    if within.all():
        raise DataError("the reference — nobody in it is outside the pool — name people who are")
    return (reference.take(persons=~within) if within.any() else reference), int(within.sum())


def _copies_of(reference: Genotypes, pool: Genotypes) -> Bools:
    """Who of the reference has the calls of somebody in the pool, where chance does not make two people alike.

    Somebody who was genotyped twice has nearly the same calls, and some are missing. O(people of the reference ·
    members · COMPARED) in matrix products, block by block.
    """
    copies = np.zeros(reference.rows, dtype=bool)
    even = np.unique(np.linspace(0, pool.count - 1, SEARCHED).astype(np.int64)) if pool.count else np.zeros(0, int)
    ours, _, _ = pool.snps.take(even).shared(reference.snps)
    if not len(ours):
        return copies
    some = pool.take(snps=even[ours])
    share = np.nan_to_num(Frequencies.of(some).frequency)
    common = np.sort(np.argsort(-np.minimum(share, 1 - share), kind="stable")[:COMPARED])
    some, share = some.take(snps=common), share[common]
    alike = np.maximum((1 - share) ** 4 + (2 * share * (1 - share)) ** 2 + share**4, 1e-9)
    if -np.log2(alike).sum() < BITS:
        return copies
    theirs, mine = on(reference, some.snps).array(), some.array()
    known = {row.tobytes() for row in mine}
    copies |= np.array([row.tobytes() in known for row in theirs], dtype=bool)  # the same calls missing, too
    for begin in range(0, len(theirs), BLOCK):
        block = theirs[begin : begin + BLOCK]
        for first in range(0, len(mine), BLOCK):
            copies[begin : begin + BLOCK] |= _nearly_equal(block, mine[first : first + BLOCK], alike).any(axis=1)
    return copies


def _nearly_equal(theirs: Calls, ours: Calls, alike: Floats) -> Bools:
    """For each of them and each of us: do the calls agree far more often than those of two people do by chance?

    alike: of each SNP, the share of unrelated pairs that agree. Two people differ at most at a tenth of the SNPs at
    which both are called, and at most at a quarter of those at which chance would make them differ.
    """
    equal = sum(_where(theirs == dose) @ _where(ours == dose).T for dose in (0, 1, 2))
    called, of_us = _where(theirs >= 0), _where(ours >= 0).T
    both = called @ of_us
    expected = (called * (1 - alike).astype(np.float32)) @ of_us
    bits = (called * -np.log2(alike).astype(np.float32)) @ of_us
    differ = both - equal
    near = (differ <= (1 - CONCORDANT) * both) & (differ <= expected / 4)
    return np.asarray(near & (both >= SITES) & (bits >= BITS))


def _where(which: Bools) -> NDArray[np.float32]:
    return which.astype(np.float32)


def on_shared(
    name: str, released: Frequencies | BeaconAnswers, **sides: Genotypes | Frequencies | None
) -> tuple[Snps, NDArray[np.int64]]:
    """The SNPs that a release and all sides have, and where they are in the release."""
    common, place = released.snps, np.arange(len(released.snps))
    for what, side in sides.items():
        if side is None or same_sites(common, side.snps):
            continue
        mine = common.shared(side.snps)[0]
        if not len(mine):
            raise DataError(
                f"{name} — none of the {len(released.snps)} published SNP(s) is among the {len(side.snps)} of the "
                f"{what} — compare data of one assembly and one naming"
            )
        common, place = common.take(mine), place[mine]
    if not len(common):
        raise DataError(f"{name} — the release publishes no SNP")
    return common, place


def on(side: Side, snps: Snps) -> Side:
    """A side on these SNPs."""
    return side if side is None or same_sites(snps, side.snps) else side.on(snps)


def same_sites(ours: Snps, theirs: Snps) -> bool:
    return ours is theirs or all(np.array_equal(mine, theirs.columns[name]) for name, mine in ours.columns.items())


def aside(persons: Sequence[str]) -> Bools:
    """The half of the people that is set aside: a choice of SNPs that looks at half of the people looks at the others.

    A person's half depends on the person's name alone, so that a judge finds the same people again.

    >>> aside(["Ann", "Bob", "Carl", "Dora"]).tolist()
    [True, False, False, False]
    """
    return np.asarray((name_numbers(persons, "aside") >> np.uint64(63)).astype(bool))


def name_numbers(names: Iterable[str], purpose: str = "fold") -> NDArray[np.uint64]:
    """A number for each name that follows from nothing else."""
    digests = (hashlib.sha256(f"{purpose}\0{name}".encode()).digest()[:8] for name in names)
    return np.frombuffer(b"".join(digests), dtype=">u8").astype(np.uint64)
