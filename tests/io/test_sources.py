"""Files as they come: bad input is normal input. What is read is right, what is not is told without quoting a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source

TOLD = "line {}: not valid {} — it seems to be {}: say `encoding: {}` if so"


def told(line: int, read_as: str, seems: str) -> str:
    return TOLD.format(line, read_as, seems, seems)


def written(directory: Path, content: bytes, name: str = "data.csv") -> Path:
    path = directory / name
    path.write_bytes(content)
    return path


def read(directory: Path, content: bytes, **settings: Any) -> dict[str, list[str | None]]:
    source = Source(written(directory, content), **settings)
    table = source.read()
    assert source.names() == table.column_names
    assert {field.type for field in table.schema} <= {pa.string()}, "CSV is read as text, without exception"
    found: dict[str, list[str | None]] = table.to_pydict()
    return found


def refusal(directory: Path, content: bytes, **settings: Any) -> str:
    with pytest.raises(DataError) as caught:
        Source(written(directory, content), **settings).read()
    assert caught.value.exit_code == 3
    assert caught.value.__cause__ is None
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "settings", "expected"),
    [
        pytest.param(b"a,b\n", {}, {"a": [], "b": []}, id="header only"),
        pytest.param(b"a,b\n1,2\n", {}, {"a": ["1"], "b": ["2"]}, id="one row"),
        pytest.param(b"a,b\n1,2", {}, {"a": ["1"], "b": ["2"]}, id="no line feed at the end"),
        pytest.param(b"a,b\n,\n,x\n", {}, {"a": [None, None], "b": [None, "x"]}, id="missing everywhere"),
        pytest.param(b"a;b\n1,5;02\n", {}, {"a": ["1,5"], "b": ["02"]}, id="semicolon, decimal comma"),
        pytest.param(b"a\tb\n1\t02\n", {}, {"a": ["1"], "b": ["02"]}, id="tab"),
        pytest.param(b"a|b\n1|02\n", {}, {"a": ["1"], "b": ["02"]}, id="pipe"),
        pytest.param(b"a^b\n1^02\n", {"separator": "^"}, {"a": ["1"], "b": ["02"]}, id="any given separator"),
        pytest.param(b"a,b\r\n1,2\r\n", {}, {"a": ["1"], "b": ["2"]}, id="CRLF"),
        pytest.param(b"a,b\r1,2\r", {}, {"a": ["1"], "b": ["2"]}, id="CR"),
        pytest.param(b'a,b\n"x ""q""\n y",2\n', {}, {"a": ['x "q"\n y'], "b": ["2"]}, id="quotes and newlines"),
        pytest.param(b"a,b\n007,-0\n1e5,1E5\n", {}, {"a": ["007", "1e5"], "b": ["-0", "1E5"]}, id="numbers stay text"),
        pytest.param(b"a,b\nx\0y,2\n", {}, {"a": ["x\0y"], "b": ["2"]}, id="NUL"),
        pytest.param(b"a,b\nNA,1\n-,NA\n", {"missing": ("NA", "-")}, {"a": [None] * 2, "b": ["1", None]}, id="missing"),
        pytest.param("a,b\nMüller,1\n".encode(), {}, {"a": ["Müller"], "b": ["1"]}, id="UTF-8"),
        pytest.param("\ufeffa,b\nMü,01\n".encode(), {}, {"a": ["Mü"], "b": ["01"]}, id="UTF-8 with BOM"),
        pytest.param("a,b\nMü,01\n".encode("utf-16"), {}, {"a": ["Mü"], "b": ["01"]}, id="UTF-16 with BOM"),
        pytest.param(b"\xfe\xff" + "a,b\nMü,01\n".encode("utf-16-be"), {}, {"a": ["Mü"], "b": ["01"]}, id="UTF-16 BE"),
        pytest.param(
            "ä,b\nMü€,01\n".encode("cp1252"), {"encoding": "windows-1252"}, {"ä": ["Mü€"], "b": ["01"]}, id="cp1252"
        ),
        pytest.param(b"*,[1-2],{a}\n*,[1-2],<suppressed>\n", {}, None, id="names like cells"),
        pytest.param(b"person,suppressed,__index_level_0__\n1,2,3\n", {}, None, id="names like our own"),
    ],
)
def test_what_is_read(tmp_path: Path, content: bytes, settings: dict[str, Any], expected: Any) -> None:
    found = read(tmp_path, content, **settings)
    if expected is None:
        lines = content.decode().splitlines()
        expected = {name: [value] for name, value in zip(lines[0].split(","), lines[1].split(","), strict=True)}
    assert found == expected


@pytest.mark.parametrize(
    ("content", "settings", "message"),
    [
        pytest.param(b"", {}, "the file is empty — a header line is needed", id="empty"),
        pytest.param(b" \n\n", {}, "the file is empty — a header line is needed", id="blank"),
        pytest.param("a,b\nMüller,1\n".encode("latin-1"), {}, told(2, "utf-8", "windows-1252"), id="latin-1 as UTF-8"),
        pytest.param(
            b"a,b\n" + b"x,1\n" * 40_000 + "Müller,1\n".encode("latin-1"),
            {},
            told(40_002, "utf-8", "windows-1252"),
            id="late latin-1",
        ),
        pytest.param(
            b"a,b\n" + b"x,1\n" * 400_000 + b"M\xfcller,1\n" + b"x,1\n" * 400_000,
            {},
            told(400_002, "utf-8", "windows-1252"),
            id="latin-1 beyond the first megabyte",
        ),
        pytest.param("a,b\nMü,1\n".encode("utf-16-le"), {}, told(2, "utf-8", "utf-16-le"), id="UTF-16 without BOM"),
        pytest.param("a,b\nMü,1\n".encode(), {"encoding": "ascii"}, told(2, "ascii", "utf-8"), id="UTF-8 as ASCII"),
        pytest.param(
            b"a,b\n1,2\n",
            {"encoding": "klingon"},
            "there is no encoding named 'klingon' — try utf-8 or windows-1252",
            id="no such encoding",
        ),
        pytest.param(
            b"a,a,b,b\n1,2,3,4\n",
            {},
            "2 name(s) stand for two columns or more — has it a header line?",
            id="same names",
        ),
        pytest.param(
            b"a,, \n1,2,3\n",
            {},
            "2 column(s) without a name in the header — name every column, and put nothing above the header",
            id="nameless columns",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, content: bytes, settings: dict[str, Any], message: str) -> None:
    assert refusal(tmp_path, content, **settings) == f"data.csv — {message}"


@pytest.mark.parametrize(
    ("content", "got"),
    [
        pytest.param(b"a,b\n1,2\n3,4,SECRET\n5,6\n", "line 3: 3 field(s)", id="too many"),
        pytest.param(b"a,b\n1,2\nSECRET\n5,6\n", "line 3: 1 field(s)", id="too few"),
        pytest.param(b'a,b\n1,"x\ny"\n3,4,SECRET\n', "line 4: 3 field(s)", id="after a newline inside quotes"),
    ],
)
def test_a_ragged_row_is_told_by_its_line_without_its_content(tmp_path: Path, content: bytes, got: str) -> None:
    told = refusal(tmp_path, content)
    assert "SECRET" not in told
    assert told == f"data.csv — {got} where the header has 2 — check separators and quotes there"


def test_a_file_with_nothing_but_a_byte_order_mark_is_empty(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"\xef\xbb\xbf") == "data.csv — the file is empty — a header line is needed"


def test_a_header_without_a_line_feed_is_a_header(tmp_path: Path) -> None:
    assert read(tmp_path, b"a,b") == {"a": [], "b": []}


def test_missing_cells_of_an_only_column_are_rows(tmp_path: Path) -> None:
    assert read(tmp_path, b"a\n1\n\n2\n") == {"a": ["1", None, "2"]}


def test_a_byte_order_mark_is_no_part_of_a_name_even_if_the_encoding_is_given(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeffa,b\n01,02\n".encode(), encoding="utf-8") == {"a": ["01"], "b": ["02"]}


def test_blank_lines_before_the_header_do_not_matter(tmp_path: Path) -> None:
    assert read(tmp_path, b"\n\na,b\n01,02\n") == {"a": ["01"], "b": ["02"]}


def test_a_very_long_cell_is_read_whole(tmp_path: Path) -> None:
    long = "x" * 17_000_000  # longer than a block of the reader
    assert read(tmp_path, f"a,b\n{long},1\n".encode())["a"] == [long]


def test_many_columns_are_read(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(2_000)]
    found = read(tmp_path, (",".join(names) + "\n" + ",".join(["0"] * 2_000) + "\n").encode())
    assert list(found) == names


def test_a_file_that_is_not_there_is_told_with_a_near_name(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\n", "patients.csv")
    with pytest.raises(DataError) as caught:
        Source(tmp_path / "patient.csv").read()
    assert str(caught.value) == f"{tmp_path / 'patient.csv'} — no such file — did you mean '{path.name}'?"


def test_a_directory_instead_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "data.csv").mkdir()
    with pytest.raises(DataError, match="a directory"):
        Source(tmp_path / "data.csv").read()


@pytest.mark.skipif(not Path("/proc/self/mem").is_file(), reason="needs a file that even root cannot read")
def test_an_unreadable_file_is_told() -> None:
    with pytest.raises(DataError, match="cannot be read"):
        Source(Path("/proc/self/mem")).read()


@pytest.mark.parametrize("keep", [4, 100, -9])
def test_a_parquet_file_that_is_cut_off_is_told(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({"a": ["SECRET"] * 1_000}), path)
    path.write_bytes(path.read_bytes()[:keep])
    for ask in (Source.of(path).names, Source.of(path).read):
        with pytest.raises(DataError) as caught:
            ask()
        assert str(caught.value) == "data.parquet — not a readable Parquet file — check that it is complete"


@pytest.mark.parametrize("content", [b"", b"garbage" * 50])
def test_an_arrow_file_that_is_none_is_told(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DataError) as caught:
        Source(written(tmp_path, content, "data.arrow"), "arrow").read()
    assert str(caught.value) == "data.arrow — not a readable Arrow file — check that it is complete"


def test_a_column_that_the_file_lacks_is_told_without_the_others(tmp_path: Path) -> None:
    path = written(tmp_path, b"age,sex\nSECRET,F\n")
    with pytest.raises(DataError) as caught:
        Source(path).read(["zip"])
    assert str(caught.value) == "data.csv — no column 'zip' — it has 2 others; map names with `columns:`"
    with pytest.raises(DataError) as caught:
        Source(path, columns={"gender": "sexx"}).read()
    assert str(caught.value) == "data.csv — no column 'sexx' — did you mean 'sex'?"


def test_a_source_never_shows_what_it_holds(tmp_path: Path) -> None:
    assert "SECRET" not in repr(Source.of(pa.table({"a": ["SECRET"]})))
    assert repr(Source.of(written(tmp_path, b"a\nSECRET\n"))) == "Source(data.csv)"
