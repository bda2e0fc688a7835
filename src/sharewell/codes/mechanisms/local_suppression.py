"""Local suppression: codes are removed only from those records in which they would identify somebody.

## Guarantee
k^m-anonymity, privacy policies (strict or not), or several of them: every combination that the criteria name is shown
by no record or by at least k. Each code shown was in that record, and no single code left out of a record could be
shown there again.

## Adversary
That of the criteria: knows up to m codes of a target, or a combination of a privacy policy.

## What it does not protect
What the criteria do not judge. Counts: a code that is not shown may still be there, so its count in the release is a
lower bound, and the codes left in a record are no sample of those it had. Where counts must be exact, suppress globally
or generalise.

## Parameters
keep: which of two codes goes that are in equally many rare combinations of a record. "occurrences" (default): the
rarer, which leaves more of the others in the end. "codes": the more frequent, which can better spare an occurrence, so
that more different codes are left, with fewer occurrences in all.

## Worked example
401.3 is rare beside 401.2 and beside 401.4, but not by itself. Globally, it would have to go from three records. Here
two codes go, one from each of the records that can be told apart.

>>> from sharewell.codes import CodeSets, KmAnonymity
>>> data = CodeSets.of([["401.2", "401.3"], ["401.3"], ["401.3", "401.4"], ["401.2"], ["401.2"], ["401.4"], ["401.4"]])
>>> released = LocalSuppression().protect(data, must=[KmAnonymity(2, m=2)])
>>> [" ".join(sorted(released.data.names[i] for i in released.data.sets.row(r))) for r in range(7)]
['401.3', '401.3', '401.4', '401.2', '401.2', '401.4', '401.4']
>>> released.details.deleted, released.details.occurrences
(2, 9)
>>> print(KmAnonymity(2, m=2).check(released.data))
km-anonymity = 2 records (≥ 2: holds)

## Why it is safe
A rare combination cannot become frequent here, so it must go from every record that holds it. In each of these records
the code in most rare combinations goes, until none is left. Leaving a code out makes other combinations rarer, so all
are counted again, smaller ones first, until nothing is rare. Every round leaves out at least one code, so this ends, at
the latest with empty records. Then a code is shown again in a record, one code a record at a time, if each combination
that it makes there is already shown somewhere: that makes no new combination.

## Cost
O(rounds · Σ over records of C(length, m)), and for policies O(records that hold a code of a combination) for each
combination and round.

## Source
The tutorial on anonymising patient data by Gkoulalas-Divanis and Loukides says that local suppression of codes keeps
more than global suppression, without an algorithm. This one is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Declared, Infeasible, Key, Mechanism, Protected
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.local_deletion import LocalDeletion
from sharewell.codes.engine.protection.requirements import StrictestKm


@dataclass(frozen=True)
class LocalSuppressionDetails:
    """Occurrences of codes, those left out, and those put back on the way; records and codes that lost something."""

    occurrences: int
    deleted: int
    put_back: int
    rounds: int
    changed_records: int
    emptied_records: int
    codes: int
    codes_gone: int


@dataclass(frozen=True)
class LocalSuppression(Declared, Mechanism[CodeSets]):
    """Leave codes out where they betray."""

    keep: Literal["occurrences", "codes"] = "occurrences"

    engine: ClassVar[tuple[str, ...]] = ("counted", "least")

    def protect(
        self, data: CodeSets, must: Sequence[KmAnonymity | PrivacyPolicy], key: Key | None = None
    ) -> Protected[CodeSets]:
        StrictestKm.of(self, data, must)
        work = LocalDeletion(data, must, rare_first=self.keep == "occurrences")
        rounds = work.settle()
        back = work.put_back()
        released = work.published()
        if not released.names:
            helps = ["a smaller k", "a smaller m", "a mechanism that generalises"]
            raise Infeasible(f"{self.name} — no code would be left", blocking=[m.name for m in must], relaxations=helps)
        before, after = data.sets.lengths, released.sets.lengths
        details = LocalSuppressionDetails(
            len(data.sets.items),
            int(before.sum() - after.sum()),
            back,
            rounds,
            int((after < before).sum()),
            int(((after == 0) & (before > 0)).sum()),
            len(data.names),
            len(data.names) - len(released.names),
        )
        return Protected(released, details, np.arange(data.records))
