"""How long a step takes is estimated from what this machine did, else from what ships, else not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharewell.io.step_paces import StepPaces


def test_the_nearest_amount_counts_and_the_growth_is_fitted() -> None:
    paces = StepPaces()
    assert paces.estimate("protecting", 1000) is None
    paces.add("protecting", 1000, 2.0)
    assert paces.estimate("protecting", 4000) == pytest.approx(8.0)
    paces.add("protecting", 2000, 8.0)  # so it grows with the square
    assert paces.estimate("protecting", 4000) == pytest.approx(32.0)
    assert paces.estimate("protecting", 1000) == pytest.approx(2.0)
    assert paces.estimate("reading", 1000) is None
    assert paces.estimate("protecting", 1_000_000) is None  # too far from what is known
    assert paces.estimate("protecting", 10) is None


def test_a_later_run_of_the_same_size_counts_instead_of_the_earlier() -> None:
    paces = StepPaces()
    paces.add("reading", 1000, 2.0)
    paces.add("reading", 1100, 9.0)
    assert paces.own == {"reading": [(1100.0, 9.0)]}
    paces.add("reading", 1100, 0.01)  # too short to tell anything
    assert paces.estimate("reading", 1100) == 9.0


def test_what_ships_is_used_until_this_machine_did_it() -> None:
    paces = StepPaces(shipped={"reading": [(1000.0, 1.0), (4000.0, 16.0)]})
    assert paces.estimate("reading", 2000) == pytest.approx(4.0)
    paces.add("reading", 1000, 3.0)
    assert paces.estimate("reading", 2000) == pytest.approx(12.0)  # the level is ours, the growth what ships


def test_it_is_kept_for_the_next_run_and_damage_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    paces = StepPaces.of_this_machine()
    paces.add("an odd work", 1000, 5.0)
    paces.save()
    file = tmp_path / "sharewell" / "paces.json"
    assert json.loads(file.read_text()) == {"an odd work": [[1000.0, 5.0]]}
    assert StepPaces.of_this_machine().estimate("an odd work", 1000) == 5.0
    for damage in ("{", "[]", '{"an odd work": 3}', '{"an odd work": [[0, -1]]}', '{"an odd work": [["a", 1]]}'):
        file.write_text(damage)
        assert StepPaces.of_this_machine().estimate("an odd work", 1000) is None


def test_what_ships_can_be_read() -> None:
    assert all(points for points in StepPaces.of_this_machine().shipped.values())
