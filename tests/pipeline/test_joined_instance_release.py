"""Who is in the data, by two linked tables and a list of people, through whole releases."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from sharewell.errors import Infeasible
from sharewell.io.sources import Source
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """
sharewell: 1
release: {{name: joined}}
secrets: {{key: env:TEST_INSTANCE_KEY}}
person:
  table: patients
  key: id
  require:
    - joined-k-anonymity: {{k: 4, knows: {{patients: [sex], homes: [zip]}}}}
    - joined-instance-disclosure:
        {{population: {{csv: register.csv}}, max: {most}, columns: {{patients: [sex], homes: [zip]}}}}
datasets:
  patients:
    kind: tables
    read: {{csv: patients.csv}}
    link: true
    columns: {{id: subject, sex: quasi}}
    require: [k-anonymity: {{k: 4}}]
    using: mondrian
  homes:
    kind: tables
    read: {{csv: homes.csv}}
    link: true
    columns: {{id: subject, zip: quasi}}
    require: [k-anonymity: {{k: 4}}]
    using: mondrian
write: {{csv: out/}}
"""


def written(place: Path, most: str) -> Path:
    """16 of 40 people, four of each sex and zip; ten of each on the list."""
    place.mkdir()
    people = [(f"p{i}", "FM"[i % 2], f"0213{i // 2 % 2}") for i in range(40)]
    files = {
        "patients.csv": [("id", "sex"), *((who, sex) for who, sex, _ in people[:16])],
        "homes.csv": [("id", "zip"), *((who, zip_) for who, _, zip_ in people[:16])],
        "register.csv": [("sex", "zip"), *((sex, zip_) for _, sex, zip_ in people)],
    }
    for name, rows in files.items():
        with (place / name).open("w", newline="") as handle:
            csv.writer(handle).writerows(rows)
    (place / "policy.yaml").write_text(POLICY.format(most=most))
    return place / "policy.yaml"


def test_a_joint_bound_on_presence_is_kept_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_INSTANCE_KEY", "an example secret, long enough for a key")
    made = release(check(written(tmp_path / "half", "1/2"))).directory
    found = {one.name: one for one in verify(made / "public").raise_if_failed().findings["datasets together"]}
    assert str(found["joined-instance-disclosure"].tier) == "attested"
    register = Source.named(tmp_path / "half" / "register.csv")
    again = verify(made, sources=[register]).raise_if_failed().findings["datasets together"]
    (judged,) = [one for one in again if one.name == "joined-instance-disclosure"]
    assert (str(judged.tier), judged.ok, judged.value) == ("steward", True, Fraction(2, 5))
    with pytest.raises(Infeasible, match="taken together"):
        release(check(written(tmp_path / "third", "1/3")))
