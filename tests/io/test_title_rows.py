"""A title above the header is passed over where the table below it is plain, and said; otherwise nothing is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest
import workbook_files as workbooks

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.title_rows import rows_above_header

HEADER, RECORD = ["mrn", "sex", "ward"], ["17", "F", "B2"]
TITLE, BLANK = ["List of wards", "", ""], ["", "", ""]
TABLE = {"mrn": ["17", "18"], "sex": ["F", "M"], "ward": ["B2", None]}


@pytest.mark.parametrize(
    ("rows", "above"),
    [
        ([TITLE, HEADER, RECORD], 1),
        ([TITLE, BLANK, ["2024-01-02", "", ""], HEADER, RECORD], 3),
        ([["List of wards"], [], HEADER, RECORD], 2),
        ([BLANK, HEADER, RECORD], 1),
        ([["Wards", " 2024"], HEADER, RECORD, RECORD], 1),
        ([HEADER, RECORD, ["", "", "B3"]], 0),
        ([TITLE, HEADER], 0),  # no record: the second row may be one
        ([TITLE, ["17", "F", "B2"], ["18", "M", "B2"]], 0),  # a number names no column
        ([TITLE, ["ward", "sex", "Ward"], RECORD], 0),  # nor does a name that is there twice
        ([["Wards", "of 2024", ""], HEADER, RECORD], 0),  # too much for a title
        ([TITLE, HEADER, RECORD, ["19", "F"]], 0),  # ragged
        ([["title", ""], ["mrn", "sex"], ["17", "F"], ["18", "M"]], 0),  # narrow
        ([["a note of one line"], ["pain, none"], ["fever, none"]], 0),
        ([TITLE] * 21 + [HEADER, RECORD], 0),
        ([], 0),
    ],
)
def test_rows_above_the_header(rows: list[list[str]], above: int) -> None:
    assert rows_above_header(rows) == above


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("title", ["Wards, 2024\n\n", "Wards{0}{0}\n{0}{0}\n", "\nWards{0}{0}\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_delimited_text(separator: str, title: str, encoding: str, tmp_path: Path) -> None:
    lines = ["mrn,sex,ward", "17,F,B2", "18,M,"]
    text = title.format(separator) + "".join(line.replace(",", separator) + "\r\n" for line in lines)
    path = tmp_path / "a.csv"
    path.write_bytes(text.replace("Wards", "Häuser").encode(encoding))
    source, seen = Source.detected(path)
    assert (source.skip, seen.separator) == (2, separator)
    assert seen.decided[-1] == "a.csv: 2 line(s) above its header are passed over"
    assert source.read().to_pydict() == TABLE
    assert next(iter(source.batches(None, rows=1))).column_names == [*TABLE]
    told = Source(path, encoding=source.encoding, separator=separator)
    with pytest.raises(DataError, match=r"a\.csv — 2 line\(s\) stand above the header, it seems — say `skip: 2`"):
        told.names()


def test_what_is_said_is_done(tmp_path: Path) -> None:
    """Where nothing is recognised, `skip` is believed; too much of it is refused."""
    path = tmp_path / "a.csv"
    path.write_text("Wards\nmrn,sex\n17,F\n")
    assert Source(path, skip=1).read().to_pydict() == {"mrn": ["17"], "sex": ["F"]}
    assert Source.detected(path, Source(skip=1))[1].decided == ()
    with pytest.raises(DataError, match=r"a\.csv — 3 line\(s\) are passed over, and none is left — lower `skip:`"):
        Source(path, skip=3).names()
    path.write_text("sep=;\nWards\nmrn;sex\n17;F\n")
    assert Source(path, skip=2).read().to_pydict() == {"mrn": ["17"], "sex": ["F"]}


@pytest.mark.parametrize("first", [[], [[None]] * 2])
def test_a_sheet(first: workbooks.Rows, tmp_path: Path) -> None:
    """Merged cells are no matter in a title, and a sheet counts its rows from 1, empty ones too."""
    pytest.importorskip("python_calamine", reason="workbooks take the extra `excel`")
    rows = [*first, ["Wards"], [None], HEADER, RECORD, ["18", "M", None]]
    path, place = tmp_path / "a.xlsx", len(first) + 1
    path.write_bytes(workbooks.xlsx({"People": rows}, [f"A{place}:C{place}"]))
    source, seen = Source.detected(path)
    assert seen.decided == (f"a.xlsx: {place + 1} row(s) above its header are passed over",)
    assert source.read().to_pydict() == TABLE
    with pytest.raises(
        DataError, match=rf"— {place + 1} row\(s\) stand above the header, it seems — say `skip: {place + 1}`"
    ):
        Source(path, "excel").names()
    path.write_bytes(workbooks.xlsx({"People": rows}, [f"A{place + 3}:B{place + 3}"]))
    with pytest.raises(DataError, match="1 merged range"):
        Source.detected(path)[0].names()
