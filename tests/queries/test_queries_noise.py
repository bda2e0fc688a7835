"""Noise is opendp's, its distribution is the stated one, and its loss is opendp's own statement.

Distributional tests fail by chance in one run of a million: `WIDE` is the two-sided normal quantile for that.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from sharewell.errors import DataError, PolicyError, SharewellError
from sharewell.opendp_noise import Price, VectorNoise, opendp, smallest_scale
from sharewell.queries.engine.noise import QuantileNoise, TopNoise

WIDE = 4.9
DRAWS = 20_000


def share_is(found: float, expected: float, draws: int = DRAWS) -> bool:
    return abs(found - expected) <= WIDE * math.sqrt(expected * (1 - expected) / draws)


@pytest.mark.parametrize(
    ("epsilon", "nothing", "variance"), [(1.0, 0.46212, 1.8413), (0.1, 0.04996, 199.8335), (3.0, 0.90515, 0.11029)]
)
def test_discrete_laplace_noise_has_its_distribution(epsilon: float, nothing: float, variance: float) -> None:
    """P(0) = (1-a)/(1+a) and variance 2a/(1-a)² with a = e^-ε, for a count that one person moves by one."""
    noise = VectorNoise.within(Price("pure", epsilon), 1, 1.0)
    assert noise.standard_deviation**2 == pytest.approx(variance, rel=1e-3)
    alpha = math.exp(-epsilon)
    assert (1 - alpha) / (1 + alpha) == pytest.approx(nothing, abs=1e-5)
    drawn = noise.add(np.full(DRAWS, 3)) - 3
    assert share_is(float((drawn == 0).mean()), (1 - alpha) / (1 + alpha))
    for far in (1, 2, 3, 10):  # P(X >= far) = a^far / (1+a)
        assert share_is(float((drawn >= far).mean()), alpha**far / (1 + alpha))
        assert share_is(float((drawn <= -far).mean()), alpha**far / (1 + alpha))


def test_discrete_gaussian_noise_has_its_distribution() -> None:
    noise = VectorNoise.within(Price("zcdp", 0.125), 1, 1.0)
    assert noise.scale == pytest.approx(2.0)
    weights = np.exp(-(np.arange(-40, 41) ** 2) / (2 * noise.scale**2))
    drawn = noise.add(np.zeros(DRAWS, np.int64))
    for far in range(5):
        assert share_is(float((drawn == far).mean()), float(weights[40 + far] / weights.sum()))


def test_answers_of_neighbouring_tables_are_within_the_stated_factor() -> None:
    """The definition itself, exactly: for every output the ratio of probabilities is at most e^ε."""
    noise = VectorNoise.within(Price("pure", 0.5), 3, 3.0)
    alpha = math.exp(-1 / noise.scale)
    outputs = np.arange(-200, 200)
    ratio = np.exp((np.abs(outputs) - np.abs(outputs - 3)) * math.log(alpha))
    assert ratio.max() == pytest.approx(math.exp(0.5))
    assert ratio.min() == pytest.approx(math.exp(-0.5))


@pytest.mark.parametrize(
    ("epsilon", "first", "scores"), [(1.0, 0.73106, (3, 1)), (1.0, 0.73106, (10, 8)), (2.0, 0.88080, (3, 1))]
)
def test_the_exponential_mechanism_chooses_as_the_books_say(
    epsilon: float, first: float, scores: tuple[int, int]
) -> None:
    """P(t) in proportion to e^(ε u(t) / 2): Gumbel noise of scale 2/ε, whatever is added to all scores."""
    dp = opendp()
    domain, metric = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    choose = dp.m.make_noisy_max(domain, metric, dp.zero_concentrated_divergence(), scale=2 / epsilon)
    assert 1 / (1 + math.exp(-epsilon)) == pytest.approx(first, abs=1e-5)
    draws = 4_000
    assert share_is(sum(choose(list(scores)) == 0 for _ in range(draws)) / draws, first, draws)


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("amount", [1e-6, 0.037, 0.1, 1 / 3, 1.0, 50.0])
def test_the_stated_loss_is_within_the_price_and_near_it(accounting: str, amount: float) -> None:
    price = Price(accounting, amount)  # type: ignore[arg-type]
    losses = [
        VectorNoise.within(price, 3, 3.0).loss,
        TopNoise.within(price, 2, 3, True).loss,
        TopNoise.within(price, 2, 3, False).loss,
        QuantileNoise.within(price, 0.9, tuple(range(11)), 3).loss,
    ]
    for loss in losses:
        assert amount * (1 - 1e-9) <= loss <= amount


@pytest.mark.parametrize("amount", [-1.0, 0.0, 1e-7, 51.0, 1e300, math.inf, -math.inf, math.nan, True, "1"])
@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_a_price_that_is_no_price_is_refused(accounting: str, amount: float) -> None:
    with pytest.raises(PolicyError, match=r"^policy: (epsilon|rho) — must be a number from"):
        Price(accounting, amount)  # type: ignore[arg-type]


def test_a_loss_that_is_not_finite_is_refused() -> None:
    """Scale 0 is accepted by opendp, at an infinite loss."""
    with pytest.raises(DataError, match="no finite loss"):
        smallest_scale(lambda scale: math.inf, 1.0, Price("pure", 1.0))
    with pytest.raises(DataError, match="no finite loss"):
        smallest_scale(lambda scale: math.nan, 1.0, Price("pure", 1.0))


def test_an_error_of_opendp_is_told_without_what_it_was_given() -> None:
    broken = VectorNoise("pure", -1.0, 1.0, 1.0)
    with pytest.raises(SharewellError) as raised:
        broken.add(np.array([471_100]))
    assert "4711" not in str(raised.value)


@pytest.mark.parametrize("at", [0.5, 0.9, 0.25, 1 / 3, 0.001])
def test_our_quantile_scores_are_those_of_opendp(at: float) -> None:
    """opendp scores a list of all numbers; ours come from counts, which is quicker and must be the same."""
    from sharewell.queries.engine.noise import _scores

    candidates = tuple(range(0, 101, 10))
    noise = QuantileNoise.within(Price("pure", 1.0), at, candidates, 3)
    numbers = np.random.default_rng(1).integers(0, 101, 57)
    below = np.array([(numbers < one).sum() for one in candidates])
    above = np.array([(numbers > one).sum() for one in candidates])
    assert list(_scores(at, candidates)(numbers.tolist())) == noise.scores(below, above).tolist()


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_rows_in_several_groups_lose_no_more_than_rows_in_one(accounting: str) -> None:
    """Quantiles of disjoint groups: the losses for 1 + 2 rows are at most the loss for 3 rows."""
    from sharewell.queries.engine.noise import _best, _scores

    scores, best = _scores(0.9, (0, 5, 10)), _best(accounting, 40_000.0)  # type: ignore[arg-type]
    losses = [best.map(scores.map(rows)) for rows in (1, 2, 3)]
    assert losses[0] + losses[1] <= losses[2] * (1 + 1e-12)


def test_the_largest_counts_are_chosen_when_they_stand_out() -> None:
    """By 200 rows at scale 2: a wrong choice has a probability of e^-100."""
    noise = TopNoise.within(Price("pure", 1.0), 2, 1, True)
    assert noise.scale <= 4
    assert noise.choose(np.array([5, 900, 0, 400, 100])) == [1, 3]
