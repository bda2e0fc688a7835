"""The JSON Schema that `sharewell schema` prints accepts every policy that ships, and refuses what `check` refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from sharewell.cli import main
from sharewell.policy.profiles import FACTS
from sharewell.policy.schema import json_schema

ROOT = Path(__file__).parents[2]
SHIPPED = [
    path
    for path in sorted([*(ROOT / "examples").glob("*/*.yaml"), *(ROOT / "src" / "sharewell" / "data").rglob("*.yaml")])
    if "sharewell: 1" in path.read_text(encoding="utf-8")
]


@cache
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(json_schema())
    return Draft202012Validator(json_schema())


def mistakes(policy: Any) -> list[str]:
    return [f"{one.json_path}: {one.message[:200]}" for one in validator().iter_errors(policy)]


def loaded(path: Path) -> Any:
    """As JSON has it, without what YAML alone knows."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(path), default=str))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_shipped_policy_is_accepted(path: Path) -> None:
    assert len(SHIPPED) >= 27
    assert mistakes(loaded(path)) == []


def test_the_checker_of_others_accepts_them_too(tmp_path: Path) -> None:
    """As an editor or a hook of somebody's repository would check them, with the schema as it is printed."""
    (tmp_path / "schema.json").write_text(json.dumps(json_schema()))
    (tmp_path / "wrong.yaml").write_text("sharewell: 1\nrelease: {name: r}\ndatasets: {d: {kind: pictures}}\n")
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(tmp_path / "schema.json")]
    right = subprocess.run([*command, *map(str, SHIPPED)], capture_output=True, text=True, check=False)
    assert (right.returncode, right.stdout.strip()) == (0, "ok -- validation done"), right.stdout
    wrong = subprocess.run([*command, str(tmp_path / "wrong.yaml")], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "wrong.yaml" in wrong.stdout


@pytest.mark.parametrize("profile", [facts.name for facts in FACTS])
def test_every_profile_is_accepted(profile: str) -> None:
    policy = loaded(ROOT / "examples" / "register" / "policy.yaml") | {"profile": profile}
    assert mistakes(policy) == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("profile",), "no-such-profile"),
        (("datasets", "patients", "kind"), "pictures"),
        (("datasets", "patients", "require"), [{"k-anonymity": {"k": "many"}}]),
        (("datasets", "patients", "require"), [{"k-anonymity": {"k": 5, "dataset": "patients"}}]),
        (("datasets", "patients", "columns", "age"), "qasi"),
        (("release", "recipent"), "University X"),
    ],
)
def test_a_mistake_is_found(place: tuple[str, ...], value: Any) -> None:
    policy = loaded(ROOT / "examples" / "register" / "policy.yaml")
    inner = policy
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    assert mistakes(policy)


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(json_schema()))
