"""A release is the same whichever format its source has, and a folder of notes is released like a file of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
import workbook_files as workbooks

import sharewell

NAMES = ("Åsa", "Zoë", "Jürgen", "Ann")
ROWS = [[NAMES[i % 4], str(30 + i % 8), "f" if i % 3 else "m", f"0{2100 + i % 5}"] for i in range(60)]
HEADER = ["name", "age", "sex", "zip"]
POLICY = """\
sharewell: 1
release: {{name: people}}
datasets:
  people:
    kind: tables
    read: {read}
    columns: {{name: drop, age: quasi, sex: quasi, zip: quasi}}
    require: [k-anonymity: {{k: 5}}]
    using: mondrian
write: {{csv: out}}
"""


def text(separator: str = ",") -> str:
    return "".join(separator.join(row) + "\n" for row in [HEADER, *ROWS])


def form(name: str) -> tuple[str, bytes]:
    """How the policy names such a source, and the bytes of the file."""
    match name:
        case "csv":
            return "{csv: data}", text().encode()
        case "windows":
            return '{csv: data, encoding: windows-1252, separator: ";"}', text(";").encode("cp1252")
        case "gzip":
            return "{csv: data}", gzip.compress(text().encode())
        case "zip":
            return "{csv: data}", workbooks.archive({"people.csv": text()})
        case "zst":
            return "{csv: data}", pa.compress(text().encode(), "zstd", asbytes=True)
        case "json":
            return "{json: data}", json.dumps([dict(zip(HEADER, row, strict=True)) for row in ROWS]).encode()
        case "jsonl":
            return "{jsonl: data}", b"".join(
                json.dumps(dict(zip(HEADER, row, strict=True))).encode() + b"\n" for row in ROWS
            )
        case "excel":
            return "{excel: data, sheet: People}", workbooks.xlsx({"People": [HEADER, *ROWS], "Lists": [["x"], ["y"]]})
    held = pa.BufferOutputStream()
    pq.write_table(
        pa.csv.read_csv(
            pa.py_buffer(text().encode()),
            convert_options=pa.csv.ConvertOptions(column_types=dict.fromkeys(HEADER, pa.string())),
        ),
        held,
    )
    return "{parquet: data}", held.getvalue().to_pybytes()


def published(directory: Path, name: str) -> bytes:
    directory.mkdir()
    read, content = form(name)
    (directory / "data").write_bytes(content)
    (directory / "policy.yaml").write_text(POLICY.format(read=read))
    done = sharewell.release(directory / "policy.yaml")
    assert sharewell.verify(done.directory / "public").ok
    return (done.directory / "public" / "people.csv").read_bytes()


@pytest.mark.parametrize("name", ["windows", "gzip", "zip", "zst", "json", "jsonl", "excel", "parquet"])
def test_the_same_bytes_are_published_from_every_format(tmp_path: Path, name: str) -> None:
    assert published(tmp_path / name, name) == published(tmp_path / "csv", "csv")


def test_a_release_never_guesses_an_encoding(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(text(";").encode("cp1252"))
    (tmp_path / "policy.yaml").write_text(POLICY.format(read="{csv: data}"))
    with pytest.raises(sharewell.SharewellError) as caught:
        sharewell.release(tmp_path / "policy.yaml")
    assert "line 2: not valid utf-8 — it seems to be windows-1252: say `encoding: windows-1252` if so" in str(
        caught.value
    )


NOTES = """\
sharewell: 1
release: {name: letters}
secrets: {key: env:SHAREWELL_KEY}
datasets:
  letters:
    kind: notes
    read:
      folder: letters
      subjects: {csv: whose.csv}
      encoding: windows-1252
    columns: {note: drop, subject: subject, text: text}
    require: [safe-harbor]
    using: {replace: {dates: year}}
write: {csv: out}
"""


def test_a_folder_of_notes_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAREWELL_KEY", "an example secret, long enough")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_bytes("Seen by Dr. Müller on 3 May 2021. She is well.".encode("cp1252"))
    (tmp_path / "letters" / "b.rtf").write_bytes(rb"{\rtf1\ansi Seen by Dr. Smith on 4 May 2021. No fever.}")
    (tmp_path / "whose.csv").write_text("note,subject\na,p1\nb,p1\n")
    (tmp_path / "policy.yaml").write_text(NOTES)
    done = sharewell.release(tmp_path / "policy.yaml")
    assert sharewell.verify(done.directory / "public").ok
    public = b"".join(path.read_bytes() for path in sorted((done.directory / "public").iterdir()) if path.is_file())
    assert b"She is well" in public
    for hidden in ("Müller", "Smith", "a.txt", "whose.csv"):
        assert hidden.encode() not in public


@pytest.mark.parametrize(
    ("read", "message"),
    [
        ("{csv: data, sheet: One}", "sheet is for excel files only — take it out"),
        ("{excel: data, separator: ';'}", "separator is for csv files only — take it out"),
        ("{json: data, encoding: utf-8}", "encoding is for csv files and folders of notes only — take it out"),
        ("{csv: data, subjects: {csv: b.csv}}", "subjects is for folders of notes only — take it out"),
        (
            "{folder: data}",
            "folder is for datasets of kind notes — formats: csv, parquet, arrow, jsonl, json, duckdb, excel",
        ),
        ("{csv: data, decimal: ';'}", 'decimal must be a point or a comma — such as decimal: ","'),
        (
            "{csv: data, decimal: ',', thousands: ','}",
            "decimal and thousands are the same sign — name two different ones",
        ),
    ],
)
def test_a_setting_that_does_not_go_with_a_format_is_a_mistake(tmp_path: Path, read: str, message: str) -> None:
    (tmp_path / "data").write_text(text())
    (tmp_path / "policy.yaml").write_text(POLICY.format(read=read))
    with pytest.raises(sharewell.PolicyError) as caught:
        sharewell.plan(tmp_path / "policy.yaml")
    assert message in str(caught.value)
