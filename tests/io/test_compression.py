"""Compressed files are read as what they hold, whatever they are called, and cannot fill the memory."""

from __future__ import annotations

import gzip
import os
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from sharewell.errors import DataError
from sharewell.io.compression import FREE_BYTES, compression_of, open_unpacked, zip_member

ROWS = b"name,age\n" + b"A,1\n" * 1000


def packed(directory: Path, kind: str) -> Path:
    path = directory / "held"
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.csv", ROWS)
    else:
        path.write_bytes(gzip.compress(ROWS) if kind == "gzip" else pa.compress(ROWS, "zstd", asbytes=True))
    return path


@pytest.mark.parametrize("kind", ["gzip", "zip", "zst"])
def test_content_comes_out_as_it_went_in(tmp_path: Path, kind: str) -> None:
    path = packed(tmp_path, kind)
    assert compression_of(path.read_bytes()[:4]) == kind
    with open_unpacked(path) as file:
        assert file.read() == ROWS


@pytest.mark.parametrize("kind", ["gzip", "zip", "zst"])
def test_a_damaged_archive_is_told_without_quoting_it(tmp_path: Path, kind: str) -> None:
    path = packed(tmp_path, kind)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 - 3 : len(content) // 2 + 3] = b"\xff" * 6
    path.write_bytes(content[:-4] if kind != "zip" else content)
    name = {"gzip": "gzip", "zip": "zip", "zst": "Zstandard"}[kind]
    with pytest.raises(DataError) as caught, open_unpacked(path) as file:
        file.read()
    assert str(caught.value) == f"held — is a damaged {name} archive — copy or compress it again"


def test_an_archive_with_a_password_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path, "zip")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"))
    with pytest.raises(DataError) as caught:
        zip_member(path)
    assert str(caught.value) == "held — a zip archive with a password — unpack it, and name the file in it"


def test_what_compresses_well_is_no_bomb_below_the_free_size(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(FREE_BYTES // 4)))
    with open_unpacked(tmp_path / "a.gz") as file:
        assert len(file.read()) == FREE_BYTES // 4


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    content = b"x" + os.urandom(1000)
    (tmp_path / "a.gz").write_bytes(content)
    with open_unpacked(tmp_path / "a.gz") as file:
        assert file.read() == content
