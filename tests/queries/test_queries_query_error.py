"""Query error: nothing is wrong in an exact table, and noise shows."""

from __future__ import annotations

import numpy as np
from small_visits import table

from sharewell.queries import NoisyMarginals, NoisyTable, QueryError


def test_an_exact_table_has_no_error_and_a_noisy_one_has() -> None:
    released = NoisyMarginals(epsilon=1.0, of=[["age", "sex"], ["ward"]]).protect(table(), []).data
    truth = np.concatenate([table().counts(["sex", "age"]).ravel(), table().counts(["ward"])]).astype(float)
    exact = NoisyTable(released.keys, truth, {})
    assert QueryError(number=100).score(table(), exact).value == 0
    off = NoisyTable(released.keys, truth + 1, {})
    found = QueryError(number=100).score(table(), off)
    assert found.value is not None
    assert found.value > 0
    assert found.details.queries == 100


def test_what_no_marginal_has_is_not_asked() -> None:
    assert QueryError().score(table(), NoisyTable({"sex": ["young"]}, np.array([1.0]), {})).value is None
    assert QueryError().score(table(), table()).value is None
