"""Which records hold each combination of codes, against loops."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.joint import RTData
from sharewell.joint.engine import code_combinations
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.tables import Table

rows = st.lists(st.tuples(st.sampled_from([20, 30]), st.sets(st.sampled_from("abcde"))), min_size=1, max_size=9)


def opened(people: Any) -> RTData:
    table = Table.of(pa.table({"age": [age for age, _ in people]}), quasi=["age"])
    return RTData.of(table, CodeSets.of([sorted(codes) for _, codes in people]))


@given(rows, st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_every_combination_has_its_records(people: Any, m: int) -> None:
    expected = []
    for age in {age for age, _ in people}:
        for size in range(m + 1):
            for some in itertools.combinations("abcde", size):
                held = tuple(i for i, (own, codes) in enumerate(people) if own == age and codes >= set(some))
                expected += [held] if held else []
    found = Combinations.of(opened(people), m)
    assert found is not None
    parts = [tuple(part.tolist()) for part in np.split(found.rows, found.starts[1:-1])]
    assert sorted(parts) == sorted(expected)
    holds = np.array([i % 2 == 0 for i in range(len(people))])
    assert found.supports(holds).tolist() == [sum(i % 2 == 0 for i in part) for part in parts]


def test_too_many_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    data = opened([(20, set("abcde"))] * 4)
    assert Combinations.of(data, 2) is not None
    for most in (20, 40):
        monkeypatch.setattr(code_combinations, "MOST_PAIRS", most)
        assert Combinations.of(data, 2) is None
