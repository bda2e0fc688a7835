"""What no reader understands has a name and an advice, and a column may be called like the mark of a format."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import DataError
from sharewell.io.recognition import recognise
from sharewell.io.refused_files import REFUSED, refused_by_bytes, refused_by_ending


def test_no_ending_stands_for_two_formats() -> None:
    endings = [ending for one in REFUSED for ending in one.endings]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize("one", REFUSED, ids=lambda one: one.what)
def test_each_is_known_by_its_bytes_and_by_its_ending(tmp_path: Path, one: object) -> None:
    assert one in REFUSED
    index = REFUSED.index(one)  # type: ignore[arg-type]
    refused = REFUSED[index]
    for mark in refused.begins:
        found = refused_by_bytes(mark + bytes(40))
        assert found == refused
    for ending in refused.endings:
        assert refused_by_ending(ending) == refused
        path = tmp_path / f"people{ending}"
        path.write_bytes(b"SECRET of no known form\n")
        with pytest.raises(DataError) as caught:
            recognise(path)
        assert str(caught.value) == f"people{ending} — is {refused.what}, which is not read — {refused.advice}"


@pytest.mark.parametrize("header", ["ORC", "CRAM", "ID3", "BZh", "FEA1", "OggS"])
def test_a_column_may_be_called_like_a_mark(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{header},age\nx,40\n")
    assert recognise(path).format == "csv"


@pytest.mark.parametrize(
    ("what", "content"),
    [
        ("a FASTQ file of sequencing reads", "@read1\nACGT\n+\nIIII\n"),
        ("a message between insurers or laboratories (X12, EDIFACT, ASTM)", "ISA*00*          *00*SECRET~GS*HC~"),
        ("a message between insurers or laboratories (X12, EDIFACT, ASTM)", "UNB+UNOC:3+SECRET+X'\n"),
        ("a message between insurers or laboratories (X12, EDIFACT, ASTM)", "H|\\^&|||SECRET\n"),
        ("a calendar or an address card", "BEGIN:VCARD\r\nFN:SECRET\r\nEND:VCARD\r\n"),
        ("statements of SQL", "-- dump\nINSERT INTO patients VALUES (1,'SECRET');\n"),
        ("a file of settings", "[main]\nuser=SECRET\n"),
        ("a list of names and values, one a line, as in YAML or the head of a message", "From: SECRET\nTo: x\n\nHi\n"),
        ("a list of names and values, one a line, as in YAML or the head of a message", "patient: SECRET\nage: 63\n"),
    ],
)
@pytest.mark.parametrize("ending", [".csv", ".txt", ".dat"])
def test_text_in_other_forms_is_no_table(tmp_path: Path, what: str, content: str, ending: str) -> None:
    """Its first line would be the names of columns, and stand in a draft."""
    path = tmp_path / f"export{ending}"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        recognise(path)
    assert f"is {what}, which is not read — " in str(caught.value)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("content", ["note: x\nfever\ncough\n", "at: a,b\nx: 1,2\n", "@id,age\n1,2\n+3,4\n"])
def test_a_table_may_hold_such_signs(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(content)
    assert recognise(path).format == "csv"
