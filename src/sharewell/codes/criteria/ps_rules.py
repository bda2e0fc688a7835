"""PS-rules: anybody who knows a rule's public codes finds at least k records, few of which have its sensitive codes.

## Guarantee
For every rule "public codes p → sensitive codes s": the published records that may hold all of p are none or at least
k, and at most the share c of them may hold all of s as well.

## Adversary
Knows the public codes of one rule of a target, and that the target is in the data. Wants to know whether the target has
all sensitive codes of that rule.

## What it does not protect
What no rule says: other combinations, and parts of p, which find more records but may have a larger share. A rule with
several sensitive codes is about having all of them; list a rule for each if one alone is too much.

## Parameters
rules: the rules, each as two lists of codes: what is known, and what must not be inferred.
k: the least number of records; or a list, one number for each rule.
c: the largest share of them; or a list, one share for each rule.
file: instead of `rules`, a file with one rule a line: `401.2 250.0 > 295`. A line may end with its own `k=5` and
`c=0.2`, which override the others.

## Worked example
Who is known to have 401.2 is one of two patients, and one of them has schizophrenia (295).

>>> from sharewell.codes import CodeSets
>>> rules = PSRules([[["401.2"], ["295"]]], k=2, c=0.5)
>>> print(rules.check(CodeSets.of([["401.0"], ["401.2", "295"], ["401.3"], ["401.4"]])))
ps-rules = 1 rules (≤ 0: FAILS)
>>> shown = CodeSets.of([["401.0"], ["(401.2,401.4)", "295"], ["401.3"], ["(401.2,401.4)"]], published=True)
>>> result = rules.check(shown)
>>> print(result, result.details.smallest, result.details.confidence)
ps-rules = 0 rules (≤ 0: holds) 2 1/2

A rule for every combination of at most p public codes and every private code is (h,k,p)-coherence.

## Why it is safe
Both supports are counted anew from the published records: those in which every code lies in some label. Shares are
compared as whole numbers. A rule whose public codes no record shows is protected, since it finds nobody.

## Cost
For each rule, the records that hold the rarest of its codes, times the logarithm of the others' supports.

## Source
Loukides, Gkoulalas-Divanis and Shao, DEXA 2010, and Knowledge and Information Systems 2013. The tutorial's example
cd → hi with k = 5 and c = 0.2 is true of h and i together (one of five records); h or i is in two of the five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from sharewell.algorithm import Criterion, DataError, Declared, Finding, Sense
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.combinations import from_file, listed
from sharewell.io.sources import Source

_SHOWN = 20
"""How many rules a finding names."""


@dataclass(frozen=True)
class Rule:
    """What is known, what must not be inferred, and the two limits."""

    known: tuple[str, ...]
    inferred: tuple[str, ...]
    k: int
    c: Fraction

    def protected(self, support: int, both: int) -> bool:
        """Given the records that show what is known, and those that show what is inferred too."""
        return support == 0 or (support >= self.k and both * self.c.denominator <= self.c.numerator * support)


@dataclass(frozen=True)
class RuleDetails:
    """How many rules there are, how many find nobody; the fewest records and the largest share of the others."""

    rules: int
    absent: int
    smallest: int | None
    confidence: Fraction | None
    failing: tuple[int, ...]
    """The first rules that fail, by their place in the policy."""


@dataclass(frozen=True)
class PSRules(Declared, Criterion[CodeSets]):
    """Every rule is protected."""

    rules: Sequence[Sequence[Sequence[str]]] = ()
    k: int | Sequence[int] = 0
    c: Fraction | Sequence[float | str] = Fraction(1)
    file: Source | None = None

    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.file is None and not self.rules:
            raise ValueError("rules must list pairs of what is known and what must not be inferred")
        rows = [(*_pair(rule), None, None) for rule in self.rules] if self.file is None else _lines(self.file)
        k = [row[2] or limit for limit, row in zip(_spread(self.k, len(rows), "k"), rows, strict=True)]
        c = [
            _share("c", limit) if row[3] is None else row[3]
            for limit, row in zip(_spread(self.c, len(rows), "c"), rows, strict=True)
        ]
        if min(k) < 1:
            raise ValueError("k must be 1 or more")
        object.__setattr__(self, "rules", tuple((known, inferred) for known, inferred, _, _ in rows))
        object.__setattr__(self, "k", tuple(k) if len(set(k)) > 1 else k[0])
        object.__setattr__(self, "c", tuple(c) if len(set(c)) > 1 else c[0])

    @property
    def relaxes(self) -> str | None:
        """One share for all rules can give way; shares of their own cannot."""
        return "c" if isinstance(self.c, Fraction) else None

    @cached_property
    def each(self) -> tuple[Rule, ...]:
        """The rules with their limits."""
        limits = zip(_spread(self.k, len(self.rules), "k"), _spread(self.c, len(self.rules), "c"), strict=True)
        return tuple(
            Rule(tuple(known), tuple(inferred), k, c)
            for (known, inferred), (k, c) in zip(self.rules, limits, strict=True)
        )

    def rule_supports(self, data: CodeSets) -> list[tuple[int, int]]:
        """For each rule the records that show what is known, and those that show what is inferred too."""
        atoms = data.atoms
        return [
            (len(atoms.holding(rule.known)), len(atoms.holding((*rule.known, *rule.inferred)))) for rule in self.each
        ]

    def check(self, data: CodeSets) -> Finding:
        if not data.records:
            return self.finding(None, unit="rules", note="there is no record")
        supports = self.rule_supports(data)
        judged = zip(self.each, supports, strict=True)
        failing = [i for i, (rule, counts) in enumerate(judged, start=1) if not rule.protected(*counts)]
        occurring = [(support, both) for support, both in supports if support]
        details = RuleDetails(
            len(supports),
            len(supports) - len(occurring),
            min((support for support, _ in occurring), default=None),
            max((Fraction(both, support) for support, both in occurring), default=None),
            tuple(failing[:_SHOWN]),
        )
        return self.finding(len(failing), unit="rules", details=details)


def _share(name: str, value: object) -> Fraction:
    """A share as a fraction: 0.2 is 1/5, and "1/11" is itself.

    >>> _share("c", 0.2), _share("c", "1/11")
    (Fraction(1, 5), Fraction(1, 11))
    """
    try:
        fraction = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a number or a fraction such as 1/11") from None
    if not 0 <= fraction <= 1:
        raise ValueError(f"{name} is a share: 0 or more, at most 1")
    return fraction


def _pair(rule: str | Sequence[Sequence[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both sides of a rule, as they are given."""
    if isinstance(rule, str) or len(rule) != 2:
        raise ValueError("rules must be pairs of what is known and what must not be inferred")
    known, inferred = (listed([side], "rules")[0] for side in rule)
    if set(known) & set(inferred):
        raise ValueError("rules must not infer what is known")
    return known, inferred


def _spread(limit: object, number: int, name: str) -> Sequence[Any]:
    """One limit for each rule."""
    limits = limit if isinstance(limit, list | tuple) else (limit,) * number
    if len(limits) != number:
        raise ValueError(f"{name} must be one number, or one for each rule")
    return limits


def _lines(file: Source) -> list[tuple[tuple[str, ...], tuple[str, ...], int | None, Fraction | None]]:
    """Rules from a file. A message names the rule by its number."""
    rows = []
    for number, pieces in enumerate(from_file(file), start=1):
        limits = {piece[:2]: piece[2:] for piece in pieces if piece[:2] in ("k=", "c=")}
        text = " ".join(piece for piece in pieces if piece[:2] not in limits)
        try:
            known, inferred = _pair([side.split() for side in text.split(">")])
            k = int(limits["k="]) if "k=" in limits else None
            if k is not None and k < 1:
                raise ValueError
            rows.append((known, inferred, k, _share("c", limits["c="]) if "c=" in limits else None))
        except ValueError:
            raise DataError(
                f"ps-rules — rule {number} of the file is not of the form `known > inferred k=5 c=0.2`"
            ) from None
    return rows
