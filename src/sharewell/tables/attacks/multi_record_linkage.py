"""Multiple-record linkage: an attacker who also knows how many records the target has.

## Guarantee
None; a measurement. The value is the largest probability of picking a record of the right person, over all persons and
the classes in which they have records.

## Adversary
Knows the quasi values of a target, that the target is in the data, and how many records the target has there. Without
pseudonyms in the release, picks one of the records of the class: a person with f of its R records is hit with
probability f/R. With pseudonyms within a class, sees how many records each person has, and picks one of the m persons
who have as many as the target: 1/m, which is never less.

## What it does not protect
An attacker who knows when the visits were, or what they were for, does better than this says.

## Parameters
pseudonyms: does the release tell the persons of a class apart (`publish: within-class`)? False by default.
threshold: records whose probability exceeds this are counted as at risk.

## Worked example
Three of the classes of a table of visits, from the paper. Without pseudonyms Charlie has 5 of 6 records and Harry 5 of
7. With them, Harry is the only one of his class with five visits; Fred and Greg have one each.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = {"Bob": 1, "Charlie": 5, "Diana": 2, "Edward": 2, "Fred": 1, "Greg": 1, "Harry": 5}
>>> class_of = dict(zip(visits, "2233444"))
>>> who = [name for name, times in visits.items() for _ in range(times)]
>>> rows = pa.table({"who": who, "class": [class_of[name] for name in who]})
>>> table = Table.of(rows, quasi=["class"], subject="who")
>>> result = MultiRecordLinkage().mount(table)
>>> round(result.value, 3), round(result.details.risk.average, 3)  # 5/6, and (26/6 + 8/4 + 27/7) / 17
(0.833, 0.599)
>>> result = MultiRecordLinkage(pseudonyms=True).mount(table)
>>> result.value, result.details.alone  # Bob, Charlie and Harry
(1.0, 3)

## Why it is safe
Classes are grouped anew from published cells; the result holds numbers only. A record whose person is not known is one
more to pick from, and nobody's. With the truth the attack is also carried out on drawn persons: their true quasi values
are compared with every class, and records of all classes that cover them can be picked; the chance is at most the
largest chance within one class. A bound on the record share bounds the value without pseudonyms; g-balance g
bounds it by √(1 − g). With pseudonyms neither does.

## Cost
O(n log n); the simulation O(2,000 · classes that cover a target).

## Source
Kartal and Li, 2016 (f/R); the count as a key among pseudonyms is our reading of their remark on patient numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, Share, Simulated, Truth
from sharewell.tables.attacks.prosecutor import CUSTOMARY, RiskProfile, risk_profile, says_nobody
from sharewell.tables.data import Indices, Table
from sharewell.tables.engine.attackers.covering_classes import covering
from sharewell.tables.engine.attackers.simulation import Appearances, person_of, persons_as_published, picks


@dataclass(frozen=True)
class MultiRecordDetails:
    most_records: int
    """The most records that one person has in one class."""
    alone: int
    """Persons in a class of whom a pick is certain: all records are theirs, or nobody else has as many."""
    risk: RiskProfile


@dataclass(frozen=True)
class MultiRecordLinkage(Declared, Attack[Table]):
    """f/R, or with pseudonyms 1/m, for every person in every class."""

    pseudonyms: bool = False
    threshold: Share = CUSTOMARY

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        classes = released.classes
        everybody = Appearances.of(classes, persons_as_published(classes, released.rows))
        if not len(everybody.owner):
            return Finding(self.name, None, note="no published record of a known person")
        if self.pseudonyms:
            chance = 1 / _with_as_many(everybody, everybody.owner, everybody.records)
        else:
            chance = everybody.records / classes.sizes[everybody.owner]
        simulated = None if truth is None or says_nobody(released) else self._simulate(released, truth)
        details = MultiRecordDetails(
            int(everybody.records.max()),
            int((chance == 1).sum()),
            risk_profile(chance, everybody.records, self.threshold, simulated),
        )
        note = NOT_SIMULATED if simulated is None else ""
        return Finding(self.name, float(chance.max()), unit="probability", details=details, note=note)

    def _simulate(self, released: Table, truth: Truth[Table]) -> Simulated | None:
        """Drawn persons of drawn classes; what is picked from lies in every class that covers the true values."""
        classes = released.classes
        everybody = Appearances.of(classes, person_of(truth))
        drawn = everybody.drawn()
        person, records = everybody.person[drawn], everybody.records[drawn]
        pairs = covering(released, truth, everybody.row[drawn])
        theirs = _records_there(everybody, pairs.owner, person[pairs.target])
        if self.pseudonyms:
            wanted = records[pairs.target]
            candidates = pairs.per_target(_with_as_many(everybody, pairs.owner, wanted))
            own_records = pairs.per_target(theirs == wanted)
        else:
            candidates, own_records = pairs.per_target(classes.sizes[pairs.owner]), pairs.per_target(theirs)
        return picks(own_records / np.maximum(candidates, 1))


def _records_there(everybody: Appearances, owner: Indices, person: Indices) -> Indices:
    """How many records each of some persons has in a class; 0 if none."""
    width = int(everybody.person.max()) + 1
    keys = everybody.owner * width + everybody.person
    wanted = owner * width + person
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, everybody.records[place], 0)


def _with_as_many(everybody: Appearances, owner: Indices, records: Indices) -> Indices:
    """How many persons of a class have this many records there."""
    width = int(everybody.records.max()) + 1
    keys = np.sort(everybody.owner * width + everybody.records)
    wanted = owner * width + records
    return np.searchsorted(keys, wanted, side="right") - np.searchsorted(keys, wanted, side="left")
