"""Privacy policy: each combination of codes that an attacker may know is hidden among at least k records.

## Guarantee
Whoever knows a listed combination finds the person with a probability of at most 1/k: its published support is at least
k, or 0. With `strict` (the default) the same holds for every part of it, so that a combination that disappears leaves
no smaller one behind that identifies.

## Adversary
Knows one listed combination of codes of a target (with `strict`: or a part of it).

## What it does not protect
Combinations that are not listed.

## Parameters
itemsets: the combinations, as lists of codes.
k: the least number of records.
strict: also judge every part of each combination (default). Without it, only the combinations themselves.
file: instead of `itemsets`, a file with one combination a line, its codes separated by spaces, `;` or `,`.
origin: where the combinations come from; `PrivacyPolicy.extract` writes it.

## Worked example
>>> from sharewell.codes import CodeSets
>>> rows = [["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]]
>>> policy = PrivacyPolicy([["296.00", "296.01", "296.02"]], k=2)
>>> print(policy.check(CodeSets.of(rows)))
privacy-policy = 1 records (≥ 2: FAILS)
>>> shown = [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
>>> print(policy.check(CodeSets.of(shown, published=True)))
privacy-policy = 2 records (≥ 2: holds)

## Why it is safe
Support is counted anew from the published records. What a record holds of a combination is its largest part there, and
every smaller part is at least as frequent; so it is enough to count, for each record, what it holds of the combination.

## Cost
For each combination O(records that hold one of its codes), and for each part of it that occurs the records of its
rarest code.

## Source
Loukides, Gkoulalas-Divanis and Malin, PNAS 2010. Their definition does not mention parts: suppressing one code of a
combination may leave a smaller one that identifies, which `strict` forbids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from sharewell.algorithm import Criterion, DataError, Finding, Sense
from sharewell.codes.data import Atoms, CodeSets
from sharewell.codes.engine.combinations import from_named_file, listed
from sharewell.codes.engine.packed_sets import numbering
from sharewell.io.sources import Source
from sharewell.parameters import As, Count, Declared


@dataclass(frozen=True)
class PolicyDetails:
    """How many combinations are listed, how many fail, how many do not occur in the release."""

    listed: int
    failing: int
    absent: int


@dataclass(frozen=True)
class PrivacyPolicy(Declared, Criterion[CodeSets]):
    """Every listed combination is in no record or in at least k."""

    itemsets: Annotated[Sequence[Sequence[str]], As(from_named_file)] = ()
    k: Count = 0
    strict: bool = True
    file: Source | None = None
    origin: str = ""

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "itemsets", listed(self.itemsets if self.file is None else self.file, "itemsets"))
        if not self.itemsets:
            raise ValueError("itemsets must hold a combination of codes")

    @classmethod
    def extract(
        cls, population: CodeSets, k: int, mode: Literal["all", "visit", "m"] = "all", m: int = 2, strict: bool = True
    ) -> PrivacyPolicy:
        """What identifies in a population: combinations that somebody has and fewer than k people have.

        mode: what an attacker may know of a person: "all" codes, those of one "visit", or any "m" of them. Only the
        largest combinations are listed; with `strict` their parts are protected with them. A population in which
        nobody can be found gives nothing to protect, and so an error.
        """
        from sharewell.codes.engine.policy_lists import identifying

        known = {"all": "all codes", "visit": "the codes of one visit", "m": f"any {m} codes"}.get(mode, mode)
        itemsets = identifying(population, k, mode, m)
        if not itemsets:
            raise DataError(f"privacy-policy — nobody is found by {known} among fewer than {k} — nothing to protect")
        return cls(itemsets, k, strict, origin=f"extracted from {population.records} records: {known} of a person")

    def least(self, data: CodeSets) -> list[int]:
        """For each combination the smallest support above 0, of itself or (strict) of a part; 0 if there is none."""
        atoms = data.atoms
        if not self.strict:
            return [len(atoms.holding(codes)) for codes in self.itemsets]
        return [_least_part(atoms, codes) for codes in self.itemsets]

    def check(self, data: CodeSets) -> Finding:
        """The smallest support of all; if nothing listed occurs, all records stand for it."""
        supports = self.least(data)
        occurring = [support for support in supports if support]
        value = min(occurring, default=data.records or None)
        details = PolicyDetails(len(supports), sum(s < self.k for s in occurring), supports.count(0))
        if not occurring and value is not None:
            value = max(value, self.k)  # nothing that is listed is published: the bound is met, whatever the size
        return self.finding(value, unit="records", details=details, note=self.origin)


def _least_part(atoms: Atoms, codes: Sequence[str]) -> int:
    """The smallest support of what a record holds of the combination."""
    known = [code for code in codes if code in atoms.of_code]
    if not known:
        return 0
    if support := len(atoms.holding(known)):
        return support  # no part of it is rarer
    wanted = sorted({atoms.of_code[code] for code in known})
    rows = np.unique(np.concatenate([atoms.holding([code]) for code in known]))
    parts = atoms.sets.take(rows).renumbered(numbering(wanted, atoms.count))
    number, counts = parts.equal()
    example, by_code = np.unique(number, return_index=True)[1], parts.transposed(len(wanted))
    least = len(rows)
    for part in np.argsort(counts, kind="stable"):
        if counts[part] >= least:  # those that hold more are counted too, so no part left is rarer
            break
        least = min(least, len(parts.holding(parts.row(int(example[part])).tolist(), by_code)))
    return least
