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
