"""Subsample: a random sample of the persons is published, unchanged or protected by another mechanism.

## Guarantee
Every required criterion holds in what is published, or `Infeasible` is raised. A person is drawn with all their records
or not at all, and everybody is equally likely to be drawn.

## Adversary
That of the criteria, which judge the sample as they judge any release. In addition, an attacker who does not know
whether a target was drawn, and finds one record that fits, cannot tell it from that of somebody else in the source who
fits too: the probability of being right is one over the number of persons in the source who fit, not in the sample.

## What it does not protect
Somebody known to be in the sample, because they or their doctor said so, has the protection of the sample alone: a
smaller file has smaller classes, so that k-anonymity is harder to reach, not easier. A person who is unique in the
population is found if drawn. A second draw, from data that has changed or under another name, is a new one: two samples
together show more persons than one. The share is not secret. Rare values may be missing, and every count also has a
sampling error.

## Parameters
share: the share of persons to draw, rounded down.
persons: the number of persons to draw, instead of a share.
then: the mechanism that protects the sample, as a name or as `{mondrian: {suppress: 0.01}}`; without it, records are
published as they are, and the criteria decide. A mechanism that falsifies values on purpose cannot be named here.

## Worked example
Eight people form four pairs of the same age, and four people are drawn. For every record, an attacker who does not know
who was drawn has two persons of the source to choose from, even where only one of them is published. Somebody who is
alone in the sample and known to be in it is found: k-anonymity of the sample judges that.

>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import KAnonymity, KMap, Mondrian, Table
>>> people = pa.table({"age": [30, 30, 41, 41, 52, 52, 63, 63]})
>>> key = Key(b"an example key of enough bytes..")
>>> drawn = Subsample(share=0.5).protect(Table.of(people, quasi=["age"]), must=[KMap(people, 2)], key=key)
>>> drawn.data.rows, drawn.details.drawn_persons, drawn.details.fewest_who_fit
(4, 4, 2)
>>> kept = Subsample(share=0.5, then="mondrian").protect(Table.of(people, quasi=["age"]), must=[KAnonymity(2)], key=key)
>>> KAnonymity(2).check(kept.data).ok, kept.data.rows
(True, 4)

## Why it is safe
The secret key, the parameters and the content of the table determine the draw; the order of rows does not. No value
makes a person more likely to be drawn. The draw is not repeated if a criterion fails, because that would disclose
something about those who were not drawn. The other mechanism sees the sample alone. All criteria are checked once more
on what would be published.

## Cost
O(columns · n log n) to draw, plus what the other mechanism costs for the sample.

## Source
Willenborg and de Waal, 2001 (sampling as a method of disclosure control); El Emam and Dankar, 2008 (the risk of a
sample where nobody knows who is in it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from sharewell import registry
from sharewell.algorithm import Chance, Count, Criteria, Declared, Infeasible, Key, Mechanism, PolicyError, Protected
from sharewell.key_scope import drawing_key
from sharewell.output_check import refuse_failing
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.cell_matching import fitting, people_like
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import draws, generator, released
from sharewell.wing import ColumnFacts


@dataclass(frozen=True)
class SubsampleDetails:
    persons: int
    drawn_persons: int
    fewest_who_fit: int | None
    """The fewest persons of the source who fit a published record; None where means are published."""
    then: Any
    """What the other mechanism tells of its work; None without one."""

    @property
    def dictionary(self) -> Mapping[str, ColumnFacts]:
        facts: Mapping[str, ColumnFacts] = getattr(self.then, "dictionary", {})
        return facts


@dataclass(frozen=True)
class Subsample(Declared, Mechanism[Table]):
    """A random draw of persons, then another mechanism."""

    share: Chance | None = None
    persons: Count | None = None
    then: Any = None

    engine: ClassVar[str] = "check"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.share is None) == (self.persons is None):
            raise ValueError("give either a share or a number of persons")
        assert self.inner is None or self.inner.name  # a mistake in it is told now

    @cached_property
    def inner(self) -> Mechanism[Table] | None:
        """The mechanism that protects the sample."""
        if self.then is None:
            return None
        name, parameters = _named(self.then)
        mechanism = registry.lookup("tables", "mechanisms", name)
        if mechanism is Subsample or mechanism.falsifies:
            why = "draws itself" if mechanism is Subsample else "changes values on purpose"
            raise ValueError(f"then: {name} {why} — name a mechanism that generalises or suppresses")
        try:
            built: Mechanism[Table] = mechanism(**parameters)
        except (TypeError, ValueError) as error:
            raise ValueError(f"then: {name}: {error}") from None
        return built

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        self._refuse_incompatible(must)
        secret = key or Key.fresh()
        person, count = draws(data, ())
        many = self._many(count)
        chosen = np.zeros(count, dtype=bool)
        chosen[generator(secret, self, data, ()).permutation(count)[:many]] = True
        rows = np.flatnonzero(chosen[person])
        sample = data.take(rows)
        if self.inner is None:
            out, details, kept = released(sample), None, np.arange(len(rows))
        else:
            # Of the sample's own content, which nobody knows who does not know the draw.
            done = self.inner.protect(sample, must, drawing_key(secret, self, data.content))
            out, details, kept = done.data, done.details, done.rows
        refuse_failing(self.name, out, must, ["a larger share", *([] if self.inner else ["then: mondrian"])])
        own_details = SubsampleDetails(count, many, _fewest_who_fit(data, out, person), details)
        return Protected(out, own_details, rows[kept], reproducible=key is not None)

    def _many(self, count: int) -> int:
        many = int(self.share * count + 1e-9) if self.share is not None else self.persons or 0
        if not 0 < many <= count:
            problem = f"{many} of {count} person(s) would be drawn"
            raise Infeasible(f"{self.name} — {problem} — draw at least one, and no more than there are")
        return many

    def _refuse_incompatible(self, criteria: Criteria[Table]) -> None:
        if self.inner is None:
            return
        unfit = [one.name for one in criteria if not registry.compatible(self.inner, one)]
        if unfit:
            problem = f"then: {self.inner.name} cannot make {', '.join(unfit)} hold"
            raise PolicyError(f"{self.name} — {problem} — name another mechanism under `then`, or another criterion")


def _named(then: object) -> tuple[str, dict[str, Any]]:
    """(name, parameters) of a mechanism as a policy writes it."""
    if isinstance(then, str):
        return then, {}
    if isinstance(then, Mapping) and len(then) == 1:
        [(name, parameters)] = then.items()
        if isinstance(parameters, Mapping | None):
            return str(name), {str(word): value for word, value in (parameters or {}).items()}
    raise ValueError("then must be one mechanism, by name or with its parameters: {mondrian: {suppress: 0.01}}")


def _fewest_who_fit(data: Table, out: Table, person: Ints) -> int | None:
    """The fewest persons of the source, drawn or not, who fit the cells of a published class."""
    classes = out.classes
    if any(column.shows_means for column in out.quasi) or not classes.count:
        return None
    if not out.quasi:
        return len(np.unique(person))
    people = [people_like(column, data.columns[column.name].arrow) for column in out.quasi]
    first: Indices = classes.order[classes.starts[:-1]]
    cells = np.stack([column.codes[first] for column in out.quasi])
    return min(len(np.unique(person[rows])) for _, rows in fitting(out.quasi, people, cells))
