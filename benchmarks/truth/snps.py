"""SNPs that were chosen by looking at the pool: is a member recognised more often than the certificate allows?

The attacker knows the population's frequencies and takes the likelihood ratio (Sankararaman and others, 2009). One pool
says little, so that cases of one way to choose and one bound are averaged: false is a mean beyond the bound by more
than three standard errors. A member is recognised if at most 9 of 199 strangers have a greater ratio: of strangers as
many are taken for members as the false-positive rate allows, 10 in 200.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from benchmarks.truth.tally import Answer, Kind, Tally
from sharewell.genomes import Frequencies, Genotypes, SafeNumber, SafeSNPs

STRANGERS = 199
BEYOND = 10
RULES = ("deviation", "excess", "groups", "copies", "lot", "safe-snps")
POWERS = (0.2, 0.5, 0.8)
SHAPES = ((40, 160, 0.05, 0.5, 4), (20, 100, 0.1, 0.5, 4), (60, 400, 0.005, 0.03, 2))
"""People, SNPs, least and largest frequency, and the fewest copies of the rarer allele."""
REGIMES = tuple(product(RULES, POWERS))
STEPS = 5
"""How closely the largest number of SNPs that passes is looked for, by halves."""


@dataclass(frozen=True)
class PoolCase:
    rule: str
    power: float
    shape: tuple[Any, ...]
    seed: int

    def people(self) -> tuple[np.ndarray, np.ndarray]:
        """Frequencies of the population, and the calls of people drawn from it."""
        return drawn(self.shape, self.seed)


@lru_cache(maxsize=1)
def drawn(shape: tuple[Any, ...], seed: int) -> tuple[np.ndarray, np.ndarray]:
    people, snps, low, high, _ = shape
    rng = np.random.default_rng(seed)
    population = np.exp(rng.uniform(np.log(low), np.log(high), snps))
    return population, calls_of(rng, population, people)


def calls_of(rng: np.random.Generator, population: np.ndarray, people: int) -> np.ndarray:
    """Of both copies of a chromosome, which have the allele."""
    shares = population.astype(np.float32)
    one, other = (rng.random((people, len(population)), dtype=np.float32) < shares for _ in range(2))
    return one.astype(np.int8) + other


def usefulness(case: PoolCase, population: np.ndarray, calls: np.ndarray) -> np.ndarray:
    """How much a rule wants each SNP."""
    share = calls.mean(axis=0) / 2
    spread = np.sqrt(population * (1 - population))
    if case.rule == "groups":
        return np.abs(calls[::2].mean(axis=0) - calls[1::2].mean(axis=0)) / spread
    if case.rule == "lot":
        return np.random.default_rng(case.seed).random(len(share))
    ways = {"deviation": np.abs(share - population) / spread, "excess": (share - population) / spread, "copies": share}
    return ways[case.rule]


def power(inside: np.ndarray, population: np.ndarray, seed: int) -> float:
    """The share of members whose likelihood ratio exceeds that of all strangers but nine."""
    published = np.clip(inside.mean(axis=0) / 2, 1 / (4 * len(inside)), 1 - 1 / (4 * len(inside)))
    gain = np.log(published / population), np.log((1 - published) / (1 - population))
    strangers = calls_of(np.random.default_rng([seed, 1]), population, STRANGERS)
    weight, rest = (gain[0] - gain[1]).astype(np.float32), 2 * gain[1].sum()
    members, others = (some.astype(np.float32) @ weight + rest for some in (inside, strangers))
    return float((members > np.sort(others)[-BEYOND]).mean())


class SNPCases(Kind):
    """Published: which SNPs."""

    name = "SNPs chosen by looking at the pool"

    def draw(self, rng: np.random.Generator) -> PoolCase:
        rule, most = REGIMES[int(rng.integers(len(REGIMES)))]
        return self._case(rng, rule, most)

    def _case(self, rng: np.random.Generator, rule: str, most: float) -> PoolCase:
        shape = SHAPES[int(rng.integers(2 if rule == "safe-snps" else len(SHAPES)))]
        return PoolCase(rule, most, shape, int(rng.integers(2**31)))

    def answer(self, case: PoolCase) -> Answer:
        """As many of the wanted SNPs as the criterion lets pass, or what the mechanism publishes."""
        population, calls = case.people()
        pool, rule = Genotypes.of(calls), SafeNumber(case.power)
        if case.rule == "safe-snps":
            ill = {person: i % 2 for i, person in enumerate(pool.persons)}
            return Answer(True, SafeSNPs(case.power, phenotype=ill, ld=1.0).protect(pool, [rule]).rows)
        whole, order = Frequencies.of(pool), self._order(case, population, calls)
        number, beyond = 0, len(order) + 1
        for _ in range(STEPS):
            tried = (number + beyond) // 2 if number else max(1, beyond // 4)
            if rule.check(whole.take(order[:tried])).ok:
                number = tried
            else:
                beyond = tried
        return Answer(number > 0, order[:number])

    def unprotected(self, case: PoolCase) -> Any:
        """Two SNPs a person of those that the rule wants most."""
        population, calls = case.people()
        order = np.arange(len(population)) if case.rule == "safe-snps" else self._order(case, population, calls)
        return order[: 2 * len(calls)]

    def _order(self, case: PoolCase, population: np.ndarray, calls: np.ndarray) -> np.ndarray:
        copies, fewest = calls.sum(axis=0), case.shape[4]
        fit = np.flatnonzero((copies >= fewest) & (copies <= 2 * len(calls) - fewest))
        return fit[np.argsort(-usefulness(case, population, calls)[fit], kind="stable")]

    def is_safe(self, case: PoolCase, published: Any) -> bool:
        reached = self.reached(case, published)
        return excess(case.power, (reached, reached**2, 1, case.shape[0])) <= 0

    def reached(self, case: PoolCase, published: Any) -> float:
        population, calls = case.people()
        return power(calls[:, published], population[published], case.seed)

    def chunk(self, cases: int, seed: tuple[int, int], protected: bool = True) -> Tally:
        rng, found, began = np.random.default_rng(seed), Tally(self.name), time.process_time()
        for number in range(cases):
            case = self._case(rng, *REGIMES[number % len(REGIMES)])
            answer = self._answered(case) if protected else Answer(True, self.unprotected(case))
            if answer.safe:
                reached = self.reached(case, answer.published)
                one = Tally(self.name, means={(case.rule, case.power): (reached, reached**2, 1, case.shape[0])})
                found.merge(one)
            found.add(answer, answer.safe is True, case)
        found.seconds = time.process_time() - began
        return found

    def finish(self, found: Tally) -> None:
        """A false mean counts as one false answer for each of its cases."""
        for (rule, most), sums in found.means.items():
            beyond = excess(most, sums)
            if beyond > 0:
                found.false_safe += sums[2]
                found.truly_safe -= sums[2]
                found.show(
                    f"{rule}, {most}: {sums[0] / sums[2]:.3f} on average in {sums[2]:,} pools, {beyond:.3f} too much"
                )


def excess(bound: float, sums: tuple[float, float, int, int]) -> float:
    """By how much the mean power exceeds the bound and three standard errors."""
    total, squares, cases, people = sums
    mean = total / cases
    error = max(bound * (1 - bound) / people, max(squares / cases - mean**2, 0.0) / cases)
    return float(mean - bound - 3 * np.sqrt(error))
