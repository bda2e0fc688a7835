"""Persons are not lost: the column that names them is found by name, in REDCap's form, or by what goes with it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sharewell.io.sources import Source
from sharewell.policy import load
from sharewell.policy.data_check import against_data
from sharewell.proposal import ColumnLook, Proposal, look
from sharewell.proposal.draft_remarks import cautions
from sharewell.proposal.survey import survey

ROWS = 60
REPEATED = [f"r{i // 3}" for i in range(ROWS)]
UNIQUE = [f"u{i}" for i in range(ROWS)]
BORN = [f"{1930 + i // 3}-03-0{1 + i // 3 % 9}" for i in range(ROWS)]
PEOPLE = [f"{'ABCDEFGHIJKLMNOPQRST'[i // 3]}erde, Quo" for i in range(ROWS)]
WARDS = [f"w{i % 8}" for i in range(ROWS)]


def subject(columns: dict[str, list[str]]) -> ColumnLook | None:
    return next((c for c in look(Source.of(pa.table(columns))) if c.role == "subject"), None)


CASES = [
    ({"record_id": REPEATED, "redcap_event_name": WARDS}, "record_id", True),
    ({"record_id": UNIQUE, "redcap_event_name": WARDS}, "record_id", True),
    ({"record_id": UNIQUE, "age": WARDS}, "record_id", False),
    ({"record_id": UNIQUE, "patient_id": REPEATED}, "patient_id", True),
    ({"study_id": ["s1"] * ROWS, "ward": WARDS}, None, True),
    ({"Kartei": REPEATED, "birth_date": BORN, "ward": WARDS}, "Kartei", False),
    ({"ward": WARDS, "birth_date": BORN}, None, True),
    ({"visit_id": REPEATED, "birth_date": BORN}, None, True),
    ({"person_id": REPEATED, "condition_occurrence_id": UNIQUE}, "person_id", True),
    ({"Patient": PEOPLE, "birth_date": BORN}, "person", False),
    ({"Patient": PEOPLE, "ward": WARDS}, "Patient", False),
    ({"Patient": REPEATED, "birth_date": BORN}, "Patient", True),
]


@pytest.mark.parametrize(("columns", "expected", "sure"), CASES)
def test_the_person_is_found(columns: dict[str, list[str]], expected: str | None, sure: bool) -> None:
    found = subject(columns)
    assert (found.name if found else None) == expected
    assert found is None or found.sure is sure


def test_mistyped_dates_of_birth_do_not_hide_the_person() -> None:
    rows = 600
    born = [f"{1930 + i // 3 % 90}-03-0{1 + i // 3 % 9}" for i in range(rows)]
    born[7] = "1950-01-01"
    found = subject({"Kartei": [f"k{i // 3}" for i in range(rows)], "dob": born})
    assert found is not None
    assert found.name == "Kartei"


def test_people_who_come_again_without_a_number_are_warned_of(tmp_path: Path) -> None:
    """Names and dates of birth that repeat are persons with several records: counted as records, k would mislead.

    Too many names are missing here for the person to be joined of them.
    """
    rows = [(f"Name{i // 3}" if i % 10 else "", f"{1930 + i // 3}-03-04", i) for i in range(ROWS)]
    path = tmp_path / "emergency.csv"
    path.write_text("last_name,birth_date,ward\n" + "".join(f"{a},{b},w{i % 4}\n" for a, b, i in rows))
    [seen] = survey([Source.of(path)])
    assert (seen.subject, seen.parts) == (None, {})
    assert seen.same_people == (("last_name", "birth_date"), 26)
    [line] = cautions(seen)
    assert line.startswith("CAREFUL: last_name + birth_date are 26 different people in 60 records")


def test_names_and_a_date_of_birth_are_joined_into_the_person(tmp_path: Path) -> None:
    """Whatever the spelling, whoever typed: no column of the file numbers the persons."""
    spellings = ("Müller{0}", "MUELLER{0}", "muller{0}")
    lines = [f"{spellings[i % 3].format(i // 3)};Dr. Roe;{1 + i // 3:02d}.03.1950;w{i % 4}\n" for i in range(ROWS)]
    path = tmp_path / "emergency.csv"
    path.write_text("Nachname;doctor name;Geburtsdatum;ward\n" + "".join(lines), encoding="utf-8")
    [seen] = survey([Source.detected(path)[0]])
    assert (seen.subject, seen.persons, seen.rows) == ("person", 20, ROWS)
    assert list(seen.parts) == ["Nachname", "Geburtsdatum"]
    draft = Proposal.of([path], base=tmp_path).text
    assert "person: {join: [Nachname, Geburtsdatum]}" in draft
    assert not any(value in draft for value in ("Müller", "MUELLER", "muller", "1950"))
    (tmp_path / "policy.yaml").write_text(draft)
    [dataset] = load(tmp_path / "policy.yaml").datasets.values()
    assert len(set(dataset.read.read(["person"])["person"].to_pylist())) == 20
    assert not [one for one in against_data(load(tmp_path / "policy.yaml")) if "person" in one.where]


def test_a_column_of_the_name_person_is_left_alone(tmp_path: Path) -> None:
    rows = [(f"Name{i // 3}", f"{1930 + i // 3}-03-04", "x") for i in range(ROWS)]
    path = tmp_path / "emergency.csv"
    path.write_text("last_name,birth_date,person\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    [seen] = survey([Source.of(path)])
    assert seen.subject == "person_2"


@pytest.mark.parametrize(
    "columns",
    [
        {"last_name": [f"Name{i}" for i in range(ROWS)], "birth_date": BORN},
        {"last_name": ["Name"] * ROWS, "ward": WARDS},
        {"birth_date": BORN, "ward": WARDS},
        {"last_name": WARDS[:12], "birth_date": ["1950-01-01"] * 12},
    ],
    ids=["everybody comes once", "no birth", "no names", "too few to tell"],
)
def test_who_comes_once_or_cannot_be_told_apart_is_not_warned_of(columns: dict[str, list[str]], tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("".join(",".join(row) + "\n" for row in (tuple(columns), *rows)))
    assert survey([Source.of(path)])[0].same_people is None
