"""Delimited text is read in one way, whoever reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.cli import main
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
