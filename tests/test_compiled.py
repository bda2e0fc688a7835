"""With numba or without it, a release has the same bytes: a numpy twin stands in for every kernel."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sharewell
from sharewell import compiled

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sharewell"
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

    def always(large: bool, kernel: str, twin: Any, pays: bool = True) -> Any:
        used.add(kernel.rpartition(".")[2])
        return compiled.numba_or_numpy(True, kernel, twin)

    fast = published(tmp_path, monkeypatch, "fast", always)
    plain = published(tmp_path, monkeypatch, "plain", lambda large, kernel, twin, pays=True: twin)
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


def test_nobody_waits_for_the_compiler_where_it_does_not_pay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the kernel was compiled before, or the machine is being prepared."""
    pytest.importorskip("numba")
    kernel = "sharewell.tables.engine.protection.partitioning.cuts_kernel:part"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("SHAREWELL_COMPILE", raising=False)

    def chosen(**how: bool) -> bool:
        compiled._is_ready.cache_clear()
        return compiled.numba_or_numpy(True, kernel, len, **how) is not len

    assert chosen()
    assert not chosen(pays=False)
    (tmp_path / "partitioning_0").mkdir()
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    (tmp_path / "partitioning_0" / f"cuts_kernel.part-130.{version}.nbi").write_bytes(b"")
    assert chosen(pays=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "empty"))
    assert not chosen(pays=False)
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")
    assert chosen(pays=False)
    compiled._is_ready.cache_clear()
