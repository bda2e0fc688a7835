"""K-safe: the terms that a note shows about a protected entity fit at least K entities.

## Guarantee
Every entity has a context: the terms by which people may recognise it (of a disease its symptoms and drugs, of a person
the facts that are known of them). For every protected entity, what a person's published notes show of its context is
in the context of at least k entities, itself among them. So nobody can tell from these terms that it was this one.

## Adversary
Knows the context of every entity, and all published notes of a person.

## What it does not protect
Words that are in no context, and contexts that are incomplete: a term that is missing in the table is not looked for.

## Parameters
k: the least number of entities.
contexts: a table with the columns `entity` and `term`, a row for each term of an entity.
only: the entities to be protected; all of them if it is empty.
unit: `person` (default) takes all notes of a person together; `note` each by itself.

## Worked example
>>> from sharewell.notes import Notes
>>> contexts = {"entity": ["flu", "flu", "HIV", "HIV", "HIV"], "term": ["fever", "cough", "fever", "cough", "CD4"]}
>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> rule = KSafe(2, Source.of(pa.table(contexts)))
>>> print(rule.check(Notes.of(["Fever and cough."])))
k-safe = 2 entities (≥ 2: holds)
>>> print(rule.check(Notes.of(["Fever, low CD4."])))
k-safe = 1 entities (≥ 2: FAILS)

## Why it is safe
Terms are looked for anew in the published text, those inside or across longer ones too. Fewer terms always fit as many
entities or more, so that a person's notes together are the worst case, and every part of them is covered.

## Cost
O(words + notes · protected entities · terms shown).

## Source
Chakaravarthy, Gupta, Roy and Mohania, 2008 (ERASE, K-safety); there each document is taken by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from sharewell.errors import DataError
from sharewell.findings import Finding, Sense
from sharewell.io.sources import Source
from sharewell.notes.data import Notes
from sharewell.notes.engine.vocabulary import Vocabulary, words_of
from sharewell.parameters import Count, Declared
from sharewell.protocols import Criterion


@dataclass(frozen=True)
class Contexts:
    """Which entities each term belongs to, as bits of a number."""

    entities: tuple[str, ...]
    holders: dict[str, int]
    """Term → the entities whose context has it."""
    protected: tuple[int, ...]
    """Places of the protected entities."""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.holders)

    def terms_in(self, texts: Iterable[str]) -> frozenset[str]:
        """The terms of any context in some texts."""
        return frozenset(term for text in texts for _, _, term in self.vocabulary.every(text))

    def entity_terms(self, entity: int, terms: Iterable[str]) -> frozenset[str]:
        """Those of the entity's own context."""
        return frozenset(term for term in terms if self.holders[term] >> entity & 1)

    def fitting(self, terms: Iterable[str]) -> int:
        """How many entities have all these terms in their context."""
        every = (1 << len(self.entities)) - 1
        for term in terms:
            every &= self.holders[term]
        return every.bit_count()

    def least(self, terms: Collection[str]) -> int | None:
        """The fewest entities that fit, over the protected ones that the terms speak of; None if they speak of none."""
        own_terms = (self.entity_terms(entity, terms) for entity in self.protected)
        return min((self.fitting(entity_terms) for entity_terms in own_terms if entity_terms), default=None)


@dataclass(frozen=True)
class KSafe(Declared, Criterion[Notes]):
    """What is shown of a protected entity's context fits at least k entities."""

    k: Count
    contexts: Source
    only: tuple[str, ...] = ()
    unit: Literal["person", "note"] = "person"

    name: ClassVar[str] = "k-safe"
    sense: ClassVar[Sense] = "≥"

    @property
    def bound(self) -> int:
        return self.k

    @cached_property
    def _contexts(self) -> Contexts:
        return contexts_of(self.contexts, self.only)

    def check(self, data: Notes) -> Finding:
        """The fewest entities that fit what a person's notes (or a note) show."""
        counts = [self._contexts.least(terms) for terms in self._shown(data)]
        least = min((fitting for fitting in counts if fitting is not None), default=None)
        if least is None:
            note = "no note shows a term of a protected entity"
            return Finding(self.name, None, None, self.k, self.sense, True, unit="entities", note=note)
        return Finding.judge(self.name, least, self.sense, self.k, unit="entities")

    def _shown(self, data: Notes) -> Iterator[frozenset[str]]:
        if self.unit == "note" or data.persons is None:
            yield from (self._contexts.terms_in([text]) for text in data.texts)
            return
        by_person: dict[str, frozenset[str]] = {}
        for person, text in zip(data.persons, data.texts, strict=True):
            by_person[person] = by_person.get(person, frozenset()) | self._contexts.terms_in([text])
        yield from by_person.values()


def contexts_of(source: Source, only: Collection[str]) -> Contexts:
    """From a table of entities and terms."""
    rows = source.read(["entity", "term"])
    pairs = [
        (str(e), str(t)) for e, t in zip(rows["entity"].to_pylist(), rows["term"].to_pylist(), strict=True) if e and t
    ]
    entities = tuple(dict.fromkeys(entity for entity, _ in pairs))
    place = {entity: i for i, entity in enumerate(entities)}
    holders: dict[str, int] = {}
    written: dict[tuple[str, ...], str] = {}
    for entity, term in pairs:
        words = words_of(term)
        if words:
            first = written.setdefault(words, term)  # two spellings of one term are one
            holders[first] = holders.get(first, 0) | 1 << place[entity]
    if not holders:
        raise DataError(f"{source.label} — contains no context — give one row for each entity and term")
    unknown = sum(entity not in place for entity in only)
    if unknown:
        raise DataError(f"{source.label} — {unknown} of the entities under `only` have no context — add or remove them")
    return Contexts(entities, holders, tuple(place[entity] for entity in only or entities))
