"""Membership: the most powerful test has the power that differential privacy allows it, and no more."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_visits import table
from subset_modes import asked, coin_tosses, modes, once_in_a_million, session_of

from sharewell.protocols import Truth
from sharewell.queries import Membership, NoisyMarginals, NoisyTable
from sharewell.queries.attacks.membership import largest_power
from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers

BITS = coin_tosses(400)


def test_success_against_every_mode() -> None:
    noisy = {name: one for name, one in modes(BITS).items() if "exact by" not in name}
    found = {name: Membership(targets=400).mount(one, truth=BITS) for name, one in noisy.items()}
    assert found["exact"].value == 1.0
    assert found["exact"].details.false_positives == 0.0
    members = int(BITS.sum())
    for name in ("noise", "noise and stored answers", "noise and budget"):
        bound = found[name].details.bound
        assert found[name].value <= bound + 5 * math.sqrt(bound / members), name
    assert Membership(targets=40, repeats=500).mount(SimulatedAnswers(BITS, 0.3), truth=BITS).value > 0.9
    stored = Membership(targets=400, repeats=50).mount(SimulatedAnswers(BITS, 0.1, stored=True), truth=BITS)
    assert stored.value <= 0.06 + 5 * math.sqrt(0.06 / members)


@pytest.mark.parametrize("rule", ["exact by sums", "exact by cells"])
def test_exact_answers_under_control_still_tell_whoever_knows_all_others(rule: str) -> None:
    """Control is no differential privacy: an attacker who knows everybody else learns a person from one sum."""
    few = coin_tosses(60)
    found = Membership(targets=40).mount(modes(few)[rule], truth=few)
    answered = (found.details.expected_power - 0.05) / 0.95
    assert found.value == pytest.approx(answered, abs=0.35)
    assert found.details.bound == found.details.expected_power


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("fpr", [0.01, 0.05, 0.2])
def test_power_stays_within_the_bound_and_comes_near(epsilon: float, fpr: float) -> None:
    """Laplace noise allows what differential privacy does, up to its steps. 20,000 draws: 5 standard errors."""
    power = Membership(fpr=fpr).mount(SimulatedAnswers(BITS, epsilon)).details.expected_power
    bound = largest_power(epsilon, 0.0, fpr)
    assert power <= bound + 5 * math.sqrt(bound / 20_000) + 5 * math.exp(epsilon) * math.sqrt(fpr / 20_000)
    assert power > 0.6 * bound


def test_the_bound_of_delta_and_of_large_losses() -> None:
    assert largest_power(0.0, 0.0, 0.05) == pytest.approx(0.05)
    assert largest_power(0.0, 0.1, 0.05) == pytest.approx(0.15)
    assert largest_power(3.0, 0.0, 0.5) == pytest.approx(1 - math.exp(-3.0) * 0.5)
    assert largest_power(1e9, 0.0, 0.05) == 1.0


def test_people_of_a_noisy_table_are_recognised_no_more_often_than_the_bound_says() -> None:
    original = table(rows_per_person=2)
    truth = Truth(original, np.arange(1))
    hits, false = [], []
    for _ in range(40):
        released = NoisyMarginals(epsilon=1.0, of=[["sex", "age"], ["ward"]]).protect(original, []).data
        found = Membership(fpr=0.1).mount(released, truth)
        hits.append(found.value)
        false.append(found.details.false_positives)
    bound = largest_power(1.0, 0.0, 0.1)
    assert found.details.bound == bound
    error = math.sqrt(bound / 40 / 10)  # people of one release share cells: count ten of thirty
    assert np.mean(hits) <= bound + 5 * error
    assert abs(np.mean(false) - 0.1) <= 5 * math.sqrt(0.1 / 40 / 10)
    sure = NoisyMarginals(epsilon=50.0, of=[["sex", "age"]]).protect(original, []).data
    assert Membership().mount(sure, truth).value > 0.9


def test_noise_that_is_not_known_is_not_tested() -> None:
    plain = NoisyTable({"sex": ["F"]}, np.array([3.0]), {})
    assert Membership().mount(plain).value is None
    law = {"noise": "discrete-gaussian", "scale": 5.0, "sensitivity": 1.0, "epsilon": None, "rho": 0.02, "times": 1}
    gaussian = NoisyTable({"sex": ["F"]}, np.array([3.0]), {"terms": [law], "rho": 0.02, "marginals": [["sex"]]})
    found = Membership().mount(gaussian)
    assert found.value <= found.details.bound


def test_a_session_recognises_nobody_beyond_its_budget(tmp_path: Path) -> None:
    few = BITS[:60]
    with session_of(tmp_path, few, "budget: {epsilon: 1}") as session:
        found = Membership(targets=40).mount(asked(session, 60, 0.25), truth=few)
        assert found.details.bound == pytest.approx(0.1 * largest_power(0.25, 0, 0.05) + 0.9 * 0.05)
        assert session.budget()["dataset:people"].remaining.is_zero


def test_a_session_within_its_budget_tells_no_more_than_the_bound(tmp_path: Path) -> None:
    """A count for each of forty people, at ε = 0.025, and an attacker who takes it for exact, as without noise it is.

    Of those who do not have it, noise makes it positive for α/(1 + α), α = e^-ε; one in twenty of the rest is guessed.
    """
    few = BITS[:40]
    with session_of(tmp_path, few, "budget: {epsilon: 1}") as session:
        trusting = replace(asked(session, 40, 0.025), epsilon=50.0)
        found = Membership(targets=40).mount(trusting, truth=few)
        assert session.budget()["dataset:people"].remaining.is_zero
    positive = math.exp(-0.025) / (1 + math.exp(-0.025))
    false = positive + 0.05 * (1 - positive)
    limit = once_in_a_million(largest_power(0.025, 0.0, false), int(few.sum()))
    assert found.value <= limit < 1, "all would be recognised"
    assert found.details.false_positives <= once_in_a_million(false, 40 - int(few.sum()))
