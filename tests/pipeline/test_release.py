"""A release: deterministic, all or nothing, silent about values."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible
from sharewell.hospital import Hospital
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r1}
secrets: {key: env:TEST_RELEASE_KEY}
datasets:
  patients:
    kind: tables
    read: {csv: patients.csv}
    rest: drop
    publish: within-class
    columns:
      patient_id: subject
      sex: quasi
      birth_date: {role: quasi, hierarchy: date}
      zip: {role: quasi, hierarchy: zip}
      admitted: shift
      diagnosis: sensitive
    require: [k-anonymity: {k: 5}, l-diversity: {l: 2}]
    using: mondrian
    attacks: [prosecutor]
    utility: [ncp]
write: {parquet: out}
"""


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("hospital")
    Hospital(patients=400, seed=11, notes=False).write(directory)
    return directory


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_RELEASE_KEY", "an example secret, long enough")


def desk(tmp_path: Path, hospital: Path, policy: str = POLICY) -> Path:
    """A steward's directory: data and policy."""
    tmp_path.mkdir(exist_ok=True)
    shutil.copy(hospital / "patients.csv", tmp_path)
    path = tmp_path / "policy.yaml"
    path.write_text(policy)
    return path


def public_bytes(directory: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((directory / "public").iterdir())}


def test_the_same_input_policy_and_key_give_the_same_bytes(tmp_path: Path, hospital: Path) -> None:
    one = release(check(desk(tmp_path / "a", hospital)))
    two = release(check(desk(tmp_path / "b", hospital)))
    assert one.reproducible
    assert public_bytes(one.directory) == public_bytes(two.directory)


def test_the_order_of_input_rows_does_not_show(tmp_path: Path, hospital: Path) -> None:
    one = release(check(desk(tmp_path / "a", hospital)))
    path = desk(tmp_path / "b", hospital)
    header, *rows = (tmp_path / "b" / "patients.csv").read_text().splitlines()
    random.Random(5).shuffle(rows)
    (tmp_path / "b" / "patients.csv").write_text("\n".join([header, *rows]) + "\n")
    assert public_bytes(one.directory) == public_bytes(release(check(path)).directory)


def test_another_key_gives_other_pseudonyms_and_shifts(
    tmp_path: Path, hospital: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = release(check(desk(tmp_path / "a", hospital)))
    monkeypatch.setenv("TEST_RELEASE_KEY", "another secret, long enough too")
    two = release(check(desk(tmp_path / "b", hospital)))
    tables = [pq.read_table(r.directory / "public" / "patients.parquet") for r in (one, two)]
    pseudonyms = [set(t["patient_id"].to_pylist()) for t in tables]
    assert not pseudonyms[0] & pseudonyms[1]
    assert sorted(map(str, tables[0]["admitted"].to_pylist())) != sorted(map(str, tables[1]["admitted"].to_pylist()))
    assert sorted(map(str, tables[0]["zip"].to_pylist())) == sorted(map(str, tables[1]["zip"].to_pylist()))
    commitments = [json.loads((r.directory / "public" / "certificate.json").read_text()) for r in (one, two)]
    assert commitments[0]["key_commitment"] != commitments[1]["key_commitment"]


def test_without_a_key_the_result_says_it_cannot_be_repeated(tmp_path: Path, hospital: Path) -> None:
    text = POLICY.replace("secrets: {key: env:TEST_RELEASE_KEY}\n", "")
    assert not release(check(desk(tmp_path, hospital, text))).reproducible


def test_csv_can_be_written_and_verified(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital, POLICY.replace("parquet: out", "csv: out"))))
    assert (done.directory / "public" / "patients.csv").is_file()
    assert verify(done.directory / "public").ok


def test_an_existing_release_is_never_overwritten(tmp_path: Path, hospital: Path) -> None:
    path = desk(tmp_path, hospital)
    first = public_bytes(release(check(path)).directory)
    with pytest.raises(DataError, match=r"never overwritten — .* replace it with `sharewell release --replace`"):
        release(check(path))
    assert public_bytes(tmp_path / "out" / "r1") == first
    assert main(["release", str(path)]) == 3


def test_an_infeasible_policy_leaves_nothing(tmp_path: Path, hospital: Path) -> None:
    path = desk(tmp_path, hospital, POLICY.replace("k: 5", "k: 5000"))
    with pytest.raises(Infeasible, match="5000"):
        release(check(path))
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["audit.jsonl"]
    events = [json.loads(line)["event"] for line in (tmp_path / "out" / "audit.jsonl").read_text().splitlines()]
    assert events == ["begun", "failed"]
    assert main(["release", str(path)]) == 4


def test_plan_changes_nothing(tmp_path: Path, hospital: Path) -> None:
    path = desk(tmp_path, hospital)
    found = plan(check(path))
    assert found["patients"].size["rows"] == 400
    assert found["patients"].outcome.feasible
    assert found["patients"].outcome.cost
    assert sorted(p.name for p in tmp_path.iterdir()) == ["patients.csv", "policy.yaml"]


def test_plan_warns_of_values_that_look_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`flu`, `Flu ` and `FLU` count as three values, and one person under two spellings as two."""
    rows = "".join(f"P{i},{20 + i},{('flu', 'Flu ', 'FLU', 'asthma')[i % 4]}\n" for i in range(20))
    (tmp_path / "t.csv").write_text("id,age,ill\n" + rows + "p3,23,flu\n")
    text = (
        POLICY[: POLICY.index("datasets:")].replace("secrets: {key: env:TEST_RELEASE_KEY}\n", "")
        + """\
datasets:
  t:
    kind: tables
    read: {csv: t.csv}
    columns: {id: subject, age: quasi, ill: sensitive}
    require: [k-anonymity: {k: 2}]
    using: mondrian
"""
    )
    (tmp_path / "policy.yaml").write_text(text)
    assert main(["plan", str(tmp_path / "policy.yaml")]) == 0
    shown = capsys.readouterr().out
    assert "caution  id: 1 value(s) differ" in shown
    assert "caution  ill: 2 value(s) differ" in shown


def test_plan_tells_beforehand_that_nothing_can_hold(
    tmp_path: Path, hospital: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = desk(tmp_path, hospital, POLICY.replace("k: 5", "k: 5000"))
    assert main(["plan", str(path)]) == 1
    assert "NOT feasible" in capsys.readouterr().out


def test_dates_of_one_person_keep_their_intervals(tmp_path: Path, hospital: Path) -> None:
    """Shifted by the person's own days, never by none, never all by the same."""
    done = release(check(desk(tmp_path, hospital, POLICY.replace("    publish: within-class\n", "    map: true\n"))))
    published = pq.read_table(done.directory / "public" / "patients.parquet").to_pylist()
    mapping = pq.read_table(done.directory / "internal" / "maps" / "patients.parquet").to_pylist()
    originals: dict[str, str] = {}
    header, *rows = (line.split(",") for line in (tmp_path / "patients.csv").read_text().splitlines())
    for row in rows:
        originals[row[header.index("patient_id")]] = row[header.index("admitted")]
    import datetime

    moved = {
        (datetime.date.fromisoformat(p["admitted"]) - datetime.date.fromisoformat(originals[m["subject"]])).days
        for p, m in zip(published, mapping, strict=True)
    }
    assert 0 not in moved
    assert len(moved) > 100
    assert max(map(abs, moved)) <= 182
    assert "patient_id" not in published[0]


def test_pseudonyms_make_no_trail_through_classes(tmp_path: Path, hospital: Path) -> None:
    """A pseudonym never occurs in two classes, whatever the person does."""
    shutil.copy(hospital / "visits.csv", tmp_path)
    text = """\
sharewell: 1
release: {name: v}
datasets:
  visits:
    kind: tables
    read: {csv: visits.csv}
    rest: drop
    publish: within-class
    columns: {patient_id: subject, type: quasi, reason: {role: quasi, hierarchy: icd10cm}}
    require: [k-anonymity: {k: 5}]
    using: mondrian
write: {parquet: out}
"""
    (tmp_path / "policy.yaml").write_text(text)
    done = release(check(tmp_path / "policy.yaml"))
    rows = pq.read_table(done.directory / "public" / "visits.parquet").to_pylist()
    classes: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        classes.setdefault(row["patient_id"], set()).add((row["type"], row["reason"]))
    assert all(len(where) == 1 for where in classes.values())
    assert len(classes) > 400, "400 persons in several classes have more pseudonyms than persons"


NURSERY = """
import os, sys
from pathlib import Path
import duckdb, pyarrow.compute, pyarrow.csv, pyarrow.parquet
import sharewell.dossier, sharewell.tables, sharewell.tables.wing
from sharewell.policy import check
from sharewell.pipeline.run import release
for _ in sys.stdin:
    child = os.fork()  # everything is imported, and no thread is running
    if child == 0:
        release(check(Path(sys.argv[1])))
        os._exit(0)
    print(child, flush=True)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


def _run_for(nursery: subprocess.Popen[str], seconds: float | None) -> float:
    """One release, killed after so long unless it has ended; how long it took."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    started = time.monotonic()
    nursery.stdin.write("\n")
    nursery.stdin.flush()
    child = int(nursery.stdout.readline())
    if seconds is not None:
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    assert nursery.stdout.readline() == "ended\n"
    return time.monotonic() - started


def test_a_kill_at_any_moment_leaves_all_or_nothing(tmp_path: Path, hospital: Path, full_size: bool) -> None:
    """Killed at several moments, spread evenly over a whole run; afterwards a plain run works and clears the remains.

    Each run is a process of its own, forked from one that has imported everything: no moment falls into imports.
    """
    path = desk(tmp_path, hospital)
    few = (tmp_path / "patients.csv").read_text().splitlines(keepends=True)[:121]
    (tmp_path / "patients.csv").write_text("".join(few))
    target = tmp_path / "out" / "r1"
    command = [sys.executable, "-c", NURSERY, str(path)]
    draw = random.Random(3)
    finished, moments = 0, 16 if full_size else 4
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        whole = _run_for(nursery, None)
        reference = public_bytes(target)
        shutil.rmtree(target)
        for moment in range(moments):
            _run_for(nursery, draw.uniform(moment, moment + 1) / moments * whole)
            visible = [p for p in (tmp_path / "out").iterdir() if not p.name.startswith(".") and p.is_dir()]
            if visible:
                finished += 1
                assert visible == [target]
                assert verify(target).ok
                assert public_bytes(target) == reference
                shutil.rmtree(target)
    assert finished < moments, "no kill came in time: the test tested nothing"
    done = release(check(path))
    assert public_bytes(done.directory) == reference
    assert not [p for p in (tmp_path / "out").iterdir() if ".partial-" in p.name]
