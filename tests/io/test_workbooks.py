"""A sheet of a workbook is a table of text, as a CSV export of it would be."""

from __future__ import annotations

from pathlib import Path

import pytest
import workbook_files as workbooks

from sharewell.errors import DataError, MissingExtra
from sharewell.io import workbooks as reader
from sharewell.io.recognition import recognise
from sharewell.io.sources import Source

pytest.importorskip("python_calamine", reason="workbooks take the extra `excel`")

ROWS: workbooks.Rows = [
    ["id", "born", "seen", "zip", "dose", "smokes", "result"],
    ["007", workbooks.Day(36526), workbooks.Day(36526.5), 2139.0, 0.1 + 0.2, True, "#N/A"],
    [None, None, None, None, None, None, None],
    ["é", None, None, 1e20, -1.5, False, "x\ny"],
]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbooks.xlsx({"People": ROWS, "Visits": [["visit"], [1.0]]}))
    return path


def test_cells_become_the_text_that_a_csv_export_would_have(book: Path) -> None:
    assert Source(book, "excel", sheet="People").read().to_pydict() == {
        "id": ["007", "é"],
        "born": ["2000-01-01", None],
        "seen": ["2000-01-01 12:00:00", None],
        "zip": ["2139", "1e+20"],
        "dose": ["0.3", "-1.5"],
        "smokes": ["true", "false"],
        "result": [None, "x\ny"],
    }


def test_pieces_are_the_whole_in_order(book: Path) -> None:
    source = Source(book, "excel", sheet="People")
    pieces = list(source.batches(["zip", "id"], rows=1))
    assert [piece.column_names for piece in pieces] == [["zip", "id"]] * 2
    assert [cell for piece in pieces for cell in piece["id"].to_pylist()] == ["007", "é"]


def test_a_sheet_must_be_named_where_there_are_several(book: Path) -> None:
    assert recognise(book).sheets == ("People", "Visits")
    assert Source(book, "excel", sheet="Visits").read().to_pydict() == {"visit": ["1"]}
    for sheet, message in (
        (None, "a.xlsx — 2 sheets: People, Visits — say which one: `sheet:` or --sheet"),
        ("Persons", "a.xlsx — no sheet 'Persons' — its sheets: People, Visits"),
    ):
        with pytest.raises(DataError) as caught:
            Source(book, "excel", sheet=sheet).names()
        assert str(caught.value) == message


def test_an_empty_sheet_beside_it_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbooks.xlsx({"Sheet1": [["a"], ["1"]], "Sheet2": []}))
    assert Source.of(tmp_path / "a.xlsx").read().to_pydict() == {"a": ["1"]}


def test_a_workbook_that_unpacks_without_bound_is_not_opened(tmp_path: Path) -> None:
    parts = {"xl/workbook.xml": b" " * 70_000_000}
    (tmp_path / "a.xlsx").write_bytes(workbooks.archive(parts))
    with pytest.raises(DataError, match=r"^a.xlsx — unpacks to more than 200 times its size"):
        Source.of(tmp_path / "a.xlsx").read()


def test_without_the_package_the_extra_is_named(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "is_installed", lambda name: False)
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    assert recognise(book).format == "excel"
    with pytest.raises(MissingExtra) as caught:
        Source.of(book).read()
    told = "needs the package python-calamine, which is not installed — pip install 'sharewell[excel]'"
    assert str(caught.value) == f"a.xlsx — {told}"
