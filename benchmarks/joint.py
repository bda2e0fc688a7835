"""How long it takes to plan and to release a hospital whose datasets are tied and linked by person."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.house import SHAREWELL, Result, run
from sharewell.hospital import Hospital

PERSONS = 100_000
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
    """Demographics, visits and codes of the synthetic hospital, in three linked files."""
    persons = min(PERSONS, rows)
    with tempfile.TemporaryDirectory() as folder:
        Hospital(patients=persons, seed=5, notes=False).write(Path(folder) / "hospital")
        policy = Path(folder) / "policy.yaml"
        policy.write_text(POLICY)
        os.environ["BENCH_KEY"] = "an example secret, long enough for a benchmark"
        for verb, bar in (("plan", 60), ("release", 300)):
            wall, processor, memory = run([*SHAREWELL, verb, str(policy)])
            yield Result(f"{verb} of {persons:,} persons with visits and codes, processor time", processor, "s", bar)
            yield Result("  wall time", wall, "s")
            yield Result("  memory", memory, "GB", 4)
