"""Notes, diagnoses and DNA of a person under one pseudonym: counted again from the public files alone."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from forged_releases import put_page

from sharewell.errors import Infeasible, PolicyError
from sharewell.io.sources import Source
from sharewell.pipeline.certificate import file_hashes, write_sums
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

K, PEOPLE = 3, 72
POLICY = """
sharewell: 1
release: {{name: all, recipient: {recipient}}}
secrets: {{key: env:TEST_NOTES_KEY}}
person:
  table: patients
  key: id
  require:
    - joined-k-anonymity: {{k: 3, knows: {{patients: [age, sex], record: {{codes: 1, snps: 1}}}}}}
    - joined-k-anonymity: {{k: 3, knows: {{patients: [age, sex], record: {{codes: 1, snps: 1}}, notes: 1}}, at_most: 1}}
  {using}
datasets:
  patients:
    kind: tables
    read: {{csv: patients.csv}}
    {link}
    columns: {{id: subject, name: drop, age: {{role: quasi, type: number}}, sex: quasi}}
    require: [k-anonymity: {{k: 6}}]
    using: mondrian
  record:
    kind: joint
    read: {{csv: codes.csv}}
    genotypes: {{csv: snps.csv}}
    {link}
    columns: {{id: subject, code: {{role: quasi, hierarchy: icd10cm}}, rs1: quasi, rs2: quasi}}
    require: [joined-record: {{k: 3, m: 1, snps: 1}}]
    using: joined-anonymization
  notes:
    kind: notes
    read: {{jsonl: notes.jsonl}}
    {link}
    columns: {{id: subject, ward: keep, body: text}}
    require: [no-known-identifiers: {{dataset: patients}}]
    using: {{replace: {{names: tag, dates: year}}}}
write: {{csv: out/}}
"""
NAMES = ("Delgado", "Okafor", "Novak", "Lindqvist", "Petrova", "Haddad")


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_NOTES_KEY", "an example secret, long enough for a key")


def written(place: Path, *, link: bool = True, using: bool = True, recipient: str = "Ada") -> Path:
    """People with notes that name them, their age, a drug that many take, and sometimes a rare trade."""
    place.mkdir(exist_ok=True)
    draw = random.Random(7)
    people = [(f"p{i}", f"{NAMES[i % 6]}", 40 + i % 24, "FM"[i % 2]) for i in range(PEOPLE)]
    codes = [(who, draw.choice(["E11.9", "I10", "J45.909"])) for who, *_ in people for _ in range(2)]
    snps = [(who, draw.choice([0, 0, 1]), draw.choice([0, 1])) for who, *_ in people]
    tables = {
        "patients": [("id", "name", "age", "sex"), *people],
        "codes": [("id", "code"), *codes],
        "snps": [("id", "rs1", "rs2"), *snps],
    }
    for file, rows in tables.items():
        with (place / f"{file}.csv").open("w", newline="") as handle:
            csv.writer(handle).writerows(rows)
    notes = []
    for who, name, age, _ in people[:-4]:
        drug, trade = draw.choice(["metformin", "lisinopril"]), draw.choice(["", "", " Works as a falconer."])
        body = f"Patient {name} is a {age}-year-old seen for review. Takes {drug} 20 mg.{trade}"
        notes.append({"id": who.upper(), "ward": draw.choice("AB"), "body": body})
    (place / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in notes))
    lines = {"link": "link: true" if link else "", "using": "using: joined-suppression" if using else ""}
    path = place / "policy.yaml"
    path.write_text(POLICY.format(recipient=recipient, **lines))
    return path


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(newline="") as handle:
        return list(csv.DictReader(handle))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_NOTES_KEY", "an example secret, long enough for a key")
        return release(check(written(tmp_path_factory.mktemp("linked")))).directory


def test_every_word_code_and_snp_of_a_class_is_shared_by_k_persons(made: Path) -> None:
    """By another way to read words, from the three public files."""
    public = made / "public"
    people = {row["person"]: (row["age"], row["sex"]) for row in rows_of(public, "patients")}
    facts: dict[str, set[object]] = defaultdict(set)
    for row in rows_of(public, "record"):
        codes = set(row["code"].split()) - {"()"}
        facts[row["person"]] |= codes | {(snp, row[snp]) for snp in ("rs1", "rs2")}
        facts[row["person"]] |= {(code, snp, row[snp]) for code in codes for snp in ("rs1", "rs2")}
    for row in rows_of(public, "notes"):
        words = re.findall(r"[a-z0-9]+", re.sub(r"\[[^\]]*\]", "", row["body"].lower()))
        facts[row["person"]] |= {f"word {word}" for word in words if word not in ("a", "as", "for")}
        facts[row["person"]] |= {("ward", row["ward"])} if row["ward"] else set()
    counts = Counter((people.get(who), fact) for who, held in facts.items() for fact in held)
    assert min(counts.values()) >= K
    assert sum(str(fact).startswith("word") for _, fact in counts) > 10
    assert len(set(people) & {row["person"] for row in rows_of(public, "notes")}) > PEOPLE / 2


def test_notes_say_no_age_that_the_table_generalises(made: Path) -> None:
    people = {row["person"]: row["age"] for row in rows_of(made / "public", "patients")}
    for row in rows_of(made / "public", "notes"):
        told = re.search(r"is a (\S+)-year-old", row["body"])
        assert told is None or told[1] in (people.get(row["person"], "").strip("[]"), "[…]", "[age]")
        assert not set(NAMES) & set(re.findall(r"\w+", row["body"]))


def test_recipients_re_check_the_joint_claims_and_stewards_the_names(made: Path) -> None:
    alone = verify(made / "public").raise_if_failed()
    joint = {(one.name, str(one.tier), one.ok) for one in alone.findings["datasets together"]}
    assert joint == {("joined-k-anonymity", "recipient", True), ("notes-agree-with-table", "recipient", True)}
    (names,) = alone.findings["notes"]
    assert (names.name, str(names.tier)) == ("no-known-identifiers", "attested")
    (names,) = (
        verify(made, sources=[Source.named(made.parents[1] / "patients.csv")]).raise_if_failed().findings["notes"]
    )
    assert (str(names.tier), names.ok) == ("steward", True)


def test_a_note_that_says_more_is_found_out_by_a_recipient(made: Path, tmp_path: Path) -> None:
    import shutil

    public = tmp_path / "public"
    shutil.copytree(made / "public", public)
    rows = rows_of(public, "notes")
    with (public / "notes.csv").open("w", newline="") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(rows[0])
        for i, row in enumerate(rows):
            body = f"{row['body']} She is 47 years old." if i == 0 else row["body"]
            writer.writerow([row["person"], body, row["ward"]])
    certificate = json.loads((public / "certificate.json").read_text())
    put_page(public, certificate)
    certificate["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)
    problems = " ".join(verify(public).problems)
    assert "notes-agree-with-table" in problems
    assert "joined-k-anonymity" in problems


def test_two_recipients_of_one_name_share_no_pseudonym(made: Path, tmp_path: Path) -> None:
    other = release(check(written(tmp_path / "other", recipient="Bert"))).directory
    first, second = ({row["person"] for row in rows_of(one / "public", "patients")} for one in (made, other))
    assert first
    assert not first & second


def test_rows_in_another_order_give_the_same_bytes(made: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "shuffled")
    for name in ("patients.csv", "codes.csv", "snps.csv", "notes.jsonl"):
        head, *rows = (path.parent / name).read_text().splitlines()
        first = [] if name.endswith("jsonl") else [head]
        rows = [head, *rows] if name.endswith("jsonl") else rows
        (path.parent / name).write_text("\n".join([*first, *reversed(rows)]) + "\n")
    again = release(check(path)).directory
    for name in ("patients", "record", "notes"):
        assert (again / "public" / f"{name}.csv").read_bytes() == (made / "public" / f"{name}.csv").read_bytes()


def test_without_a_joint_mechanism_rare_words_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "plain", using=False)
    tried = plan(check(path)).together
    assert tried is not None
    assert not tried.feasible
    with pytest.raises(Infeasible, match="taken together"):
        release(check(path))


def test_notes_that_no_joint_criterion_names_are_not_linked(tmp_path: Path) -> None:
    path = written(tmp_path / "unnamed")
    path.write_text(path.read_text().replace(", notes: 1", ""))
    with pytest.raises(PolicyError, match="needs a joint criterion"):
        check(path)
