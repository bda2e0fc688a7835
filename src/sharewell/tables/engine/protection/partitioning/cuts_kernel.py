"""Compiled twins of `value_counts.find`, of the steps of `class_layout` and of what classes show, on packed rows.

They let go of the interpreter's lock, so that threads run them for several classes at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Bools

Ints = NDArray[np.integer]
Words = NDArray[np.uint64]

_SPARSE = 32
"""A class is sorted rather than counted if its values lie on a stretch of more than this many codes a row."""
_DENSE = 4
"""From this many rows a code on, all codes are looked at; with fewer, only those whose bit was set."""
_CHILDREN = 64
"""Up to this many children of a node, rows are counted under each."""
_TABLES, _FEW, _MANY = 4, 1024, 16
"""Columns of few values are counted in four tables by turns, from many rows a value on: to add one to a number that was
changed just before has to wait for that change, and rows that follow each other often share a value."""
_AT_ONCE = np.uint64(256)
"""Rows that are looked at together, to see in which columns they differ."""
_ZERO, _ONE, _SIX, _LOW, _WORD = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(64)
_MULTIPLIER, _TOP = np.uint64(0x03F79D71B4CB0A89), np.uint64(58)
"""A de Bruijn sequence: times a power of two, its highest six bits tell which power."""
_POWER = np.zeros(64, np.uint64)
for _bit in range(64):
    _POWER[((0x03F79D71B4CB0A89 << _bit) & 0xFFFFFFFFFFFFFFFF) >> 58] = _bit

# Places and codes are unsigned in all inner loops: numba looks at the sign of every other index.


@jit
def find(
    words: Words,
    begins: Ints,
    ends: Ints,
    first: int,
    last: int,
    places: Ints,
    shifts: Words,
    masks: Words,
    sizes: Ints,
    roots: Ints,
    heights: Ints,
    nodes: Ints,
    fields: Ints,
) -> None:
    """fields[:, place, class] for the columns of one word in the classes words[begins[c] : ends[c]], first ≤ c < last.

    places … heights: of each column of the word; `places` says which column of the table it is.
    """
    widest = sizes.max()
    counts, bits = np.zeros(max(widest, _TABLES * min(widest, _FEW)), np.int32), np.zeros(widest // 64 + 1, np.uint64)
    firsts, values, times = np.empty(widest, np.int32), np.empty(widest, np.int32), np.empty(widest, np.int32)
    for c in range(first, last):
        begin, end = np.uint64(begins[c]), np.uint64(ends[c])
        rows = ends[c] - begins[c]
        differs = _differing(words, begin, end, shifts, masks)
        for j in range(len(places)):
            size, place = sizes[j], places[j]
            if not (differs >> shifts[j]) & masks[j]:
                value = (words[begin] >> shifts[j]) & masks[j]
                fields[0, place, c] = fields[1, place, c] = fields[2, place, c] = fields[3, place, c] = value
                fields[4, place, c], fields[5, place, c], fields[6, place, c] = 0, 1, 1
                continue
            if not heights[j] and masks[j] < _WORD + _WORD and rows < _DENSE * size:
                _few(words, begin, end, shifts[j], masks[j], counts, fields, place, c)
                continue
            if heights[j] and size > 64:
                tree = nodes[roots[j] : roots[j] + heights[j] * size]
                if _by_child(words, begin, end, shifts[j], masks[j], tree, np.uint64(size), times, fields, place, c):
                    continue
            if size <= _FEW and rows >= _MANY * size:
                _count(words, begin, end, shifts[j], masks[j], np.uint64(size), counts)
                runs = _collect(counts, _ZERO, np.uint64(size - 1), values, times)
            elif size <= 64 and rows >= _DENSE * size:
                for i in range(begin, end):
                    counts[(words[i] >> shifts[j]) & masks[j]] += 1
                runs = _collect(counts, _ZERO, np.uint64(size - 1), values, times)
            else:
                runs = _wide(words, begin, end, shifts[j], masks[j], rows, counts, bits, values, times)
            fields[0, place, c], fields[1, place, c] = values[0], values[runs - 1]
            if heights[j]:
                runs = _children(nodes, roots[j], heights[j], size, runs, firsts, values, times)
                _nearest(runs, firsts, values, times, fields, place, c, rows)
            else:
                _nearest(runs, values, values, times, fields, place, c, rows)


@jit
def _differing(words: Words, begin: np.uint64, end: np.uint64, shifts: Words, masks: Words) -> np.uint64:
    """Bits in which rows of a class differ; once some do in every column, no more rows are looked at."""
    first, differs, constant, start = words[begin], _ZERO, True, begin
    while constant and start < end:
        stop, constant = min(start + _AT_ONCE, end), False
        for i in range(start, stop):
            differs |= words[i] ^ first
        for j in range(len(shifts)):
            constant |= not (differs >> shifts[j]) & masks[j]
        start = stop
    return differs


@jit
def _few(
    words: Words,
    begin: np.uint64,
    end: np.uint64,
    shift: np.uint64,
    mask: np.uint64,
    counts: Ints,
    fields: Ints,
    place: int,
    c: int,
) -> None:
    """The cut of a class of few rows in a column of up to 128 values without a tree, at least two of which occur.

    Values that occur are marked by a bit, and are counted up to the cut alone; counts are zero before and after."""
    lower, upper = _ZERO, _ZERO
    for i in range(begin, end):
        code = (words[i] >> shift) & mask
        counts[code] += 1
        bit = _ONE << (code & _LOW)
        lower |= bit if code < _WORD else _ZERO
        upper |= bit if code >= _WORD else _ZERO
    rows, up_to, runs = int(np.int64(end - begin)), 0, 0
    best_off, seen, offset = 2 * rows + 1, lower, _ZERO
    while True:
        if not seen:
            seen, offset = upper, _WORD
        rest = seen & (seen - _ONE)
        code = offset + _POWER[((seen ^ rest) * _MULTIPLIER) >> _TOP]
        seen = rest
        up_to += counts[code]
        off = abs(2 * up_to - rows)
        if off >= best_off or up_to == rows:
            break
        if not runs:
            fields[0, place, c] = code
        fields[2, place, c], fields[4, place, c] = code, up_to
        best_off = off
        runs += 1
    fields[3, place, c], fields[6, place, c] = code, runs
    fields[1, place, c] = _WORD + _highest(upper) if upper else _highest(lower)
    fields[5, place, c] = _ones(lower) + _ones(upper)
    for code in range(mask + _ONE):
        counts[code] = 0


@jit
def _highest(bits: np.uint64) -> np.uint64:
    """The place of the highest bit that is set."""
    for step in (1, 2, 4, 8, 16, 32):
        bits |= bits >> np.uint64(step)
    return np.uint64(_POWER[((bits ^ (bits >> _ONE)) * _MULTIPLIER) >> _TOP])


@jit
def _ones(bits: np.uint64) -> int:
    count = 0
    while bits:
        bits &= bits - _ONE
        count += 1
    return count


@jit
def _count(
    words: Words, begin: np.uint64, end: np.uint64, shift: np.uint64, mask: np.uint64, size: np.uint64, counts: Ints
) -> None:
    """How often each value occurs: in four tables, added up at last; counts are zero before, and the others after."""
    second, third, fourth = size, size + size, size + size + size
    even = begin + (end - begin) // np.uint64(_TABLES) * np.uint64(_TABLES)
    for i in range(begin, even, np.uint64(_TABLES)):
        counts[(words[i] >> shift) & mask] += 1
        counts[second + ((words[i + np.uint64(1)] >> shift) & mask)] += 1
        counts[third + ((words[i + np.uint64(2)] >> shift) & mask)] += 1
        counts[fourth + ((words[i + np.uint64(3)] >> shift) & mask)] += 1
    for i in range(even, end):
        counts[(words[i] >> shift) & mask] += 1
    for code in range(size):
        counts[code] += counts[second + code] + counts[third + code] + counts[fourth + code]
        counts[second + code], counts[third + code], counts[fourth + code] = 0, 0, 0


@jit
def _wide(
    words: Words,
    begin: np.uint64,
    end: np.uint64,
    shift: np.uint64,
    mask: np.uint64,
    rows: int,
    counts: Ints,
    bits: Words,
    values: Ints,
    times: Ints,
) -> int:
    """The values of any column, in order, and how often each occurs: counted, and scanned or found by bits, or sorted.
    Counts and bits are zero before and after."""
    low = high = (words[begin] >> shift) & mask
    for i in range(begin, end):
        code = (words[i] >> shift) & mask
        low, high = min(low, code), max(high, code)
    span = np.int64(high - low)
    if span >= _SPARSE * rows:
        return _sort(words, begin, end, shift, mask, values, times)
    if _DENSE * span < rows:
        for i in range(begin, end):
            counts[(words[i] >> shift) & mask] += 1
        return _collect(counts, low, high, values, times)
    for i in range(begin, end):
        code = (words[i] >> shift) & mask
        counts[code] += 1
        bits[code >> _SIX] |= _ONE << (code & _LOW)
    runs = np.uint64(0)
    for word in range(low >> _SIX, (high >> _SIX) + _ONE):
        seen = bits[word]
        if seen:
            bits[word] = _ZERO
            runs = np.uint64(_collect_bits(counts, seen, word << _SIX, runs, values, times))
    return int(np.int64(runs))


@jit
def _by_child(
    words: Words,
    begin: np.uint64,
    end: np.uint64,
    shift: np.uint64,
    mask: np.uint64,
    nodes: Ints,
    size: np.uint64,
    times: Ints,
    fields: Ints,
    place: int,
    c: int,
) -> bool:
    """The cut between children of the lowest common ancestor: rows are counted under each child, and only the values
    on both sides of the cut are looked for. False, and nothing written, if the node has many children."""
    low = high = (words[begin] >> shift) & mask
    for i in range(begin, end):
        code = (words[i] >> shift) & mask
        low, high = min(low, code), max(high, code)
    level, step = _ZERO, _ZERO
    while step < np.uint64(len(nodes)):
        if nodes[step + low] != nodes[step + high]:
            level = step
        step += size
    first, span = nodes[level + low], np.int64(nodes[level + high]) - nodes[level + low] + 1
    if span > _CHILDREN:
        return False
    for child in range(np.uint64(span)):
        times[child] = 0
    for i in range(begin, end):
        times[np.uint64(nodes[level + ((words[i] >> shift) & mask)] - first)] += 1
    rows, runs = int(np.int64(end - begin)), 0
    best, left, cut = _middle(np.uint64(span), times, rows)
    for child in range(np.uint64(span)):
        runs += times[child] > 0
    fields[0, place, c], fields[1, place, c] = low, high
    fields[2, place, c] = fields[3, place, c] = high
    fields[4, place, c], fields[5, place, c], fields[6, place, c] = left, runs, best + 1
    if runs > 1:
        below, above, between = low, high, _first_above(nodes, level, low, high, first + cut)
        for i in range(begin, end):
            code = (words[i] >> shift) & mask
            below, above = max(below, code if code < between else low), min(above, code if code >= between else high)
        fields[2, place, c], fields[3, place, c] = below, above
    return True


@jit
def _first_above(nodes: Ints, level: np.uint64, low: np.uint64, high: np.uint64, node: int) -> np.uint64:
    """The first code in (low, high] whose node at this level comes after this one; nodes rise with codes."""
    while high - low > _ONE:
        middle = (low + high) >> _ONE
        if nodes[level + middle] > node:
            high = middle
        else:
            low = middle
    return high


@jit
def _collect(counts: Ints, low: np.uint64, high: np.uint64, values: Ints, times: Ints) -> int:
    """The values that were counted, and how often each; all counts are zero afterwards."""
    runs = _ZERO
    for code in range(low, high + _ONE):
        count = counts[code]
        counts[code] = 0
        if count:
            values[runs], times[runs] = code, count
            runs += _ONE
    return int(np.int64(runs))


@jit
def _collect_bits(counts: Ints, seen: np.uint64, first: np.uint64, runs: np.uint64, values: Ints, times: Ints) -> int:
    """The same for those of 64 codes, from `first` on, whose bit is set, written behind the runs there are."""
    while seen:
        rest = seen & (seen - _ONE)
        code = first + _POWER[((seen ^ rest) * _MULTIPLIER) >> _TOP]
        values[runs], times[runs] = code, counts[code]
        counts[code] = 0
        runs += _ONE
        seen = rest
    return int(np.int64(runs))


@jit
def _sort(
    words: Words, begin: np.uint64, end: np.uint64, shift: np.uint64, mask: np.uint64, values: Ints, times: Ints
) -> int:
    """The same by Shell's method, which compiles in a fraction of the time that numpy's own sort takes."""
    rows = int(np.int64(end - begin))
    for i in range(begin, end):
        values[i - begin] = (words[i] >> shift) & mask
    gap = 1
    while gap < rows // 3:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, rows):
            code, j = values[i], i
            while j >= gap and values[j - gap] > code:
                values[j] = values[j - gap]
                j -= gap
            values[j] = code
        gap //= 3
    runs = -1
    for i in range(rows):
        if runs < 0 or values[i] != values[runs]:
            runs += 1
            values[runs], times[runs] = values[i], 0
        times[runs] += 1
    return runs + 1


@jit
def _children(
    nodes: Ints, root: int, height: int, size: int, runs: int, firsts: Ints, values: Ints, times: Ints
) -> int:
    """Runs under one child of the lowest common ancestor become one."""
    low, high, level = values[0], values[runs - 1], root
    for step in range(root, root + height * size, size):
        if nodes[step + low] != nodes[step + high]:
            level = step
    joined = 0
    for run in range(runs):
        value = values[run]
        if run and nodes[level + value] == nodes[level + values[joined - 1]]:
            values[joined - 1] = value
            times[joined - 1] += times[run]
        else:
            count = times[run]
            firsts[joined], values[joined], times[joined] = value, value, count
            joined += 1
    return joined


@jit
def _nearest(runs: int, firsts: Ints, lasts: Ints, times: Ints, fields: Ints, place: int, c: int, rows: int) -> None:
    """The cut nearest the middle, the lower of two equally near."""
    best, left, _ = _middle(np.uint64(runs), times, rows)
    fields[2, place, c], fields[3, place, c] = lasts[best], firsts[min(best + 1, runs - 1)]
    fields[4, place, c], fields[5, place, c], fields[6, place, c] = left, runs, best + 1


@jit
def _middle(runs: np.uint64, times: Ints, rows: int) -> tuple[int, int, int]:
    """After which run that is not empty, counted from 0, is the cut nearest the middle? How many rows are left of it,
    and the number of that run with empty ones counted."""
    best, left, cut, run, up_to = 0, 0, 0, 0, 0
    best_off = 2 * rows + 1
    for one in range(runs):
        if not times[one]:
            continue
        up_to += times[one]
        off = abs(2 * up_to - rows)
        if off >= best_off or up_to == rows:
            break
        best, left, cut, best_off = run, up_to, one, off
        run += 1
    return best, left, cut


@jit
def mark(
    words: Words,
    shifts: Words,
    masks: Words,
    tuples: Ints,
    begins: Ints,
    ends: Ints,
    at: Words,
    tie: Ints,
    right: Bools,
) -> None:
    """Which rows of these classes go right? Without `tuples`, those with a code above `at` in the class's column."""
    for c in range(len(begins)):
        shift, mask, limit = shifts[c], masks[c], at[c]
        for i in range(np.uint64(begins[c]), np.uint64(ends[c])):
            right[i] = ((words[i] >> shift) & mask) > limit
        if len(tuples):
            for i in range(np.uint64(begins[c]), np.uint64(ends[c])):
                right[i] |= (((words[i] >> shift) & mask) == limit) & (tuples[i] > tie[c])


@jit
def part(values: Ints, right: Bools, begins: Ints, ends: Ints, aside: Ints) -> None:
    """In each class, rows that go left first; both keep their order. `aside` has room for the largest class."""
    for c in range(len(begins)):
        lefts, rights = np.uint64(begins[c]), _ZERO
        for i in range(np.uint64(begins[c]), np.uint64(ends[c])):  # no branch: which way a row goes cannot be foreseen
            value, goes = values[i], np.uint64(right[i])
            values[lefts] = value
            aside[rights] = value
            lefts += _ONE - goes
            rights += goes
        for i in range(rights):
            values[lefts + i] = aside[i]


@jit
def part_packed(
    words: Words,
    order: Ints,
    shifts: Words,
    masks: Words,
    begins: Ints,
    ends: Ints,
    at: Words,
    words_aside: Words,
    order_aside: Ints,
) -> None:
    """`mark` and `part` in one, where all columns are in one word and no cut runs through a value."""
    for c in range(len(begins)):
        shift, mask, limit = shifts[c], masks[c], at[c]
        lefts, rights = np.uint64(begins[c]), _ZERO
        for i in range(np.uint64(begins[c]), np.uint64(ends[c])):
            word, row = words[i], order[i]
            goes = np.uint64(((word >> shift) & mask) > limit)
            words[lefts], order[lefts] = word, row
            words_aside[rights], order_aside[rights] = word, row
            lefts += _ONE - goes
            rights += goes
        for i in range(rights):
            words[lefts + i], order[lefts + i] = words_aside[i], order_aside[i]


@jit
def occurring(
    words: Words, starts: Ints, shifts: Words, masks: Words, places: Ints, lows: Ints, highs: Ints, bits: Words
) -> None:
    """Of each column of one word, in each class: the lowest and the highest code, and a bit for each code below 64.

    places: which row of `lows`, `highs` and `bits` is the column's.
    """
    for c in range(len(starts) - 1):
        begin, end = np.uint64(starts[c]), np.uint64(starts[c + 1])
        for j in range(len(places)):
            shift, mask, place = shifts[j], masks[j], places[j]
            low = high = (words[begin] >> shift) & mask
            seen = _ZERO
            for i in range(begin, end):
                code = (words[i] >> shift) & mask
                low, high = min(low, code), max(high, code)
                seen |= _ONE << (code & _LOW)
            lows[place, c], highs[place, c], bits[place, c] = low, high, seen
