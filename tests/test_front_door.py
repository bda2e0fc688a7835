"""`import sharewell`: what it shows, what it takes, and of what it warns."""

from __future__ import annotations

import datetime
import pydoc
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sharewell
from sharewell.errors import DataError
from sharewell.tables import Table

DATES = ["01.02.1950", "1951-03-04", "1.12.1960", "17.5.1971"]
COMMAS = ["72,5", "81,0", "64,5", "70,0"]
VALUES = {"age": [52, 30, 51, 31], "sex": ["M", "F", "M", "F"]}


def protected(frame: object) -> Table:
    return sharewell.protect(frame, quasi=["age", "sex"], k=2).data


def test_a_protected_frame_in_the_order_of_the_original_warns() -> None:
    data = protected(pd.DataFrame(VALUES))
    with pytest.warns(sharewell.RowOrderWarning, match="sorted_frame") as warned:
        frame = data.frame
    assert warned[0].filename == __file__
    assert frame["age"].tolist() == ["[51-52]", "[30-31]", "[51-52]", "[30-31]"]


def test_so_it_does_after_rows_were_taken() -> None:
    import numpy as np

    with pytest.warns(sharewell.RowOrderWarning):
        protected(pd.DataFrame(VALUES)).take(np.array([0, 1])).frame  # noqa: B018


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_sorted_by_what_it_shows_it_does_not(library: type) -> None:
    """Whatever the order of the original, the frame is the same."""
    turned = {name: values[::-1] for name, values in VALUES.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frames = [protected(library(values)).sorted_frame for values in (VALUES, turned)]
    assert all(type(frame) is library for frame in frames)
    assert frames[0]["age"].to_list() == frames[1]["age"].to_list() == ["[30-31]"] * 2 + ["[51-52]"] * 2


def test_an_original_and_a_release_that_was_read_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Table.of(pd.DataFrame(VALUES), quasi=["age", "sex"]).frame["age"].tolist() == VALUES["age"]
        cells = pd.DataFrame({"age": ["[30-31]", "[30-31]"]})
        assert len(Table.of(cells, quasi=["age"], published=True).frame) == 2


def test_it_is_said_once_for_a_line_of_a_script(tmp_path: Path) -> None:
    script = (
        "import pyarrow as pa, sharewell\n"
        "data = sharewell.protect(pa.table({'age': [1, 2, 8, 9]}), quasi=['age'], k=2).data\n"
        "for _ in range(3):\n    data.frame\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.count("RowOrderWarning") == 1


@pytest.mark.parametrize("values", [DATES, COMMAS], ids=["dates", "decimal commas"])
def test_dates_and_numbers_that_are_text_are_not_published_as_sets(values: list[str]) -> None:
    frame = pa.table({"x": values * 3})
    with pytest.raises(DataError, match=r"column x — read as text, but 4 of 4 different values are") as refused:
        sharewell.protect(frame, quasi=["x"], k=2)
    assert not any(value in str(refused.value) for value in values)
    assert sharewell.protect(Table.of(frame, quasi=["x"]), k=2).data


def test_instants_with_a_zone_are_not_published_as_sets() -> None:
    """As a dataframe has them: they were taken for categories, because no form of dates had an offset."""
    instants = pa.array([datetime.datetime(2020, 1, day, day - 1) for day in range(1, 25)], pa.timestamp("us", "UTC"))
    with pytest.raises(DataError, match=r"column x — read as text, .* are dates — make it a column of dates, without"):
        sharewell.protect(pa.table({"x": instants}), quasi="x", k=2)
    days = instants.cast(pa.date32(), safe=False)
    assert sharewell.protect(pa.table({"x": days}), quasi="x", k=24).data.sorted_frame["x"][0].as_py().startswith("[")


def test_free_text_is_not_protected_as_if_it_were_categories() -> None:
    remarks = [f"Mrs Smith came again on day {day}" for day in range(24)]
    with pytest.raises(DataError, match=r"column x — taken for categories, but 24 of 24 .* — leave it out") as refused:
        sharewell.protect(pa.table({"x": remarks}), quasi="x", rest="drop", k=2)
    assert "Smith" not in str(refused.value)


def test_help_begins_with_the_door() -> None:
    told = pydoc.render_doc(sharewell, renderer=pydoc.plaintext)
    start = told[: told.index("PACKAGE CONTENTS")]
    assert all(f"{verb}(" in start for verb in ("risk", "protect", "load", "plan", "release", "verify"))
    functions = re.split(r"\n(?=[A-Z]+\n)", told[told.index("\nFUNCTIONS\n") + 1 :])[0]
    shown = re.findall(r"^    (\w+)\(", functions, re.MULTILINE)
    assert shown == ["load", "plan", "protect", "release", "risk", "verify"]


def test_the_version_is_a_word() -> None:
    assert sharewell.__version__.count(".") >= 1
    assert "__version__" in dir(sharewell)


def test_one_column_may_be_named_without_a_list() -> None:
    frame = pa.table({"age": [30, 31, 40, 41], "illness": ["flu", "gout", "flu", "acne"]})
    assert sharewell.risk(frame, quasi="age", k=2).unique == 4
    released = sharewell.protect(frame, quasi="age", sensitive="illness", k=2)
    assert released.data.sorted_frame["age"].to_pylist() == ["[30-31]", "[30-31]", "[40-41]", "[40-41]"]
