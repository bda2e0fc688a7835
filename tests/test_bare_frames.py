"""A frame in the place of data with roles is refused with the line to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sharewell import registry
from sharewell.bare_frames import is_bare
from sharewell.errors import PolicyError
from sharewell.tables import NCP, KAnonymity, Mondrian, Prosecutor, Table

VALUES = {"age": [30, 31, 40, 41], "sex": ["F", "F", "M", "M"]}
FRAMES = [pd.DataFrame(VALUES), pl.DataFrame(VALUES), pa.table(VALUES), VALUES, "people.csv", Path("people.csv")]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__module__ + type(frame).__name__)
def test_a_criterion_says_what_to_write(frame: Any) -> None:
    with pytest.raises(PolicyError) as refused:
        KAnonymity(2).check(frame)
    told = str(refused.value)
    assert told.startswith("KAnonymity.check: got a ")
    assert 'KAnonymity(…).check(Table.of(frame, quasi=["age", "sex", …], rest="keep"))' in told
    assert "sharewell.risk(frame, quasi=[…])" in told
    assert "people.csv" not in told


def test_so_do_mechanisms_attacks_and_measures() -> None:
    frame: Any = FRAMES[0]
    for call in (
        lambda: Mondrian().protect(frame, [KAnonymity(2)]),
        lambda: Prosecutor().mount(frame),
        lambda: NCP().score(frame, frame),
    ):
        with pytest.raises(PolicyError, match=r"Table\.of"):
            call()


def test_what_it_says_to_write_works() -> None:
    assert KAnonymity(2).check(Table.of(FRAMES[0], quasi=["sex"], rest="keep")).ok


METHODS = {"criteria": "check", "mechanisms": "protect", "attacks": "mount", "utility": "score"}
ENTRIES = [entry for entry in registry.entries() if entry.kind != "together"]


@pytest.mark.parametrize("room", list(METHODS))
def test_every_algorithm_refuses_them(room: str) -> None:
    """Whatever its parameters: it is asked before anything else is looked at."""
    for entry in ENTRIES:
        if entry.room == room:
            made = object.__new__(entry.load())
            with pytest.raises(PolicyError, match=r"got a DataFrame of pandas"):
                getattr(made, METHODS[room])(FRAMES[0], FRAMES[0])


def test_data_of_some_kind_is_no_frame() -> None:
    assert not is_bare(Table.of(FRAMES[0], quasi=["sex"], rest="keep"))
    assert not is_bare(None)
