"""Owners by number are the same sequence as the names themselves."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.record_owners import RecordOwners


@given(st.lists(st.sampled_from(["a", "b", "", "ä", None])), st.integers(-3, 3), st.integers(-3, 3))
def test_a_sequence_of_names(persons: list[str | None], begin: int, end: int) -> None:
    owners = RecordOwners.of(persons)
    assert list(owners) == persons
    assert len(owners) == len(persons)
    assert [owners[i] for i in range(len(persons))] == persons
    assert list(owners[begin:end]) == persons[begin:end]
    assert RecordOwners.of(owners) is owners


def test_there_is_no_owner_beyond_the_last_record() -> None:
    with pytest.raises(IndexError):
        RecordOwners.of(["a"])[1]


def test_persons_can_be_called_otherwise() -> None:
    assert list(RecordOwners.of(["A", "b", "A"]).renamed(pa.array(["a", None]))) == ["a", None, "a"]
