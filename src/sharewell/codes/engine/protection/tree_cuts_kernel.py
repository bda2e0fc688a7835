"""Compiled recoding of records; see tree_cuts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit


@jit
def recoded(
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    rows: NDArray[np.int64],
    label: NDArray[np.int64],
    turn: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Some records with the labels of their codes, each once; labels are numbered from `turn` on, and around.

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
