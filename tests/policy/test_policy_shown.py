"""What the certificate carries, what editors get, and what the command line prints."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from policy_texts import HEADER, VALID

from sharewell import registry
from sharewell.cli import main
from sharewell.policy import Policy
from sharewell.policy.profiles import FACTS
from sharewell.policy.redact import redacted
from sharewell.policy.schema import json_schema
from sharewell.roles import Role

Loaded = Callable[[str], Policy]


def test_the_certificate_shows_what_was_done(loaded: Loaded) -> None:
    patients = redacted(loaded(VALID))["datasets"]["patients"]
    assert patients["columns"] == {
        "patient_id": {"role": "subject"},
        "age": {"role": "quasi", "type": "number"},
        "born": {"role": "quasi", "hierarchy": "date", "type": "date"},
        "admitted": {"role": "shift", "most_days": 100, "time": "drop"},
        "diagnosis": {"role": "sensitive"},
    }
    assert patients["columns_not_published"] == 1
    assert patients["using"]["name"] == "mondrian"
    assert patients["using"]["parameters"].items() >= {"split": "gain", "suppress": 0.01, "relaxed": False}.items()
    assert patients["require"][0] == {
        "name": "k-anonymity",
        "parameters": {"k": 5, "unit": "person", "missing": "own"},
        "from_profile": False,
    }


def test_paths_secrets_and_unpublished_names_stay_inside(loaded: Loaded, tmp_path: Path) -> None:
    text = VALID.replace("    publish: within-class\n", "").replace("name: drop", "canary_name: drop")
    text = text.replace("type: number", "hierarchy: {order: [canary, b], groups: {canary2: [canary]}}")
    shown = json.dumps(redacted(loaded(text)))
    for hidden in ("canary", "patient_id", "SHAREWELL_KEY", "steward", "patients.csv", "out", str(tmp_path)):
        assert f"{hidden}" not in shown.replace('"without', "").replace("about", ""), hidden


def test_sources_are_shown_by_hash_where_there_is_a_file(loaded: Loaded, tmp_path: Path) -> None:
    from sharewell.policy.redact import _value

    source = loaded(VALID).datasets["patients"].attacks[0].parameters["population"]
    assert _value(source) == "named source"
    (tmp_path / "people.csv").write_bytes(b"name\n")
    assert _value(source) == {"sha256": hashlib.sha256(b"name\n").hexdigest()}


def test_the_schema_knows_every_name() -> None:
    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    for entry in registry.entries():
        forms = json.dumps(schema["$defs"][entry.room])
        assert f'"{entry.name}"' in forms
        assert json.dumps(entry.summary) in forms
    text = json.dumps(schema)
    assert all(f'"{word}"' in text for word in [*Role, *registry.kinds(), *(facts.name for facts in FACTS)])


def test_the_schema_has_the_parameters_of_every_algorithm() -> None:
    forms = json_schema()["$defs"]["criteria"]["anyOf"]
    k = next(form for form in forms if "k-anonymity" in form.get("properties", {}))["properties"]["k-anonymity"]
    assert k["properties"]["k"]["anyOf"][:2] == [{"type": "integer", "minimum": 1}, {"const": "strictest"}]
    assert (k["required"], k["additionalProperties"]) == (["k"], False)


def test_check_prints_every_mistake_and_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.yaml").write_text(VALID.replace("k: 5", "k: 0"))
    assert main(["check", str(tmp_path / "policy.yaml")]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert [line.split(": ")[0] for line in shown.err.splitlines()] == [
        "policy.yaml:7:5",
        "policy.yaml:17:23",
        "policy.yaml:20:25",
    ]


def test_check_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.yaml").write_text(VALID.replace("k: 5", "k: 0"))
    assert main(["check", "--json", str(tmp_path / "policy.yaml")]) == 2
    assert {mistake["line"] for mistake in json.loads(capsys.readouterr().out)["mistakes"]} == {7, 17, 20}


def test_check_says_what_was_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "profile: ema-policy-0070\n" + VALID.replace("{mondrian: {suppress: 0.01}}", "auto")
    (tmp_path / "policy.yaml").write_text(text)
    (tmp_path / "patients.csv").write_text(HEADER)
    (tmp_path / "people.csv").write_text("name,age\n")
    assert main(["check", str(tmp_path / "policy.yaml")]) == 0
    clean, decided, deviates = capsys.readouterr().out.splitlines()
    assert clean == "policy.yaml: no mistakes"
    assert decided.startswith("  decided: datasets.patients: using: auto chooses by criteria and data among ")
    weaker = "k-anonymity k = 5 is weaker than profile ema-policy-0070 (k = 11)"
    assert deviates == f"  deviates: datasets.patients: {weaker}"


def test_the_schema_verb_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema()
