"""Privacy loss: exact, rounded up, and nothing that is no loss."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.queries.loss import DELTA, EPSILON, MOST, RHO, Loss, epsilon_at, in_decimals, rho_within

amounts = st.integers(0, 10**12)
losses = st.builds(Loss, amounts, amounts) | st.builds(Loss, st.none(), amounts, amounts)


@pytest.mark.parametrize(
    ("amount", "units"),
    [
        (0.1, 10**8),
        ("0.1", 10**8),
        (Decimal("0.1"), 10**8),
        (1, 10**9),
        ("1/3", 333_333_334),
        (Fraction(1, 3), 333_333_334),
        (Fraction(0.1), 10**8 + 1),
        (np.float64(0.1), 10**8),
        ("1e-9", 1),
        ("1.0000000001e-9", 2),
        ("1e-50", 1),
        (5e-10, 1),
        (0, 0),
        ("0e-500", 0),
        (10**9, MOST),
    ],
)
def test_amounts_are_rounded_up(amount: float | str | Fraction, units: int) -> None:
    assert Loss.of(epsilon=amount).epsilon == units


BAD = [-1, -1e-12, "-0.5", float("nan"), float("inf"), -float("inf"), "inf", "NaN", 10**9 + 1, 1e300, "1e999999999"]
BAD += ["1e-999999999", "much", "", "1/0", "1/2/3", "9" * 5000, True, np.float64("nan"), Decimal("Infinity"), "0x10"]


@pytest.mark.parametrize("amount", BAD, ids=lambda amount: str(amount)[:20])
@pytest.mark.parametrize("name", ["epsilon", "delta", "rho"])
def test_what_is_no_amount_is_refused(name: str, amount: float | str) -> None:
    with pytest.raises(DataError, match=name) as refused:
        Loss.of(**{"epsilon": 1, name: amount})
    assert "9999" not in str(refused.value)


def test_units_are_whole_numbers_in_range() -> None:
    for wrong in ({"epsilon": 0.5}, {"epsilon": -1}, {"epsilon": True}, {"rho": MOST + 1}, {"epsilon": 1, "delta": -1}):
        with pytest.raises(DataError, match="whole number"):
            Loss(**wrong)


def test_a_loss_states_something_and_does_not_contradict_itself() -> None:
    with pytest.raises(DataError, match="neither"):
        Loss.of(delta=0.1)
    with pytest.raises(DataError, match="contradict"):
        Loss.of(epsilon=0, rho=0.1)
    assert Loss.of(epsilon=0).is_zero
    assert not Loss.of(epsilon=0, delta=0.1).is_zero


@given(losses, losses)
def test_sums_are_exact_and_no_smaller_than_their_parts(one: Loss, other: Loss) -> None:
    try:
        total = one + other
    except DataError:  # a loss by rho alone and an approximate one have no sum that either measure could state
        assert (one.rho is None) != (other.rho is None)
        return
    assert total == other + one
    assert total.delta == one.delta + other.delta
    if one.epsilon is not None and other.epsilon is not None:
        assert total.epsilon == one.epsilon + other.epsilon
        assert one <= total
    assert Loss.from_json(total.to_json()) == total


def test_pure_losses_have_a_rho() -> None:
    assert Loss.of(epsilon=1).rho_bound == Loss.of(rho=0.5).rho
    assert Loss.of(epsilon="1e-9").rho_bound == 1
    assert Loss.of(epsilon=1, delta="1e-6").rho_bound is None
    assert Loss.of(epsilon=1) + Loss.of(rho="0.25") == Loss.of(rho="0.75")


def test_losses_are_partly_ordered() -> None:
    small, large = Loss.of(epsilon=1), Loss.of(epsilon=2, delta="1e-6")
    assert small <= large
    assert small < large
    assert large >= small
    assert not small < Loss.of(epsilon=1)
    assert not Loss.of(epsilon=3) <= large
    assert not large <= Loss.of(epsilon=3)
    assert Loss.of(epsilon=3, rho=1) <= Loss.of(rho=1)


def test_they_read_well() -> None:
    assert str(Loss.of(epsilon="0.5", delta="1e-6", rho=2)) == "epsilon 0.5, delta 0.000001, rho 2"
    assert in_decimals(10**12, EPSILON) == "1000"
    for wrong in ({"eps": "1"}, [], {"epsilon": [1]}):
        with pytest.raises(DataError):
            Loss.from_json(wrong)


@given(st.integers(0, 10**14), st.integers(1, MOST - 1))
def test_epsilon_at_a_delta_is_rounded_up_and_by_little(rho: int, delta: int) -> None:
    total = rho / 10**RHO
    expected = total + 2 * math.sqrt(total * max(0.0, -math.log(delta / 10**DELTA)))
    assert epsilon_at(rho, delta) == pytest.approx(expected * 10**EPSILON, rel=1e-9, abs=2)
    assert epsilon_at(rho, delta) >= math.floor(expected * 10**EPSILON * (1 - 1e-12))


def test_epsilon_at_a_delta_of_the_literature() -> None:
    """Bun and Steinke, proposition 1.3, at delta 10⁻⁶: ln(1/delta) = 13.8155…"""
    assert epsilon_at(0, 10**12) == 0
    assert epsilon_at(5 * 10**11, 10**12) == 5_756_521_770
    for delta in (0, MOST):
        with pytest.raises(DataError, match="delta"):
            epsilon_at(1, delta)


@given(st.integers(0, 10**11), st.integers(1, 10**17))
def test_the_largest_rho_within_an_epsilon(epsilon: int, delta: int) -> None:
    rho = rho_within(epsilon, delta)
    assert epsilon_at(rho, delta) <= epsilon < epsilon_at(rho + 1, delta)
