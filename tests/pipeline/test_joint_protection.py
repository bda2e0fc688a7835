"""A dataset on its way into a release: its facts, coarser classes, and what it has lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_person_ties import written

from sharewell import registry
from sharewell.keys import Key
from sharewell.pipeline.joint_protection import Prepared
from sharewell.pipeline.mechanism_choice import choose
from sharewell.policy import check


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Prepared]:
    monkeypatch.setenv("TEST_TIES_KEY", "an example secret, long enough for a key")
    found = {}
    for name, dataset in check(written(tmp_path)).datasets.items():
        wing, key = registry.wing(dataset.kind), Key.fresh()
        data = wing.open(dataset, tmp_path)
        found[name] = Prepared(dataset, wing, data, key, choose(wing, data, dataset, key))
    return found


def test_persons_are_called_alike_however_they_are_spelt(prepared: dict[str, Prepared]) -> None:
    people, visits = prepared["patients"].facts(), prepared["visits"].facts()
    assert people is not None
    assert visits is not None
    assert set(visits.persons) < set(people.persons)


def test_coarser_classes_lose_more(prepared: dict[str, Prepared]) -> None:
    coarse = prepared["patients"].coarser(12)
    assert coarse is not None
    assert coarse.loss() > prepared["patients"].loss()
    assert coarse.chosen.protected.data.classes.persons.min() >= 12
    assert prepared["patients"].coarser(1_000) is None
    assert prepared["codes"].coarser(12) is None or prepared["codes"].kind == "codes"
