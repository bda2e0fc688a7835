"""Persons are numbered over all datasets as their records come, whatever lists of names these come with."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sharewell.joint.engine.joined_persons import numbered_persons
from sharewell.protocols import PersonFacts
from sharewell.record_owners import RecordOwners

PERSONS = st.lists(st.sampled_from(["b", "a", "c", "ä", None]), max_size=6)


@given(st.lists(PERSONS, max_size=3))
def test_equal_names_are_one_person_and_whoever_has_none_is_alone(drawn: list[list[str | None]]) -> None:
    person_of, by_name, called = numbered_persons({str(i): PersonFacts(who, {}) for i, who in enumerate(drawn)})
    names = [name for who in drawn for name in who]
    numbers = [number for i in range(len(drawn)) for number in person_of[str(i)].tolist()]
    for one, first in zip(names, numbers, strict=True):
        same = [second for other, second in zip(names, numbers, strict=True) if second == first]
        assert len(same) == (1 if one is None else names.count(one))
    assert sorted(set(numbers)) == list(range(len(by_name)))
    assert sorted(by_name.tolist()) == list(range(len(by_name)))
    named = sorted({(name, number) for name, number in zip(names, numbers, strict=True) if name is not None})
    assert [by_name[number] for _, number in named] == list(range(len(named)))
    met = list(dict.fromkeys(number for name, number in zip(names, numbers, strict=True) if name is not None))
    alone = [number for name, number in zip(names, numbers, strict=True) if name is None]
    assert met + alone == list(range(len(by_name)))
    assert all(called[number].as_py() == name for name, number in zip(names, numbers, strict=True))


def test_names_without_a_record_are_nobody() -> None:
    owners = RecordOwners(pa.array(["gone", "a", "a", None]), np.array([1, 2, 3, 3]))
    person_of, by_name, called = numbered_persons({"one": PersonFacts(owners, {}), "other": PersonFacts(["a"], {})})
    assert len(by_name) == 3
    assert called.to_pylist() == ["a", None, None]
    assert person_of["one"].tolist()[0] == person_of["one"].tolist()[1] == person_of["other"].tolist()[0]
