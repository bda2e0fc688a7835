"""Noise and choices by opendp: what they spend, and that they are distributed as stated."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest

from sharewell.queries.engine.protection.opendp_noise import Rule, Term, chosen, loss_of, noisy
from tests.queries.tiny_tables import exponential, permute_and_flip

MANY = 20_000
ONE_IN_A_MILLION = 4.9
"""Standard deviations."""


@pytest.mark.parametrize("epsilon", [0.1, 0.15, 1.0, 3.0, 1 / 3])
@pytest.mark.parametrize("moved", [1, 3, 7])
def test_noise_spends_no_more_than_was_asked_for(epsilon: float, moved: int) -> None:
    _, term = noisy(np.zeros(1, np.int64), moved, epsilon, "counts")
    assert epsilon * (1 - 1e-12) <= term.epsilon <= epsilon
    assert term.scale == pytest.approx(moved / epsilon)


def test_noise_has_the_variance_of_discrete_laplace() -> None:
    """At ε = 1: 1.8413; its mean is 0, and 0 itself has probability .46212."""
    drawn, _ = noisy(np.zeros(MANY, np.int64), 1, 1.0, "counts")
    alpha = math.exp(-1)
    variance = 2 * alpha / (1 - alpha) ** 2
    assert variance == pytest.approx(1.8413, abs=1e-4)
    assert abs(drawn.mean()) < ONE_IN_A_MILLION * math.sqrt(variance / MANY)
    zero = (1 - alpha) / (1 + alpha)
    assert zero == pytest.approx(0.46212, abs=1e-5)
    assert abs((drawn == 0).mean() - zero) < ONE_IN_A_MILLION * math.sqrt(zero * (1 - zero) / MANY)


def test_no_counts_get_no_noise() -> None:
    drawn, _ = noisy(np.zeros(0, np.int64), 1, 1.0, "counts")
    assert drawn.tolist() == []


def test_the_definitions_have_the_values_of_the_literature() -> None:
    assert exponential([3, 1], 2.0) == pytest.approx([0.73106, 0.26894], abs=1e-5)
    assert exponential([3, 1], 1.0) == pytest.approx([0.88080, 0.11920], abs=1e-5)
    assert exponential([10, 8], 2.0) == exponential([3, 1], 2.0)
    assert permute_and_flip([3, 1], 2.0) == pytest.approx([1 - math.exp(-1) / 2, math.exp(-1) / 2])


@pytest.mark.parametrize(("rule", "best"), [("exponential", 0.73106), ("permute-and-flip", 0.81606)])
def test_choices_are_distributed_as_they_are_named(rule: Rule, best: float) -> None:
    """Utilities 3 and 1, sensitivity 1, ε = 1."""
    first = sum(chosen([3, 1], 1, 1.0, "x", rule=rule, monotone=False)[0] == 0 for _ in range(MANY // 4)) / (MANY // 4)
    assert abs(first - best) < ONE_IN_A_MILLION * math.sqrt(best * (1 - best) / (MANY // 4))


@pytest.mark.parametrize("rule", get_args(Rule))
@pytest.mark.parametrize("monotone", [True, False])
def test_a_choice_spends_what_was_asked_for(rule: Rule, monotone: bool) -> None:
    _, term = chosen([5, 2, 2], 3, 0.25, "x", rule=rule, monotone=monotone)
    assert term.epsilon == pytest.approx(0.25, rel=1e-12)
    assert term.epsilon <= 0.25
    assert term.scale == pytest.approx((3 if monotone else 6) / 0.25)


@pytest.mark.parametrize("definition", [exponential, permute_and_flip])
def test_no_two_near_scores_are_told_apart_beyond_the_loss(definition) -> None:  # type: ignore[no-untyped-def]
    """All scores 0 … 2 of three candidates, all moved by at most 1, in any and in one direction."""
    from itertools import product

    for monotone, steps in ((False, (-1, 0, 1)), (True, (0, 1))):
        _, term = chosen([0], 1, 0.7, "x", rule="exponential", monotone=monotone)
        worst = 0.0
        for scores in product(range(3), repeat=3):
            here = definition(scores, term.scale)
            for moves in product(steps, repeat=3):
                there = definition([s + m for s, m in zip(scores, moves, strict=True)], term.scale)
                worst = max(worst, *(abs(math.log(a / b)) for a, b in zip(here, there, strict=True)))
        assert 0.5 * 0.7 < worst <= 0.7 * (1 + 1e-9)


def test_losses_add_up_and_are_rounded_up() -> None:
    terms = [Term("a", "n", 1.0, 1, 0.1, times=3), Term("b", "n", 1.0, 1, 0.2)]
    exact = 3 * Fraction(0.1) + Fraction(0.2)
    assert Fraction(loss_of(terms)) >= exact
    assert loss_of(terms) == pytest.approx(0.5)
