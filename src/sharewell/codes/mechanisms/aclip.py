"""ACLIP: hides listed combinations by merging rare codes with any others, even if that harms a study.

## Guarantee
Every combination of the privacy policy (and with `strict` every part of it) is shown by no record or by at least k. The
release is truthful: each code is a member of its label.

## Adversary
That of the privacy policy: knows a listed combination of codes of a target, or a part of it.

## What it does not protect
Combinations that the policy does not list. The use of the data: codes of different diseases may become one label. It is
here for comparison, and for releases in which nobody will count cases.

## Worked example
>>> from sharewell.codes import CodeSets, PrivacyPolicy
>>> data = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]])
>>> pairs = PrivacyPolicy([["401.2", "401.3"], ["401.3", "401.4"]], k=2)
>>> released = ACLIP().protect(data, must=[pairs])
>>> released.data.labels["401.2"], released.data.support(["401.2", "401.3"])
('(401.2,401.4)', 2)

No original record has both 401.2 and 401.4; in the release their support is 2 as well. That is how labels are read:
whoever knows that somebody has both finds two records that do not contradict it.

## Why it is safe
It is UGACLIP with all codes as one utility set; a code is suppressed only if there is no other label left.

## Cost
As UGACLIP; the partner of each merge is sought among all labels.

## Source
The method that Loukides, Gkoulalas-Divanis and Malin, PNAS 2010, compare theirs with: theirs without a utility policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, PolicyError, Protected
from sharewell.codes.criteria.utility_policy import UtilityPolicy
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.policy_constraints import Constraints, hide_by_rarest_code


@dataclass(frozen=True)
class ACLIP(Declared, Mechanism[CodeSets]):
    """UGACLIP without a utility policy."""

    engine: ClassVar[str] = "least"
    refuses: ClassVar[tuple[str, ...]] = ("utility-policy",)

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        if any(isinstance(criterion, UtilityPolicy) for criterion in must):
            raise PolicyError("aclip — knows no utility policy — use ugaclip, or leave the utility-policy out")
        constraints = Constraints(self, data, must)
        hide_by_rarest_code(constraints, "most patients", most_suppressed=len(data.names))
        constraints.refuse_failure()
        return constraints.published()
