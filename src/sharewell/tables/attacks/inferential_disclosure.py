"""Inferential disclosure: rules derived from the release infer sensitive values from other published columns.

## Guarantee
None; a measurement. The value is the share of persons whose sensitive value a rule infers correctly; without the truth,
the share to be expected from the confidence of the rules.

## Adversary
Mines the release for rules such as *9 in 10 of those who take insulin have diabetes*. Knows some published columns of a
target that the policy assumes to be unknown: kept columns, and sensitive ones other than the one wanted. Needs no class
and no quasi value. Applies the surest rule that fits the target; where none fits, guesses the most frequent value of
all.

## What it does not protect
Rules are counted in the data to which they are applied, and so look a little surer than they are elsewhere; `support`
excludes rules about few people. A classifier that weighs many columns infers more (see classifier-inference). Data is
often published precisely because a rule holds in the population: the finding shows how much the rule says about
persons. To hide a rule itself, see hidden-patterns for codes.

## Parameters
column: one sensitive column; without it every one is attacked, and the finding is about the worst.
confidence: of the persons to whom a rule applies, the least share who have the value that it infers.
support: the least share of all persons to whom a rule applies; never fewer than two persons.
size: how many columns a rule may be about.
quasi: may rules also be about published quasi cells? False by default.
combinations: how many combinations of columns are examined, at most.

## Worked example
Ten people in one class, four of them with diabetes. Everybody who takes insulin (a kept column) has diabetes: the rule
is certain about four people, where the class gives a probability of 4/10. A weaker rule, that two in three of the
others have the flu, counts only if the required confidence is lower.

>>> import numpy as np, pyarrow as pa
>>> from sharewell.protocols import Truth
>>> from sharewell.tables import Table
>>> ill = ["diabetes"] * 4 + ["flu"] * 4 + ["gout"] * 2
>>> rows = pa.table({"age": ["[40-49]"] * 10, "drug": ["insulin"] * 4 + ["none"] * 6, "ill": ill})
>>> table = Table.of(rows, quasi=["age"], sensitive=["ill"], keep=["drug"], published=True)
>>> result = InferentialDisclosure().mount(table, Truth(table, np.arange(10)))
>>> result.value, result.details.rules, result.details.covered, round(result.details.surer, 2), result.details.columns
(0.4, 1, 0.4, 0.6, ('drug',))
>>> result = InferentialDisclosure(confidence=0.6).mount(table, Truth(table, np.arange(10)))
>>> result.value, result.details.rules, result.details.surest
(0.8, 2, 1.0)

## Why it is safe
The attack reads what is published, and the finding holds numbers and names of columns only. Each person counts once,
for the rule and for what it infers, however many records they have. If several rules fit a person, the surest counts,
then the one that fits most people. A guess is right if one of the person's records has the value. Numbers with many
values enter as ranges. A missing value is never inferred, and infers nothing. A rule must say more than the base rate.

## Cost
O(n log n) for each combination of columns examined; their number is bounded.

## Source
Das and Zhang, 2009, and Gkoulalas-Divanis and Loukides, 2011 (knowledge patterns inferred by data mining); association
rules as in Agrawal, Imieliński and Swami, 1993.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import comb
from typing import Annotated

import numpy as np
from annotated_types import Interval

from sharewell.algorithm import Attack, Count, DataError, Declared, Finding, Role, Share, Truth
from sharewell.attack_simulation import NOT_SIMULATED, SEED, TARGETS, Simulated
from sharewell.spelling import fold
from sharewell.tables.data import Bools, Column, Floats, Indices, Ints, Table, encode
from sharewell.tables.engine.attackers.attacked_columns import most_frequent, mount_on_columns
from sharewell.tables.engine.attackers.simulation import distinct_persons, person_of
from sharewell.tables.engine.classes import Classes, group, known_codes
from sharewell.tables.engine.original_rules import AntecedentLabels, BaseCounts

_CELLS = 30_000_000
"""Rows times combinations that are looked at."""
_FEWEST = 2
"""A rule about one person is that person."""


@dataclass(frozen=True)
class InferentialDetails:
    right: Simulated | None
    baseline: float
    """The share of the persons who have the most frequent value of the whole release."""
    rules: int
    covered: float
    """The share of the persons to whom a rule applies."""
    surer: float
    """By how much rules raise the probability of what they infer above the base rate, on average over these persons."""
    surest: float
    """The highest confidence of a rule; 0 without any."""
    columns: tuple[str, ...]
    """What the surest rule is about, the one that applies to most persons of equal ones."""
    combinations: int
    possible: int
    """Combinations of columns looked at, and how many there are."""


@dataclass(frozen=True, eq=False)
class _Inferred:
    """For each published row the surest rule that applies: its value, confidence, and how many persons it fits."""

    value: Ints
    confidence: Floats
    support: Ints
    rules: int = 0
    columns: tuple[str, ...] = ()

    @classmethod
    def nothing(cls, rows: int) -> _Inferred:
        return cls(np.full(rows, -1, np.int64), np.zeros(rows), np.zeros(rows, np.int64))


@dataclass(frozen=True)
class InferentialDisclosure(Declared, Attack[Table]):
    """Association rules from published columns to a sensitive value, and how many persons they give away."""

    column: str | None = None
    confidence: Annotated[float, Interval(gt=0, le=1)] = 0.8
    support: Share = 0.01
    size: Annotated[int, Interval(ge=1, le=3)] = 2
    quasi: bool = False
    combinations: Count = 300

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        return mount_on_columns(
            self.name, released, self.column, lambda column: self._one(released, column, truth), _by_value_and_surest
        )

    def _one(self, released: Table, sensitive: Column, truth: Truth[Table] | None) -> Finding:
        shown = np.flatnonzero(~released.suppressed)
        everybody = released.as_classes(shown, np.array([0, len(shown)]))
        _, baseline = most_frequent(everybody, sensitive)
        counts = BaseCounts.of(everybody, sensitive)
        base = np.minimum(1.0, counts.having / counts.persons)
        known = list(self._known(released, sensitive))
        most = min(self.combinations, max(1, _CELLS // len(shown)))
        every = (one for k in range(1, self.size + 1) for one in combinations(range(len(known)), k))
        chosen = list(islice(every, most))
        possible = sum(comb(len(known), k) for k in range(1, self.size + 1))
        inferred = self._infer(everybody, sensitive, known, chosen, base)
        persons = everybody.owners()[0] if truth is None else distinct_persons(person_of(truth)[shown]).astype(np.int64)
        best = _surest_of_person(inferred, shown, persons)
        value, sure = inferred.value[best], inferred.confidence[best]
        fits = value >= 0
        right = None if truth is None else _right(truth, sensitive, shown, persons, best, value)
        details = InferentialDetails(
            None if right is None else _simulated(right, sure),
            float(baseline[0]),
            inferred.rules,
            _mean(fits),
            _mean((sure - base[value])[fits]),
            float(sure.max(initial=0.0)),
            inferred.columns,
            len(chosen),
            possible,
        )
        share = _mean(sure) if details.right is None else details.right.share
        notes = [NOT_SIMULATED] if truth is None else []
        notes += [] if known else ["no kept and no further sensitive column"]
        notes += [f"{len(chosen)} of {possible} combinations examined"] if len(chosen) < possible else []
        return Finding(self.name, share, column=sensitive.name, unit="share", details=details, note="; ".join(notes))

    def _known(self, released: Table, wanted: Column) -> Iterator[tuple[str, Ints]]:
        """(column, the label of each row) of what the attacker knows; −1 where it has none."""
        for name in sorted(released.schema.having(Role.KEEP, Role.SENSITIVE)):
            if name == wanted.name:
                continue
            try:
                column = released.columns.get(name) or encode(name, Role.QUASI, released.carried[name])
            except DataError:  # a column of lists infers nothing
                continue
            yield name, AntecedentLabels.of(column).read(column)[column.codes]
        for column in released.quasi if self.quasi else ():
            yield column.name, known_codes(column).astype(np.int64)

    def _infer(
        self,
        everybody: Classes,
        sensitive: Column,
        known: Sequence[tuple[str, Ints]],
        chosen: Sequence[tuple[int, ...]],
        base: Floats,
    ) -> _Inferred:
        inferred = _Inferred.nothing(len(sensitive.codes))
        persons = max(1, int(everybody.persons[0]))
        for which in chosen:
            labels = [known[i][1] for i in which]
            some = everybody.order[np.logical_and.reduce([one[everybody.order] >= 0 for one in labels])]
            order, starts = group([one[some] for one in labels], len(some))
            groups = Classes(some[order], starts, everybody.columns, everybody.subject)
            if groups.count:
                names = tuple(known[i][0] for i in which)
                inferred = self._with(inferred, groups, sensitive, base, persons, names)
        return inferred

    def _with(
        self,
        inferred: _Inferred,
        groups: Classes,
        sensitive: Column,
        base: Floats,
        persons: int,
        names: tuple[str, ...],
    ) -> _Inferred:
        """These rules, and those about one more combination of columns."""
        owner, value, count = groups.counts(sensitive)
        fit = np.maximum(1, groups.persons[owner])
        sure = np.minimum(1.0, count / fit)
        rule = (sure >= self.confidence) & (sure > base[value] + 1e-12)
        rule &= (fit >= _FEWEST) & (fit >= self.support * persons) & (value < sensitive.known)
        owner, value, sure, fit = owner[rule], value[rule], sure[rule], fit[rule]
        if not len(owner):
            return inferred
        order = np.lexsort((-value, sure, owner))  # of each group, the surest value comes last
        last = order[np.append(owner[order][1:] != owner[order][:-1], True)]
        top = np.full(groups.count, -1, dtype=np.int64)
        top[owner[last]] = last
        at = top[groups.class_of]
        rows, at = groups.order[at >= 0], at[at >= 0]
        before_sure, before_fit = inferred.confidence[rows], inferred.support[rows]
        better = (sure[at] > before_sure) | ((sure[at] == before_sure) & (fit[at] > before_fit))
        strongest = max(zip(sure.tolist(), fit.tolist(), strict=True))
        before = int(np.lexsort((inferred.support, inferred.confidence))[-1])
        more = strongest > (float(inferred.confidence[before]), int(inferred.support[before]))
        columns = names if more else inferred.columns
        rows, at = rows[better], at[better]
        result = replace(inferred, rules=inferred.rules + len(owner), columns=columns)
        result.value[rows], result.confidence[rows], result.support[rows] = value[at], sure[at], fit[at]
        return result


def _mean(numbers: Floats | Bools) -> float:
    return round(float(numbers.mean()), 9) if len(numbers) else 0.0


def _by_value_and_surest(finding: Finding) -> tuple[float, float]:
    return float(finding.value or 0), float(finding.details.surest)


def _surest_of_person(inferred: _Inferred, shown: Indices, persons: Ints) -> Indices:
    """The row of each person to which the surest rule applies."""
    order = np.lexsort((-inferred.value[shown], inferred.support[shown], inferred.confidence[shown], persons))
    last = np.append(np.diff(persons[order]) > 0, True)[: len(order)]
    return np.asarray(shown[order[last]])


def _right(truth: Truth[Table], sensitive: Column, shown: Indices, persons: Ints, best: Indices, guess: Ints) -> Bools:
    """Has one of the person's records truly the value that is guessed? Nothing is guessed where it is −1."""
    true = truth.original.columns[sensitive.name]
    place = {fold(text): code for code, text in enumerate(true.texts) if text}
    number = np.array([place.get(fold(text), -1) if text else -1 for text in sensitive.texts], dtype=np.int64)
    person_at = np.zeros(int(shown.max(initial=0)) + 1, dtype=np.int64)
    person_at[shown] = persons
    held = persons * max(1, true.size) + true.codes[truth.rows[shown]]
    wanted = np.where(guess >= 0, number[guess], -1)
    return np.isin(person_at[best] * max(1, true.size) + wanted, held) & (wanted >= 0)


def _simulated(right: Bools, credence: Floats) -> Simulated | None:
    drawn = np.random.default_rng(SEED).permutation(len(right))[:TARGETS]
    return Simulated.of(right[drawn], credence[drawn])
