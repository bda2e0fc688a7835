"""Rows packed into words: nothing is lost, whatever the widths, and what is cut on them is what is cut without."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.hierarchy import Prefixes
from sharewell.tables import KAnonymity, Mondrian, Table
from sharewell.tables.engine.protection.partitioning import class_layout
from sharewell.tables.engine.protection.partitioning.packed_rows import PackedClasses, PackedRows


def table_of(seed: int, rows: int, domains: list[int]) -> Table:
    draw = np.random.default_rng(seed)
    frame: dict[str, Any] = {f"q{j}": draw.integers(0, size, rows) for j, size in enumerate(domains)}
    frame["place"] = [f"{v:05d}" for v in draw.integers(0, 400, rows) * 31]
    return Table.of(pa.table(frame), quasi=list(frame), hierarchies={"place": Prefixes()})


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 120),
    domains=st.lists(st.sampled_from([1, 2, 3, 64, 65, 5000]), min_size=1, max_size=24),
    turned=st.booleans(),
)
def test_every_code_comes_back(seed: int, rows: int, domains: list[int], turned: bool) -> None:
    table = table_of(seed, rows, domains)
    order = np.random.default_rng(seed).permutation(rows) if turned else None
    packed = PackedRows(table.quasi, order, rows)
    for j, column in enumerate(table.quasi):
        codes = packed.codes(j, column.codes.dtype)
        assert codes.dtype == column.codes.dtype
        assert codes.tolist() == (column.codes if order is None else column.codes[order]).tolist()
    assert len({(word, bit) for word, bit in zip(packed.word.tolist(), packed.shift.tolist(), strict=True)}) == len(
        table.quasi
    )


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(4, 150),
    k=st.integers(1, 6),
    domains=st.lists(st.sampled_from([1, 2, 5, 64, 65, 300, 5000]), min_size=1, max_size=20),
    relaxed=st.booleans(),
)
def test_one_word_or_several_cut_alike(seed: int, rows: int, k: int, domains: list[int], relaxed: bool) -> None:
    """The same classes, row by row, as in numpy; and they know the codes of their rows."""
    table = table_of(seed, rows, domains)
    must = [KAnonymity(min(k, rows))]
    plain, depth = Mondrian(relaxed=relaxed).classes(table, must)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_layout, "LARGE", 0)
        patch.setenv("SHAREWELL_COMPILE", "1")
        compiled, as_deep = Mondrian(relaxed=relaxed).classes(table, must)
    pytest.importorskip("numba")
    assert isinstance(compiled, PackedClasses)
    assert not isinstance(plain, PackedClasses)
    assert (compiled.order.tolist(), compiled.starts.tolist(), as_deep) == (
        plain.order.tolist(),
        plain.starts.tolist(),
        depth,
    )
    for column in table.quasi:
        assert compiled.codes(column).tolist() == plain.codes(column).tolist()
