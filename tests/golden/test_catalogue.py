"""What a policy can name stays: every algorithm with its parameters and their defaults, and the JSON Schema."""

from __future__ import annotations

import dataclasses
import inspect
import json
from typing import Any

import pytest

from golden.canonical import plain_digest, shape
from golden.store import Golden
from sharewell import registry
from sharewell.cli import main


def parameters(algorithm: Any) -> dict[str, str]:
    """Each parameter with its default, as Python writes it, and a star if it can only be given by its name."""
    fields = {f.name: f for f in dataclasses.fields(algorithm)} if dataclasses.is_dataclass(algorithm) else {}
    found = {}
    for name, one in inspect.signature(algorithm).parameters.items():
        default = one.default
        if name in fields and fields[name].default_factory is not dataclasses.MISSING:
            default = fields[name].default_factory()
        told = "required" if default is inspect.Parameter.empty else repr(default)
        found[name] = f"* {told}" if one.kind is inspect.Parameter.KEYWORD_ONLY else told
    return found


def test_every_algorithm_keeps_its_parameters(golden: Golden) -> None:
    listed = {f"{entry.kind} › {entry.room} › {entry.name}": parameters(entry.load()) for entry in registry.entries()}
    for name, found in listed.items():
        assert " at 0x" not in str(found), f"{name}: a default shows its address"
    golden.check_all("catalogue", listed)


def test_the_schema_of_a_policy_stays(golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--json"]) == 0
    schema = json.loads(capsys.readouterr().out)
    parts = {f"#/{part}": schema[part] for part in sorted(schema) if part not in ("properties", "$defs")}
    parts |= {f"#/{part}/{name}": one for part in ("properties", "$defs") for name, one in schema[part].items()}
    golden.check_all("schema", {n: {"sha256": plain_digest(part), "shape": shape(part)} for n, part in parts.items()})
