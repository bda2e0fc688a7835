"""The compiled judge of a node's classes: one loop over classes, and for each kind of criterion a few lines.

`judge` marks the classes that fail and gives for each how many of its records are withheld at every lower node for
sure, as `least_withheld` of the criterion does. Whole numbers decide wherever they do in the criterion; where decimals
come too close to a bound the class is marked as unsure, and the criterion itself decides.
"""

from __future__ import annotations

import math

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Floats, Ints
from sharewell.tables.engine.protection.lattice.node_arrays import (
    DISTINCT,
    ENTROPY,
    ORDERED,
    PARTITIONS,
    RECURSIVE,
    SHARES,
    UNSURE,
    Values,
    Verdicts,
)

_NEAR = 1e-9
_TANGENTS = 4


@jit
def judge(
    kind: int,
    values: Values,
    begin: int,
    sizes: Ints,
    verdicts: Verdicts,
    mark: int,
    whole: Ints,
    real: Floats,
    scalars: Ints,
    least: Ints,
) -> None:
    """Judge every class that has not failed yet by the values from column `begin` on.

    scalars[0] is the number of values, scalars[1] that of known ones; what else each kind is given, its judge says.
    """
    width = scalars[0]
    for c in range(len(sizes)):
        if verdicts[c]:
            continue
        row, size = values[c, begin : begin + width], sizes[c]
        if kind == DISTINCT:
            verdict, fewest = _distinct(row, size, scalars)
        elif kind == ENTROPY:
            verdict, fewest = _entropy(row, size, real[0], real[1], scalars)
        elif kind == RECURSIVE:
            verdict, fewest = _recursive(row, size, scalars)
        elif kind == SHARES:
            verdict, fewest = _shares(row, size, whole, real, scalars)
        elif kind == PARTITIONS:
            verdict, fewest = _partitions(row, size, whole, real, scalars)
        elif kind == ORDERED:
            verdict, fewest = _ordered(row, size, whole, scalars)
        else:
            verdict, fewest = _windows(row, size, whole, scalars)
        if verdict:
            verdicts[c] = mark if verdict == 1 else UNSURE
            least[c] = fewest


@jit
def _distinct(row: Values, size: int, scalars: Ints) -> tuple[int, int]:
    """At least scalars[2] different known values."""
    number = 0
    for v in range(scalars[1]):
        number += row[v] > 0
    return (0, 0) if number >= scalars[2] else (1, size)


@jit
def _entropy(row: Values, size: int, terms: Floats, shares: Floats, scalars: Ints) -> tuple[int, int]:
    """H = log n − Σ c·log c / n ≥ ln l. terms: ln l, then c·log c of every count c; scalars[2]: ⌈l⌉, [3]: a correction?

    A part of a class with fewer than l values has fewer than l values, too: all of it is withheld. shares: the largest
    share that a value may have among so many.
    """
    number, total, top, uniform, inside = 0, np.int64(0), np.int64(0), True, 0.0
    for v in range(scalars[1]):
        count = np.int64(row[v])
        if count:
            number += 1
            total += count
            uniform = uniform and (top == 0 or count == top)
            top = max(top, count)
            inside += terms[1 + count]
    if number < scalars[2]:
        return 1, size
    if uniform and not scalars[3]:
        return 0, 0
    entropy = (terms[1 + total] - inside) / total
    if abs(entropy - terms[0]) <= 2 * _NEAR:
        return 2, 0
    if entropy > terms[0]:
        return 0, 0
    if scalars[3]:
        return 1, 0
    share = shares[number]
    return 1, max(1, math.ceil((top - share * total) / (1 - share) - 1e-6))


@jit
def _recursive(row: Values, size: int, scalars: Ints) -> tuple[int, int]:
    """r1 < c · (r_l + …), with c = scalars[3] / scalars[4] and l = scalars[2].

    What is left of a class has no more of any value, and no larger sum from the l-th on: so of no value may more be
    left than is less than c times that sum of the class.
    """
    most, known, top = scalars[2] - 1, 0, np.int64(0)
    largest = np.zeros(max(1, most), np.int64)
    for v in range(scalars[1]):
        count = np.int64(row[v])
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
    allowed, gone = (scalars[3] * rest - 1) // scalars[4], np.int64(0)
    for v in range(scalars[1]):
        gone += max(0, np.int64(row[v]) - allowed)
    return 1, max(1, gone)


@jit
def _shares(row: Values, size: int, whole: Ints, real: Floats, scalars: Ints) -> tuple[int, int]:
    """Every value that occurs: count · whole[0] ≤ size · whole[1], size · whole[3] ≤ count · whole[2], each less than
    where scalars[2]; count / size ≤ real[0]; and the size at least scalars[3]. real[1]: the largest share allowed.

    Shares add up to 1: where the largest ones allowed do not, no part of the class holds. Otherwise, of a value with
    too large a share so many records go at least as make it small enough, if scalars[4] says that unions hold.
    """
    holds, room, gone = size >= scalars[3], 0.0, 0.0
    for v in range(scalars[0]):
        count = np.int64(row[v])
        if not count:
            continue
        strict = scalars[2]
        holds = holds and count * whole[0, v] + strict <= size * whole[1, v]
        holds = holds and size * whole[3, v] + strict <= count * whole[2, v] and not count / size > real[0, v]
        room += real[1, v]
        if real[1, v] < 1:
            gone = max(gone, (count - real[1, v] * size) / (1 - real[1, v]))
    if holds:
        return 0, 0
    if size < scalars[3] or room < 1 - _NEAR:
        return 1, size
    return 1, max(1, math.ceil(gone - 1e-6)) if scalars[4] else 0


@jit
def _partitions(row: Values, size: int, whole: Ints, real: Floats, scalars: Ints) -> tuple[int, int]:
    """The mean over partitions of Σ (what a part has too much of) ≤ t = scalars[2] / scalars[3].

    whole[p]: the part of each value in partition p; whole[-1]: what the reference has of every part; scalars[4]: its
    total; scalars[5]: partitions; scalars[6]: parts in all.
    """
    levels, parts, total = scalars[5], scalars[6], scalars[4]
    counts = np.zeros(parts, np.int64)
    for v in range(scalars[0]):
        if row[v]:
            for p in range(levels):
                counts[whole[p, v]] += row[v]
    over = np.int64(0)
    for part in range(parts):
        if counts[part]:
            over += max(0, counts[part] * total - size * whole[levels, part])
    if over * scalars[3] <= scalars[2] * size * total * levels:
        return 0, 0
    wanted, left = (1 - scalars[2] / scalars[3]) * levels, float(size)
    for _ in range(_TANGENTS):
        slope, reach = -wanted, 0.0
        for part in range(parts):
            if counts[part] <= left * real[0, part]:
                reach += counts[part]
            else:
                slope += real[0, part]
        if slope < 0 and reach < -slope * left:
            left = reach / -slope
    return 1, max(1, math.ceil(size - left - 1e-6))


@jit
def _ordered(row: Values, size: int, whole: Ints, scalars: Ints) -> tuple[int, int]:
    """Σ |running difference| / (m − 1) ≤ t = scalars[2] / scalars[3]. whole[0]: the place of each value; whole[1]: the
    running sum of the reference at each of the m = scalars[5] places; scalars[4]: its total."""
    places, total = scalars[5], scalars[4]
    counts = np.zeros(places, np.int64)
    for v in range(scalars[0]):
        counts[whole[0, v]] += row[v]
    over, running = np.int64(0), np.int64(0)
    for place in range(places):
        running += counts[place]
        over += abs(running * total - size * whole[1, place])
    if over * scalars[3] <= scalars[2] * size * total * max(1, places - 1):
        return 0, 0
    return 1, 1


@jit
def _windows(row: Values, size: int, whole: Ints, scalars: Ints) -> tuple[int, int]:
    """At most 1/m of the class within reach of any of its values, m = scalars[2]. whole[0]: the values in their order;
    whole[1], whole[2]: from which place to before which the values within reach of each place lie."""
    if size < scalars[2]:
        return 1, size
    for place in range(scalars[0]):
        if row[whole[0, place]]:
            near = np.int64(0)
            for other in range(whole[1, place], whole[2, place]):
                near += row[whole[0, other]]
            if near * scalars[2] > size:
                return 1, 0
    return 0, 0
