"""Genotypes of three patients in ten: five variants tied to a disease, 95 neutral ones in blocks, and HTT repeats.

Entries count the risk allele (0, 1, 2). Neighbours within a block of five are correlated, because an allele copies the
previous one of its haplotype with probability 0.8. Children carry one haplotype of each parent. Patients with
Huntington disease (G10) are always genotyped and carry a repeat length, from which the age of onset can be guessed.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.hospital.alleles import Haplotypes, inherited, load_snps
from sharewell.hospital.columns import numbers, where, words
from sharewell.hospital.draws import Bools, Floats, Ints, Lane, Stream
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import Patients, patient_ids

SHARE, NEUTRAL, BLOCK, COPIED = 0.30, 95, 5, 0.8
REPEATS = (36, 55)


@lru_cache(maxsize=8)
def _frequencies(seed: int) -> Floats:
    """Beta(1, 3) by its inverse, within [0.02, 0.5]: one for each neutral variant."""
    unit = Stream(seed, "genotypes/frequencies").of(np.arange(NEUTRAL)).unit("frequency")
    return np.clip(1.0 - (1.0 - unit) ** (1.0 / 3.0), 0.02, 0.5)


def genotyped(patients: Patients, seed: int, holds: Bools) -> Ints:
    """The places of the patients whose genotype is on file."""
    sampled = Stream(seed, "genotypes").of(patients.number).chance("genotyped", SHARE)
    return np.flatnonzero(sampled | holds[:, load_catalogue().number("G10")])


def _neutral(patients: Patients, place: Ints, seed: int) -> Haplotypes:
    """Neutral variants of some patients: people x 95."""
    frequencies = _frequencies(seed)

    def draw(lane: Lane, race: Ints) -> Haplotypes:
        alleles = np.empty((len(race), NEUTRAL), dtype=np.int8)
        for variant in range(NEUTRAL):
            fresh = lane.unit(f"allele/{variant}") < frequencies[variant]
            if variant % BLOCK:
                copied = lane.chance(f"copy/{variant}", COPIED)
                fresh = np.where(copied, alleles[:, variant - 1], fresh)
            alleles[:, variant] = fresh
        return alleles

    blocks = np.arange(NEUTRAL) // BLOCK
    drawn = inherited(patients.people, patients.place[place], seed, "genotypes/neutral", draw, blocks)
    return np.asarray(drawn.sum(axis=1), dtype=np.int8)


def huntington(patients: Patients, seed: int, place: Ints) -> tuple[Ints, Ints]:
    """Repeat length and age of onset of patients with Huntington disease: the longer, the earlier."""
    lane, age = Stream(seed, "genotypes/htt").of(patients.number[place]), patients.age[place]
    spread = 6.0 * np.clip(lane.normal("onset"), -2, 2)
    least = np.ceil((100.0 + spread - age) / 1.3).astype(np.int64)
    low, high = REPEATS
    low_each = np.clip(least, low, high)
    repeats = low_each + lane.below("repeats", high - low_each + 1)
    onset = np.maximum(np.rint(100.0 - 1.3 * repeats + spread).astype(np.int64), 15)
    return repeats, np.minimum(onset, np.maximum(age, 0))


def genotypes_table(patients: Patients, seed: int, holds: Bools, alleles: Ints) -> pa.Table:
    """The rows of genotypes.csv."""
    place = genotyped(patients, seed, holds)
    columns: dict[str, pa.Array] = {"patient_id": patient_ids(patients.number[place], seed)}
    for number, snp in enumerate(load_snps()):
        columns[snp.rsid] = pa.array(alleles[place, number].astype(np.int8))
    neutral = _neutral(patients, place, seed)
    for variant in range(NEUTRAL):
        columns[f"syn{variant + 1:04d}"] = pa.array(neutral[:, variant])
    ill = holds[place, load_catalogue().number("G10")]
    blank = pa.array([""] * len(place), pa.string())
    columns["htt_repeats"] = where(ill, numbers(huntington(patients, seed, place)[0]), blank)
    return pa.table(columns)


def genotype_disease_table(patients: Patients, seed: int, holds: Bools, alleles: Ints) -> pa.Table:
    """The rows of truth/genotype_disease.csv: who of the genotyped holds a disease that is tied to a variant."""
    place, catalogue = genotyped(patients, seed, holds), load_catalogue()
    repeats, onset = huntington(patients, seed, place)
    variants = [*(snp.rsid for snp in load_snps()), "HTT-CAG"]
    codes = [*(snp.code for snp in load_snps()), "G10"]
    values = np.column_stack((alleles[place], repeats))
    linked = np.array([catalogue.number(code) for code in codes])
    row, variant = np.nonzero(holds[place][:, linked])
    blank = pa.array([""] * len(row), pa.string())
    return pa.table(
        {
            "patient_id": patient_ids(patients.number[place[row]], seed),
            "variant": words(pa.array(variants), variant),
            "value": numbers(values[row, variant]),
            "code": words(pa.array(codes), variant),
            "onset_age": where(variant == len(codes) - 1, numbers(onset[row]), blank),
        }
    )
