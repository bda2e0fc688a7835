"""A directory that replaces another: killed at any moment, one of the two is whole and has the name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sharewell.errors import DataError
from sharewell.io import atomic
from sharewell.io.exchange import exchange

OLD, NEW = {"a": "old", "b": "old"}, {"a": "new", "c": "new"}
KILLED = """
import os, sys
from pathlib import Path
from sharewell.io import atomic

target, moment, can_exchange = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "yes"

def killing(name, before, module=atomic):
    usual = getattr(module, name)
    def killed(*given, **settings):
        if before:
            os._exit(9)
        done = usual(*given, **settings)
        os._exit(9)
    setattr(module, name, killed)

if not can_exchange:
    atomic.exchange = lambda one, other: False
name, _, when = moment.partition(" ")
if name == "rename":  # the second of two renames
    usual, count = Path.rename, [0]
    def rename(self, to):
        count[0] += 1
        if count[0] == 2:
            os._exit(9)
        return usual(self, to)
    Path.rename = rename
elif name == "then":
    pass
elif name == "rmtree":
    usual = atomic.shutil.rmtree
    def rmtree(path, **settings):
        if (Path(path) / "b").exists():  # the old one
            os._exit(9)
        return usual(path, **settings)
    atomic.shutil.rmtree = rmtree
else:
    killing(name, when == "before")
then = (lambda: os._exit(9)) if name == "then" else (lambda: None)
with atomic.all_or_nothing(target, then=then, replace=True) as new:
    (new / "a").write_text("new")
    (new / "c").write_text("new")
"""


def content(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in directory.iterdir()}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    target = tmp_path / "out" / "r"
    target.mkdir(parents=True)
    for name, text in OLD.items():
        (target / name).write_text(text)
    return target


def replaced(target: Path) -> None:
    with atomic.all_or_nothing(target, replace=True) as new:
        for name, text in NEW.items():
            (new / name).write_text(text)


@pytest.mark.parametrize("can_exchange", [True, False])
def test_the_new_one_takes_the_name_and_the_old_one_is_gone(
    target: Path, can_exchange: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:
        monkeypatch.setattr(atomic, "exchange", lambda one, other: False)
    replaced(target)
    assert content(target) == NEW
    assert [path.name for path in target.parent.iterdir()] == ["r"]


@pytest.mark.parametrize("can_exchange", ["yes", "no"])
@pytest.mark.parametrize(
    ("moment", "there"),
    [
        ("_flush before", OLD),
        ("_put_in_place before", OLD),
        ("rename", OLD),
        ("_put_in_place after", NEW),
        ("then", NEW),
        ("rmtree", NEW),
    ],
)
def test_killed_at_any_moment_one_of_them_is_whole(
    target: Path, moment: str, there: dict[str, str], can_exchange: str
) -> None:
    if can_exchange == "yes" and moment == "rename":
        pytest.skip("there is one step, and nothing between")
    done = subprocess.run([sys.executable, "-c", KILLED, str(target), moment, can_exchange], check=False, timeout=60)
    assert done.returncode == 9
    if can_exchange == "yes":
        assert content(target) == there
    with pytest.raises(DataError, match="already there"), atomic.all_or_nothing(target):  # whoever comes next …
        pass
    if not target.exists():
        atomic._restore(target)
    assert content(target) == there
    replaced(target)
    assert content(target) == NEW
    assert [path.name for path in target.parent.iterdir()] == ["r"]  # … clears away what is left


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_failure_leaves_the_old_one(target: Path, can_exchange: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not can_exchange:
        monkeypatch.setattr(atomic, "exchange", lambda one, other: False)
    with pytest.raises(ZeroDivisionError), atomic.all_or_nothing(target, replace=True):
        raise ZeroDivisionError
    listings = iter([["one"], ["another"]])
    monkeypatch.setattr(atomic, "_listing", lambda directory: next(listings))
    with pytest.raises(DataError, match="changed by another program"):
        replaced(target)
    assert content(target) == OLD
    assert [path.name for path in target.parent.iterdir()] == ["r"]


def test_what_cannot_be_exchanged_stays(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert not exchange(tmp_path / "a", tmp_path / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
