"""Reconstruction by linear programming: all of it without a budget, next to nothing within one."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_visits import table
from subset_modes import CAP, asked, coin_tosses, modes, once_in_a_million, session_of

from sharewell.protocols import Truth
from sharewell.queries import NoisyMarginals, Reconstruction
from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers

BITS = coin_tosses(48)


def test_success_against_every_mode() -> None:
    found = {name: Reconstruction(questions=200).mount(one, truth=BITS) for name, one in modes(BITS).items()}
    assert found["exact"].value == 1.0
    slack = 5 * math.sqrt(0.25 / 48)
    capped = found["noise and budget"]
    assert capped.details.answered == 10
    assert capped.details.bound == pytest.approx(1 / (1 + math.exp(-CAP)))
    assert capped.value <= once_in_a_million(capped.details.bound, 48) < 1
    assert found["exact by cells"].value <= 0.5 + slack
    assert found["exact by cells"].details.answered <= 3
    by_sums = found["exact by sums"]
    assert by_sums.value > 0.9, "a linear audit does not protect zeros and ones: a session refuses them under that rule"
    assert by_sums.details.answered < 48


def test_success_grows_with_questions_and_falls_with_noise() -> None:
    """Noise below the root of the number of people does not protect, however it is drawn."""
    shares = {
        (epsilon, questions): np.mean(
            [
                Reconstruction(questions=questions, seed=seed)
                .mount(SimulatedAnswers(BITS, epsilon, seed=seed), BITS)
                .value
                for seed in range(3)
            ]
        )
        for epsilon in (0.1, 1.0)
        for questions in (24, 240)
    }
    assert shares[1.0, 240] > 0.95
    assert shares[1.0, 24] < shares[1.0, 240]
    assert shares[0.1, 240] < shares[1.0, 240]
    assert shares[0.1, 24] < 0.75


def test_within_a_budget_the_mean_success_stays_within_the_bound() -> None:
    """Thirty tables of 48 coin tosses: 5 standard errors, one in a million."""
    right = []
    for seed in range(30):
        bits = coin_tosses(48, seed)
        answers = SimulatedAnswers(bits, 0.25, cap=CAP, seed=seed)
        right.append(Reconstruction(questions=40, seed=seed).mount(answers, truth=bits).value)
    assert np.mean(right) <= 1 / (1 + math.exp(-CAP)) + 5 * math.sqrt(0.25 / (30 * 48))


def test_a_session_runs_out_of_budget_before_anything_is_reconstructed(tmp_path: Path) -> None:
    """A hundred answers about sixty people, and no more: exact ones would tell everybody's."""
    people = coin_tosses(60)
    with session_of(tmp_path, people, "budget: {epsilon: 1}") as session:
        found = Reconstruction(questions=120).mount(asked(session, 60, 0.01), truth=people)
    assert found.details.answered == 100
    assert found.details.bound == pytest.approx(1 / (1 + math.exp(-1)))
    assert found.value <= once_in_a_million(found.details.bound, 60) < 1


def test_a_table_is_reconstructed_from_marginals_without_noise_alone() -> None:
    original = replace(table(rows_per_person=2), roles={"ward": "sensitive"})
    truth = Truth(original, np.arange(1))
    of = [["sex", "age", "ward"]]
    sure = Reconstruction().mount(NoisyMarginals(epsilon=50.0, of=of).protect(original, []).data, truth)
    assert (sure.column, sure.details.answered) == ("ward", 3 * 10 * 3)
    assert sure.value >= sure.details.baseline
    alone = Reconstruction().mount(NoisyMarginals(epsilon=1.0, of=[["ward"]]).protect(original, []).data, truth)
    assert alone.value <= alone.details.baseline, "a marginal of the column alone tells the most frequent label"
    missing = Reconstruction().mount(NoisyMarginals(epsilon=1.0, of=[["sex"]]).protect(original, []).data, truth)
    assert missing.value == missing.details.baseline
    assert Reconstruction().mount(NoisyMarginals(epsilon=1.0).protect(original, []).data).value is None
