"""Mondrian's two engines do the same, and both do what the definitions say."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mondrian import opened, people

from sharewell.errors import Infeasible
from sharewell.hierarchy import Prefixes
from sharewell.tables import KAnonymity, LDiversity, Mondrian, Table
from sharewell.tables.engine.protection.partitioning import class_layout, cuts, top_down_cuts, value_counts


def published(frame: Any, mechanism: Mondrian, must: Any) -> Any:
    try:
        released = mechanism.protect(opened(frame), must)
    except Infeasible as error:
        return str(error)
    return released.data.arrow.to_pydict(), released.details


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 150),
    k=st.integers(1, 9),
    diverse=st.integers(1, 3),
    split=st.sampled_from(["gain", "width"]),
    relaxed=st.booleans(),
)
def test_the_compiled_engine_does_the_same(
    seed: int, rows: int, k: int, diverse: int, split: Any, relaxed: bool
) -> None:
    """Compiled or not, in blocks or not: the same cells and the same details."""
    frame, mechanism, must = (
        people(seed, rows, 100),
        Mondrian(split, relaxed=relaxed),
        [KAnonymity(k), LDiversity(diverse)],
    )
    plain = published(frame, mechanism, must)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(top_down_cuts, "BLOCK", 16)
        assert published(frame, mechanism, must) == plain
        patch.setattr(class_layout, "LARGE", 0)
        assert published(frame, mechanism, must) == plain


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=12),
    distinct=st.sampled_from([1, 2, 5, 300, 3000]),
    large=st.booleans(),
)
def test_the_cut_is_the_one_nearest_the_middle(seed: int, sizes: list[int], distinct: int, large: bool) -> None:
    """Against every cut that there is, in flat columns and in trees, counted or sorted."""
    draw = np.random.default_rng(seed)
    rows = sum(sizes)
    frame = pa.table(
        {
            "number": draw.integers(0, distinct, rows),
            "place": [f"{v:05d}" for v in draw.integers(0, distinct, rows) * 7],
            "name": [f"n{v}" for v in draw.integers(0, min(9, distinct), rows)],
        }
    )
    table = Table.of(frame, quasi=["number", "place", "name"], hierarchies={"place": Prefixes()})
    ends = np.cumsum(sizes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_layout, "LARGE", 0 if large else 10**9)
        rows_laid_out = class_layout.Layout(table.quasi, table.as_classes(np.arange(rows), np.array([0, rows])))
    found = rows_laid_out.find(ends - sizes, ends)
    for cut in found:
        for c, (begin, end) in enumerate(zip(ends - sizes, ends, strict=True)):
            values = np.sort(cut.column.codes[begin:end])
            choices = _cuts_by_definition(values, cut.column)
            got = (cut.low[c], cut.high[c], bool(cut.possible[c]))
            assert got == (values[0], values[-1], bool(choices))
            if choices:
                left = min(choices, key=lambda one: (abs(2 * one - len(values)), one))
                assert (cut.left[c], cut.at[c], cut.after[c]) == (left, values[left - 1], values[left])
                groups = [0, *choices, len(values)]
                assert (cut.distinct[c], cut.distinct_left[c]) == (len(groups) - 1, groups.index(left))


def _cuts_by_definition(values: Any, column: Any) -> list[int]:
    """How many rows may go left: between any two values; in a tree between children of the lowest common ancestor."""
    label = lambda code: code  # noqa: E731
    if column.levels is not None and values[0] != values[-1]:
        nodes = column.tree.nodes
        below = max(level for level in range(len(nodes)) if nodes[level, values[0]] != nodes[level, values[-1]])
        label = lambda code: nodes[below, code]  # noqa: E731
    return [i for i in range(1, len(values)) if label(values[i]) != label(values[i - 1])]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 60), distinct=st.integers(1, 6))
def test_gain_is_the_fall_of_the_penalty(seed: int, rows: int, distinct: int) -> None:
    draw = np.random.default_rng(seed)
    frame = pa.table({"number": draw.integers(0, distinct, rows), "name": [f"n{v}" for v in draw.integers(0, 4, rows)]})
    table = Table.of(frame, quasi=["number", "name"])
    for cut in class_layout.Layout(table.quasi, table.as_classes(np.arange(rows), np.array([0, rows]))).find(
        np.array([0]), np.array([rows])
    ):
        codes, column = cut.column.codes, cut.column

        def penalty(part: Any, column: Any = column) -> float:
            if not len(part):
                return 0.0
            if column.numbers is not None:
                span = column.numbers.max() - column.numbers.min()
                return len(part) * (column.numbers[part.max()] - column.numbers[part.min()]) / (span or 1)
            return len(part) * (len(set(part.tolist())) - 1) / max(1, column.size - 1)

        sides = [codes[codes <= cut.at[0]], codes[codes > cut.at[0]]]
        fall = penalty(codes) - sum(map(penalty, sides)) if cut.possible[0] else 0.0
        assert cut.gain[0] == pytest.approx(fall)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 200), distinct=st.sampled_from([1, 3, 40, 3000]))
def test_what_is_known_by_subtraction_is_what_is_counted(seed: int, rows: int, distinct: int) -> None:
    """Cut by cut: the middle cuts of the halves, of some or all of them, are those that a fresh look finds."""
    draw = np.random.default_rng(seed)
    frame = pa.table(
        {
            "number": draw.integers(0, distinct, rows),
            "place": [f"{v:05d}" for v in draw.integers(0, distinct, rows) * 7],
            "name": [f"n{v}" for v in draw.integers(0, 3, rows)],
        }
    )
    table = Table.of(frame, quasi=["number", "place", "name"], hierarchies={"place": Prefixes()})
    root = table.as_classes(np.arange(rows), np.array([0, rows]))
    known = class_layout.Layout(table.quasi, root)
    begins, ends = np.array([0]), np.array([rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_counts, "_ALWAYS_FEW", draw.choice([0, 1 << 16]))
        while len(begins):
            found = known.find(begins, ends)
            fresh = class_layout.Layout(table.quasi, root)
            fresh.order = known.order.copy()
            assert (found.numbers == fresh.find(begins, ends).numbers).all()
            best = draw.integers(0, 3, len(begins))
            every = np.arange(len(begins))
            left, at = found.stacked("left")[best, every], found.stacked("at")[best, every]
            cut = np.flatnonzero(left)
            chosen = class_layout.ChosenCuts(begins[cut], ends[cut], best[cut], at[cut], left[cut], at[cut])
            known.cut(chosen)
            middles = chosen.begins + chosen.left
            begins, ends = np.stack([chosen.begins, middles], 1).ravel(), np.stack([middles, chosen.ends], 1).ravel()
            stay = draw.random(len(begins)) < 0.8
            begins, ends = begins[stay], ends[stay]


def test_large_gains_do_not_overflow() -> None:
    """Compiled code finds whole numbers of 32 bits; their products are larger."""
    column = Table.of(pa.table({"name": [f"n{v:03d}" for v in range(1000)]}), quasi=["name"]).quasi[0]
    sizes, numbers = np.array([20_000_000]), np.array([0, 999, 499, 500, 10_000_000, 1000, 500], dtype=np.int32)
    found = cuts.CandidateCuts([column], sizes, numbers.reshape(7, 1, 1))
    assert cuts.gains(found)[0, 0] == found[0].gain[0] == 20_000_000 * 500 / 999


def test_small_work_does_not_wait_for_a_compiler() -> None:
    """A child process that protects a small table never imports numba."""
    import subprocess
    import sys

    code = (
        "import sys, pyarrow as pa\n"
        "from sharewell.tables import KAnonymity, Mondrian, Table\n"
        "Mondrian().protect(Table.of(pa.table({'age': list(range(50))}), quasi=['age']), [KAnonymity(5)])\n"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_large_class_is_cut_like_a_small_one() -> None:
    """Positions that are a slice, positions with gaps, and no class at all."""
    begins, ends = np.array([0, 3, 7]), np.array([3, 7, 9])
    assert cuts.positions(begins, ends) == slice(0, 9)
    assert cuts.positions(begins[::2], ends[::2]).tolist() == [0, 1, 2, 7, 8]
    assert cuts.positions(begins[:0], ends[:0]) == slice(0, 0)
    assert len(cuts.FIELDS) == 7
