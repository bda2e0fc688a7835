"""The compiled twin of `optimal_runs.best_cuts`."""

from __future__ import annotations

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Ints

_NEVER = np.iinfo(np.int64).max


@jit
def best_cuts(
    loss: Ints,
    first: int,
    fewest: int,
    least: int,
    ends: Ints,
    cost: Ints,
    back: Ints,
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
