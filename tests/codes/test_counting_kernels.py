"""Compiled counting and its twins in numpy; and imagined labels beside labels that are really merged."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, KmAnonymity
from sharewell.codes.criteria import km_anonymity
from sharewell.codes.engine import itemsets
from sharewell.codes.engine.attackers import known_codes
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.protection.label_groups import LabelGroups

records = st.lists(st.sets(st.integers(0, 9), max_size=7), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def kernel() -> Any:
    pytest.importorskip("numba")
    from sharewell.codes.engine import itemsets_kernel

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
@given(records, st.integers(1, 5), st.integers(1, 3), st.integers(0, 10), st.sampled_from([1, 5, 9, 63]), st.data())
def test_combinations_too_long_for_a_number_are_counted_as_dictionaries_do(
    rows: list[set[int]], size: int, k: int, high: int, digits: int, data: Any
) -> None:
    """With few digits to a number, and few numbers to a part, first items are held fast."""
    sets = Sets.of(rows)
    times = Counter(one for row in rows for one in itertools.combinations(sorted(row), size))
    kept = itemsets._DIGITS, itemsets._PART, itemsets._PART_WIDE
    part = data.draw(st.sampled_from([1, 7, 10**6]))
    try:
        itemsets._DIGITS, itemsets._PART, itemsets._PART_WIDE = digits, part, part
        found = itemsets.count(sets, 10, size, k)
        rarities = [tuple(one) for few in itemsets.rare(sets, 10, size, k, high) for one in few.tolist()]
        keys = [itemsets.keyed(sets, 10, size, *cut) for cut in itemsets.stretches(sets, 10, size)]
        listed = [tuple(one) for part in keys for one in itemsets.items_of(part, 10, size).tolist()]
    finally:
        itemsets._DIGITS, itemsets._PART, itemsets._PART_WIDE = kept
    below = [one for one, often in times.items() if often < k]
    assert found == itemsets.SizeCounts(size, len(times), len(below), min(times.values(), default=None))
    assert sorted(rarities) == sorted(one for one in below if one[0] < high)
    assert Counter(listed) == times


def test_long_records_with_many_codes_are_counted_in_little_memory() -> None:
    """One person with 90 of 4,200 codes has 44 million combinations of five: a list of them would take gigabytes."""
    pytest.importorskip("resource")
    code = """if True:
        import resource
        from sharewell.codes import CodeSets, KmAnonymity
        names = [f"c{i:04}" for i in range(4200)]
        data = CodeSets.of([names[:90], names[:40], *([one] for one in names), *([one] for one in names)])
        resource.setrlimit(resource.RLIMIT_AS, (3_000_000_000, 3_000_000_000))
        print(KmAnonymity(2, 5).check(data).details.by_size[-1].distinct)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["43949268"], done.stderr


def test_fewer_codes_may_show_that_too_many_to_count_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    data = CodeSets.of([["a", "b", "c"], ["a", "b"], ["a", "b", "c"], ["a", "b"]])
    monkeypatch.setattr(km_anonymity, "MOST_OCCURRENCES", 1)
    assert KmAnonymity(2, 3).check(data).ok is None
    found = KmAnonymity(3, 3).check(data)
    assert (found.value, found.failed) == (2, True)
    assert found.note.startswith("at most; combinations of 1 codes are too many")
    monkeypatch.setattr(km_anonymity, "_QUICKLY", 1)
    assert KmAnonymity(3, 3).check(data).value is None


@settings(max_examples=150, deadline=None)
@given(records, records, st.sampled_from([1, 10**6]))
def test_holders_are_found_alike_by_loop_twin_and_sets(rows: list[set[int]], asked: list[set[int]], some: int) -> None:
    expected = [sum(one <= row for row in rows) for one in asked]
    kept = known_codes._SMALL, known_codes._AT_ONCE
    try:
        known_codes._AT_ONCE = some
        assert known_codes.supports(Sets.of(rows), 10, Sets.of(asked)).tolist() == expected
        known_codes._SMALL = -1
        assert known_codes.supports(Sets.of(rows), 10, Sets.of(asked)).tolist() == expected
    finally:
        known_codes._SMALL, known_codes._AT_ONCE = kept


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


@settings(max_examples=150, deadline=None)
@given(
    records,
    st.lists(st.integers(1, 4), min_size=10, max_size=10),
    st.sets(st.integers(0, 9)),
    st.integers(1, 4),
    st.data(),
)
def test_rare_pairs_are_counted_as_dictionaries_do(
    rows: list[set[int]], widths: list[int], withheld: set[int], k: int, data: Any
) -> None:
    """Labels are stretches of places; those of one subtree are counted as they are, and as if they were one."""
    pytest.importorskip("numba")
    from sharewell.codes.engine.protection.label_counts_kernel import rare_pairs

    cuts = [place for place in itertools.accumulate(widths, initial=0) if place < 10]
    label = np.array([max(cut for cut in cuts if cut <= place) for place in range(10)])
    label[[place for place in range(10) if label[place] in withheld]] = -1
    bounds = [*cuts, 10]
    first = data.draw(st.sampled_from(bounds[:-1]))
    last = data.draw(st.sampled_from([bound for bound in bounds if bound > first]))
    sets, holders = Sets.of(rows), Sets.of(rows).transposed(10)
    given = (sets.starts, sets.items, holders.starts, holders.items, label, first, last, k)
    apart, united = rare_pairs(*given, False)
    some, _ = rare_pairs(*given, True)
    assert some.any() == apart.any()
    assert (some <= apart).all()
    one = np.where((np.arange(10) >= first) & (np.arange(10) < last), first, label)
    for shown, found in ((label, apart), (one, united)):
        inner = set(shown[first:last].tolist())
        labels = [sorted({int(shown[item]) for item in row} - {-1}) for row in rows]
        times = Counter(pair for row in labels for pair in itertools.combinations(row, 2) if inner & set(pair))
        expected = Counter(one for pair, often in times.items() if often < k for one in pair)
        assert found.tolist() == [expected[place] for place in range(10)]
