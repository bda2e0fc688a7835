"""Hierarchies by name and by policy, gaps, and the command line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import hierarchy as verb
from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy import NAMES, Dates, Flat, Gaps, Intervals, Ordered, Prefixes, Tree, from_spec, gaps, named
from sharewell.hierarchy.specs import from_text


@pytest.mark.parametrize("name", NAMES)
def test_names_are_those_of_the_instances(name: str) -> None:
    """The name in a policy is the name in messages."""
    assert named(name).name == name


@pytest.mark.parametrize(
    ("spec", "built"),
    [
        ("flat", Flat()),
        ({"intervals": {"width": 5, "levels": 3}}, Intervals(5, 3)),
        ({"intervals": {"cuts": [[0, 18], [18]]}, "on_gap": "root"}, Intervals(cuts=[[0, 18], [18]], on_gap="root")),
        ({"order": ["a", "b", "c"]}, Ordered(["a", "b", "c"])),
        ({"order": ["a", "b"], "groups": {"g": ["a"]}}, Ordered(["a", "b"], {"g": ["a"]})),
        ({"date": {"spans": [5, 10]}}, Dates()),
        ({"date": None}, Dates()),
        ({"prefix": {"lengths": [3]}}, Prefixes([3])),
    ],
)
def test_policies_say_what_to_build(spec: Any, built: object) -> None:
    """A name, or one kind with its settings."""
    assert from_spec(spec, Path()) == built


def test_a_csv_is_found_beside_the_policy(tmp_path: Path) -> None:
    """Paths are relative to the policy, and settings stand beside the path."""
    (tmp_path / "tree.csv").write_text("a;g;*\n")
    tree = from_spec({"csv": "tree.csv", "on_gap": "root"}, tmp_path)
    assert isinstance(tree, Tree)
    assert tree.chain("b") == ("b", "*")
    with pytest.raises(DataError, match="cannot be read"):
        from_spec({"csv": "other.csv"}, tmp_path)


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("icd10", "did you mean 'icd10cm'?"),
        ("datte", "did you mean 'date'?"),
        ("qqq", "known: date"),
        ({"interval": {"width": 5}}, "did you mean 'intervals'?"),
        ({"intervals": {"widht": 5}}, "did you mean 'width'?"),
        ({"intervals": {"width": [5]}}, "must be numbers"),
        ({"intervals": {"levels": "x"}}, "a bad value among levels"),
        ({"intervals": 5}, "must be a mapping"),
        ({"date": {}, "zip": {}}, "2 found"),
        ({}, "0 found"),
        ({"order": "abc"}, "must be a list"),
        ({"flat": {"on_gap": "root"}}, "no setting 'on_gap'"),
        ({"date": {"spans": 5}}, "a bad value among spans"),
        (5, "must be a name"),
    ],
)
def test_mistakes_come_with_a_hint(spec: Any, hint: str) -> None:
    """A misspelt name or setting is a policy's mistake, with the nearest known one."""
    with pytest.raises(PolicyError) as caught:
        from_spec(spec, Path())
    assert hint in str(caught.value)


def test_a_command_line_gives_names_files_or_mappings(tmp_path: Path) -> None:
    """The same hierarchies from one word or one string."""
    (tmp_path / "tree.csv").write_text("a;g;*\n")
    assert from_text("date", tmp_path) == Dates()
    assert from_text("tree.csv", tmp_path).chain("a") == ("a", "g", "*")
    assert from_text("{prefix: {lengths: [3]}}", tmp_path) == Prefixes([3])
    with pytest.raises(PolicyError):
        from_text("{date: [", tmp_path)


def test_gaps_count_distinct_values() -> None:
    """Blank values are not counted, and spaces around a value do not matter."""
    assert gaps(Tree([["a"], ["b"]]), ["a", " a", "b", "c", "c", "", None]) == Gaps(listed=2, missing=1, total=3)


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and the output of the verb."""
    parser = argparse.ArgumentParser()
    verb.arguments(parser)
    code = verb.run(parser.parse_args(words))
    return code, capsys.readouterr().out


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A table and a hierarchy."""
    (tmp_path / "table.csv").write_text("drug,sex\naspirin,F\nsecret,M\naspirin,F\n")
    (tmp_path / "drugs.csv").write_text("aspirin;painkiller;*\nibuprofen;painkiller\naspirin;painkiller;*\n")
    return str(tmp_path / "table.csv"), str(tmp_path / "drugs.csv")


def test_show_prints_chains(capsys: pytest.CaptureFixture[str]) -> None:
    """One line a value."""
    assert called(capsys, "show", "icd10cm", "i10") == (0, "I10 → I10-I1A → ch09 → *\n")
    code, out = called(capsys, "show", "--json", "zip", "02139")
    assert (code, json.loads(out)) == (0, {"02139": ["02139", "021*", "0*", "*"]})


def test_gaps_are_counted_and_shown_only_on_demand(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    """Counts by default, values with --show-values, exit 1 if any is missing."""
    table, drugs = files
    code, out = called(capsys, "gaps", table, "--hierarchy", drugs)
    assert (code, out) == (1, "column drug: 1 of 2 values lack an entry\n")
    assert "secret" in called(capsys, "gaps", table, "--hierarchy", drugs, "--column", "drug", "--show-values")[1]
    code, out = called(capsys, "gaps", table, "--hierarchy", "flat", "--json")
    assert code == 0
    assert json.loads(out)["sex"] == {"listed": 2, "missing": 0, "total": 2}
    assert called(capsys, "gaps", table, "--hierarchy", drugs, "--column", "sex")[0] == 1
    with pytest.raises(DataError, match="did you mean 'drug'"):
        called(capsys, "gaps", table, "--hierarchy", drugs, "--column", "drugs")


def test_a_hierarchy_file_is_checked_by_itself(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    """Leaves, repeated rows, missing roots and uneven chains in counts."""
    code, out = called(capsys, "gaps", files[1], "--json")
    assert code == 0
    assert json.loads(out) == {
        "leaves": 2,
        "levels above them": 2,
        "rows that repeat an earlier one": 1,
        "rows without a root": 1,
        "leaves with a shorter chain": 0,
        "labels told apart by their column": 0,
    }
    assert "rows without a root" in called(capsys, "gaps", files[1])[1]
