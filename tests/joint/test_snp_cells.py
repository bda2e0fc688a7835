"""Cells of DNA as sets: written, read back, joined, and what they lose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.genomes.engine import iupac_lattice
from sharewell.joint import SnpCells

calls = st.lists(st.lists(st.integers(1, 7), min_size=2, max_size=2), min_size=1, max_size=6)
bases = st.lists(st.lists(st.integers(1, 16), min_size=3, max_size=3), min_size=1, max_size=6)


def texts(data: SnpCells) -> dict[str, pa.ChunkedArray]:
    return {name: pa.chunked_array([column]) for name, column in data.arrow().items()}


@given(calls)
def test_calls_are_read_back_as_they_were_written(sets: Any) -> None:
    data = SnpCells(np.array(sets, dtype=np.uint8), ("a", "b"))
    again = SnpCells.reopened(texts(data), "calls")
    assert (again.sets == data.sets).all()
    assert again.published
    assert {name: column.to_pylist() for name, column in data.arrow().items()} == data.columns()


@given(bases)
def test_bases_are_written_as_dna_alone_writes_them(codes: Any) -> None:
    data = SnpCells.of_bases(codes, "dna")
    assert data.columns()["dna"] == [iupac_lattice.write(np.array(row, dtype=np.uint8)) for row in codes]
    assert (SnpCells.reopened(texts(data), "bases").sets == data.sets).all()


@given(bases, st.data())
def test_joined_cells_cover_their_group_and_are_read_back(codes: Any, draw: Any) -> None:
    data = SnpCells.of_bases(codes, "dna")
    group = np.array(draw.draw(st.lists(st.integers(0, 2), min_size=len(codes), max_size=len(codes))))
    shown = data.joined(group)
    assert ((shown.sets & data.sets) == data.sets).all()
    for number in set(group.tolist()):
        assert len(np.unique(shown.sets[group == number], axis=0)) == 1
    assert (SnpCells.reopened(texts(shown), "bases").sets == shown.sets).all()
    assert 0 <= data.lost(shown) <= 1


def test_what_cells_lose() -> None:
    data = SnpCells.of_calls([[0, -1], [1, 2]], ["a", "b"])
    assert data.lost(data) == 0
    assert np.isnan(data.losses(data)[0, 1])
    assert data.joined(np.array([0, 0])).columns() == {"a": ["{0,1}"] * 2, "b": ["*"] * 2}
    assert data.lost(data.joined(np.array([0, 0]))) == pytest.approx((0.5 + 0.5 + 1) / 3)
    unknown = SnpCells.of_calls([[-1]], ["a"])
    assert unknown.lost(unknown) == 0


def test_a_digest_does_not_depend_on_the_order_of_persons() -> None:
    data = SnpCells.of_calls([[0, 1], [1, 2], [2, 0]], ["a", "b"])
    assert data.content == data.take(np.array([2, 0, 1])).content
    assert data.content != SnpCells.of_calls([[0, 2], [1, 1], [2, 0]], ["a", "b"]).content


@pytest.mark.parametrize("text", ["3", "{0}", "[0-1]", " 0", "N"])
def test_what_is_no_call_is_refused_without_a_value(text: str) -> None:
    with pytest.raises(DataError, match="1 cell") as told:
        SnpCells.reopened({"rs1": pa.chunked_array([["0", text]])}, "calls")
    assert text not in str(told.value).replace("1 cell", "").replace("DNA", "").replace("SNP", "") or text == "N"


def test_sequences_of_several_lengths_and_empty_dna_are_refused() -> None:
    with pytest.raises(DataError, match="one length"):
        SnpCells.reopened({"dna": pa.chunked_array([["ACT", "AC"]])}, "bases")
    with pytest.raises(DataError, match="no person has a call at any place"):
        SnpCells.of_calls(np.zeros((2, 0)), [])
    with pytest.raises(DataError, match="no value at all"):
        SnpCells(np.zeros((1, 1), dtype=np.uint8), ("a",))
    with pytest.raises(DataError, match="persons × places"):
        SnpCells.of_calls([[0, 1]], ["a"])


def test_cells_name_no_value_that_only_withheld_persons_have() -> None:
    original = SnpCells.of_calls([[0, 0], [0, 1], [2, -1], [1, 2]], names=["rs1", "rs2"])
    joined = original.joined(np.zeros(4, dtype=np.int64))
    rows = np.array([0, 1])
    assert joined.take(rows).columns() == {"rs1": ["*", "*"], "rs2": ["*", "*"]}
    pairs = original.joined(np.array([0, 1, 0, 1]))  # the first shows {0,2}, the second {0,1}
    assert pairs.take(rows).of_published(original, rows).columns()["rs1"] == ["0", "0"]
    assert pairs.of_published(original, np.arange(4)) is pairs


@given(calls | bases, st.integers(0, 10**6))
def test_the_loss_is_the_mean_of_all_known_cells_in_ascending_order(rows: Any, seed: int) -> None:
    before = np.array(rows, dtype=np.uint8)
    data = SnpCells.of_bases(rows, "dna") if before.shape[1] == 3 else SnpCells(before, ("a", "b"))
    shown = data.joined(np.random.default_rng(seed).integers(0, 3, len(rows)))
    losses = np.sort(data.losses(shown), axis=None)
    known = losses[~np.isnan(losses)]
    assert data.lost(shown) == (float(known.mean()) if len(known) else 0.0)
