"""What can be imported from where: one line in the registry, and `__all__`, lazy exports and stubs follow from it."""

from __future__ import annotations

import importlib
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import sharewell
from sharewell import registry
from sharewell.hospital import Hospital
from sharewell.tables import KAnonymity, LDiversity, Table
from sharewell.verbs import VERBS

ROOT = Path(__file__).parents[2]
STUBS = runpy.run_path(str(ROOT / "tools" / "build_stubs.py"))["stubs"]()
LAZY = [".".join(path.parent.relative_to(ROOT / "src").parts) for path in STUBS]


def test_every_wing_exports_its_algorithms() -> None:
    for entry in registry.entries():
        holders = {entry.target.split(".")[1], *({entry.kind} & set(registry.WINGS))}
        for holder in holders:
            wing = importlib.import_module(f"sharewell.{holder}")
            name = entry.target.partition(":")[2]
            assert name in wing.__all__
            assert getattr(wing, name) is entry.load(), f"two things are named {name} in {holder}"


@pytest.mark.parametrize("package", [*LAZY, "sharewell.hierarchy"])
def test_export_lists_are_sorted_and_complete(package: str) -> None:
    module = importlib.import_module(package)
    assert list(module.__all__) == sorted(module.__all__)
    assert all(getattr(module, name) is not None for name in module.__all__)
    assert not hasattr(module, "no_such_name")


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.parent.name)
def test_stubs_are_fresh(path: Path) -> None:
    assert path.is_file(), "run `make stubs`"
    assert path.read_text() == STUBS[path], "run `make stubs`"


def test_there_is_no_stub_without_lazy_exports() -> None:
    assert sorted((ROOT / "src").rglob("*.pyi")) == sorted(STUBS)


def test_the_front_door_shows_itself_and_no_plumbing() -> None:
    verbs = {"load", "plan", "protect", "release", "risk", "verify"}
    errors = {"BudgetExhausted", "DataError", "Infeasible", "MissingExtra", "PolicyError", "VerificationFailed"}
    assert set(dir(sharewell)) == verbs | errors | {"SharewellError", "Finding", "Key", "__version__"}
    assert all(callable(getattr(sharewell, verb)) for verb in verbs)
    from sharewell import Mistake, Policy, Protected, Role, Schema, Source, Tier, Truth, check

    assert None not in (Mistake, Policy, Protected, Role, Schema, Source, Tier, Truth, check)


def test_importing_a_package_imports_no_algorithm() -> None:
    code = (
        "import sys\n"
        f"for name in {LAZY!r}: __import__(name)\n"
        "print([m for m in sys.modules if m.startswith('sharewell.') and m.count('.') > 2], 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] False"


def test_help_imports_no_wing_and_no_verb() -> None:
    code = (
        "import sys; from sharewell.cli import VERBS, parser; parser().format_help()\n"
        "print(sorted(m for m in sys.modules if m.startswith('sharewell.')), 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    allowed = ["cli", "cli.argument_parser", "cli.interruption", "lazy_exports", "verb_examples", "verbs"]
    assert done.stdout.strip() == f"{[f'sharewell.{name}' for name in allowed]} False"


def test_every_verb_is_where_the_list_of_verbs_says() -> None:
    for verb in VERBS.values():
        module = importlib.import_module(f"sharewell.{verb.module}")
        assert callable(module.arguments)
        assert callable(module.run)
        kind = verb.module.partition(".")[0]
        assert kind == "cli" or registry.commands(kind) is module


def test_a_wing_without_commands_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is a single module, and one in a package without commands."""
    known = {**registry._all(), ("x", "wing", "x"): "alone:Wing", ("y", "wing", "y"): "sharewell.hierarchy.wing:Wing"}
    monkeypatch.setattr(registry, "_all", lambda: known)
    assert registry.commands("x") is registry.commands("y") is None


def test_risk_and_protect_take_files_frames_and_tables(tmp_path: Path) -> None:
    frame = Hospital(patients=60, seed=3, notes=False).frame("patients")
    roles = {"quasi": ["sex", "zip"], "sensitive": ["diagnosis"], "subject": "patient_id"}
    table = Table.of(frame, **roles, rest="drop")
    path = tmp_path / "people.csv"
    import pyarrow.csv

    pyarrow.csv.write_csv(frame, path)
    before = [sharewell.risk(one, **roles, k=3).smallest for one in (frame, str(path))]
    assert before == [sharewell.risk(table, k=3).smallest] * 2
    for given, how in ((frame, roles | {"rest": "drop"}), (str(path), roles | {"rest": "drop"}), (table, {})):
        released = sharewell.protect(given, **how, k=3, must=[LDiversity(2)]).data
        assert KAnonymity(3).check(released).ok
        assert LDiversity(2).check(released).ok


def test_release_and_verify_take_names_of_files(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,illness\n" + "".join(f"{20 + i % 4},flu\n" for i in range(12)))
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: door}\ndatasets:\n  people:\n    kind: tables\n    read: {csv: people.csv}\n"
        "    columns: {age: quasi, illness: keep}\n    require: [k-anonymity: {k: 2}]\n    using: mondrian\n"
        "write: {csv: out}\n"
    )
    policy = str(tmp_path / "policy.yaml")
    assert sharewell.plan(policy)["people"].outcome.feasible
    done = sharewell.release(policy)
    assert sharewell.verify(str(done.directory)).ok
    with pytest.raises(sharewell.PolicyError):
        sharewell.release(str(tmp_path / "people.csv"))
