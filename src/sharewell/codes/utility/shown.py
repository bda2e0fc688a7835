"""How wide the label is by which each code of each record is shown."""

from __future__ import annotations

import numpy as np

from sharewell.codes.dataset import CodeSets
from sharewell.codes.sets import Ints, Sets

_ROWS = 50_000
"""Records looked at in one go."""


def widths(before: CodeSets, after: CodeSets) -> tuple[Ints, Ints] | None:
    """(original codes that the label may stand for, 0 where there is none; how often that is so).

    By code where no code lies in two labels, else by occurrence, the tightest label first; then records must be in the
    same order before and after, and None says that they cannot be.
    """
    number = {code: i for i, code in enumerate(before.names)}
    inside = [[number[code] for code in codes if code in number] for codes in after.members]
    size = np.array([len(codes) for codes in inside], dtype=np.int64)
    if sum(map(len, inside)) == len({code for codes in inside for code in codes}):
        width = np.zeros(len(before.names), dtype=np.int64)
        for label, codes in enumerate(inside):
            width[codes] = size[label]
        return width, before.sets.supports(len(before.names))
    if before.records != after.records or (before.persons != after.persons and after.persons is not None):
        return None
    covers = Sets.of(inside)
    keys = np.sort(covers.row_of * len(before.names) + covers.items)
    parts = [np.zeros(0, dtype=np.int64)]
    for first in range(0, before.records, _ROWS):
        rows = np.arange(first, min(before.records, first + _ROWS))
        parts.append(_tightest(before.sets.take(rows), after.sets.take(rows), size, keys, len(before.names)))
    width = np.concatenate(parts)
    return width, np.ones(len(width), dtype=np.int64)


def _tightest(held: Sets, shown: Sets, size: Ints, keys: Ints, universe: int) -> Ints:
    """For each occurrence of a code, the size of the smallest label of its record that covers it."""
    times = shown.lengths[held.row_of]
    occurrence = np.repeat(np.arange(len(held.items)), times)
    label = shown.take(held.row_of).items
    wanted = label.astype(np.int64) * universe + held.items[occurrence]
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    covered = keys[place] == wanted
    width = np.full(len(held.items), universe + 1, dtype=np.int64)
    np.minimum.at(width, occurrence[covered], size[label[covered]])
    width[width > universe] = 0
    return width
