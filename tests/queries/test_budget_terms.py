"""Noise and choices by opendp: what they spend, and that they are distributed as stated."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import get_args

import numpy as np
import pytest
from tiny_tables import exponential, permute_and_flip

from sharewell.opendp_noise import Price
from sharewell.queries.engine.protection.budget_terms import PrivateChoice, Rule, Term, loss_of, noisy

MANY, SOME = 20_000, 2_500
ONE_IN_A_MILLION = 4.9
"""Standard deviations."""


@pytest.mark.parametrize("epsilon", [0.1, 0.15, 1.0, 3.0, 1 / 3])
@pytest.mark.parametrize("moved", [1, 3, 7])
def test_noise_spends_no_more_than_was_asked_for(epsilon: float, moved: int) -> None:
    _, term = noisy(np.zeros(1, np.int64), Price("pure", epsilon), moved, 1.0, "counts")
    assert term.epsilon == pytest.approx(epsilon, rel=1e-12)
    assert term.loss <= epsilon
    assert (term.scale, term.rho) == (pytest.approx(moved / epsilon), None)


def test_a_budget_in_rho_is_spent_on_normal_noise() -> None:
    """ρ = length²/2·scale²."""
    _, term = noisy(np.zeros(1, np.int64), Price("zcdp", 0.125), 7, 2.0, "counts")
    assert (term.noise, term.scale, term.rho, term.epsilon) == ("discrete-gaussian", pytest.approx(4.0), 0.125, None)


def test_noise_has_the_variance_of_discrete_laplace() -> None:
    """At ε = 1: 1.8413; its mean is 0, and 0 itself has probability .46212."""
    drawn, _ = noisy(np.zeros(MANY, np.int64), Price("pure", 1.0), 1, 1.0, "counts")
    alpha = math.exp(-1)
    variance = 2 * alpha / (1 - alpha) ** 2
    assert variance == pytest.approx(1.8413, abs=1e-4)
    assert abs(drawn.mean()) < ONE_IN_A_MILLION * math.sqrt(variance / MANY)
    zero = (1 - alpha) / (1 + alpha)
    assert zero == pytest.approx(0.46212, abs=1e-5)
    assert abs((drawn == 0).mean() - zero) < ONE_IN_A_MILLION * math.sqrt(zero * (1 - zero) / MANY)


def test_no_counts_get_no_noise() -> None:
    drawn, _ = noisy(np.zeros((2, 0), np.int64), Price("pure", 1.0), 1, 1.0, "counts")
    assert drawn.shape == (2, 0)


def test_the_definitions_have_the_values_of_the_literature() -> None:
    assert exponential([3, 1], 2.0) == pytest.approx([0.73106, 0.26894], abs=1e-5)
    assert exponential([3, 1], 1.0) == pytest.approx([0.88080, 0.11920], abs=1e-5)
    assert exponential([10, 8], 2.0) == exponential([3, 1], 2.0)
    assert permute_and_flip([3, 1], 2.0) == pytest.approx([1 - math.exp(-1) / 2, math.exp(-1) / 2])


@pytest.mark.parametrize(("rule", "best"), [("exponential", 0.73106), ("permute-and-flip", 0.81606)])
def test_choices_are_distributed_as_they_are_named(rule: Rule, best: float) -> None:
    """Utilities 3 and 1, sensitivity 1, ε = 1."""
    choice = PrivateChoice.within(Price("pure", 1.0), 1, rule, monotone=False)
    first = sum(choice.among([3, 1]) == 0 for _ in range(SOME)) / SOME
    assert abs(first - best) < ONE_IN_A_MILLION * math.sqrt(best * (1 - best) / SOME)


@pytest.mark.parametrize("rule", get_args(Rule))
@pytest.mark.parametrize("monotone", [True, False])
def test_a_choice_spends_what_was_asked_for(rule: Rule, monotone: bool) -> None:
    """opendp states ρ = ε²/8 of the exponential mechanism with the same scale."""
    choice = PrivateChoice.within(Price("pure", 0.25), 3, rule, monotone)
    assert choice.loss == pytest.approx(0.25, rel=1e-12)
    assert choice.loss <= 0.25
    assert choice.scale == pytest.approx((3 if monotone else 6) / 0.25)
    concentrated = PrivateChoice.within(Price("zcdp", 0.25**2 / 8), 3, rule, monotone)
    assert (concentrated.rule, concentrated.scale) == ("exponential", pytest.approx(choice.scale))
    assert concentrated.term("x", 2).rho == pytest.approx(0.25**2 / 8)


@pytest.mark.parametrize("definition", [exponential, permute_and_flip])
def test_no_two_near_scores_are_told_apart_beyond_the_loss(
    definition: Callable[[Sequence[int], float], list[float]],
) -> None:
    """All scores 0 … 2 of three candidates, all moved by at most 1, in any and in one direction."""
    for monotone, steps in ((False, (-1, 0, 1)), (True, (0, 1))):
        scale = PrivateChoice.within(Price("pure", 0.7), 1, "exponential", monotone).scale
        worst = 0.0
        for scores in product(range(3), repeat=3):
            here = definition(scores, scale)
            for moves in product(steps, repeat=3):
                there = definition([s + m for s, m in zip(scores, moves, strict=True)], scale)
                worst = max(worst, *(abs(math.log(a / b)) for a, b in zip(here, there, strict=True)))
        assert 0.5 * 0.7 < worst <= 0.7 * (1 + 1e-9)


def test_losses_add_up_and_are_rounded_up() -> None:
    terms = [Term("a", "n", 1.0, 1, 0.1, None, times=3), Term("b", "n", 1.0, 1, 0.2, None)]
    exact = 3 * Fraction(0.1) + Fraction(0.2)
    assert Fraction(loss_of(terms)) >= exact
    assert loss_of(terms) == pytest.approx(0.5)
