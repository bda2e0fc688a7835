"""COAT: hides listed combinations by merging codes within utility sets, and suppresses within a budget only.

## Guarantee
Every combination of the privacy policy (and with `strict` every part of it) is shown by no record or by at least k.
Every label of several codes lies inside one utility set, and no more codes are suppressed than the utility policy and
`max_suppressed` allow; or `Infeasible` is raised with the combinations that could not be hidden. The release is
truthful: each code is a member of its label.

## Adversary
That of the privacy policy: knows a listed combination of codes of a target, or a part of it.

## What it does not protect
Combinations that the policy does not list.

## Parameters
max_suppressed: the largest share of the codes that may be suppressed, if it is to be less than the utility policy's.

## Worked example
296.02 may be merged with nothing, and nothing may be suppressed; merging the other two is enough here.

>>> from sharewell.codes import CodeSets, PrivacyPolicy, UtilityPolicy
>>> data = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> private = PrivacyPolicy([["296.00", "296.01", "296.02"]], k=2)
>>> useful = UtilityPolicy([["296.00", "296.01"]], max_suppressed=0)
>>> COAT().protect(data, must=[private, useful]).data.labels["296.00"]
'(296.00,296.01)'
>>> COAT().protect(data, must=[private, UtilityPolicy([], max_suppressed=0)])
Traceback (most recent call last):
sharewell.errors.Infeasible: coat — 1 of 1 combinations cannot be hidden within the utility policy
  blocked by: combinations (by their place in the policy): 1
  would help: wider utility sets
  would help: a larger max_suppressed
  would help: a smaller k

## Why it is safe
As UGACLIP: combinations by falling number of patients; in each, the label with the fewest patients is merged with the
label of its utility set that loses least, or suppressed while the budget lasts. Then the other labels of the
combination are merged; if that is impossible too, the combination is put aside, since work on others may still hide it.
In the end all are checked again, and any that fails is named by its place in the policy.

If codes were suppressed, a second run first looks for what must be suppressed even with every utility set as one label,
takes codes that no study counts before others, and merges among the rest; the run that keeps more utility sets, then
more code occurrences, is published. So suppression is the last resort, and no fewer utility sets are kept than by
showing each as one label.

## Cost
As UGACLIP.

## Source
Loukides, Gkoulalas-Divanis and Malin, Knowledge and Information Systems 2011 ("COAT: constraint-based anonymization of
transactions"). Trying the other labels before a combination is given up is ours. The second run is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected, Share
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.policy_constraints import Constraints, hide_by_rarest_code
from sharewell.codes.engine.protection.unavoidable_suppression import least_lossy
from sharewell.exact_shares import part_of


@dataclass(frozen=True)
class COAT(Declared, Mechanism[CodeSets]):
    """Constraint-based anonymisation of transactions."""

    max_suppressed: Share = 1.0

    engine: ClassVar[tuple[str, ...]] = ("least", "allows")

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        budget = part_of(self.max_suppressed, len(data.names))
        return least_lossy(
            Constraints(self, data, must),
            lambda constraints, most: hide_by_rarest_code(constraints, "most patients", min(most, constraints.allowed)),
            most_suppressed=budget,
        )
