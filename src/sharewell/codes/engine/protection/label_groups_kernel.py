"""Compiled loops over the records of a label; see label_groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints
from sharewell.compiled import jit

Numbers = NDArray[np.int32]


@jit
def together(
    starts: Ints,
    items: Numbers,
    by_starts: Ints,
    by_rows: Numbers,
    label_of: Numbers,
    following: Numbers,
    support: Ints,
    listed_starts: Ints,
    listed: Numbers,
    asked: Ints,
    enough: Ints,
) -> Ints:
    """For each list of codes asked for, the records that show all of its labels, counted up to what is enough.

    A suppressed code asks for nothing; a list of nothing else has −1. A record is met once for every code of the rarest
    label that it holds; it counts at the first of them.
    """
    wanted_by = np.full(len(label_of), -1, dtype=np.int64)
    seen_at = np.full(len(label_of), -1, dtype=np.int64)
    found = np.empty(len(asked), dtype=np.int64)
    visit = 0
    for place in range(len(asked)):
        one = asked[place]
        wanted, rarest = 0, -1
        for i in range(listed_starts[one], listed_starts[one + 1]):
            label = label_of[listed[i]]
            if label >= 0 and wanted_by[label] != place:
                wanted_by[label] = place
                wanted += 1
                if rarest < 0 or support[label] < support[rarest]:
                    rarest = label
        if rarest < 0:
            found[place] = -1
            continue
        total = 0
        code = rarest
        while code >= 0 and total < enough[place]:
            for at in range(by_starts[code], by_starts[code + 1]):
                record = by_rows[at]
                visit += 1
                shown = 0
                for i in range(starts[record], starts[record + 1]):
                    label = label_of[items[i]]
                    if label < 0 or wanted_by[label] != place or seen_at[label] == visit:
                        continue
                    if label == rarest and items[i] != code:
                        break
                    seen_at[label] = visit
                    shown += 1
                if shown == wanted:
                    total += 1
                    if total >= enough[place]:
                        break
            code = following[code]
        found[place] = total
    return found


@jit
def overlaps(
    starts: Ints,
    items: Numbers,
    by_starts: Ints,
    by_rows: Numbers,
    label_of: Numbers,
    following: Numbers,
    wanted: Ints,
    rarest: int,
) -> Ints:
    """For every label the records that show it together with all the wanted ones."""
    counts = np.zeros(len(label_of), dtype=np.int64)
    seen_at = np.full(len(label_of), -1, dtype=np.int64)
    asked = np.zeros(len(label_of), dtype=np.bool_)
    for label in wanted:
        asked[label] = True
    visit = 0
    code = np.int64(rarest)
    while code >= 0:
        for at in range(by_starts[code], by_starts[code + 1]):
            record = by_rows[at]
            visit += 1
            shown = 0
            for i in range(starts[record], starts[record + 1]):
                label = label_of[items[i]]
                if label < 0 or seen_at[label] == visit:
                    continue
                if label == rarest and items[i] != code:
                    shown = -1
                    break
                seen_at[label] = visit
                shown += asked[label]
            if shown != len(wanted):
                continue
            visit += 1
            for i in range(starts[record], starts[record + 1]):
                label = label_of[items[i]]
                if label >= 0 and seen_at[label] != visit:
                    seen_at[label] = visit
                    counts[label] += 1
        code = np.int64(following[code])
    return counts


@jit
def parts(
    starts: Ints,
    items: Numbers,
    by_starts: Ints,
    by_rows: Numbers,
    label_of: Numbers,
    following: Numbers,
    wanted: Ints,
    rarest: int,
    size: int,
) -> NDArray[np.uint64]:
    """For each of the `size` records that show the rarest label, which of the wanted labels it shows, 64 a word."""
    bit_of = np.full(len(label_of), -1, dtype=np.int64)
    for bit in range(len(wanted)):
        bit_of[wanted[bit]] = bit
    found = np.zeros((size, (len(wanted) + 63) >> 6), dtype=np.uint64)
    filled = 0
    code = np.int64(rarest)
    while code >= 0:
        for at in range(by_starts[code], by_starts[code + 1]):
            record = by_rows[at]
            met = False
            for i in range(starts[record], starts[record + 1]):  # a record counts at its first code of the label
                if label_of[items[i]] == rarest:
                    met = items[i] == code
                    break
            if not met:
                continue
            for i in range(starts[record], starts[record + 1]):
                label = label_of[items[i]]
                if label >= 0 and bit_of[label] >= 0:
                    found[filled, bit_of[label] >> 6] |= np.uint64(1) << np.uint64(bit_of[label] & 63)
            filled += 1
        code = np.int64(following[code])
    return found


@jit
def near(
    starts: Ints,
    items: Numbers,
    by_starts: Ints,
    by_rows: Numbers,
    label_of: Numbers,
    following: Numbers,
    wanted: Ints,
    rarest: Ints,
    most: int,
) -> tuple[Ints, Ints]:
    """Records that show all of the wanted labels but one at most: (record, place of the one, or how many are wanted).

    Each of them shows one of the two rarest labels; `most` are the records of both.
    """
    place_of = np.full(len(label_of), -1, dtype=np.int64)
    for place in range(len(wanted)):
        place_of[wanted[place]] = place
    seen_at = np.full(len(wanted), -1, dtype=np.int64)
    rows, lacking = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    filled = visit = 0
    for turn in range(len(rarest)):
        code = np.int64(rarest[turn])
        while code >= 0:
            for at in range(by_starts[code], by_starts[code + 1]):
                record = by_rows[at]
                visit += 1
                shown, missing = 0, len(wanted) * (len(wanted) - 1) // 2
                for i in range(starts[record], starts[record + 1]):
                    label = label_of[items[i]]
                    if label < 0 or place_of[label] < 0 or seen_at[place_of[label]] == visit:
                        continue
                    if (label == rarest[turn] and items[i] != code) or (turn and label == rarest[0]):
                        shown = -1
                        break
                    seen_at[place_of[label]] = visit
                    shown += 1
                    missing -= place_of[label]
                if shown >= len(wanted) - 1:
                    rows[filled] = record
                    lacking[filled] = len(wanted) if shown == len(wanted) else missing
                    filled += 1
            code = np.int64(following[code])
    return rows[:filled], lacking[:filled]


@jit
def shown_in(starts: Ints, items: Numbers, label_of: Numbers, rows: Ints) -> Ints:
    """For every label how many of some records show it."""
    counts = np.zeros(len(label_of), dtype=np.int64)
    seen_at = np.full(len(label_of), -1, dtype=np.int64)
    for turn in range(len(rows)):
        for i in range(starts[rows[turn]], starts[rows[turn] + 1]):
            label = label_of[items[i]]
            if label >= 0 and seen_at[label] != turn:
                seen_at[label] = turn
                counts[label] += 1
    return counts


@jit
def cheapest(
    shared: Ints,
    label: int,
    within: Ints,
    alive: NDArray[np.bool_],
    size: Ints,
    support: Ints,
    of_size: NDArray[np.float64],
    of_support: NDArray[np.float64],
) -> tuple[float, Ints]:
    """The least loss of merging a label with another one of some codes, and all labels with which it loses no more."""
    best = np.inf
    found = np.empty(len(within), dtype=np.int64)
    filled = 0
    for other in within:
        if not alive[other] or other == label:
            continue
        loss = of_size[size[other] + size[label]] + of_support[support[other] + support[label] - shared[other]]
        loss = np.rint(loss * 1e9)
        if loss < best:
            best, filled = loss, 0
        if loss == best:
            found[filled] = other
            filled += 1
    return best / 1e9, found[:filled]


@jit
def two_least(within: Ints, alive: NDArray[np.bool_], size: Ints, none: int) -> tuple[int, int]:
    """The sizes of the two smallest labels among some codes; `none` where there are fewer."""
    least = next_least = none
    for code in within:
        if alive[code] and size[code] < next_least:
            least, next_least = min(least, size[code]), max(least, size[code])
            if next_least == 1:
                break
    return least, next_least


@jit
def mark(label: int, following: Numbers, naming_starts: Ints, naming: Numbers, marks: NDArray[np.bool_]) -> None:
    """Mark what names a code of a label."""
    code = np.int64(label)
    while code >= 0:
        for i in range(naming_starts[code], naming_starts[code + 1]):
            marks[naming[i]] = True
        code = np.int64(following[code])
