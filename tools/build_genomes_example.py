"""Write the invented cohort of examples/genomes: genotypes, a reference, sequences, and what goes with them.

    .venv/bin/python tools/build_genomes_example.py examples/genomes

Nobody here exists. Genotypes are drawn from invented frequencies, neighbours copying each other within blocks; some
people of the cohort are brothers and sisters. Three variants that go with a disease stand among them.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

from sharewell.genomes import Genotypes, Snps

PEOPLE, OTHERS, COUNT, RARE, BLOCK, COPIED = 250, 250, 1050, 120, 4, 0.6
DISEASES = {"rs334": ("D57.1", "A", "T", "11", 5227002, 2), "rs6025": ("D68.51", "T", "C", "1", 169549811, 1)}
DISEASES |= {"rs1800562": ("E83.110", "A", "G", "6", 26092913, 2)}
"""Code, alleles, place, and copies that it takes."""
LENGTH, VARIED = 60, 12
COMMON = ("I10", "E11.9", "J45.909", "E78.5", "M54.50", "F41.1", "K21.9", "N39.0")


def cohort(draw: np.random.Generator) -> tuple[Genotypes, Genotypes]:
    """People of one ancestry, dealt into cohort and reference; the last of the cohort are six pairs of siblings."""
    frequency = draw.uniform(0.1, 0.5, COUNT)
    frequency[:: COUNT // RARE] = draw.uniform(0.001, 0.01, len(frequency[:: COUNT // RARE]))

    def haplotypes(number: int) -> np.ndarray:
        found = (draw.random((number, COUNT)) < frequency).astype(np.int8)
        for snp in range(COUNT):
            if snp % BLOCK and min(frequency[snp - 1 : snp + 1]) > 0.05:
                found[:, snp] = np.where(draw.random(number) < COPIED, found[:, snp - 1], found[:, snp])
        return found

    people = PEOPLE - 12 + OTHERS
    calls = haplotypes(people) + haplotypes(people)
    siblings = []
    for _ in range(6):
        parents = [(haplotypes(1)[0], haplotypes(1)[0]) for _ in range(2)]
        for _ in range(2):
            blocks = [np.repeat(draw.random(-(-COUNT // BLOCK)) < 0.5, BLOCK)[:COUNT] for _ in parents]
            siblings.append(sum(np.where(pick, one, two) for pick, (one, two) in zip(blocks, parents, strict=True)))
    calls = np.vstack([calls[: PEOPLE - 12], siblings, calls[PEOPLE - 12 :]])
    rare = draw.binomial(2, [0.12, 0.05, 0.1], (len(calls), 3))
    calls = np.hstack([calls, rare])
    calls[draw.random(calls.shape) < 0.002] = -1
    bases = np.array([list(pair) for pair in ("AG", "CT", "GA", "TC")])[draw.integers(0, 4, COUNT)]
    chromosomes = np.sort(draw.integers(1, 23, COUNT))
    snps = Snps.of(
        [f"syn{i + 1:04d}" for i in range(COUNT)] + list(DISEASES),
        chromosome=[str(c) for c in chromosomes] + [d[3] for d in DISEASES.values()],
        position=[1_000_000 + 20_000 * i for i in range(COUNT)] + [d[4] for d in DISEASES.values()],
        effect=[*bases[:, 0], *(d[1] for d in DISEASES.values())],
        other=[*bases[:, 1], *(d[2] for d in DISEASES.values())],
    )
    names = [f"P{i + 1:03d}" for i in range(PEOPLE)] + [f"R{i + 1:03d}" for i in range(OTHERS)]
    whole = Genotypes.of(calls, persons=names, snps=snps)
    return whole.take(persons=slice(0, PEOPLE)), whole.take(persons=slice(PEOPLE, None))


def patients(draw: np.random.Generator, people: Genotypes, chorea: set[str]) -> list[tuple[str, str, int, str]]:
    """One code a row: what everybody may have, and the disease of whoever has its allele."""
    rows = []
    for number, person in enumerate(people.persons):
        sex, age = "FM"[int(draw.integers(2))], int(draw.integers(20, 90))
        codes = set(draw.choice(COMMON, size=int(draw.integers(1, 4)), replace=False).tolist())
        codes |= {"G10"} if person in chorea else set()
        for variant, facts in DISEASES.items():
            copies = int(people.take(persons=[number], snps=[variant]).array()[0, 0])
            codes |= {facts[0]} if copies >= facts[5] else set()
        rows += [(person, sex, age, code) for code in sorted(codes)]
    return rows


def sequences(draw: np.random.Generator, people: int) -> list[str]:
    """Descendants of four founders, each with a few places of its own."""
    bases = np.array(list("ACGT"))
    founders = np.tile(bases[draw.integers(0, 4, LENGTH)], (4, 1))
    places = draw.choice(LENGTH, VARIED, replace=False)
    founders[:, places] = bases[draw.integers(0, 4, (4, VARIED))]
    found = founders[draw.integers(0, 4, people)].copy()
    for row in found:
        for place in draw.choice(places, int(draw.integers(0, 3)), replace=False):
            row[place] = bases[int(draw.integers(4))]
    return ["".join(row) for row in found]


def main(folder: Path) -> None:
    draw = np.random.default_rng(2026)
    members, reference = cohort(draw)
    members.write_bed(folder / "cohort.bed")
    reference.write_bed(folder / "reference.bed")
    odds = members.take(snps=[3, 41]).array().sum(axis=1)
    ill = draw.random(members.rows) < 0.1 + 0.35 * np.maximum(odds, 0)
    _write(folder / "phenotype.csv", ("person", "case"), zip(members.persons, ill.astype(int).tolist(), strict=True))
    some = members.persons[:60]
    labels = [COMMON[i] for i in draw.integers(0, 4, len(some))]
    texts = sequences(draw, len(some))
    records = zip(some, labels, texts, strict=True)
    (folder / "sequences.fasta").write_text("".join(f">{who} {label}\n{text}\n" for who, label, text in records))
    _write(folder / "sequences.csv", ("person", "sequence"), zip(some, texts, strict=True))
    counted = [(i, base, sum(text[i] == base for text in texts)) for i in range(LENGTH) for base in "ACGT"]
    place, base, _ = min((one for one in counted if one[2] > 2), key=lambda one: one[2])
    _write(folder / "variants.csv", ("variant", "gene", "allele", "icd10cm"), [(place + 1, "HTT", base, "G10")])
    chorea = {who for who, text in zip(some, texts, strict=True) if text[place] == base}
    _write(folder / "patients.csv", ("name", "sex", "age", "code"), patients(draw, members, chorea))


def _write(path: Path, header: tuple[str, ...], rows: object) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
