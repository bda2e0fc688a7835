"""DuckDB fetches nothing from the network by itself."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from sharewell.io import grouped_files
from sharewell.io.sources import Source

SOURCE = Path(grouped_files.__file__).parents[1]


def test_the_database_of_grouping_installs_and_loads_no_extension(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    connect = duckdb.connect

    def watched(*args: str, config: dict[str, str | bool | int | float | list[str]]) -> duckdb.DuckDBPyConnection:
        database = connect(*args, config=config)
        names = ("autoinstall_known_extensions", "autoload_known_extensions")
        asked.append({name: database.execute(f"SELECT current_setting('{name}')").fetchall()[0][0] for name in names})
        return database

    monkeypatch.setattr(duckdb, "connect", watched)
    grouped_files.grouped([Source.of(pa.table({"ward": ["a", "b"]}))], ["ward"], None, None)
    assert asked == [{"autoinstall_known_extensions": False, "autoload_known_extensions": False}]


def test_no_other_code_opens_a_database() -> None:
    opened = {
        path.name for path in SOURCE.rglob("*.py") if re.search(r"\bduckdb\.(connect|sql|query)\(", path.read_text())
    }
    assert opened == {"grouped_files.py", "duckdb_file.py"}  # test_duckdb_file.py says what the second may do
