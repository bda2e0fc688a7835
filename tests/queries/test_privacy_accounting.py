"""What a loss takes from an account of either accounting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.queries.engine.ledger.privacy_accounting import as_loss, cap_units, counted, guarantee
from sharewell.queries.loss import MOST, Loss, epsilon_at


def test_pure_counts_epsilon_and_delta() -> None:
    assert counted("pure", Loss(5, 7, 9)) == (5, 7)
    assert cap_units("pure", Loss(5, 7), 0) == (5, 7)
    assert as_loss("pure", 5, 7) == guarantee("pure", 0, 5, 7) == Loss(5, 7)
    for wrong in (lambda: counted("pure", Loss(rho=1)), lambda: cap_units("pure", Loss(rho=1), 0)):
        with pytest.raises(DataError, match="rho alone"):
            wrong()
    with pytest.raises(DataError, match="zcdp alone"):
        cap_units("pure", Loss(5), 1)


def test_zcdp_counts_rho_and_delta() -> None:
    assert counted("zcdp", Loss(None, 7, 9)) == (9, 7)
    assert counted("zcdp", Loss.of(epsilon=2)) == (2 * 10**12, 0)
    assert as_loss("zcdp", 5, 7) == Loss(None, 7, 5)
    assert cap_units("zcdp", Loss(rho=5), 1) == (5, 0)
    assert cap_units("zcdp", Loss(epsilon=10**9, rho=5), 10**12) == (5, 0)
    with pytest.raises(DataError, match="counts rho"):
        counted("zcdp", Loss(5, 7))
    for delta in (0, MOST):
        with pytest.raises(DataError, match="between 0 and 1"):
            cap_units("zcdp", Loss(rho=5), delta)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=20), st.integers(10**6, 10**15))
def test_many_small_questions_cost_less_by_rho_than_by_epsilon_or_are_stated_no_smaller(
    epsilons: list[int], delta: int
) -> None:
    """The guarantee of the sum is never below that of its largest part."""
    total = sum(counted("zcdp", Loss(epsilon))[0] for epsilon in epsilons)
    stated = guarantee("zcdp", delta, total, 0)
    assert stated.epsilon is not None
    assert stated.epsilon >= epsilon_at(counted("zcdp", Loss(max(epsilons)))[0], delta)
    assert stated.delta == delta
