"""The tracker succeeds against exact answers alone; noise and control keep it near a coin toss."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from small_visits import table
from subset_modes import EPSILON, asked, coin_tosses, modes, once_in_a_million, session_of

from sharewell.protocols import Truth
from sharewell.queries import NoisyMarginals, Tracker

BITS = coin_tosses(80)


def test_success_against_every_mode() -> None:
    found = {name: Tracker(targets=80).mount(one, truth=BITS) for name, one in modes(BITS).items()}
    assert found["exact"].value == 1.0
    assert found["exact"].details.revealed == 80
    for name in ("exact by sums", "exact by cells"):
        assert found[name].details.revealed == 0, name
    slack = 5 * math.sqrt(0.25 / 80)  # one in a million
    for name, one in found.items():
        assert name == "exact" or one.value <= one.details.bound + slack, name
    assert found["noise and budget"].details.revealed == 5
    assert found["noise"].details.bound == pytest.approx(1 / (1 + math.exp(-2 * EPSILON)))


def test_a_session_that_answers_exactly_reveals_nobody(tmp_path: Path) -> None:
    with session_of(tmp_path, BITS, "mode: exact\n    exact: {least: 5}") as session:
        assert Tracker(targets=8).mount(asked(session, 80, None), truth=BITS).details.revealed == 0
        assert session.history(), "one question of each pair may well be answered"


def test_a_session_within_its_budget_tells_no_more_than_the_bound(tmp_path: Path) -> None:
    """Two answers about each of 32 people, as many as the budget has: exact ones would tell all of them."""
    with session_of(tmp_path, BITS, "budget: {epsilon: 1}") as session:
        found = Tracker(targets=32).mount(asked(session, 80, 1 / 64), truth=BITS)
        assert session.budget()["dataset:people"].remaining.is_zero
        assert Tracker(targets=4, seed=8).mount(asked(session, 80, 1 / 64), truth=BITS).details.revealed == 0
    assert (found.details.revealed, found.details.refused) == (32, 0)
    limit = once_in_a_million(found.details.bound, 32)
    assert found.details.bound < 0.51 < limit < 1
    assert found.value <= limit


def test_marginals_are_subtracted_from_each_other() -> None:
    original = table(rows_per_person=2)
    released = NoisyMarginals(epsilon=50.0, of=[["sex", "age"], ["sex"]]).protect(original, []).data
    found = Tracker().mount(released, Truth(original, np.arange(released.rows)))
    assert found.value > 0.9, "at ε = 50 there is next to no noise"
    noisy = NoisyMarginals(epsilon=1.0, of=[["sex", "age"], ["sex"]]).protect(original, []).data
    assert Tracker().mount(noisy).value < 0.1
    assert "nothing to subtract" in Tracker().mount(NoisyMarginals(epsilon=1.0).protect(original, []).data).note
