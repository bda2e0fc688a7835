"""Any dataframe in, the same kind out: other columns unchanged, row order kept."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.roles import Role
from sharewell.tables import KAnonymity, Mondrian, Table

DAY, INSTANT = datetime.date(2020, 2, 29), datetime.datetime(2020, 2, 29, 8, 30)


def release(frame: Any) -> Any:
    """The frame with `n` generalised and everything else kept."""
    table = Table.of(frame, quasi=["n"], rest="keep")
    return Mondrian().protect(table, [KAnonymity(2)]).data.frame


KEPT: dict[str, Any] = {
    "text": pa.array(["b", "a", None, "*", "007", ""]),
    "large": pa.array(list("fedcba"), pa.large_string()),
    "truth": pa.array([True, None, False] * 2),
    "big": pa.array([2**53 + 1, None, 2**63 - 1, 3, 4, 5]),
    "unsigned": pa.array([2**64 - 1] * 6, pa.uint64()),
    "float": pa.array([1.5, float("inf"), None, -0.0, 1e300, 5e-324]),
    "decimal": pa.array([decimal.Decimal("1.50"), None] * 3),
    "date": pa.array([DAY, None] * 3),
    "instant": pa.array([INSTANT, None] * 3, pa.timestamp("us")),
    "zoned": pa.array([INSTANT, None] * 3, pa.timestamp("us", "Europe/Vienna")),
    "category": pa.array(["x", "y", None] * 2).dictionary_encode(),
    "list": pa.array([[1, 2], [], None, [3], [None], [4]]),
    "record": pa.array([{"a": 1}, {"a": None}] * 3),
    "nothing": pa.nulls(6),
    "bytes": pa.array([b"\xff\x00"] * 6),
    "__index_level_0__": pa.array(range(6)),
    "person": pa.array(range(6)),
    "suppressed": pa.array(range(6)),
}
ARROW = pa.table({"n": [5, 0, 4, 1, 3, 2], **KEPT})


def test_arrow_tables_come_back_with_every_other_column_as_it_was() -> None:
    released = release(ARROW)
    assert isinstance(released, pa.Table)
    assert released.drop_columns(["n"]).equals(ARROW.drop_columns(["n"]))
    assert released["n"].to_pylist() == ["[3-5]", "[0-2]", "[3-5]", "[0-2]", "[3-5]", "[0-2]"]


def test_arrow_batches_and_chunks_are_read() -> None:
    chunked = pa.concat_tables([ARROW.slice(0, 2), ARROW.slice(2, 0), ARROW.slice(2)])
    assert release(chunked).equals(release(ARROW))
    assert release(ARROW.combine_chunks().to_batches()[0]).equals(release(ARROW))


def test_polars_frames_come_back_with_every_other_column_as_it_was() -> None:
    frame = pl.DataFrame(pl.from_arrow(ARROW.drop_columns(["__index_level_0__"])))
    frame = frame.with_columns(
        pl.Series("small", range(6), dtype=pl.UInt8), pl.Series("took", [datetime.timedelta(1)] * 6)
    )
    released = release(frame)
    assert isinstance(released, pl.DataFrame)
    assert released.drop("n").equals(frame.drop("n"))
    assert released.drop("n").schema == frame.drop("n").schema


PANDAS = pd.DataFrame(
    {
        "n": [5, 0, 4, 1, 3, 2],
        "int": np.arange(6, dtype=np.int8),
        "float": [1.5, np.nan, 2, 3, 4, np.inf],
        "truth": [True, False] * 3,
        "category": pd.Categorical(list("abcabc"), categories=list("cba"), ordered=True),
        "instant": pd.date_range("2020-01-01", periods=6, freq="h"),
        "zoned": pd.date_range("2020-01-01", periods=6, tz="Europe/Vienna"),
        "text": pd.array(["a", None, "b", "*", "007", ""], dtype="str"),
        "decimal": [decimal.Decimal("1.50")] * 6,
        "date": [DAY] * 6,
    },
    index=list("uvwxyz"),
)


def test_pandas_frames_come_back_with_every_other_column_as_it_was() -> None:
    """The index is not a column, has no role and is not published."""
    released = release(PANDAS)
    assert isinstance(released, pd.DataFrame)
    assert released.index.tolist() == list(range(6))
    pd.testing.assert_frame_equal(released.drop(columns="n"), PANDAS.drop(columns="n").reset_index(drop=True))


def test_nullable_integers_of_pandas_keep_their_value() -> None:
    frame = pd.DataFrame({"n": [1, 2, 3], "id": pd.array([2**53 + 1, None, 3], dtype="Int64")})
    assert release(frame)["id"].tolist()[0] == 2**53 + 1


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame])
def test_a_column_named_like_an_index_is_a_column(kind: Any) -> None:
    assert "__index_level_0__" in release(kind({"n": [1, 2], "__index_level_0__": [1, 2]})).columns


def test_a_mixed_column_of_pandas_is_told_without_its_cells() -> None:
    with pytest.raises(DataError, match="several types in one column: n — ") as refused:
        release(pd.DataFrame({"n": [1, "SECRET"]}))
    assert "SECRET" not in str(refused.value)


@pytest.mark.parametrize("drop", [{"rest": "drop"}, {"drop": ["odd"]}])
def test_a_mixed_column_that_is_dropped_need_not_be_converted(drop: dict[str, Any]) -> None:
    frame = pd.DataFrame({"odd": [1, "x"], "n": [1, 2]})
    table = Table.of(frame, quasi=["n"], **drop)
    assert table.schema.having(Role.DROP) == ("odd",)
    assert Mondrian().protect(table, [KAnonymity(2)]).data.sorted_frame["n"].tolist() == ["[1-2]", "[1-2]"]


def test_two_columns_of_one_name_are_told() -> None:
    with pytest.raises((DataError, PolicyError), match="two columns of one name"):
        release(pd.DataFrame([[1, 2]], columns=["n", "n"]))


def test_string_views_are_kept() -> None:
    assert release(pa.table({"n": [1, 2], "view": pa.array(["a", "b"], pa.string_view())}))["view"].to_pylist() == [
        "a",
        "b",
    ]


def test_two_arrow_columns_of_one_name_are_told() -> None:
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["n", "n"])
    with pytest.raises(PolicyError) as caught:
        release(twice)
    assert str(caught.value) == "policy: columns — the source has two columns of one name: n"


@pytest.mark.parametrize("thing", [{"n": [1]}, [[1]], None, "data.csv", pd.Series([1], name="n")])
def test_what_is_no_dataframe_is_told_by_its_kind(thing: Any) -> None:
    with pytest.raises(DataError) as caught:
        release(thing)
    kind = type(thing).__name__
    told = f"a {kind} is not a dataframe — pandas, polars, Arrow, DuckDB or anything else that narwhals knows"
    assert str(caught.value) == told


@pytest.mark.parametrize("name", ["text", "truth", "big", "decimal", "date", "instant", "zoned", "category", "nothing"])
@pytest.mark.parametrize("kind", ["pyarrow", "polars", "pandas"])
def test_every_plain_type_can_be_generalised_in_every_library(kind: str, name: str) -> None:
    arrow = pa.table({"n": ARROW[name], "row": list(range(6))})
    frame = {"pyarrow": lambda: arrow, "polars": lambda: pl.from_arrow(arrow), "pandas": arrow.to_pandas}[kind]()
    released = Mondrian().protect(Table.of(frame, quasi=["n"], keep=["row"]), [KAnonymity(3)]).data
    assert type(released.frame) is type(frame)
    assert released.arrow["row"].to_pylist() == list(range(6))
    assert released.classes.sizes.min() >= 3
