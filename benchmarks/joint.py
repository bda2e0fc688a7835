"""How long it takes to plan and to release a hospital whose datasets are tied and linked by person."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterator
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
  require: [joined-k-anonymity: {k: 5, knows: {patients: [sex, birth_date, zip], visits: 1, diagnoses: 2}}]
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
    kind: codes
    read: {csv: hospital/diagnoses.csv}
    link: true
    columns: {patient_id: subject, visit_id: drop, date: drop, position: drop, code: {role: quasi, hierarchy: icd10cm}}
    require: [km-anonymity: {k: 5, m: 2}]
    using: apriori
write: {parquet: out/}
"""


def joint(data: Path | None, rows: int) -> Iterator[Result]:
    """Three linked files of the synthetic hospital; then codes and 50 SNPs of a person in one record."""
    os.environ["BENCH_KEY"] = "an example secret, long enough for a benchmark"
    yield from _linked(rows)
    yield from _codes_and_dna(min(PERSONS, rows))


def _codes_and_dna(persons: int) -> Iterator[Result]:
    rng = np.random.default_rng(5)
    lengths = rng.poisson(4, persons) + 1
    places = np.concatenate([[0], np.cumsum(lengths)])
    codes = np.minimum(rng.zipf(1.4, places[-1]), 30)
    listed = [[f"{code:03d}" for code in codes[begin:end]] for begin, end in pairwise(places)]
    snps = rng.binomial(2, rng.uniform(0.1, 0.5, SNPS), (persons, SNPS)).astype(str)
    with tempfile.TemporaryDirectory() as folder:
        rows = [(str(i), code) for i, held in enumerate(listed) for code in sorted(set(held))]
        _written(Path(folder) / "codes.csv", ("patient_id", "code"), rows)
        heads = ("patient_id", *(f"rs{i}" for i in range(SNPS)))
        _written(Path(folder) / "snps.csv", heads, [(str(i), *row) for i, row in enumerate(snps.tolist())])
        policy = Path(folder) / "policy.yaml"
        policy.write_text(
            DNA + f"    columns: {{patient_id: subject, code: quasi, {', '.join(f'{n}: quasi' for n in heads[1:])}}}\n"
        )
        for verb, bar in (("plan", 60), ("release", 300)):
            wall, processor, memory = run([*SHAREWELL, verb, str(policy)])
            yield Result(f"{verb} of {persons:,} persons, codes and {SNPS} SNPs, processor time", processor, "s", bar)
            yield Result("  wall time", wall, "s")
            yield Result("  memory", memory, "GB", 4)


def _written(path: Path, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([heads, *rows])


def _linked(rows: int) -> Iterator[Result]:
    """Demographics, visits and codes of the synthetic hospital, in three linked files."""
    persons = min(PERSONS, rows)
    with tempfile.TemporaryDirectory() as folder:
        Hospital(patients=persons, seed=5, notes=False).write(Path(folder) / "hospital")
        policy = Path(folder) / "policy.yaml"
        policy.write_text(POLICY)
        for verb, bar in (("plan", 60), ("release", 300)):
            wall, processor, memory = run([*SHAREWELL, verb, str(policy)])
            yield Result(f"{verb} of {persons:,} persons with visits and codes, processor time", processor, "s", bar)
            yield Result("  wall time", wall, "s")
            yield Result("  memory", memory, "GB", 4)
