"""No known identifiers: what is planted is found, what is not there is not, and who is unknown is never cleared."""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.hospital import Hospital
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.notes import Known, NoKnownIdentifiers, Notes, People
from sharewell.pipeline.claims import criterion
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.pipeline.salted_hashes import Salt
from sharewell.testing import check_criterion, check_finding

PEOPLE = {
    "p1": Known.of(names=["Rosalind Delgado"], dates=["1961-03-05"], ids=["MRN-00412"], phones=["(555) 201-3345"]),
    "p2": Known.of(names=["Anneke May"], dates=["1970-01-31"], places=["Springfield"], emails=["may@example.org"]),
}
CLEAN = "Seen today for gout, blood pressure 120/80. Back in two weeks."


def notes_of(texts: list[str], persons: list[str]) -> Notes:
    return replace(Notes.of(texts, persons, PEOPLE), published=True)


@pytest.mark.parametrize(
    ("person", "planted", "kind"),
    [
        ("p1", "DELGADO", "NAME"),
        ("p1", "rosalind's", "NAME"),
        ("p1", "b. 5-Mar-61", "DATE"),
        ("p1", "03/05/1961", "DATE"),
        ("p1", "mrn00412", "ID"),
        ("p1", "555 201 3345", "PHONE"),
        ("p2", "in May", "NAME"),
        ("p2", "SPRINGFIELD", "PLACE"),
        ("p2", "MAY@example.org", "EMAIL"),
    ],
)
def test_a_forged_note_is_caught(person: str, planted: str, kind: str) -> None:
    clean = notes_of([CLEAN, CLEAN, CLEAN], ["p1", "p1", "p2"])
    assert NoKnownIdentifiers().check(clean).ok is True
    forged = notes_of([CLEAN, f"{CLEAN} {planted}.", CLEAN], ["p1", person, "p2"])
    found = NoKnownIdentifiers().check(forged)
    assert (found.value, found.ok) == (1, False)
    assert kind in found.details.surviving
    assert found.details.notes_with == 1


def test_only_the_persons_own_row_counts() -> None:
    assert NoKnownIdentifiers().check(notes_of(["Anneke", "Delgado"], ["p1", "p2"])).value == 0


def test_persons_are_counted_not_notes() -> None:
    found = NoKnownIdentifiers().check(notes_of(["Delgado"] * 5 + ["seen"], ["p1"] * 5 + ["p2"]))
    assert (found.value, found.details.notes_with, found.unit) == (1, 5, "persons")


def test_who_is_not_in_the_table_is_undecided_unless_allowed() -> None:
    data = Notes.of([CLEAN, CLEAN], ["p1", "p9"], PEOPLE)
    found = NoKnownIdentifiers().check(data)
    assert found.failed
    assert found.value is None
    assert "absent: allow" in found.note
    assert found.details.not_listed == 1
    assert NoKnownIdentifiers(absent="allow").check(data).ok is True
    empty = Notes.of([CLEAN], ["p3"], {"p3": Known()})  # a row that says nothing is as good as none
    assert NoKnownIdentifiers().check(empty).value is None
    survivors = Notes.of(["Delgado", CLEAN], ["p1", "p9"], PEOPLE)
    assert NoKnownIdentifiers().check(survivors).value == 1


@pytest.mark.parametrize("data", [Notes.of([CLEAN]), Notes.of([CLEAN], ["p1"]), Notes.of([], [], PEOPLE)])
def test_nothing_to_go_by_is_undecided(data: Notes) -> None:
    found = NoKnownIdentifiers().check(data)
    assert found.failed
    assert found.value is None
    assert found.note


def test_from_a_file_as_a_verifier_does(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [["id", "name", "born"], ["p1", "Rosalind Delgado", "1961-03-05"], ["p1", "Rosie", ""]]
        )
    rule = NoKnownIdentifiers(Source.of(path), "id", names=["name"], dates=["born"])  # type: ignore[arg-type]
    assert rule.check(Notes.of(["Rosie"], ["p1"])).value == 1  # every row of a person counts
    assert rule.check(Notes.of(["March 5"], ["p1"])).value == 1
    assert rule.check(Notes.of(["fine"], ["p1"])).value == 0
    assert "Delgado" not in repr(rule)


def test_bad_parameters_and_a_bad_date(tmp_path: Path) -> None:
    frame = pa.table({"id": ["p1"], "born": ["the fifth"]})
    with pytest.raises(ValueError, match="subject"):
        NoKnownIdentifiers(frame, names=("id",))
    with pytest.raises(ValueError, match="columns"):
        NoKnownIdentifiers(frame, "id")
    with pytest.raises(ValueError, match="list"):
        NoKnownIdentifiers(frame, "id", names="born")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="absent"):
        NoKnownIdentifiers(absent="maybe")  # type: ignore[arg-type]
    with pytest.raises(DataError) as error:
        NoKnownIdentifiers(frame, "id", dates=("born",)).check(Notes.of(["x"], ["p1"]))
    assert "fifth" not in str(error.value)


def test_contract() -> None:
    frame = pa.table({"text": [f"unheard {CLEAN}", "Delgado unheard-of", "quite fine"], "who": ["p1", "p1", "p2"]})

    def opened(table: pa.Table) -> Notes:
        return Notes.of(table["text"].to_pylist(), table["who"].to_pylist(), PEOPLE)

    check_criterion(NoKnownIdentifiers(), opened, frame)
    check_finding(NoKnownIdentifiers().check(opened(frame)), frame)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["p1", "p2"]), min_size=1, max_size=8), st.data())
def test_the_count_is_that_of_the_planted(persons: list[str], data: st.DataObject) -> None:
    own = {"p1": "Delgado", "p2": "Springfield"}
    planted = [data.draw(st.booleans()) for _ in persons]
    texts = [f"{CLEAN} {own[who] if bad else ''}" for who, bad in zip(persons, planted, strict=True)]
    found = NoKnownIdentifiers().check(notes_of(texts, persons))
    assert found.value == len({who for who, bad in zip(persons, planted, strict=True) if bad})


def test_the_synthetic_hospital() -> None:
    """Originals fail; with every true piece masked nothing is found."""
    block = next(iter(Hospital(patients=60, seed=5).blocks()))
    columns = {"names": ["given", "family"], "dates": ["birth_date"], "ids": ["mrn", "ssn"], "phones": ["phone"]}
    people = People.of(Hospital(patients=60, seed=5).frame("patients"), "patient_id", **columns)
    texts, masked = [], []
    for note, truth in zip(block.notes, block.note_spans, strict=True):
        text = note["body"]
        texts.append(text)
        for span in sorted(truth["spans"], key=lambda span: -span["start"]):
            text = text[: span["start"]] + "[X]" + text[span["end"] :]
        masked.append(text)
    persons = [note["patient_id"] for note in block.notes]
    before = NoKnownIdentifiers().check(Notes.of(texts, persons, people))
    after = NoKnownIdentifiers().check(Notes.of(masked, persons, people))
    assert before.value is not None
    assert before.value > 20
    assert after.value is not None
    assert after.value <= 2


def test_judges_of_notes_load_no_detector_and_no_replacer() -> None:
    """Not only by reading the source: after judging, nothing that a mechanism works with is in memory."""
    code = (
        "import sys; import pyarrow as pa\n"
        "from sharewell.notes import Known, NoKnownIdentifiers, Notes, ResidualRisk, SafeHarborText\n"
        "notes = Notes.of(['seen by Rosa'], ['p'], {'p': Known.of(names=['Rosa'])})\n"
        "gold = pa.table({'text': ['seen by Rosa'], 'spans': ['[]']})\n"
        "[rule.check(notes) for rule in (NoKnownIdentifiers(), SafeHarborText(), ResidualRisk(gold))]\n"
        "worked = ('detectors', 'replacers', 'mechanisms')\n"
        "print([m for m in sys.modules if m.startswith('sharewell') and any(part in m for part in worked)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_verifier_builds_it_from_the_certificate(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("id,name\np1,Delgado\n")
    salt = Salt.of(Key.fresh(), "0" * 64)
    told = {
        "people": {"salted_sha256": salt.salted(sha256(path))},
        "subject": "id",
        "names": ["name"],
        "absent": "refuse",
    }
    item = {"name": "no-known-identifiers", "parameters": told}
    built, named, lacking = criterion("notes", item, EvidenceStore([tmp_path], salt=salt))
    assert (named, lacking) == (True, False)
    assert built.check(Notes.of(["Delgado"], ["p1"])).value == 1
    assert criterion("notes", item, EvidenceStore(salt=salt))[2]
    assert criterion("notes", item, EvidenceStore([tmp_path]))[2], "without the salt no file is recognised"
