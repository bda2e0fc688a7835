"""What a step took the last time is kept for each policy, in seconds alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sharewell.io import step_times
from sharewell.io.step_times import StepTimes


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(policy: Path, **seconds: float) -> None:
    times = StepTimes.of(policy)
    for step, took in seconds.items():
        times.add(step, took)
    times.save()


def test_each_policy_has_its_own_times(tmp_path: Path) -> None:
    run(tmp_path / "a.yaml", reading=12.34, writing=0.5)
    assert StepTimes.of(tmp_path / "a.yaml").last("reading") == 12.3
    assert StepTimes.of(tmp_path / "a.yaml").last("writing") is None, "shorter than anybody notices"
    assert StepTimes.of(tmp_path / "b.yaml").last("reading") is None


def test_a_step_that_became_short_is_forgotten(tmp_path: Path) -> None:
    run(tmp_path / "a.yaml", reading=12.0)
    run(tmp_path / "a.yaml", reading=0.1)
    assert StepTimes.of(tmp_path / "a.yaml").last("reading") is None


def test_neither_policy_nor_step_is_named_in_the_cache(tmp_path: Path, cache: Path) -> None:
    run(tmp_path / "canary.yaml", **{"protecting canary": 9.0})
    (kept,) = (cache / "sharewell" / "steps").iterdir()
    assert "canary" not in kept.name + kept.read_text()


def test_quick_commands_leave_nothing(tmp_path: Path, cache: Path) -> None:
    run(tmp_path / "a.yaml", reading=1.9)
    assert not cache.exists()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"a": "b"}', '{"a": null}', '{"a": [1]}'])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, cache: Path, content: str) -> None:
    run(tmp_path / "a.yaml", reading=12.0)
    (kept,) = (cache / "sharewell" / "steps").iterdir()
    kept.write_text(content)
    assert StepTimes.of(tmp_path / "a.yaml").last("reading") is None
    run(tmp_path / "a.yaml", reading=13.0)
    assert StepTimes.of(tmp_path / "a.yaml").last("reading") == 13.0


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a file"))
    run(tmp_path / "a.yaml", reading=12.0)
    assert StepTimes.of(tmp_path / "a.yaml").last("reading") is None


def test_of_many_policies_the_last_ones_are_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_times, "_MOST_FILES", 2)
    for i in range(6):
        run(tmp_path / f"{i}.yaml", reading=12.0)
        os.utime(StepTimes.of(tmp_path / f"{i}.yaml").file, (i, i))
    assert StepTimes.of(tmp_path / "0.yaml").last("reading") is None
    assert StepTimes.of(tmp_path / "5.yaml").last("reading") == 12.0
    assert len(list((cache / "sharewell" / "steps").iterdir())) <= 3
