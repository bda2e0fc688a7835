"""Simulated desks keep their caps and stores; a real one is asked by filters, and a refusal is no answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from subset_modes import asked, coin_tosses, session_of

from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers, largest_belief, most_exact


def test_a_cap_counts_fresh_answers_alone() -> None:
    answers = SimulatedAnswers(coin_tosses(20), 0.5, cap=1.0, stored=True)
    half, rest = np.arange(20) < 10, np.arange(20) >= 10
    first = answers.count(half)
    assert first == answers.count(half)
    assert answers.spent == 0.5
    assert answers.count(rest) is not None
    assert answers.count(~(half ^ (np.arange(20) == 3))) is None
    assert answers.count(half) == first


def test_a_session_is_asked_by_a_list_of_people(tmp_path: Path) -> None:
    bits = coin_tosses(40)
    with session_of(tmp_path, bits, "mode: exact\n    exact: {least: 5}") as session:
        answers = asked(session, 40, None)
        members = np.arange(40) < 12
        assert answers.count(members) == bits[:12].sum()
        assert answers.count(np.arange(40) < 11) is None
        assert answers.persons == 40


def test_beliefs_are_those_of_the_page_for_stewards() -> None:
    assert largest_belief(1.0, 0.01) == pytest.approx(0.0267, abs=1e-4)
    assert largest_belief(None, 0.01) == most_exact(None) == 1.0
    assert most_exact(0.1) == pytest.approx(0.04996, abs=1e-5)
