"""Joined linkage: how certainly do a few facts from several published datasets together identify a person?

## Guarantee
None; a measurement. The value is the probability of picking the right person among all who fit, averaged over persons.

## Adversary
Has all the datasets and knows which records belong to the same person. Knows about a target all of the named columns,
and a few rows, codes or SNPs of each other dataset, drawn at random.

## What it does not protect
It says nothing about attackers who know other facts.

## Parameters
knows: what the attacker knows from each dataset, as in `joined-k-anonymity`; if left out, the quasi columns of datasets
with one record per person, and one row, code or position of every other.
at_most: how many of all these rows, codes, words and SNPs are known at once; if left out, all of them.
persons: how many persons are looked for, at most.
draws: how often facts are drawn for each person.

## Worked example
Each of four people shares their age with one other person; codes tell the two apart.

>>> import numpy as np
>>> from sharewell.protocols import PersonFacts
>>> who = ["a", "b", "c", "d"]
>>> people = PersonFacts(who, {"age": np.array([0, 0, 1, 1])}, ("age",))
>>> codes = PersonFacts(who, {}, sets=(np.arange(5), np.array([0, 1, 0, 1])))
>>> print(JoinedLinkage().measure({"people": people}))
joined-linkage = 0.5 probability
>>> print(JoinedLinkage().measure({"people": people, "codes": codes}))
joined-linkage = 1 probability

## Why it is safe
It only reads what is published. Persons and facts are drawn with a fixed seed.

## Cost
O(persons · draws · known facts · holders of a fact).

## Source
Linkage of joined records; Loukides, Denny and Malin 2010 for codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Finding
from sharewell.joint.engine.attacker_knowledge import Knows
from sharewell.joint.engine.joined_facts import facts_of, knowledge_in_words
from sharewell.joint.engine.joined_records import Holders, JoinedRecords, candidates
from sharewell.plain_data import Json
from sharewell.protocols import JointAttack, PersonFacts, PublishedDataset

SEED = 17


@dataclass(frozen=True)
class JoinedLinkageDetails:
    """How surely persons are found."""

    persons: int
    looked_for: int
    worst: float
    """The largest probability that a draw came to."""
    alone: float
    """The share of draws that only the target fits."""


@dataclass(frozen=True)
class JoinedLinkage(Declared, JointAttack):
    """Picks one of those who fit what is known."""

    knows: Mapping[str, Json] | None = None
    persons: Count = 2_000
    draws: Count = 5
    at_most: Count | None = None

    asked: ClassVar[bool] = True

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """The datasets of this release of which something is known."""
        return [one for one in datasets if not one.release and (self.knows is None or one.name in self.knows)]

    def mount(self, datasets: Sequence[PublishedDataset]) -> Finding:
        return self.measure(facts_of(datasets))

    def measure(self, datasets: Mapping[str, PersonFacts]) -> Finding:
        """From the facts of each dataset."""
        knows: Knows = usual_knowledge(datasets) if self.knows is None else self.knows
        joined = JoinedRecords.of(datasets, knows, self.at_most)
        if not joined.persons:
            return Finding(self.name, None, note="nobody is published")
        rng = np.random.default_rng(SEED)
        some = np.arange(joined.persons)
        if joined.persons > self.persons:
            some = rng.choice(joined.persons, self.persons, replace=False)
        holders = Holders.of(joined)
        result = np.array([self._chances(joined, holders, person, rng) for person in some.tolist()])
        note = f"the attacker knows {knowledge_in_words(knows, datasets, self.at_most)}"
        details = JoinedLinkageDetails(joined.persons, len(some), float(result.max()), float((result == 1).mean()))
        return Finding(self.name, float(result.mean()), unit="probability", details=details, note=note)

    def _chances(self, joined: JoinedRecords, holders: Holders, person: int, rng: np.random.Generator) -> list[float]:
        """The probability to pick the right one, for each draw of facts."""
        chances = []
        for _ in range(self.draws):
            chosen: list[tuple[int, int]] = []
            for i, part in enumerate(joined.parts):
                own = part.items[part.starts[person] : part.starts[person + 1]]
                own = own[(own % part.repeats == 0) & ~np.isin(own, part.ways_seen)]
                drawn = own if len(own) <= part.most else rng.choice(own, part.most, replace=False)
                chosen += [(i, int(item)) for item in drawn]
            if len(chosen) > joined.at_most:
                chosen = [chosen[one] for one in rng.choice(len(chosen), joined.at_most, replace=False)]
            chances.append(1 / candidates(joined, person, chosen, holders))
        return chances


def usual_knowledge(datasets: Mapping[str, PersonFacts]) -> dict[str, Json]:
    """What is taken as known where nobody says: columns of who has one record, else one row, code or place."""
    known: dict[str, Json] = {}
    for name, facts in datasets.items():
        named = [person for person in facts.persons if person is not None]
        single = facts.sets is None and not facts.places and len(set(named)) == len(named)
        known[name] = list(facts.knowable) if single else 1
    return known
