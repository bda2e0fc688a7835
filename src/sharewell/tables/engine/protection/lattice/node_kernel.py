"""The compiled look at a node of the lattice: `check` groups its classes, counts, and judges them by every criterion.

`judge` marks the classes that fail and counts how many of their records are withheld at every lower node for sure, as
`least_withheld` of each criterion says. Whole numbers decide wherever they do in the criterion; where decimals
come too close to a bound the class is marked as unsure, and the criterion itself decides. What `riskiest` says is about
all classes together.
"""

from __future__ import annotations

import math

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Codes, Floats, Ints, Judges, Source, Tally, Values, Verdicts
from sharewell.tables.engine.checks.exact_criteria import SHARE_ROUNDS
from sharewell.tables.engine.protection.lattice import compiled_judges as of

_NEAR = 1e-9
_TANGENTS = 4
_DENSE = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@jit
def check(
    labels: Codes, rows: Ints, space: int, source: Source, ours: int, bits: int, judges: Judges, bounds: bool, most: int
) -> tuple[Ints, Ints, Values, int, Verdicts, Ints, Tally]:
    """A node's classes as `group` makes them, how many of them are the table's, and what `judge` says of these.

    source: tuples, records and values of a lower node. Tuples from `ours` on are those of a population, and the last
    `bits` of a number of records are people.
    """
    result, totals, merged = group(labels, rows, space, *source)
    own = len(result)
    while bits and own and result[own - 1] >= ours:
        own -= 1
    verdicts, sure = np.zeros(own, np.uint8), np.zeros(own, np.int64)
    sizes, people = totals[:own], np.zeros((1, own if bits else 0), np.int64)
    if bits:
        sizes, people[0] = totals[:own] >> bits, totals[:own] & ((1 << bits) - 1)
    numbers = judge(judges, bounds, most, sizes, people, merged, verdicts, sure)
    return result, totals, merged, own, verdicts, sure, numbers


@jit
def group(
    labels: Codes, rows: Ints, space: int, tuples: Ints, records: Ints, values: Values
) -> tuple[Ints, Ints, Values]:
    """Classes of equal labels in the order in which they occur: (a tuple of each, its records, its values).

    rows[0] are those of `labels` that a node looks at; these times rows[1] add up to a number below `space`.
    """
    places, width = len(tuples), values.shape[1]
    keys = np.zeros(places, np.int64)
    for j in range(rows.shape[1]):
        column, factor = labels[rows[0, j]], rows[1, j]
        if j == 0:
            for i in range(places):
                keys[i] = column[tuples[i]]  # the first factor is 1
        else:
            for i in range(places):
                keys[i] += column[tuples[i]] * factor
    number, firsts = np.empty(places, np.int32), np.empty(places, np.int64)
    count = _numbered(keys, space, number, firsts)
    totals, merged = np.zeros(count, np.int64), np.zeros((count, width), values.dtype)
    for i in range(places):
        totals[number[i]] += records[i]
    for i in range(places if width else 0):
        c = number[i]
        for v in range(width):
            merged[c, v] += values[i, v]
    return tuples[firsts[:count]], totals, merged


@jit
def _numbered(keys: Ints, space: int, number: Codes, firsts: Ints) -> int:
    """Number equal keys alike from 0; in place where keys are few, else by a table with open addresses."""
    places, count = len(keys), 0
    if space <= _DENSE * places + 1024:
        seen = np.full(space, -1, np.int32)
        for i in range(places):
            c = seen[keys[i]]
            if c < 0:
                c = seen[keys[i]] = count
                firsts[count] = i
                count += 1
            number[i] = c
        return count
    bits = 1
    while (1 << bits) < 2 * places:
        bits += 1
    mask, shift = (1 << bits) - 1, np.uint64(64 - bits)
    slots, seen_keys = np.zeros(1 << bits, np.int32), np.full(1 << bits, -1, np.int64)
    for i in range(places):
        key = keys[i]
        slot = np.int64((np.uint64(key) * _MULTIPLIER) >> shift)
        while seen_keys[slot] != key and seen_keys[slot] >= 0:
            slot = (slot + 1) & mask
        if seen_keys[slot] < 0:
            seen_keys[slot] = key
            slots[slot] = count
            firsts[count] = i
            count += 1
        number[i] = slots[slot]
    return count


@jit
def judge(
    judges: Judges, bounds: bool, most: int, sizes: Ints, people: Ints, values: Values, verdicts: Verdicts, sure: Ints
) -> Tally:
    """Judge classes by one criterion after the other, and give five numbers: the records withheld, those of them that
    are at every lower node, the unsure classes, and then what `riskiest` says.

    judges: kinds; where the values of each judge begin; flags; scalars; whole; few; real; the bound for `riskiest`.
    flags: whether a criterion is growing (these come first), whether unions of classes that hold do, and how many
    records a class needs by any criterion. Where growing ones alone withhold more than `most`, no others are asked.
    scalars[i, 0] is the number of values, scalars[i, 1] that of known ones; what else each kind is given, its judge
    says. `sure` takes how many records of each class are withheld at every lower node, where `bounds` asks.
    """
    kinds, begins, flags, scalars, whole, few, real, overall = judges
    records, unsure = 0, 0
    scratch = np.zeros(max(whole.shape[2], values.shape[1] + 1), np.int64)
    for c in range(len(sizes) if len(kinds) else 0):
        if sizes[c] < flags[0, 2]:
            verdicts[c], sure[c] = of.CERTAIN, sizes[c]
            records += sizes[c]
    below = records
    for i in range(len(kinds)):
        if not flags[i, 0] and below > most:
            break
        if kinds[i] == of.SIZE:
            continue
        kind, begin, numbers, integers, decimals = kinds[i], begins[i], scalars[i], whole[i], real[i]
        if kind == of.SHARES:
            asked = few[i], decimals, flags[i], numbers, bounds
            small = _shares_of_few(asked, begin, sizes, values, verdicts, sure)
            records, below = records + small[0], below + small[1]
        for c in range(len(sizes)):
            size = sizes[c]
            if verdicts[c] or (kind == of.SHARES and size <= of.SMALL):
                continue
            if kind == of.DISTINCT:
                verdict, least = _distinct(values, c, begin, size, numbers)
            elif kind == of.ENTROPY:
                verdict, least = _entropy(values, c, begin, size, decimals, numbers, bounds)
            elif kind == of.RECURSIVE:
                verdict, least = _recursive(values, c, begin, size, numbers, scratch)
            elif kind == of.SHARES:
                verdict, least = _shares(values, c, begin, size, integers, decimals, numbers, bounds)
            elif kind == of.PARTITIONS:
                verdict, least = _partitions(values, c, begin, size, integers, decimals, numbers, scratch, bounds)
            elif kind == of.ORDERED:
                verdict, least = _ordered(values, c, begin, size, integers, numbers, scratch, bounds)
            elif kind == of.WINDOWS:
                verdict, least = _windows(values, c, begin, size, integers, numbers)
            else:
                verdict, least = _presence(people[begin, c], size, numbers, kind == of.PEOPLE, flags[i, 1])
            if verdict == 0 or verdict == of.UNSURE:
                verdicts[c] = verdict
                unsure += verdict == of.UNSURE
                continue
            least = size if flags[i, 0] else _at_least(least, size, flags[i, 1], flags[i, 2]) if bounds else 0
            verdicts[c], sure[c] = of.CERTAIN if least == size else of.FAILS, least
            records += size
            below += least
    cut, some = riskiest(sizes, people, verdicts, overall, most) if len(overall) and below <= most else (0, 0)
    return records, below, unsure, cut, some


@jit
def riskiest(sizes: Ints, people: Ints, verdicts: Verdicts, bound: Ints, most: int) -> tuple[int, int]:
    """All classes before a key, and so many with just this one, must go beside those that fail; (−1, 0) if the list
    of people must have everybody, and has not.

    Of records in classes of fewer people than bound[0] (of classes, if that is 0) there may be bound[1] / bound[2] of
    all records. The riskiest go first, until it holds, or one class more than `most` records allow. A key is the number
    of records, or that of people (at most bound[0]), then that of records.
    """
    withheld, total, risky, keys, number = 0, 0, 0, np.empty(len(sizes), np.int64), 0
    for c in range(len(sizes)):
        fitting = max(sizes[c], people[bound[3], c]) if bound[3] >= 0 else sizes[c]
        if bound[4] and people[bound[3], c] < sizes[c]:
            return -1, 0
        if verdicts[c]:
            withheld += sizes[c]
            continue
        total += sizes[c]
        risky += sizes[c] * (fitting < bound[0]) if bound[0] else 1
        keys[number] = min(fitting, bound[0]) << 32 | sizes[c] if bound[3] >= 0 else sizes[c]
        number += 1
    keys, i, some = np.sort(keys[:number]), 0, 0
    while i < number and risky * bound[2] > bound[1] * total and (i == 0 or withheld <= most):
        some = some + 1 if i and keys[i] == keys[i - 1] else 1
        size, fitting = keys[i] & 0xFFFFFFFF, keys[i] >> 32 if bound[3] >= 0 else keys[i]
        withheld, total = withheld + size, total - size
        risky -= size * (fitting < bound[0]) if bound[0] else 1
        i += 1
    return (keys[i - 1], some) if i else (0, 0)


@jit
def _at_least(least: int, size: int, one: int, needed: int) -> int:
    """How many records go: one in any case where unions of classes that hold do, and all where too few are left."""
    least = max(least, one)
    return size if size - least < needed else least


@jit
def _distinct(values: Values, c: int, begin: int, size: int, scalars: Ints) -> tuple[int, int]:
    """At least scalars[2] different known values."""
    number = 0
    for v in range(scalars[1]):
        number += values[c, begin + v] > 0
    return (0, 0) if number >= scalars[2] else (1, size)


@jit
def _entropy(
    values: Values, c: int, begin: int, size: int, real: Floats, scalars: Ints, bounds: bool
) -> tuple[int, int]:
    """H = log n − Σ c·log c / n ≥ ln l. real[0]: ln l, then c·log c of every count c; scalars[2]: ⌈l⌉; [3]: corrected?

    A part of a class with fewer than l values has fewer than l values, too: all of it is withheld.
    """
    number, total, top, uniform, inside = 0, 0, 0, True, 0.0
    for v in range(scalars[1]):
        count = int(values[c, begin + v])
        if count:
            number += 1
            total += count
            uniform = uniform and (top == 0 or count == top)
            top = max(top, count)
            inside += real[0, 1 + count]
    if number < scalars[2]:
        return 1, size
    if uniform and not scalars[3]:
        return 0, 0
    entropy = (real[0, 1 + total] - inside) / total
    if abs(entropy - real[0, 0]) <= 2 * _NEAR:
        return of.UNSURE, 0
    if entropy > real[0, 0]:
        return 0, 0
    if scalars[3] or not bounds:
        return 1, 0
    return 1, _levelled(values, c, begin, top, real, scalars)


@jit
def _levelled(values: Values, c: int, begin: int, top: int, real: Floats, scalars: Ints) -> int:
    """At least this many records go until the entropy reaches ln l.

    Of all ways to leave this many records, entropy is largest where no value has more than some height and those with
    fewer keep all; the lower the height, the larger it is. So where it does not reach ln l, one record more must go.
    """
    low, failing = 0, top
    while failing - low > 1:
        height = (low + failing) // 2
        total, inside = 0, 0.0
        for v in range(scalars[1]):
            count = min(int(values[c, begin + v]), height)
            total += count
            inside += real[0, 1 + count]
        if (real[0, 1 + total] - inside) / total < real[0, 0] - 2 * _NEAR:
            failing = height
        else:
            low = height
    gone = 1
    for v in range(scalars[1]):
        gone += max(0, int(values[c, begin + v]) - failing)
    return gone


@jit
def _recursive(values: Values, c: int, begin: int, size: int, scalars: Ints, scratch: Ints) -> tuple[int, int]:
    """r1 < c · (r_l + …), with c = scalars[3] / scalars[4] and l = scalars[2].

    What is left of a class has no more of any value, and no larger sum from the l-th on: so of no value may more be
    left than is less than c times that sum of the class.
    """
    most, known, top = scalars[2] - 1, 0, 0
    largest = scratch
    largest[:most] = 0
    for v in range(scalars[1]):
        count = int(values[c, begin + v])
        known += count
        top = max(top, count)
        i = most - 1
        if most and count > largest[i]:
            while i > 0 and largest[i - 1] < count:
                largest[i] = largest[i - 1]
                i -= 1
            largest[i] = count
    rest = known
    for i in range(most):
        rest -= largest[i]
    if rest > 0 and top * scalars[4] < scalars[3] * rest:
        return 0, 0
    if rest <= 0:
        return 1, size
    allowed, gone = (scalars[3] * rest - 1) // scalars[4], 0
    for v in range(scalars[1]):
        gone += max(0, int(values[c, begin + v]) - allowed)
    return 1, max(1, gone)


@jit
def _shares(
    values: Values, c: int, begin: int, size: int, whole: Ints, real: Floats, scalars: Ints, bounds: bool
) -> tuple[int, int]:
    """Every value that occurs: count · whole[0] ≤ size · whole[1], size · whole[3] ≤ count · whole[2], each less than
    where scalars[2]; count / size ≤ real[0]; and the size at least scalars[3]. real[1]: the largest share allowed.

    What is withheld at every lower node: see `withheld_for_shares`.
    """
    holds, strict, v = size >= scalars[3], scalars[2], 0
    while holds and v < scalars[0]:
        count = int(values[c, begin + v])
        if count:
            holds = count * whole[0, v] + strict <= size * whole[1, v]
            holds = holds and size * whole[3, v] + strict <= count * whole[2, v] and not count / size > real[0, v]
        v += 1
    if holds:
        return 0, 0
    if not bounds:
        return 1, 0
    if size < scalars[3] or _lacks_room(values, c, begin, real, scalars):
        return 1, size
    gone = 0
    for _ in range(SHARE_ROUNDS):
        left, more = size - gone, 0
        for v in range(scalars[0]):
            count = int(values[c, begin + v])
            if count:
                more += max(0, count - int(real[1, v] * left + 1e-6))
        if more <= gone:
            break
        gone = more
    return 1, gone


@jit
def _shares_of_few(
    asked: tuple[Values, Floats, Ints, Ints, bool], at: int, sizes: Ints, values: Values, verdicts: Verdicts, sure: Ints
) -> tuple[int, int]:
    """The same of all small classes, without a multiplication and nearly without a branch; see `_small_classes`.

    One loop over classes that calls nothing, so that the loops over values take many at a time.
    """
    few, real, flags, scalars, bounds = asked
    records, below, number = 0, 0, scalars[0]
    for c in range(len(sizes)):
        size, least = sizes[c], 0
        if size > of.SMALL or verdicts[c]:
            continue
        row, highest, lowest, wrong = values[c, at : at + number], few[size], few[1 + of.SMALL + size], np.int32(0)
        for v in range(number):
            wrong |= np.int32((row[v] > highest[v]) | ((row[v] > 0) & (row[v] < lowest[v])))
        if not wrong and size >= scalars[3]:
            continue
        if size < scalars[3]:
            least = size
        elif bounds:
            for _ in range(SHARE_ROUNDS):
                kept, more = few[2 + 2 * of.SMALL + size - least], np.int32(0)
                for v in range(number):
                    more += max(np.int32(0), np.int32(row[v] - kept[v]))
                if more <= least:
                    break
                least = int(more)
            if least < size and _lacks_room(values, c, at, real, scalars):
                least = size
        least = size if flags[0] else _at_least(least, size, flags[1], flags[2]) if bounds else 0
        verdicts[c], sure[c] = of.CERTAIN if least == size else of.FAILS, least
        records, below = records + size, below + least
    return records, below


@jit
def _lacks_room(values: Values, c: int, begin: int, real: Floats, scalars: Ints) -> bool:
    """Do the largest shares that its values may have add up to less than 1?"""
    room = 0.0
    for v in range(scalars[0]):
        if values[c, begin + v]:
            room += real[1, v]
    return room < 1 - _NEAR


@jit
def _partitions(
    values: Values, c: int, begin: int, size: int, whole: Ints, real: Floats, scalars: Ints, scratch: Ints, bounds: bool
) -> tuple[int, int]:
    """The mean over partitions of Σ (what a part has too much of) ≤ t = scalars[2] / scalars[3].

    whole[p]: the part of each value in partition p; whole[partitions]: what the reference has of every part; real: its
    share. scalars[4]: the total of the reference; scalars[5]: partitions; scalars[6]: parts in all.
    """
    levels, parts, total = scalars[5], scalars[6], scalars[4]
    counts = scratch
    counts[:parts] = 0
    for v in range(scalars[0]):
        if values[c, begin + v]:
            for p in range(levels):
                counts[whole[p, v]] += values[c, begin + v]
    over = 0
    for part in range(parts):
        if counts[part]:
            over += max(0, counts[part] * total - size * whole[levels, part])
    if over * scalars[3] <= scalars[2] * size * total * levels:
        return 0, 0
    if not bounds:
        return 1, 0
    wanted, left = (1 - scalars[2] / scalars[3]) * levels, float(size)
    for _ in range(_TANGENTS):
        slope, reach = -wanted, 0.0
        for part in range(parts):
            if counts[part] <= left * real[0, part]:
                reach += counts[part]
            else:
                slope += real[0, part]
        if slope < -_NEAR and reach < -slope * left:
            left = reach / -slope
    return 1, max(1, math.ceil(size - left - 1e-6))


@jit
def _ordered(
    values: Values, c: int, begin: int, size: int, whole: Ints, scalars: Ints, scratch: Ints, bounds: bool
) -> tuple[int, int]:
    """Σ |running difference| / (m − 1) ≤ t = scalars[2] / scalars[3]. whole[0]: the place of each value; whole[1]: the
    running sum of the reference at each of the m = scalars[5] places; scalars[4]: its total."""
    places, total = scalars[5], scalars[4]
    counts = scratch
    counts[:places] = 0
    for v in range(scalars[0]):
        counts[whole[0, v]] += values[c, begin + v]
    over, running = 0, 0
    for place in range(places):
        running += counts[place]
        counts[place] = running
        over += abs(running * total - size * whole[1, place])
    partitions = max(1, places - 1)
    if over * scalars[3] <= scalars[2] * size * total * partitions:
        return 0, 0
    if not bounds:
        return 1, 0
    wanted, left = (1 - scalars[2] / scalars[3]) * partitions, float(size)
    for _ in range(_TANGENTS):  # into the values up to a place and those beyond, for every place
        slope, reach = -wanted, 0.0
        for place in range(partitions):
            share = whole[1, place] / total
            if counts[place] <= left * share:
                reach += counts[place]
            else:
                slope += share
            if size - counts[place] <= left * (1 - share):
                reach += size - counts[place]
            else:
                slope += 1 - share
        if slope < -_NEAR and reach < -slope * left:
            left = reach / -slope
    return 1, max(1, math.ceil(size - left - 1e-6))


@jit
def _windows(values: Values, c: int, begin: int, size: int, whole: Ints, scalars: Ints) -> tuple[int, int]:
    """At most 1/m of the class within reach of any of its values, m = scalars[2]. whole[0]: the values in their order;
    whole[1], whole[2]: from which place to before which the values within reach of each place lie."""
    if size < scalars[2]:
        return 1, size
    for place in range(scalars[0]):
        if values[c, begin + whole[0, place]]:
            near = 0
            for other in range(whole[1, place], whole[2, place]):
                near += values[c, begin + whole[0, other]]
            if near * scalars[2] > size:
                return 1, 0
    return 0, 0


@jit
def _presence(people: int, size: int, scalars: Ints, by_people: int, safe: int) -> tuple[int, int]:
    """Of N people who fit there are scalars[3] at least; or n/N is at most scalars[3] / scalars[4], and at least
    scalars[5] / scalars[6]. scalars[2]: are there at least as many people as records, or must the list be refused?

    No part has people whom the class has not; if people count in several parts, that tells of no fewer than all.
    """
    if people < size and scalars[2]:
        return of.UNSURE, 0
    people = max(people, size)
    if by_people:
        return (0, 0) if people >= scalars[3] else (1, size)
    if size * scalars[4] <= people * scalars[3] and size * scalars[6] >= people * scalars[5]:
        return 0, 0
    gone = max(0, size - people * scalars[3] // scalars[4])
    return 1, gone if safe or gone >= size else 0
