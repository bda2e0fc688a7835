"""With numba or without it, a release has the same bytes: a numpy twin stands in for every kernel."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sharewell
from sharewell import compiled

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sharewell"
KERNEL = "sharewell.tables.engine.protection.partitioning.cuts_kernel:part"
TABLE = """
    kind: tables
    read: {{csv: {examples}/criteria/patients.csv}}
    columns:
      patient_id: subject
      age: {{role: quasi, type: number}}
      sex: quasi
      zip: {{role: quasi, hierarchy: prefix}}
      illness: sensitive
    rest: drop
    require: [k-anonymity: {{k: 3}}]
    using: """
CODES = """
    kind: codes
    read: {{csv: {examples}/diagnoses/diagnoses.csv}}
    columns: {{patient_id: subject, code: {{role: quasi, hierarchy: icd9cm}}}}
    rest: drop
    require: [{require}]
    using: """
POLICY = (
    "sharewell: 1\nrelease: {{name: {name}, context: non-public}}\nsecrets: {{key: env:SHAREWELL_KEY}}\ndatasets:\n"
)
DATASETS = {
    **{name: f"{TABLE}{name}\n" for name in ("mondrian", "k-member", "packing")},
    "averages": f"{TABLE}{{{{mdav: {{{{columns: [age, sex, zip]}}}}}}}}\n",
    **{
        name: f"{CODES.replace('{require}', require)}{name}\n"
        for name, require in (
            ("apriori", "km-anonymity: {{k: 5, m: 2}}"),
            ("pcta", "privacy-policy: {{k: 5, file: {{csv: {examples}/diagnoses/privacy.csv}}}}"),
        )
    },
}
"""Each is released by itself: several tables of the same people in one release would be judged together."""


def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, choose: Callable[..., Any]) -> dict[str, str]:
    """The files of releases in which this function chooses between kernel and twin."""
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for this test, of no use elsewhere")
    for module in _users():
        monkeypatch.setattr(importlib.import_module(module), "numba_or_numpy", choose)
    found = {}
    for one, dataset in DATASETS.items():
        policy = tmp_path / f"{name}-{one}.yaml"
        text = f"{POLICY}  {one}:{dataset}write: {{{{csv: {{out}}}}}}\n"
        policy.write_text(text.format(name=one, examples=ROOT / "examples", out=tmp_path / name))
        released = sharewell.release(policy)
        found |= {path.name: path.read_text() for path in (released.directory / "public").glob("*.csv")}
    return found


def _users() -> list[str]:
    """Every module that chooses between a kernel and its twin."""
    return [
        ".".join(("sharewell", *path.relative_to(SOURCE).with_suffix("").parts))
        for path in sorted(SOURCE.rglob("*.py"))
        if path.name != "compiled.py" and "numba_or_numpy" in path.read_text(encoding="utf-8")
    ]


def test_a_release_without_numba_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    used: set[str] = set()

    def always(large: bool, kernel: str, twin: Any, *pays: bool, **loads: bool) -> Any:
        used.add(kernel.rpartition(".")[2])
        return compiled.numba_or_numpy(True, kernel, twin)

    fast = published(tmp_path, monkeypatch, "fast", always)
    plain = published(tmp_path, monkeypatch, "plain", lambda large, kernel, twin, *pays, **loads: twin)
    assert len(fast) == 6
    assert fast == plain
    assert {"cuts_kernel:part", "k_member_kernel:grow", "optimal_runs_kernel:best_cuts", "mdav_kernel:form"} <= used


def test_numba_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where it is not installed."""
    kernel = "sharewell.tables.engine.protection.clustering.mdav_kernel"
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, kernel, raising=False)
    compiled._kernel.cache_clear()
    try:
        assert compiled.numba_or_numpy(True, f"{kernel}:form", len) is len
    finally:
        compiled._kernel.cache_clear()


def test_only_kernels_are_compiled_and_each_is_reached_by_the_choice() -> None:
    """Whatever uses `jit` is in a module that is named in a choice, so that a twin stands beside it."""
    sources = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    chosen = "\n".join(sources[path] for path in sources if "numba_or_n" in sources[path])
    for path, text in sources.items():
        if path.name != "compiled.py" and any(
            isinstance(node, ast.ImportFrom) and node.module == "sharewell.compiled" and node.names[0].name == "jit"
            for node in ast.walk(ast.parse(text))
        ):
            module = ".".join(("sharewell", *path.relative_to(SOURCE).with_suffix("").parts))
            assert re.search(rf"{re.escape(module)}\b", chosen), f"{module} has no twin"
        assert path.name == "compiled.py" or not re.search(r"^\s*(import|from) numba\b", text, re.MULTILINE), path


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., bool]]:
    """Is a kernel chosen by a process that has just begun, on a machine that never compiled it?"""
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("SHAREWELL_COMPILE", raising=False)

    def chosen(**how: bool) -> bool:
        compiled._was_compiled.cache_clear()
        compiled._in_this_process.clear()
        return compiled.numba_or_numpy(True, KERNEL, len, **how) is not len

    yield chosen
    compiled._was_compiled.cache_clear()
    compiled._in_this_process.clear()


def test_nobody_waits_for_the_compiler_where_it_does_not_pay(
    asked: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the kernel was compiled before, or the machine is being prepared."""
    assert asked()
    assert not asked(pays=False)
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")
    assert asked(pays=False)
    monkeypatch.setenv("SHAREWELL_COMPILE", "0")
    assert not asked()
    (tmp_path / "partitioning_0").mkdir()
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    (tmp_path / "partitioning_0" / f"cuts_kernel.part-130.{version}.nbi").write_bytes(b"")
    assert asked(), "what was compiled before is used"
    monkeypatch.delenv("SHAREWELL_COMPILE")
    assert asked(pays=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "empty"))
    assert not asked(pays=False)


def test_nobody_waits_for_numba_where_numpy_is_done_before_it_is_loaded(
    asked: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the process has spent as much on such work. Where numba is loaded already, its kernels are used."""
    monkeypatch.setitem(sys.modules, "numba", pytest.importorskip("numba"))
    assert asked(loads=False)
    monkeypatch.delitem(sys.modules, "numba")
    assert not asked(loads=False)
    assert asked(loads=True)
    clock = iter([0.0, 0.5, 1.0, 1.5])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    for due in (False, True):
        with compiled.seconds_in_numpy(KERNEL):
            pass
        assert compiled._is_worth_loading(False) is due
    compiled._in_this_process.clear()
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")
    assert compiled._is_worth_loading(False)


def test_middling_work_is_compiled_once_it_has_cost_as_much(
    asked: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whichever processes it was done; small work does not count."""
    clock = iter([0.0, 3.0, 10.0, 10.01, 20.0, 90.0, 100.0, 101.5])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    for large, due in ((True, False), (True, False), (False, False), (True, True)):
        with compiled.seconds_in_numpy(KERNEL, large):
            pass
        assert asked(pays=False) is due
    monkeypatch.setenv("SHAREWELL_COMPILE", "0")
    assert not asked(pays=False)


def test_a_long_process_compiles_where_nothing_can_be_kept(
    asked: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_bytes(b"")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file" / "below"))
    assert not asked(pays=False)
    compiled._in_this_process[KERNEL.partition(":")[0]] = 2 * compiled.COMPILING
    assert compiled._is_overdue(KERNEL.partition(":")[0])
