"""Counting combinations: how often every combination of a given number of items occurs, and how rare the rarest is.

Each combination that occurs is a number: its items, hottest first, as digits. Small work is counted in numpy, large
work by compiled loops: pairs in a triangle of counters that stop at their limit, larger combinations by sorting the
numbers part by part, so that memory stays bounded. The time is that of all occurrences, Σ over records of C(length, m).

Where a number would have too many digits, or one item alone begins too many of them, the first item is held fast, and
what follows it in its records is counted as combinations of one item less.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints, Sets, counted
from sharewell.compiled import numba_or_numpy

Keys = NDArray[np.generic]
"""Of combinations: numbers where they fit, else bytes."""
MOST_OCCURRENCES = 4_000_000_000
"""Beyond this a question is left undecided rather than worked on for hours."""
_PART = 20_000_000
"""Numbers sorted at a time."""
_PART_WIDE = 2_500_000
"""Combinations at a time that are too long to be numbers."""
_SMALL = 2_000_000
"""Occurrences up to which numpy alone is quick enough."""
_TRIANGLE = 1 << 30
"""Bytes for counters of pairs."""
_DIGITS = 63
"""Bits of a number that stands for a combination."""
_KERNEL = "sharewell.codes.engine.itemsets_kernel"


_COUNTED = 256
"""Lengths of sets whose combinations are counted once for all."""
_DIGITS_LEFT = 1 << 62


@dataclass(frozen=True)
class SizeCounts:
    """Combinations of one size that occur: how many, how many of them in fewer than k records, the rarest's support."""

    size: int
    distinct: int
    below: int
    least: int | None


def occurrences(sets: Sets, size: int) -> int:
    """Σ C(length, size), exactly."""
    counts = np.bincount(sets.lengths)
    ways = _ways(size)
    if len(counts) <= len(ways) and sets.count < _DIGITS_LEFT // max(1, int(ways[len(counts) - 1])):
        return int(counts @ ways[: len(counts)])
    return sum(math.comb(n, size) * int(counts[n]) for n in np.flatnonzero(counts).tolist())


@cache
def _ways(size: int) -> Ints:
    """How many combinations of a size sets of 0, 1, 2, … items have, as long as 64 bits hold the number."""
    ways = [0 if n < size else math.comb(n, size) for n in range(_COUNTED)]
    return np.array([one for one in ways if one < _DIGITS_LEFT], dtype=np.int64)


def count(sets: Sets, universe: int, size: int, k: int) -> SizeCounts:
    """All combinations of `size` items."""
    total = occurrences(sets, size)
    if size == 1:
        return _judged(size, sets.supports(universe), k)
    if size == 2 and total > _SMALL and k <= 255 and universe * (universe - 1) // 2 <= _TRIANGLE:
        triangle = numba_or_numpy(True, f"{_KERNEL}:pairs", lambda *_: None)(sets.starts, sets.items, universe)
        if triangle is not None:
            return _summed(size, [_judged(size, part, k) for part in np.array_split(triangle, 64)])
    return _summed(size, _parts(sets, universe, size, k, total))


def _judged(size: int, supports: NDArray[np.integer], k: int) -> SizeCounts:
    present = supports[supports > 0]
    return SizeCounts(size, len(present), int((present < k).sum()), int(present.min()) if len(present) else None)


def _summed(size: int, parts: Iterable[SizeCounts]) -> SizeCounts:
    distinct = below = 0
    least: int | None = None
    for part in parts:
        distinct, below = distinct + part.distinct, below + part.below
        least = min((value for value in (least, part.least) if value is not None), default=None)
    return SizeCounts(size, distinct, below, least)


def _parts(sets: Sets, universe: int, size: int, k: int, total: int) -> Iterator[SizeCounts]:
    """Part by part: all combinations whose hottest item lies in a stretch of the universe."""
    if not _fits(universe, size):
        yield from _without_singles(sets, universe, size, k)
        return
    bits = _bits(universe)
    fill = numba_or_numpy(total > _SMALL, f"{_KERNEL}:combinations", numbers)
    count_runs = numba_or_numpy(total > _SMALL, f"{_KERNEL}:runs", runs)

    def judged(stretch: tuple[int, int]) -> SizeCounts:
        keys = fill(sets.starts, sets.items, size, *stretch, bits)
        keys.sort()
        distinct, below, least = count_runs(keys, k)
        return SizeCounts(size, distinct, below, least or None)

    if total <= _PART:
        yield judged((0, universe))
        return
    heavy = _heavy(sets, universe, size)
    with ThreadPoolExecutor(max_workers=2) as threads:  # loops and sorting both leave Python to others
        yield from threads.map(judged, (cut for cut in _stretches(sets, universe, size) if cut[0] not in heavy))
    for _, tails in _tails(sets, universe, size - 1, heavy):
        yield count(tails, universe, size - 1, k)


def _without_singles(sets: Sets, universe: int, size: int, k: int) -> Iterator[SizeCounts]:
    """Combinations with an item that one set alone holds are in that set alone, and need no counting. Then the rest."""
    many = sets.supports(universe) > 1
    kept = many[sets.items]
    lengths_kept = np.bincount(sets.row_of[kept], minlength=sets.count)
    lengths = Counter(zip(sets.lengths.tolist(), lengths_kept.tolist(), strict=True)).items()
    alone = sum((math.comb(length, size) - math.comb(some, size)) * often for (length, some), often in lengths)
    yield SizeCounts(size, alone, alone if k > 1 else 0, 1 if alone else None)
    number = np.cumsum(many, dtype=np.int32) - 1
    sets, universe = Sets.of_lengths(lengths_kept, number[sets.items[kept]]), int(many.sum())
    if _fits(universe, size):
        yield count(sets, universe, size, k)
        return
    for _, tails in _tails(sets, universe, size - 1, range(universe)):
        yield _summed(size, _without_singles(tails, universe, size - 1, k))


def _tails(sets: Sets, universe: int, size: int, firsts: Iterable[int]) -> Iterator[tuple[int, Sets]]:
    """For some items: what follows in each set that holds it, where that is `size` items or more."""
    order = np.argsort(sets.items, kind="stable")
    begin = np.concatenate([[0], np.cumsum(sets.supports(universe))])
    stops = np.repeat(sets.starts[1:], sets.lengths)
    for item in firsts:
        places = order[begin[item] : begin[item + 1]]
        lengths = stops[places] - places - 1
        places, lengths = places[lengths >= size], lengths[lengths >= size]
        if len(places):
            starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
            followers = np.arange(starts[-1]) + np.repeat(places + 1 - starts[:-1], lengths)
            yield item, Sets(starts, sets.items[followers])


def _bits(universe: int) -> int:
    return max(1, (universe - 1).bit_length())


def _fits(universe: int, size: int) -> bool:
    """Is a combination a number?"""
    return size == 1 or _bits(universe) * size <= _DIGITS


def rare(
    sets: Sets, universe: int, size: int, k: int, high: int | None = None, large: bool = False
) -> Iterator[NDArray[np.int64]]:
    """The combinations in fewer than k sets, part by part, one a row; with `high`, those whose first item lies below.

    `large` asks for compiled loops even if this is little work: there will be much of it.
    """
    total, high = occurrences(sets, size), universe if high is None else high
    if not _fits(universe, size):  # fewer digits, if fewer items occur
        present, items = np.unique(sets.items, return_inverse=True)
        high = int(np.searchsorted(present, high))
        fewer = Sets(sets.starts, items.astype(np.int32))
        if _fits(len(present), size):
            parts = rare(fewer, len(present), size, k, high, large)
        else:
            parts = _rare_after(fewer, len(present), size, k, range(high), large)
        yield from (present[few].astype(np.int64) for few in parts)
        return
    bits = _bits(universe)
    fill = numba_or_numpy(large or total > _SMALL, f"{_KERNEL}:combinations", numbers)
    heavy = set() if total <= _PART else _heavy(sets, universe, size)
    for low, stop in stretches(sets, universe, size, high, total):
        if low in heavy:
            yield from _rare_after(sets, universe, size, k, [low], large)
            continue
        keys = fill(sets.starts, sets.items, size, low, stop, bits)
        distinct, times = counted(keys)
        yield items_of(distinct[times < k], universe, size)


def _rare_after(
    sets: Sets, universe: int, size: int, k: int, firsts: Iterable[int], large: bool
) -> Iterator[NDArray[np.int64]]:
    """The rare combinations that begin with one of some items; small parts are put together."""
    collected, rows = [np.zeros((0, size), dtype=np.int64)], 0
    for first, tails in _tails(sets, universe, size - 1, firsts):
        for few in rare(tails, universe, size - 1, k, None, large):
            collected.append(np.insert(few, 0, first, axis=1))
            rows += len(few)
            if rows > _PART_WIDE:
                yield np.concatenate(collected)
                collected, rows = [], 0
    if collected:
        yield np.concatenate(collected)


def _heavy(sets: Sets, universe: int, size: int) -> set[int]:
    """Items that begin more combinations than a part has, if anything follows them."""
    return set() if size == 1 else set(np.flatnonzero(_firsts(sets, universe, size) > _PART).tolist())


def _firsts(sets: Sets, universe: int, size: int) -> NDArray[np.float64]:
    """How many combinations begin with each item."""
    choices = np.array([math.comb(rest, size - 1) for rest in range(sets.longest + 1)], dtype=np.float64)
    rest = np.repeat(sets.starts[1:], sets.lengths) - 1 - np.arange(len(sets.items))
    return np.bincount(sets.items, weights=choices[rest], minlength=universe).astype(np.float64)


def _stretches(sets: Sets, universe: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut the universe so that each stretch has at most a part's numbers, or is one item."""
    most = _PART if _fits(universe, size) else _PART_WIDE
    low, total = 0, 0.0
    for item, number in enumerate(_firsts(sets, universe, size)):
        if total and total + number > most:
            yield low, item
            total = 0.0
        low = low if total else item
        total += number
    if total:
        yield low, universe


def numbers(starts: Ints, items: NDArray[np.int32], size: int, low: int, high: int, bits: int) -> Ints:
    """The number of every combination whose hottest item lies in [low, high)."""
    keys: Ints = np.zeros(0, dtype=np.int64)
    for step, (source, chosen) in enumerate(_chosen(starts, items, size, low, high)):
        keys = chosen.astype(np.int64) if not step else keys[source] << bits | chosen
    return keys


def runs(keys: Ints, k: int) -> tuple[int, int, int]:
    """How many sorted numbers differ, how many occur fewer than k times, and how often the rarest does (0: none)."""
    times = counted(keys)[1]
    return len(times), int((times < k).sum()), int(times.min(initial=len(keys)))


def _listed(sets: Sets, size: int, low: int, high: int) -> NDArray[np.int32]:
    """Every combination as a row of items."""
    rows = np.zeros((0, 0), dtype=np.int32)
    for step, (source, chosen) in enumerate(_chosen(sets.starts, sets.items, size, low, high)):
        rows = chosen[:, None] if not step else np.column_stack([rows[source], chosen])
    return rows


def _chosen(
    starts: Ints, items: NDArray[np.int32], size: int, low: int, high: int
) -> Iterator[tuple[Ints, NDArray[np.int32]]]:
    """Combinations item by item, the first in [low, high): (which of those so far goes on, with which item)."""
    stops = np.repeat(starts[1:], np.diff(starts))
    place = np.flatnonzero((items >= low) & (items < high) & (np.arange(len(items)) <= stops - size))
    stops = stops[place]
    yield np.arange(len(place)), items[place]
    for remaining in range(size - 1, 0, -1):  # items still to come; the next one must leave room for the others
        choices = stops - remaining - place
        source = np.repeat(np.arange(len(place)), choices)
        turn = np.arange(len(source)) - np.repeat(np.cumsum(choices) - choices, choices)
        place, stops = place[source] + 1 + turn, stops[source]
        yield source, items[place]


def stretches(
    sets: Sets, universe: int, size: int, high: int | None = None, total: int | None = None
) -> Iterator[tuple[int, int]]:
    """How to look at all combinations part by part: by their first item, which lies below `high`.

    total: how many occur, if they were counted already.
    """
    high = universe if high is None else high
    total = occurrences(sets, size) if total is None else total
    fits_at_once = total <= (_PART if _fits(universe, size) else _PART_WIDE)
    for low, stop in [(0, high)] if fits_at_once else _stretches(sets, universe, size):
        if low < high:
            yield low, min(stop, high)


def keyed(sets: Sets, universe: int, size: int, low: int, high: int, large: bool = False) -> Keys:
    """One key for every occurrence of a combination whose first item lies in [low, high), in no particular order."""
    if not _fits(universe, size):
        return key_of(_listed(sets, size, low, high), universe)
    fill = numba_or_numpy(large or len(sets.items) > _SMALL, f"{_KERNEL}:combinations", numbers)
    return fill(sets.starts, sets.items, size, low, high, _bits(universe))


def key_of(combinations: NDArray[np.integer], universe: int) -> Keys:
    """The key of each combination, one a row: equal for equal ones. A number if it fits, else bytes."""
    size, bits = combinations.shape[1], _bits(universe)
    if _fits(universe, size):
        keys: Ints = (combinations.astype(np.int64) << np.arange(size)[::-1] * bits).sum(axis=1)
        return keys
    return np.ascontiguousarray(combinations, dtype=">i4").view(f"S{4 * size}").reshape(-1)


def items_of(keys: Keys, universe: int, size: int) -> Ints:
    """The combinations that keys stand for, one a row."""
    bits = _bits(universe)
    if _fits(universe, size):
        items: Ints = keys.astype(np.int64, copy=False)[:, None] >> np.arange(size)[::-1] * bits & ((1 << bits) - 1)
        return items
    return np.ascontiguousarray(keys).view(">i4").reshape(-1, size).astype(np.int64)
