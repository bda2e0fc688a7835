"""Columns are read in a stated form if it reads all of their values and says something about them."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.errors import PolicyError
from sharewell.io.sources import Source
from sharewell.io.stated_forms import with_stated_forms

TABLE = pa.table(
    {
        "weight": ["71,5", "80", "1.080,25"],
        "age": ["40", "41", "42"],
        "remark": ["1,5 mg", "none", "2,0 mg"],
        "seen": ["03/04/2021", "3.5.2021", None],
        "version": ["1.2", "1.3", "2.0"],
    }
)


def test_decimals_and_days_are_read_as_they_are_stated() -> None:
    source, decided = with_stated_forms(Source(frame=TABLE, decimal=",", thousands=".", day_first=True))
    table = source.read().to_pydict()
    assert table["weight"] == ["71.5", "80", "1080.25"]
    assert table["seen"] == ["2021-04-03", "2021-05-03", None]
    assert {name: table[name] for name in ("age", "remark", "version")} == TABLE.select(
        ["age", "remark", "version"]
    ).to_pydict()
    assert decided == (
        "the frame: column weight is read as numbers",
        "the frame: column seen is read as dates",
    )


def test_the_month_may_come_first() -> None:
    source, _ = with_stated_forms(Source(frame=TABLE, day_first=False))
    assert source.read(["seen"]).to_pydict()["seen"][0] == "2021-03-04"


def test_nothing_stated_changes_nothing() -> None:
    source = Source(frame=TABLE)
    assert with_stated_forms(source) == (source, ())


def test_one_sign_cannot_be_both() -> None:
    with pytest.raises(PolicyError, match="decimal and thousands must differ"):
        with_stated_forms(Source(frame=TABLE, decimal=",", thousands=","))
