"""What a draft says about a file as a whole."""

from __future__ import annotations

from pathlib import Path

import plain_files

from sharewell.proposal import Proposal
from sharewell.proposal.draft_remarks import cautions, remarks


def test_one_file_is_described_once_although_two_datasets_read_it(tmp_path: Path) -> None:
    table, codes = Proposal.of([plain_files.codes_in_cells(tmp_path / "a.csv")]).datasets
    assert remarks(table)[0] == "records with columns: 60 records, 4 columns, 60 persons"
    assert remarks(codes, first=False) == ["several codes in a cell, in the same file"]


def test_names_that_differ_in_spelling_alone_are_mentioned(tmp_path: Path) -> None:
    rows = [(f"p{i}", "ab"[i % 2], "xy"[i % 2], "yx"[i % 3 == 0]) for i in range(40)]
    path = plain_files.write(tmp_path / "a.csv", ["patient_id", "Ward", "ward ", "site"], rows)
    [table] = Proposal.of([path]).datasets
    assert "CAREFUL: 1 column name(s) differ from another only in spelling." in remarks(table)
    reasons = {column.name: column.reasons for column in table.columns}
    assert reasons["ward"] == ("carries the same information as Ward, under another spelling",)


def test_lists_of_codes_whose_person_is_not_known_are_mentioned(tmp_path: Path) -> None:
    """As one cell they would be values that nobody shares; as sets of codes they need a person."""
    rows = [(f"K{i // 2}", 30 + i % 40, ("E11.9|I10", "J45.909|I10|C50.911", "I10")[i % 3]) for i in range(60)]
    [table] = Proposal.of([plain_files.write(tmp_path / "a.csv", ["Fallnr", "age", "Diagnosen"], rows)]).datasets
    told = " ".join(remarks(table))
    assert "Some cells hold several codes: Diagnosen." in told
    assert "sharewell init --interactive" in told


def test_forms_of_redcap_in_one_file_are_mentioned(tmp_path: Path) -> None:
    """In one table, the blanks of other forms would be values; a form that does not repeat leaves the column empty."""
    header = ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "sex", "weight"]
    rows = [
        (i // 2, "visits" if i % 2 else "", 1 if i % 2 else "", "" if i % 2 else "12"[i % 4 // 2], 70)
        for i in range(60)
    ]
    [several] = Proposal.of([plain_files.write(tmp_path / "a.csv", header, rows)]).datasets
    assert any(line.startswith("CAREFUL: a REDCap export with repeating instruments") for line in remarks(several))
    rows = [(i, "", "", "12"[i % 2], 70) for i in range(60)]
    [one] = Proposal.of([plain_files.write(tmp_path / "b.csv", header, rows)]).datasets
    assert not any("REDCap" in line for line in remarks(one))


def test_a_line_of_totals_at_the_end_is_mentioned(tmp_path: Path) -> None:
    """It would be protected and published as a patient."""
    rows: list[tuple[object, ...]] = [(f"p{i}", 30 + i % 40, "FM"[i % 2], 70) for i in range(60)]
    header = ["patient_id", "age", "sex", "weight"]
    [plain] = Proposal.of([plain_files.write(tmp_path / "a.csv", header, rows)]).datasets
    assert cautions(plain.survey) == []
    rows += [("", "", "", ""), ("60 patients", "", "", "")]
    [ended] = Proposal.of([plain_files.write(tmp_path / "b.csv", header, rows)]).datasets
    assert cautions(ended.survey)[0].startswith("CAREFUL: the last 2 row(s) have a value in at most one column")
    assert cautions(ended.survey)[0] in remarks(ended)


def test_columns_that_may_be_persons_are_mentioned(tmp_path: Path) -> None:
    """A table of genes, in which each patient is a column: genes would be counted."""
    samples = [f"S{i:03}" for i in range(20)]
    rows = [(f"gene{'abcdefgh'[i % 8]}", *(f"{i}.{j}" for j in range(20))) for i in range(40)]
    [table] = Proposal.of([plain_files.write(tmp_path / "a.csv", ["gene", *samples], rows)]).datasets
    assert "CAREFUL: 20 columns of numbers are called by one word" in " ".join(remarks(table))
    people = [(f"p{i}", *(f"{i}.{j}" for j in range(20))) for i in range(40)]
    [table] = Proposal.of([plain_files.write(tmp_path / "b.csv", ["patient_id", *samples], people)]).datasets
    assert "CAREFUL" not in " ".join(remarks(table))
