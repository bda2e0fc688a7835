"""The table of a model holds its weights, and comes back from bytes as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sharewell.io.kept_files import kept_file
from sharewell.io.shipped import shipped_bytes
from sharewell.notes.annotation.modelfile import Model
from sharewell.notes.annotation.weight_table import PLACES, WeightTable, shipped_model
from sharewell.notes.detectors.learned import SHIPPED


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.of_bytes(shipped_bytes(SHIPPED), SHIPPED)


def test_every_weight_stands_in_its_place(model: Model) -> None:
    table = WeightTable.of(model)
    for feature, by_label in model.weights.items():
        place = PLACES.get(feature[:2], 0)
        row = table.weights[table.rows[feature[2:] if place else feature], place]
        assert {label: row[model.labels.index(label)] for label in by_label} == by_label
    assert np.count_nonzero(table.weights) == sum(len(by_label) for by_label in model.weights.values())
    assert not table.weights[0].any(), "the first row is nothing"


def test_it_comes_back_from_bytes(model: Model) -> None:
    table = WeightTable.of(model)
    again = WeightTable.of_bytes(table.to_bytes())
    assert again.rows == table.rows
    assert list(again.rows) == list(table.rows)
    assert np.array_equal(again.weights, table.weights)


def test_the_shipped_model_is_the_same_when_it_was_kept(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(2):  # worked out, then read
        shipped, table = shipped_model(SHIPPED)
        assert (shipped.sheet, shipped.labels, shipped.transitions) == (model.sheet, model.labels, model.transitions)
        assert np.array_equal(table.weights, WeightTable.of(model).weights)
        assert dict(shipped.weights) == model.weights
        assert shipped.to_bytes() == model.to_bytes()
    kept = kept_file("learned.weights")
    assert kept is not None
    assert kept.is_file()
