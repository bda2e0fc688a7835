"""SNPs that were chosen by looking at the pool: is a member recognised more often than the certificate allows?

The attacker knows the population's frequencies and takes the likelihood ratio (Sankararaman and others, 2009). One pool
says little, so that cases of one way to choose and one bound are averaged: false is a mean beyond the bound by more
than three standard errors.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from benchmarks.truth.tally import Answer, Kind, Tally
from sharewell.genomes import Frequencies, Genotypes, SafeNumber, SafeSNPs

FPR = 0.05
STRANGERS = 1000
RULES = ("deviation", "excess", "groups", "copies", "lot", "safe-snps")
POWERS = (0.2, 0.5, 0.8)
SHAPES = ((100, 600, 0.05, 0.5, 10), (60, 400, 0.1, 0.5, 8), (100, 3000, 0.005, 0.03, 5))
"""People, SNPs, least and largest frequency, and the fewest copies of the rarer allele."""
REGIMES = tuple(product(RULES, POWERS))
FEWER = 1000
"""A case stands for so many of other kinds."""


@dataclass(frozen=True)
class PoolCase:
    rule: str
    power: float
    shape: tuple[Any, ...]
    seed: int

    def people(self) -> tuple[np.ndarray, np.ndarray]:
        """Frequencies of the population, and the calls of people drawn from it."""
        people, snps, low, high, _ = self.shape
        rng = np.random.default_rng(self.seed)
        population = np.exp(rng.uniform(np.log(low), np.log(high), snps))
        return population, rng.binomial(2, population, (people, snps)).astype(np.int8)


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
    """The share of members whose likelihood ratio exceeds that of 95 % of strangers."""
    published = np.clip(inside.mean(axis=0) / 2, 1 / (4 * len(inside)), 1 - 1 / (4 * len(inside)))
    gain = np.log(published / population), np.log((1 - published) / (1 - population))
    strangers = np.random.default_rng(seed + 1).binomial(2, population, (STRANGERS, len(population)))
    members, others = (some @ gain[0] + (2 - some) @ gain[1] for some in (inside, strangers))
    return float((members > np.quantile(others, 1 - FPR)).mean())


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
        whole, order, number = Frequencies.of(pool), self._order(case, population, calls), 0
        for tried in sorted({int(n) for n in np.geomspace(1, max(1, len(order)), 25)}):
            number = tried if rule.check(whole.take(order[:tried])).ok else number
        return Answer(number > 0, order[:number])

    def unprotected(self, case: PoolCase) -> Any:
        """Four SNPs a person of those that the rule wants most."""
        population, calls = case.people()
        order = np.arange(len(population)) if case.rule == "safe-snps" else self._order(case, population, calls)
        return order[: 4 * len(calls)]

    def _order(self, case: PoolCase, population: np.ndarray, calls: np.ndarray) -> np.ndarray:
        copies, fewest = calls.sum(axis=0), case.shape[4]
        fit = np.flatnonzero((copies >= fewest) & (copies <= 2 * len(calls) - fewest))
        return fit[np.argsort(-usefulness(case, population, calls)[fit], kind="stable")]

    def is_safe(self, case: PoolCase, published: Any) -> bool:
        return self.excess([case], [published]) <= 0

    def excess(self, cases: list[PoolCase], published: list[Any]) -> float:
        """By how much the mean power exceeds the bound and three standard errors."""
        reached = []
        for case, some in zip(cases, published, strict=True):
            population, calls = case.people()
            reached.append(power(calls[:, some], population[some], case.seed))
        bound, people = cases[0].power, sum(case.shape[0] for case in cases)
        return float(np.mean(reached)) - bound - 3 * np.sqrt(bound * (1 - bound) / people)

    def tally(self, cases: int, seed: int, protected: bool = True) -> Tally:
        """A false mean counts as one false answer for each of its cases."""
        rng, found, began = np.random.default_rng(seed), Tally(self.name), time.process_time()
        regimes: dict[Any, tuple[list[PoolCase], list[Any]]] = defaultdict(lambda: ([], []))
        for number in range(max(len(REGIMES), cases // FEWER)):
            case = self._case(rng, *REGIMES[number % len(REGIMES)])
            answer = self._answered(case) if protected else Answer(True, self.unprotected(case))
            if answer.safe:
                regimes[case.rule, case.power][0].append(case)
                regimes[case.rule, case.power][1].append(answer.published)
            else:
                found.add(answer.safe)
        for some, published in regimes.values():
            false = self.excess(some, published) > 0
            for case in some:
                found.add(True, false, case)
        found.seconds = time.process_time() - began
        return found
