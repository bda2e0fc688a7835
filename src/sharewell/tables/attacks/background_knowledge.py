"""Background knowledge: values that a person cannot have leave fewer to guess ("men have no ovarian cancer").

## Guarantee
None; a measurement. The value is the largest probability that an attacker who uses negative rules can give to a
sensitive value of somebody in a class.

## Adversary
Knows the quasi values of a target and that the target is in the data. Rules out values by negative rules: rules given
from outside, rules read off other records with true values, rules read off the release itself, and, where the original
is at hand, all rules that hold in it: more than anybody is likely to know, and so a bound on such knowledge. A property
and a value that hardly ever meet make a rule if so many persons would have both, were the two independent, that chance
does not explain it. Then guesses the most frequent of the values that are left.

## What it does not protect
An attacker who knows the quasi values of everybody in the class can also rule out what others must have, and does
better. Positive rules (who smokes often has it) are not used. Rules from outside, from other records and from the
release are each about one column, those from the original about up to `size`.

## Parameters
rules: known from outside, such as `{when: {sex: male}, never: [ovarian cancer]}`.
known: a file or frame with true values of quasi and sensitive columns, to read rules off.
mine: are rules read off the release? True by default.
original: are rules read off the original, too, where it is at hand? True by default. Without it the risk is computed
from the other rules.
size: how many quasi columns such a rule may be about.
expected: how many persons must be expected for a rule that nobody breaks; 10 makes chance less likely than 1 in 20,000.
confidence: of the persons with the property, the least share who lack the value; 1 (default): nobody has it.
support: the least share of all persons who have the property.
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
>>> result = BackgroundKnowledge().mount(table)
>>> result.value, result.details.without_rules, result.details.rules
(1.0, 0.5, 1)
>>> round(result.details.shrunk, 3)  # four records of 84 stand in a class that a rule shrinks
0.048

Whoever knows what holds in the original needs no such class. Here the sex is never published, but among 80 people no
man has ovarian cancer and no woman has gout. Half of all have the flu, and so have two in three of those values that
are left to a man.

>>> import numpy as np
>>> from sharewell.protocols import Truth
>>> true = pa.table({"sex": ["F", "F", "M", "M"] * 20, "illness": ["ovarian cancer", "flu", "gout", "flu"] * 20})
>>> original = Table.of(true, quasi=["sex"], sensitive=["illness"])
>>> hidden = true.set_column(0, "sex", pa.array(["*"] * 80))
>>> shown = Table.of(hidden, quasi=["sex"], sensitive=["illness"], published=True)
>>> BackgroundKnowledge().mount(shown).details.rules  # nothing to be read off the release
0
>>> result = BackgroundKnowledge().mount(shown, Truth(original, np.arange(80)))
>>> result.details.rules, result.details.without_rules, round(result.value, 3)
(2, 0.5, 0.667)

## Why it is safe
Classes are grouped anew from published cells; the result holds numbers only. For each class and value the attacker's
probability is at most c / (n − x), c being the persons with the value, n all persons, and x the most that rules can
rule out for one person who may be in the class: by the best single property of a column where no two of them have a
value in common, otherwise by all together, added over columns. Where rules are read off the original, true values are
known, and x is what rules exclude for the persons who are in the class. With the truth the attack is carried out on
drawn persons of drawn classes: their true values decide which rules apply, and the guess is right if the person has the
value in the class. A rule may be false; then the attacker errs, and that is counted too. Rules that leave nothing are
dropped.

## Cost
O(q · n log n) to read rules off q columns, and as much for each choice of up to `size` columns of the original;
O(classes · values · rules of a cell) to apply them.

## Source
Li and Li, 2008 (Injector: negative association rules mined from the original data, as a bound on what anybody could
know). Rules read off the release and rules that are given are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from annotated_types import Gt, Interval

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, Share, Simulated, Truth
from sharewell.io.sources import Evidence
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.data import Bools, Classes, Column, Floats, Indices, Table
from sharewell.tables.engine.attackers.attacked_columns import mount_on_columns
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
from sharewell.tables.engine.original_rules import OriginalRules, Profiles, RuleThresholds

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
    original: bool = True
    size: Annotated[int, Interval(ge=1, le=3)] = 2
    expected: Annotated[float, Gt(0)] = 10.0
    confidence: Annotated[float, Interval(gt=0.5, le=1)] = 1.0
    support: Share = 0.0
    column: str | None = None
    threshold: Share = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rules", tuple(Rule.of(rule) for rule in self.rules))

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        unknown_columns(self.rules, released.schema.quasi)
        return mount_on_columns(self.name, released, self.column, lambda column: self._one(released, column, truth))

    def _one(self, released: Table, sensitive: Column, truth: Truth[Table] | None) -> Finding:
        classes = released.classes
        families = list(self._families(released, sensitive))
        plain, chance = np.zeros(classes.count), np.zeros(classes.count)
        shrunk = np.zeros(classes.count, dtype=bool)
        applied = [(family, family.for_cells(released.columns[family.antecedents.name])) for family in families]
        members, own_rules = self._from_original(released, sensitive, families, truth)
        for which, counts in _pieces(classes, sensitive):
            n = np.maximum(classes.persons[which], counts.max(axis=1))[:, None]
            if members is None:
                out = _ruled_out(released, applied, which, counts)
            else:
                out = _ruled_out_for_members(classes, members, which, counts)
            plain[which] = (counts / n).max(axis=1)
            chance[which] = (counts / np.maximum(np.maximum(counts, n - out), 1)).max(axis=1)
            shrunk[which] = (out > 0).any(axis=1)
        simulated = None if truth is None else _simulate(released, sensitive, families, members, truth)
        details = BackgroundDetails(
            own_rules + sum(family.count for family in families),
            float(classes.sizes[shrunk].sum()) / int(classes.sizes.sum()),
            float(plain.max()),
            risk_profile(chance, classes.sizes, self.threshold, simulated),
        )
        note = "" if simulated else NOT_SIMULATED
        value = float(chance.max())
        return Finding(self.name, value, column=sensitive.name, unit="probability", details=details, note=note)

    @property
    def _least(self) -> RuleThresholds:
        return RuleThresholds(self.expected, self.confidence, self.support)

    def _from_original(
        self, released: Table, sensitive: Column, families: list[RuleFamily], truth: Truth[Table] | None
    ) -> tuple[Profiles | None, int]:
        """What all rules exclude for each published row's person, and how many of them the original gave."""
        if truth is None or not self.original or sensitive.name not in truth.original.columns:
            return None, 0
        original = truth.original
        quasi = [column for column in original.quasi if column.name in released.schema.quasi]
        wanted = original.columns[sensitive.name]
        subject = original.subject if original.several_records else None
        rules = OriginalRules.mine(quasi, wanted, subject, self._least, self.size)
        profiles = rules.profiles({column.name: column for column in quasi}, sensitive, original.rows)
        for family in families:
            true = original.columns[family.antecedents.name]
            profiles = profiles.join(true.codes.astype(np.int64), family.for_people(true))
        return replace(profiles, of_row=profiles.of_row[truth.rows]), rules.count

    def _families(self, released: Table, sensitive: Column) -> Iterator[RuleFamily]:
        listed = self.known.names() if self.known is not None else []
        for column in released.quasi:
            results = [family_of_rules(self.rules, column, sensitive)]
            if self.known is not None and column.name in listed and sensitive.name in listed:
                results.append(mine_source(self.known, column, sensitive, self._least))
            if self.mine and not column.shows_means:  # whom a mean covers is not known, and so is no property
                results.append(mine_rules(released, column, sensitive, self._least))
            families = [family for family in results if family is not None]
            exact = merged([family for family in families if family.exact])
            yield from ([] if exact is None else [exact])
            yield from (family for family in families if not family.exact)


def _pieces(classes: Classes, sensitive: Column) -> Iterator[tuple[slice, Floats]]:
    """Persons by class and value, some classes at a time."""
    step = max(1, _CHUNK // max(1, sensitive.size))
    for first in range(0, classes.count, step):
        last = min(classes.count, first + step)
        yield slice(first, last), classes_by_value(classes, sensitive, np.arange(first, last))


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


def _ruled_out_for_members(classes: Classes, members: Profiles, which: slice, counts: Floats) -> Floats:
    """For each class and value: how many persons rules rule out for a member who may have the value, at most."""
    best, many = np.zeros_like(counts), len(counts)
    first, last = classes.starts[which.start], classes.starts[which.stop]
    profile, owner = members.of_row[classes.order[first:last]], classes.class_of[first:last] - which.start
    pairs = np.unique(profile * many + owner)
    pairs = pairs[pairs >= many]  # the first profile excludes nothing
    for rows in np.split(pairs, np.flatnonzero(np.diff(pairs // many)) + 1) if len(pairs) else ():
        excluded, here = members.excludes[rows[0] // many], rows % many
        best[here] = np.maximum(best[here], np.where(excluded, 0.0, (counts[here] @ excluded)[:, None]))
    return best


def _simulate(
    released: Table, sensitive: Column, families: list[RuleFamily], members: Profiles | None, truth: Truth[Table]
) -> Simulated | None:
    """Drawn persons of drawn classes: rules by their true values, then the most frequent value that is left."""
    classes, persons = released.classes, person_of(truth)
    everybody = Appearances.of(classes, persons)
    drawn = everybody.drawn()
    where = everybody.owner[drawn]
    value_counts = classes_by_value(classes, sensitive, where)
    forbidden = np.zeros(value_counts.shape, dtype=bool)
    if members is not None:
        forbidden = members.excludes[members.of_row[everybody.row[drawn]]]
    for family in families if members is None else ():
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
