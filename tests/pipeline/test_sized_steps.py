"""How much work a step of the pipeline has before it."""

from __future__ import annotations

from pathlib import Path

from sharewell.pipeline.sized_steps import file_bytes, release_bytes


def test_files_and_folders_are_measured_in_bytes(tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "a").write_bytes(b"abc")
    (tmp_path / "public" / "b").write_bytes(b"de")
    assert file_bytes(tmp_path / "public" / "a") == 3
    assert file_bytes(tmp_path / "public") == release_bytes(tmp_path) == release_bytes(tmp_path / "public") == 5
    assert file_bytes(tmp_path / "none") == file_bytes(None) == 0
