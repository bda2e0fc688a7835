"""Hashes in public/ cover confidential files, and must not let anybody try out guesses of what these say."""

from __future__ import annotations

import hashlib
import itertools
from pathlib import Path

import pytest

from sharewell.policy import check
from sharewell.release.run import Released, release

PEOPLE = [("anna", 31), ("bert", 32), ("cleo", 33), ("dora", 34), ("emil", 35), ("fred", 36)] + [
    ("gina", 51),
    ("hans", 52),
    ("ines", 53),
    ("jost", 54),
    ("kati", 55),
    ("luis", 56),
]
TRUTH = (True, False, False, True, False, False, False, True, False, True, True, False)
POLICY = """\
sharewell: 1
release: {name: r}
SECRETSdatasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {name: drop, age: quasi, hiv: drop}
    require:
      - k-anonymity: {k: 2}
      - k-map: {population: {csv: people.csv}, k: 2}
    using: optimal-recoding
write: {csv: out}
"""
KEYED = "secrets: {key: file:release.key}\n"
SECRET = "a secret for these tests, of no use elsewhere"


def people(hiv: tuple[bool, ...]) -> str:
    rows = [f"{name},{age},{'yes' if ill else 'no'}" for (name, age), ill in zip(PEOPLE, hiv, strict=True)]
    return "\n".join(["name,age,hiv", *rows, ""])


def released(directory: Path, secrets: str = KEYED) -> Released:
    directory.mkdir(exist_ok=True)
    (directory / "people.csv").write_text(people(TRUTH))
    (directory / "release.key").write_text(SECRET)
    (directory / "policy.yaml").write_text(POLICY.replace("SECRETS", secrets))
    return release(check(directory / "policy.yaml"))


def hashes(directory: Path) -> set[str]:
    """Everything in a folder that looks like a hash."""
    import re

    texts = [path.read_bytes().decode("utf-8", "replace") for path in directory.rglob("*") if path.is_file()]
    return {word for text in texts for word in re.findall(r"[0-9a-f]{32,}", text)}


@pytest.mark.parametrize("secrets", [KEYED, ""], ids=["with a key", "without"])
def test_a_dropped_column_cannot_be_recovered_by_guessing(tmp_path: Path, secrets: str) -> None:
    """Who knows everybody's name and age has 4,096 guesses for twelve people's HIV status, and no way to try them."""
    done = released(tmp_path, secrets)
    told = (
        hashes(done.directory / "public")
        | hashes(tmp_path / "out" / "audit.jsonl")
        | {word for word in (tmp_path / "out" / "audit.jsonl").read_text().replace('"', " ").split() if len(word) > 30}
    )
    guesses = (hashlib.sha256(people(hiv).encode()).hexdigest() for hiv in itertools.product((False, True), repeat=12))
    assert not told.intersection(guesses)


def test_the_policy_cannot_be_recovered_by_guessing(tmp_path: Path) -> None:
    """A policy may hold what only its steward knows, such as the limits of an owner."""
    done = released(tmp_path)
    text = (tmp_path / "policy.yaml").read_bytes()
    plain = hashlib.sha256(text).hexdigest()
    for path in [*(done.directory / "public").iterdir(), tmp_path / "out" / "audit.jsonl"]:
        assert plain not in path.read_text()
