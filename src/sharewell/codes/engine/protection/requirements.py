"""What mechanisms for codes check before they begin, and the strictest k and m that the criteria ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.km_disassociation import KmDisassociation
from sharewell.codes.data import CodeSets, Ints
from sharewell.errors import Infeasible, PolicyError
from sharewell.preconditions import refuse_incompatible, refuse_published
from sharewell.protocols import AnyCriterion, Criteria, Mechanism


class HidesAmongK(AnyCriterion, Protocol):
    """A criterion that hides a record among k."""

    @property
    def k(self) -> int: ...


@dataclass(frozen=True)
class StrictestKm:
    """The largest k and the largest m of the criteria, and the records that hold a code."""

    k: int
    m: int
    holding: Ints

    @classmethod
    def of(cls, mechanism: Mechanism[CodeSets], data: CodeSets, criteria: Sequence[HidesAmongK]) -> StrictestKm:
        refuse_published(mechanism.name, data)
        refuse_incompatible(mechanism, criteria)
        k = max((criterion.k for criterion in criteria), default=1)
        m = max((one.m for one in criteria if isinstance(one, KmAnonymity | KmDisassociation)), default=1)
        holding = np.flatnonzero(data.sets.lengths)
        if len(holding) < k:
            problem = f"{len(holding)} of {data.records} records hold a code, fewer than k = {k}"
            helps = [f"k at most {len(holding)}"] if len(holding) else []
            raise Infeasible(
                f"{mechanism.name} — {problem}", blocking=[one.name for one in criteria], relaxations=helps
            )
        return cls(k, m, holding)


def refuse_few(
    mechanism: Mechanism[CodeSets], data: CodeSets, criteria: Criteria[CodeSets], criterion: str, sizes: Iterable[int]
) -> None:
    """Refuse data and criteria that cannot be worked with; `sizes` are the numbers among which persons must hide."""
    refuse_published(mechanism.name, data)
    refuse_incompatible(mechanism, criteria)
    most = max(sizes, default=0)
    if not most:
        raise PolicyError(f"{mechanism.name} — needs a {criterion} to make hold — none was asked for")
    if data.records < most:
        raise Infeasible(
            f"{mechanism.name} — {data.records} records cannot hide anyone among {most}",
            blocking=[f"{criterion}: k"],
            relaxations=["a smaller k", "more records"],
        )
