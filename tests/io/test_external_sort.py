"""Rows sorted on disk: the same order whatever order they came in, and however little is held at a time."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io import external_sort
from sharewell.io.external_sort import sort_by_hash

ROWS = st.lists(st.tuples(st.sampled_from(["", "a", "é", "long " * 40, None]), st.integers(0, 3)), min_size=1)


def run(rows: list[tuple[str | None, int]], held: int, size: int = 3, by: tuple[str, ...] = ("text",)) -> list[Any]:
    texts, whose = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"text": pa.array(texts, pa.string()), "who": whose})
    tables = [table.slice(first, size) for first in range(0, table.num_rows, size)]
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(external_sort, "HELD", held)
        path = Path(place) / "out"
        assert sort_by_hash(iter(tables), by, ("who",), path, 2) == len(rows)
        assert [file.name for file in Path(place).iterdir()] == ["out"]
        assert pq.ParquetFile(path).num_row_groups == -(-len(rows) // 2)
        return [tuple(row.values()) for row in pq.read_table(path).to_pylist()]


@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms(use_true_random=False), st.sampled_from([0, 60, 400, 1 << 20]), st.integers(1, 9))
def test_the_order_depends_on_the_contents_alone(rows: Any, shuffled: Any, held: int, size: int) -> None:
    first = run(rows, 1 << 20)
    assert sorted(first, key=str) == sorted(rows, key=str)
    other = list(rows)
    shuffled.shuffle(other)
    assert run(other, held, size) == first


@settings(max_examples=30, deadline=None)
@given(ROWS, st.sampled_from([0, 200]))
def test_equal_ones_are_together_and_in_the_order_in_which_they_came(rows: Any, held: int) -> None:
    found = run(rows, held, by=("who",))
    seen = [who for _, who in found]
    assert sum(a != b for a, b in pairwise(seen)) == len(set(seen)) - 1


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(external_sort, "_spread", full)
    monkeypatch.setattr(external_sort, "HELD", 0)
    with pytest.raises(DataError, match="is there room"):
        sort_by_hash(iter([pa.table({"a": ["x"]})]), ["a"], [], tmp_path / "out", 8)
