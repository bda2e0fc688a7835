"""Law 6: cell values never appear in errors, logs, findings or certificates. Canaries in every column tell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main

COLUMNS = ("person", "name", "town", "age", "disease", "remark", "seen")
MARK = "CANARY-7f3a"
ROWS = 24
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:CANARY_KEY}
datasets:
  d:
    kind: tables
    read: {csv: d.csv}
    publish: within-class
    columns:
      person: subject
      name: drop
      town: quasi
      age: quasi
      disease: sensitive
      remark: keep
      seen: shift
    require: [k-anonymity: {k: 4}, l-diversity: {l: 2}]
    using: {mondrian: {suppress: 0.05}}
    attacks: [prosecutor, linkage: {population: {csv: people.csv}}]
    utility: [ncp, discernibility]
write: {parquet: out}
"""


def canary(column: str, row: int) -> str:
    return f"{MARK}-{column}-{row % 6 if column in ('town', 'disease', 'remark') else row}"


def cells(row: int) -> dict[str, str]:
    """One row: a canary in every column, but a number where numbers belong and a date where dates do."""
    found = {column: canary(column, row) for column in COLUMNS}
    return found | {"age": str(4_711_000 + row % 8), "seen": f"1987-03-{row + 1:02}"}


def text(rows: list[dict[str, str]]) -> str:
    return "\n".join(",".join(line) for line in [COLUMNS, *(row.values() for row in rows)]) + "\n"


def desk(directory: Path, rows: list[dict[str, str]] | None = None, policy: str = POLICY) -> Path:
    directory.mkdir(exist_ok=True)
    data = text([cells(i) for i in range(ROWS)] if rows is None else rows)
    (directory / "d.csv").write_text(data)
    (directory / "people.csv").write_text(data)
    (directory / "policy.yaml").write_text(policy)
    return directory


def run(directory: Path, *argv: str) -> tuple[int, str]:
    """Exit code, and all that was said."""
    environment = {**os.environ, "CANARY_KEY": "a secret for canaries, long enough"}
    environment.pop("SHAREWELL_DEBUG", None)
    done = subprocess.run(
        [sys.executable, "-m", "sharewell", *argv], cwd=directory, capture_output=True, env=environment, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode()


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run_here(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Run:
    """As `run`, in this process: what is printed, written past Python or logged."""
    monkeypatch.setenv("CANARY_KEY", "a secret for canaries, long enough")
    monkeypatch.delenv("SHAREWELL_DEBUG", raising=False)
    caplog.set_level("DEBUG")

    def run(directory: Path, *argv: str) -> tuple[int, str]:
        monkeypatch.chdir(directory)
        capfd.readouterr()
        caplog.clear()
        code = main(argv)
        said = capfd.readouterr()
        return code, said.out + said.err + caplog.text

    return run


def silent(said: str) -> None:
    assert MARK not in said
    assert "4711" not in said.replace(" ", "").replace(",", "")
    assert "1987-03" not in said


def every_file(directory: Path) -> dict[str, str]:
    """All that a release wrote; of Parquet files the cells, not only the bytes."""
    found = {}
    for path in sorted(p for p in directory.rglob("*") if p.is_file()):
        content = path.read_bytes().decode("utf-8", "replace")
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            content += str(table.to_pydict()) + str(table.schema.metadata)
        found[path.relative_to(directory).as_posix()] = content
    return found


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = desk(tmp_path_factory.mktemp("canary"))
    code, said = run(directory, "release", "policy.yaml", "--json")
    assert code == 0, said
    (directory / "said.txt").write_text(said)
    return directory


def test_a_good_run_says_no_value(released: Path, run_here: Run) -> None:
    written = (released / "policy.yaml").read_text()
    (released / "next.yaml").write_text(written.replace("release: {name: r", "release: {name: next"))
    for argv in (
        ["init", "d.csv"],
        ["init", "d.csv", "-o", "draft.yaml", "--json"],
        ["check", "policy.yaml"],
        ["plan", "next.yaml", "--preview"],
        ["plan", "next.yaml", "--preview", "--json"],
        ["verify", "out/r"],
        ["verify", "out/r/public", "--json"],
        ["hierarchy", "gaps", "d.csv", "--hierarchy", "icd10cm"],
    ):
        code, said = run_here(released, *argv)
        assert code == (1 if argv[0] == "hierarchy" else 0), said
        silent(said)
    silent((released / "draft.yaml").read_text())
    silent((released / "said.txt").read_text())


def test_what_a_release_writes_holds_values_in_its_data_alone(released: Path) -> None:
    """Public data may show quasi, sensitive and kept values, but no dropped or subject one; nothing else shows any."""
    files = every_file(released / "out")
    assert {"audit.jsonl", "r/internal/dossier.html", "r/internal/findings.json"} <= set(files)
    for name, content in files.items():
        if name == "r/public/d.parquet":
            for column in ("person", "name"):
                assert f"{MARK}-{column}" not in content
            assert f"{MARK}-disease" in content
            assert f"{MARK}-remark" in content
        else:
            silent(content)


def test_no_date_is_published_beside_its_own_row(released: Path) -> None:
    """Shifted dates are never the person's own."""
    published = pq.read_table(released / "out" / "r" / "public" / "d.parquet").to_pylist()
    kept = {(cells(i)["remark"], cells(i)["disease"], cells(i)["seen"]) for i in range(ROWS)}
    same = [row for row in published if (row["remark"], row["disease"], row["seen"]) in kept]
    assert len(same) < len(published) / 4, "some coincide with another person's date, by chance"


def variants() -> dict[str, tuple[list[dict[str, str]] | bytes, str, int]]:
    """What fails, how it is made, and the exit code."""
    good = [cells(i) for i in range(ROWS)]
    bad_date = [*good[:-1], good[-1] | {"seen": f"{MARK}-seen"}]
    whole = text(good)
    return {
        "bad date": (bad_date, POLICY, 2),
        "impossible date": ([*good[:-1], good[-1] | {"seen": "1987-02-30"}], POLICY, 2),
        "words behind a date": ([*good[:-1], good[-1] | {"seen": f"1987-03-02 {MARK}"}], POLICY, 2),
        "ambiguous dates": ([row | {"seen": "03/04/1987"} for row in good], POLICY, 2),
        "declared number": (good, POLICY.replace("town: quasi", "town: {role: quasi, type: number}"), 3),
        "declared date": (good, POLICY.replace("town: quasi", "town: {role: quasi, type: date}"), 3),
        "hierarchy gap": (good, POLICY.replace("town: quasi", "town: {role: quasi, hierarchy: date}"), 3),
        "gap in a file": (good, POLICY.replace("town: quasi", "town: {role: quasi, hierarchy: {csv: tree.csv}}"), 3),
        "infeasible k": (good, POLICY.replace("k: 4", "k: 400"), 4),
        "infeasible l": (good, POLICY.replace("l: 2", "l: 40"), 4),
        "ragged row": ((whole + f"{MARK}-ragged,{MARK}\n").encode(), POLICY, 3),
        "open quote": ((whole + f'"{MARK}-open,1,2\n').encode(), POLICY, 3),
        "wrong encoding": (whole.replace("remark-1", "remark-ü").encode("latin-1"), POLICY, 3),
        "unknown role": (good, POLICY.replace("town: quasi", "town: quasy"), 2),
        "no such list": (good, POLICY.replace("people.csv", "peple.csv"), 2),
        "list of strangers": (good, POLICY.replace("people.csv", "strangers.csv"), 3),
        "missing values only": ([dict.fromkeys(COLUMNS, "") | {"remark": MARK} for _ in good], POLICY, 4),
    }


@pytest.mark.parametrize("name", list(variants()))
def test_a_failing_run_says_no_value(name: str, tmp_path: Path, run_here: Run) -> None:
    data, policy, code = variants()[name]
    directory = desk(tmp_path, [] if isinstance(data, bytes) else data, policy)
    if isinstance(data, bytes):
        (directory / "d.csv").write_bytes(data)
    (directory / "strangers.csv").write_text(f"nickname\n{MARK}-stranger\n")
    (directory / "tree.csv").write_text(f"{canary('town', 0)};{MARK}-region;*\n")
    start = run if name == "bad date" else run_here  # one of them as a process of its own
    found, said = start(directory, "release", "policy.yaml")
    silent(said)
    assert found == code, said
    if (directory / "out").exists():
        left = every_file(directory / "out")
        assert list(left) == ["audit.jsonl"]
        silent(left["audit.jsonl"])


def test_a_tampered_release_says_no_value(released: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(released / "out" / "r", tmp_path / "r"))
    path = copy / "public" / "d.parquet"
    table = pq.read_table(path)
    towns = [f"{MARK}-tampered", *table["town"].to_pylist()[1:]]
    pq.write_table(table.set_column(table.column_names.index("town"), "town", pa.array(towns)), path)
    code, said = run(tmp_path, "verify", "r")
    assert code == 5
    silent(said)
