"""Names for the arrays that the kernels of the lattice share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
"""Labels of tuples, levels of nodes."""
Values = NDArray[np.int32]
"""values[class, value]: how many records of a class have a value, for all counted columns side by side."""
Verdicts = NDArray[np.uint8]
"""Of each class: one of the following, or 0 if it holds."""
FAILS, CERTAIN, UNSURE = 1, 2, 3
"""It fails; all its records are withheld at every lower node as well; its criterion must decide."""

DISTINCT, ENTROPY, RECURSIVE, SHARES, PARTITIONS, ORDERED, WINDOWS, SIZE = range(8)
"""Kinds of judges."""
