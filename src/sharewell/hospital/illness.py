"""Which diagnoses each patient holds: 74 common codes with their comorbidity, and a long tail of rare ones.

A code fires with its table prevalence (age band and sex), multiplied for every code already held that makes it more
likely, and divided by the mean of that multiplier, so that the marginal prevalence stays near the table. Codes of the
five gene-linked diseases follow the genotype instead (`genotypes.py`). The tail draws from all leaves of ICD-10-CM:
without it no code would be rare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import numpy as np
import pyarrow as pa

from sharewell.errors import DataError
from sharewell.hierarchy.icd import ICD10CM
from sharewell.hospital.alleles import Snp, load_snps, scaled_frequencies
from sharewell.hospital.draws import Bools, Floats, Ints, Lane, Stream, cumulative, pick, poisson_sums
from sharewell.hospital.patients import Patients
from sharewell.io.shipped import ShippedPatterns, shipped_rows

TAIL_MEAN, TAIL_MOST, TAIL_TRIES = 0.9, 8, 4
CHECK_UP = ("Z00.00", "Z00.129")  # adult, child: the reason of a visit when there is no other
FERTILE = (12, 50)
_GROWING_UP = ("F10.20", "F11.20", "F17.210", "F20.9", "F31.9", "Z87.891")  # under 18 from the age of 12 only
_BANDS = ("pct_0_17", "pct_18_44", "pct_45_64", "pct_65_79", "pct_80")


@dataclass(frozen=True)
class Catalogue:
    """The table of common diagnoses. Codes are numbers: the table's rows, then the check-ups, then all leaves."""

    codes: tuple[str, ...]
    labels: tuple[str, ...]
    chronic: Bools
    pregnancy: Bools
    adult_only: Bools
    rates: Floats  # code x (band, sex): share of people
    order: tuple[int, ...]
    parents: tuple[tuple[tuple[int, float], ...], ...]
    everything: pa.Array

    def number(self, code: str) -> int:
        """The number of a common code."""
        return self.codes.index(code)

    def starts(self, prefix: str) -> Ints:
        """The numbers of the common codes below a prefix."""
        return np.array([place for place, code in enumerate(self.codes) if code.startswith(prefix)])


def _rates(rows: list[dict[str, str]]) -> Floats:
    """Prevalence by code and cell; a cell is band * 2 + (1 if female). Asthma is commoner in boys, later in women."""
    rates = np.empty((len(rows), 10))
    for place, row in enumerate(rows):
        sexes = (float(row["mult_m"]), float(row["mult_f"]))
        for band, name in enumerate(_BANDS):
            swap = (1.3, 0.7) if row["code"] == "J45.909" and band == 0 else sexes
            rates[place, 2 * band : 2 * band + 2] = float(row[name]) / 100.0 * np.array(swap)
    return rates


def _order(parents: list[list[tuple[int, float]]]) -> tuple[int, ...]:
    """Every code after the codes it depends on."""
    before = {code: [parent for parent, _ in pairs] for code, pairs in enumerate(parents)}
    try:
        return tuple(TopologicalSorter(before).static_order())
    except CycleError:
        raise DataError("hospital/comorbidity.csv — the pairs form a circle — remove one of them") from None


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """Read the shipped tables (once)."""
    rows = list(shipped_rows("hospital/diagnoses.csv"))
    codes = [row["code"] for row in rows]
    parents: list[list[tuple[int, float]]] = [[] for _ in codes]
    for row in shipped_rows("hospital/comorbidity.csv"):
        parents[codes.index(row["then"])].append((codes.index(row["given"]), float(row["multiplier"])))
    return Catalogue(
        codes=tuple(codes),
        labels=tuple(row["label"] for row in rows),
        chronic=np.array([row["chronic"] == "1" for row in rows]),
        pregnancy=np.array([row["cluster"] == "pregnancy" for row in rows]),
        adult_only=np.array([float(row["pct_0_17"]) == 0 for row in rows]),
        rates=_rates(rows),
        order=_order(parents),
        parents=tuple(tuple(pairs) for pairs in parents),
        everything=pa.array([*codes, *CHECK_UP, *load_leaves().codes]),
    )


def _by_genes(snp: Snp, risk_alleles: Ints, race: Ints, wanted: float) -> Floats:
    """Probability of the disease (penetrance) or its multiple (relative risk) for each person."""
    effect = np.array([0.0 if snp.model == "penetrance" else 1.0, snp.effect_one, snp.effect_two])
    if snp.model == "penetrance":
        return effect[risk_alleles]
    frequency = scaled_frequencies(snp, wanted)[race]
    mean = (1 - frequency) ** 2 + 2 * frequency * (1 - frequency) * effect[1] + frequency**2 * effect[2]
    return np.asarray(effect[risk_alleles] / mean)


def _right_age(catalogue: Catalogue, code: int, age: Ints) -> Floats | float:
    """No delivery at 5 or at 60, no smoker of 3: those of the band who may hold the code hold it more often instead.

    Six of the nineteen parts of the youngest band are 12 or older (age 0 counts twice), six of the twenty years from
    45 to 64 are 50 or younger.
    """
    if not catalogue.pregnancy[code] and catalogue.codes[code] not in _GROWING_UP:
        return 1.0
    youth = np.where(age < FERTILE[0], 0.0, np.where(age < 18, 19 / 6, 1.0))
    if not catalogue.pregnancy[code]:
        return youth
    return np.asarray(youth * np.where(age > FERTILE[1], 0.0, np.where(age >= 45, 20 / 6, 1.0)))


def common_codes(patients: Patients, seed: int, alleles: Ints, enrich: Mapping[str, float]) -> Bools:
    """Patients x common codes: who holds what. `alleles` = risk alleles of the gene-linked diseases."""
    catalogue, lane = load_catalogue(), Stream(seed, "illness").of(patients.number)
    cell = patients.band * 2 + patients.female
    race = patients.people.race[patients.place]
    snps = {snp.code: (place, snp) for place, snp in enumerate(load_snps())}
    more = np.array([enrich.get(code, 1.0) for code in catalogue.codes])
    rates = np.minimum(catalogue.rates * more[:, None], 0.97)
    holds = np.zeros((len(patients), len(catalogue.codes)), dtype=np.bool_)
    for code in catalogue.order:
        name = catalogue.codes[code]
        chance = rates[code][cell] * _right_age(catalogue, code, patients.age)
        for parent, multiple in catalogue.parents[code]:
            mean = 1.0 + rates[parent][cell] * (multiple - 1.0)
            chance = chance * np.where(holds[:, parent], multiple, 1.0) / mean
        if name in snps:
            place, snp = snps[name]
            genetic = _by_genes(snp, alleles[:, place], race, float(more[code]))
            chance = genetic if snp.model == "penetrance" else chance * genetic
        holds[:, code] = lane.unit(name) < np.minimum(chance, 0.97)
    return holds


ANYONE, FEMALE_ONLY, MALE_ONLY, PREGNANCY, NEWBORN = range(5)
_BEGINNINGS = ShippedPatterns("hospital/code_rules.toml")
_RULES = {"pregnancy": PREGNANCY, "newborn": NEWBORN, "female": FEMALE_ONLY, "male": MALE_ONLY}


@dataclass(frozen=True)
class Leaves:
    """The codes, the first one of each category, and the rule of each code."""

    codes: tuple[str, ...]
    first: Ints
    rule: Ints

    def draw(self, seed: int, lane: Lane, attempt: int) -> Ints:
        """A code each: the category by a heavy-tailed weight after a seeded shuffle, the leaf evenly within it."""
        categories = len(self.first) - 1
        shuffled = np.argsort(Stream(seed, "tail/shuffle").of(np.arange(categories)).unit("rank"), kind="stable")
        weights = cumulative(1.0 / (np.arange(categories) + 10.0))
        category = shuffled[pick(lane.unit(f"category/{attempt}"), weights)]
        low, high = self.first[category], self.first[category + 1]
        return low + lane.below(f"leaf/{attempt}", high - low)


def _rule(code: str) -> int:
    return next((rule for name, rule in _RULES.items() if _BEGINNINGS[name].match(code)), ANYONE)


@lru_cache(maxsize=1)
def load_leaves() -> Leaves:
    """Read the shipped codes (once), without those that the table of common diagnoses draws itself."""
    common = {row["code"] for row in shipped_rows("hospital/diagnoses.csv")}
    every = (*ICD10CM().codes(), "")
    # In the order of the tree, codes below another one would follow it at once.
    leaves = [code for code, following in pairwise(every) if not following.startswith(code)]
    codes = [code for code in leaves if code not in common]
    first = [place for place, (before, code) in enumerate(pairwise(["", *codes])) if before[:3] != code[:3]]
    return Leaves(tuple(codes), np.array([*first, len(codes)]), np.array([_rule(code) for code in codes]))


def _fits(leaves: Leaves, leaf: Ints, female: Bools, age: Ints) -> Bools:
    """Whether sex and age allow the code."""
    rule = leaves.rule[leaf]
    fertile = female & (age >= FERTILE[0]) & (age <= FERTILE[1])
    wrong = (rule == FEMALE_ONLY) & ~female | (rule == MALE_ONLY) & female
    return np.asarray(~(wrong | (rule == PREGNANCY) & ~fertile | (rule == NEWBORN) & (age > 0)))


def tail_codes(patients: Patients, seed: int) -> tuple[Ints, Ints]:
    """(place of the patient, number of the code) of the rare codes."""
    leaves, people = load_leaves(), Stream(seed, "tail").of(patients.number)
    count = people.pick("count", poisson_sums(TAIL_MEAN, TAIL_MOST))
    patient = np.repeat(np.arange(len(patients)), count)
    turn = np.arange(len(patient)) - np.repeat(np.cumsum(count) - count, count)
    lane: Lane = people.at(patient).deeper(turn)
    female, age = patients.female[patient], patients.age[patient]
    leaf = np.full(len(patient), -1, dtype=np.int64)
    for attempt in range(TAIL_TRIES):
        drawn = leaves.draw(seed, lane, attempt)
        fits = (leaf < 0) & _fits(leaves, drawn, female, age)
        leaf[fits] = drawn[fits]
    patient, leaf = patient[leaf >= 0], leaf[leaf >= 0]
    once = np.unique(patient * len(leaves.codes) + leaf)
    first = len(load_catalogue().codes) + len(CHECK_UP)
    return once // len(leaves.codes), once % len(leaves.codes) + first
