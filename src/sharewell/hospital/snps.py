"""The five variants that are tied to a disease, and the frequency of their risk allele by race."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sharewell.hospital.draws import Floats
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
