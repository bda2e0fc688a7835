"""What the two mechanisms that hide patterns by deletion share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, Infeasible, Mechanism, PolicyError
from sharewell.codes.criteria.hidden_patterns import HiddenPattern
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.protection.rule_suppression import without_codes
from sharewell.preconditions import refuse_published

Objective = Literal["distortion", "side-effects"]
ROUNDS = 32
"""How often the least harmful deletions are computed anew while one pattern is hidden."""


@dataclass(frozen=True)
class HidingDetails:
    """Patterns that had to be hidden, what was deleted for it, and what else is no longer frequent because of that."""

    patterns: int
    shown_before: int
    deleted: int
    changed_records: int
    watched: int | None
    """Other frequent patterns that were watched; only for the objective side-effects."""
    lost: int | None
    outside_visits: int = 0
    """Codes of records that stand in no visit, where visits are published."""


def patterns_to_hide(
    mechanism: Mechanism[CodeSets], data: CodeSets, criteria: Criteria[CodeSets], kinds: Sequence[str]
) -> list[HiddenPattern]:
    """The criteria; refuses what this mechanism cannot make hold."""
    name = mechanism.name
    refuse_published(name, data)
    hiding = [criterion for criterion in criteria if isinstance(criterion, HiddenPattern)]
    if other := [criterion.name for criterion in criteria if not isinstance(criterion, HiddenPattern)]:
        raise PolicyError(f"{name} — cannot make {', '.join(other)} hold — it hides patterns")
    if odd := sorted({criterion.kind for criterion in hiding if criterion.kind not in kinds}):
        alternative = "sequence-hiding" if "sequence" in odd else "pattern-hiding"
        raise PolicyError(f"{name} — hides no patterns of kind {', '.join(odd)} — choose {alternative}")
    if not criteria:
        raise PolicyError(f"{name} — needs hidden-patterns to make hold — none was asked for")
    if not data.records:
        raise Infeasible(f"{name} — there is no record, and nothing to release", blocking=["hidden-patterns"])
    return hiding


def frequent_from(least: int | None, data: CodeSets, criteria: Sequence[HiddenPattern]) -> int:
    """From how many records on something is frequent: as given, or one in a hundred, and more than is allowed."""
    if least is not None:
        return least
    return max([math.ceil(data.records / 100), *(1 + (criterion.max_support or 0) for criterion in criteria)])


def published(name: str, data: CodeSets, sets: Sets) -> CodeSets:
    """The release with what is left of each record, every code as its own label."""
    released = without_codes(replace(data, sets=sets), ())
    if len(data.sets.items) and not len(sets.items):
        helps = ["a larger max_support", "a larger max_confidence", "fewer patterns"]
        raise Infeasible(f"{name} — every code had to be deleted", blocking=["hidden-patterns"], relaxations=helps)
    return replace(released, labels=None)


def weights(supports: Ints, least: int) -> NDArray[np.float64]:
    """How much it matters if a frequent pattern loses a record: most if that makes it rare, nothing if it is rare."""
    return np.where(supports >= least, 1.0 / np.maximum(1, supports - least + 1), 0.0)
