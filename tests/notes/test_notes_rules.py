"""`sharewell notes rules` and `explain`, and rules of a policy's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import sharewell
from sharewell.cli import main

OWN = """\
kind = "ID"
[[rule]]
name = "falcon-badge"
certainty = 0.9
words = ["falcon"]
pattern = 'falcon (?P<value>[a-z]{2}-[a-z]{2})\\b'
found = ["Falcon [[QX-ZW]] seen"]
not_found = ["falcon bird"]
"""
POLICY = """\
sharewell: 1
release: {name: own-rules}
secrets: {key: file:secret.key}
datasets:
  notes:
    kind: notes
    read: {jsonl: notes.jsonl}
    columns: {patient_id: subject, body: text}
    require: [safe-harbor]
    using: {replace: {rules: [mine.toml], ids: tag, language: any}}
write: {csv: out}
"""


def test_the_shipped_rules_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", "rules", "test"]) == 0
    assert "0 failed" in capsys.readouterr().out
    assert main(["notes", "rules", "list", "--json"]) == 0
    listed = {row["rule"]: row["detector"] for row in json.loads(capsys.readouterr().out)}
    assert listed["social-security-number"] == "ssn"
    assert main(["notes", "rules", "guards"]) == 0
    assert "luhn" in capsys.readouterr().out


def test_a_rule_that_fails_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OWN.replace("falcon bird", "falcon ab-cd"))
    assert main(["notes", "rules", "test", str(file)]) == 1
    told = capsys.readouterr().out
    assert "mine.toml: rule falcon-badge, not_found, example 1 — finds 1 where 0 are marked" in told
    assert "ab-cd" not in told, "somebody may have copied the example from a note"
    assert main(["notes", "rules", "test", str(file), "--json"]) == 1
    assert "ab-cd" not in capsys.readouterr().out
    assert main(["notes", "rules", "test", str(file), "--show-values"]) == 1
    assert "finds ab-cd in: falcon ab-cd" in capsys.readouterr().out


def test_explain_shows_candidates_and_the_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(OWN)
    text = "Falcon QX-ZW, SSN 123-45-6789"
    assert main(["notes", "explain", text, "--rules", str(tmp_path / "mine.toml"), "--json"]) == 0
    told = {(row["rule"], row["fate"]) for row in json.loads(capsys.readouterr().out)}
    assert ("falcon-badge", "won") in told
    assert ("social-security-number", "lost to after-social-security (SSN 0.96, more certain)") in told


def test_a_policy_names_rules_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(OWN)
    (tmp_path / "secret.key").write_text("a secret key that is long enough for this")
    notes = [{"patient_id": str(i), "body": "Seen with falcon QX-ZW in the clinic."} for i in range(2)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(note) + "\n" for note in notes))
    (tmp_path / "policy.yaml").write_text(POLICY)
    done = sharewell.release(tmp_path / "policy.yaml")
    assert "qx-zw" not in (done.directory / "public" / "notes.csv").read_text().lower()
    certificate = (done.directory / "public" / "certificate.json").read_text()
    assert re.search(r'"rules": \[\s*\{\s*"salted_sha256": "', certificate)
    assert "mine.toml" not in certificate
    assert sharewell.verify(done.directory / "public").ok


def test_a_mistake_in_the_rules_is_a_mistake_of_the_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(OWN.replace("0.9", "9"))
    (tmp_path / "secret.key").write_text("a secret key that is long enough for this")
    (tmp_path / "notes.jsonl").write_text('{"patient_id": "1", "body": "well"}\n')
    (tmp_path / "policy.yaml").write_text(POLICY)
    assert main(["check", str(tmp_path / "policy.yaml")]) == 2
    assert "mine.toml:2:1: rule falcon-badge, certainty — must be above 0" in capsys.readouterr().err
