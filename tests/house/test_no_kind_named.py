"""What knows every kind of data knows none by name: policy, pipeline, dossier and cli ask the registry for them."""

from __future__ import annotations

import ast
import re
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
    "cli/reader_options.py": {"notes"},
    "dossier/sections.py": {"notes"},
    "policy/identifying_columns.py": {"codes"},
    "policy/model.py": {"notes"},
    "policy/person_tie.py": {"notes"},
    "policy/profiles.py": {"notes"},
    "policy/redact.py": {"notes"},
}
"""Words that name no kind of data there: notes of a profile or of the hospital, a folder of notes, an agreed criterion
(below), numbers for a column's values."""
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
            case ast.Constant(value=str(text)):
                yield text
                yield from _words(text)
            case ast.Attribute(attr=word) | ast.keyword(arg=str(word)):
                yield word
            case ast.AnnAssign(target=ast.Name(id=word)):
                yield word
            case ast.Import(names=names):
                yield from (part for one in names for part in one.name.split(".")[1:2])
            case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] == "sharewell":
                yield from module.split(".")[1:2] or (one.name for one in names)


def _words(text: str) -> list[str]:
    """The words of a text that is no prose: one without blanks, a list of kinds, or what follows `--kind`."""
    words = re.findall(r"\w+", text)
    listed = " " not in text.strip() or KINDS.issuperset(words)
    return words if listed else re.findall(r"--kind (\w+)", text)


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
    assert {word for word in named(ast.parse(source)) if word in KINDS} == {
        "tables",
        "codes",
        "notes",
        "genomes",
        "reports",
        "joint",
    }


@pytest.mark.parametrize(
    "source",
    [
        'kind.startswith("genomes.")',
        'f"genomes.{room}"',
        'importlib.import_module("sharewell.genomes.data")',
        '"codes genomes".split()',
        '"attack it as --kind genomes"',
    ],
)
def test_a_kind_within_a_text_is_named_too(source: str) -> None:
    assert "genomes" in {word for word in named(ast.parse(source)) if word in KINDS}


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
def test_what_a_kind_of_data_has_of_its_own_is_registered(room: str) -> None:
    """A kind of data needs no module of keys or of sections; one that nobody asks for would be forgotten."""
    owned = registry.owned(room)
    there = {
        kind for kind in registry.WINGS if [*(SOURCE / kind).glob(f"{room}.py"), *(SOURCE / kind).glob(f"{room}/")]
    }
    assert set(owned) == there
    assert all(one.kind == kind for kind, one in owned.items())
    assert all(one.__module__.startswith(f"sharewell.{kind}.{room}") for kind, one in owned.items())
