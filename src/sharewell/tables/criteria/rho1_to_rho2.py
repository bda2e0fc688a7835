"""ρ₁-to-ρ₂ privacy: nobody who thought a value unlikely finds it likely after reading a person's drawn value.

## Guarantee
Whoever believed with probability at most `prior` that a person's sensitive value has some property (is HIV, is any
cancer) believes it with at most `posterior` after the release, whatever the property is and whatever else they know.
The reverse holds too: what was believed with more than `posterior` does not fall below `prior`.

## Adversary
Reads the release, knows how values were drawn, the person's record, and everything about everybody else. Does not
have the key.

## What it does not protect
Beliefs that were already above `prior`. Columns that were not drawn: readers may first update their beliefs from them.
The share of people who have a value: the release is meant to let readers estimate it. Where values are drawn within
groups, the true group is published, and the criterion bounds only beliefs that follow the shares in the release itself:
a belief of `prior` over all records can be prior / (share of the group) within the group. No file shows that the values
were really drawn: the claim is attested.

## Parameters
prior: ρ₁, what was believed before at most.
posterior: ρ₂, what may be believed afterwards; above `prior`.
column: one sensitive column; without it, every sensitive column must be drawn.

## Worked example
Of ten possible values, the true one is published with probability 1/2 and each other one with 1/18: γ = 9.

>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import RetentionReplacement, Table
>>> people = pa.table({"age": ["40"] * 50, "code": [str(i % 10) for i in range(50)]})
>>> table = Table.of(people, quasi=["age"], sensitive=["code"])
>>> how = RetentionReplacement({"code": [str(i) for i in range(10)]})
>>> released = how.protect(table, [Rho1ToRho2("1/10", "1/2")], Key(b"an example key of enough bytes.."))
>>> print(Rho1ToRho2("1/10", "1/2").check(released.data))
rho1-to-rho2 = 0.5 posterior belief (≤ 0.5: holds)
>>> Rho1ToRho2("1/10", "1/2").check(table).failed
True

## Why it is safe
Let γ be the largest ratio between the probabilities of one published value under two different true values. Bayes' rule
gives a posterior of at most γρ₁ / (γρ₁ + 1 − ρ₁). The check recomputes γ in exact fractions from what the dictionary
states and multiplies it over all records and drawn columns of a person. It fails if a cell shows a value that was not
declared, or if somebody has more records than stated.

## Cost
O(n) for n records.

## Source
Evfimievski, Gehrke and Srikant, 2003 (γ amplification); Chaytor and Wang, 2010 (small domains). The bound within groups
is our own and more careful than theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sharewell.algorithm import Criterion, Declared, ExactChance, Finding
from sharewell.randomised import posterior, ratio_for
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.drawn_columns import stated_ratios


@dataclass(frozen=True)
class Rho1ToRho2(Declared, Criterion[Table]):
    """No belief of at most the prior grows above the posterior."""

    prior: ExactChance
    posterior: ExactChance
    column: str | None = None

    bounded_by: ClassVar[str] = "posterior"
    draws_unseen: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.posterior <= self.prior:
            raise ValueError("posterior — must be above prior")

    def largest_ratio(self, share: Fraction) -> Fraction:
        """How truthful draws may be, where this share of the records is in the published group; 1: not at all."""
        prior = self.prior / share
        return Fraction(1) if prior >= self.posterior else ratio_for(prior, self.posterior)

    def check(self, data: Table) -> Finding:
        ratios, profile, problem = stated_ratios(data, self.column)
        beliefs = [posterior(one.ratio, min(Fraction(1), self.prior / one.share)) for one in ratios]
        value = max(beliefs, default=None)
        return self.finding(value, column=self.column, unit="posterior belief", details=profile, note=problem)
