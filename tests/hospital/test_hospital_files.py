"""The files that grow by blocks read back as they were written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa

from sharewell.io.rowfile import LineFile, RowFile


def test_cells_read_back_whatever_is_in_them(tmp_path: Path) -> None:
    rows = [("plain", 1), ('quo"ted', 2), ("a, b", 3), ("two\nlines", 4), ("", 5), ("Muñoz", 6)]
    file = RowFile(tmp_path / "new" / "rows.csv", ["text", "number"])
    for part in (rows[:2], rows[2:], []):
        texts, numbers = pa.array([row[0] for row in part], pa.string()), pa.array([row[1] for row in part], pa.int64())
        file.write(pa.table({"text": texts, "number": numbers}))
    file.close()
    with (tmp_path / "new" / "rows.csv").open(encoding="utf-8", newline="") as text:
        assert list(csv.reader(text)) == [["text", "number"], *([cell, str(number)] for cell, number in rows)]
    assert file.rows == 6


def test_a_missing_cell_is_empty(tmp_path: Path) -> None:
    file = RowFile(tmp_path / "rows.csv", ["one"])
    file.write(pa.table({"one": pa.array(["a", None])}))
    file.close()
    assert (tmp_path / "rows.csv").read_bytes() == b"one\na\n\n"


def test_lines_are_objects(tmp_path: Path) -> None:
    file = LineFile(tmp_path / "lines.jsonl")
    file.write([{"a": "ü\n"}, {"a": 2}])
    file.close()
    lines = (tmp_path / "lines.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [{"a": "ü\n"}, {"a": 2}]
    assert file.rows == 2
