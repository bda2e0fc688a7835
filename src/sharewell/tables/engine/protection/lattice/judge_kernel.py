"""The compiled judge of a node's classes: one loop over classes, and for each kind of criterion a few lines.

`judge` marks the classes that fail and counts how many of their records are withheld at every lower node for sure, as
`least_withheld` of each criterion says. Whole numbers decide wherever they do in the criterion; where decimals
come too close to a bound the class is marked as unsure, and the criterion itself decides.
"""

from __future__ import annotations

import math

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Floats, Ints, Values, Verdicts
from sharewell.tables.engine.checks.exact_criteria import SHARE_ROUNDS
from sharewell.tables.engine.protection.lattice.compiled_judges import (
    CERTAIN,
    DISTINCT,
    ENTROPY,
    FAILS,
    ORDERED,
    PARTITIONS,
    RECURSIVE,
    SHARES,
    SIZE,
    SMALL,
    UNSURE,
)

_NEAR = 1e-9
_TANGENTS = 4


@jit
def judge(
    kinds: Ints,
    begins: Ints,
    flags: Ints,
    scalars: Ints,
    whole: Ints,
    real: Floats,
    bounds: bool,
    most: int,
    sizes: Ints,
    values: Values,
    verdicts: Verdicts,
    withheld_below: Ints,
) -> tuple[int, int, int]:
    """Judge classes by one criterion after the other: (records withheld, of these at every lower node, classes unsure).

    flags: whether a criterion is growing (these come first), whether unions of classes that hold do, and how many
    records a class needs by any criterion. Where growing ones alone withhold more than `most`, no others are asked.
    scalars[i, 0] is the number of values, scalars[i, 1] that of known ones; what else each kind is given, its judge
    says. `withheld_below` takes how many records of each class are withheld at every lower node, where `bounds` asks.
    """
    records, below, unsure = 0, 0, 0
    scratch = np.zeros(max(whole.shape[2], values.shape[1] + 1), np.int64)
    if len(kinds):
        records = below = _too_small(sizes, flags[0, 2], verdicts, withheld_below)
    for i in range(len(kinds)):
        if not flags[i, 0] and below > most:
            break
        if kinds[i] == SIZE:
            continue
        kind, begin, numbers, integers, decimals = kinds[i], begins[i], scalars[i], whole[i], real[i]
        for c in range(len(sizes)):
            if verdicts[c]:
                continue
            size = sizes[c]
            if kind == SHARES and size <= SMALL:
                verdict, least = _shares_of_few(values, c, begin, size, integers, decimals, numbers, bounds)
            elif kind == DISTINCT:
                verdict, least = _distinct(values, c, begin, size, numbers)
            elif kind == ENTROPY:
                verdict, least = _entropy(values, c, begin, size, decimals, numbers, bounds)
            elif kind == RECURSIVE:
                verdict, least = _recursive(values, c, begin, size, numbers, scratch)
            elif kind == SHARES:
                verdict, least = _shares(values, c, begin, size, integers, decimals, numbers, bounds)
            elif kind == PARTITIONS:
                verdict, least = _partitions(values, c, begin, size, integers, decimals, numbers, scratch, bounds)
            elif kind == ORDERED:
                verdict, least = _ordered(values, c, begin, size, integers, numbers, scratch, bounds)
            else:
                verdict, least = _windows(values, c, begin, size, integers, numbers)
            if verdict == 0 or verdict == UNSURE:
                verdicts[c] = verdict
                unsure += verdict == UNSURE
                continue
            least = size if flags[i, 0] else _at_least(least, size, flags[i, 1], flags[i, 2]) if bounds else 0
            verdicts[c], withheld_below[c] = CERTAIN if least == size else FAILS, least
            records += size
            below += least
    return records, below, unsure


@jit
def _too_small(sizes: Ints, needed: int, verdicts: Verdicts, withheld_below: Ints) -> int:
    """Withhold classes of fewer records than needed, and count these: most classes are small."""
    records = 0
    for c in range(len(sizes)):
        if sizes[c] < needed:
            verdicts[c], withheld_below[c] = CERTAIN, sizes[c]
            records += sizes[c]
    return records


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
        return UNSURE, 0
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
    Further rows of `whole`: the same for small classes, see `_small_classes`.

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
    values: Values, c: int, begin: int, size: int, whole: Ints, real: Floats, scalars: Ints, bounds: bool
) -> tuple[int, int]:
    """The same of a small class, without a multiplication and nearly without a branch."""
    if size < scalars[3]:
        return 1, size
    highest, lowest, wrong = 4 + size, 5 + SMALL + size, 0
    for v in range(scalars[0]):
        count = values[c, begin + v]
        wrong += (count > whole[highest, v]) | ((count > 0) & (count < whole[lowest, v]))
    if not wrong:
        return 0, 0
    if not bounds:
        return 1, 0
    gone, rounds = 0, 0
    while gone < size and rounds < SHARE_ROUNDS:
        kept, more = 6 + 2 * SMALL + size - gone, 0
        for v in range(scalars[0]):
            surplus = values[c, begin + v] - whole[kept, v]
            more += surplus if surplus > 0 else 0
        if more <= gone:
            break
        gone = more
        rounds += 1
    return 1, size if gone < size and _lacks_room(values, c, begin, real, scalars) else gone


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
