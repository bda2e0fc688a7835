"""What knows every kind of data knows none by name: policy, pipeline, dossier and cli ask the registry for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from sharewell import registry

SOURCE = Path(__file__).parents[2] / "src" / "sharewell"
PACKAGES = ("policy", "pipeline", "dossier", "cli")
KINDS = {*registry.kinds(), "queries"}
FILES = [path for package in PACKAGES for path in sorted((SOURCE / package).rglob("*.py"))]
ENGLISH = {
    "cli/hospital.py": {"notes"},
    "cli/profiles.py": {"notes"},
    "dossier/sections.py": {"notes"},
    "policy/identifying_columns.py": {"codes"},
    "policy/model.py": {"notes"},
    "policy/profiles.py": {"notes"},
    "policy/redact.py": {"notes"},
}
"""Words that name no kind of data there: notes of a profile or of the hospital, numbers for a column's values."""
ALGORITHMS = {entry.name for entry in registry.entries() if "-" in entry.name}
"""Names of one word, such as `noise`, are English too."""
AGREED = {
    "dossier/identifiability.py": {"k-anonymity"},
    "dossier/verdict.py": {"k-anonymity"},
    "pipeline/verdict_facts.py": {"text-agrees-with-table"},
    "policy/extracted.py": {"extracted-values"},
    "policy/person_tie.py": {"notes-agree-with-table"},
}
"""Criteria that a release adds by itself or speaks of whatever the kind: k-anonymity, and text held against a table."""


def named(tree: ast.AST) -> Iterator[str]:
    """Kinds of data that a module names: as a text, an attribute, a keyword, a field, or by importing their package."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(word)) | ast.Attribute(attr=word) | ast.keyword(arg=str(word)):
                yield word
            case ast.AnnAssign(target=ast.Name(id=word)):
                yield word
            case ast.Import(names=names):
                yield from (part for one in names for part in one.name.split(".")[1:2])
            case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] == "sharewell":
                yield from module.split(".")[1:2] or (one.name for one in names)


def test_what_counts_as_naming_a_kind() -> None:
    source = """
import sharewell.codes.data
from sharewell.genomes import Genotypes
from sharewell import joint
from elsewhere import tables
dataset.reports
of(notes=1)
"tables"
"tables of counts"  # prose is no name
"""
    assert sorted(word for word in named(ast.parse(source)) if word in KINDS) == sorted(KINDS - {"queries"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_kind_of_data_is_named(path: Path) -> None:
    """An exception that is gone must go from its list too, so that the lists only shrink."""
    place = str(path.relative_to(SOURCE))
    excepted = ENGLISH.get(place, set())
    assert {word for word in named(ast.parse(path.read_text())) if word in KINDS} == excepted


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_algorithm_of_one_kind_is_named(path: Path) -> None:
    """What one of them does otherwise is a flag of its protocol, or in the words of its kind of data."""
    excepted = AGREED.get(str(path.relative_to(SOURCE)), set())
    assert {word for word in named(ast.parse(path.read_text())) if word in ALGORITHMS} == excepted


def test_every_exception_is_a_module() -> None:
    assert {*ENGLISH, *AGREED} <= {str(path.relative_to(SOURCE)) for path in FILES}


@pytest.mark.parametrize("room", ["policy", "dossier"])
def test_every_kind_of_data_has_its_own(room: str) -> None:
    owned = registry.owned(room)
    assert set(owned) == set(registry.kinds())
    assert all(one.kind == kind for kind, one in owned.items())
    assert all(one.__module__.startswith(f"sharewell.{kind}.{room}") for kind, one in owned.items())
