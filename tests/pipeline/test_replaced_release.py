"""`release --replace`: the earlier release stays until the new one is verified, and the audit trail names both."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from sharewell.cli import main

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


def certificate(desk: Path) -> str:
    return hashlib.sha256((desk / "out" / "r" / "public" / "certificate.json").read_bytes()).hexdigest()


def test_a_release_is_replaced_once_the_new_one_is_verified(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = str(desk / "policy.yaml")
    assert main(["release", policy, "--replace"]) == 0  # there is nothing to replace yet
    assert "whoever was given it" not in capsys.readouterr().out
    old = certificate(desk)
    (desk / "policy.yaml").write_text(POLICY.replace("k: 2", "k: 4"))
    assert main(["release", policy]) == 3
    assert main(["release", policy, "--replace"]) == 0
    assert "whoever was given it still has it" in capsys.readouterr().out
    assert certificate(desk) != old
    assert main(["verify", str(desk / "out" / "r")]) == 0
    lines = [json.loads(line) for line in (desk / "out" / "audit.jsonl").read_text().splitlines()]
    assert [(one["event"], one.get("replaces_certificate")) for one in lines] == [
        ("begun", None),
        ("finished", None),
        ("begun", old),
        ("finished", old),
    ]
    assert sorted(path.name for path in (desk / "out").iterdir()) == ["audit.jsonl", "r"]


def test_a_policy_that_cannot_hold_replaces_nothing(desk: Path) -> None:
    assert main(["release", str(desk / "policy.yaml")]) == 0
    old = certificate(desk)
    (desk / "policy.yaml").write_text(POLICY.replace("k: 2", "k: 9"))
    assert main(["release", str(desk / "policy.yaml"), "--replace"]) == 4
    assert certificate(desk) == old
    assert main(["verify", str(desk / "out" / "r")]) == 0


def test_only_a_release_is_replaced(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "out" / "r").mkdir(parents=True)
    (desk / "out" / "r" / "thesis.txt").write_text("three years of work")
    assert main(["release", str(desk / "policy.yaml"), "--replace"]) == 3
    assert "not a release" in capsys.readouterr().err
    assert (desk / "out" / "r" / "thesis.txt").is_file()


def test_a_release_does_not_replace_the_one_it_builds_on(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", str(desk / "policy.yaml")]) == 0
    (desk / "policy.yaml").write_text(POLICY.replace("{name: r}", "{name: r, after: [out/r]}"))
    assert main(["release", str(desk / "policy.yaml"), "--replace"]) == 2
    assert "release.after" in capsys.readouterr().err
