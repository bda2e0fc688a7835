"""What other published columns tell of a quasi column is found whatever the function, and chance is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.shown_values import Beside, ShownValue, Values, shown_values

PERSONS = 120
DRAW = np.random.default_rng(5)
ADMITTED = DRAW.integers(0, 1460, PERSONS).astype(float)
STAYS = DRAW.choice([1, 1, 2, 3, 5, 8, 13, 21], PERSONS).astype(float)
BORN = DRAW.integers(-25_000, 0, PERSONS).astype(float)
BOTH = Beside({"in": (ADMITTED, 182), "out": (ADMITTED + STAYS, 182)}, {})


@pytest.mark.parametrize(
    "stays",
    [STAYS * 1440, np.minimum(STAYS, 7), np.digitize(STAYS, [2, 8]).astype(float), np.log(STAYS), STAYS * 450 + 99],
    ids=["minutes", "capped", "bands", "logarithm", "cost"],
)
def test_the_time_between_shifted_dates_shows_what_follows_from_it(stays: np.ndarray) -> None:
    assert shown_values({"los": Values(stays)}, BOTH, None) == [ShownValue("los", ("in", "out"), True, True)]


def test_dates_with_shifts_of_their_own_show_no_time() -> None:
    apart = Beside({"in": (ADMITTED, 182), "out": (ADMITTED + STAYS, 90)}, {})
    assert shown_values({"los": Values(STAYS)}, apart, None) == []


def test_a_shift_must_be_wide_beside_what_it_hides() -> None:
    ages = {"age": Values((10_000 - BORN) // 365)}
    assert shown_values(ages, Beside({"born": (BORN, 182)}, {}), None) == [ShownValue("age", ("born",), True)]
    assert shown_values(ages, Beside({"born": (BORN, 40_000)}, {}), None) == []


def test_unchanged_columns_show_what_they_determine() -> None:
    sex = Values(np.arange(PERSONS) % 2.0, ordered=False)
    code = Values(1 + np.arange(PERSONS) % 2.0)
    other = Values(DRAW.integers(0, 6, PERSONS).astype(float), ordered=False)
    beside = Beside({}, {"ill": other, "code": code})
    assert shown_values({"sex": sex}, beside, None) == [ShownValue("sex", ("code",), False)]
    assert shown_values({"sex": sex}, Beside({}, {"ill": other}), None) == []
    before = np.floor(STAYS * DRAW.random(PERSONS))
    parts = Beside({}, {"before": Values(before), "after": Values(STAYS - before)})
    assert shown_values({"los": Values(STAYS)}, parts, None) == [ShownValue("los", ("before", "after"), False)]


def test_many_rows_of_few_persons_are_no_rule() -> None:
    whose = np.repeat(np.arange(60), 20)
    costs, ages = DRAW.random(60)[whose], DRAW.integers(20, 90, 60).astype(float)[whose]
    beside = Beside({}, {"cost": Values(costs)})
    assert shown_values({"age": Values(ages)}, beside, whose) == []
    assert shown_values({"age": Values(ages)}, beside, None) != []
    assert shown_values({"los": Values(STAYS[:40])}, Beside({}, {"copy": Values(STAYS[:40])}), None) == []


@settings(max_examples=30)
@given(st.permutations(range(PERSONS)))
def test_the_order_of_rows_decides_nothing(order: list[int]) -> None:
    """Half of the stays are right: whether that is enough must not depend on which rows are looked at first."""
    half = np.where(np.arange(PERSONS) % 8 == 0, STAYS + 3, STAYS)

    def result(at: np.ndarray) -> list[ShownValue]:
        moved = Beside({name: (days[at], most) for name, (days, most) in BOTH.shifted.items()}, {})
        return shown_values({"los": Values(half[at])}, moved, None)

    assert result(np.array(order)) == result(np.arange(PERSONS))
