"""Counting combinations: how often every combination of a given number of items occurs, and how rare the rarest is.

Each combination that occurs is a number: its items, hottest first, as digits. Small work is counted in numpy, large
work by compiled loops: pairs in a triangle of counters that stop at their limit, larger combinations by sorting the
numbers part by part, so that memory stays bounded. The time is that of all occurrences, Σ over records of C(length, m).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.sets import Ints, Sets
from sharewell.compiled import large_or_twin

MOST_OCCURRENCES = 4_000_000_000
"""Beyond this a question is left undecided rather than worked on for hours."""
_PART = 20_000_000
"""Numbers sorted at a time."""
_SMALL = 2_000_000
"""Occurrences up to which numpy alone is quick enough."""
_TRIANGLE = 1 << 30
"""Bytes for counters of pairs."""
_KERNEL = "sharewell.codes.itemsets_kernel"


@dataclass(frozen=True)
class Counted:
    """Combinations of one size that occur: how many, how many of them in fewer than k records, the rarest's support."""

    size: int
    distinct: int
    below: int
    least: int | None


def occurrences(sets: Sets, size: int) -> int:
    """Σ C(length, size), exactly."""
    counts = np.bincount(sets.lengths)
    return sum(math.comb(n, size) * int(counts[n]) for n in np.flatnonzero(counts).tolist())


def count(sets: Sets, universe: int, size: int, k: int) -> Counted:
    """All combinations of `size` items."""
    total = occurrences(sets, size)
    if size == 1:
        return _judged(size, sets.supports(universe), k)
    if size == 2 and total > _SMALL and k <= 255 and universe * (universe - 1) // 2 <= _TRIANGLE:
        kernel = large_or_twin(True, f"{_KERNEL}:pairs", _no_triangle)
        triangle = kernel(sets.starts, sets.items, universe)
        if triangle is not None:
            return _summed(size, [_judged(size, part, k) for part in np.array_split(triangle, 64)])
    return _summed(size, _parts(sets, universe, size, k, total))


def _no_triangle(starts: Ints, items: NDArray[np.int32], universe: int) -> NDArray[np.uint8] | None:
    return None


def _judged(size: int, supports: NDArray[np.integer], k: int) -> Counted:
    found = supports[supports > 0]
    return Counted(size, len(found), int((found < k).sum()), int(found.min()) if len(found) else None)


def _summed(size: int, parts: Iterable[Counted]) -> Counted:
    distinct = below = 0
    least: int | None = None
    for part in parts:
        distinct, below = distinct + part.distinct, below + part.below
        least = min((one for one in (least, part.least) if one is not None), default=None)
    return Counted(size, distinct, below, least)


def _parts(sets: Sets, universe: int, size: int, k: int, total: int) -> Iterator[Counted]:
    """Part by part: all combinations whose hottest item lies in a stretch of the universe."""
    bits = max(1, (universe - 1).bit_length())
    fill = large_or_twin(total > _SMALL, f"{_KERNEL}:combinations", numbers)
    count_runs = large_or_twin(total > _SMALL, f"{_KERNEL}:runs", runs)

    def judged(stretch: tuple[int, int]) -> Counted:
        if bits * size > 63:
            return _judged(size, np.unique(_listed(sets, size, *stretch), axis=0, return_counts=True)[1], k)
        keys = fill(sets.starts, sets.items, size, *stretch, bits)
        keys.sort()
        distinct, below, least = count_runs(keys, k)
        return Counted(size, distinct, below, least or None)

    with ThreadPoolExecutor(max_workers=2) as threads:  # loops and sorting both leave Python to others
        yield from threads.map(judged, _stretches(sets, universe, size))


def rare(
    sets: Sets, universe: int, size: int, k: int, high: int | None = None, large: bool = False
) -> Iterator[NDArray[np.int64]]:
    """The combinations in fewer than k sets, part by part, one a row; with `high`, those whose first item lies below.

    `large` asks for compiled loops even if this is little work: there will be much of it.
    """
    total, high = occurrences(sets, size), universe if high is None else high
    bits, present = max(1, (universe - 1).bit_length()), None
    if bits * size > 63:  # fewer digits, if fewer items occur
        present, items = np.unique(sets.items, return_inverse=True)
        sets, universe, high = (
            Sets(sets.starts, items.astype(np.int32)),
            len(present),
            int(np.searchsorted(present, high)),
        )
        bits = max(1, (universe - 1).bit_length())
    fill = large_or_twin(large or total > _SMALL, f"{_KERNEL}:combinations", numbers)
    for low, stop in [(0, high)] if total <= _PART else _stretches(sets, universe, size):
        if low >= high:
            break
        if bits * size > 63:
            listed, runs = np.unique(_listed(sets, size, low, min(stop, high)), axis=0, return_counts=True)
            found = listed[runs < k].astype(np.int64)
        else:
            keys = fill(sets.starts, sets.items, size, low, min(stop, high), bits)
            keys.sort()
            ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)[: len(keys)])
            few = keys[ends[np.diff(ends, prepend=-1) < k]]
            found = few[:, None] >> (np.arange(size)[::-1] * bits) & ((1 << bits) - 1)
        yield found if present is None else present[found].astype(np.int64)


def _stretches(sets: Sets, universe: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut the universe so that each stretch has at most a part's numbers, or is one item."""
    longest = int(sets.lengths.max()) if sets.count else 0
    choices = np.array([math.comb(rest, size - 1) for rest in range(longest + 1)], dtype=np.float64)
    rest = np.repeat(sets.starts[1:], sets.lengths) - 1 - np.arange(len(sets.items))
    first_here = np.bincount(sets.items, weights=choices[rest], minlength=universe)
    low, held = 0, 0.0
    for item, number in enumerate(first_here):
        if held and held + number > _PART:
            yield low, item
            low, held = item, 0.0
        held += number
    if held:
        yield low, universe


def numbers(starts: Ints, items: NDArray[np.int32], size: int, low: int, high: int, bits: int) -> Ints:
    """The number of every combination whose hottest item lies in [low, high)."""
    shifts = np.arange(size)[::-1] * bits
    listed = _listed(Sets(starts, items), size, low, high)
    keys: Ints = (listed.astype(np.int64) << shifts).sum(axis=1)
    return keys


def runs(keys: Ints, k: int) -> tuple[int, int, int]:
    """Of sorted numbers: how many different ones, how many of them fewer than k times, the least times (0: none)."""
    ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)[: len(keys)])
    times = np.diff(ends, prepend=-1)
    return len(times), int((times < k).sum()), int(times.min(initial=len(keys)))


def _listed(sets: Sets, size: int, low: int, high: int) -> NDArray[np.int32]:
    """Every combination as a row of items."""
    found = [np.zeros((0, size), dtype=np.int32)]
    for length in np.unique(sets.lengths):
        if length < size:
            continue
        rows = np.flatnonzero(sets.lengths == length)
        members = sets.items[sets.starts[rows][:, None] + np.arange(length)]
        which = np.array(list(itertools.combinations(range(int(length)), size)), dtype=np.intp)
        combined = members[:, which].reshape(-1, size)
        found.append(combined[(combined[:, 0] >= low) & (combined[:, 0] < high)])
    return np.concatenate(found)


def stretches(sets: Sets, universe: int, size: int, high: int | None = None) -> Iterator[tuple[int, int]]:
    """How to look at all combinations part by part: by their first item, which lies below `high`."""
    high = universe if high is None else high
    whole = occurrences(sets, size) <= _PART
    for low, stop in [(0, high)] if whole else _stretches(sets, universe, size):
        if low < high:
            yield low, min(stop, high)


def keyed(sets: Sets, universe: int, size: int, low: int, high: int, large: bool = False) -> NDArray[Any]:
    """One key for every occurrence of a combination whose first item lies in [low, high), in no particular order."""
    bits = max(1, (universe - 1).bit_length())
    if bits * size > 63:
        return key_of(_listed(sets, size, low, high), universe)
    fill = large_or_twin(large or len(sets.items) > _SMALL, f"{_KERNEL}:combinations", numbers)
    keys: NDArray[Any] = fill(sets.starts, sets.items, size, low, high, bits)
    return keys


def key_of(combinations: NDArray[np.integer], universe: int) -> NDArray[Any]:
    """The key of each combination, one a row: equal for equal ones. A number if it fits, else bytes."""
    size, bits = combinations.shape[1], max(1, (universe - 1).bit_length())
    if bits * size <= 63:
        keys: Ints = (combinations.astype(np.int64) << np.arange(size)[::-1] * bits).sum(axis=1)
        return keys
    return np.ascontiguousarray(combinations, dtype=">i4").view(f"S{4 * size}").reshape(-1)


def items_of(keys: NDArray[Any], universe: int, size: int) -> Ints:
    """The combinations that keys stand for, one a row."""
    bits = max(1, (universe - 1).bit_length())
    if bits * size <= 63:
        found: Ints = keys[:, None] >> np.arange(size)[::-1] * bits & ((1 << bits) - 1)
        return found
    return np.ascontiguousarray(keys).view(">i4").reshape(-1, size).astype(np.int64)
