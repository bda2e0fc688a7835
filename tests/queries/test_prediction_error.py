"""Prediction error: wrong predictions from noisy counts, against a second reckoning of naive Bayes row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny_tables import bins, confidential

from sharewell.queries.data import EVERY, NoisyTable
from sharewell.queries.mechanisms.diffgen import DiffGen
from sharewell.queries.mechanisms.noisy_marginals import NoisyMarginals
from sharewell.queries.utility.prediction_error import PredictionError

ROWS = [(i % 3, (i * i) % 4, (i % 3 + (i % 7 == 0)) % 3) for i in range(210)]
BEFORE = confidential(ROWS, bins(a=3, b=4, c=3))


def naive_bayes(rows: list[tuple[int, ...]], learnt: list[tuple[int, ...]], sizes: tuple[int, ...]) -> float:
    """The share of rows whose last column is predicted wrongly, from probabilities multiplied one by one."""
    wrong, classes = 0, range(sizes[-1])
    for row in rows:
        scores = []
        for guess in classes:
            of_class = [one for one in learnt if one[-1] == guess]
            score = math.log((len(of_class) + 1) / (len(learnt) + sizes[-1]))
            for place, size in enumerate(sizes[:-1]):
                alike = sum(one[place] == row[place] for one in of_class)
                score += math.log((alike + 1) / (len(of_class) + size))
            scores.append(score)
        wrong += scores.index(max(scores)) != row[-1]
    return wrong / len(rows)


def test_exact_counts_predict_as_naive_bayes_does_row_by_row() -> None:
    keys = {name: list(BEFORE.domains[name].labels) for name in "abc"}
    cells = [(x, y, z) for x in keys["a"] for y in keys["b"] for z in keys["c"]]
    table = NoisyTable(
        {name: [cell[i] for cell in cells] for i, name in enumerate("abc")},
        BEFORE.counts(["a", "b", "c"]).ravel().astype(float),
        {},
    )
    found = PredictionError(label="c").score(BEFORE, table)
    assert found.value == found.details.exact == pytest.approx(naive_bayes(ROWS, ROWS, (3, 4, 3)))
    assert 0 < found.value < found.details.most_frequent == pytest.approx(1 - 70 / 210, abs=0.05)
    assert found.details.columns == 2


def test_more_budget_predicts_better() -> None:
    def error(epsilon: float) -> float:
        way = NoisyMarginals(epsilon=epsilon, of=[["a", "c"], ["b", "c"]])
        return float(
            np.mean([PredictionError(label="c").score(BEFORE, way.protect(BEFORE, []).data).value for _ in range(9)])
        )

    assert error(0.001) > 2 * error(10)


def test_groups_that_predict_are_scored() -> None:
    released = DiffGen(epsilon=20, target="c", specialisations=4).protect(BEFORE, []).data
    found = PredictionError(label="c").score(BEFORE, released)
    assert found.value < found.details.most_frequent


def test_what_cannot_be_predicted_is_said() -> None:
    alone = NoisyTable({"a": [EVERY] * 3, "b": [EVERY] * 3, "c": list(BEFORE.domains["c"].labels)}, np.ones(3), {})
    assert "together with the label" in PredictionError(label="c").score(BEFORE, alone).note
    assert "name it as the label" in PredictionError().score(BEFORE, alone).note
    assert "name it as the label" in PredictionError(label="x").score(BEFORE, alone).note
    assert "no rows" in PredictionError(label="c").score(confidential([], bins(a=3, b=4, c=3)), alone).note
    assert PredictionError(label="c").score(alone, alone).value is None
