"""A drawn answer is true as often as its draws say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.keys import Key
from sharewell.reports import AnswerGuess, CountTable, LocalPrivacy, RandomisedResponse

KEY = Key(b"a key of the tests, long enough..")


def answers(epsilon: float, values: tuple[str, ...] = ("no", "yes")) -> CountTable:
    patients = CountTable.of_cells({(value,): 20 for value in values}, ["smokes"])
    return RandomisedResponse(epsilon, values).protect(patients, [LocalPrivacy(epsilon)], KEY).data


@given(st.floats(0.05, 10), st.integers(2, 5))
def test_the_chance_is_that_of_a_true_answer(epsilon: float, number: int) -> None:
    values = tuple(f"v{i}" for i in range(number))
    found = AnswerGuess().mount(answers(epsilon, values))
    assert found.value == pytest.approx(math.exp(epsilon) / (math.exp(epsilon) + number - 1), abs=1e-9)
    assert found.value > found.details.baseline == 1 / number
    assert found.details.epsilon <= epsilon


def test_answers_are_as_often_true_as_it_says() -> None:
    truth = {f"p{i}": "yes" if i % 3 else "no" for i in range(4000)}
    drawn = RandomisedResponse(1.0)
    right = sum(truth[person] == told for person, told in drawn.answers(truth, KEY, "smokes").items()) / 4000
    assert right == pytest.approx(float(AnswerGuess().mount(answers(1.0)).value or 0), abs=0.03)
