"""Limits: buckets fill at their rate, and waiting ends at a multiple of the minimum."""

from __future__ import annotations

import math

import pytest

from sharewell.queries.service.limits import Bucket, Limits, RateLimits, remaining_wait


@pytest.mark.parametrize("elapsed", [0.0, 0.001, 0.1, 0.2499, 0.2501, 0.5, 3.1, 59.99])
def test_replies_go_out_at_multiples(elapsed: float) -> None:
    out = elapsed + remaining_wait(elapsed, 0.25)
    assert out >= max(0.25, elapsed)
    assert math.isclose(out / 0.25, round(out / 0.25), abs_tol=1e-9)
    assert out - elapsed <= 0.25


def test_a_bucket_allows_its_rate_and_no_more() -> None:
    now = 0.0
    bucket = Bucket(60, lambda: now)
    granted = 0
    for _ in range(6000):  # a minute, a hundred requests a second
        granted += bucket.wait() == 0
        now += 0.01
    assert 60 <= granted <= 60 + 15 + 1
    assert 0 < bucket.wait() <= 1
    now -= 1000  # a clock that goes back gives nothing
    assert bucket.wait() > 0


def test_one_token_does_not_use_up_another_and_strangers_none() -> None:
    now = 0.0
    rates = RateLimits(Limits(per_token=4, everybody=400, strangers=4), lambda: now)
    assert [rates.wait("a") > 0 for _ in range(2)] == [False, True]
    assert [rates.wait(None) > 0 for _ in range(2)] == [False, True]
    assert rates.wait("b") == 0


def test_all_tokens_together_have_a_rate() -> None:
    rates = RateLimits(Limits(per_token=4, everybody=8), lambda: 0.0)
    assert [rates.wait(name) > 0 for name in "abc"] == [False, False, True]
