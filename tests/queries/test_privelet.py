"""Privelet: what is published, how noisy it is, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from tiny_tables import bins, confidential

from sharewell.errors import Infeasible, PolicyError
from sharewell.io.sources import Source
from sharewell.queries.data import ConfidentialTable, Range, Values
from sharewell.queries.mechanisms import privelet
from sharewell.queries.mechanisms.privelet import Privelet


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, 51, 1e-9])
def test_a_budget_must_be_a_sensible_number(epsilon: float) -> None:
    with pytest.raises(ValueError, match=r"^epsilon"):
        Privelet(epsilon=epsilon)


def test_one_budget_is_given() -> None:
    for wrong in ({}, {"epsilon": 1.0, "rho": 1.0}):
        with pytest.raises(ValueError, match="give one of them"):
            Privelet(**wrong)


def test_a_budget_in_rho_has_normal_noise() -> None:
    """Four coefficients move by 1 each: 2 in length, and √2 times that where a row is replaced."""
    for neighbours, length in (("add-remove", 2.0), ("change-one", math.sqrt(8))):
        table = confidential([(1,)], bins(age=8), 1, neighbours)  # type: ignore[arg-type]
        details = Privelet(rho=0.5, transformed=("age",)).protect(table, []).details
        assert (details.rho, details.epsilon, details.noise) == (pytest.approx(0.5), None, "discrete-gaussian")
        assert details.scale == pytest.approx(length)


def test_noise_doubles_where_rows_are_replaced_and_grows_with_the_rows_of_a_person() -> None:
    for rows_per_person, neighbours, moved in ((1, "add-remove", 4), (1, "change-one", 8), (3, "change-one", 24)):
        table = confidential([(1,), (7,)], bins(age=8), rows_per_person, neighbours)  # type: ignore[arg-type]
        released = Privelet(epsilon=2.0, transformed=("age",)).protect(table, [])
        assert (released.details.generalised_sensitivity, released.details.scale) == (moved, moved / 2)
        spent = released.data.spent
        assert (spent["epsilon"], spent["neighbours"], spent["rows_per_person"]) == (2.0, neighbours, rows_per_person)
        assert sum(term["epsilon"] * term["times"] for term in spent["terms"]) == 2.0


def test_without_noise_it_is_the_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns with and without an order, together: whatever is added to coefficients has the mean 0 of its noise."""
    real = privelet.noisy
    monkeypatch.setattr(privelet, "noisy", lambda counts, *more: (counts, real(counts, *more)[1]))
    people = pa.table({"age": [5, 15, 15, 95], "sex": ["F", "M", "F", None]})
    table = ConfidentialTable(Source.of(people), {"age": Range(0, 100, 10), "sex": Values(("F", "M"))})
    released = Privelet(epsilon=1.0, transformed=("age", "sex")).protect(table, [])
    keys, counts = released.data.keys, released.data.counts
    cells = dict(zip(zip(keys["age"], keys["sex"], strict=True), counts.tolist(), strict=True))
    assert {cell: count for cell, count in cells.items() if abs(count) > 1e-9} == pytest.approx(
        {("[0, 10)", "F"): 1, ("[10, 20)", "M"): 1, ("[10, 20)", "F"): 1, ("[90, 100]", "other"): 1}
    )
    assert released.details.generalised_sensitivity == 5 * 2
    assert len(released.data.spent["terms"]) == 2


def test_the_noise_of_the_whole_is_that_of_its_one_coefficient() -> None:
    """Bins that fill a power of two: their sum has the variance of one draw, however many bins there are."""
    table = confidential([(3,)] * 100, bins(age=16))
    sums = np.array(
        [Privelet(epsilon=1.0, transformed=("age",)).protect(table, []).data.counts.sum() for _ in range(300)]
    )
    scale = 5.0
    alpha = math.exp(-1 / scale)
    variance = 2 * alpha / (1 - alpha) ** 2
    assert abs(sums.mean() - 100) < 4.9 * math.sqrt(variance / 300)
    assert sums.var() < 2 * variance
    assert np.allclose(sums, np.round(sums))


@pytest.mark.parametrize("rows", [[], [(2,)]])
def test_few_rows_are_published_like_many(rows: list[tuple[int]]) -> None:
    released = Privelet(epsilon=1.0, transformed=("age",)).protect(confidential(rows, bins(age=4)), [])
    assert released.data.rows == 4
    assert released.data.arrow.column_names == ["age", "count"]


def test_many_cells_are_refused_with_their_number() -> None:
    table = confidential([], bins(age=2000, weight=2000))
    with pytest.raises(Infeasible, match="4,194,304 cells would be published"):
        Privelet(epsilon=1.0, transformed=("age", "weight")).protect(table, [])
    with pytest.raises(Infeasible, match="4,000,000 cells would be published"):
        Privelet(epsilon=1.0, transformed=()).protect(table, [])


def test_unknown_columns_are_refused() -> None:
    table = confidential([], bins(age=4))
    with pytest.raises(PolicyError, match="zip"):
        Privelet(epsilon=1.0, columns=("zip",)).protect(table, [])
    with pytest.raises(PolicyError, match="not published"):
        Privelet(epsilon=1.0, transformed=("zip",)).protect(table, [])
