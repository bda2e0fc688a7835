"""What a dictionary says about draws is read back as it was written, and nothing else is believed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sharewell.errors import DataError
from sharewell.randomised import Randomised
from sharewell.tables.engine.drawn_values import DrawnValues, ValueGroup, most_truthful

DRAWN = DrawnValues((ValueGroup(("a", "b", "c"), Randomised.within(Fraction(4), 3)),), 2)


def test_a_column_that_was_not_drawn_states_nothing() -> None:
    assert DrawnValues.from_facts({"role": "sensitive"}) is None


@pytest.mark.parametrize(
    "edit",
    [
        {"drawn_from": []},
        {"drawn_from": 5},
        {"drawn_from": [{"values": ["a"], "kept": 5}]},
        {"drawn_from": [{"values": ["a", "a"], "kept": 3 << 62}]},
        {"drawn_from": [{"values": ["a", "b"], "kept": "many"}]},
        {"drawn_from": [{"values": ["a", "b"], "kept": True}]},
        {"rows_per_person": 0},
        {"rows_per_person": "2"},
    ],
)
def test_damaged_statements_are_refused(edit: dict[str, object]) -> None:
    with pytest.raises(DataError, match="how values were drawn"):
        DrawnValues.from_facts({**DRAWN.facts, **edit})


@pytest.mark.parametrize("draws", [1, 2, 3, 7])
@pytest.mark.parametrize("ratio", [Fraction(9), Fraction(5, 2), Fraction(101, 100)])
def test_several_draws_together_stay_within_the_ratio(ratio: Fraction, draws: int) -> None:
    found = most_truthful(ratio, 5, draws)
    assert found is not None
    assert found.ratio**draws <= ratio
    assert float(found.ratio) == pytest.approx(float(ratio) ** (1 / draws), rel=1e-6)


def test_draws_that_would_tell_nothing_are_none() -> None:
    assert most_truthful(1 + Fraction(1, 1 << 70), 5, 1) is None
