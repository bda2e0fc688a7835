"""Delimited text is read in one way, whoever reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.io.delimited import read_text_rows, separator_of
from sharewell.io.sources import Source


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        pytest.param("v;g,h\n1;2,5\n", ";", id="both divide every line: decimals hold the comma"),
        pytest.param("v;g,h\n1;2\n3;4\n", ";", id="the comma stands in the header only"),
        pytest.param("v;g,h\n1,2\n3,4\n", ",", id="the semicolon stands in the header only"),
        pytest.param("a,b;c,d\n1,2;3,4\n", ",", id="more fields"),
        pytest.param("a\tb,c\n1\t2,5\n", "\t", id="tab"),
        pytest.param("a|b,c\n1|2,5\n", "|", id="bar"),
        pytest.param("note\nfever, cough\n", ",", id="no separator in the header"),
        pytest.param("a,b\n1,2\n" * 150 + "a;b;c;d,e", ",", id="a long file"),
    ],
)
def test_data_hierarchy_gaps_and_separator_agree(
    text: str, separator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A source, a small table with a header and the rule itself read one file in one way."""
    assert separator_of(text) == separator
    path = tmp_path / "data.csv"
    path.write_text(text)
    header = text.splitlines()[0].split(separator)
    assert Source.of(path).names() == header
    assert read_text_rows(path, header=True)[0] == header
    main(["hierarchy", "gaps", str(path), "--hierarchy", "date"])
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == [f"{name}:" for name in header]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        pytest.param("29;[20,30[;*\n43;[40,50[\n", ";", id="ranges with a comma"),
        pytest.param("x\ny;*", ";", id="only the last line is divided"),
        pytest.param("a,b,*\nc,*\nd;e,b,*\n", ",", id="one cell holds a semicolon"),
    ],
)
def test_a_hierarchy_may_be_ragged(text: str, separator: str, tmp_path: Path) -> None:
    """Rows of a hierarchy differ in width, so the separator that divides the most lines is taken."""
    assert separator_of(text, ragged=True) == separator
    path = tmp_path / "tree.csv"
    path.write_text(text)
    assert read_text_rows(path) == [line.split(separator) for line in text.splitlines()]


@pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"', "\n\nsep=;"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "windows-1252", "utf-16"])
def test_a_first_line_for_excel_names_the_separator_and_is_no_header(
    first: str, ends: str, encoding: str, tmp_path: Path
) -> None:
    text = f'{first}\nname;amount\nJosé, née "X";1,5\n'.replace('née "X"', "née X").replace("\n", ends)
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode(encoding))
    source, seen = Source.detected(path)
    assert seen.separator == ";"
    for read in (source, Source(path, encoding=source.encoding, separator=";")):
        assert read.read().to_pydict() == {"name": ["José, née X"], "amount": ["1,5"]}
        assert read.names() == ["name", "amount"]


def test_a_ragged_line_below_such_a_first_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("sep=;\na;b\n1;2\n1;2;3\n")
    with pytest.raises(DataError, match=r"line 4: 3 field\(s\) where the header has 2"):
        Source.of(path).read()


def test_a_column_may_be_called_so(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("sep=x,b\n1,2\n")
    assert Source.of(path).names() == ["sep=x", "b"]
