"""Background knowledge: values that a person cannot have leave fewer to guess from ("men have no ovarian cancer").

## Guarantee
None; a measurement. The value is the largest probability that an attacker who uses negative rules can give to a
sensitive value of somebody in a class.

## Adversary
Knows the quasi values of a target and that the target is in the data. Rules out values by negative rules, each about
one quasi column: rules given from outside, rules read off other records with true values, and rules read off the
release itself. A cell and a value that never meet in the release make a rule if so many persons would have both, were
the two independent, that chance hardly explains it. Then guesses the most frequent of the values that are left.

## What it does not protect
An attacker who knows the quasi values of everybody in the class can also rule out what others must have, and does
better. Rules about two columns together, and positive rules (who smokes often has it), are not used.

## Parameters
rules: known from outside, such as `{when: {sex: male}, never: [ovarian cancer]}`.
known: a file or frame with true values of quasi and sensitive columns, to read rules off.
mine: are rules read off the release? True by default.
expected: how many persons must be expected for a rule that nobody breaks; 10 makes chance less likely than 1 in 20,000.
column: one sensitive column; without it every one is attacked, and the finding is about the worst.
threshold: records whose value is guessed with more than this probability are counted as at risk.

## Worked example
Forty women and forty men are published with their sex; no man has ovarian cancer, where 40 · 22/84, more than ten,
would be expected: a rule. (No woman has gout, where 9.5 would be expected: not quite.) In a last class of four the sex
is hidden: two records of ovarian cancer, two of flu. A man in it has the flu.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> sex = ["F"] * 40 + ["M"] * 40 + ["{F,M}"] * 4
>>> illness = ["ovarian cancer", "flu"] * 20 + ["gout", "flu"] * 20 + ["ovarian cancer", "flu"] * 2
>>> table = Table.of(pa.table({"sex": sex, "illness": illness}), quasi=["sex"], sensitive=["illness"], published=True)
>>> found = BackgroundKnowledge().mount(table)
>>> found.value, found.details.without_rules, found.details.rules
(1.0, 0.5, 1)
>>> round(found.details.shrunk, 3)  # four records of 84 stand in a class that a rule shrinks
0.048

## Why it is safe
Classes are grouped anew from published cells; the result holds numbers only. For each class and value the attacker's
probability is at most c / (n − x), c being the persons with the value, n all persons, and x the most that rules can
rule out for one person who may be in the class: by the best single property of a column where no two of them have a
value in common, otherwise by all together, added over columns. With the truth the attack is carried out on drawn
persons of drawn classes: their true values decide which rules apply, and the guess is right if the person has the
value in the class. A rule may be false; then the attacker errs, and that is counted too. Rules that leave nothing are
dropped.

## Cost
O(q · n log n) to read rules off q columns; O(classes · values · rules of a cell) to apply them.

## Source
Li and Li, 2008 (Injector: negative association rules mined from the data itself). There rules come from the original
data, as a bound on what anybody could know; here from what the attacker holds: the release, and what else is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Gt

from sharewell.attack_simulation import NOT_SIMULATED, Simulated
from sharewell.findings import Finding
from sharewell.io.sources import Evidence
from sharewell.parameters import Declared, Share
from sharewell.protocols import Attack, Truth
from sharewell.tables.attacks.homogeneity import attacked_columns, worst_of
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Bools, Floats, Indices
from sharewell.tables.engine.attackers.negative_rules import (
    Rule,
    RuleFamily,
    family_of_rules,
    merged,
    mine_rules,
    mine_source,
    unknown_columns,
)
from sharewell.tables.engine.attackers.simulation import Appearances, has_value, person_of
from sharewell.tables.engine.checks.sensitive_columns import shares
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column

Applied = tuple[RuleFamily, Mapping[int, Bools]]
_CHUNK = 10_000_000
"""Counts that are held in memory at once."""


@dataclass(frozen=True)
class BackgroundDetails:
    rules: int
    """Pairs of a property and a value that it rules out."""
    shrunk: float
    """Share of the records in whose class a rule rules something out for somebody."""
    without_rules: float
    """The largest probability without rules: that of homogeneity."""
    risk: RiskProfile


@dataclass(frozen=True)
class BackgroundKnowledge(Declared, Attack[Table]):
    """c / (n − x) for the value guessed, for every class."""

    rules: tuple[Any, ...] = ()
    known: Evidence | None = None
    mine: bool = True
    expected: Annotated[float, Gt(0)] = 10.0
    column: str | None = None
    threshold: Share = 0.5

    name: ClassVar[str] = "background-knowledge"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rules", tuple(Rule.of(rule) for rule in self.rules))

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        columns = attacked_columns(self.name, released, self.column)
        unknown_columns(self.rules, released)
        if not released.classes.count:
            return Finding(self.name, None, note="no published record")
        return worst_of([self._one(released, column, truth) for column in columns], self.column)

    def _one(self, released: Table, sensitive: Column, truth: Truth[Table] | None) -> Finding:
        classes = released.classes
        families = list(self._families(released, sensitive))
        plain, chance = np.zeros(classes.count), np.zeros(classes.count)
        shrunk = np.zeros(classes.count, dtype=bool)
        applied = [(family, family.for_cells(released.columns[family.antecedents.name])) for family in families]
        for which, counts in _pieces(classes, sensitive):
            n = np.maximum(classes.persons[which], counts.max(axis=1))[:, None]
            out = _ruled_out(released, applied, which, counts)
            plain[which] = (counts / n).max(axis=1)
            chance[which] = (counts / np.maximum(np.maximum(counts, n - out), 1)).max(axis=1)
            shrunk[which] = (out > 0).any(axis=1)
        simulated = None if truth is None else _simulate(released, sensitive, families, truth)
        details = BackgroundDetails(
            sum(family.count for family in families),
            float(classes.sizes[shrunk].sum()) / int(classes.sizes.sum()),
            float(plain.max()),
            replace(risk_profile(chance, classes.sizes, self.threshold), simulated=simulated),
        )
        note = "" if simulated else NOT_SIMULATED
        value = float(chance.max())
        return Finding(self.name, value, column=sensitive.name, unit="probability", details=details, note=note)

    def _families(self, released: Table, sensitive: Column) -> Iterator[RuleFamily]:
        listed = self.known.names() if self.known is not None else []
        for column in released.quasi:
            found = [family_of_rules(self.rules, column, sensitive)]
            if self.known is not None and column.name in listed and sensitive.name in listed:
                found.append(mine_source(self.known, column, sensitive, self.expected))
            if self.mine and not column.shows_means:  # whom a mean covers is not known, and so is no property
                found.append(mine_rules(released, column, sensitive, self.expected))
            families = [family for family in found if family is not None]
            exact = merged([family for family in families if family.exact])
            yield from ([] if exact is None else [exact])
            yield from (family for family in families if not family.exact)


def _pieces(classes: Classes, sensitive: Column) -> Iterator[tuple[slice, Floats]]:
    """Persons by class and value, some classes at a time."""
    owner, code, count, _ = shares(classes, sensitive, by_person=True)
    step = max(1, _CHUNK // max(1, sensitive.size))
    for first in range(0, classes.count, step):
        last = min(classes.count, first + step)
        low, high = np.searchsorted(owner, [first, last])
        counts = np.zeros((last - first, sensitive.size))
        counts[owner[low:high] - first, code[low:high]] = count[low:high]
        yield slice(first, last), counts


def _ruled_out(released: Table, applied: list[Applied], which: slice, counts: Floats) -> Floats:
    """For each class and value: how many persons rules can rule out for somebody who may have the value."""
    total = np.zeros_like(counts)
    first = released.classes.order[released.classes.starts[:-1][which]]
    for family, by_cell in applied:
        cells = released.columns[family.antecedents.name].codes[first]
        order = np.argsort(cells, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
            forbids = by_cell.get(int(cells[rows[0]]))
            if forbids is None:
                continue
            value_counts = counts[rows]
            if family.exclusive:
                best = np.zeros_like(value_counts)
                for one in forbids:
                    np.maximum(best, np.where(one, 0.0, (value_counts @ one)[:, None]), out=best)
            else:
                every = forbids.any(axis=0)
                best = (value_counts @ every)[:, None] - np.where(every, value_counts, 0.0)
            total[rows] += best
    return total


def _simulate(released: Table, sensitive: Column, families: list[RuleFamily], truth: Truth[Table]) -> Simulated | None:
    """Drawn persons of drawn classes: rules by their true values, then the most frequent value that is left."""
    classes, persons = released.classes, person_of(truth)
    everybody = Appearances.of(classes, persons)
    drawn = everybody.drawn()
    where = everybody.owner[drawn]
    value_counts = classes_by_value(classes, sensitive, where)
    forbidden = np.zeros(value_counts.shape, dtype=bool)
    for family in families:
        true = truth.original.columns[family.antecedents.name].take(truth.rows[everybody.row[drawn]])
        forbidden |= family.for_people(true)[true.codes]
    left = np.where(forbidden, 0.0, value_counts)
    nothing = ~left.any(axis=1)
    left[nothing] = value_counts[nothing]
    remaining = np.maximum(classes.persons[where], 1) - (value_counts - left).sum(axis=1)
    guess, most = left.argmax(axis=1), left.max(axis=1, initial=0.0)
    right = has_value(classes, persons, sensitive, where, everybody.person[drawn], guess)
    return Simulated.of(right, most / np.maximum(np.maximum(most, remaining), 1))


def classes_by_value(classes: Classes, sensitive: Column, which: Indices) -> Floats:
    """Persons by value, a row for each of these classes."""
    part = classes.select(which)
    owner, code, count, _ = shares(part, sensitive, by_person=True)
    counts = np.zeros((len(which), sensitive.size))
    counts[owner, code] = count
    return counts
