"""Names for the arrays that the kernels of the lattice share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
"""Labels of tuples, levels of nodes."""
Values = NDArray[np.int32]
"""values[class, value]: how many records of a class have a value, for all counted columns side by side."""
Verdicts = NDArray[np.uint8]
"""Of each class: 0 is undecided or holds, `UNSURE` must be decided anew, any other number fails."""

UNSURE = 255

DISTINCT, ENTROPY, RECURSIVE, SHARES, PARTITIONS, ORDERED, WINDOWS = range(7)
"""Kinds of judges."""
