"""Persons and sensitive values under several spellings, from a policy to the verified files, in every kind of data."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.codes import CodeSets, KmAnonymity
from sharewell.errors import DataError, Infeasible
from sharewell.genomes import DiverseSequences, Genotypes, Sequences
from sharewell.genomes.engine.membership import strangers
from sharewell.genomes.engine.sample_persons import names_of
from sharewell.joint import RTData
from sharewell.keys import Key
from sharewell.notes import NoKnownIdentifiers, Notes, Replace
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.note_files import SubjectCodes
from sharewell.notes.engine.people_tables import People
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.reports import tabulate
from sharewell.tables import Table

SPELT = ["p1", "P1 ", "p\u200b1", "ｐ１"]
HEAD = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_SPELLINGS}
datasets:
  visits:
    read: {csv: visits.csv}
"""


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_SPELLINGS", "an example secret, long enough")


def desk(directory: Path, dataset: str, rows: list[tuple[str, ...]]) -> Path:
    directory.mkdir(exist_ok=True)
    with (directory / "visits.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    path = directory / "policy.yaml"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in dataset.splitlines()) + "write: {parquet: out}\n")
    return path


TABLE = """\
kind: tables
columns: {who: subject, age: quasi, seen: shift, illness: sensitive}
publish: within-class
require: [k-anonymity: {k: 3}, l-diversity: {l: 2}]
using: mondrian"""
ILL = ["HIV", "hiv ", "H\u200bIV", "flu", "Flu", "gout"]


def people(count: int) -> list[tuple[str, ...]]:
    """One person under four names, and others; every age thrice."""
    names = [*SPELT, *(f"p{i}" for i in range(2, count - 2))]
    rows = [(name, str(30 + i // 3), "2020-05-01", ILL[i % len(ILL)]) for i, name in enumerate(names)]
    return [("who", "age", "seen", "illness"), *rows]


def test_a_release_counts_one_person_and_one_disease(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path, TABLE, people(24))))
    assert verify(done.directory).ok
    shown = pq.read_table(done.directory / "public" / "visits.parquet").to_pylist()
    assert sorted(row["illness"] for row in shown) == sorted(ILL * 4)  # as they were written
    for age in {row["age"] for row in shown}:
        inside = [row for row in shown if row["age"] == age]
        assert len({row["who"] for row in inside}) >= 3
        assert len({row["illness"].replace("\u200b", "").strip().lower() for row in inside}) >= 2
    names = pq.read_table(done.directory / "public" / "visits.parquet", columns=["who", "seen"]).to_pylist()
    one = [row for row in names if sum(other["who"] == row["who"] for other in names) == 4]
    assert len({row["seen"] for row in one}) == 1  # one person, one pseudonym in the class, one shift


def test_what_cannot_be_protected_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Infeasible):
        release(check(desk(tmp_path, TABLE, people(5))))
    one_disease = [(*row[:3], "hiv " if row[0] in SPELT else "HIV") for row in people(24)[1:]]
    with pytest.raises(Infeasible):
        release(check(desk(tmp_path / "b", TABLE, [people(24)[0], *one_disease])))


def test_a_recipient_counts_diseases_of_the_file_by_their_looks(tmp_path: Path) -> None:
    loose = TABLE.replace("l: 2", "l: 1").replace("k: 3", "k: 2")
    head, *rows = people(24)
    done = release(check(desk(tmp_path, loose, [head, *((*row[:3], ILL[i % 3]) for i, row in enumerate(rows))])))
    (finding,) = [one for one in verify(done.directory / "public").findings["visits"] if one.name == "l-diversity"]
    assert finding.value == 1


def test_a_steward_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk(tmp_path, TABLE, people(24))
    part = plan(check(path))["visits"]
    assert part.lookalikes == {"who": 3, "illness": 3}
    assert main(["plan", str(path)]) == 0
    assert "persons and sensitive values" in re.sub(r"\s+", " ", capsys.readouterr().out)
    done = release(check(path))
    assert json.loads((done.directory / "public" / "certificate.json").read_text())["datasets"]["visits"]["lookalikes"]
    assert "values count as one" in re.sub(r"\s+", " ", (done.directory / "internal" / "dossier.html").read_text())


CODES = """\
kind: codes
columns: {who: subject, code: {role: quasi, hierarchy: icd9cm}}
require: [km-anonymity: {k: 2, m: 1}]
using: apriori"""


def test_codes_of_one_person_are_one_set(tmp_path: Path) -> None:
    rows = pa.table({"who": SPELT, "code": ["401.1", "401.1", "401.1", "250.00"]})
    data = CodeSets.from_long(rows, subject="who", code="code")
    assert data.records == 1
    assert KmAnonymity(2, 1).check(data).ok is False
    told = [("who", "code"), *((who, "401.1") for who in SPELT), ("p2", "250.00"), ("p3", "250.00")]
    done = release(check(desk(tmp_path, CODES, told)))
    assert verify(done.directory).ok
    assert pq.read_table(done.directory / "public" / "visits.parquet").num_rows <= 3
    assert plan(check(tmp_path / "policy.yaml"))["visits"].lookalikes == {"who": 3}
    assert "401.1" not in pq.read_table(done.directory / "public" / "visits.parquet")["code"].to_pylist()


def test_an_invisible_name_of_codes_is_nobody() -> None:
    rows = pa.table({"who": ["a", "\u200b"], "code": ["401.1", "401.1"]})
    with pytest.raises(DataError, match="1 row"):
        CodeSets.from_long(rows, subject="who", code="code")


def test_visits_of_one_person_are_one_persons() -> None:
    rows = pa.table({"who": ["p1", "P1", "p1"], "visit": ["1", "1", "2"], "code": ["a", "b", "c"]})
    data = CodeSets.from_long(rows, subject="who", code="code", visit="visit")
    assert data.visits is not None
    assert data.visits.listed(data.names, data.records) == [[["a", "b"], ["c"]]]


def test_a_count_table_counts_persons_once() -> None:
    rows = pa.table({"who": [*SPELT, "p2"], "sex": ["f"] * 5})
    assert tabulate(rows, ["sex"], subject="who").arrow.to_pylist()[0]["count"] == 2
    owners = [pa.table({"who": ["p1"], "sex": ["f"]}), pa.table({"who": ["P1"], "sex": ["f"]})]
    assert tabulate(owners, ["sex"], subject="who").arrow.to_pylist()[0]["count"] == 1
    with pytest.raises(DataError, match="more than one cell"):
        tabulate(pa.table({"who": ["p1", "P1"], "sex": ["f", "m"]}), ["sex"], subject="who")
    costs = pa.table({"who": ["p1", "P1", "p2"], "sex": ["f"] * 3, "cost": ["1", "2", "4"]})
    given = tabulate(costs, ["sex"], subject="who", measure="cost").truth
    assert given is not None
    assert given.given is not None
    assert sorted(given.given.amount.tolist()) == [3, 4]
    with pytest.raises(DataError, match="belong to nobody"):
        tabulate(pa.table({"who": ["p1", "\u200b"], "sex": ["f", "m"]}), ["sex"], subject="who")


def test_people_and_codes_are_joined_by_the_looks_of_their_names() -> None:
    table = Table.of(pa.table({"who": ["P1 ", "p2"], "sex": ["F", "M"]}), quasi=["sex"], subject="who")
    codes = CodeSets.from_long(pa.table({"who": ["p1", "p2"], "code": ["a", "b"]}), subject="who", code="code")
    assert RTData.joined(table, codes).codes.sets.lengths.tolist() == [1, 1]
    twice = Table.of(pa.table({"who": ["P1", "p1"], "sex": ["F", "M"]}), quasi=["sex"], subject="who")
    with pytest.raises(DataError, match="2 rows about 1 persons"):
        RTData.joined(twice, codes.take(pa.array([0]).to_numpy()))


def test_notes_of_one_person_are_one_persons() -> None:
    notes = Notes.of(["Seen 2020-05-01."] * 4, persons=SPELT)
    assert len(set(notes.persons or ())) == 1
    assert SubjectCodes.of([pa.chunked_array([SPELT[:2]]), pa.chunked_array([SPELT[2:]])]).as_one().people == 1
    done = Replace().protect(notes, [], Key(b"an example key of enough bytes.."))
    assert len(set(done.data.texts)) == 1
    with pytest.raises(DataError, match="nobody"):
        Notes.of(["a"], persons=["\u200b"])


def test_what_is_known_of_a_person_is_known_under_every_spelling() -> None:
    rows = pa.table({"id": ["P1", "p1 "], "last": ["Delgado", "Okafor"]})
    people = People.of(rows, "id", names=["last"])
    assert "ｐ１" in people
    known = people.known("ｐ１")
    assert known is not None
    assert [value for _, value in known.values] == ["Delgado", "Okafor"]
    for given in (people, {"P1": Known.of(names=["Delgado"]), "p1 ": Known.of(names=["Okafor"])}):
        notes = Notes.of(["Mr Okafor."], persons=["p\u200b1"], known=given)
        assert NoKnownIdentifiers().check(notes).value == 1


NOTES = """\
kind: notes
columns: {who: subject, text: text, seen: shift}
require: [no-known-identifiers: {people: {csv: people.csv}, subject: id, names: [last]}]
using: replace"""


def test_a_release_of_notes_moves_the_dates_of_a_person_together(tmp_path: Path) -> None:
    rows = [("who", "text", "seen"), *((who, "Delgado seen on 2020-05-01, stable.", "2020-05-01") for who in SPELT)]
    (tmp_path / "people.csv").write_text("id,last\nＰ1,Delgado\np2,Okafor\n")
    done = release(check(desk(tmp_path, NOTES, [*rows, ("p2", "Seen on 2020-05-01.", "2020-05-01")])))
    assert verify(done.directory).ok
    assert plan(check(tmp_path / "policy.yaml"))["visits"].lookalikes == {"who": 3}
    shown = pq.read_table(done.directory / "public" / "visits.parquet").to_pylist()
    assert len({(row["text"], row["seen"]) for row in shown if "stable" in row["text"]}) == 1


TEXTS = """\
kind: tables
columns: {who: subject, age: quasi, seen: shift, remarks: text}
require: [k-anonymity: {k: 2}]
using: mondrian"""


def test_a_column_of_text_moves_like_the_dates_beside_it(tmp_path: Path) -> None:
    people = [*SPELT, *(f"p{i}" for i in range(2, 8))]
    rows = [(who, "30", "2020-05-01", "Seen on 2020-05-01, stable.") for who in people]
    done = release(check(desk(tmp_path, TEXTS, [("who", "age", "seen", "remarks"), *rows])))
    assert verify(done.directory).ok
    shown = pq.read_table(done.directory / "public" / "visits.parquet").to_pylist()
    assert all(str(row["seen"]) in row["remarks"] for row in shown)
    assert max(sum(one == other for other in shown) for one in shown) >= 4


def test_samples_of_one_person_are_refused_however_they_are_named() -> None:
    rows: dict[str, Any] = {"who": ["p1", "P1 "], "rs1": [0, 1]}
    with pytest.raises(DataError):
        Genotypes.from_frame(pa.table(rows), subject="who")
    first, second = names_of(["Ann", "Bob"]), names_of(["ann ", "BOB"])
    assert first.counted == second.counted


def test_labels_of_dna_and_people_of_a_reference_are_known_by_their_looks() -> None:
    shown = Sequences.of(["ACGT"] * 2, labels=["HIV", "hiv "], published=True)
    assert DiverseSequences(2).check(shown).ok is False
    pool = Genotypes.from_frame(pa.table({"who": ["Ann", "Bob"], "rs1": [0, 1]}), subject="who")
    reference = Genotypes.from_frame(pa.table({"who": ["ANN ", "Eve"], "rs1": [0, 1]}), subject="who")
    assert strangers(reference, pool)[1] == 1
    assert strangers(reference, pool)[0].persons == ("Eve",)
