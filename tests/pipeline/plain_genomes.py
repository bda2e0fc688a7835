"""Files of the DNA of one cohort, as registries write them, and what attackers make of everything published of it.

An attack knows the frequencies of the population and is carried out as its definition reads, on cohorts drawn anew, so
that its power is that of the design and not the luck of one cohort. Nothing here is of the package.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

FPR, FLOOR = 0.05, 0.2
Calls = NDArray[np.int64]
Shares = NDArray[np.float64]
_FREQUENCIES = """
    kind: genomes
    read: {{{form}: {file}}}{columns}
    require: [{require}]
    using: {using}
"""
_NUMBER = "safe-number: {{max_power: {power}, copies: 0}}"
_POWER = "membership-power: {{max_power: {power}, pool: {{csv: pool.csv}}, reference: {{csv: others.csv}}}}"
_NOTHING = "minor-frequency: {{floor: 0.001}}"


@dataclass(frozen=True)
class Recipe:
    """A dataset: its file, which chromosomes and people the file has, and how it is published."""

    file: str
    chromosomes: str
    using: str
    people: str = "all"
    decimals: int | None = None
    floor: float = 0.0
    groups: bool = False
    require: str = _NUMBER


def _floor(decimals: int | None, floor: float = 0.0) -> str:
    return f"{{frequency-floor: {{floor: {floor}{'' if decimals is None else f', decimals: {decimals}'}}}}}"


_GROUPS = (
    "{{safe-snps: {{max_power: {power}, phenotype: {{csv: ill.csv}}, publish: groups, rule: closed-form, ld: 1}}}}"
)
RECIPES = {
    "whole": Recipe("pool.csv", "12", _floor(None)),
    "coarse": Recipe("pool.csv", "12", _floor(1), decimals=1),
    "common": Recipe("copy.csv", "12", _floor(2, FLOOR), decimals=2, floor=FLOOR),
    "first": Recipe("chr1.vcf", "1", _floor(3), decimals=3),
    "second": Recipe("chr2.vcf", "2", _floor(1), decimals=1),
    "renamed": Recipe("renamed.vcf", "2", _floor(2), decimals=2),
    "swapped": Recipe("swapped.vcf", "12", _floor(1), decimals=1),
    "strand": Recipe("strand.vcf", "1", _floor(None)),
    "left": Recipe("left.csv", "2", _floor(1), people="left", decimals=1),
    "exchanged": Recipe("exchanged.csv", "2", _floor(1), people="exchanged", decimals=1),
    "noisy": Recipe("pool.csv", "12", "{noisy-frequencies: {epsilon: 9}}"),
    "attacked": Recipe("pool.csv", "12", _floor(1), decimals=1, require=_POWER),
    "open": Recipe("chr2.vcf", "2", _floor(None), require=_NOTHING),
    "groups": Recipe("copy.csv", "12", _GROUPS, groups=True),
}
ROWS = "rows"
"""Sequences of persons, two alike at least."""
DATASETS = [*RECIPES, ROWS]


@dataclass(frozen=True)
class Cohort:
    """So many people, SNPs of two chromosomes, and how many members may be recognised."""

    people: int
    snps: tuple[int, int]
    power: float
    seed: int

    @cached_property
    def shares(self) -> Shares:
        return np.random.default_rng(self.seed).uniform(0.05, 0.95, sum(self.snps))

    @cached_property
    def calls(self) -> Calls:
        """Of the people, and of one who takes the place of the last."""
        return np.random.default_rng(self.seed + 1).binomial(2, self.shares, (self.people + 1, sum(self.snps)))

    def members(self, who: str) -> list[int]:
        everybody = list(range(self.people))
        return {"all": everybody, "left": everybody[:-1], "exchanged": [*everybody[:-1], self.people]}[who]

    def sites(self, chromosomes: str) -> list[int]:
        first = self.snps[0]
        found = {"1": range(first), "2": range(first, sum(self.snps))}
        return [site for name in chromosomes for site in found[name]]

    @property
    def cases(self) -> list[int]:
        return list(range(0, self.people, 2))

    def write(self, place: Path) -> None:
        place.mkdir(parents=True)
        for name, recipe in RECIPES.items():
            form = _csv if recipe.file.endswith("csv") else _vcf
            form(place / recipe.file, self, recipe, name)
        ill = [(f"p{i}", int(i in self.cases)) for i in range(self.people)]
        _rows(place / "ill.csv", [("person", "case"), *ill])
        draw = np.random.default_rng(self.seed + 3)
        others = draw.binomial(2, self.shares, (200, sum(self.snps)))
        head = ("who", *(f"rs{site}" for site in range(sum(self.snps))))
        _rows(place / "others.csv", [head, *((f"o{i}", *calls) for i, calls in enumerate(others))])
        _rows(place / "key.csv", [("sample", "person"), *((f"q{i}", f"p{i}") for i in range(self.people))])


def _rows(path: Path, rows: list[Any]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def _csv(path: Path, cohort: Cohort, recipe: Recipe, name: str) -> None:
    sites, people = cohort.sites(recipe.chromosomes), cohort.members(recipe.people)
    _rows(path, [("who", *(f"rs{site}" for site in sites)), *((f"p{i}", *cohort.calls[i, sites]) for i in people)])


def _vcf(path: Path, cohort: Cohort, recipe: Recipe, name: str) -> None:
    """A is counted; the other strand calls it T, and G C; the swapped file counts the other allele."""
    people = cohort.members(recipe.people)
    other, counted = {"strand": "CT", "swapped": "AG"}.get(name, "GA")
    samples = [f"{'q' if name == 'renamed' else 'p'}{i}" for i in people]
    lines = ["##fileformat=VCFv4.2", "##contig=<ID=1>", "##contig=<ID=2>"]
    lines += ['##FORMAT=<ID=GT,Number=1,Type=String,Description="g">']
    lines += ["\t".join(["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", *samples])]
    for site in cohort.sites(recipe.chromosomes):
        calls = cohort.calls[people, site]
        shown = [("0/0", "0/1", "1/1")[2 - call if name == "swapped" else call] for call in calls]
        at = ["1" if site < cohort.snps[0] else "2", str(100 + site), f"rs{site}", other, counted, ".", ".", "."]
        lines.append("\t".join([*at, "GT", *shown]))
    path.write_text("\n".join(lines) + "\n")


def policy(place: Path, cohort: Cohort, names: list[str], release: str, after: str = "") -> Path:
    told = ""
    for name in names:
        recipe = RECIPES.get(name, RECIPES["first"])
        form = recipe.file.rpartition(".")[2]
        columns = "\n    columns: {who: subject}\n    rest: quasi" if form == "csv" else ""
        columns += "\n    persons: {csv: key.csv}" if name == "renamed" else ""
        require = recipe.require.format(power=cohort.power)
        using = recipe.using.format(power=cohort.power) if recipe.groups else recipe.using
        text = _FREQUENCIES.format(form=form, file=recipe.file, columns=columns, require=require, using=using)
        if name == ROWS:
            text = text[: text.index("    require")] + "    require: [k-identical: {k: 2}]\n    using: dnala\n"
        told += f"  {name}:{text}"
    path = place / f"{release}.yaml"
    path.write_text(
        f"sharewell: 1\nrelease: {{name: {release}{after}}}\nsecrets: {{key: env:TEST_BATTERY_KEY}}\n"
        f"datasets:\n{told}write: {{csv: out}}\n"
    )
    return path


@st.composite
def cohorts(draw: Any) -> Cohort:
    """With about as many SNPs as theory allows of so many people, or fewer on one chromosome and more on both."""
    people, power = draw(st.sampled_from([12, 24, 48])), draw(st.sampled_from([0.3, 0.5, 0.9]))
    allowed = people * (NormalDist().inv_cdf(1 - FPR) + NormalDist().inv_cdf(power)) ** 2
    some = st.sampled_from([0.1, 0.3, 0.5, 0.7])
    first, second = (max(2, int(allowed * draw(some))) for _ in range(2))
    return Cohort(people, (first, second), power, draw(st.integers(0, 10**6)))


Published = list[tuple[str, list[dict[str, str]]]]
"""Name of a dataset, and the rows of its file."""


def fewest_alike(rows: list[dict[str, str]]) -> int:
    """Persons behind the rarest published sequence."""
    return min(Counter(row["sequence"] for row in rows).values())


def differences(cohort: Cohort, published: Published) -> list[tuple[str, str]]:
    """Datasets that publish one SNP of other people: one number less the other is a genotype."""
    found = []
    for (one, rows), (other, more) in combinations([pair for pair in published if pair[0] in RECIPES], 2):
        shared = {_site(row) for row in rows} & {_site(row) for row in more}
        ours, theirs = (cohort.calls[cohort.members(RECIPES[name].people)].sum(axis=0) for name in (one, other))
        if any(ours[site] != theirs[site] for site in shared):
            found.append((one, other))
    return found


def _site(row: dict[str, str]) -> int:
    return int(row["id"].removeprefix("rs"))


def most_recognised(cohort: Cohort, published: Published, cohorts: int = 60, others: int = 400) -> dict[str, float]:
    """The share of members that each attack on everything published recognises, at a false-positive rate of FPR.

    Nothing, where no dataset promises that there is a limit.
    """
    draw = np.random.default_rng(cohort.seed + 2)
    datasets = [(RECIPES[name], [_site(row) for row in rows]) for name, rows in published if name in RECIPES]
    if all(recipe.require == _NOTHING for recipe, _ in datasets):
        return {}
    reached: dict[str, list[float]] = {}
    for _ in range(cohorts):
        calls = draw.binomial(2, cohort.shares, (cohort.people + 1, sum(cohort.snps)))
        strangers = draw.binomial(2, cohort.shares, (others, sum(cohort.snps)))
        known = _known(cohort, calls, datasets)
        sites = sorted(known)
        mix, pop = np.array([known[site] for site in sites]), cohort.shares[sites]
        several = any(recipe.groups for recipe, _ in datasets)
        targets = [i for i in range(cohort.people - 1) if not several or i in cohort.cases]
        for name, score in (("likelihood ratio", _likelihood), ("Homer", _homer)):
            share = _share(score(calls[np.ix_(targets, sites)], mix, pop), score(strangers[:, sites], mix, pop))
            reached.setdefault(name, []).append(share)
    return {name: float(np.mean(shares)) for name, shares in reached.items()}


def _known(cohort: Cohort, calls: Calls, datasets: list[tuple[Recipe, list[int]]]) -> dict[int, float]:
    """Site → what was counted there, of the smallest group that anything is published of: no rounding tells more."""
    found: dict[int, float] = {}
    for recipe, sites in sorted(datasets, key=lambda one: one[0].groups):
        people = cohort.members(recipe.people)
        share = calls[people].mean(axis=0) / 2
        chosen = sites
        if recipe.floor:  # a rule that looks at the people: it chooses anew
            rarer = np.minimum(share, 1 - share).round(2 if recipe.decimals is None else recipe.decimals)
            chosen = [site for site in cohort.sites(recipe.chromosomes) if rarer[site] >= recipe.floor]
        if recipe.groups:
            controls = [i for i in people if i not in cohort.cases]
            chosen = _farthest(calls[cohort.cases], calls[controls], len(sites))
            share = calls[cohort.cases].mean(axis=0) / 2
        found |= {site: float(share[site]) for site in chosen}
    return found


def _farthest(cases: Calls, controls: Calls, most: int) -> list[int]:
    """The sites with the largest chi-square of alleles."""
    one, two = cases.mean(axis=0) / 2, controls.mean(axis=0) / 2
    both = np.concatenate([cases, controls]).mean(axis=0) / 2
    spread = np.maximum(both * (1 - both), 1e-9)
    return [int(site) for site in np.argsort(-((one - two) ** 2) / spread, kind="stable")[:most]]


def _share(members: Shares, others: Shares) -> float:
    return float((members > np.quantile(others, 1 - FPR)).mean())


def _likelihood(calls: Calls, mix: Shares, pop: Shares) -> Shares:
    """log Π P(genotype | frequencies of the cohort) / P(genotype | those of the population)."""
    mix = np.clip(mix, 0.01, 0.99)
    return np.asarray(calls @ np.log(mix / pop) + (2 - calls) @ np.log((1 - mix) / (1 - pop)))


def _homer(calls: Calls, mix: Shares, pop: Shares) -> Shares:
    """Homer and others, 2008: is the person nearer to the cohort than to the population? Their mean over its error."""
    nearer = np.abs(calls / 2 - pop) - np.abs(calls / 2 - mix)
    return np.asarray(nearer.mean(axis=1) / np.maximum(nearer.std(axis=1), 1e-9))
