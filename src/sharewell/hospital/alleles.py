"""Alleles: the five variants that are tied to a disease, and haplotypes drawn for the grown and passed on to children.

A person has two haplotypes. Those of a child are, block by block, one of the mother's two and one of the father's two;
where a parent is not in the register, that haplotype is drawn. Parents are always drawn, so one step back is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sharewell.hospital.draws import Floats, Ints, Lane, Stream
from sharewell.hospital.people import People
from sharewell.io.shipped import shipped_rows

_RAF = ("raf_white", "raf_black", "raf_hispanic", "raf_asian", "raf_other", "raf_other")  # the order of people.RACES


@dataclass(frozen=True)
class Snp:
    """A variant: penetrance means that the effects are probabilities, relative_risk that they are multiples."""

    rsid: str
    code: str
    model: str
    effect_one: float
    effect_two: float
    frequencies: tuple[float, ...]


@lru_cache(maxsize=1)
def load_snps() -> tuple[Snp, ...]:
    """Read the shipped table (once)."""
    return tuple(
        Snp(
            row["rsid"],
            row["icd10cm"],
            row["model"],
            float(row["effect_one"]),
            float(row["effect_two"]),
            tuple(float(row[name]) for name in _RAF),
        )
        for row in shipped_rows("hospital/snps.csv")
    )


def scaled_frequencies(snp: Snp, more: float) -> Floats:
    """Risk-allele frequencies by race, higher if a disease that follows the genotype alone is to be `more` common."""
    plain = np.array(snp.frequencies)
    if snp.model != "penetrance" or more == 1.0:
        return plain

    def share(frequency: Floats) -> Floats:
        return np.asarray(2 * frequency * (1 - frequency) * snp.effect_one + frequency**2 * snp.effect_two)

    target, low, high = share(plain) * more, np.zeros_like(plain), np.full_like(plain, 0.9)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = np.where(share(middle) < target, middle, low), np.where(share(middle) < target, high, middle)
    return np.asarray((low + high) / 2)


Haplotypes = NDArray[np.int8]
HaplotypeDraw = Callable[[Lane, Ints], Haplotypes]


def inherited(people: People, place: Ints, seed: int, table: str, draw: HaplotypeDraw, blocks: Ints) -> Haplotypes:
    """Haplotypes (people x 2 x variants); `draw(lane, race)` makes one haplotype a person, `blocks` groups variants."""
    stream = Stream(seed, table)

    def own(rows: Ints) -> Haplotypes:
        lane = stream.of(people.number[rows])
        sides = [draw(lane.deeper(np.full(len(rows), side)), people.race[rows]) for side in range(2)]
        return np.stack(sides, axis=1)

    result = own(place)
    for side, parents in enumerate((people.mother, people.father)):
        child = np.flatnonzero(parents[place] >= 0)
        if len(child) == 0:
            continue
        parental = own(parents[place[child]])
        lane = stream.of(people.number[place[child]])
        second = np.stack([lane.chance(f"pass/{side}/{block}", 0.5) for block in range(int(blocks[-1]) + 1)], axis=1)
        result[child, side] = np.where(second[:, blocks], parental[:, 1], parental[:, 0])
    return result


def by_frequency(frequencies: Floats) -> HaplotypeDraw:
    """Independent alleles with a frequency for each race and variant (races x variants)."""

    def draw(lane: Lane, race: Ints) -> Haplotypes:
        units = np.stack([lane.unit(f"allele/{variant}") for variant in range(frequencies.shape[1])], axis=1)
        return (units < frequencies[race]).astype(np.int8)

    return draw
