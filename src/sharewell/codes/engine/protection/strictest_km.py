"""What hierarchy methods are asked for: the strictest k and m of the criteria, on data that can be protected at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.km_disassociation import KmDisassociation
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.packed_sets import Ints
from sharewell.errors import Infeasible, PolicyError
from sharewell.preconditions import refuse_incompatible, refuse_published
from sharewell.protocols import Criterion, Mechanism


class AmongK(Protocol):
    """A criterion that hides a record among k."""

    @property
    def name(self) -> str: ...

    @property
    def k(self) -> int: ...


@dataclass(frozen=True)
class Asked:
    """The strictest of each. `holding`: the records that hold a code; the others say nothing."""

    k: int
    m: int
    holding: Ints

    @classmethod
    def of(cls, mechanism: Mechanism[CodeSets], data: CodeSets, must: Sequence[AmongK]) -> Asked:
        refuse_published(mechanism.name, data)
        refuse_incompatible(mechanism, must)
        k = max((one.k for one in must), default=1)
        m = max((one.m if isinstance(one, KmAnonymity | KmDisassociation) else 1 for one in must), default=1)
        holding = np.flatnonzero(data.sets.lengths)
        if len(holding) < k:
            what = f"{len(holding)} of {data.records} records hold a code, fewer than k = {k}"
            helps = [f"k at most {len(holding)}"] if len(holding) else []
            raise Infeasible(f"{mechanism.name} — {what}", blocking=[one.name for one in must], relaxations=helps)
        return cls(k, m, holding)


def refuse_few(
    mechanism: Mechanism[CodeSets],
    data: CodeSets,
    must: Sequence[Criterion[CodeSets]],
    criterion: str,
    sizes: Iterable[int],
) -> None:
    """Say what cannot be done before anything is done: `sizes` are those among which somebody must be hidden."""
    refuse_published(mechanism.name, data)
    refuse_incompatible(mechanism, must)
    if not must:
        raise PolicyError(f"{mechanism.name} — needs {criterion} to make hold — none was asked for")
    if data.records < (most := max(sizes)):
        raise Infeasible(
            f"{mechanism.name} — {data.records} records cannot hide anyone among {most}",
            blocking=[f"{criterion}: k"],
            relaxations=["a smaller k", "more records"],
        )
