"""Δ-growth: reading a person's drawn value increases no belief about the true value by more than Δ.

## Guarantee
Whatever somebody believed about a person's sensitive value, and however strongly, the release raises that belief by at
most `growth`: posterior − prior ≤ Δ.

## Adversary
Reads the release, knows how values were drawn, the person's record, and everything about everybody else. Does not
have the key.

## What it does not protect
Releases that the policy does not name: each new draw about the same people may raise a belief further
(`draws-together` judges those that it names). Columns that were not drawn. The share
of people who have a value: the release is meant to let readers estimate it. No file shows that the values were really
drawn: the claim is attested.

## Parameters
growth: Δ, above 0 and below 1.
column: one sensitive column; without it, every sensitive column must be drawn.

## Worked example
With γ = 9, a true value makes a published value at most nine times as likely as another true value would. A belief of
1/4 can then become 3/4, and no belief grows by more than that.

>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import RetentionReplacement, Table
>>> people = pa.table({"age": ["40"] * 6, "code": ["a", "b", "c"] * 2})
>>> table = Table.of(people, quasi=["age"], sensitive=["code"])
>>> how = RetentionReplacement({"code": ["a", "b", "c"]})
>>> released = how.protect(table, [DeltaGrowth("1/2")], Key(b"an example key of enough bytes.."))
>>> finding = DeltaGrowth("1/2").check(released.data)
>>> print(finding, round(finding.details.largest_ratio, 6))
delta-growth = 0.5 growth of belief (≤ 0.5: holds) 9.0

## Why it is safe
Let γ be the largest ratio between the probabilities of one published value under two different true values. A prior
belief x then becomes at most γx / (1 + (γ − 1)x). The difference from x is largest at x = 1 / (1 + √γ), where it is (√γ
− 1) / (√γ + 1); it is at most Δ if and only if γ ≤ ((1 + Δ) / (1 − Δ))². The check compares γ in fractions, multiplied
over all records and drawn columns of a person. The criterion refuses values that are drawn within published groups: the
group alone may raise a belief from nearly nothing to certainty.

## Cost
O(n) for n records.

## Source
Tao, Xiao, Li and Zhang, 2008 (Δ-growth). Δ is posterior minus prior here; some texts write the difference the other way
round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from sharewell.algorithm import Criterion, Declared, ExactChance, Finding
from sharewell.randomised import growth, ratio_for_growth
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.drawn_columns import GROUPS, stated_ratios


@dataclass(frozen=True)
class DeltaGrowth(Declared, Criterion[Table]):
    """Posterior minus prior is at most Δ for every prior."""

    growth: ExactChance
    column: str | None = None

    bounded_by: ClassVar[str] = "growth"
    draws_unseen: ClassVar[bool] = True

    def largest_ratio(self, share: Fraction) -> Fraction:
        """How truthful draws may be; 1, not at all, where the published group alone tells something."""
        return ratio_for_growth(self.growth) if share == 1 else Fraction(1)

    def check(self, data: Table) -> Finding:
        ratios, profile, problem = stated_ratios(data, self.column)
        if profile is not None and profile.groups > 1:
            ratios, problem = [], GROUPS
        value = growth(max(one.ratio for one in ratios)) if ratios else None
        result = self.finding(value, column=self.column, unit="growth of belief", details=profile, note=problem)
        if not ratios:
            return result
        return replace(result, ok=all(one.ratio <= ratio_for_growth(self.growth) for one in ratios))
