"""K-safety: as few terms as possible are removed such that the rest fits at least K entities.

## Guarantee
k-safe holds for all notes of every person together (or, with `unit: note`, for each note). A term that is removed is
removed from all notes of the person.

## Adversary
As of `k-safe`.

## What it does not protect
As of `k-safe`: whatever is in no context.

## Parameters
k, contexts, only, unit: as of `k-safe`.
mask: what stands in place of a removed term (default `[…]`).
steps: how long the fewest terms are searched for (default 20,000 choices); beyond that the search is greedy.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.notes import Notes
>>> from sharewell.notes.criteria.k_safe import KSafe
>>> rows = {"entity": ["flu", "flu", "HIV", "HIV", "HIV"], "term": ["fever", "cough", "fever", "cough", "CD4"]}
>>> contexts = Source.of(pa.table(rows))
>>> notes = Notes.of(["Fever for a week, CD4 low."])
>>> KSafety(2, contexts).protect(notes, [KSafe(2, contexts)]).data.texts[0]
'Fever for a week, […] low.'

## Why it is safe
A set of terms that fits fewer than k entities must lose at least one of its terms. The search takes a smallest such set
and tries each of its terms in turn, with ever more removals allowed, so that the first success removes the fewest.
Without any term, all entities fit: it always ends, unless there are fewer than k entities at all.

## Cost
Exponential in the number of removals at worst (finding the fewest is NP-hard); `steps` bounds it. The greedy search
removes the term that occurs in the fewest contexts of the offending set, and is O(terms² · protected entities).

## Source
Chakaravarthy, Gupta, Roy and Mohania, 2008 (ERASE). The exact search is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from sharewell.errors import Infeasible
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.notes.criteria.k_safe import Contexts, contexts_of
from sharewell.notes.data import Notes
from sharewell.notes.engine.protection.person_by_person import NoteMechanism, person_by_person
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, RewrittenNote, apply_edits
from sharewell.parameters import Count, Declared
from sharewell.protocols import Criterion, Protected


@dataclass(frozen=True)
class KSafety(Declared, NoteMechanism):
    """The fewest terms are removed."""

    k: Count
    contexts: Source
    only: tuple[str, ...] = ()
    unit: Literal["person", "note"] = "person"
    mask: str = "[…]"
    steps: Count = 20_000

    name: ClassVar[str] = "k-safety"

    @cached_property
    def _contexts(self) -> Contexts:
        return contexts_of(self.contexts, self.only)

    def protect(self, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None) -> Protected[Notes]:
        entities = len(self._contexts.entities)
        if entities < self.k:
            blocking = [f"{entities} entities have a context, and {self.k} must fit"]
            raise Infeasible(
                "k-safety — no text can hide among so many", blocking=blocking, relaxations=["a smaller k"]
            )
        return person_by_person(self, data, must, key)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        contexts = self._contexts
        if self.unit == "note":
            terms_by_note = [terms_to_remove(contexts, contexts.terms_in([text]), self.k, self.steps) for text in texts]
        else:
            terms_by_note = [terms_to_remove(contexts, contexts.terms_in(texts), self.k, self.steps)] * len(texts)
        return [self._without(text, terms) for text, terms in zip(texts, terms_by_note, strict=True)]

    def _without(self, text: str, terms: Collection[str]) -> RewrittenNote:
        pieces: list[tuple[int, int]] = []
        for start, end, term in self._contexts.vocabulary.every(text):
            if term in terms and pieces and start < pieces[-1][1]:
                pieces[-1] = pieces[-1][0], max(end, pieces[-1][1])
            elif term in terms:
                pieces.append((start, end))
        return apply_edits(text, [Edit(start, end, "OTHER", self.mask) for start, end in pieces])


def terms_to_remove(contexts: Contexts, shown: Collection[str], k: int, steps: int = 20_000) -> frozenset[str]:
    """Terms whose removal leaves at least k entities for every protected one: the fewest, unless steps run out."""
    budget = [steps]
    for most in range(len(shown) + 1):
        terms = _with_at_most(contexts, frozenset(shown), k, most, budget)
        if terms is not None:
            return terms
        if budget[0] <= 0:
            break
    return _greedy(contexts, frozenset(shown), k)


def _with_at_most(
    contexts: Contexts, kept: frozenset[str], k: int, most: int, budget: list[int]
) -> frozenset[str] | None:
    """What to remove, of at most so many terms."""
    budget[0] -= 1
    offending = _offending(contexts, kept, k)
    if offending is None:
        return frozenset()
    if most == 0 or budget[0] <= 0:
        return None
    for term in sorted(offending, key=lambda term: (contexts.holders[term].bit_count(), term)):
        terms = _with_at_most(contexts, kept - {term}, k, most - 1, budget)
        if terms is not None:
            return terms | {term}
    return None


def _offending(contexts: Contexts, kept: frozenset[str], k: int) -> frozenset[str] | None:
    """Kept terms of a protected entity that fit fewer than k entities, and would not without any one of them."""
    for entity in contexts.protected:
        entity_terms = contexts.entity_terms(entity, kept)
        if entity_terms and contexts.fitting(entity_terms) < k:
            for term in sorted(entity_terms):
                if len(entity_terms) > 1 and contexts.fitting(entity_terms - {term}) < k:
                    entity_terms -= {term}
            return entity_terms
    return None


def _greedy(contexts: Contexts, kept: frozenset[str], k: int) -> frozenset[str]:
    terms: frozenset[str] = frozenset()
    while offending := _offending(contexts, kept - terms, k):
        terms |= {min(offending, key=lambda term: (contexts.holders[term].bit_count(), term))}
    return terms
