"""Rows sorted on disk: the same order whatever order they came in, and however little is held at a time."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.content_order import content_order
from sharewell.errors import DataError
from sharewell.io import external_sort
from sharewell.io.external_sort import join_and_sort, sort_by_hash
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import spill

ROWS = st.lists(st.tuples(st.sampled_from(["", "a", "é", "long " * 40, None]), st.integers(0, 3)), min_size=1)


def run(rows: list[tuple[str | None, int]], memory: int, size: int = 3, by: tuple[str, ...] = ("text",)) -> list[Any]:
    texts, whose = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"text": pa.array(texts, pa.string()), "who": whose})
    tables = [table.slice(first, size) for first in range(0, table.num_rows, size)]
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(external_sort, "TEXT_MEMORY", memory)
        path = Path(place) / "out"
        assert sort_by_hash(iter(tables), by, ("who",), path, 2) == len(rows)
        assert [file.name for file in Path(place).iterdir()] == ["out"]
        assert pq.ParquetFile(path).num_row_groups == -(-len(rows) // 2)
        return [tuple(row.values()) for row in pq.read_table(path).to_pylist()]


@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms(use_true_random=False), st.sampled_from([0, 60, 400, 1 << 20]), st.integers(1, 9))
def test_the_order_depends_on_the_contents_alone(rows: Any, shuffled: Any, memory: int, size: int) -> None:
    first = run(rows, 1 << 20)
    assert sorted(first, key=str) == sorted(rows, key=str)
    other = list(rows)
    shuffled.shuffle(other)
    assert run(other, memory, size) == first


@settings(max_examples=30, deadline=None)
@given(ROWS, st.sampled_from([0, 200]))
def test_equal_ones_are_together_and_in_the_order_in_which_they_came(rows: Any, memory: int) -> None:
    found = run(rows, memory, by=("who",))
    seen = [who for _, who in found]
    assert sum(a != b for a, b in pairwise(seen)) == len(set(seen)) - 1


@pytest.mark.parametrize("memory", [1, 1 << 20])
def test_many_runs_are_merged_in_steps_and_equal_rows_keep_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: int
) -> None:
    monkeypatch.setattr(external_sort, "TEXT_MEMORY", memory)
    monkeypatch.setattr(external_sort, "_MOST_RUNS", 3)
    tables = [pa.table({"who": [str(i % 5)], "came": [i]}) for i in range(100)]
    sort_by_hash(iter(tables), ["who"], [], tmp_path / "out", 8)
    rows = pq.read_table(tmp_path / "out").to_pylist()
    assert len({row["who"] for row in rows[:20]}) == 1
    for who in "01234":
        assert [row["came"] for row in rows if row["who"] == who] == list(range(int(who), 100, 5))


VALUES = st.lists(st.tuples(*[st.sampled_from([None, "", "a", "b", "é"])] * 4), min_size=1, max_size=40)


@settings(max_examples=40, deadline=None)
@given(VALUES, st.randoms(use_true_random=False), st.sampled_from([1, 300, 1 << 20]))
def test_columns_of_disk_and_memory_are_sorted_as_in_memory(rows: Any, random: Any, memory: int) -> None:
    """`content_order` of the joined table is the truth, whatever rows were left out and however many runs there are."""
    table = pa.table([pa.array(column, pa.string()) for column in zip(*rows, strict=True)], names=list("abcd"))
    kept = np.array(random.sample(range(len(rows)), random.randint(0, len(rows))), dtype=np.intp)
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(external_sort, "VALUE_MEMORY", memory)
        pq.write_table(table, Path(place) / "in.parquet")
        resident, spilled = spill(Source.of(Path(place) / "in.parquet"), ["a", "c"], ["b", "d"], Path(place))
        sorted_rows = join_and_sort(resident.take(kept), spilled.take(kept), list("bca"), ["d"], Path(place))
        parts = list(sorted_rows.tables())
    expected = table.take(kept).select(list("bcad"))
    expected = expected.take(content_order(expected))
    assert [row for part in parts for row in part.to_pylist()] == expected.to_pylist()


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(external_sort, "_write_run", full)
    with pytest.raises(DataError, match="is there room"):
        sort_by_hash(iter([pa.table({"a": ["x"]})]), ["a"], [], tmp_path / "out", 8)
