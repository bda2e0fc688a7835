"""Corners of the tables wing in which something was wrong once."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import DataError, Infeasible
from sharewell.keys import Key
from sharewell.tables import (
    MDAV,
    PRAM,
    KAnonymity,
    LocalRecoding,
    Noise,
    OptimalRecoding,
    RankSwapping,
    RecordSuppression,
    Table,
)

KEY = Key(b"a secret of the tests, long enough")


def opened(frame: pa.Table, sensitive: list[str], subject: str | None = None) -> Table:
    return Table.of(frame, quasi=["group"], sensitive=sensitive, subject=subject)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, None, 3, None, 5, None], [None, 20, None, 40, None, 60]),
        ([1, None, 3, None, 5, None], [10, 20, None, 40, None, 60]),
        ([7, 7, 7, 4, 5, 6], [10, 20, 30, None, None, None]),
    ],
)
def test_correlated_noise_is_refused_where_it_would_be_none(x: list[int | None], y: list[int | None]) -> None:
    """Too few rows have both numbers: there is no covariance, and the true values were published as noisy ones."""
    table = opened(pa.table({"group": ["a"] * 6, "x": x, "y": y}), ["x", "y"])
    with pytest.raises(DataError, match=r"column x does not vary in the [013] of 6 row"):
        Noise({"x": 0.5, "y": 0.5}, correlated=True).protect(table, [], KEY)
    assert Noise({"x": 3, "y": 3}).protect(table, [], KEY).details.changed["x"] > 0


def test_correlated_noise_is_as_large_as_told_where_rows_are_incomplete() -> None:
    """The rows that have both numbers vary little; the noise is a share of the spread of all."""
    draw = np.random.default_rng(2)
    spread = np.where(np.arange(2000) < 200, 1.0, 1000.0)
    x = draw.normal(0, spread)
    y = pa.array(np.where(spread == 1, x + draw.normal(0, 1, 2000), np.nan), from_pandas=True)
    table = opened(pa.table({"group": ["a"] * 2000, "x": np.round(x, 3), "y": y}), ["x", "y"])
    released = Noise({"x": 0.5, "y": 0.5}, correlated=True).protect(table, [], KEY).data
    noise = np.array(released.arrow["x"].to_pylist()) - np.round(x, 3)
    assert noise.std() == pytest.approx(0.5 * x.std(), rel=0.1)


@pytest.mark.parametrize("seed", range(6))
def test_correlated_noise_does_not_depend_on_the_order_of_rows(seed: int) -> None:
    """Columns that hang together make the root of their covariance sensitive to the last digit of a sum."""
    draw = np.random.default_rng(seed)
    x = np.round(draw.normal(50_000, 20_000, 1500), 2)
    frame = pa.table({"group": ["a"] * 1500, "x": x, "y": np.round(2 * x + 7, 2), "z": np.round(7 - x, 2)})
    mechanism = Noise({"x": 0.5, "y": 0.5, "z": 0.5}, correlated=True)

    def rows(source: pa.Table) -> list[str]:
        return sorted(map(str, mechanism.protect(opened(source, ["x", "y", "z"]), [], KEY).data.arrow.to_pylist()))

    assert rows(frame) == rows(frame.take(pa.array(draw.permutation(1500))))


@pytest.mark.parametrize(
    "values",
    [
        [2**53 + 1, 2**53 + 3, 2**60 + 1, 2**60 + 7, 5, None],
        ["0.12345678901234", "0.123456789012345", "0.5", "0.7", "1", None],
        ["1.50", "0.5", "0.70", "3", "3.0", None],
        [1e-12, 3e-12, 0.5, 1e15, 7.0, None],
        ["29.02.2020", "13.01.1950", "14.01.1950", "31.12.1999", None, None],
    ],
)
@pytest.mark.parametrize("role", ["sensitive", "keep"])
def test_swapped_values_come_out_as_they_were_written(values: list[Any], role: str) -> None:
    """They went through floating-point numbers of nine decimals, and some came out as others."""
    frame = pa.table({"group": ["a"] * 6, "x": values})
    table = Table.of(frame, quasi=["group"], rest=role)
    after = RankSwapping(["x"], 50).protect(table, [], KEY).data.arrow["x"]
    assert after.type == frame["x"].type
    assert sorted(map(str, after.to_pylist())) == sorted(map(str, values))
    assert [value is None for value in after.to_pylist()] == [value is None for value in values]


def test_swapped_quasi_values_come_out_as_they_were_written() -> None:
    values = [2**53 + 1, 2**53 + 3, 2**60 + 1, 2**60 + 7]
    table = Table.of(pa.table({"x": values}), quasi=["x"])
    after = RankSwapping(["x"], 50).protect(table, [], KEY).data.arrow["x"].to_pylist()
    assert sorted(map(int, after)) == sorted(values)


def test_a_group_of_records_without_a_person_is_no_group_of_persons() -> None:
    """k = 4 was promised and groups of nobody were published, unless k-anonymity was asked for as well."""
    frame = pa.table({"who": ["p1", "p2", "p3", "p4", *[None] * 4], "x": [1, 2, 3, 4, 50, 51, 52, 53]})
    table = Table.of(frame, quasi=["x"], subject="who")
    for must in ([], [KAnonymity(4)]):
        with pytest.raises(Infeasible, match="without a person"):
            MDAV(k=4).protect(table, must, KEY)
    known = Table.of(frame.slice(0, 4), quasi=["x"], subject="who")
    assert MDAV(k=4).protect(known, [], KEY).details.smallest == 4


@pytest.mark.parametrize("invariant", [False, True])
def test_post_randomisation_of_a_part_of_a_table_draws_among_its_own_values(invariant: bool) -> None:
    """A part keeps the domain of the whole; a value that no row has cannot be written."""
    frame = pa.table({"group": list("aabbaa"), "ill": ["v", "w", "x", "y", None, "w"]})
    part = opened(frame, ["ill"]).take(np.array([1, 2, 4, 5]))
    shown = set()
    for number in range(30):
        released = PRAM({"ill": 0.3}, invariant).protect(part, [], Key(sha256(bytes([number])).digest()))
        column = released.data.arrow["ill"].to_pylist()
        assert column[2] is None
        assert released.details.columns["ill"].values == 2
        shown |= set(column)
    assert shown == {"w", "x", None}


def test_records_without_a_person_are_not_withheld_for_nothing() -> None:
    """They counted as nobody's, so that any number of them could go where nobody may lose a record."""
    frame = pa.table({"place": list("aabbcc"), "who": ["p1", "p2", "p3", "p4", None, None]})
    table = Table.of(frame, quasi=["place"], subject="who")
    for mechanism in (OptimalRecoding(), LocalRecoding()):
        assert mechanism.protect(table, [KAnonymity(2)]).data.rows == 6
    with pytest.raises(Infeasible, match="2 of 4 persons would lose records, and at most 0 may"):
        RecordSuppression(0.01).protect(table, [KAnonymity(2)])


def test_withheld_records_without_a_person_are_told_and_bounded() -> None:
    frame = pa.table({"place": list("aabbc"), "who": ["p1", "p2", "p3", "p4", None]})
    table = Table.of(frame, quasi=["place"], subject="who")
    for mechanism in (OptimalRecoding(0.25), LocalRecoding(0.25), RecordSuppression(0.25)):
        details = mechanism.protect(table, [KAnonymity(2)]).details
        assert details.suppressed_persons == 1
    nobody = Table.of(pa.table({"place": list("aab"), "who": [None] * 3}), quasi=["place"], subject="who")
    with pytest.raises(Infeasible):
        RecordSuppression(0.5).protect(nobody, [KAnonymity(2)])


@pytest.mark.parametrize("role", ["sensitive", "keep"])
@pytest.mark.parametrize("mechanism", [PRAM({"x": 0.4}), RankSwapping(["x"], 30), MDAV(k=2)])
def test_cells_that_mean_the_same_and_look_different_follow_no_order_of_rows(mechanism: Any, role: str) -> None:
    """Zero with and without a sign, missing as NaN and as null: what stood first was written for all."""
    draw = np.random.default_rng(3)
    for _ in range(20):
        x = [[0.0, -0.0, 1.5, 2.5, None, float("nan")][i] for i in draw.integers(0, 6, 14)] + [3.5]
        frame = pa.table({"group": draw.integers(0, 4, 15), "x": pa.array(x, pa.float64(), from_pandas=False)})
        rows = []
        for source in (frame, frame.take(pa.array(draw.permutation(15)))):
            table = Table.of(source, quasi=["group"], rest=role)
            rows.append(sorted(map(str, mechanism.protect(table, [], KEY).data.arrow.to_pylist())))
        assert rows[0] == rows[1]
