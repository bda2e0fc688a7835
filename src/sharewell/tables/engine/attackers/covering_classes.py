"""Which published classes cover each of a few drawn targets, by the true values of the targets.

For every distinct cell of a column one row of bits says which targets it covers. What a class covers is then the AND of
the rows of its cells: 2,000 targets are 32 machine words, so that a million classes are gone through in no time.
`cell_matching.fitting` answers the same question for long lists of people, for which rows of bits would be too long.

O(classes · columns · targets / 64), and one look at each distinct cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.protocols import Truth
from sharewell.tables.data import Bools, Classes, Column, Floats, Indices, Table
from sharewell.tables.engine.cell_matching import Cover, Missing

Bits = NDArray[np.uint64]
_BLOCK = 1 << 14
"""Classes at a time."""


@dataclass(frozen=True, eq=False)
class Covering:
    """Pairs of a class and a target that it covers, by class and then by target."""

    owner: Indices
    target: Indices
    targets: int
    """How many targets there are, covered or not."""

    def per_target(self, weight: NDArray[np.number] | Bools) -> Floats:
        """The sum of something over the pairs of each target."""
        return np.bincount(self.target, weights=weight, minlength=self.targets).astype(np.float64)

    def includes_own(self, classes: Classes, persons: Indices, of_target: Indices) -> Bools:
        """Has the target's person a record in the class of each pair? `persons` numbers the person of each row."""
        width = int(persons.max(initial=0)) + 1
        wanted = np.zeros(width + 1, dtype=bool)  # nobody, −1, is the last one
        wanted[of_target] = True
        places = np.flatnonzero(wanted[persons[classes.order]])
        class_of = np.searchsorted(classes.starts, places, side="right") - 1
        theirs = class_of * width + persons[classes.order[places]]
        return np.isin(self.owner * width + of_target[self.target], theirs)


def covering(released: Table, truth: Truth[Table], targets: Indices, missing: Missing = "own") -> Covering:
    """Published rows as targets, and every class that covers their true quasi values."""
    classes, count = released.classes, len(targets)
    if not released.quasi or not count or not classes.count:
        owner = np.repeat(np.arange(classes.count), count)
        return Covering(owner, np.tile(np.arange(count), classes.count), count)
    first, rows = classes.order[classes.starts[:-1]], truth.rows[targets]
    shown = []
    for column in released.quasi:
        codes = column.codes[first]
        shown.append((codes, _bits(column, _few_values(truth.original.columns[column.name], rows), codes, missing)))
    pairs = [_pairs(shown, slice(begin, begin + _BLOCK)) for begin in range(0, classes.count, _BLOCK)]
    owner, target = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return Covering(owner, target, count)


def _few_values(column: Column, rows: Indices) -> Column:
    """Some rows of a column, with the values that occur there and no others: tens of thousands may occur elsewhere."""
    distinct, codes = np.unique(column.codes[rows], return_inverse=True)
    values = column.values.take(pa.array(distinct))
    has_missing = column.has_missing and bool(len(distinct)) and distinct[-1] == column.size - 1
    return Column(column.name, column.role, column.kind, codes.astype(np.int32), values, has_missing)


def _bits(shown: Column, listed: Column, occurring: NDArray[np.int32], missing: Missing) -> Bits:
    """Cell code → which targets it covers, one bit each; only of cells that occur."""
    cover, places = Cover(shown, listed, missing), np.arange(listed.size)
    values = np.zeros((listed.size, -(-len(listed.codes) // 64) * 64), dtype=bool)
    values[listed.codes, np.arange(len(listed.codes))] = True
    owners = np.packbits(values, axis=1, bitorder="little").view(np.uint64)
    upto = np.bitwise_or.accumulate(owners)
    bits = np.zeros((shown.size, owners.shape[1]), np.uint64)
    for code in np.unique(occurring).tolist():
        covered = cover.of(code)
        if covered is None:
            bits[code] = upto[-1]
        elif isinstance(covered, range):  # every target has one value: those up to the end, without those before
            bits[code] = upto[covered.stop - 1] if covered else 0
            bits[code] ^= upto[covered.start - 1] if covered and covered.start else 0
        else:
            bits[code] = np.bitwise_or.reduce(owners[places[covered]])
    return bits


def _pairs(shown: Sequence[tuple[NDArray[np.int32], Bits]], block: slice) -> tuple[Indices, Indices]:
    """(class, target) for some of the classes."""
    both = np.bitwise_and.reduce([bits[codes[block]] for codes, bits in shown])
    some, word = np.nonzero(both)
    place, bit = np.nonzero(np.unpackbits(both[some, word].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little"))
    return block.start + some[place], word[place] * 64 + bit
