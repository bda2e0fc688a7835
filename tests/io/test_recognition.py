"""What a file is, by its bytes, its text and its name; what is not understood is refused by name."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError
from sharewell.io.recognition import Recognised, recognise
from sharewell.io.sources import Source

WINDOWS = "name;city\nMüller;Köln\n".encode("windows-1252")


def written(directory: Path, name: str, content: bytes) -> Path:
    path = directory / name
    path.write_bytes(content)
    return path


def test_an_export_of_a_german_spreadsheet_is_recognised_and_said(tmp_path: Path) -> None:
    found = recognise(written(tmp_path, "export.csv", WINDOWS))
    reason = "line 2 is not valid UTF-8, and all bytes are defined there; Latin-1 would read the same"
    assert found == Recognised(
        "csv",
        encoding="windows-1252",
        separator=";",
        decided=(
            f"export.csv is read as windows-1252: {reason}",
            "export.csv has its columns separated by semicolons",
        ),
    )


def test_what_a_command_adopts_a_library_call_refuses_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "export.csv", WINDOWS)
    source, found = Source.detected(path)
    assert (source.encoding, found.format) == ("windows-1252", "csv")
    assert source.read().to_pydict() == {"name": ["Müller"], "city": ["Köln"]}
    with pytest.raises(DataError) as caught:
        Source.of(path).read()
    told = "line 2: not valid utf-8 — it seems to be windows-1252: say `encoding: windows-1252` if so"
    assert str(caught.value) == f"export.csv — {told}"


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.csv", b"age,sex\n40,f\n", "csv"),
        ("a.tsv", b"age\tsex\n40\tf\n", "csv"),
        ("a.txt", b"age|sex\n40|f\n", "csv"),
        ("a.txt", b"person\np1\np2\n", "csv"),
        ("a", b"age,sex\n40,f\n", "csv"),
        ("a.json", b'[{"age": 40}, {"age": 41}]', "json"),
        ("a.json", b'{"age": 40}\n{"age": 41}\n', "jsonl"),
        ("a.ndjson", b'{"age": 40}\n', "jsonl"),
        ("a.vcf", b"##fileformat=VCFv4.2\n#CHROM\tPOS\n", "vcf"),
        ("a.fa", b">one\nACGT\n>two\nACGA\n", "fasta"),
        ("a.bed", b"\x6c\x1b\x01\xff", "bed"),
    ],
)
def test_a_format_is_recognised_by_its_content(tmp_path: Path, name: str, content: bytes, form: str) -> None:
    found = recognise(written(tmp_path, name, content))
    assert found.format == form
    assert Source.of(tmp_path / name).format == form


@pytest.mark.parametrize("ending", ["gz", "zip"])
def test_compressed_text_is_read_as_what_it_holds(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.csv.{ending}"
    if ending == "gz":
        path.write_bytes(gzip.compress(b"age;sex\n40;f\n"))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("people.csv", b"age;sex\n40;f\n")
    found = recognise(path)
    assert (found.format, found.compression, found.separator) == ("csv", {"gz": "gzip"}.get(ending, ending), ";")
    source = Source.of(path)
    assert source.read().to_pydict() == {"age": ["40"], "sex": ["f"]}
    assert [piece.num_rows for piece in source.batches()] == [1]


def test_a_name_that_misleads_is_said(tmp_path: Path) -> None:
    pq.write_table(pa.table({"age": [1]}), tmp_path / "people.csv")
    found = recognise(tmp_path / "people.csv")
    assert found.format == "parquet"
    assert found.decided == ("people.csv is a Parquet file, although it is named .csv",)
