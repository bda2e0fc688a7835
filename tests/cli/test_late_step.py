"""A verb without steps of its own says after a while that it is at work."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import pytest

from sharewell.cli.late_step import LateStep, late_step, shows_steps_itself
from sharewell.io.step_paces import StepPaces


def test_what_it_took_is_kept_and_said_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "a.csv").write_bytes(b"x" * 5000)
    args = argparse.Namespace(verb="risk", file=tmp_path / "a.csv")
    said = io.StringIO()
    first = LateStep(args, said)
    first.tell()
    first.begun -= 30
    first.finish()
    LateStep(args, said).tell()
    assert said.getvalue() == "… risk is at work\n… risk is at work (about 30 s)\n"
    assert StepPaces.of_this_machine().own["verb risk"][0][0] == 5000


def test_a_policy_counts_by_the_files_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"x" * 5000)
    (tmp_path / "policy.yaml").write_text("read: {csv: a.csv}\nother: {csv: none.csv}\n")
    assert LateStep(argparse.Namespace(verb="check", policy=tmp_path / "policy.yaml"), io.StringIO()).amount == 5000


def test_whoever_shows_steps_silences_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled: list[LateStep] = []
    monkeypatch.setattr(LateStep, "finish", lambda self: cancelled.append(self))
    with late_step(argparse.Namespace(verb="plan")):
        shows_steps_itself()
    assert not cancelled
    with late_step(argparse.Namespace(verb="risk")):
        pass
    assert [one.what for one in cancelled] == ["risk"]
