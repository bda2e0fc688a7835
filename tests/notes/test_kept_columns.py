"""`sharewell notes protect --keep`: columns beside the text, each once, and never the text itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import DataError


def written(tmp_path: Path, *options: str) -> tuple[int, Path]:
    file, out = tmp_path / "notes.csv", tmp_path / "out.jsonl"
    file.write_text("text,ward\nSeen by Dr. Zyxcanary,B\n")
    return main(["notes", "protect", str(file), "--out", str(out), "--names", "tag", "--processes", "1", *options]), out


def test_a_column_that_is_named_twice_is_written_once(tmp_path: Path) -> None:
    code, out = written(tmp_path, "--keep", "ward", "--keep", "ward")
    assert code == 0
    [row] = map(json.loads, out.read_text().splitlines())
    assert row.keys() == {"text", "ward"}
    assert "Zyxcanary" not in row["text"]


def test_the_text_is_not_kept_beside_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = written(tmp_path, "--keep", "text")
    assert code == DataError.exit_code
    assert "column 'text' is the text" in (told := capsys.readouterr().err)
    assert "--keep" in told
    assert "Zyxcanary" not in told
    assert not out.exists()
