"""A target appears whole or not at all, whoever else writes there and whenever somebody stops it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from sharewell.errors import DataError
from sharewell.io import atomic
from sharewell.io.atomic import all_or_nothing, whole_file


def fill(open_target: Callable[[Path], AbstractContextManager[Path]], target: Path, word: str) -> None:
    with open_target(target) as partial:
        (partial / target.name).write_text(word)


def content(target: Path) -> str:
    return (target / target.name if target.is_dir() else target).read_text()


STEPS = [(all_or_nothing, "_flush"), (all_or_nothing, "flush_directory"), (whole_file, "refuse_existing")]


@pytest.mark.parametrize(("open_target", "step"), STEPS)
def test_a_rival_that_comes_at_the_last_moment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_target: Any, step: str
) -> None:
    """He must not take a directory that is about to get its name for the remains of a killed attempt."""
    target, usual, rivals = tmp_path / "r", getattr(atomic, step), []

    def interposed(path: Path) -> None:
        usual(path)
        if (partial := list(tmp_path.glob(".r.partial-*/r"))) and not rivals:
            rivals.extend(partial)
            with pytest.raises(DataError, match="another process is writing it"):
                fill(open_target, target, "rival")

    monkeypatch.setattr(atomic, step, interposed)
    fill(open_target, target, "first")
    assert rivals, "no rival came: the test tested nothing"
    assert content(target) == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


RIVAL = """
import sys
from pathlib import Path
from sharewell.errors import DataError
from sharewell.io.atomic import all_or_nothing
for number in range(int(sys.argv[2])):
    sys.stdin.readline()
    target = Path(sys.argv[1]) / f"r{number}"
    try:
        with all_or_nothing(target) as partial:
            for name in "abcdef":
                (partial / name).write_text(sys.argv[3])
        print("finished", flush=True)
    except DataError:
        print("refused", flush=True)
"""


def test_of_many_rivals_one_finishes_and_nothing_is_lost(tmp_path: Path) -> None:
    rounds, people = 30, 3
    rivals = [
        subprocess.Popen(
            [sys.executable, "-c", RIVAL, str(tmp_path), str(rounds), str(who)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for who in range(people)
    ]
    for number in range(rounds):
        for rival in rivals:
            assert rival.stdin is not None
            rival.stdin.write("go\n")
            rival.stdin.flush()
        answers = [rival.stdout.readline().strip() for rival in rivals if rival.stdout is not None]
        assert answers.count("finished") == 1, answers
        winner = str(answers.index("finished"))
        assert {path.read_text() for path in (tmp_path / f"r{number}").iterdir()} == {winner}
        assert len(list((tmp_path / f"r{number}").iterdir())) == 6
    for rival in rivals:
        rival.communicate(timeout=60)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("open_target", [all_or_nothing, whole_file])
def test_an_interruption_after_the_rename_finds_everything_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_target: Any
) -> None:
    """It waits until what belongs to the end is done, and takes effect then."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore it
    target, usual, pressed = tmp_path / "r", atomic.flush_directory, []

    def interrupted(path: Path) -> None:
        usual(path)
        if path == tmp_path:
            pressed.append(path)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(atomic, "flush_directory", interrupted)
    monkeypatch.setattr(atomic, "finished", [])
    with pytest.raises(KeyboardInterrupt):
        fill(open_target, target, "all of it")
    assert pressed
    assert content(target) == "all of it"
    assert atomic.finished == [target]
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_link_that_leads_nowhere_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "r").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="already there"):
        fill(whole_file, tmp_path / "r", "text")


def test_remains_of_a_longer_name_are_not_ours(tmp_path: Path) -> None:
    """`r.partial-2` is a name like any other."""
    other = tmp_path / ".r.partial-2.partial-abcdefgh"
    other.mkdir()
    fill(all_or_nothing, tmp_path / "r", "text")
    assert other.exists()


def test_a_target_that_another_program_empties_is_not_called_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, usual = tmp_path / "r", atomic.flush_directory

    def emptied(path: Path) -> None:
        usual(path)
        (target / "r").unlink(missing_ok=True)

    monkeypatch.setattr(atomic, "flush_directory", emptied)
    with pytest.raises(DataError, match="changed by another program"):
        fill(all_or_nothing, target, "text")
