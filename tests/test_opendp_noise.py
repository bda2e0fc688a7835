"""Noise of opendp, as queries and reports use it: one engine, the same names in both places."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell import opendp_noise
from sharewell.errors import DataError, PolicyError
from sharewell.opendp_noise import Price, VectorNoise, smallest_scale
from sharewell.queries.engine import plans
from sharewell.queries.engine.protection import budget_terms


@pytest.mark.parametrize("name", ["Price", "VectorNoise", "LEAST", "MOST"])
def test_publications_use_this_very_noise(name: str) -> None:
    assert getattr(budget_terms, name) is getattr(opendp_noise, name)


@pytest.mark.parametrize("name", ["Price", "VectorNoise"])
def test_answers_use_this_very_noise(name: str) -> None:
    assert getattr(plans, name) is getattr(opendp_noise, name)


def test_the_stated_loss_is_within_the_price() -> None:
    for amount in (0.1, 1 / 3, 1.0):
        assert VectorNoise.within(Price("pure", amount), 7, 7.0).loss <= amount
        assert VectorNoise.within(Price("zcdp", amount), 7, 7.0).loss <= amount


def test_nothing_is_added_to_nothing() -> None:
    assert len(VectorNoise.within(Price("pure", 1.0), 1, 1.0).add(np.zeros(0, np.int64))) == 0


def test_prices_and_losses_that_make_no_sense() -> None:
    with pytest.raises(PolicyError, match="epsilon"):
        Price("pure", 0)
    with pytest.raises(DataError, match="no finite loss"):
        smallest_scale(lambda scale: float("inf"), 1.0, Price("pure", 1.0))
