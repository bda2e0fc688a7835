"""Averaging beats fresh noise, and neither stored answers nor a budget."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from small_visits import table
from subset_modes import CAP, EPSILON, asked, coin_tosses, modes, once_in_a_million, session_of

from sharewell.protocols import Truth
from sharewell.queries import Averaging, NoisyMarginals
from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers

BITS = coin_tosses(60)


def test_fresh_answers_average_down_as_the_root_of_their_number() -> None:
    errors = {}
    for repeats in (1, 100):
        found = Averaging(repeats=repeats, questions=400).mount(SimulatedAnswers(BITS, EPSILON), truth=BITS)
        errors[repeats] = found.details.error
    assert errors[1] == pytest.approx(math.sqrt(2) / EPSILON, rel=0.25)
    assert errors[100] == pytest.approx(errors[1] / 10, rel=0.25)


def test_success_against_every_mode() -> None:
    """Exact answers and enough fresh ones are known exactly; stored ones, and a budget, stay within the bound."""
    found = {name: Averaging(repeats=2_000, questions=30).mount(one, truth=BITS) for name, one in modes(BITS).items()}
    assert found["exact"].value == 1.0
    assert found["noise"].value > 0.8
    for name in ("noise and stored answers", "noise and budget"):
        value, bound = found[name].value, found[name].details.bound
        assert bound <= math.tanh(CAP / 2)
        assert value <= bound + 5 * math.sqrt(bound / 30), name
    assert found["noise and budget"].details.refused == 20
    assert found["exact by cells"].value <= 0.1, "it refuses random halves, and never errs where it answers"


def test_the_bound_is_met_on_average_over_many_questions() -> None:
    """P(hit) of discrete Laplace noise is the bound itself: 5 standard errors, one in a million."""
    found = Averaging(repeats=1, questions=4_000).mount(SimulatedAnswers(BITS, 1.0), truth=BITS)
    error = math.sqrt(0.4621 * 0.5379 / 4_000)
    assert abs(found.value - math.tanh(0.5)) < 5 * error


def test_without_the_truth_the_risk_is_computed() -> None:
    answers = SimulatedAnswers(BITS, EPSILON)
    computed, measured = Averaging(repeats=500).mount(answers), Averaging(repeats=500).mount(answers, truth=BITS)
    assert "not simulated" in computed.note
    assert abs(computed.value - measured.value) < 0.4


def test_a_session_gives_the_same_answer_however_often_it_is_asked(tmp_path: Path) -> None:
    with session_of(tmp_path, BITS, "budget: {epsilon: 1}") as session:
        found = Averaging(repeats=5, questions=4).mount(asked(session, 60, 0.25), truth=BITS)
        assert found.details.fresh == 1.0
        assert session.budget()["dataset:people"].remaining.is_zero


def test_a_session_within_its_budget_tells_no_more_than_the_bound(tmp_path: Path) -> None:
    """Forty counts at ε = 0.025, each asked for three times: the second and third time nothing new is told."""
    with session_of(tmp_path, BITS, "budget: {epsilon: 1}") as session:
        found = Averaging(repeats=3, questions=41).mount(asked(session, 60, 0.025), truth=BITS)
        assert (found.details.fresh, found.details.refused) == (1.0, 1)
        assert session.budget()["dataset:people"].remaining.is_zero
    limit = once_in_a_million(math.tanh(0.0125), 40)
    assert limit < 0.25, "without noise, or with fresh noise of a larger ε, the attack would exceed it"
    assert found.value <= limit
    assert found.details.bound == pytest.approx(math.tanh(0.0125) * 40 / 41)


def test_what_two_marginals_tell_is_averaged() -> None:
    original = table(rows_per_person=2)
    released = NoisyMarginals(epsilon=50.0, of=[["sex", "age"], ["sex", "ward"]]).protect(original, []).data
    sure = Averaging().mount(released, Truth(original, np.arange(released.rows)))
    assert sure.value == 1.0, "at ε = 50 there is next to no noise: the attack finds what is there"
    assert sure.details.numbers == 3
    noisy = NoisyMarginals(epsilon=0.1, of=[["sex", "age"], ["sex", "ward"]]).protect(original, []).data
    assert Averaging().mount(noisy).details.bound == pytest.approx(math.tanh(0.05))
