"""Compiled counting and its twins in numpy; and imagined labels beside labels that are really merged."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, KmAnonymity, itemsets
from sharewell.codes.mechanisms.label_groups import LabelGroups
from sharewell.codes.sets import Sets

records = st.lists(st.sets(st.integers(0, 9), max_size=7), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def kernel() -> Any:
    pytest.importorskip("numba")
    from sharewell.codes import itemsets_kernel

    return itemsets_kernel


@settings(max_examples=150, deadline=None)
@given(records, st.integers(1, 5), st.integers(0, 10), st.integers(0, 10))
def test_the_loop_writes_the_same_numbers_as_its_twin(
    kernel: Any, rows: list[set[int]], size: int, low: int, high: int
) -> None:
    sets = Sets.of(rows)
    ours = kernel.combinations(sets.starts, sets.items, size, low, high, 4)
    twin = itemsets.numbers(sets.starts, sets.items, size, low, high, 4)
    assert np.sort(ours).tolist() == np.sort(twin).tolist()
    plain = [one for row in rows for one in itertools.combinations(sorted(row), size) if low <= one[0] < high]
    assert sorted(sum(item << 4 * place for place, item in enumerate(reversed(one))) for one in plain) == sorted(ours)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=30), st.integers(1, 5))
def test_runs_are_counted_as_a_dictionary_counts_them(kernel: Any, numbers: list[int], k: int) -> None:
    keys = np.sort(np.array(numbers, dtype=np.int64))
    times = Counter(numbers).values()
    expected = (len(times), sum(one < k for one in times), min(times, default=0))
    assert tuple(kernel.runs(keys, k)) == itemsets.runs(keys, k) == expected


def test_triples_of_many_records_are_counted_alike_with_and_without_compiled_loops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = np.random.default_rng(3)
    data = CodeSets.of([draw.choice(list("abcdefghijklmnop"), draw.integers(0, 9)).tolist() for _ in range(300)])
    plainly = KmAnonymity(5, 4).check(data)
    monkeypatch.setattr(itemsets, "_SMALL", 0)
    monkeypatch.setattr(itemsets, "_PART", 500)
    assert KmAnonymity(5, 4).check(data) == plainly


@settings(max_examples=100, deadline=None)
@given(records, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4), st.data())
def test_imagined_labels_show_what_merged_ones_would(rows: list[set[int]], before: Any, data: Any) -> None:
    """Labels are merged, some are suppressed, and then all that is left of a part of the codes is taken as one."""
    sets = CodeSets.of([[f"c{item}" for item in row] for row in rows])
    groups, really = LabelGroups(sets), LabelGroups(sets)
    universe = len(sets.names)
    for a, b in before:
        if a < universe and b < universe and a != b and groups.alive[a] and groups.alive[b]:
            groups.merge(a, b)
            really.merge(a, b)
    chosen = data.draw(st.sets(st.sampled_from(range(10)), max_size=6))
    labels = [label for label in sorted(chosen) if label < universe and groups.alive[label]]
    if not labels:
        return
    codes = np.array(sorted(code for label in labels for code in groups.codes(label)))
    imagined = groups.as_if([(codes, groups.records_with(codes))])
    for label in labels[1:]:
        really.merge(labels[0], label)
    assert groups.records_with(codes) == really.support[labels[0]]
    others = [label for label in range(universe) if really.alive[label] and label != labels[0]]
    for other in others:
        assert imagined.held_by_all([int(codes[0]), other]) == really.held_by_all([labels[0], other])
    wanted = [labels[0], *others]
    assert imagined.parts_held_by([int(codes[0]), *others], 2) == really.parts_held_by(wanted, 2)
    assert groups.alive[labels].all()
