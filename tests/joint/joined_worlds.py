"""Small worlds of people with true values, something published of them, and an attacker who knows true values.

Nothing here is shared with the package: candidates are counted from the definition, over people with true values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from sharewell.protocols import PersonFacts

CODES, WARDS, SNPS, WORDS = 5, 4, 3, 4
ANY_STATE = 9
"""It is known that there is a record, and not how it is seen."""


@dataclass(frozen=True)
class Person:
    """True values; None where a dataset does not have the person."""

    age: int | None
    codes: tuple[int, ...] | None
    wards: tuple[int, ...]
    """One for each visit; nobody without a visit is in that dataset."""
    snps: tuple[int, ...] | None
    illness: int
    words: tuple[int, ...] | None
    """Of the person's notes."""


@dataclass(frozen=True)
class World:
    people: tuple[Person, ...]
    age_class: tuple[int, ...]
    """Of each age."""
    label: tuple[int | None, ...]
    """Of each code: what stands for it; None: it is left out everywhere."""
    ward_class: tuple[int | None, ...]
    snp_sets: tuple[tuple[frozenset[int], ...], ...]
    """Of each person: what is shown of each SNP, a set that covers the true value."""
    hidden_words: tuple[frozenset[int], ...]
    """Of each person: words of the notes that are left out; a note shows that some are."""
    signs: bool
    """Does every note show the sign of words left out, whether there are any or not?"""
    knows: dict[str, Any]
    at_most: int | None = None
    """Facts that are known at once, over all datasets."""

    def facts(self) -> dict[str, PersonFacts]:
        """What is published, as the wings would hand it over."""
        named = [(f"p{i}", one) for i, one in enumerate(self.people)]
        aged = [(name, one) for name, one in named if one.age is not None]
        coded = [(name, one) for name, one in named if one.codes is not None]
        shown = [sorted({self.label[c] for c in one.codes} - {None}) for _, one in coded]  # type: ignore[union-attr, type-var]
        rows = [(name, self.ward_class[ward]) for name, one in named for ward in one.wards]
        rows = [(name, shown_ward) for name, shown_ward in rows if shown_ward is not None]
        typed = [(i, name) for i, (name, one) in enumerate(named) if one.snps is not None]
        symbols = sorted({cell for i, _ in typed for cell in self.snp_sets[i]}, key=sorted)
        lengths = [len(one) for one in shown]
        noted = [(i, name) for i, (name, one) in enumerate(named) if one.words is not None]
        words = [sorted(self._words_shown(i)) for i, _ in noted]
        both = [(i, name, one) for i, (name, one) in enumerate(named) if self._is_in("record", one)]
        held = [sorted({self.label[c] for c in one.codes or ()} - {None}) for _, _, one in both]  # type: ignore[type-var]
        return {
            "notes": PersonFacts(
                [name for _, name in noted],
                {},
                sets=_sets(words),
                called="word",
                marked=np.array([self._marked(i) for i, _ in noted], bool),
            ),
            "record": PersonFacts(
                [name for _, name, _ in both],
                {
                    str(place): np.array([symbols.index(self.snp_sets[i][place]) for i, *_ in both], int)
                    for place in range(SNPS)
                },
                sets=_sets(held),
                places=tuple(map(str, range(SNPS))),
            ),
            "people": PersonFacts(
                [name for name, _ in aged],
                {"age": np.array([self.age_class[one.age] for _, one in aged], int)},  # type: ignore[index]
                ("age",),
                {"illness": np.array([one.illness for _, one in aged], int)},
            ),
            "codes": PersonFacts(
                [name for name, _ in coded],
                {},
                sets=(np.concatenate([[0], np.cumsum(lengths)]).astype(int), np.array(list(chain(*shown)), int)),
            ),
            "visits": PersonFacts(
                [name for name, _ in rows], {"ward": np.array([ward for _, ward in rows], int)}, ("ward",)
            ),
            "dna": PersonFacts(
                [name for _, name in typed],
                {
                    str(place): np.array([symbols.index(self.snp_sets[i][place]) for i, _ in typed], int)
                    for place in range(SNPS)
                },
                places=tuple(map(str, range(SNPS))),
            ),
        }

    def candidate_sets(self) -> list[frozenset[int]]:
        """For every person who is published and all that may be known of them: the people whom it fits."""
        published = [i for i, one in enumerate(self.people) if self._published(one)]
        found = []
        for who in published:
            known_parts = [
                (name, sort, most) for name, given in self.knows.items() for sort, most in _parts(name, given)
            ]
            every = product(*(self._knowledge(name, sort, most, who) for name, sort, most in known_parts))
            for known in every:
                if self.at_most is not None and sum(_facts(what) for *_, what in known) > self.at_most:
                    continue
                fits = [q for q in published if all(self._fits(name, sort, what, q) for name, sort, what in known)]
                found.append(frozenset(fits))
        return found

    def _words_shown(self, who: int) -> set[int]:
        return set(self.people[who].words or ()) - self.hidden_words[who]

    def _marked(self, who: int) -> bool:
        return self.signs or bool(set(self.people[who].words or ()) & self.hidden_words[who])

    def _published(self, one: Person) -> bool:
        return any(self._is_in(name, one) for name in self.knows)

    def _state(self, name: str, one: Person) -> int:
        """Is the person seen with facts, without any, or not at all?"""
        if not self._is_in(name, one):
            return 0
        if name == "notes":
            return 2 if self._words_shown(next(i for i, other in enumerate(self.people) if other is one)) else 1
        return 1 if name in ("codes", "record") and all(self.label[code] is None for code in one.codes or ()) else 2

    def _is_in(self, name: str, one: Person) -> bool:
        """Is there a published record of the person?"""
        return {
            "people": one.age is not None,
            "codes": one.codes is not None,
            "visits": any(self.ward_class[ward] is not None for ward in one.wards),
            "dna": one.snps is not None,
            "record": one.snps is not None and one.codes is not None,
            "notes": one.words is not None,
        }[name]

    def _knowledge(self, name: str, sort: str, most: Any, who: int) -> list[tuple[str, str, Any]]:
        one = self.people[who]
        if sort == "people":
            return [(name, sort, one.age)]
        there = self._is_in(name, one) or name != "record"  # nothing is known of a record that is not there
        true: list[Any] = {
            "codes": sorted(set(one.codes or ())),
            "visits": sorted(one.wards),
            "dna": list(enumerate(one.snps or ())),
            "notes": sorted(set(one.words or ())),
        }[sort]
        some = {tuple(sorted(part)) for size in range(most + 1) for part in combinations(true if there else [], size)}
        state = self._state(name, one)
        if sort not in ("codes", "notes"):
            return [(name, sort, (part, min(state, 1) * ANY_STATE, len(part))) for part in sorted(some)]
        found = []
        for part in sorted(some):  # whoever knows what was left out looks among records that are seen like this one
            hidden = any(self._is_hidden(sort, fact, who) for fact in part)
            found.append((name, sort, (part, state if hidden else min(state, 1) * ANY_STATE, len(part))))
            if len(part) < most:  # and how it is seen may be known like one fact more
                found.append((name, sort, (part, state, len(part) + 1)))
        return found

    def _is_hidden(self, sort: str, fact: int, who: int) -> bool:
        return self.label[fact] is None if sort == "codes" else fact not in self._words_shown(who)

    def _fits(self, name: str, sort: str, what: Any, q: int) -> bool:
        """May this be the published record of somebody of whom so much is true?"""
        one, name_of_record, name = self.people[q], name, sort
        if name == "people":
            if what is None or one.age is None:
                return what is None or one.age is None  # whoever is not listed may have any age
            return self.age_class[what] == self.age_class[one.age]
        what, state, _ = what
        own = self._state(name_of_record, one)
        if state != own and not (state == ANY_STATE and own):
            return False
        if name == "notes":
            return all(word in self._words_shown(q) or self._marked(q) for word in what)
        if name == "codes":
            shown = {self.label[code] for code in one.codes or ()}
            return all(
                self.label[code] is None or (one.codes is not None and self.label[code] in shown) for code in what
            )
        if name == "visits":
            known = Counter(self.ward_class[ward] for ward in what)
            here = Counter(self.ward_class[ward] for ward in one.wards)
            return all(here[ward] >= times for ward, times in known.items() if ward is not None)
        return all(one.snps is not None and value in self.snp_sets[q][place] for place, value in what)


def draw(rng: np.random.Generator, most_people: int = 6) -> World:
    """A world with every odd thing in it: nobody, absent persons, visits twice, codes left out, cells that overlap."""
    people = tuple(_person(rng) for _ in range(int(rng.integers(1, most_people + 1))))
    snps = tuple(
        tuple(
            frozenset({value} | set(rng.integers(0, 3, int(rng.integers(0, 3))).tolist())) for value in one.snps or ()
        )
        for one in people
    )
    knows: dict[str, Any] = {}
    if rng.random() < 0.8:
        knows["people"] = ["age"]
    for name, most in (("codes", 3), ("visits", 3), ("dna", 2), ("notes", 3)):
        if rng.random() < 0.4:
            knows[name] = int(rng.integers(0, most))
    if rng.random() < 0.3:
        knows["record"] = {"codes": int(rng.integers(0, 3)), "snps": int(rng.integers(0, 2))}
    return World(
        people,
        tuple(sorted(rng.integers(0, 2, 4).tolist())),
        tuple(None if rng.random() < 0.15 else int(rng.integers(0, 3)) for _ in range(CODES)),
        tuple(None if rng.random() < 0.15 else int(rng.integers(0, 2)) for _ in range(WARDS)),
        snps,
        _hidden(rng, people),
        rng.random() < 0.5,
        knows or {"people": ["age"]},
        None if rng.random() < 0.6 else int(rng.integers(1, 4)),
    )


def _hidden(rng: np.random.Generator, people: tuple[Person, ...]) -> tuple[frozenset[int], ...]:
    """Words that go: the rare ones of everybody, because of the data, or any of anybody's."""
    counts = Counter(word for one in people for word in set(one.words or ()))
    if rng.random() < 0.5:
        rare = frozenset(word for word, count in counts.items() if count < 2)
        return (rare,) * len(people)
    return tuple(frozenset(rng.integers(0, WORDS, int(rng.integers(0, 3))).tolist()) for _ in people)


def _parts(name: str, given: Any) -> list[tuple[str, Any]]:
    """(sort of facts, how many) of what is known of a dataset."""
    if isinstance(given, dict):
        return [("codes" if word == "codes" else "dna", most) for word, most in given.items()]
    return [(name, given)]


def _facts(what: Any) -> int:
    """How many facts a piece of knowledge holds; columns that are known for sure hold none."""
    return int(what[2]) if isinstance(what, tuple) else 0


def _sets(rows: list[list[Any]]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(int)
    return starts, np.array(list(chain(*rows)), int)


def _person(rng: np.random.Generator) -> Person:
    return Person(
        age=None if rng.random() < 0.1 else int(rng.integers(0, 4)),
        codes=None if rng.random() < 0.1 else tuple(rng.integers(0, CODES, int(rng.integers(0, 4))).tolist()),
        wards=tuple(rng.integers(0, WARDS, int(rng.integers(0, 4))).tolist()),
        snps=None if rng.random() < 0.2 else tuple(rng.integers(0, 3, SNPS).tolist()),
        illness=int(rng.integers(0, 2)),
        words=None if rng.random() < 0.2 else tuple(rng.integers(0, WORDS, int(rng.integers(1, 4))).tolist()),
    )
