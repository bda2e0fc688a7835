"""What the command line answers: exit codes, silence about values, and outputs that nobody reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import UNFORESEEN, VERBS, main, parser
from sharewell.errors import BudgetExhausted, DataError, Infeasible, PolicyError, VerificationFailed

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  d:
    kind: tables
    read: {csv: d.csv}
    columns: {id: subject, age: quasi}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {parquet: out}
"""


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "d.csv").write_text("id,age\n" + "".join(f"p{i},{20 + i}\n" for i in range(8)))
    (tmp_path / "policy.yaml").write_text(POLICY)
    return tmp_path / "policy.yaml"


def changed(policy: Path, old: str, new: str) -> str:
    policy.write_text(POLICY.replace(old, new))
    return str(policy)


@pytest.mark.parametrize("verb", list(VERBS))
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parser(verb).parse_args([verb, "--help"])
    assert caught.value.code == 0
    assert "usage: sharewell" in capsys.readouterr().out


def test_a_good_run_answers_0_all_along(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(desk.parent / "out" / "r")
    assert main(["plan", str(desk), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["d"]["size"]["rows"] == 8
    runs = (["check", str(desk)], ["plan", str(desk)], ["release", str(desk)], ["verify", target])
    for argv in runs:
        assert main(argv) == 0


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        pytest.param("age: quasi", "age: quasy", 2, id="unknown role"),
        pytest.param("age: quasi", "years: quasi", 2, id="unknown column"),
        pytest.param(", age: quasi", "", 2, id="column without role"),
        pytest.param("k-anonymity", "k-anonimity", 2, id="unknown criterion"),
        pytest.param("kind: tables", "kind: rumours", 2, id="no wing"),
        pytest.param("age: quasi", "age: {role: quasi, type: date}", 3, id="not dates"),
        pytest.param("age: quasi", "age: {role: quasi, hierarchy: date, type: text}", 0, id="years are dates"),
        pytest.param("age: quasi", "age: shift", 3, id="not dates to shift"),
        pytest.param("k: 2", "k: 9", 4, id="k larger than n"),
    ],
)
def test_release_answers_by_kind_of_failure(desk: Path, old: str, new: str, code: int) -> None:
    path = changed(desk, old, new)
    if code == 0:
        (desk.parent / "d.csv").write_text("id,age\n" + "".join(f"p{i},{1980 + i}\n" for i in range(8)))
    assert main(["release", path]) == code
    assert (desk.parent / "out" / "r").exists() == (code == 0)


def test_a_changed_release_answers_5(desk: Path) -> None:
    assert main(["release", str(desk)]) == 0
    public = desk.parent / "out" / "r" / "public"
    (public / "d.parquet").write_bytes((public / "d.parquet").read_bytes()[:-1])
    assert main(["verify", str(public.parent)]) == 5


def test_an_existing_release_answers_3(desk: Path) -> None:
    assert [main(["release", str(desk)]) for _ in range(2)] == [0, 3]


def test_codes_are_those_of_the_design() -> None:
    errors = (PolicyError, DataError, Infeasible, VerificationFailed, BudgetExhausted)
    assert [error.exit_code for error in errors] == [2, 3, 4, 5, 6]


def test_a_mistake_of_ours_is_told_without_its_message(
    desk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody foresaw it, so its message may quote a cell; and its exit code is not an answer."""

    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("could not convert 'SECRET'")

    monkeypatch.setattr("sharewell.pipeline.plan.plan", broken)
    monkeypatch.delenv("SHAREWELL_DEBUG", raising=False)
    assert main(["plan", str(desk)]) == UNFORESEEN == 70
    told = capsys.readouterr().err
    assert "SECRET" not in told
    assert told.startswith("sharewell plan: unforeseen ValueError at plan.py:")
    monkeypatch.setenv("SHAREWELL_DEBUG", "1")
    with pytest.raises(ValueError, match="SECRET"):
        main(["plan", str(desk)])


def test_a_file_that_cannot_be_written_answers_3(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk.parent / "out").write_text("a file where the directory should be")
    assert main(["release", str(desk)]) == 3
    said = f"sharewell release: {desk.parent / 'out'} — a file, and no directory to write to"
    assert capsys.readouterr().err.splitlines()[-1].startswith(said)


def run(*argv: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "sharewell", *argv]
    return subprocess.run(command, capture_output=True, env={**os.environ, **environment}, check=False)


def test_a_reader_that_leaves_is_no_failure() -> None:
    """`sharewell catalogue | head -1`"""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "sharewell", "catalogue"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_that_lacks_our_signs_gets_question_marks() -> None:
    done = run("catalogue", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
