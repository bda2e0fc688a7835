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

CODES, WARDS, SNPS = 5, 4, 3


@dataclass(frozen=True)
class Person:
    """True values; None where a dataset does not have the person."""

    age: int | None
    codes: tuple[int, ...] | None
    wards: tuple[int, ...]
    """One for each visit; nobody without a visit is in that dataset."""
    snps: tuple[int, ...] | None
    illness: int


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
    knows: dict[str, Any]

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
        return {
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
            for known in product(*(self._knowledge(name, most, self.people[who]) for name, most in self.knows.items())):
                fits = [q for q in published if all(self._fits(name, what, q) for name, what in known)]
                found.append(frozenset(fits))
        return found

    def _published(self, one: Person) -> bool:
        return any(self._is_in(name, one) for name in self.knows)

    def _state(self, name: str, one: Person) -> int:
        """Is the person seen with facts, without any, or not at all?"""
        if not self._is_in(name, one):
            return 0
        return 1 if name == "codes" and all(self.label[code] is None for code in one.codes or ()) else 2

    def _is_in(self, name: str, one: Person) -> bool:
        """Is there a published record of the person?"""
        return {
            "people": one.age is not None,
            "codes": one.codes is not None,
            "visits": any(self.ward_class[ward] is not None for ward in one.wards),
            "dna": one.snps is not None,
        }[name]

    def _knowledge(self, name: str, most: Any, one: Person) -> list[tuple[str, Any]]:
        if name == "people":
            return [(name, one.age)]
        true: list[Any] = {
            "codes": sorted(set(one.codes or ())),
            "visits": sorted(one.wards),
            "dna": list(enumerate(one.snps or ())),
        }[name]
        some = {tuple(sorted(part)) for size in range(most + 1) for part in combinations(true, size)}
        return [(name, (part, self._state(name, one))) for part in sorted(some)]

    def _fits(self, name: str, what: Any, q: int) -> bool:
        """May this be the published record of somebody of whom so much is true?"""
        one = self.people[q]
        if name == "people":
            if what is None or one.age is None:
                return what is None or one.age is None  # whoever is not listed may have any age
            return self.age_class[what] == self.age_class[one.age]
        what, state = what
        if state != self._state(name, one):
            return False
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
    for name, most in (("codes", 3), ("visits", 3), ("dna", 2)):
        if rng.random() < 0.5:
            knows[name] = int(rng.integers(0, most))
    return World(
        people,
        tuple(sorted(rng.integers(0, 2, 4).tolist())),
        tuple(None if rng.random() < 0.15 else int(rng.integers(0, 3)) for _ in range(CODES)),
        tuple(None if rng.random() < 0.15 else int(rng.integers(0, 2)) for _ in range(WARDS)),
        snps,
        knows or {"people": ["age"]},
    )


def _person(rng: np.random.Generator) -> Person:
    return Person(
        age=None if rng.random() < 0.1 else int(rng.integers(0, 4)),
        codes=None if rng.random() < 0.1 else tuple(rng.integers(0, CODES, int(rng.integers(0, 4))).tolist()),
        wards=tuple(rng.integers(0, WARDS, int(rng.integers(0, 4))).tolist()),
        snps=None if rng.random() < 0.2 else tuple(rng.integers(0, 3, SNPS).tolist()),
        illness=int(rng.integers(0, 2)),
    )
