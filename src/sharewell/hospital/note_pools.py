"""Invented employers, schools and agencies, and the staff of the hospital: what notes mention besides the patient."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sharewell.hospital.draws import Dice, Ints, Stream
from sharewell.hospital.names import load_names, plain_letters
from sharewell.io.shipped import shipped_rows, shipped_text

CLINICIANS, NURSES, PRACTITIONERS = 60, 120, 40
HOSPITAL, CLINIC = "Saltmarsh General Hospital", "Saltmarsh Family Clinic"


@dataclass(frozen=True)
class Person:
    """A name in a note who is not the patient."""

    given: str
    family: str

    @property
    def last_first(self) -> str:
        """SMITH, Ann"""
        return f"{self.family.upper()}, {self.given}"

    @property
    def full(self) -> str:
        """Given and family name."""
        return f"{self.given} {self.family}"


@dataclass(frozen=True)
class Staff:
    """Everybody who works at the hospital, and the general practitioners around it."""

    clinicians: tuple[Person, ...]
    nurses: tuple[Person, ...]
    practitioners: tuple[Person, ...]


def _people(seed: int, group: str, count: int) -> tuple[Person, ...]:
    names, lane = load_names(), Stream(seed, f"staff/{group}").of(np.arange(count))
    female = lane.chance("sex", 0.85 if group == "nurses" else 0.45)
    family, given = names.family(lane), names.given(lane, female, 1955 + lane.below("born", 40))
    return tuple(
        Person(names.givens[int(first)].as_py(), names.families[int(last)].as_py())
        for first, last in zip(given, family, strict=True)
    )


@lru_cache(maxsize=4)
def load_staff(seed: int) -> Staff:
    """The staff of a hospital, the same for all of its notes."""
    return Staff(
        _people(seed, "clinicians", CLINICIANS),
        _people(seed, "nurses", NURSES),
        _people(seed, "practitioners", PRACTITIONERS),
    )


@dataclass(frozen=True)
class Strangers:
    """Names to draw from in plain Python: relatives, teachers, landlords."""

    families: tuple[str, ...]
    girls: tuple[str, ...]
    boys: tuple[str, ...]

    def person(self, dice: Dice, female: bool | None = None, family: str | None = None) -> Person:
        girl = dice.chance(0.5) if female is None else female
        return Person(dice.of(self.girls if girl else self.boys), family or dice.of(self.families))


@lru_cache(maxsize=4)
def load_strangers(seed: int) -> Strangers:
    """A pool of 2,000 family names, as common as in the Census, and all given names by their weight."""
    names = load_names()
    drawn: Ints = names.family(Stream(seed, "strangers").of(np.arange(2_000)))
    pools: dict[str, list[str]] = {"F": [], "M": []}
    for row in shipped_rows("names/given.csv"):
        pools[row["sex"]] += [row["name"]] * max(int(float(row["weight"])) // 4, 1)
    families = tuple(names.families[int(number)].as_py() for number in drawn)
    return Strangers(families, tuple(pools["F"]), tuple(pools["M"]))


@dataclass(frozen=True)
class Pools:
    """Lists of employers, schools, roads and so on, and what patients and hurried clinicians call a diagnosis."""

    lists: dict[str, Sequence[str]]
    lay_terms: dict[str, str]


@lru_cache(maxsize=1)
def load_pools() -> Pools:
    """Read the shipped file (once)."""
    content = tomllib.loads(shipped_text("hospital/note_pools.toml"))
    return Pools({name: tuple(entries) for name, entries in content["lists"].items()}, dict(content["lay_terms"]))


@lru_cache(maxsize=1)
def load_brands() -> dict[str, str]:
    """Generic name → brand name, where there is one."""
    return {row["drug"]: row["brand"] for row in shipped_rows("hospital/brands.csv")}


def mail(person: Person) -> str:
    """The part of an address before the @."""
    return f"{plain_letters(person.given)}.{plain_letters(person.family)}"
