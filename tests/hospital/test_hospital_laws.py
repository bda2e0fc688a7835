"""Laws of the generator: same seed same bytes, prefixes, independent tables, ids that tie, reserved ranges."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from sharewell.errors import DataError
from sharewell.hospital import Hospital
from sharewell.hospital.block import LINES, TABLES

EVERYTHING = [*TABLES, *LINES]


def _hashes(directory: Path) -> dict[str, str]:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    directory = tmp_path_factory.mktemp("hospital")
    return directory, Hospital(patients=250, seed=3).write(directory)


def test_the_same_seed_gives_the_same_bytes(written: tuple[Path, dict[str, int]], tmp_path: Path) -> None:
    Hospital(patients=250, seed=3).write(tmp_path)
    assert _hashes(tmp_path) == _hashes(written[0])
    assert set(_hashes(tmp_path)) == {*TABLES.values(), *LINES.values()}


def test_another_seed_gives_another_town() -> None:
    one, two = (Hospital(patients=50, seed=seed).frame("register") for seed in (1, 2))
    assert one.column("family") != two.column("family")


def test_rows_are_counted_and_progress_is_told(written: tuple[Path, dict[str, int]], tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    counts = Hospital(patients=60, seed=3, notes=False).write(tmp_path, progress=lambda *call: calls.append(call))
    assert calls == [(60, 60)]
    assert counts["register"] == 300
    assert written[1]["patients"] == 250
    lines = (tmp_path / "patients.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 61


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_small_hospital_is_the_beginning_of_a_large_one(name: str) -> None:
    small = Hospital(patients=130, seed=3).frame(name).to_pylist()
    large = Hospital(patients=260, seed=3).frame(name).to_pylist()
    assert small == large[: len(small)]


def test_blocks_do_not_change_what_is_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {name: Hospital(patients=350, seed=4).frame(name) for name in EVERYTHING}
    monkeypatch.setattr("sharewell.hospital.hospital.BLOCK", 100)
    assert {name: Hospital(patients=350, seed=4).frame(name) for name in EVERYTHING} == whole


def test_notes_change_no_other_table(written: tuple[Path, dict[str, int]], tmp_path: Path) -> None:
    Hospital(patients=250, seed=3, notes=False).write(tmp_path)
    without, with_notes = _hashes(tmp_path), _hashes(written[0])
    assert without == {file: digest for file, digest in with_notes.items() if not file.endswith(".jsonl")}


def test_dirt_changes_only_the_tables_it_is_in() -> None:
    dirty, clean = Hospital(patients=200, seed=3), Hospital(patients=200, seed=3, dirty=False)
    same = {name for name in TABLES if dirty.frame(name) == clean.frame(name)}
    assert set(TABLES) - same == {"patients", "visits"}


def test_every_id_ties(town: Any) -> None:
    patients, register, link = (town.frame(name) for name in ("patients", "register", "link"))
    assert patients["patient_id"].is_unique
    assert patients["mrn"].is_unique
    assert register["person_id"].is_unique
    assert list(link["patient_id"]) == list(patients["patient_id"])
    assert link["person_id"].is_unique
    assert link["person_id"].isin(register["person_id"]).all()
    visits = town.frame("visits")
    assert visits["visit_id"].is_unique
    assert set(visits["patient_id"]) == set(patients["patient_id"])
    for name in ("diagnoses", "medications"):
        whose = dict(zip(visits["visit_id"], visits["patient_id"], strict=True))
        assert (town.frame(name)["visit_id"].map(whose) == town.frame(name)["patient_id"]).all()
    for name in ("genotypes", "compliance", "genotype_disease"):
        assert town.frame(name)["patient_id"].isin(patients["patient_id"]).all()


def test_patients_are_the_people_of_the_register(clean: Any) -> None:
    joined = (
        clean.frame("link")
        .merge(clean.frame("register"), on="person_id")
        .merge(clean.frame("patients"), on="patient_id")
    )
    assert len(joined) == len(clean.frame("patients"))
    for column in ("given", "family", "sex", "birth_date", "race", "street", "city", "state", "zip"):
        assert (joined[f"{column}_x"] == joined[f"{column}_y"]).all()


def test_patient_tables_never_hold_a_person_id(town: Any) -> None:
    for name in ("patients", "visits", "diagnoses", "medications", "genotypes", "compliance", "voters"):
        assert "person_id" not in town.frame(name).columns


def test_numbers_lie_in_ranges_that_nobody_has(town: Any) -> None:
    patients = town.frame("patients")
    assert patients["phone"].str.fullmatch(r"\d{3}-555-01\d\d").all()
    assert patients["ssn"].str.fullmatch(r"9\d\d-(?!00)\d\d-(?!0000)\d{4}").all()
    assert patients["email"].str.fullmatch(r"[a-z.]+\d\d@example\.(com|net|org)").all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"patients": 0},
        {"patients": 6_000_000},
        {"population_factor": 0},
        {"years": 0},
        {"home_zip3": "000"},
        {"home_zip3": "036"},
        {"enrich": {"X99": 2}},
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="hospital"):
        Hospital(**wrong)


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(DataError, match="there are register"):
        Hospital(patients=1).frame("nobody")


@pytest.mark.parametrize(
    "unusual",
    [
        {"patients": 1},
        {"patients": 2, "population_factor": 1},
        {"patients": 30, "home_zip3": "999", "years": 1, "start": date(2024, 2, 29)},
        {"patients": 30, "home_zip3": "200", "population_factor": 20},
    ],
)
def test_unusual_hospitals_have_all_tables(unusual: dict[str, Any]) -> None:
    hospital = Hospital(**unusual)
    assert hospital.frame("patients").num_rows == unusual["patients"]
    assert all(hospital.frame(name).num_rows >= 0 for name in TABLES)
