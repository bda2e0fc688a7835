"""Symbols that stand only for bases of published sequences, where some were withheld after symbols had been made.

>>> original = Sequences.of(["AC", "GC", "TC"])
>>> with_shown_bases(Sequences.of(["DC", "DC"], published=True), original, np.array([0, 1])).texts
('RC', 'RC')

D is A, G or T; but nobody with T is published. N may be anything, and stays.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.iupac_lattice import ANY


def with_shown_bases(released: Sequences, original: Sequences | Genotypes, rows: NDArray[np.integer]) -> Sequences:
    """The release without bases that no published person has at a place; rows: the original row of each sequence."""
    if len(rows) == original.rows:
        return released
    true = original if isinstance(original, Sequences) else Sequences.of_genotypes(original)
    if true.codes.shape[1] != released.codes.shape[1]:
        return released
    known = np.where(true.codes[rows] == ANY, np.uint8(0), true.codes[rows])
    left = released.codes & np.bitwise_or.reduce(known, axis=0)
    return replace(released, codes=np.where((released.codes == ANY) | (left == 0), released.codes, left))
