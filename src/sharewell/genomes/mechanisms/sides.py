"""Pool and reference side by side: who is who, which SNPs may be published, and what would be."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes import packing
from sharewell.genomes.association import chi_square, counted
from sharewell.genomes.frequencies import Frequencies
from sharewell.genomes.genotypes import Genotypes
from sharewell.genomes.ld import Unlinked, standardised
from sharewell.genomes.mechanisms.adding import Contest
from sharewell.genomes.membership import References, aside
from sharewell.genomes.packing import Calls, Ints
from sharewell.genomes.phenotypes import Groups

FOLDS = 10
"""Parts into which the reference is cut, so that its people can be null people."""
LINKED_IN = 1000
"""People of the pool, and of the reference, among whom r² is computed."""
NOBODY = np.zeros(0, dtype=bool)


@dataclass(frozen=True, eq=False)
class Sides:
    """Both on the SNPs that they share. People are numbered through: first the pool, then the reference."""

    pool: Genotypes
    reference: Genotypes | None
    groups: Groups | None
    """Cases and controls of the pool, where that is told."""
    apart: bool
    """Are these published apart?"""
    choosing: NDArray[np.bool_]
    """Of everybody: may the choice of SNPs look at the person?"""
    numbers: Ints
    """Where the SNPs are in the data."""
    left_out: int
    """People of the reference who are in the pool as well."""

    @classmethod
    def of(
        cls, data: Genotypes, reference: Genotypes | None, groups: Groups | None, *, apart: bool, halves: bool
    ) -> Sides:
        """halves: half of the people are set aside, by their names. Without it everybody in the pool may be seen."""
        if groups is not None and apart and (groups < 0).any():
            data, groups = data.take(persons=groups >= 0), groups[groups >= 0]
        numbers, left_out, others = np.arange(data.count), 0, NOBODY
        if reference is not None:
            known = frozenset(data.persons)
            outside = np.array([person not in known for person in reference.persons], dtype=bool)
            left_out = int((~outside).sum())
            if not outside.any():
                raise DataError("the reference — nobody in it is outside the pool — name people who are")
            reference = (reference.take(persons=outside) if left_out else reference).on(data.snps)
            numbers = data.snps.shared(reference.snps)[0]
            data = data if len(numbers) == data.count else data.take(snps=numbers)
            others = ~aside(reference.persons)
        mine = ~aside(data.persons) if halves else np.ones(data.rows, dtype=bool)
        return cls(data, reference, groups, apart, np.concatenate([mine, others]), numbers, left_out)

    @property
    def people(self) -> tuple[str, ...]:
        return self.pool.persons + (() if self.reference is None else self.reference.persons)

    def calls(self, snps: Ints) -> Calls:
        """SNPs × everybody."""
        sides = [self.pool] if self.reference is None else [self.pool, self.reference]
        return np.concatenate([packing.unpack(np.asarray(side.packed[snps]), side.rows) for side in sides], axis=1)

    def who(self, choosing: bool, *, pool: bool, group: int | None = None) -> Ints:
        """Numbers of people in the order of their names, so that nothing depends on the order of rows."""
        chosen = self.choosing == choosing
        chosen[self.pool.rows :] &= not pool
        chosen[: self.pool.rows] &= pool
        if group is not None and self.groups is not None:
            chosen[: self.pool.rows] &= self.groups == group
        numbers, names = np.flatnonzero(chosen), self.people
        return np.array(sorted(numbers.tolist(), key=lambda i: names[i]), dtype=np.int64)

    def ranked(self, floor: float, missing: float) -> Ints:
        """SNPs of two alleles that are frequent and complete enough, the most useful to those who choose first."""
        alleles, called = self.pool.counts()
        rarer = np.minimum(alleles, 2 * called - alleles)
        fit = (rarer > 0) & (rarer >= 2 * called * floor * (1 - 1e-12)) & (called >= (1 - missing) * self.pool.rows)
        if self.reference is not None:  # of what is hardly known there, nobody could say how much it tells
            fit &= self.reference.counts()[1] >= max(2, (1 - missing) * self.reference.rows)
        seen = self.choosing[: self.pool.rows]
        if self.groups is None:
            here, _ = counted(self.pool, np.where(seen, 1, -1).astype(np.int8))
            share = here.alleles / np.maximum(2 * here.called, 1)
            useful = np.minimum(share, 1 - share)
        else:
            useful = chi_square(*counted(self.pool, np.where(seen, self.groups, -1).astype(np.int8)), "allelic")
        order = np.argsort(-np.nan_to_num(useful, nan=-1.0), kind="stable")
        found: Ints = order[fit[order]]
        return found

    def contests(self, choosing: bool) -> list[Contest]:
        """Whom an attacker might tell from whom, among those who choose or those set aside."""
        people, nulls, whole, folds = self.people, self.who(choosing, pool=False), self._whole, self._folds
        if folds is None:
            return []
        if not self.apart:
            return [Contest.of("everybody", people, self.who(choosing, pool=True), nulls, whole, folds)]
        cases, controls = (self.who(choosing, pool=True, group=group) for group in (1, 0))
        ill, well = whole.group("cases"), whole.group("controls")
        return [
            Contest.of("cases", people, cases, nulls, ill, folds),
            Contest.of("controls", people, controls, nulls, well, folds),
            Contest.of("cases among controls", people, cases, controls, ill, References.whole(well)),
        ]

    @cached_property
    def _whole(self) -> Frequencies:
        return self.frequencies(np.arange(self.pool.count))

    @cached_property
    def _folds(self) -> References | None:
        return None if self.reference is None else References.in_folds(self.reference, FOLDS)

    def frequencies(self, snps: Ints) -> Frequencies:
        """As they would be published."""
        some = self.pool if len(snps) == self.pool.count else self.pool.take(snps=snps)
        cases = None
        if self.apart and self.groups is not None:
            cases = [person for person, group in zip(some.persons, self.groups, strict=True) if group == 1]
        return replace(Frequencies.of(some, cases=cases), published=True)

    def effective(self, snps: Ints) -> int:
        """The least number of people called at one of the SNPs; of groups told apart, N₁N₀/(N₁ + N₀)."""
        if not self.apart or self.groups is None:
            return int(self.pool.counts()[1][snps].min())
        cases, controls = counted(self.pool.take(snps=snps), self.groups)
        most = 1 / np.maximum(cases.called, 0.5) + 1 / np.maximum(controls.called, 0.5)
        return math.floor(1 / float(most.max()))


class Offered:
    """Unlinked SNPs among those offered, by r² among some of the people who choose."""

    def __init__(self, sides: Sides, most: float, window: int) -> None:
        both = [sides.who(True, pool=True), sides.who(True, pool=False)]
        even = [np.unique(np.linspace(0, len(some) - 1, LINKED_IN).astype(np.int64)) for some in both]
        self._who = [some[which] for some, which in zip(both, even, strict=True) if len(some)]
        self._unlinked = Unlinked(sides.pool.snps, most, window, sum(len(some) for some in self._who))

    def take(self, snps: Ints, calls: Calls) -> NDArray[np.bool_]:
        return self._unlinked.take(snps, standardised(*(calls[:, some] for some in self._who)))
