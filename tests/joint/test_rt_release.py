"""People with their codes, from two files through a release and back from its file."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import plain_joint as plain
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError, Infeasible, PolicyError, SharewellError
from sharewell.hospital import Hospital
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.registry import wing

POLICY = """\
sharewell: 1
release: {name: rt}
secrets: {key: env:TEST_RELEASE_KEY}
datasets:
  patients:
    kind: joint
    read: {csv: diagnoses.csv}
    demographics: {csv: people.csv}
    visit: visit_id
    columns:
      patient_id: subject
      visit_id: drop
      date: drop
      position: drop
      code: {role: quasi, hierarchy: icd10cm}
      sex: quasi
      birth_year: quasi
      zip: {role: quasi, hierarchy: prefix}
      plan: keep
      name: drop
    require: [k-km-anonymity: {k: 4, m: 2}]
    using: {rt-anonymization: {bound: 0.5}}
    attacks:
      - rt-linkage: {m: 2}
      - two-step:
          register: {csv: register.csv}
          discharges: {csv: summaries.csv}
          person: patient_id
          discharge: visit_id
    utility: [ncp, relational-ncp, codes-ncp, rt-query-error: {number: 50}]
write: {parquet: out}
"""


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("hospital")
    Hospital(patients=200, seed=5, notes=False, dirty=False).write(directory)
    return directory


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_RELEASE_KEY", "an example secret, long enough")


def desk(tmp_path: Path, hospital: Path, policy: str = POLICY, shuffled: bool = False) -> Path:
    """A steward's directory: people, codes, and what an attacker could hold."""
    tmp_path.mkdir(exist_ok=True)
    people = [
        {
            "patient_id": row["patient_id"],
            "name": f"{row['given']} {row['family']}",
            "sex": row["sex"],
            "birth_year": row["birth_date"][:4],
            "zip": row["zip"],
            "plan": row["plan"],
        }
        for row in rows_of(hospital / "patients.csv")
    ]
    codes = rows_of(hospital / "diagnoses.csv")
    whose = {row["patient_id"]: row for row in people}
    shared = ("sex", "birth_year", "zip")
    summaries = [
        {"visit_id": row["visit_id"], "code": row["code"], **{key: whose[row["patient_id"]][key] for key in shared}}
        for row in codes
    ]
    if shuffled:
        random.Random(3).shuffle(people)
        random.Random(4).shuffle(codes)
    write(tmp_path / "people.csv", people)
    write(tmp_path / "diagnoses.csv", codes)
    write(tmp_path / "register.csv", [{key: row[key] for key in ("patient_id", *shared)} for row in people])
    write(tmp_path / "summaries.csv", summaries)
    path = tmp_path / "policy.yaml"
    path.write_text(policy)
    return path


def found(done: Any) -> dict[str, Any]:
    told: dict[str, Any] = done.findings["datasets"]["patients"]
    return told


def records(public: Path) -> list[plain.Record]:
    """What a stranger reads: cells, and for each label the codes that the dictionary tells."""
    dictionary = json.loads((public / "dictionary.json").read_text())["patients"]
    told = {label: facts["codes"] for label, facts in dictionary["code"]["labels"].items() if "codes" in facts}
    table = pq.read_table(public / "patients.parquet")
    cells = zip(*(table[name].to_pylist() for name in ("sex", "birth_year", "zip")), strict=True)
    listed = [[] if text == "()" else text.split() for text in table["code"].to_pylist()]
    labels = [[frozenset(told.get(label, (label,))) for label in row] for row in listed]
    return list(zip(cells, labels, strict=True))


def test_a_release_holds_for_a_stranger(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital)))
    public = done.directory / "public"
    assert pq.read_table(public / "patients.parquet").column_names == ["sex", "birth_year", "zip", "plan", "code"]
    shown = records(public)
    assert len(shown) == 200
    mounted = [attack["name"] for attack in found(done)["attacks"]]
    assert mounted == ["rt-linkage", "two-step", "class-homogeneity", "accidental-identifiers"]
    reached = plain.least(shown, 2)
    assert reached is not None
    assert reached >= 4
    assert verify(done.directory).ok
    assert verify(public).ok
    (criterion,) = found(done)["criteria"]
    assert (criterion["value"], criterion["unit"], criterion["tier"]) == (reached, "persons", "steward")


def test_what_is_measured_before_and_after(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital)))
    linkage, two_step, *_ = found(done)["attacks"]
    assert linkage["after"]["value"] <= 1 / 4 < linkage["before"]["value"]
    assert two_step["before"]["value"] > 0.1
    assert two_step["after"]["details"]["correct"] <= two_step["after"]["value"] < two_step["before"]["value"]
    scores = {one["name"]: one["value"] for one in found(done)["utility"]}
    details = found(done)["mechanism"]["details"]
    assert scores["relational-ncp"] == pytest.approx(details["relational_loss"])
    assert scores["codes-ncp"] == pytest.approx(details["code_loss"])
    assert scores["ncp"] == pytest.approx((scores["relational-ncp"] + scores["codes-ncp"]) / 2)
    assert scores["relational-ncp"] <= 0.5
    assert (done.directory / "internal" / "dossier.html").is_file()


def test_the_order_of_both_files_does_not_matter(tmp_path: Path, hospital: Path) -> None:
    one = release(check(desk(tmp_path / "a", hospital))).directory / "public"
    two = release(check(desk(tmp_path / "b", hospital, shuffled=True))).directory / "public"
    for name in ("patients.parquet", "dictionary.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_csv_and_automatic_choice(tmp_path: Path, hospital: Path) -> None:
    policy = POLICY.replace("{parquet: out}", "{csv: out}").replace("{rt-anonymization: {bound: 0.5}}", "auto")
    done = release(check(desk(tmp_path, hospital, policy)))
    assert verify(done.directory).ok
    assert found(done)["mechanism"]["name"] == "rt-anonymization"


def test_a_verifier_that_reads_people_with_codes_loads_no_mechanism(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital)))
    code = (
        "import sys; from pathlib import Path; from sharewell.pipeline.verify import verify;"
        f"assert verify(Path({str(done.directory)!r})).ok;"
        "print([m for m in sys.modules if m.startswith('sharewell') and 'mechanisms' in m])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_codes_that_were_moved_to_another_row_are_noticed(tmp_path: Path, hospital: Path) -> None:
    """A wing that reopens forged files judges them by themselves, without the certificate's hashes."""
    done = release(check(desk(tmp_path, hospital)))
    public = done.directory / "public"
    table = pq.read_table(public / "patients.parquet")
    texts = table["code"].to_pylist()
    place = next(i for i, text in enumerate(texts) if text != "()" and text != texts[0])
    texts[place] = "Z99.89"
    columns = json.loads((public / "dictionary.json").read_text())["patients"]
    forged = tmp_path / "forged.parquet"
    pq.write_table(table.set_column(4, "code", [texts]), forged)
    from sharewell.io.sources import Source
    from sharewell.joint import KKmAnonymity

    data = wing("joint").reopen(Source.of(forged), columns)
    assert KKmAnonymity(4, 2).check(data).ok is False
    with pytest.raises(DataError, match="not those of the certificate"):
        wing("joint").reopen(Source.of(forged), {name: facts for name, facts in columns.items() if name != "code"})


def test_a_plan_tells_both_parts(tmp_path: Path, hospital: Path) -> None:
    told = plan(check(desk(tmp_path, hospital)))["patients"]
    assert told.size["persons"] == 200
    assert (told.columns["code"]["kind"], told.columns["sex"]["role"]) == ("codes", "quasi")
    assert [risk.name for risk in told.risks] == ["k-anonymity", "prosecutor", "k-km-anonymity", "rt-linkage"]
    assert told.outcome.feasible


def test_what_cannot_be_kept_names_what_would_help(tmp_path: Path, hospital: Path) -> None:
    policy = POLICY.replace("bound: 0.5", "bound: 0.01")
    with pytest.raises(Infeasible, match="bound"):
        release(check(desk(tmp_path, hospital, policy)))
    assert not (tmp_path / "out" / "rt").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    demographics: {csv: people.csv}\n", "", "needs the people"),
        ("      name: drop\n", "", "without a role"),
        ("position: drop", "position: keep", "lists codes"),
        ("patient_id: subject", "patient_id: drop", "subject"),
        ("    visit: visit_id\n", "    visit: visit_id\n    unit: visit\n", "by person"),
        ("sex: quasi", "sexx: quasi", "no such column"),
        ("{csv: people.csv}", "{csv: people.csv, columns: {code: plan}}", "column of both files"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused(
    tmp_path: Path, hospital: Path, old: str, new: str, said: str
) -> None:
    assert old in POLICY
    policy = POLICY.replace(old, new)
    if "columns: {code" in new:
        policy = policy.replace("      plan: keep\n", "")
    with pytest.raises(PolicyError, match=said):
        release(check(desk(tmp_path, hospital, policy)))


def test_codes_of_strangers_are_refused_without_a_value(tmp_path: Path, hospital: Path) -> None:
    path = desk(tmp_path, hospital)
    people = rows_of(tmp_path / "people.csv")
    write(tmp_path / "people.csv", people[:-5])
    with pytest.raises(SharewellError, match="5 of 200 persons with codes") as told:
        release(check(path))
    assert not any(row["patient_id"] in str(told.value) for row in people)
