"""Rows packed into words: nothing is lost, whatever the widths, and what is cut on them is what is cut without."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.hierarchy import Prefixes
from sharewell.tables import KAnonymity, Mondrian, Table
from sharewell.tables.engine import published_cells
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.protection.partitioning import class_layout, packed_rows
from sharewell.tables.engine.protection.partitioning.packed_rows import PackedClasses, PackedRows
from sharewell.tables.engine.protection.partitioning.value_counts import ValueCounts


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
    assert compiled.short_order.tolist() == plain.order.tolist()
    assert (compiled.order.tolist(), compiled.starts.tolist(), as_deep) == (
        plain.order.tolist(),
        plain.starts.tolist(),
        depth,
    )
    for kept in (True, False):
        if not kept:
            compiled.let_go()
        for column in table.quasi:
            _same_codes(compiled, plain, column)


def _same_codes(compiled: Classes, plain: Classes, column: Column) -> None:
    assert compiled.codes(column).tolist() == plain.codes(column).tolist()
    assert [one.tolist() for one in compiled.extremes(column)] == [one.tolist() for one in plain.extremes(column)]
    if column.size < 63:
        assert compiled.bits(column).tolist() == plain.bits(column).tolist()


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(10, 150),
    domains=st.lists(st.sampled_from([1, 2, 5, 64, 300]), min_size=1, max_size=20),
    suppress=st.sampled_from([0.0, 0.3]),
)
def test_codes_of_classes_reach_their_rows_together_or_one_by_one(
    seed: int, rows: int, domains: list[int], suppress: float
) -> None:
    """The same cells in every row, and the same rows left out."""
    table, mondrian, must = table_of(seed, rows, domains), Mondrian(suppress=suppress), [KAnonymity(5)]
    plain = mondrian.protect(table, must)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published_cells, "LARGE", 0)
        patch.setattr(packed_rows, "_AT_ONCE", 16)
        together = mondrian.protect(table, must)
    assert together.data.arrow.equals(plain.data.arrow)
    assert together.details == plain.details
    for one, other in zip(together.data.quasi, plain.data.quasi, strict=True):
        assert one.codes.dtype == other.codes.dtype
        assert one.codes.tolist() == other.codes.tolist()


@pytest.mark.parametrize("rows", [17, 400, 20_000])
def test_compiled_cuts_of_many_rows_are_those_of_numpy(rows: int) -> None:
    """Enough rows for every way to count them: in tables by turns, by bits, sorted, under each child of a node."""
    pytest.importorskip("numba")
    table = table_of(rows, rows, [1, 2, 7, 64, 65, 128, 129, 300, 1100, 5000])
    root, draw = class_layout.everything(table), np.random.default_rng(rows)
    edges = np.unique(np.concatenate([draw.integers(0, rows, 9), draw.integers(0, min(rows, 900), 30), [0, rows]]))
    plain = class_layout.Layout(table.quasi, root).find(edges[:-1], edges[1:])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_layout, "LARGE", 0)
        patch.setenv("SHAREWELL_COMPILE", "1")
        layout = class_layout.Layout(table.quasi, root)
        compiled = layout.find(edges[:-1], edges[1:])
        layout.close()
    assert layout.large
    for one, other in zip(compiled, plain, strict=True):
        assert [field.tolist() for field in one.fields] == [field.tolist() for field in other.fields]


def test_columns_in_which_a_class_is_constant_are_cut_as_numpy_cuts_them() -> None:
    """The one row that differs may stand anywhere: first, last, or behind all that are looked at together."""
    pytest.importorskip("numba")
    rows, places = 900, [0, 1, 255, 256, 257, 512, 899]
    frame = {f"q{at}": np.where(np.arange(rows) == at, 5, 3) for at in places} | {"q": np.full(rows, 7)}
    frame |= {"many": np.arange(rows) // 450}
    table = Table.of(pa.table(frame), quasi=list(frame))
    root, edges = class_layout.everything(table), np.array([0, 1, 3, 256, 257, 600, 900])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_layout, "LARGE", 0)
        patch.setenv("SHAREWELL_COMPILE", "1")
        layout = class_layout.Layout(table.quasi, root)
        for begins, ends in ((edges[:-1], edges[1:]), (np.array([0]), np.array([rows]))):
            compiled, plain = layout.find(begins, ends), ValueCounts(table.quasi).find(np.arange(rows), begins, ends)
            assert (compiled.numbers == plain).all()
        layout.close()
