"""Codes with DNA, and with demographics, from their files through a release and back from its file."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import plain_dna
import plain_joint as plain
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError, PolicyError, SharewellError
from sharewell.io.sources import Source
from sharewell.joint import JoinedRecord
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.registry import wing

POLICY = """\
sharewell: 1
release: {name: joined}
secrets: {key: env:TEST_RELEASE_KEY}
datasets:
  patients:
    kind: joint
    read: {csv: codes.csv}
    demographics: {csv: people.csv}
    genotypes: {csv: snps.csv}
    columns:
      who: subject
      code: {role: quasi, hierarchy: icd10cm}
      sex: quasi
      age: {role: quasi, type: number}
      rs1: quasi
      rs2: quasi
      rs3: quasi
      plate: drop
    require: [joined-record: {k: 4, m: 1, snps: 1}]
    using: {joined-anonymization: {bound: 1}}
    attacks: [rt-linkage: {m: 1, snps: 2}]
    utility: [ncp, relational-ncp, codes-ncp, dna-ncp]
write: {parquet: out}
"""
WITHOUT_PEOPLE = (
    POLICY.replace("    demographics: {csv: people.csv}\n", "")
    .replace("      sex: quasi\n", "")
    .replace("      age: {role: quasi, type: number}\n", "")
    .replace(", relational-ncp", "")
)
SEQUENCES = (
    WITHOUT_PEOPLE.replace("snps.csv", "dna.csv")
    .replace("      rs1: quasi\n      rs2: quasi\n      rs3: quasi\n", "      dna: quasi\n")
    .replace("      plate: drop\n", "")
)


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_RELEASE_KEY", "an example secret, long enough")


def desk(tmp_path: Path, policy: str = POLICY, shuffled: bool = False, size: int = 60) -> Path:
    """A steward's directory."""
    draw = random.Random(2)
    who = [f"P{i:03}" for i in range(size)]
    people = [{"who": one, "sex": draw.choice("FM"), "age": draw.randint(20, 70)} for one in who]
    names = ["E11.9", "E10.9", "I10", "I11.9", "J45.909"]
    codes = [{"who": one, "code": code} for one in who for code in draw.sample(names, draw.randint(1, 3))]
    snps = [
        {
            "who": one,
            **{f"rs{i}": draw.choice(["0", "0", "1", "1", "2", ""]) for i in (1, 2, 3)},
            "plate": draw.random(),
        }
        for one in who[:-1]  # of one person there is no DNA
    ]
    dna = [{"who": one, "dna": "".join(draw.choice("ACACGT-") for _ in range(4))} for one in who]
    if shuffled:
        for rows in (people, codes, snps, dna):
            draw.shuffle(rows)  # type: ignore[arg-type]
    tmp_path.mkdir(exist_ok=True)
    if "demographics" not in policy and "snps.csv" in policy:
        codes = [row for row in codes if row["who"] != who[-1]]
    for name, rows in {"people": people, "codes": codes, "snps": snps, "dna": dna}.items():
        write(tmp_path / f"{name}.csv", rows)  # type: ignore[arg-type]
    path = tmp_path / "policy.yaml"
    path.write_text(policy)
    return path


def records(public: Path) -> list[plain.Joined]:
    """What a stranger reads: cells, labels with the codes that the dictionary tells, and DNA."""
    dictionary = json.loads((public / "dictionary.json").read_text())["patients"]
    told = {label: facts["codes"] for label, facts in dictionary["code"]["labels"].items() if "codes" in facts}
    table = pq.read_table(public / "patients.parquet").to_pylist()
    found = []
    for row in table:
        cells = tuple(str(row[name]) for name in ("sex", "age") if name in row)
        labels = [] if row["code"] == "()" else row["code"].split()
        if "dna" in row:
            dna = [frozenset(plain_dna.IUPAC[symbol]) for symbol in row["dna"]]
        else:
            dna = [frozenset(plain_dna.CALLS[row[name]]) for name in ("rs1", "rs2", "rs3")]
        found.append((cells, [frozenset(told.get(label, (label,))) for label in labels], dna))
    return found


@pytest.mark.parametrize("policy", [POLICY, WITHOUT_PEOPLE, SEQUENCES])
def test_a_release_holds_for_a_stranger(tmp_path: Path, policy: str) -> None:
    done = release(check(desk(tmp_path, policy)))
    public = done.directory / "public"
    shown = records(public)
    reached = plain.least_joined(shown, 1, 1)
    assert reached is not None
    assert reached >= 4
    assert verify(done.directory).ok
    assert verify(public).ok
    told = done.findings["datasets"]["patients"]
    (criterion,) = told["criteria"]
    assert 4 <= criterion["value"] <= reached
    assert criterion["unit"] == "persons"
    scores = {one["name"]: one["value"] for one in told["utility"]}
    details = told["mechanism"]["details"]
    assert scores["dna-ncp"] == pytest.approx(details["dna_loss"])
    assert scores["ncp"] == pytest.approx(details["loss"])
    assert any(one["chosen"] for one in details["tried"])
    linkage = told["attacks"][0]
    assert linkage["after"]["value"] <= linkage["before"]["value"]
    assert linkage["after"]["details"]["simulated"]["targets"] > 0
    assert (done.directory / "internal" / "dossier.html").is_file()


def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    one = release(check(desk(tmp_path / "a"))).directory / "public"
    two = release(check(desk(tmp_path / "b", shuffled=True))).directory / "public"
    for name in ("patients.parquet", "dictionary.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_forged_cells_are_judged_as_they_stand(tmp_path: Path) -> None:
    """A wing that reopens forged files judges them by themselves, without the certificate's hashes."""
    public = release(check(desk(tmp_path))).directory / "public"
    table = pq.read_table(public / "patients.parquet")
    columns = json.loads((public / "dictionary.json").read_text())["patients"]

    def reopened(name: str, texts: list[str], told: Any = columns) -> Any:
        forged = table.set_column(table.column_names.index(name), name, pa.array(texts, pa.string()))
        return wing("joint").reopen(Source.of(forged), told)

    assert JoinedRecord(4, 1, 1).check(reopened("rs1", table["rs1"].to_pylist())).ok
    for text in ("0", "2"):
        texts = ["{0,1}" if text == "2" else "{1,2}"] * table.num_rows
        texts[0] = text
        assert JoinedRecord(4, 1, 1).check(reopened("rs1", texts)).ok is False
    for wrong in ("3", "{2,1}", "", "[0-1]"):
        with pytest.raises(DataError, match="not calls of a SNP"):
            reopened("rs1", [wrong] * table.num_rows)
    for told in ({**columns, "rs1": {**columns["rs1"], "kind": "sequence"}}, {**columns, "rs9": columns["rs1"]}):
        with pytest.raises(DataError, match="certificate"):
            reopened("rs1", table["rs1"].to_pylist(), told)


def test_a_certificate_that_hides_the_dna_is_contradicted(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path)))
    public = done.directory / "public"
    for file in ("certificate.json", "dictionary.json"):
        text = (public / file).read_text()
        (public / file).write_text(
            text.replace('"kind": "snp"', '"kind": "text"').replace('"kind":"snp"', '"kind":"text"')
        )
    assert not verify(public).ok


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("require: [joined-record: {k: 4, m: 1, snps: 1}]", "require: [k-km-anonymity: {k: 4}]", "judges it"),
        ("    genotypes: {csv: snps.csv}\n", "", "there is none"),
        ("joined-anonymization: {bound: 1}", "rt-anonymization: {bound: 1}", "cannot make .joined-record. hold"),
        ("rs1: quasi", "rs1: keep", "holds DNA"),
        ("rs1: quasi", "rs1: {role: quasi, style: set}", "lattice"),
        ("plate: drop", "plat: drop", "no such column"),
        ("{csv: snps.csv}", "{csv: snps.csv, columns: {sex: plate}}", "several files"),
        ("who: subject", "who: drop", "subject"),
        ("snps: 1", "snps: 0", "snps"),
        ("{csv: snps.csv}", "{csv: absent.csv}", "absent.csv"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in POLICY
    policy = POLICY.replace(old, new)
    if "sex: plate" in new:
        policy = policy.replace("      plate: drop\n", "")
    with pytest.raises((PolicyError, DataError), match=said):
        release(check(desk(tmp_path, policy)))


def test_mistakes_are_told_by_their_line(tmp_path: Path) -> None:
    path = desk(tmp_path, POLICY.replace("joined-record: {k: 4, m: 1, snps: 1}", "k-km-anonymity: {k: 4}"))
    with pytest.raises(PolicyError) as told:
        check(path)
    (mistake,) = told.value.mistakes
    assert mistake.line == path.read_text().splitlines().index("    require: [k-km-anonymity: {k: 4}]") + 1
    other = tmp_path / "other.yaml"
    other.write_text(POLICY.replace("kind: joint", "kind: codes"))
    with pytest.raises(PolicyError, match="genotypes are for kind joint"):
        check(other)


def test_dna_of_strangers_is_refused_without_a_value(tmp_path: Path) -> None:
    path = desk(tmp_path)
    text = (tmp_path / "snps.csv").read_text()
    (tmp_path / "snps.csv").write_text(text.replace("P003", "Q003"))
    with pytest.raises(SharewellError, match="1 of 59 persons with DNA") as told:
        release(check(path))
    assert "Q003" not in str(told.value)


def test_a_plan_tells_all_parts(tmp_path: Path) -> None:
    told = plan(check(desk(tmp_path)))["patients"]
    assert told.columns["rs1"]["kind"] == "snp"
    assert [risk.name for risk in told.risks][-3:] == ["k-km-anonymity", "joined-record", "rt-linkage"]
    assert told.outcome.feasible


def test_an_automatic_choice_protects_the_dna(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path, WITHOUT_PEOPLE.replace("{joined-anonymization: {bound: 1}}", "auto"))))
    assert done.findings["datasets"]["patients"]["mechanism"]["name"] == "joined-anonymization"
