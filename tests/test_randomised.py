"""Drawn values: what one tells, against Bayes' rule carried out in fractions; the literature's numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.randomised import DRAWS, Randomised, growth, posterior, ratio_for, ratio_for_growth

weights = st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(sum)


@given(weights, st.fractions(Fraction(11, 10), 50), st.data())
def test_no_belief_about_any_property_grows_more_than_stated(
    prior: list[int], ratio: Fraction, data: st.DataObject
) -> None:
    """Every prior over the values, every property, every published value: Bayes' rule in fractions."""
    drawn = Randomised.within(ratio, len(prior))
    shares = [Fraction(one, sum(prior)) for one in prior]
    some = data.draw(st.sets(st.integers(0, len(prior) - 1), min_size=1))
    believed = sum(shares[i] for i in some)
    for seen in range(len(prior)):
        likely = [drawn.stay if i == seen else drawn.other for i in range(len(prior))]
        total = sum(a * b for a, b in zip(shares, likely, strict=True))
        after = sum(shares[i] * likely[i] for i in some) / total
        assert after <= posterior(drawn.ratio, believed)
        assert float(after - believed) <= growth(drawn.ratio) + 1e-12
        if 0 < believed < Fraction(9, 10):
            most = (believed + 1) / 2
            assert after <= most or drawn.ratio > ratio_for(believed, most)


def test_a_prior_of_a_tenth_becomes_a_half_at_nine() -> None:
    assert ratio_for(Fraction(1, 10), Fraction(1, 2)) == 9
    assert posterior(Fraction(9), Fraction(1, 10)) == Fraction(1, 2)
    drawn = [float(Randomised.within(Fraction(9), m).stay) for m in (10, 100, 1000, 15000)]
    assert drawn == pytest.approx([0.5, 0.0833, 0.00893, 6.0e-4], rel=1e-2)


def test_growth_is_largest_at_a_prior_of_one_over_one_plus_the_root() -> None:
    assert growth(Fraction(9)) == 0.5
    assert posterior(Fraction(9), Fraction(1, 4)) - Fraction(1, 4) == Fraction(1, 2)
    grid = [Fraction(i, 1000) for i in range(1, 1000)]
    assert max(posterior(Fraction(9), x) - x for x in grid) == Fraction(1, 2)
    assert ratio_for_growth(Fraction(1, 5)) == Fraction(9, 4)


def test_both_readings_of_the_tutorials_number_for_icd_codes() -> None:
    """3.332e-4 of 15,000 codes: kept at γ = 5, or retained at γ = 6; the tutorial's own bounds give neither."""
    five, six, nine = (Randomised.within(Fraction(g), 15000) for g in (5, 6, 9))
    assert float(five.stay) == pytest.approx(3.332e-4, rel=1e-3)
    assert float(six.retention) == pytest.approx(3.332e-4, rel=1e-3)
    assert (float(nine.stay), float(nine.retention)) == pytest.approx((5.997e-4, 5.330e-4), rel=1e-3)


def test_counts_are_had_back() -> None:
    drawn = Randomised.within(Fraction(11, 3), 4)
    seen = {600: 390, 250: 250, 100: 190, 50: 170}
    assert {true: round(drawn.estimate(count, 1000, 1), 6) for true, count in seen.items()} == {n: n for n in seen}
    assert round(drawn.epsilon, 3) == 1.299
    assert drawn.error(390, 1000) == pytest.approx(38.6, abs=0.1)
    given = 600 * drawn.stay * (1 - drawn.stay) + 400 * drawn.other * (1 - drawn.other)  # of these very rows
    assert float(given) ** 0.5 / float(drawn.retention) == pytest.approx(35.3, abs=0.1)


@given(st.fractions(Fraction(101, 100), 1000), st.integers(2, 1000))
def test_rounding_never_makes_draws_more_truthful(ratio: Fraction, answers: int) -> None:
    drawn = Randomised.within(ratio, answers)
    assert drawn.ratio <= ratio
    assert math.isclose(drawn.ratio, ratio, rel_tol=1e-9)


def test_draws_that_tell_nothing_or_all_are_refused() -> None:
    for kept, answers in ((DRAWS // 2, 2), (DRAWS, 2), (0, 2), (DRAWS // 2, 1)):
        with pytest.raises(ValueError, match="kept must be"):
            Randomised(kept, answers)
