"""Binning: values of SNPs are generalised until none is rare in a sequence and no combination is rare among sequences.

## Guarantee
In every published sequence each value is that of at least B SNPs, and at least B′ published sequences show the same
values at all SNPs. Each published symbol covers the true one. Where the SNPs are all places in which sequences differ,
every published sequence is that of at least B′ persons.

## Adversary
Knows the values of a target at the SNPs, and that the target is in the data.

## What it does not protect
What all B′ sequences have in common; labels beside them. Places that are not among the SNPs, if `snps` names some of
several that differ.

## Parameters
B: the least number of SNPs of one sequence that show a value.
B_prime: the least number of sequences that show a combination of values.
snps: the places that are SNPs, from 1; by default every place in which sequences differ, or show anything but a base.
tree: how bases are paired below N: "RY" (default; purines A, G and pyrimidines C, T), "SW" (C, G and A, T) or "MK" (A,
C and G, T). Codes that are not in the tree, and gaps, are N from the beginning.

Genotypes are taken as sequences of one symbol a SNP (`Sequences.of_genotypes`), and published as such.

## Worked example
The first and second sequence differ in the first place, and are joined there; the other two are the same already.

>>> from sharewell.genomes import Sequences, SnpBins
>>> data = Sequences.of(["AGGA", "GGGA", "CTTA", "CTTA"])
>>> released = Binning(B=1, B_prime=2).protect(data, must=[SnpBins(1, 2)])
>>> released.data.texts
('RGGA', 'RGGA', 'YTTA', 'YTTA')

All sequences climb together: C became Y although it was not rare. With B = 2, a value must be there twice as well.

>>> Binning(B=2, B_prime=2).protect(data, must=[]).data.texts
('RRRA', 'RRRA', 'YYYA', 'YYYA')

## Why it is safe
Every SNP has a level to which it has climbed in all sequences. Within each sequence a value that is then rare climbs on
to its parent; if that is rare still, as many SNPs from below it follow as it needs. What is done depends on the values
of the sequence alone, so that equal sequences stay equal. As long as a combination is too rare, the rarest is joined
with the other one that is cheapest to reach: each SNP in which the two differ climbs to the level where they meet.
Levels only rise, so it ends: at the latest when all SNPs of all sequences are N. Afterwards each SNP is let down again,
the dearest first, as far as both bounds hold.

## Cost
O(SNPs² · c) for c different combinations.

## Source
Lin, Hewett and Altman, Using binning to maintain confidentiality of medical data, 2002, as the tutorial of
Gkoulalas-Divanis and Loukides (SIAM Data Mining, 2012) tells it; its figure of the tree could not be consulted, and R/Y
is our reading. They generalise one SNP of the rarest combination at a time. Choosing those that join it with another,
and letting down what need not have climbed, is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criteria, Declared, Infeasible, Key, PolicyError, Protected
from sharewell.genomes.criteria.k_identical import KIdentical
from sharewell.genomes.criteria.snp_bins import SnpBins, snp_columns
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Ints, Sequences
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.iupac_lattice import ANY, Codes
from sharewell.genomes.engine.protection.form_check import Publishing
from sharewell.preconditions import refuse_incompatible, refuse_published

Tree = Literal["RY", "SW", "MK"]
TOP = 2
"""The level of N, above pairs of bases and bases."""


@dataclass(frozen=True)
class BinningDetails:
    """SNPs, different combinations before and after, SNPs that show N everywhere, and the lattice distance."""

    sequences: int
    snps: int
    before: int
    after: int
    lost: int
    cost: int


@dataclass(frozen=True)
class Binning(Declared, Publishing[Sequences | Genotypes, Sequences]):
    """Both stages, until both hold."""

    B: Count
    B_prime: Count
    snps: Annotated[Sequence[Count], MinLen(1)] | None = None
    tree: Tree = "RY"

    engine: ClassVar[tuple[str, ...]] = ("bins", "demands")
    refuses: ClassVar[tuple[str, ...]] = ("diverse-sequences",)

    def protect(
        self, data: Sequences | Genotypes, must: Criteria[Sequences], key: Key | None = None
    ) -> Protected[Sequences]:
        refuse_published(self.name, data)
        rows = Sequences.of_genotypes(data) if isinstance(data, Genotypes) else data
        columns = snp_columns(rows, self.snps)
        within, across = self._asked(must)
        self._refuse_few(rows, len(columns), within, across)
        before = rows.matrix[:, columns]
        bins = Bins.of(before, _Tree.of(self.tree), within, across)
        bins.climb()
        bins.let_down()
        shown = rows.matrix.copy()
        shown[:, columns] = after = bins.shows()[bins.which]
        details = BinningDetails(
            sequences=rows.rows,
            snps=len(columns),
            before=len(np.unique(Sequences(np.ascontiguousarray(before)).groups)),
            after=len(np.unique(Sequences(np.ascontiguousarray(after)).groups)),
            lost=int((after == ANY).all(axis=0).sum()),
            cost=int(iupac_lattice.distance(before, after).sum()),
        )
        return Protected(rows.shown(shown), details, np.arange(rows.rows))

    def _asked(self, criteria: Criteria[Sequences]) -> tuple[int, int]:
        """The strictest B and B′."""
        refuse_incompatible(self, criteria)
        binned = [one for one in criteria if isinstance(one, SnpBins)]
        identical = [one for one in criteria if isinstance(one, KIdentical)]
        asked = [*(one.bins() for one in binned), *((1, one.demands()[0]) for one in identical)]
        places = [*(one.snps for one in binned), *(None for _ in identical)]
        if any((p and sorted(set(p))) != (self.snps and sorted(set(self.snps))) for p in places):
            raise PolicyError(f"{self.name} — a criterion judges other SNPs — name the same `snps` in both")
        return max([self.B, *(b for b, _ in asked)]), max([self.B_prime, *(b for _, b in asked)])

    def _refuse_few(self, rows: Sequences, snps: int, within: int, across: int) -> None:
        if rows.rows < across:
            what = f"{self.name} — {rows.rows} {rows.unit}, and a combination needs {across}"
            helps = [f"B_prime at most {rows.rows}"] if rows.rows else []
            raise Infeasible(what, blocking=[f"B' = {across}"], relaxations=helps)
        if 0 < snps < within:
            what = f"{self.name} — {snps} SNP(s), and a value needs {within}"
            raise Infeasible(what, blocking=[f"B = {within}"], relaxations=[f"B at most {snps}"])


@dataclass(frozen=True, eq=False)
class _Tree:
    """Bases, two pairs of them, N."""

    pairs: tuple[int, int]
    at: Codes
    """Level × code: the node of at least that level which covers the code."""
    level: Ints
    """Of every node."""
    meet: Ints
    """Node × node: the level at which they are the same, 0 if they are already."""

    @classmethod
    def of(cls, name: Tree) -> _Tree:
        pairs = tuple(iupac_lattice.SYMBOLS.index(symbol) for symbol in name)
        at = np.full((TOP + 1, 32), ANY, dtype=np.uint8)
        level = np.full(32, TOP, dtype=np.int64)
        for pair in pairs:
            at[:TOP, pair], level[pair] = pair, 1
            for base in (base for base in (1, 2, 4, 8) if base & pair):
                at[0, base], at[1, base], level[base] = base, pair, 0
        meet = (at[:, :, None] != at[:, None, :]).sum(axis=0)
        return cls((pairs[0], pairs[1]), at, level, meet)


@dataclass(eq=False)
class Bins:
    """Different combinations as they were, and the level to which each SNP has climbed."""

    tree: _Tree
    codes: Codes
    which: Ints
    """The combination of each sequence."""
    within: int
    across: int
    levels: Ints

    @classmethod
    def of(cls, codes: Codes, tree: _Tree, within: int, across: int) -> Bins:
        different, which = _distinct(tree.at[0][codes])
        return cls(tree, different, which, within, across, np.zeros(codes.shape[1], dtype=np.int64))

    def shows(self) -> Codes:
        """What becomes of each combination at these levels."""
        return common_within(self.tree.at[self.levels, self.codes], self.tree.pairs, self.within)

    def climb(self) -> None:
        """Until no combination is rare."""
        while True:
            shown, now = _distinct(self.shows())
            counts = np.bincount(now[self.which])
            if counts.min() >= self.across:
                return
            self.levels = np.maximum(self.levels, self._meeting(shown, counts))

    def _meeting(self, shown: Codes, counts: Ints) -> Ints:
        """The level at which the rarest combination, at each SNP, meets the other that is cheapest to reach."""
        rarest = int(counts.argmin())
        meet = self.tree.meet[shown[rarest], shown]
        total = self._prices(shown, counts)[meet, np.arange(meet.shape[1])].sum(axis=1)
        total[rarest] = total.max() + 1
        return np.asarray(meet[int(total.argmin())])

    def _prices(self, codes: Codes, counts: Ints) -> Ints:
        """Level × SNP: how many levels all sequences together rise if the SNP climbs there."""
        lower = self.tree.level[codes]
        return np.stack([counts @ np.maximum(level - lower, 0) for level in range(TOP + 1)])

    def let_down(self) -> None:
        """Each SNP to the level below, the dearest first, if no combination becomes rare."""
        prices = self._prices(self.codes, np.bincount(self.which))
        for target in (1, 0):
            saved = prices[self.levels, np.arange(len(self.levels))] - prices[target]
            for snp in np.argsort(-saved, kind="stable").tolist():
                if (was := int(self.levels[snp])) > target:
                    self.levels[snp] = target
                    if np.bincount(_distinct(self.shows())[1][self.which]).min() < self.across:
                        self.levels[snp] = was


def common_within(codes: Codes, pairs: tuple[int, int], least: int) -> Codes:
    """Within each row a rare value climbs; if its parent is rare still, as many from below as it needs follow.

    >>> rows = np.stack([iupac_lattice.read("AAGCCCC"), iupac_lattice.read("AAAAGCC")])
    >>> [iupac_lattice.write(row) for row in common_within(rows, (5, 10), 2)]
    ['RRRCCCC', 'RAAARCC']
    """
    if least < 2 or not codes.size:
        return codes
    codes = codes.copy()
    below = {pair: [base for base in (1, 2, 4, 8) if base & pair] for pair in pairs}
    for pair, bases in below.items():
        for base in bases:
            codes[_rare(codes, base, least)[:, None] & (codes == base)] = pair
        _follow(codes, dict.fromkeys(bases, 1), pair, least)
        codes[_rare(codes, pair, least)[:, None] & (codes == pair)] = ANY
    _follow(
        codes,
        {value: rise for pair in pairs for value, rise in [(pair, 1), *((b, 2) for b in below[pair])]},
        ANY,
        least,
    )
    return codes


def _rare(codes: Codes, value: int, least: int) -> NDArray[np.bool_]:
    """The rows in which too few SNPs have the value."""
    count = (codes == value).sum(axis=1)
    return np.asarray((count > 0) & (count < least))


def _follow(codes: Codes, below: Mapping[int, int], above: int, least: int) -> None:
    """Where a value is rare, SNPs of one value below climb to it, and leave none or enough: the cheapest, the first
    of the row first. below: values, and by how many levels they would rise."""
    rows = np.flatnonzero(_rare(codes, above, least))
    need = least - (codes[rows] == above).sum(axis=1)
    counts = np.stack([(codes[rows] == value).sum(axis=1) for value in below])
    moved = np.where(counts - need >= least, need, counts)
    price = np.where(counts > 0, moved * np.array(list(below.values()))[:, None], np.iinfo(np.int64).max)
    best = price.argmin(axis=0)
    for number, value in enumerate(below):
        here = rows[best == number]
        held = codes[here] == value
        first = np.cumsum(held, axis=1) <= moved[number, best == number, None]
        codes[here] = np.where(held & first, np.uint8(above), codes[here])


def _distinct(codes: Codes) -> tuple[Codes, Ints]:
    """The different rows, and which of them each row is."""
    groups = Sequences(np.ascontiguousarray(codes)).groups
    return codes[np.unique(groups, return_index=True)[1]], groups
