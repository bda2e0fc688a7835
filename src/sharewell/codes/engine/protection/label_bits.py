"""One bit for each record and label: 64 records are counted together. Only labels that are asked about have bits.

Bit r % 64 of word r // 64 is set if record r shows the label. A label's words are made when it is first asked about, in
O(records / 64 + records that show it), and kept while there is room. When room is short, all are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints, Sets

MOST_BITS = 1 << 29
"""64 MB."""
SetBits = Callable[[Ints, NDArray[np.int32], NDArray[np.int32], int, NDArray[np.uint64]], None]
"""`label_counts.set_bits`, or its compiled form."""


class LabelBits:
    """Words of the labels of some records, given the records of each code and the next code of the same label."""

    def __init__(self, by_code: Sets, records: int, labels: int, set_bits: SetBits, most_bits: int = MOST_BITS) -> None:
        self.width = max(1, (records + 63) >> 6)
        self.words = np.empty((min(labels, most_bits // (64 * self.width)), self.width), dtype=np.uint64)
        self.row_of = np.full(by_code.count, -1, dtype=np.int32)
        """The row of words of each label; −1 if it has none."""
        self._by_code, self._set_bits = by_code, set_bits
        self._used = 0

    def hold(self, labels: NDArray[np.integer], following: NDArray[np.int32]) -> bool:
        """Make the words that some labels lack; False if there is no room for this many labels."""
        missing = labels[self.row_of[labels] < 0]
        if not len(missing):
            return True
        missing = np.unique(missing)
        if self._used + len(missing) > len(self.words):
            missing = np.unique(labels)
            if len(missing) > len(self.words):
                return False
            self.row_of[:], self._used = -1, 0
        self.row_of[missing] = np.arange(self._used, self._used + len(missing))
        self._used += len(missing)
        for label in missing.tolist():
            self.renew(label, following)
        return True

    def renew(self, label: int, following: NDArray[np.int32]) -> None:
        """Make the words of a label again, if it has any: it lost codes."""
        if (row := self.row_of[label]) >= 0:
            self.words[row] = 0
            self._add(label, following, row)

    def merge(self, kept: int, absorbed: int, following: NDArray[np.int32]) -> None:
        """Add the records of a label to those of another; the codes of the two are not one chain yet."""
        if (row := self.row_of[kept]) < 0:
            return
        if self.row_of[absorbed] >= 0:
            self.words[row] |= self.words[self.row_of[absorbed]]
        else:
            self._add(absorbed, following, row)

    def _add(self, label: int, following: NDArray[np.int32], row: int) -> None:
        self._set_bits(self._by_code.starts, self._by_code.items, following, label, self.words[row])
