"""Range error: all ranges by brute force, and trees against plain noise."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tiny_tables import bins, confidential

from sharewell.queries.data import EVERY, NoisyTable
from sharewell.queries.utility.range_error import RangeError

BEFORE = confidential([(i % 7,) for i in range(50)], bins(age=7))


def test_every_range_is_looked_at() -> None:
    off = np.array([1.0, -2, 0, 5, 0, 0, 3])
    after = NoisyTable({"age": list(BEFORE.domains["age"].labels)}, BEFORE.counts(["age"]) + off, {})
    errors = [abs(off[a:b].sum()) for a, b in combinations(range(8), 2)]
    found = RangeError().score(BEFORE, after)
    assert found.value == pytest.approx(np.mean(errors))
    assert found.details.largest == max(errors)
    assert found.details.root_mean_square == pytest.approx(np.sqrt(np.mean(np.square(errors))))
    assert found.details.ranges == 28
    some = RangeError(number=5).score(BEFORE, after)
    assert some.details.ranges == 5
    assert some == RangeError(number=5).score(BEFORE, after)


def test_nothing_to_compare_is_said() -> None:
    nothing = NoisyTable({"age": [EVERY]}, np.array([120.0]), {})
    assert RangeError().score(BEFORE, nothing).note == "the table has no column of ranges"
    assert RangeError().score(nothing, nothing).note == "there is no noisy table to look at"
