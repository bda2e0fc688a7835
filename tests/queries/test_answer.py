"""Answers and costs as plain JSON, and their short forms."""

from __future__ import annotations

import json

import pytest

from sharewell.queries import Answer, Cost, Loss
from sharewell.queries.engine.accuracy import Accuracy

ROWS = [{"group": {}, "value": 5, "low": 2, "high": 8}]


def answer(rows: list[dict[str, object]]) -> Answer:
    return Answer("{}", rows, {"note": "n"}, Loss.of(epsilon=0.1), {"a": Loss.of(epsilon=1)}, 3, "add-remove", 1)


def test_one_row_has_a_value_and_an_interval() -> None:
    assert (answer(ROWS).value, answer(ROWS).interval) == (5, (2, 8))
    assert answer([{"group": {}, "value": "A", "low": None, "high": None}]).interval is None
    with pytest.raises(ValueError, match="unpack"):
        _ = answer(ROWS * 2).value


def test_everything_is_plain_json() -> None:
    told = json.loads(json.dumps(answer(ROWS).to_json()))
    assert told["loss"] == {"epsilon": "0.1", "delta": "0", "rho": None}
    assert told["neighbours"] == "add-remove"
    cost = Cost("{}", Loss.of(rho=0.1), Accuracy("discrete-gaussian", 3.0, 1.0, None, "n"), 4)
    assert json.loads(json.dumps(cost.to_json()))["accuracy"]["half_width"] is None
