"""The data cube: tables that add up, what they spend, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny_tables import bins, confidential

from sharewell.errors import Infeasible, PolicyError
from sharewell.queries.data import EVERY, NoisyTable, Values
from sharewell.queries.mechanisms import data_cube
from sharewell.queries.mechanisms.data_cube import DataCube

ROWS = [(0, 0), (1, 0), (1, 1), (1, 2)]


def cells(table: NoisyTable) -> dict[tuple[str, ...], float]:
    return dict(zip(zip(*table.keys.values(), strict=True), table.counts.tolist(), strict=True))


def test_cross_tabulations_add_up() -> None:
    released = DataCube(epsilon=0.3).protect(confidential(ROWS, bins(old=2, ward=3)), [])
    found = cells(released.data)
    assert released.data.rows == (2 + 1) * (3 + 1)
    for (old, ward), count in found.items():
        if EVERY in (old, ward):
            parts = [
                n for (a, b), n in found.items() if EVERY not in (a, b) and old in (a, EVERY) and ward in (b, EVERY)
            ]
            assert count == pytest.approx(sum(parts))


def test_without_noise_every_table_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    real = data_cube.noisy
    monkeypatch.setattr(data_cube, "noisy", lambda counts, *more: (counts, real(counts, *more)[1]))
    found = cells(DataCube(epsilon=1.0).protect(confidential(ROWS, bins(old=2, ward=3)), []).data)
    assert found[EVERY, EVERY] == pytest.approx(4)
    assert found["[1, 2]", EVERY] == pytest.approx(3)
    assert found[EVERY, "[0, 1)"] == pytest.approx(2)
    assert found["[0, 1)", "[1, 2)"] == pytest.approx(0)


def test_the_budget_is_split_among_the_chosen_tables() -> None:
    """Large columns: a table of their own for the small ones costs less than summing the large one."""
    table = confidential([], bins(a=100, b=100), rows_per_person=2, neighbours="change-one")
    released = DataCube(epsilon=1.0).protect(table, [])
    sources = len(released.details.noised)
    assert sources > 1
    assert released.details.scale == pytest.approx(4 * sources)
    terms = released.data.spent["terms"]
    assert len(terms) == sources
    assert sum(term["epsilon"] for term in terms) == pytest.approx(1.0, abs=1e-12)
    assert released.data.spent["epsilon"] <= 1.0 + 1e-15
    in_rho = DataCube(rho=0.5).protect(table, []).details
    assert in_rho.scale == pytest.approx(2 * math.sqrt(2) * math.sqrt(len(in_rho.noised)))


def test_two_binary_columns_have_the_variances_of_the_paper() -> None:
    """ε = 1: noise on the largest table alone, so 2 for its cells, 4 for those of one column and 8 for the whole."""
    details = DataCube(epsilon=1.0).protect(confidential(ROWS, bins(a=2, b=2)), []).details
    assert (details.noised, details.scale) == ((("a", "b"),), 1.0)
    assert details.variances == pytest.approx({"": 8, "a": 4, "b": 4, "a b": 2})


def test_few_ways_leave_the_large_tables_out() -> None:
    released = DataCube(epsilon=1.0, ways=1).protect(confidential([], bins(a=4, b=5, c=6)), [])
    assert (released.details.published, released.data.rows) == (4, 1 + 4 + 5 + 6)


def test_a_limit_leaves_tables_out_or_is_refused() -> None:
    table = confidential([], bins(a=10, b=10))
    released = DataCube(epsilon=1.0, limit=30).protect(table, [])
    assert released.details.left_out == 4 - released.details.published > 0
    assert max(released.details.variances.values()) <= 30
    with pytest.raises(Infeasible, match="variance of 2, and the limit is 1"):
        DataCube(epsilon=1.0, limit=1).protect(table, [])


def test_the_noise_is_as_large_as_it_is_said_to_be() -> None:
    """The largest table alone gets noise, and the sum of its four cells has four times the variance."""
    table = confidential(ROWS, bins(a=2, b=2))
    sums = np.array([cells(DataCube(epsilon=1.0).protect(table, []).data)[EVERY, EVERY] for _ in range(400)])
    alpha = math.exp(-1)
    variance = 4 * 2 * alpha / (1 - alpha) ** 2
    assert abs(sums.mean() - 4) < 4.9 * math.sqrt(variance / 400)
    assert 0.55 * variance < sums.var() < 1.6 * variance


def test_what_is_too_large_or_ambiguous_is_refused() -> None:
    with pytest.raises(Infeasible, match="2,048 tables"):
        DataCube(epsilon=1.0).protect(confidential([], bins(**{f"c{i}": 2 for i in range(11)})), [])
    with pytest.raises(Infeasible, match="4,004,001 cells"):
        DataCube(epsilon=1.0).protect(confidential([], bins(a=2000, b=2000)), [])
    with pytest.raises(PolicyError, match="stands for every value"):
        DataCube(epsilon=1.0).protect(confidential([], {"a": Values(("x", EVERY))}), [])


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, 51])
def test_a_budget_must_be_a_sensible_number(epsilon: float) -> None:
    with pytest.raises(ValueError, match=r"^epsilon"):
        DataCube(epsilon=epsilon)
