"""DuckDB databases are read as tables: for reading alone, one table, without other files or extensions."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.queries import Session
from sharewell.same_rows import columns_in_common


def database(path: Path, *statements: str) -> Path:
    with duckdb.connect(path) as made:
        for one in statements:
            made.execute(one)
    return path


VISITS = """\
CREATE TABLE visits AS
SELECT 'p' || i AS who, i % 2 AS sex, CAST(20 + i AS DECIMAL(5, 1)) AS age FROM range(9) t(i)
"""


def test_a_table_is_read_whole_in_pieces_and_by_columns(tmp_path: Path) -> None:
    source = Source.of(database(tmp_path / "data.duckdb", VISITS))
    assert source.format == "duckdb"
    assert source.names() == ["who", "sex", "age"]
    whole = source.read()
    assert whole["who"].to_pylist() == [f"p{i}" for i in range(9)]
    assert source.read(["age", "who"]).column_names == ["age", "who"]
    pieces = list(source.batches(["sex"], rows=4))
    assert [cell for piece in pieces for cell in piece["sex"].to_pylist()] == whole["sex"].to_pylist()


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = database(tmp_path / "data.duckdb", VISITS)
    before = path.read_bytes()
    path.chmod(0o400)
    Source.of(path).read()
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["data.duckdb"]


def test_of_several_tables_the_one_with_the_name_of_the_file_is_read(tmp_path: Path) -> None:
    other = 'CREATE TABLE "other table" AS SELECT 1 AS one'
    assert Source.of(database(tmp_path / "visits.duckdb", VISITS, other)).names() == ["who", "sex", "age"]
    with pytest.raises(DataError, match=r"holds 2 tables \(other table, visits\)"):
        Source.of(database(tmp_path / "data.duckdb", VISITS, other)).names()
    with pytest.raises(DataError, match="holds 0 tables"):
        Source.of(database(tmp_path / "empty.duckdb")).names()


def test_odd_names_are_names(tmp_path: Path) -> None:
    path = database(tmp_path / "data.duckdb", 'CREATE TABLE "a""b; DROP" AS SELECT 1 AS "x""; y", 2 AS z')
    assert Source.of(path).read(['x"; y']).to_pydict() == {'x"; y': [1]}


def test_views_reach_no_other_file(tmp_path: Path) -> None:
    """A view of the name of the file is none of its tables."""
    (tmp_path / "secret.csv").write_text("name\nJane Roe\n")
    path = database(tmp_path / "v.duckdb", f"CREATE VIEW v AS SELECT * FROM read_csv('{tmp_path / 'secret.csv'}')")
    with pytest.raises(DataError, match="holds 0 tables"):
        Source.of(path).read()


@pytest.mark.parametrize("damage", [b"who,sex\np1,F\n", b"\0" * 8 + b"DUCK" + b"\xff" * 8192])
def test_what_is_no_database_is_refused(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "data.duckdb").write_bytes(damage)
    with pytest.raises(DataError, match="DuckDB"):
        Source.of(tmp_path / "data.duckdb").names()


def test_a_cut_off_database_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "data.duckdb", VISITS)
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(DataError, match="DuckDB"):
        Source.of(path).read()


POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  visits:
    kind: queries
    read: {duckdb: data.duckdb}
    columns: {who: subject, sex: keep, age: keep}
    domains: {sex: {values: ["0", "1"]}, age: {low: 0, high: 100}}
    budget: {epsilon: 50}
write: {csv: out}
"""


def test_questions_are_asked_of_a_database(tmp_path: Path) -> None:
    database(tmp_path / "data.duckdb", VISITS)
    (tmp_path / "policy.yaml").write_text(POLICY)
    with Session.open(tmp_path / "policy.yaml") as session:
        answer = session.ask({"measure": "count", "group_by": ["sex"]}, epsilon=30)
        assert [row["value"] for row in answer.rows] == [5, 4, 0]
        total = session.ask({"measure": {"sum": "age"}}, epsilon=15)
    assert total.rows[0]["value"] == pytest.approx(sum(20 + i for i in range(9)), abs=150)


def test_a_database_is_a_copy_of_a_file(tmp_path: Path) -> None:
    path = database(tmp_path / "data.duckdb", VISITS)
    (tmp_path / "data.csv").write_text("".join(["AGE,gender,who\n", *(f"{20 + i},{i % 2},P{i}\n" for i in range(9))]))
    found = columns_in_common(Source.of(tmp_path / "data.csv"), Source.of(path))
    assert found == {"who": "who", "sex": "gender", "age": "AGE"}
