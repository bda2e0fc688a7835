"""PCTA: hides listed combinations by clustering codes, the rarest combinations first.

## Guarantee
Every combination of the privacy policy (and with `strict` every part of it) is shown by no record or by at least k.
With a utility policy, every label of several codes lies inside one of its sets, and no more codes are suppressed than
it allows; or `Infeasible` is raised with the combinations that could not be hidden. The release is truthful: each code
is a member of its label.

## Adversary
That of the privacy policy: knows a listed combination of codes of a target, or a part of it.

## What it does not protect
Combinations that the policy does not list.

## Parameters
None. Without a utility policy any codes may be clustered, and none is suppressed as long as two labels are left.

## Worked example
Ten patients; an attacker may know that somebody has a, b and c, or d, e, f, g and h.

>>> from sharewell.codes import CodeSets, PrivacyPolicy
>>> rows = ["abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh"]
>>> data = CodeSets.of([list(row) for row in rows])
>>> released = PCTA().protect(data, must=[PrivacyPolicy([list("abc"), list("defgh")], k=5)])
>>> sorted(set(released.data.labels.values()))
['(a,c,e)', '(b,d,g,h)', 'f']
>>> released.data.support("abc"), released.data.support("defgh")
(6, 5)

## Why it is safe
Each code begins as a cluster of its own. Combinations are taken by rising number of patients; in each, the cluster with
the fewest patients is merged with the cluster that loses least (UL), until the combination is met. Merging may let
codes of another combination meet in a record, so met combinations are checked again at the end. Where a utility set is
exhausted, its cluster is suppressed within the budget, as in COAT.

If codes were suppressed, a second run first looks for what must be suppressed even with every utility set as one label,
takes codes that no study counts before others, and merges among the rest; the run that keeps more utility sets, then
more code occurrences, is published. So suppression is the last resort, and no fewer utility sets are kept than by
showing each as one label.

## Cost
As UGACLIP; the partner of each merge is sought among all labels.

## Source
Gkoulalas-Divanis and Loukides, PAIS 2011 ("PCTA: privacy-constrained clustering-based transaction data anonymization");
with a utility policy, their second algorithm in Transactions on Data Privacy 2012. What happens when a utility set is
exhausted is ours. The second run is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.policy_constraints import Constraints, hide_by_rarest_code
from sharewell.codes.engine.protection.unavoidable_suppression import least_lossy


@dataclass(frozen=True)
class PCTA(Declared, Mechanism[CodeSets]):
    """Privacy-constrained clustering-based transaction anonymisation."""

    engine: ClassVar[tuple[str, ...]] = ("least", "allows")

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        return least_lossy(
            Constraints(self, data, must),
            lambda constraints, most: hide_by_rarest_code(
                constraints, "fewest patients", min(most, constraints.allowed)
            ),
            most_suppressed=len(data.names),
        )
