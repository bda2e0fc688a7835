"""How long it takes to plan and to release a hospital whose datasets are tied and linked by person."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.house import SHAREWELL, Result, run
from sharewell.hospital import Hospital

PERSONS, SNPS = 100_000, 50
DNA = """
sharewell: 1
release: {name: dna}
secrets: {key: env:BENCH_KEY}
write: {parquet: out/}
datasets:
  records:
    kind: joint
    read: {csv: codes.csv}
    genotypes: {csv: snps.csv}
    require: [joined-record: {k: 5, m: 2, snps: 1}]
    using: {joined-anonymization: {start: mondrian}}
"""
POLICY = """
sharewell: 1
release: {name: linked}
secrets: {key: env:BENCH_KEY}
person:
  table: patients
  key: patient_id
  require: [joined-k-anonymity: {k: 5, KNOWN}]
  using: joined-suppression
datasets:
  patients:
    kind: tables
    read: {csv: hospital/patients.csv}
    link: true
    rest: drop
    columns:
      patient_id: subject
      sex: quasi
      birth_date: {role: quasi, hierarchy: date}
      zip: {role: quasi, hierarchy: zip}
      diagnosis: sensitive
    require: [k-anonymity: {k: 5}]
    using: mondrian
  visits:
    kind: tables
    read: {csv: hospital/visits.csv}
    link: true
    rest: drop
    columns: {patient_id: subject, type: quasi}
    require: [k-anonymity: {k: 5}]
    using: mondrian
  diagnoses:
    read: {csv: hospital/diagnoses.csv}
    link: true
    rest: drop
    columns: {patient_id: subject, code: {role: quasi, hierarchy: icd10cm}SNPS}
    DIAGNOSES
write: {parquet: out/}
"""
CODES = {
    "KNOWN": "knows: {patients: [sex, birth_date, zip], visits: 1, diagnoses: 2}",
    "SNPS": "",
    "DIAGNOSES": """kind: codes
    require: [km-anonymity: {k: 5, m: 2}]
    using: apriori""",
}
"""Diagnoses alone: whoever knows a row of patients, a visit and two codes."""
CODES_AND_SNPS = {
    "KNOWN": "knows: {patients: [sex, birth_date, zip], visits: 1, diagnoses: {codes: 1, snps: 1}}, at_most: 2",
    "SNPS": "".join(f", rs{i}: quasi" for i in range(SNPS)),
    "DIAGNOSES": """kind: joint
    genotypes: {csv: hospital/snps.csv}
    require: [joined-record: {k: 5, m: 1, snps: 1}]
    using: {joined-anonymization: {order: codes, start: mondrian}}""",
}
"""With SNPs: whoever knows a row of patients, and any two of a visit, a code and a SNP."""


def joint(data: Path | None, rows: int) -> Iterator[Result]:
    """Linked files of the synthetic hospital, without SNPs and with; then codes and SNPs of a person in one record."""
    os.environ["BENCH_KEY"] = "an example secret, long enough for a benchmark"
    persons = min(PERSONS, rows)
    yield from _linked(persons)
    yield from _codes_and_dna(persons)


def _linked(persons: int) -> Iterator[Result]:
    """Demographics, visits and codes of the synthetic hospital, in three linked files."""
    with tempfile.TemporaryDirectory() as folder:
        hospital = Path(folder) / "hospital"
        Hospital(patients=persons, seed=5, notes=False).write(hospital)
        with (hospital / "patients.csv").open(newline="") as file:
            names = [row["patient_id"] for row in csv.DictReader(file)]
        _write_snps(hospital / "snps.csv", names, np.random.default_rng(5))
        for parts, what in ((CODES, "visits and codes"), (CODES_AND_SNPS, f"visits, codes and {SNPS} SNPs")):
            policy, text = Path(folder) / "policy.yaml", POLICY
            for word, given in parts.items():
                text = text.replace(word, given)
            policy.write_text(text)
            yield from _planned_and_released(policy, f"{persons:,} persons with {what}")
            shutil.rmtree(Path(folder) / "out", ignore_errors=True)


def _codes_and_dna(persons: int) -> Iterator[Result]:
    """A dataset of kind joint, which no other is tied to."""
    rng = np.random.default_rng(5)
    lengths = rng.poisson(4, persons) + 1
    places = np.concatenate([[0], np.cumsum(lengths)])
    codes = np.minimum(rng.zipf(1.4, places[-1]), 30)
    listed = [[f"{code:03d}" for code in codes[begin:end]] for begin, end in pairwise(places)]
    with tempfile.TemporaryDirectory() as folder:
        rows = [(str(i), code) for i, held in enumerate(listed) for code in sorted(set(held))]
        _written(Path(folder) / "codes.csv", ("patient_id", "code"), rows)
        _write_snps(Path(folder) / "snps.csv", list(map(str, range(persons))), rng)
        policy = Path(folder) / "policy.yaml"
        policy.write_text(DNA + f"    columns: {{patient_id: subject, code: quasi{CODES_AND_SNPS['SNPS']}}}\n")
        yield from _planned_and_released(policy, f"{persons:,} persons, codes and {SNPS} SNPs in one file")


def _planned_and_released(policy: Path, what: str) -> Iterator[Result]:
    for verb, bar in (("plan", 60), ("release", 300)):
        wall, processor, memory = run([*SHAREWELL, verb, str(policy)])
        yield Result(f"{verb} of {what}, processor time", processor, "s", bar)
        yield Result("  wall time", wall, "s")
        yield Result("  memory", memory, "GB", 4)


def _write_snps(path: Path, persons: Sequence[str], rng: np.random.Generator) -> None:
    """SNPs in Hardy-Weinberg proportions, none of them linked to another."""
    snps = rng.binomial(2, rng.uniform(0.1, 0.5, SNPS), (len(persons), SNPS)).astype(str)
    heads = ("patient_id", *(f"rs{i}" for i in range(SNPS)))
    _written(path, heads, [(person, *row) for person, row in zip(persons, snps.tolist(), strict=True)])


def _written(path: Path, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([heads, *rows])
