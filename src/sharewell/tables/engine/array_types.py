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
Codes = NDArray[np.int32]
"""Labels of tuples, levels of nodes of a lattice."""
Values = NDArray[np.int32]
"""values[class, value]: how many records of a class have a value, for several columns side by side."""
Verdicts = NDArray[np.uint8]
"""Of each class: 0 if it holds, else why not."""
Judges = tuple[Ints, Ints, Ints, Ints, Ints, Values, Floats, Ints]
"""What criteria ask of classes, packed for compiled code: kinds, begins, flags, scalars, whole, few, real, and what is
asked of all classes together."""
Source = tuple[Ints, Ints, Values]
"""Tuples, records and values of classes."""
Tally = tuple[int, int, int, int, int]
"""Records withheld, those of them that are withheld at every lower node, classes of which compiled code is unsure; and
which of the riskiest other classes must go: those before a key, and how many with just this one."""
