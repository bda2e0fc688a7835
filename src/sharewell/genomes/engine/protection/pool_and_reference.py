"""Pool and reference side by side: who is who, which SNPs may be published, and what would be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.frequencies import Floats, Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine import packed_calls
from sharewell.genomes.engine.association import chi_square, counted
from sharewell.genomes.engine.membership import References, aside, name_numbers, strangers
from sharewell.genomes.engine.packed_calls import Calls, Ints
from sharewell.genomes.engine.phenotypes import Groups
from sharewell.genomes.engine.protection.snp_addition import Contest
from sharewell.genomes.engine.selection import Selection

FOLDS = 10
"""Parts into which the reference is cut, so that its people can be null people."""
LINKED_IN = 2000
"""People among whom r² is computed, at most."""
NOBODY = np.zeros(0, dtype=bool)


@dataclass(frozen=True, eq=False)
class Sides:
    """Both on the SNPs that they share. People are numbered through: first the pool, then the reference."""

    pool: Genotypes
    reference: Genotypes | None
    known: Frequencies | None
    """Frequencies of the reference, which may have no people."""
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
        cls,
        data: Genotypes,
        reference: Genotypes | Frequencies | None,
        groups: Groups | None,
        *,
        apart: bool,
        halves: bool,
    ) -> Sides:
        """halves: half of the people are set aside, by their names. Without it everybody in the pool may be seen."""
        if groups is not None and apart and (groups < 0).any():
            data, groups = data.take(persons=groups >= 0), groups[groups >= 0]
        numbers, left_out, others, people = np.arange(data.count), 0, NOBODY, None
        if isinstance(reference, Genotypes):
            reference, left_out = strangers(reference, data)
        if reference is not None:
            reference = reference.on(data.snps)
            numbers = data.snps.shared(reference.snps)[0]
            data = data if len(numbers) == data.count else data.take(snps=numbers)
        known = Frequencies.of(reference) if isinstance(reference, Genotypes) else reference
        if isinstance(reference, Genotypes):
            others, people = ~aside(reference.persons), reference
        mine = ~aside(data.persons) if halves else np.ones(data.rows, dtype=bool)
        return cls(data, people, known, groups, apart, np.concatenate([mine, others]), numbers, left_out)

    @property
    def people(self) -> tuple[str, ...]:
        return self.pool.persons + (() if self.reference is None else self.reference.persons)

    def calls(self, snps: Ints) -> Calls:
        """SNPs × everybody."""
        sides = [self.pool] if self.reference is None else [self.pool, self.reference]
        return np.concatenate([packed_calls.unpack(np.asarray(side.packed[snps]), side.rows) for side in sides], axis=1)

    def who(self, choosing: bool, *, pool: bool, group: int | None = None) -> Ints:
        """Numbers of people in the order of their names, so that nothing depends on the order of rows."""
        chosen = self.choosing == choosing
        chosen[self.pool.rows :] &= not pool
        chosen[: self.pool.rows] &= pool
        if group is not None and self.groups is not None:
            chosen[: self.pool.rows] &= self.groups == group
        numbers, names = np.flatnonzero(chosen), self.people
        return np.array(sorted(numbers.tolist(), key=lambda i: names[i]), dtype=np.int64)

    @property
    def linkage_panel(self) -> Ints:
        """People among whom r² is computed: of the reference; without one, of those who choose."""
        some, names = self.who(True, pool=True), self.people
        if self.reference is not None:
            some = np.array(sorted(range(self.pool.rows, len(names)), key=lambda i: names[i]), dtype=np.int64)
        return some[np.unique(np.linspace(0, len(some) - 1, LINKED_IN).astype(np.int64))]

    def ranked(self, floor: float, missing: float) -> Ranked:
        """All candidates, the most useful first; only a phenotype makes it necessary to look at the pool for that."""
        fit = _fit(*self.pool.counts(), floor, (1 - missing) * self.pool.rows)
        if self.apart and self.groups is not None:  # each group is published
            for number, group in zip((1, 0), counted(self.pool, self.groups), strict=True):
                fit &= _fit(group.alleles, group.called, floor, (1 - missing) * int((self.groups == number).sum()))
        before = np.ones(self.pool.count, dtype=bool)
        if self.reference is not None:  # of what is hardly known there, nobody could say how much it tells
            before = _fit(*self.reference.counts(), floor, max(2, (1 - missing) * self.reference.rows))
        useful = np.zeros(self.pool.count)
        if self.groups is not None:
            seen = np.where(self.choosing[: self.pool.rows], self.groups, -1).astype(np.int8)
            useful = chi_square(*counted(self.pool, seen), "allelic")
        elif self.known is not None:
            useful = np.minimum(self.known.frequency, 1 - self.known.frequency)
            before &= ~(useful < floor * (1 - 1e-12))
        order = np.lexsort((self._lots(), -np.nan_to_num(useful, nan=-1.0)))
        return Ranked(order[before[order]], fit, self.groups is not None)

    def _lots(self) -> NDArray[np.uint64]:
        """A number for each SNP that follows from its name and place alone: an order in which no person has a say."""
        snps = self.pool.snps
        both = (sorted((str(one), str(other))) for one, other in zip(snps.effect, snps.other, strict=True))
        sites = zip(snps.chromosome, snps.position.tolist(), snps.id, both, strict=True)
        return name_numbers((repr(tuple(map(str, site))) for site in sites), "order")

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
        """As they would be published, but for how the SNPs were chosen."""
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
        ill, well = (group.called.astype(np.int64) for group in (cases, controls))
        return int((ill * well // np.maximum(ill + well, 1)).min())


@dataclass(frozen=True, eq=False)
class Ranked:
    """SNPs in the order in which they are offered, and which of them the pool lets be published."""

    order: Ints
    """All that could be published, for all that is known without the pool; the most useful first."""
    fit: NDArray[np.bool_]
    """Of every SNP: are both alleles frequent enough in the pool, and few calls missing?"""
    by_pool: bool
    """Did the people of the pool decide the order?"""

    @property
    def candidates(self) -> Ints:
        """Those that may be published, in their order."""
        return self.order[self.fit[self.order]]

    def spent(self, snps: Ints) -> Ints:
        """After each of these SNPs, in their order: this many are published or were left out because of the pool."""
        return np.asarray(np.arange(1, len(snps) + 1) + self.left_out(snps))

    def left_out(self, snps: Ints) -> Ints:
        """Before each of these SNPs: this many are left out because of the pool."""
        result = np.zeros(len(self.fit), dtype=np.int64)
        result[self.order] = np.cumsum(~self.fit[self.order])
        return result[snps]

    def selection(self, snps: Ints, called: int, halves: bool) -> Selection:
        """How these SNPs, given in their order, were chosen."""
        if self.by_pool:
            return Selection(len(self.order), "half" if halves else "everybody", called)
        spent = int(self.spent(snps)[-1])
        return Selection(spent, "nobody" if spent == len(snps) else "everybody", called)


def _fit(alleles: Ints | Floats, called: Ints | Floats, floor: float, least: float) -> NDArray[np.bool_]:
    """Two alleles that are frequent enough, and this many people called at least."""
    rarer = np.minimum(alleles, 2 * called - alleles)
    return np.asarray((rarer > 0) & (rarer >= 2 * called * floor * (1 - 1e-12)) & (called >= least))
