"""From variants of a VCF file to genotypes: several alternatives, one-copy calls and missing ones, each as told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.snps import UNKNOWN, Snps
from sharewell.genomes.engine import packed_calls
from sharewell.genomes.engine.packed_calls import MISSING, Bytes, Calls
from sharewell.io.vcf import Variant

Multiallelic = Literal["refuse", "split"]
Haploid = Literal["refuse", "double", "missing"]

Pair = tuple[NDArray[np.integer], NDArray[np.integer]]
"""The two alleles of every sample."""
ABSENT = -2
"""Stands where a call has fewer alleles than others of the line."""
REASONS = {
    "multiallelic": "site(s) with several alternatives — multiallelic='split' makes a SNP of each",
    "haploid": "call(s) of one allele — haploid='double' counts it twice, as PLINK does; 'missing' leaves it out",
    "polyploid": "site(s) with calls of three alleles or more — leave them out",
    "silent": "site(s) without genotypes (GT) — leave them out",
    "unlisted": "call(s) of an allele that the site does not list — the file is damaged",
}


@dataclass
class Reader:
    """Collects SNPs, and counts what cannot be one; `done` refuses if anything was counted."""

    multiallelic: Multiallelic = "refuse"
    haploid: Haploid = "refuse"
    kept: list[int] | None = None
    """Which samples; None: all."""
    odd: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.multiallelic not in ("refuse", "split"):
            raise ValueError("multiallelic is 'refuse' or 'split'")
        if self.haploid not in ("refuse", "double", "missing"):
            raise ValueError("haploid is 'refuse', 'double' or 'missing'")

    def read(self, variants: Iterable[Variant], persons: int) -> tuple[Bytes, Snps]:
        """Packed calls and SNPs of all variants."""
        rows: list[Bytes] = []
        sites: list[tuple[str, str, int, str, str]] = []
        for variant in variants:
            pair = self._pair(variant)
            for site, calls in () if pair is None else self._snps(variant, pair):
                if not self.odd:  # the rest is only looked through, to tell all counts at once
                    sites.append(site)
                    rows.append(packed_calls.pack(calls[None, :])[0])
        if self.odd:
            told = "; ".join(f"{count:,} {REASONS[what]}" for what, count in sorted(self.odd.items()))
            raise DataError(f"VCF — {told}")
        packed = np.array(rows, dtype=np.uint8).reshape(len(rows), packed_calls.width(persons))
        snps = Snps.of(
            [site[0] for site in sites],
            chromosome=[site[1] for site in sites],
            position=[site[2] for site in sites],
            effect=[site[3] for site in sites],
            other=[site[4] for site in sites],
        )
        return packed, snps

    def _pair(self, variant: Variant) -> Pair | None:
        """Two alleles a sample, both -1 if the call is missing in part or whole; None if there is no such thing."""
        if variant.alleles is None:
            self.odd["silent"] += 1
            return None
        alleles = variant.alleles if self.kept is None else variant.alleles[self.kept]
        if alleles.shape[1] > 2 and (alleles[:, 2:] != ABSENT).any():
            self.odd["polyploid"] += 1
            return None
        first = alleles[:, 0]
        second = alleles[:, 1] if alleles.shape[1] > 1 else np.full_like(first, ABSENT)
        single = (second == ABSENT) & (first >= 0)
        if single.any():
            if self.haploid == "refuse":
                self.odd["haploid"] += int(single.sum())
            second = np.where(single, first if self.haploid == "double" else MISSING, second)
        missing = (first < 0) | (second < 0)
        if unlisted := int((np.maximum(first, second) > len(variant.alternatives)).sum()):
            self.odd["unlisted"] += unlisted
        return np.where(missing, MISSING, first), np.where(missing, MISSING, second)

    def _snps(self, variant: Variant, pair: Pair) -> Iterator[tuple[tuple[str, str, int, str, str], Calls]]:
        """One for each alternative; its calls count that alternative and take all others for the other allele."""
        listed = variant.alternatives or (UNKNOWN,)
        if len(listed) > 1 and self.multiallelic == "refuse":
            self.odd["multiallelic"] += 1
            return
        first, second = pair
        for number, effect in enumerate(listed, 1):
            calls = (first == number).astype(np.int8) + (second == number).astype(np.int8)
            calls[first == MISSING] = MISSING
            name = variant.id or "."
            name = f"{name}:{effect}" if len(listed) > 1 and variant.id else name
            yield (name, variant.chromosome, variant.position, effect, variant.reference), calls
