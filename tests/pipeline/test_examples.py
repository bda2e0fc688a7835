"""The examples: each is released and verified, and together they use every name that a policy can give."""

from __future__ import annotations

import hashlib
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from golden.canonical import public_digests, shape, without_columns
from golden.store import Golden
from page_structure import faults
from ruamel.yaml import YAML

from sharewell import registry
from sharewell.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
POLICIES = sorted(EXAMPLES.glob("*/policy.yaml"))
OTHERS = (EXAMPLES / "publications" / "synthetic.yaml",)
"""Examples that need a package which is not among those for tests."""
DRAWN = {
    "genomes": {"noisy.parquet": without_columns("frequency")},
    "publications": {f"{name}.parquet": without_columns("count") for name in ("ages", "stays", "crosstabs", "classes")},
    "queries": {"visits.parquet": without_columns("count")},
    "reports-noisy": {"costs.parquet": without_columns("cost")},
}
"""Files with noise that no key can repeat: differential privacy draws it from the machine's own randomness."""
DRAWN_EVIDENCE = {
    "publications": frozenset({"ages", "stays", "crosstabs", "classes"}),
    "queries": frozenset({"visits"}),
    "reports-noisy": frozenset({"costs"}),
}
"""Datasets whose evidence is about such a file, by its hash."""


BY_DEFAULT = {("notes", "criteria", "text-agrees-with-table")}
"""Required of every text column of a table, as in examples/notes; no policy names it."""


@pytest.mark.parametrize("policy", POLICIES, ids=lambda path: path.parent.name)
@pytest.mark.usefixtures("no_chance")
def test_every_example_is_released_and_verified(
    policy: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    golden: Golden,
) -> None:
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for the examples, of no use elsewhere")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    place = tmp_path / "examples" / policy.parent.name
    assert main(["release", str(place / "policy.yaml")]) == 0
    (made,) = (path for path in (place / "out").iterdir() if path.is_dir())
    capsys.readouterr()
    assert main(["verify", str(made), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    seen = [*(made / "public").iterdir(), place / "out" / "audit.jsonl"]
    told = "\n".join(path.read_text("latin-1") for path in seen)
    for name, plain in _hashes().items():  # a plain hash would let guesses of a confidential file be tried
        assert plain not in told, name
    for page in (made / "internal").rglob("*.html"):
        assert faults(page.read_text("utf-8")) == [], page.name
    golden.check("answers", f"verify {policy.parent.name}", shape(answer))
    golden.check("public", policy.parent.name, _digests(made / "public", policy.parent.name))


@cache
def _hashes() -> dict[str, str]:
    """Of every file of every example."""
    files = (path for path in EXAMPLES.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _digests(public: Path, example: str) -> dict[str, str]:
    return public_digests(public, DRAWN.get(example), DRAWN_EVIDENCE.get(example, frozenset()))


def test_every_name_is_in_an_example() -> None:
    used = set(BY_DEFAULT)
    for policy in (*POLICIES, *OTHERS):
        for dataset in YAML(typ="safe", pure=True).load(policy)["datasets"].values():
            kind = dataset["kind"]
            used |= {(kind, "criteria", name) for name in _names(dataset.get("require"))}
            used |= {(kind, "mechanisms", name) for name in _names([dataset.get("using")])}
            used |= {(kind, room, name) for room in ("attacks", "utility") for name in _names(dataset.get(room))}
    wanted = {(kind, entry.room, entry.name) for kind in registry.kinds() for entry in registry.entries(kind)}
    assert sorted(wanted - used) == []


def _names(items: Any) -> list[str]:
    return [item if isinstance(item, str) else next(iter(item)) for item in items or []]
