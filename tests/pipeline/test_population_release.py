"""A release whose criteria speak of a population, made by a shipped mechanism and re-checked by tier."""

from __future__ import annotations

import shutil
from pathlib import Path

from sharewell.hospital import Hospital
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  patients:
    kind: tables
    read: {csv: ward/patients.csv}
    rest: drop
    publish: within-class
    columns:
      patient_id: subject
      sex: quasi
      birth_date: {role: quasi, hierarchy: date}
      zip: {role: quasi, hierarchy: zip}
      diagnosis: sensitive
    require:
      - k-anonymity: {k: 3}
      - k-map: {population: {csv: ward/register.csv}, k: 20}
      - instance-disclosure: {population: {csv: ward/register.csv}, max: 1/2}
    using: {optimal-recoding: {suppress: 0.05}}
write: {parquet: out}
"""


def test_a_release_against_a_register(tmp_path: Path) -> None:
    Hospital(patients=600, seed=4, notes=False, dirty=False).write(tmp_path / "ward")
    (tmp_path / "policy.yaml").write_text(POLICY)
    done = release(check(tmp_path / "policy.yaml"))
    shutil.copytree(done.directory / "public", tmp_path / "received")
    alone = verify(tmp_path / "received")
    assert alone.ok
    assert [f.tier for f in alone.findings["patients"]] == ["recipient", "attested", "attested"]
    stranger = verify(tmp_path / "received", with_=tmp_path / "ward")
    assert [f.tier for f in stranger.findings["patients"]] == ["recipient", "attested", "attested"]
    shutil.copy(done.directory / "internal" / "salt.json", tmp_path / "ward")
    steward = verify(tmp_path / "received", with_=tmp_path / "ward")
    assert steward.ok
    assert [f.tier for f in steward.findings["patients"]] == ["recipient", "steward", "steward"]
    assert all(f.ok for f in steward.findings["patients"])
    assert not any("register" in path.name for path in done.directory.rglob("*"))
