"""Names for the kinds of numpy arrays that the modules for tables pass to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
"""Counts, codes and sums."""
Indices = NDArray[np.intp]
"""Places in other arrays: of rows, of classes."""
