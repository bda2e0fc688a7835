"""Compiled loops over records and their labels: the functions of `label_counts`, and what `tree_cuts` counts."""

from __future__ import annotations

import numpy as np

from sharewell.codes.engine.packed_sets import Ints
from sharewell.codes.engine.protection.label_counts import Flags, Floats, LabelledRecords, Numbers, Words
from sharewell.compiled import jit


@jit
def _ones(word: np.uint64) -> int:
    """How many bits are set: summed in pairs, fours, bytes, and all bytes by one multiplication."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))  # type: ignore[return-value]


@jit
def set_bits(holder_starts: Ints, holders: Numbers, following: Numbers, label: int, words: Words) -> None:
    code = np.int64(label)
    while code >= 0:
        for record in holders[holder_starts[code] : holder_starts[code + 1]]:
            words[record >> 6] |= np.uint64(1) << np.uint64(record & 63)
        code = np.int64(following[code])


@jit
def together_by_bits(
    words: Words, row_of: Numbers, label_of: Numbers, starts: Ints, listed: Numbers, chosen: Ints, enough: Ints
) -> Ints:
    counts = np.empty(len(chosen), dtype=np.int64)
    longest = 0
    for number in chosen:
        longest = max(longest, starts[number + 1] - starts[number])
    rows = np.empty(longest, dtype=np.int64)
    for place in range(len(chosen)):
        number = chosen[place]
        wanted = 0
        for i in range(starts[number], starts[number + 1]):
            label = label_of[listed[i]]
            if label >= 0 and (wanted == 0 or rows[wanted - 1] != row_of[label]):
                rows[wanted] = row_of[label]
                wanted += 1
        if not wanted:
            counts[place] = -1
            continue
        total = 0
        for word in range(words.shape[1]):
            common = words[rows[0], word]
            for i in range(1, wanted):
                if not common:
                    break
                common &= words[rows[i], word]
            if common:
                total += _ones(common)
                if total >= enough[place]:
                    total = enough[place]
                    break
        counts[place] = total
    return counts


@jit
def near_by_bits(words: Words, wanted: Ints, records: int) -> tuple[Ints, Ints]:
    unit = np.uint64(1)
    most = 0
    kept = np.empty(words.shape[1], dtype=np.uint64)
    for word in range(words.shape[1]):
        lacking, lacking_more = np.uint64(0), np.uint64(0)
        for label in wanted:
            lacking_more |= lacking & ~words[label, word]
            lacking |= ~words[label, word]
        kept[word] = ~lacking_more
        if word == words.shape[1] - 1 and records & 63:
            kept[word] &= (unit << np.uint64(records & 63)) - unit
        most += _ones(kept[word])
    rows, missing = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    filled = 0
    for word in range(words.shape[1]):
        remaining = kept[word]
        while remaining:
            bit = remaining & (~remaining + unit)
            rows[filled] = 64 * word + _ones(bit - unit)
            missing[filled] = len(wanted)
            for place in range(len(wanted)):
                if not words[wanted[place], word] & bit:
                    missing[filled] = place
                    break
            filled += 1
            remaining ^= bit
    return rows, missing


@jit
def shared_by_bits(words: Words, row: int, others: Numbers) -> Ints:
    counts = np.zeros(len(others), dtype=np.int64)
    for place in range(len(others)):
        total = 0
        for word in range(words.shape[1]):
            total += _ones(words[row, word] & words[others[place], word])
        counts[place] = total
    return counts


@jit
def together(
    records: LabelledRecords, support: Ints, listed_starts: Ints, listed: Numbers, chosen: Ints, enough: Ints
) -> Ints:
    """A record is met once for every code of the rarest label that it holds; it counts i the first of them."""
    wanted_by = np.full(len(records.label_of), -1, dtype=np.int64)
    seen_at = np.full(len(records.label_of), -1, dtype=np.int64)
    counts = np.empty(len(chosen), dtype=np.int64)
    visit = 0
    for place in range(len(chosen)):
        number = chosen[place]
        wanted, rarest = 0, -1
        for i in range(listed_starts[number], listed_starts[number + 1]):
            label = records.label_of[listed[i]]
            if label >= 0 and wanted_by[label] != place:
                wanted_by[label] = place
                wanted += 1
                if rarest < 0 or support[label] < support[rarest]:
                    rarest = label
        if rarest < 0:
            counts[place] = -1
            continue
        total = 0
        code = rarest
        while code >= 0 and total < enough[place]:
            for record in records.holders[records.holder_starts[code] : records.holder_starts[code + 1]]:
                visit += 1
                shown = 0
                for i in range(records.starts[record], records.starts[record + 1]):
                    label = records.label_of[records.items[i]]
                    if label < 0 or wanted_by[label] != place or seen_at[label] == visit:
                        continue
                    if label == rarest and records.items[i] != code:
                        break
                    seen_at[label] = visit
                    shown += 1
                if shown == wanted:
                    total += 1
                    if total >= enough[place]:
                        break
            code = records.following[code]
        counts[place] = total
    return counts


@jit
def overlaps(records: LabelledRecords, wanted: Ints, rarest: int) -> Ints:
    counts = np.zeros(len(records.label_of), dtype=np.int64)
    seen_at = np.full(len(records.label_of), -1, dtype=np.int64)
    is_wanted = np.zeros(len(records.label_of), dtype=np.bool_)
    for label in wanted:
        is_wanted[label] = True
    visit = 0
    code = np.int64(rarest)
    while code >= 0:
        for record in records.holders[records.holder_starts[code] : records.holder_starts[code + 1]]:
            visit += 1
            shown = 0
            for i in range(records.starts[record], records.starts[record + 1]):
                label = records.label_of[records.items[i]]
                if label < 0 or seen_at[label] == visit:
                    continue
                if label == rarest and records.items[i] != code:
                    shown = -1
                    break
                seen_at[label] = visit
                shown += is_wanted[label]
            if shown != len(wanted):
                continue
            visit += 1
            for i in range(records.starts[record], records.starts[record + 1]):
                label = records.label_of[records.items[i]]
                if label >= 0 and seen_at[label] != visit:
                    seen_at[label] = visit
                    counts[label] += 1
        code = np.int64(records.following[code])
    return counts


@jit
def parts(records: LabelledRecords, wanted: Ints, rarest: int, size: int) -> Words:
    bit_of = np.full(len(records.label_of), -1, dtype=np.int64)
    for bit in range(len(wanted)):
        bit_of[wanted[bit]] = bit
    bits = np.zeros((size, (len(wanted) + 63) >> 6), dtype=np.uint64)
    filled = 0
    code = np.int64(rarest)
    while code >= 0:
        for record in records.holders[records.holder_starts[code] : records.holder_starts[code + 1]]:
            first = False  # does the record count here, at its first code of the label?
            for i in range(records.starts[record], records.starts[record + 1]):
                if records.label_of[records.items[i]] == rarest:
                    first = records.items[i] == code
                    break
            if not first:
                continue
            for i in range(records.starts[record], records.starts[record + 1]):
                label = records.label_of[records.items[i]]
                if label >= 0 and bit_of[label] >= 0:
                    bits[filled, bit_of[label] >> 6] |= np.uint64(1) << np.uint64(bit_of[label] & 63)
            filled += 1
        code = np.int64(records.following[code])
    return bits


@jit
def near(records: LabelledRecords, wanted: Ints, rarest: Ints, most: int) -> tuple[Ints, Ints]:
    place_of = np.full(len(records.label_of), -1, dtype=np.int64)
    for place in range(len(wanted)):
        place_of[wanted[place]] = place
    seen_at = np.full(len(wanted), -1, dtype=np.int64)
    rows, lacking = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    filled = visit = 0
    for turn in range(len(rarest)):
        code = np.int64(rarest[turn])
        while code >= 0:
            for record in records.holders[records.holder_starts[code] : records.holder_starts[code + 1]]:
                visit += 1
                shown, missing = 0, len(wanted) * (len(wanted) - 1) // 2
                for i in range(records.starts[record], records.starts[record + 1]):
                    label = records.label_of[records.items[i]]
                    if label < 0 or place_of[label] < 0 or seen_at[place_of[label]] == visit:
                        continue
                    if (label == rarest[turn] and records.items[i] != code) or (turn and label == rarest[0]):
                        shown = -1
                        break
                    seen_at[place_of[label]] = visit
                    shown += 1
                    missing -= place_of[label]
                if shown >= len(wanted) - 1:
                    rows[filled] = record
                    lacking[filled] = len(wanted) if shown == len(wanted) else missing
                    filled += 1
            code = np.int64(records.following[code])
    return rows[:filled], lacking[:filled]


@jit
def shown_in(records: LabelledRecords, rows: Ints) -> Ints:
    counts = np.zeros(len(records.label_of), dtype=np.int64)
    seen_at = np.full(len(records.label_of), -1, dtype=np.int64)
    for turn in range(len(rows)):
        for i in range(records.starts[rows[turn]], records.starts[rows[turn] + 1]):
            label = records.label_of[records.items[i]]
            if label >= 0 and seen_at[label] != turn:
                seen_at[label] = turn
                counts[label] += 1
    return counts


@jit
def cheapest(
    shared: Ints, label: int, within: Ints, alive: Flags, size: Ints, support: Ints, of_size: Floats, of_support: Floats
) -> tuple[float, Ints]:
    best = np.inf
    partners = np.empty(len(within), dtype=np.int64)
    filled = 0
    for other in within:
        if not alive[other] or other == label:
            continue
        loss = of_size[size[other] + size[label]] + of_support[support[other] + support[label] - shared[other]]
        loss = np.rint(loss * 1e9)
        if loss < best:
            best, filled = loss, 0
        if loss == best:
            partners[filled] = other
            filled += 1
    return best / 1e9, partners[:filled]


@jit
def two_least(within: Ints, alive: Flags, size: Ints, none: int) -> tuple[int, int]:
    least = next_least = none
    for code in within:
        if alive[code] and size[code] < next_least:
            least, next_least = min(least, size[code]), max(least, size[code])
            if next_least == 1:
                break
    return least, next_least


@jit
def mark(label: int, following: Numbers, naming_starts: Ints, naming: Numbers, marks: Flags) -> None:
    code = np.int64(label)
    while code >= 0:
        for i in range(naming_starts[code], naming_starts[code + 1]):
            marks[naming[i]] = True
        code = np.int64(following[code])


@jit
def recoded(starts: Ints, items: Numbers, rows: Ints, label: Ints, turn: int) -> tuple[Ints, Numbers]:
    """As `tree_cuts.recoded`.

    Codes that share a label stand side by side, so a label seen before is the one seen last.
    """
    most = 0
    for row in rows:
        most += starts[row + 1] - starts[row]
    labels = np.empty(most, dtype=np.int32)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    place = 0
    for number in range(len(rows)):
        begin, end = starts[rows[number]], starts[rows[number] + 1]
        before = -1
        for i in range(begin, end):
            shown = label[items[i]]
            if shown >= turn and shown != before:
                labels[place] = shown - turn
                place += 1
                before = shown
        before = -1
        for i in range(begin, end):
            shown = label[items[i]]
            if shown >= turn:
                break
            if shown >= 0 and shown != before:
                labels[place] = shown - turn + len(label)
                place += 1
                before = shown
        offsets[number + 1] = place
    return offsets, labels[:place]


@jit
def _meet(
    shown: Numbers, items: Numbers, begin: int, end: int, above: int, times: Numbers, met: Numbers, filled: int
) -> int:
    """Count every label over `above` of items[begin:end] once; a label counted for the first time is added to `met`."""
    before = np.int32(-1)
    for i in range(begin, end):
        other = shown[items[i]]
        if other <= above or other == before:
            continue
        before = other
        if times[other] == 0:
            met[filled] = other
            filled += 1
        times[other] += 1
    return filled


@jit
def _add_rare(times: Numbers, met: Numbers, filled: int, k: int, own: int, pairs: Ints) -> None:
    """Add each label met fewer than k times to the pairs of `own` and to its own, and forget how often it was met."""
    for i in range(filled):
        if times[met[i]] < k:
            pairs[met[i]] += 1
            pairs[own] += 1
        times[met[i]] = 0


@jit
def rare_pairs(
    starts: Ints,
    items: Numbers,
    holder_starts: Ints,
    holders: Numbers,
    label: Ints,
    first: int,
    last: int,
    k: int,
    any_will_do: bool,
) -> tuple[Ints, Ints]:
    """For each label the pairs that hold it, a label of the places [first, last) among them, and are in 1 … k − 1 sets.

    First with the labels as they are, then as if all these places, withheld ones too, had the one label `first`. Places
    of a label stand side by side, so a set counts for a label at its first item there. O(occurrences at these places ·
    length of their sets): nothing is sorted, and no pair is written down. any_will_do: end at a label that has some.
    """
    size = len(label)
    shown = label.astype(np.int32)  # what is asked of every item had better stay in the fastest memory
    apart, united = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    times, times_united = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
    met, met_united = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    filled = filled_united = 0
    for code in range(first, last):
        own = shown[code]
        for holder in range(holder_starts[code], holder_starts[code + 1]):
            begin, end = starts[holders[holder]], starts[holders[holder] + 1]
            left = begin
            while items[left] < first:
                left += 1
            is_first = items[left] == code
            right = left
            while items[right] < own:
                right += 1
            is_first_of_own = own >= 0 and items[right] == code
            if not is_first and not is_first_of_own:
                continue
            after = right
            while after < end and items[after] < last:
                after += 1
            if is_first_of_own:  # labels rise with the places: those to the left met this one already
                filled = _meet(shown, items, right, after, own, times, met, filled)
                filled = _meet(shown, items, begin, left, -1, times, met, filled)
                filled = _meet(shown, items, after, end, -1, times, met, filled)
            if is_first:
                filled_united = _meet(shown, items, begin, left, -1, times_united, met_united, filled_united)
                filled_united = _meet(shown, items, after, end, -1, times_united, met_united, filled_united)
        if code + 1 == last or shown[code + 1] != own:
            _add_rare(times, met, filled, k, own, apart)
            filled = 0
            if any_will_do and own >= 0 and apart[own] > 0:
                break
    _add_rare(times_united, met_united, filled_united, k, first, united)
    return apart, united
