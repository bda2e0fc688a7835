"""The compiled twin of `optimal_runs.best_cuts`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit

_NEVER = np.iinfo(np.int64).max


@jit
def best_cuts(
    loss: NDArray[np.int64],
    first: int,
    fewest: int,
    least: int,
    ends: NDArray[np.int64],
    cost: NDArray[np.int64],
    back: NDArray[np.int64],
) -> None:
    for t in range(loss.shape[1]):
        end = first + t + 1
        for i in range(loss.shape[0]):
            begin = end - fewest - i
            if begin < 0:
                break
            size = ends[end] - ends[begin]
            if size < least or cost[begin] == _NEVER:
                continue
            total = cost[begin] + size * loss[i, t]
            if total < cost[end]:
                cost[end], back[end] = total, begin
