"""Rules of a user's own: a release relies on them only if they are in order and their examples pass."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from test_notes_rules import OWN, POLICY

from sharewell.cli import main
from sharewell.errors import PolicyError
from sharewell.notes import Replace
from sharewell.notes.matcher.own_rules import RuleFile
from sharewell.notes.matcher.rule_examples import failed
from sharewell.notes.matcher.rule_files import parse


@pytest.mark.parametrize("verb", ["check", "release"])
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "falcon bird",
            "falcon ab-cd",
            "mine.toml: rule falcon-badge, not_found, example 1 — finds 1 where 0 are marked",
        ),
        ("[a-z]{2}-[a-z]{2}", "(?:a+)+$", "rule falcon-badge, pattern — a repetition in it reads the same text"),
        ('["Falcon [[QX-ZW]] seen"]', "5", "mine.toml:2:1: rule falcon-badge, found — must be a list of texts"),
        ("certainty = 0.9", 'certainty = 0.9\nspans = ["nope"]', "rule falcon-badge, spans — the pattern has no group"),
    ],
)
def test_rules_that_fail_stop_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, old: str, new: str, told: str
) -> None:
    assert old in OWN
    (tmp_path / "mine.toml").write_text(OWN.replace(old, new))
    (tmp_path / "secret.key").write_text("a secret key that is long enough for this")
    (tmp_path / "notes.jsonl").write_text(json.dumps({"patient_id": "1", "body": f"falcon {'a' * 60}!"}) + "\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    assert main([verb, str(tmp_path / "policy.yaml")]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert "ab-cd" not in error
    assert not (tmp_path / "out").exists()


def test_python_refuses_rules_that_fail_too(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(OWN.replace("falcon bird", "falcon ab-cd"))
    with pytest.raises(PolicyError, match="not_found, example 1"):
        Replace(rules=[RuleFile(tmp_path / "mine.toml")])._detectors()


def test_python_takes_rule_files_too(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(OWN)
    own = Replace(rules=[RuleFile(tmp_path / "mine.toml")])
    assert "mine" in {detector.name for detector in own._detectors().all}


def test_the_rule_in_the_documentation_finds_what_its_examples_mark() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notes.md").read_text("utf-8")
    [source] = [block for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "[[rule]]" in block]
    [rule] = parse(source, "mine.toml", "mine")
    assert rule.not_before
    assert not list(failed([rule]))
