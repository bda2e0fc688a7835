"""Who is in the data, by what several tables show together: against all worlds that fit, and by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.protocols import PublishedDataset
from sharewell.tables import Table
from sharewell.tables.criteria.joined_instance_disclosure import JoinedInstanceDisclosure

COLUMNS = {"people": ["sex"], "homes": ["zip"]}
COVERS: dict[str, set[str]] = {"0": {"0"}, "1": {"1"}, "2": {"2"}, "{0,1}": {"0", "1"}, "*": {"0", "1", "2"}}


def published(name: str, column: str, who: list[str], cells: list[str]) -> PublishedDataset:
    data = Table.of(pa.table({"who": who, column: cells}), quasi=[column], subject="who", published=True)
    return PublishedDataset(name, data, Source(), "tables")


def presence(people: list[tuple[str, str]], records: list[tuple[str, str]]) -> list[Fraction]:
    """For everybody on the list: the share of all worlds that fit in which they are in the data."""
    worlds, there = 0, [0] * len(people)
    for chosen in permutations(range(len(people)), len(records)):
        if all(
            people[i][0] in COVERS[sex] and people[i][1] in COVERS[zip_]
            for i, (sex, zip_) in zip(chosen, records, strict=True)
        ):
            worlds += 1
            for i in chosen:
                there[i] += 1
    return [Fraction(count, worlds) for count in there]


def test_nobody_is_likelier_to_be_in_the_data_than_the_value_says(cases: Callable[[int], int]) -> None:
    """Worlds: every way to say who of the list the released records are."""
    rng, decided, worlds = np.random.default_rng(5), 0, cases(15_000)
    for _ in range(worlds):
        people = [(str(rng.integers(0, 2)), str(rng.integers(0, 3))) for _ in range(int(rng.integers(2, 7)))]
        released = rng.choice(len(people), int(rng.integers(1, min(4, len(people)) + 1)), replace=False)
        coarse = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
        records = [
            tuple("{0,1}" if wide and value != "2" else value for value, wide in zip(people[i], coarse, strict=True))
            for i in released
        ]
        if rng.random() < 0.3:  # a cell of its own, because of the data
            records[0] = (records[0][0], "*")
        who = [f"p{i}" for i in released]
        both = [
            published("people", "sex", who, [sex for sex, _ in records]),
            published("homes", "zip", who[::-1], [zip_ for _, zip_ in records][::-1]),
        ]
        listed = pa.table({"sex": [sex for sex, _ in people], "zip": [zip_ for _, zip_ in people]})
        bound = Fraction(int(rng.integers(1, 4)), 4)
        found = JoinedInstanceDisclosure(listed, bound, COLUMNS).check(both)
        if found.ok:
            pairs: Any = records
            assert max(presence(people, pairs)) <= bound
        decided += found.ok is True
    assert decided > worlds // 15


def test_a_person_missing_from_a_table_leaves_it_undecided() -> None:
    both = [published("people", "sex", ["a", "b"], ["0", "0"]), published("homes", "zip", ["a"], ["1"])]
    found = JoinedInstanceDisclosure(pa.table({"sex": ["0"] * 9, "zip": ["1"] * 9}), 1, COLUMNS).check(both)
    assert found.ok is None
    assert "missing from one of the tables" in found.note


def test_what_cannot_be_joined_is_refused() -> None:
    people = pa.table({"sex": ["0"], "zip": ["1"]})
    twice = [published("people", "sex", ["a", "a"], ["0", "0"]), published("homes", "zip", ["a"], ["1"])]
    with pytest.raises(DataError, match="several rows of a person"):
        JoinedInstanceDisclosure(people, 1, COLUMNS).check(twice)
    with pytest.raises(PolicyError, match="publishes no quasi column"):
        JoinedInstanceDisclosure(people, 1, {"people": ["age"], "homes": ["zip"]}).check(twice[1:] + twice[:1])
    with pytest.raises(ValueError, match="each column for one dataset"):
        JoinedInstanceDisclosure(people, 1, {"people": ["sex"], "homes": ["sex"]})
