"""Odd files give a defined result or a typed error with an exact message; no message holds a value."""

from __future__ import annotations

from pathlib import Path

import pytest
from odd_files import SECRET, Odd, odd_files

from sharewell.errors import DataError, MissingExtra
from sharewell.io.sources import Source

ODD = list(odd_files())


def test_there_are_many_kinds_of_them() -> None:
    assert len({one.what for one in ODD}) >= 60


@pytest.mark.parametrize("odd", ODD, ids=lambda one: f"{one.what}: {one.name}")
def test_an_odd_file_is_read_right_or_refused_with_its_reason(tmp_path: Path, odd: Odd) -> None:
    path = tmp_path / odd.name
    path.write_bytes(odd.content)
    if isinstance(odd.result, str):
        with pytest.raises(DataError) as caught:
            Source.detected(path)[0].read()
        if isinstance(caught.value, MissingExtra):
            raise caught.value
        assert str(caught.value) == odd.result
        assert SECRET not in str(caught.value)
        assert caught.value.exit_code == 3
        return
    source, found = Source.detected(path)
    assert found.decided == odd.decided
    assert source.read().to_pydict() == odd.result
    assert SECRET not in " ".join(found.decided)


@pytest.mark.parametrize("odd", ODD, ids=lambda one: f"{one.what}: {one.name}")
def test_what_a_policy_calls_csv_is_read_as_csv_or_refused(tmp_path: Path, odd: Odd) -> None:
    """A policy names the format: a file of another one never becomes columns whose names are its cells."""
    path = tmp_path / odd.name
    path.write_bytes(odd.content)
    try:
        names = Source(path, "csv").names()
        Source(path, "csv").read()
    except DataError as error:
        told = str(error)
    else:
        told = ""
        assert names in (["name", "age"], ["name", "weight"])
    assert SECRET not in told
