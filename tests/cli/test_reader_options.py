"""The options of reading: what each changes, and the exact message where it is left out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
import workbook_files as workbooks

from sharewell.cli import main

PEOPLE = "age{0}sex\n" + "".join(f"4{i % 2}{{0}}f\n" for i in range(22))


def risk(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> tuple[int, str, str]:
    code = main(["risk", str(path), "--quasi", "sex", "--json", *options])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def written(directory: Path, content: bytes | str, name: str = "a.csv") -> Path:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_an_encoding_that_cannot_be_found_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, PEOPLE.format(",").encode() + "4ü,f\n".encode("cp850"))
    code, _, told = risk(capsys, path)
    problem = "line 24: text that is neither UTF-8 nor UTF-16 nor windows-1252"
    advice = "ask who exported it, and name its encoding (cp850? mac_roman? shift_jis?)"
    assert (code, told) == (3, f"sharewell risk: a.csv — {problem} — {advice}\n")
    assert risk(capsys, path, "--encoding", "cp850")[0] == 0
    code, _, told = risk(capsys, path, "--encoding", "utf-8")
    assert told == "sharewell risk: a.csv — line 24: not valid utf-8 — name another encoding, or none\n"


def test_an_unusual_separator_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, PEOPLE.format("^"))
    code, _, told = risk(capsys, path)
    assert (code, told) == (3, "sharewell risk: a.csv — no column 'sex' — did you mean 'age^sex'?\n")
    assert risk(capsys, path, "--separator", "^")[0] == 0
    assert risk(capsys, written(tmp_path, PEOPLE.format("\t")), "--separator", "tab")[0] == 0
    with pytest.raises(SystemExit):
        risk(capsys, path, "--separator", "long")
    assert "one character is wanted" in capsys.readouterr().err


def test_words_for_no_value_are_values_unless_they_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "age,sex\n" + "40,N/A\n" * 11 + "41,unknown\n" * 11)
    assert json.loads(risk(capsys, path)[1])["smallest"] == 11
    code, answer, _ = risk(capsys, path, "--missing", "N/A", "--missing", "unknown")
    assert (code, json.loads(answer)["smallest"]) == (0, 22)


def test_lines_in_cells_that_look_like_records_must_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, PEOPLE.format(",") + '"a,b\nc",f\n')
    code, _, told = risk(capsys, path)
    problem = "column age has a cell of several lines that look like records"
    advice = "close the quote, or say `newlines: true` if cells do hold such lines"
    assert (code, told) == (3, f"sharewell risk: a.csv — {problem} — {advice}\n")
    assert risk(capsys, path, "--newlines")[0] == 0


def test_decimals_and_days_are_read_as_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "w;d;sex\n" + "1,5;3/4/2021;f\n" * 11 + "1,50;03/04/2021;f\n" * 11)
    said = "reading  a.csv has its columns separated by semicolons\n"
    code, answer, told = risk(capsys, path, "--quasi", "w,d")
    assert (code, json.loads(answer)["smallest"], told) == (0, 11, said)
    code, answer, told = risk(capsys, path, "--quasi", "w,d", "--day-first", "--decimal", ",")
    said += "reading  a.csv: column w is read as numbers\nreading  a.csv: column d is read as dates\n"
    assert told == said
    with pytest.raises(SystemExit):
        risk(capsys, path, "--decimal", ";")


def test_a_sheet_must_be_said_where_there_are_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [line.split(",") for line in PEOPLE.format(",").split()]
    path = written(tmp_path, workbooks.xlsx({"One": rows, "Two": rows}), "a.xlsx")
    told = "sharewell risk: a.xlsx — 2 sheets: One, Two — say which one: `sheet:` or --sheet\n"
    assert risk(capsys, path) == (3, risk(capsys, path)[1], told)
    assert risk(capsys, path, "--sheet", "Two")[0] == 0


def test_lines_above_the_header_are_found_or_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "Wards\n\n" + "age,sex,ward\n" + "40,f,b\n" * 22)
    code, _, told = risk(capsys, path)
    assert (code, told) == (0, "reading  a.csv: 2 line(s) above its header are passed over\n")
    assert risk(capsys, path, "--skip", "2")[::2] == (0, "")
    with pytest.raises(SystemExit):
        risk(capsys, path, "--skip", "two")
    assert "argument --skip: a number of lines is wanted, such as 3 — see" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--sheet", "One"], "--sheet: is for workbooks, and a.jsonl is none — leave it out"),
        (["--separator", ";"], "--separator: is for delimited text, and a.jsonl is none — leave it out"),
        (["--skip", "2"], "--skip: is for delimited text or workbooks, and a.jsonl is none — leave it out"),
        (["--newlines"], "--newlines: is for delimited text, and a.jsonl is none — leave it out"),
        (["--encoding", "utf-8"], "--encoding: is for delimited text or plain notes, and a.jsonl is none — leave it out"),  # noqa: E501
    ],
)  # fmt: skip
def test_an_option_that_says_nothing_about_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: list[str], message: str
) -> None:
    path = written(tmp_path, '{"sex": "f"}\n' * 11, "a.jsonl")
    code, _, told = risk(capsys, path, *option)
    assert (code, told) == (2, f"sharewell risk: {message}\n")


def test_a_table_is_read_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PEOPLE.format(";").encode())))
    code, _, told = risk(capsys, Path("-"))
    assert (code, told) == (0, "reading  standard-input has its columns separated by semicolons\n")


def test_notes_are_found_in_folders_documents_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes").mkdir()
    note = "Seen on 3 May 2021 by Dr. Smith."
    written(tmp_path, note, "notes/n1.txt")
    written(tmp_path, note.replace("3 May", "4 May").encode("utf-16"), "notes/n2.txt")
    written(tmp_path, f'id;body\nx;"{note}"\n', "table.csv")
    for name, options, found in (
        ("notes", [], ["n1.txt", "n2.txt"]),
        ("notes/n1.txt", [], ["n1.txt"]),
        ("table.csv", ["--text", "body"], ["x"]),
    ):
        assert main(["notes", "detect", str(tmp_path / name), "--json", *options]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert [one["id"] for one in answer["found"]] == found
        assert answer["by_kind"] == {"DATE": len(found), "NAME": len(found)}
