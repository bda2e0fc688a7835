"""UGACLIP: hides listed combinations by merging rare codes within utility sets, and suppresses what cannot be merged.

## Guarantee
Every combination of the privacy policy (and with `strict` every part of it) is shown by no record or by at least k.
Every label of several codes lies inside one utility set. The release is truthful: each code is a member of its label.

## Adversary
That of the privacy policy: knows a listed combination of codes of a target, or a part of it.

## What it does not protect
Combinations that the policy does not list. Choices depend on the data, as in every greedy method.

## Parameters
None. The policies are what must hold: `privacy-policy`, and `utility-policy` if codes may not be merged at will.

## Worked example
>>> from sharewell.codes import CodeSets, PrivacyPolicy, UtilityPolicy
>>> data = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> policies = [PrivacyPolicy([["296.00", "296.01", "296.02"]], k=2), UtilityPolicy([["296.00", "296.01"]])]
>>> released = UGACLIP().protect(data, must=policies)
>>> released.data.labels["296.01"], released.data.support(["296.00", "296.01", "296.02"])
('(296.00,296.01)', 2)

## Why it is safe
Combinations are taken by falling number of patients. In each, the label with the fewest patients is merged with the
label of its utility set that loses least (UL), or suppressed if there is none, until the combination is met. A merge
may let codes of another combination meet in a record, so met combinations are checked again at the end. Every step
leaves one label less, so this ends. Suppressing more codes than the utility policy allows is `Infeasible`.

If codes were suppressed, a second run first looks for what must be suppressed even with every utility set as one label,
takes codes that no study counts before others, and merges among the rest; the run that keeps more utility sets, then
more code occurrences, is published. So suppression is the last resort, and no fewer utility sets are kept than by
showing each as one label.

## Cost
At most one step a code. A step costs O(records of the rarest label · their length + codes), and O(records of the rarest
label · their length) for each combination it touches.

## Source
Loukides, Gkoulalas-Divanis and Malin, PNAS 2010 ("Anonymization of electronic medical records for validating
genome-wide association studies"). Their sketch suppresses all codes of a combination at once; here one at a time, and
only until the combination is met. The second run is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.policy_constraints import Constraints, hide_by_rarest_code
from sharewell.codes.engine.protection.unavoidable_suppression import least_lossy


@dataclass(frozen=True)
class UGACLIP(Declared, Mechanism[CodeSets]):
    """Utility-guided anonymisation of clinical profiles."""

    engine: ClassVar[tuple[str, ...]] = ("least", "allows")

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        return least_lossy(
            Constraints(self, data, must),
            lambda constraints, most: hide_by_rarest_code(constraints, "most patients", most),
            most_suppressed=len(data.names),
        )
