"""The shape of the house: what stands in which room, what tests what, and who may import whom."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from house.source_text import imported
from house.test_laws import MODULES as EVERY_MODULE
from house.test_laws import imports, module_of
from sharewell import registry

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sharewell"
TESTS = ROOT / "tests"
WITHOUT_TEST = Path(__file__).parent / "modules_without_test.txt"
MODULES = {
    ".".join(("sharewell", *path.relative_to(SOURCE).with_suffix("").parts)): path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.name not in ("__init__.py", "__main__.py")
}
REGISTERED = {entry.target.partition(":")[0] for entry in registry.entries()}


@pytest.mark.parametrize("room", registry.ROOMS)
def test_a_room_shows_what_a_policy_can_name(room: str) -> None:
    """What algorithms stand on is in the engine of their kind of data."""
    inside = {name for name in MODULES if name.split(".")[-2] == room}
    assert inside - REGISTERED == set()


def test_modules_without_a_test_of_their_name_only_become_fewer() -> None:
    """tests/ has test_NAME.py for NAME.py, or test_KIND_NAME.py where several kinds of data have a module of that name.

    Take a name off the list when it has its test; never add one.
    """
    tested = {path.stem.removeprefix("test_") for path in TESTS.rglob("test_*.py")}
    names = {name.removeprefix("sharewell.") for name in MODULES}
    lacking = {name for name in names if not {_last(name), f"{name.partition('.')[0]}_{_last(name)}"} & tested}
    listed = set(WITHOUT_TEST.read_text().split())
    assert lacking - listed == set(), "these modules need a test of their own name"
    assert listed - lacking == set(), "these have one now, or are gone: take them off the list"


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def test_the_pipeline_asks_wings_and_algorithms_nothing_by_name() -> None:
    """What only some can do is in `Capabilities`, or has a default in the protocols."""
    by_name = re.compile(r"\bhasattr\(|\bgetattr\(")
    found = {
        path.name: len(by_name.findall(path.read_text()))
        for path in sorted((SOURCE / "pipeline").glob("*.py"))
        if by_name.search(path.read_text())
    }
    # The part of a finding's details that is drawn is named by the policy, as in `prosecutor.average`.
    assert found == {"compare.py": 1}


MOST_ANY = 200
"""Where data of any kind, or a library without types, is passed on; never raise it."""


def test_any_stands_for_a_type_at_few_places() -> None:
    """Names of `typing.Any` in the sources, imports apart."""
    counts = [
        sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(tree))
        for tree in (ast.parse(path.read_text()) for path in EVERY_MODULE.values())
        if any(isinstance(n, ast.ImportFrom) and n.module == "typing" and _names(n, "Any") for n in tree.body)
    ]
    assert sum(counts) <= MOST_ANY


def _names(imports: ast.ImportFrom, word: str) -> bool:
    return any(one.name == word for one in imports.names)


def test_half_of_the_modules_have_at_most_130_lines() -> None:
    assert median(len(path.read_text().splitlines()) for path in EVERY_MODULE.values()) <= 130


LONGEST = 16
"""Whoever needs a seventeenth module merges two, or moves what is shared down; never raise it."""


def test_no_chain_of_imports_is_longer_than_sixteen_modules() -> None:
    """How many modules follow one another, each imported by the one before when it is loaded."""
    graph = {name: at_once(path) - {name} for name, path in EVERY_MODULE.items()}

    @cache
    def chain(name: str) -> tuple[str, ...]:
        return (name, *max(map(chain, sorted(graph[name])), key=len, default=()))

    longest = max(map(chain, sorted(graph)), key=len)
    assert len(longest) <= LONGEST, f"{len(longest)} modules: {' → '.join(longest)}"


def at_once(path: Path) -> set[str]:
    """Modules and packages that are imported when this one is: not inside a function, nor for types alone."""
    return {module_of(name) for name, later in imported(path) if not later} & set(EVERY_MODULE)


def test_no_module_imports_itself_in_the_end() -> None:
    """No cycle, not even of imports inside functions."""
    graph = {name: {one for one in imports(path) if one in MODULES} for name, path in MODULES.items()}
    while free := [name for name, needs in graph.items() if needs.isdisjoint(graph)]:
        for name in free:
            del graph[name]
    # What is left lies on a cycle, or leads to one: take away whoever nobody needs.
    while idle := [name for name in graph if not any(name in needs for needs in graph.values())]:
        for name in idle:
            del graph[name]
    assert set(graph) == set()
