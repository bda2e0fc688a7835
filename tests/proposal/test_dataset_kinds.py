"""Which kind of data a file is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import plain_files
import pytest

from sharewell.errors import DataError
from sharewell.proposal import Proposal, propose
from sharewell.proposal.dataset_kinds import DatasetDraft
from sharewell.roles import Role

CASES: list[tuple[Callable[[Path], Path], str, list[tuple[str, str]]]] = [
    (plain_files.long_codes, "a.csv", [("a", "codes")]),
    (plain_files.wide_codes, "a.csv", [("a", "tables"), ("a-codes", "codes")]),
    (plain_files.codes_in_cells, "a.csv", [("a", "tables"), ("a-codes", "codes")]),
    (plain_files.people, "a.csv", [("a", "tables")]),
    (plain_files.notes, "a.csv", [("a", "notes")]),
    (plain_files.genotypes, "a.csv", [("a", "genomes")]),
    (plain_files.variants, "a.vcf", [("a", "genomes")]),
    (plain_files.rates, "a.csv", [("a", "reports")]),
]


def drafts(path: Path) -> dict[str, DatasetDraft]:
    return {dataset.name: dataset for dataset in Proposal.of([path]).datasets}


@pytest.mark.parametrize(("make", "name", "expected"), CASES, ids=lambda one: getattr(one, "__name__", ""))
def test_a_file_is_recognised(
    make: Callable[[Path], Path], name: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert [(one.name, one.kind) for one in drafts(make(tmp_path / name)).values()] == expected


def test_codes_of_a_table_are_dropped_there_and_read_again_in_their_own_dataset(tmp_path: Path) -> None:
    found = drafts(plain_files.codes_in_cells(tmp_path / "a.csv"))
    roles = {column.name: str(column.role) for column in found["a"].columns}
    assert roles == {"patient_id": "subject", "age": "quasi", "sex": "quasi", "diagnoses": "drop"}
    codes = {column.name: (str(column.role), column.cells.separator) for column in found["a-codes"].columns}
    assert codes == {"patient_id": ("subject", None), "diagnoses": ("quasi", "|")}
    assert found["a-codes"].rest == "drop"


def test_long_codes_name_their_visits_dates_and_places(tmp_path: Path) -> None:
    found = drafts(plain_files.long_codes(tmp_path / "a.csv"))["a"]
    assert found.keys == {"visit": "visit_id", "date": "date", "sequence": "position"}


@pytest.mark.parametrize("column", ["condition_concept_id", "drug_concept_id", "snomed", "procedure_code"])
def test_long_codes_may_be_numbers_of_any_vocabulary(column: str, tmp_path: Path) -> None:
    rows = [(f"p{i // 4}", 30000 + 37 * (i % 60), f"2020-01-{1 + i % 28:02}") for i in range(240)]
    found = drafts(plain_files.write(tmp_path / "a.csv", ["person_id", column, "start_date"], rows))["a"]
    assert found.kind == "codes"
    assert [one.name for one in found.having(Role.QUASI)] == [column]


def test_numbers_that_are_labels_are_read_as_text(tmp_path: Path) -> None:
    rows = [(i, 8507 + 25 * (i % 2), 1950 + i % 40, 1 + i % 5) for i in range(80)]
    header = ["person_id", "gender_concept_id", "birth_year", "marital_status"]
    path = plain_files.write(tmp_path / "a.csv", header, rows)
    labels = {column.name for column in drafts(path)["a"].columns if column.labels}
    assert labels == {"gender_concept_id", "marital_status"}
    text = propose([path])
    assert re.search(r"gender_concept_id: \{role: quasi, type: text\}", text)
    assert re.search(r"birth_year: quasi", text)


def test_a_code_beside_demographics_stays_in_its_table(tmp_path: Path) -> None:
    rows = [(f"p{i // 2}", 20 + i % 50, plain_files.CODES[i % 8]) for i in range(80)]
    path = plain_files.write(tmp_path / "a.csv", ["patient_id", "age", "code"], rows)
    assert [one.kind for one in drafts(path).values()] == ["tables"]


def test_a_note_beside_demographics_is_a_column_of_text(tmp_path: Path) -> None:
    rows = [(f"p{i}", 20 + i % 50, f"Came in today and was told to rest for {i} days") for i in range(40)]
    found = drafts(plain_files.write(tmp_path / "a.csv", ["patient_id", "age", "remarks"], rows))["a"]
    assert (found.kind, str(found.columns[2].role)) == ("tables", "text")


def test_free_text_that_is_nobodys_is_dropped(tmp_path: Path) -> None:
    rows = [(20 + i % 50, "FM"[i % 2], f"Came in today and was told to rest for {i} days") for i in range(40)]
    found = drafts(plain_files.write(tmp_path / "a.csv", ["age", "sex", "remarks"], rows))["a"]
    assert str(found.columns[2].role) == "drop"


def test_a_table_of_counts_is_refused_with_what_to_name_instead(tmp_path: Path) -> None:
    rows = [(ward, illness, 7) for ward in "abcd" for illness in ("flu", "gout", "acne")]
    path = plain_files.write(tmp_path / "counts.csv", ["ward", "illness", "count"], rows)
    with pytest.raises(DataError, match="a table of counts already"):
        Proposal.of([path])


def test_a_code_that_omop_writes_twice_is_one_code_a_row(tmp_path: Path) -> None:
    """As a table without a quasi column, all its rows would be one class, whose k says nothing."""
    names = ["condition_occurrence_id", "person_id", "condition_concept_id", "condition_source_value"]
    rows = [(i, f"p{i // 2}", 201820 + i % 8, plain_files.CODES[i % 8]) for i in range(80)]
    found = drafts(plain_files.write(tmp_path / "a.csv", names, rows))["a"]
    assert found.kind == "codes"
    assert {column.name: str(column.role) for column in found.columns} == {
        "condition_occurrence_id": "drop",
        "person_id": "subject",
        "condition_concept_id": "drop",
        "condition_source_value": "quasi",
    }
