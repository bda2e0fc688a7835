"""What a draft says about a file as a whole."""

from __future__ import annotations

from pathlib import Path

import plain_files

from sharewell.proposal import Proposal
from sharewell.proposal.draft_remarks import remarks


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
    assert reasons["ward"] == ("says the same as Ward, under another spelling",)
