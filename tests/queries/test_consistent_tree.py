"""The consistent tree: its layers, its noise, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny_tables import bins, confidential

from sharewell.errors import Infeasible, PolicyError
from sharewell.queries.data import Values
from sharewell.queries.engine.protection import publication
from sharewell.queries.mechanisms import consistent_tree
from sharewell.queries.mechanisms.consistent_tree import ConsistentTree


@pytest.mark.parametrize(("leaves", "branches", "layers"), [(8, 2, 4), (5, 2, 4), (8, 4, 3), (1, 2, 1), (16, 16, 2)])
def test_a_row_is_counted_once_in_every_layer(leaves: int, branches: int, layers: int) -> None:
    for rows_per_person, neighbours, times in ((1, "add-remove", 1), (1, "change-one", 2), (3, "change-one", 6)):
        table = confidential([(0,)], bins(age=leaves), rows_per_person, neighbours)  # type: ignore[arg-type]
        released = ConsistentTree(epsilon=0.5, branches=branches).protect(table, [])
        assert (released.details.layers, released.details.sensitivity) == (layers, layers * times)
        assert released.details.scale == layers * times / 0.5
        assert (released.data.rows, released.data.spent["epsilon"]) == (leaves, 0.5)


@pytest.mark.parametrize("leaves", [1, 5, 8, 13])
def test_without_noise_it_is_the_histogram(leaves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = consistent_tree.noisy
    monkeypatch.setattr(consistent_tree, "noisy", lambda counts, *more: (counts, real(counts, *more)[1]))
    rows = [(i % leaves,) for i in range(2 * leaves + 1)]
    released = ConsistentTree(epsilon=1.0, branches=3).protect(confidential(rows, bins(age=leaves)), [])
    assert released.data.counts.tolist() == pytest.approx(np.bincount([row[0] for row in rows]).tolist())


def test_the_sum_of_all_leaves_is_nearly_as_good_as_one_count() -> None:
    """Consistency uses all layers: the root alone has the variance of one draw, and least squares do no worse."""
    table = confidential([(3,)] * 50, bins(age=16))
    sums = np.array([ConsistentTree(epsilon=1.0, branches=2).protect(table, []).data.counts.sum() for _ in range(200)])
    one = 2 * 5.0**2
    assert abs(sums.mean() - 50) < 4.9 * math.sqrt(one / 200)
    assert sums.var() < one * 1.6


def test_rho_moves_by_the_root_of_the_layers() -> None:
    details = ConsistentTree(rho=0.5, branches=2).protect(confidential([], bins(age=8)), []).details
    assert (details.scale, details.sensitivity, details.rho) == (pytest.approx(2.0), 2.0, pytest.approx(0.5))


def test_one_ordered_column_is_published() -> None:
    both = confidential([(1, 1)], bins(age=4, weight=4))
    with pytest.raises(PolicyError, match="2 columns have a range"):
        ConsistentTree(epsilon=1.0).protect(both, [])
    assert ConsistentTree(epsilon=1.0, column="weight").protect(both, []).details.column == "weight"
    plain = confidential([(1,)], {"sex": Values(("F", "M"))})
    with pytest.raises(PolicyError, match="0 columns have a range"):
        ConsistentTree(epsilon=1.0).protect(plain, [])
    with pytest.raises(PolicyError, match="has no order"):
        ConsistentTree(epsilon=1.0, column="sex").protect(plain, [])


def test_many_bins_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publication, "MOST_CELLS", 1000)
    with pytest.raises(Infeasible, match="1,200 cells would be published, and at most 1,000"):
        ConsistentTree(epsilon=1.0).protect(confidential([], bins(age=600)), [])


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, 51])
def test_a_budget_must_be_a_sensible_number(epsilon: float) -> None:
    with pytest.raises(ValueError, match=r"^epsilon"):
        ConsistentTree(epsilon=epsilon)
