"""Cells that are merged: each is shown by k records that are alike, or by nobody, and follows from the value alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.joint import SnpCells
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.joint.engine.known_values import KnownValues
from sharewell.joint.engine.protection.cell_merging import CellMerging, steps

calls = st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=6, max_size=12)
bases = st.lists(st.lists(st.sampled_from([1, 2, 4, 8, 15, 16]), min_size=2, max_size=2), min_size=6, max_size=12)


def overlapping(count: int) -> Combinations:
    """Everybody, and two halves that share the middle: a record belongs to several combinations."""
    parts = [range(count), range(count // 2 + 1), range(count // 2 - 1, count)]
    rows = np.concatenate([np.array(part, dtype=np.int64) for part in parts])
    return Combinations.grouped(rows, np.repeat(np.arange(3), [len(part) for part in parts]))


@given(calls | bases, st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_merged_cells_single_nobody_out(rows: Any, k: int, known: int) -> None:
    data = SnpCells.of_bases(rows, "dna") if len(rows[0]) == 2 else SnpCells.of_calls(rows, ["a", "b", "c"])
    among = overlapping(len(rows))
    shown = CellMerging(data, np.zeros(len(rows), dtype=np.int64), k).merged(among, known)
    assert ((shown.sets & data.sets) == data.sets).all()
    least = KnownValues.of(shown).fewest(among, known)
    assert least is not None
    assert least >= k
    assert (SnpCells.reopened(_texts(shown), shown.alphabet).sets == shown.sets).all()
    for place in range(data.places):
        pairs = set(zip(data.sets[:, place].tolist(), shown.sets[:, place].tolist(), strict=True))
        assert len(pairs) == len({value for value, _ in pairs}), "equal values, and different cells"
    if k == 1:
        assert (shown.sets == data.sets).all()


def _texts(data: SnpCells) -> Any:
    import pyarrow as pa

    return {name: pa.chunked_array([column]) for name, column in data.arrow().items()}


def test_nothing_is_merged_that_need_not() -> None:
    data = SnpCells.of_calls([[0], [0], [0], [1], [1], [2]], ["a"])
    everybody = Combinations.grouped(np.arange(6), np.zeros(6, dtype=np.int64))
    shown = CellMerging(data, np.zeros(6, dtype=np.int64), 2).merged(everybody, 1)
    assert shown.columns() == {"a": ["0", "0", "0", "{1,2}", "{1,2}", "{1,2}"]}
    assert steps(everybody, 3, 2) == 54


def test_the_merge_that_is_enough_is_taken_before_the_cheapest() -> None:
    """Among the records of a code there is a 2 and no 1: merging 2 with the rare 1 would not help it."""
    data = SnpCells.of_calls([[0], [0], [0], [2], [1], [1]], ["a"])
    rows = np.array([*range(6), *range(4)], dtype=np.int64)
    among = Combinations.grouped(rows, np.array([0] * 6 + [1] * 4, dtype=np.int64))
    shown = CellMerging(data, np.zeros(6, dtype=np.int64), 2).merged(among, 1)
    assert shown.columns() == {"a": ["{0,2}"] * 4 + ["1", "1"]}


def test_classes_are_merged_by_themselves() -> None:
    data = SnpCells.of_calls([[0], [0], [0], [1], [1], [1], [1], [2]], ["a"])
    classes = np.array([0, 0, 1, 1, 1, 1, 2, 2], dtype=np.int64)
    shown = CellMerging(data, classes, 2).merged(Combinations.grouped(np.arange(8), classes), 1)
    assert shown.columns() == {"a": ["0", "0", *["{0,1}"] * 4, "{1,2}", "{1,2}"]}


def test_too_few_records_for_any_merging_to_help_are_our_own_mistake() -> None:
    data, one_class = SnpCells.of_calls([[0], [1]], ["a"]), np.zeros(2, dtype=np.int64)
    with pytest.raises(AssertionError, match="too few records"):
        CellMerging(data, one_class, 3).merged(Combinations.grouped(np.arange(2), one_class), 1)


def plainly_merged(data: SnpCells, classes: list[int], k: int, among: Combinations, known: int) -> list[list[int]]:
    """Merge after merge, each weighed by what all records would then show."""
    cells = data.sets.tolist()
    records = [among.rows[begin:end].tolist() for begin, end in pairwise(among.starts.tolist())]

    def too_rare(shown: list[list[int]], places: tuple[int, ...]) -> dict[int, set[tuple[int, ...]]]:
        rare: dict[int, set[tuple[int, ...]]] = {}
        for rows in records:
            for row, count in Counter(tuple(shown[one][place] for place in places) for one in rows).items():
                if count < k:
                    rare.setdefault(classes[rows[0]], set()).add(row)
        return rare

    def size(cell: int) -> int:
        return min(cell.bit_count(), data.values)

    for many in range(1, min(known, data.places) + 1):
        for places in combinations(range(data.places), many):
            while rare := too_rare(cells, places):
                before = [list(row) for row in cells]
                inside = [one for one in range(len(cells)) if classes[one] in rare]
                merges = [
                    (place, *pair)
                    for place in places
                    for pair in combinations(sorted({before[one][place] for one in inside}), 2)
                ]
                for group, rows in rare.items():
                    choices = []
                    for number, (place, *pair) in enumerate(merges):
                        mine = [one for one in range(len(cells)) if classes[one] == group]
                        both = int(data.whole(np.array([pair[0] | pair[1]], dtype=np.uint8))[0])
                        touched = [one for one in mine if before[one][place] in pair]
                        concerned = any(row[places.index(place)] in pair for row in rows)
                        if concerned and {before[one][place] for one in touched} == set(pair):
                            after = [list(row) for row in before]
                            for one in touched:
                                after[one][place] = both
                            known_here = [one for one in touched if data.sets[one, place] != data.full]
                            lost = sum(size(both) - size(before[one][place]) for one in known_here)
                            choices.append((group in too_rare(after, places), lost, number, touched, place, both))
                    _, _, _, touched, place, both = min(choices)
                    for one in touched:
                        cells[one][place] = both
    return cells


@given(calls | bases, st.integers(1, 3), st.integers(1, 2), st.data())
@settings(max_examples=60, deadline=None)
def test_merges_are_those_that_looking_at_every_record_chooses(rows: Any, k: int, known: int, draw: Any) -> None:
    data = SnpCells.of_bases(rows, "dna") if len(rows[0]) == 2 else SnpCells.of_calls(rows, ["a", "b", "c"])
    half = len(rows) // 2
    classes = [0] * half + [1] * (len(rows) - half) if draw.draw(st.booleans()) else [0] * len(rows)
    among = overlapping(len(rows))
    if classes[-1]:
        among = Combinations.grouped(np.arange(len(rows)), np.array(classes))
    shown = CellMerging(data, np.array(classes), k).merged(among, known)
    assert (
        shown.sets.tolist() == data.whole(np.array(plainly_merged(data, classes, k, among, known), np.uint8)).tolist()
    )
