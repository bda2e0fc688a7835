"""The shape of the house: what stands in which room, what tests what, and who may import whom."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from house.source_text import imported
from house.test_laws import MODULES as EVERY_MODULE
from house.test_laws import module_of
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
    """What algorithms stand on is in the engine of their kind of data, not even in a folder inside the room."""
    inside = {name for name in MODULES if room in name.split(".")[:-1]}
    assert inside - REGISTERED == set()
    assert {path.suffix for path in SOURCE.rglob(f"{room}/**/*") if "__pycache__" not in path.parts} == {".py"}


def test_modules_without_a_test_of_their_name_only_become_fewer() -> None:
    """For PACKAGE/…/NAME.py there is test_NAME.py below tests/PACKAGE, or anywhere test_PACKAGE_NAME.py.

    Take a name off the list when it has its test; never add one.
    """
    tested = {(_package(path.relative_to(TESTS)), path.stem.removeprefix("test_")) for path in TESTS.rglob("test_*.py")}
    names = {name for _, name in tested}
    modules = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in MODULES.values()}
    lacking = {
        module
        for module, path in modules.items()
        if (package := _package(path.relative_to(SOURCE)), path.stem) not in tested
        and f"{package}_{path.stem}" not in names
    }
    listed = set(WITHOUT_TEST.read_text().split())
    assert lacking - listed == set(), "these modules need a test of their own name"
    assert listed - lacking == set(), "these have one now, or are gone: take them off the list"


def _package(path: Path) -> str:
    """The first folder; empty for a file that is in none."""
    return "" if len(path.parts) == 1 else path.parts[0]


def test_the_pipeline_asks_wings_and_algorithms_nothing_by_name() -> None:
    """What only some can do is in `Capabilities`, or has a default in the protocols."""
    by_name = re.compile(r"\bhasattr\(|\bgetattr\(|\bvars\(|\battrgetter\b|\b__dict__\b")
    paths = [path for package in ("pipeline", "policy", "dossier") for path in sorted((SOURCE / package).rglob("*.py"))]
    counts = {path.name: len(by_name.findall(path.read_text())) for path in paths}
    # The part of a finding's details that is drawn is named by the policy, as in `prosecutor.average`.
    assert {name: count for name, count in counts.items() if count} == {"compare.py": 1}


MOST_ANY = 180
"""Where data of any kind, or a library without types, is passed on; never raise it."""


def test_any_stands_for_a_type_at_few_places() -> None:
    """Names of `typing.Any` in the sources, imports apart; our own `cells.Any` is another thing."""
    assert sum(anys(path.read_text()) for path in EVERY_MODULE.values()) <= MOST_ANY


def anys(source: str) -> int:
    """How often a module says `Any` of typing: by its name, as `typing.Any`, or in an annotation that is a text."""
    if not re.search(r"\bAny\b", source):
        return 0
    nodes = list(ast.walk(ast.parse(source)))
    imported = any(isinstance(n, ast.ImportFrom) and n.module == "typing" and _names(n, "Any") for n in nodes)
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return (
        sum(isinstance(n, ast.Attribute) and ast.unparse(n) == "typing.Any" for n in nodes)
        + imported * sum(isinstance(n, ast.Name) and n.id == "Any" for n in nodes)
        + imported * sum(len(re.findall(r"\bAny\b", text)) for text in texts if re.fullmatch(r"[\w\[\]., |]+", text))
    )


def _names(one: ast.ImportFrom, word: str) -> bool:
    return any(alias.name == word for alias in one.names)


def test_any_is_counted_however_it_is_written() -> None:
    assert anys("from typing import Any\nx: Any\ny: 'dict[str, Any]'\ndef f(z: list[Any]) -> None: ...") == 3
    assert anys("import typing\nx: typing.Any") == 1
    assert anys("def f():\n    from typing import Any\n    x: Any") == 1
    assert anys("from sharewell.cells import Any\nx = Any()") == 0


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
    graph = {name: run_by(name) for name in EVERY_MODULE}
    while free := [name for name, needs in graph.items() if needs.isdisjoint(graph)]:
        for name in free:
            del graph[name]
    # What is left lies on a cycle, or leads to one: take away whoever nobody needs.
    while idle := [name for name in graph if not any(name in needs for needs in graph.values())]:
        for name in idle:
            del graph[name]
    assert set(graph) == set()


def run_by(importer: str) -> set[str]:
    """Modules that run when all imports of one are carried out, those behind lazy exports among them.

    Whoever imports from another package runs its `__init__` first.
    """
    targets = {lazily_exported().get(name) or module_of(name) for name, _ in imported(EVERY_MODULE[importer])}
    others = {package for one in targets for package in _packages(one) if package not in _packages(f"{importer}.")}
    return (targets | others) & set(EVERY_MODULE)


def _packages(module: str) -> list[str]:
    """Those that a module is in."""
    return [module[: dot.start()] for dot in re.finditer(r"\.", module)]


@cache
def lazily_exported() -> dict[str, str]:
    """Dotted name → the module that is imported when a package is asked for it."""
    lazy = [
        name for name, path in EVERY_MODULE.items() if path.name == "__init__.py" and "Exports(" in path.read_text()
    ]
    tables = {name: importlib.import_module(name)._exports.modules for name in lazy}
    return {f"{package}.{name}": module for package, table in tables.items() for name, module in table.items()}
