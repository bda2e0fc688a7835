"""Ctrl-C at the last moments: what the audit trail and the screen say is what is there."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import main
from sharewell.io import atomic

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
    return tmp_path


def events(desk: Path) -> list[str]:
    return [json.loads(line)["event"] for line in (desk / "out" / "audit.jsonl").read_text().splitlines()]


def pressed(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, when: Any = lambda *given: True) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore it
    usual = getattr(module, name)

    def interrupted(*given: Any, **settings: Any) -> Any:
        done = usual(*given, **settings)
        if when(*given):
            os.kill(os.getpid(), signal.SIGINT)
        return done

    monkeypatch.setattr(module, name, interrupted)


def test_before_the_rename_nothing_is_released(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pressed(monkeypatch, atomic, "_flush")
    assert main(["release", str(desk / "policy.yaml")]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "sharewell release: stopped; nothing was released"
    assert events(desk) == ["begun", "failed"]
    assert [path.name for path in (desk / "out").iterdir()] == ["audit.jsonl"]


@pytest.mark.parametrize("moment", ["rename", "audit", "show"])
def test_after_the_rename_the_release_is_finished(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], moment: str
) -> None:
    from sharewell.cli import release as verb
    from sharewell.pipeline import run

    if moment == "rename":
        pressed(monkeypatch, atomic, "flush_directory", lambda path: path == desk / "out")
    elif moment == "audit":
        pressed(monkeypatch, run, "append_line", lambda path, event: event == "finished")
    else:
        pressed(monkeypatch, verb, "show")
    assert main(["release", str(desk / "policy.yaml")]) == 130
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == f"sharewell release: stopped; already finished: {desk / 'out' / 'r'}"
    assert events(desk) == ["begun", "finished"]
    assert main(["verify", str(desk / "out" / "r")]) == 0
