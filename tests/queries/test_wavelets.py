"""Wavelets in whole numbers: the worked values, exact inverses, and how far one record moves them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from sharewell.queries.engine.protection.wavelets import Nominal, Ordered, Plain, Wavelet, forward, inverse

WAYS = [Plain(5), Ordered(1), Ordered(2), Ordered(5), Ordered(8), Nominal(2), Nominal(5)]


def test_the_coefficients_are_those_of_the_paper() -> None:
    way = Ordered(8)
    whole = way.forward(np.array([9, 3, 6, 2, 8, 4, 5, 7]))
    assert (whole / way.weights).tolist() == [5.5, -0.5, 1, 0, 3, 2, 2, -1]


def test_one_record_of_eight_moves_the_weighted_coefficients_by_four() -> None:
    for place in range(8):
        assert np.abs(Ordered(8).forward(np.eye(8, dtype=np.int64)[place])).sum() == 4 == 1 + math.log2(8)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_counts_come_back_exactly(way: Wavelet) -> None:
    counts = np.random.default_rng(1).integers(0, 50, (3, _size(way)))
    assert np.allclose(way.inverse(way.forward(counts).astype(float)), counts)


def _size(way: Wavelet) -> int:
    return way.size  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("ways", [(a, b) for a in WAYS for b in WAYS], ids=str)
def test_sensitivity_is_never_exceeded(ways: tuple[Wavelet, Wavelet]) -> None:
    """The transform is linear, so that single records tell all: each, at each place, part by part over its scale."""
    shape = [_size(way) for way in ways]
    parts = list(product(*(way.parts for way in ways)))
    moves = {}
    for place in product(*map(range, shape)):
        one = np.zeros(shape, np.int64)
        one[place] = 1
        moves[place] = forward(one, ways)
        shares = []
        for part in parts:
            moved = np.abs(moves[place][tuple(each.where for each in part)]).sum()
            assert moved <= math.prod(each.moved for each in part)
            shares.append(moved / math.prod(each.moved for each in part))
        assert sum(shares) <= len(parts)
        assert np.allclose(inverse(moves[place].astype(float), ways), one)
    for part in parts:
        where, squares = tuple(each.where for each in part), math.prod(each.squares for each in part)
        for here, there in product(moves.values(), moves.values()):
            assert (here[where] ** 2).sum() <= squares
            assert ((here - there)[where] ** 2).sum() <= 2 * squares


def test_the_generalised_sensitivity_is_that_of_the_paper() -> None:
    """1 + log m with an order, and the number of levels without one; of two columns, their product."""
    assert [Ordered(m).factor for m in (1, 2, 8, 1000, 1024)] == [1, 2, 4, 11, 11]
    assert Nominal(7).factor == 2
    for way in WAYS:
        assert sum(np.prod([part.moved]) / part.moved for part in way.parts) * way.parts[0].moved == way.factor


def range_variances(way: Ordered) -> np.ndarray:
    """The variance of every range [a, b) when each coefficient has a variance of 1, exactly."""
    back = np.stack([way.inverse(unit) for unit in np.eye(1 << way.levels)])
    prefix = np.concatenate([np.zeros((len(back), 1)), np.cumsum(back, axis=1)], axis=1)
    gram = prefix.T @ prefix
    own = np.diag(gram)
    return own[:, None] + own[None, :] - 2 * gram


@pytest.mark.parametrize("levels", [0, 1, 3, 6, 9])
def test_no_range_has_more_noise_than_the_paper_allows(levels: int) -> None:
    """(2 + log m)(2 + 2 log m)²/ε² where a row is replaced: the noise has the scale 2(1 + log m)/ε."""
    scale = 2 * (1 + levels)
    bound = (2 + levels) * (2 + 2 * levels) ** 2
    assert (range_variances(Ordered(1 << levels)) * 2 * scale**2).max() <= bound


def test_wavelets_beat_plain_noise_from_a_thousand_values_on() -> None:
    """The bounds of the paper at m = 1024: 5808 against 8192."""
    assert (2 + 10) * (2 + 20) ** 2 == 5808 < 8 * 1024
    wavelet = range_variances(Ordered(1024)) * 11**2
    length = np.abs(np.subtract.outer(np.arange(1025), np.arange(1025)))
    assert wavelet.max() < length.max()
    assert wavelet.mean() < 0.9 * length.mean()
    assert (range_variances(Ordered(64)) * 7**2).max() > 64  # and do not for few
