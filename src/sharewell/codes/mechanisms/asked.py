"""What hierarchy methods are asked for: the strictest k and m of the criteria, on data that can be protected at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sharewell.codes.dataset import CodeSets
from sharewell.codes.sets import Ints
from sharewell.errors import Infeasible, PolicyError
from sharewell.registry import compatible


@dataclass(frozen=True)
class Asked:
    """The strictest of each. `holding`: the records that hold a code; the others say nothing."""

    k: int
    m: int
    holding: Ints

    @classmethod
    def of(cls, mechanism: Any, data: CodeSets, must: Sequence[Any]) -> Asked:
        if data.published:
            raise PolicyError(f"{mechanism.name} — the sets are published labels already — start from the original")
        if other := [one.name for one in must if not compatible(mechanism, one)]:
            raise PolicyError(f"{mechanism.name} — cannot make {', '.join(other)} hold — choose another mechanism")
        k = max((one.k for one in must), default=1)
        m = max((getattr(one, "m", 1) for one in must), default=1)
        holding = np.flatnonzero(data.sets.lengths)
        if len(holding) < k:
            what = f"{len(holding)} of {data.records} records hold a code, fewer than k = {k}"
            helps = [f"k at most {len(holding)}"] if len(holding) else []
            raise Infeasible(f"{mechanism.name} — {what}", blocking=[one.name for one in must], relaxations=helps)
        return cls(k, m, holding)
