"""The laws of the house, read from the source itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from house.source_text import imported, nodes_naming, outline
from sharewell import registry
from sharewell.parameters import parameters_of

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sharewell"
WINGS = ("tables", "codes", "notes", "genomes", "reports", "queries")
FILES = sorted(SOURCE.rglob("*.py"))
MODULES = {
    ".".join(("sharewell", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in FILES
}
HEADINGS = (
    "Guarantee",
    "Adversary",
    "What it does not protect",
    "Parameters",
    "Worked example",
    "Why it is safe",
    "Cost",
    "Source",
)


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every sharewell module that a file imports when it is run, wherever the import stands."""
    named = [name for name, _ in imported(path) if name.partition(".")[0] == "sharewell"]
    return tuple(dict.fromkeys(module_of(name) for name in named))


def module_of(name: str) -> str:
    """The module that is imported for the sake of a dotted name: itself, or the one that holds it."""
    return name if name in MODULES else name.rpartition(".")[0] or name


@cache
def reached_from(start: str) -> frozenset[str]:
    """All modules that importing one of them brings in, at once or later."""
    return frozenset({start}).union(*(reached_from(name) for name in imports(MODULES[start]) if name in MODULES))


def test_wings_import_foundations_never_each_other() -> None:
    for path in FILES:
        room = path.relative_to(SOURCE).parts[0]
        others = {f"sharewell.{wing}" for wing in (*WINGS, "joint") if wing != room}
        if room in ("joint", "pipeline", *WINGS):
            found = [name for name in imports(path) if any(name == o or name.startswith(o + ".") for o in others)]
            assert not found, f"{path} imports {found}"


def test_no_foundation_imports_a_wing() -> None:
    """policy, io, hierarchy and the rest know wings by name only."""
    for name, path in MODULES.items():
        room = path.relative_to(SOURCE).parts[0]
        if room not in (*WINGS, "cli", "hospital", "proposal"):
            wings = {f"sharewell.{wing}" for wing in (*WINGS, *(("joint",) if room != "joint" else ()))}
            found = [i for i in imports(path) if any(i == w or i.startswith(w + ".") for w in wings)]
            assert not found, f"{name} imports {found}"


def test_judges_reach_no_mechanism() -> None:
    protects = (".mechanisms", ".engine.protection.")
    for start in ["sharewell.pipeline.verify", *(m for m in MODULES if ".criteria" in m or ".engine.checks" in m)]:
        reached = reached_from(start)
        found = [n for n in reached if any(p in n for p in protects) or n == "sharewell.pipeline.run"]
        assert not found, f"{start} reaches {found}"


def test_a_running_verifier_loads_no_mechanism(tmp_path: Path, small_release: Path) -> None:
    """Not only by reading the source: after judging a real release no mechanism is in memory."""
    code = (
        "import sys; from pathlib import Path; from sharewell.pipeline.verify import verify;"
        f"assert verify(Path({str(small_release)!r})).ok;"
        "print([m for m in sys.modules if m.startswith('sharewell') and ('.mechanisms' in m or '.protection.' in m)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def is_command(path: Path) -> bool:
    """Is it a part of the command line: in cli/, or the commands of a wing?"""
    inside = path.relative_to(SOURCE).with_suffix("").parts
    return inside[0] in ("cli", "__main__") or "commands" in inside


def test_only_commands_import_the_command_line() -> None:
    for path in FILES:
        if not is_command(path) and re.search(r"\bcli\b|\bcommands\b", path.read_text()):
            assert not [name for name in imports(path) if {"cli", "commands"} & set(name.split("."))], path


@pytest.mark.parametrize("path", sorted((SOURCE / "cli").glob("*.py")), ids=lambda p: p.name)
def test_the_command_line_names_no_wing(path: Path) -> None:
    """Verbs of one kind of data are in its own commands, and so are the words for it."""
    tree = ast.parse(path.read_text())
    keys = {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in keys:
            assert node.value not in (*WINGS, "joint"), f"line {node.lineno} names a kind of data"
    named = re.findall(r"sharewell\.(" + "|".join((*WINGS, "joint")) + r")\b", path.read_text())
    assert not named, f"it names {named}"


BYTES = {"read_text", "read_bytes", "write_text", "write_bytes", "unlink", "rename", "rmtree", "mkdir", "touch"}


def test_only_io_touches_bytes_and_only_commands_print() -> None:
    calls = [
        (path, node)
        for path in FILES
        for node in nodes_naming(path, {*BYTES, "open", "print"})
        if isinstance(node, ast.Call)
    ]
    assert calls
    for path, node in calls:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else None
        if path.relative_to(SOURCE).parts[0] != "io":
            assert name != "open" or path.name == "testing.py", f"{path}:{node.lineno} opens a file"
            assert attribute not in BYTES, f"{path}:{node.lineno} calls .{attribute}"
        if not is_command(path):
            assert name != "print", f"{path}:{node.lineno} prints"


def test_files_and_functions_stay_short() -> None:
    for path in FILES:
        assert outline(path).lines <= 500, path
        long = [(name, lines) for name, lines in outline(path).functions if lines > 60]
        assert not long, f"{path}: {long}"


def test_no_file_is_named_after_nothing() -> None:
    vague = re.compile(r"(^|_)(util|utils|helper|helpers|manager|factory|misc|common)(_|$)")
    assert not [path for path in FILES if vague.search(path.stem)]


@pytest.mark.parametrize("entry", list(registry.entries()), ids=lambda e: f"{e.kind}.{e.room}.{e.name}")
def test_every_algorithm_has_its_page(entry: registry.Entry) -> None:
    """One algorithm, one file, one page: fixed headings in order, and a worked example that runs as a doctest.

    A section with nothing to say is left out: what has no parameters lists none, and a measure has no adversary.
    """
    text = MODULES[entry.target.partition(":")[0]].read_text()
    page = ast.get_docstring(ast.parse(text)) or ""
    given = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    optional = {"Guarantee", "Adversary", "What it does not protect"} if entry.room == "utility" else set()
    optional |= set() if parameters_of(entry.load()) else {"Parameters"}
    assert given == [heading for heading in HEADINGS if heading in given or heading not in optional]
    assert ">>> " in page
    assert entry.load().name == entry.name


def test_no_module_can_reach_the_network() -> None:
    """Nothing imports a client, and two places listen: the loopback post, and the service that answers questions."""
    clients = {"urllib", "http", "requests", "httpx", "aiohttp", "ftplib", "smtplib"}
    for path in FILES:
        for node in nodes_naming(path, {*clients, "socket", "uvicorn", "starlette"}):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            roots = {name.partition(".")[0] for name in names}
            assert not roots & clients, path
            # The loopback between owners and a mediator; tests/io/test_posts.py shows that it names no other address.
            assert "socket" not in roots or path == SOURCE / "io" / "loopback.py", path
            # Who answers questions listens where its steward says, and calls nobody.
            assert not roots & {"uvicorn", "starlette"} or path.parent == SOURCE / "queries" / "service", path


def _single_range(test: ast.expr) -> bool:
    """Does a condition hold one field against constants? That is for the annotation to say."""
    named = {ast.unparse(node) for node in ast.walk(test) if isinstance(node, ast.Attribute) and node.attr}
    fields = {name for name in named if name.startswith("self.")}
    ordered = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
    compared = [node for node in ast.walk(test) if isinstance(node, ast.Compare) and isinstance(node.ops[0], ordered)]
    against = [part for node in compared for part in (node.left, *node.comparators)]
    plain = all(isinstance(part, ast.Constant | ast.Tuple) or ast.unparse(part) in fields for part in against)
    return len(fields) == 1 and bool(compared) and plain


@pytest.mark.parametrize("entry", sorted({one.target for one in registry.entries()}))
def test_a_range_is_declared_not_programmed(entry: str) -> None:
    """See sharewell.parameters: a `__post_init__` is for rules about several parameters."""
    module, _, name = entry.partition(":")
    tree = ast.parse(MODULES[module].read_text())
    [algorithm] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    methods = [node for node in algorithm.body if isinstance(node, ast.FunctionDef) and node.name == "__post_init__"]
    checks = [node for method in methods for node in ast.walk(method) if isinstance(node, ast.If)]
    wrong = [ast.unparse(node.test) for node in checks if isinstance(node.body[0], ast.Raise)]
    assert [one for one in wrong if _single_range(ast.parse(one, mode="eval").body)] == []


def test_ties_fall_alike_on_every_processor() -> None:
    """How numpy's default sort orders equal keys depends on the processor; published bytes must not."""
    unstable = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in nodes_naming(path, {"argsort"})
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "argsort"
        if not any(keyword.arg == "kind" for keyword in node.keywords)
    ]
    assert unstable == []
