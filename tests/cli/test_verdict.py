"""A verdict stands beside what a board must weigh, and attested claims are never called verified."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sharewell.cli import main

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:VERDICT_KEY}
datasets:
  notes:
    kind: notes
    read: {csv: notes.csv}
    columns: {who: subject, ward: keep, body: text}
    require: [no-known-identifiers: {people: {csv: people.csv}, subject: who, names: [name]}]
    using: replace
"""
TABLE = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: drop, name: drop, age: quasi, illness: sensitive}
    require: [k-anonymity: {k: 2}, l-diversity: {l: 2}]
    using: mondrian
"""
NAMES = ("Rosa Delgado", "Wei Okafor", "Olga Novak", "Amir Hassan")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERDICT_KEY", "a secret for these tests, long enough")
    with (tmp_path / "people.csv").open("w", newline="") as file:
        rows = [(f"p{i}", name, 30 + i // 2, ("flu", "asthma")[i % 2]) for i, name in enumerate(NAMES)]
        csv.writer(file).writerows([("who", "name", "age", "illness"), *rows])
    with (tmp_path / "notes.csv").open("w", newline="") as file:
        texts = [(f"p{i}", "A", f"Spoke to {name}; stable and went home.") for i, name in enumerate(NAMES)]
        csv.writer(file).writerows([("who", "ward", "body"), *texts])
    return tmp_path / "policy.yaml"


def ending(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()[-4:]


def test_a_release_says_what_to_weigh(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write_text(TABLE)
    assert main(["release", str(desk)]) == 0
    assert ending(capsys) == [
        "weigh    Recipients can re-check 2 of 2 claims themselves.",
        "weigh    Sensitive values published unchanged: illness of people.",
        "weigh    Not measured: linking people with data that others hold; other releases about the same people"
        " (none was named); whether a person has several records in people (no column identifies persons: records are"
        " counted).",
        "All 2 criteria hold.",
    ]
    assert main(["verify", str(desk.parent / "out/r/public")]) == 0
    assert ending(capsys)[-1] == "verified; who made the release is not established"


def test_only_attested_claims_are_not_verified(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write_text(POLICY)
    assert main(["release", str(desk)]) == 0
    assert ending(capsys)[:2] == [
        "weigh    Recipients can re-check 0 of 1 claim themselves; 1 needs the steward's files.",
        "weigh    Published unchanged: ward of notes. Free text: body of notes.",
    ]
    public = str(desk.parent / "out/r/public")
    assert main(["verify", public]) == 0
    assert ending(capsys)[-1].startswith("NOT re-checked: 1 of 1 claim(s) rest on the certificate's word")
    assert main(["verify", public, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["verdict"], len(told["beside_the_verdict"])) == (True, "not re-checked", 3)


def test_with_the_steward_s_files_it_is_verified(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write_text(POLICY)
    main(["release", str(desk)])
    capsys.readouterr()
    assert main(["verify", str(desk.parent / "out/r"), "--with", str(desk.parent)]) == 0
    assert ending(capsys)[-1] == "verified; who made the release is not established"


def test_a_failure_is_no_verdict_to_weigh_against(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write_text(TABLE)
    main(["release", str(desk)])
    (desk.parent / "out/r/public/dictionary.json").write_text("{}")
    capsys.readouterr()
    assert main(["verify", str(desk.parent / "out/r/public")]) == 5
    assert ending(capsys)[-1].startswith("NOT verified: ")
