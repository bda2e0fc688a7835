"""Releases beside a register in which people have several rows: whoever fits by any row counts, and counts once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.tables import DeltaPresence, JournalistRisk, KMap, Linkage, Table

F = Fraction
Row = tuple[Any, str, str]
"""Who (None: the register does not say), age, zip."""
AGES, ZIPS = ("20", "25", "31", "38"), ("021", "025", "031")
QUESTIONS = ("k-map", "δ-presence", "journalist risk", "linkage")
BOUNDS = (F(1, 4), F(1, 3), F(1, 2), F(2, 3), F(1))
FIELDS = ("id", "age", "zip")


@dataclass(frozen=True)
class RegisterCase:
    question: str
    bound: Fraction
    least: Fraction
    """Of δ-presence."""
    listed: tuple[Row, ...]
    released: tuple[Row, ...]


def fits(cell: str, value: str) -> bool:
    if cell == "*":
        return True
    if cell[0] == "[":
        low, high = cell[1:-1].split("-")
        return int(low) <= int(value) <= int(high)
    return value.startswith(cell[:-1]) if cell[-1] == "*" else cell == value


def generalised(row: Row, level: tuple[int, int]) -> Row:
    who, age, place = row
    ages = (age, f"[{age[0]}0-{age[0]}9]", "*")
    return who, ages[level[0]], (place, f"{place[:2]}*", "*")[level[1]]


def presence(classes: list[tuple[int, list[Any]]], people: set[Any]) -> dict[Any, Fraction]:
    """Over all choices of the released persons of each class among those who fit it: how often is somebody chosen?"""
    worlds = prod(comb(len(fit), n) for n, fit in classes)
    times = dict.fromkeys(people, 0)
    for world in product(*(combinations(fit, n) for n, fit in classes)):
        for who in {one for part in world for one in part}:
            times[who] += 1
    return {who: F(count, worlds) for who, count in times.items()}


@lru_cache(maxsize=1)
def opened(listed: tuple[Row, ...], released: tuple[Row, ...]) -> tuple[pa.Table, Table]:
    people, shown = (
        pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(FIELDS)})
        for rows in (listed, released)
    )
    return people, Table.of(shown, quasi=["age", "zip"], subject="id", published=True)


class RegisterCases(Kind):
    """A register and a release are asked about in four ways: each question is a case."""

    name = "registers with several rows a person"

    def __init__(self) -> None:
        self.last: RegisterCase | None = None

    def draw(self, rng: np.random.Generator) -> RegisterCase:
        asked = 0 if self.last is None else (QUESTIONS.index(self.last.question) + 1) % len(QUESTIONS)
        if not asked or self.last is None:
            self.last = self._drawn(rng)
        else:
            bound = pick(rng, [one for one in BOUNDS if one >= self.last.least])
            self.last = replace(self.last, question=QUESTIONS[asked], bound=bound)
        return self.last

    def _drawn(self, rng: np.random.Generator) -> RegisterCase:
        rows, people = int(rng.integers(4, 17)), int(rng.integers(3, 9))
        who: list[Any] = [f"p{i}" for i in rng.integers(0, people, rows)]
        places = list(
            zip(rng.integers(0, len(AGES), rows).tolist(), rng.integers(0, len(ZIPS), rows).tolist(), strict=True)
        )
        if rng.random() < 0.6:  # most people do not move
            homes = dict(zip(who, places, strict=True))
            places = [homes[one] for one in who]
        listed = [(one, AGES[a], ZIPS[z]) for one, (a, z) in zip(who, places, strict=True)]
        inside = sorted({row[0] for row in listed})[: int(rng.integers(1, 4))]
        level = (int(rng.integers(3)), int(rng.integers(3)))
        each = rng.random() < 0.2
        shown = [
            generalised(row, (int(rng.integers(3)), int(rng.integers(3))) if each else level)
            for row in listed
            if row[0] in inside and rng.random() < 0.8
        ] or [generalised(listed[0], level)]
        if rng.random() < 0.15:
            listed = [
                (None if lost else a, b, c) for (a, b, c), lost in zip(listed, rng.random(rows) < 0.2, strict=True)
            ]
        least = F(1, 4) if rng.random() < 0.15 else F(0)
        bound = pick(rng, [one for one in BOUNDS if one >= least])
        return RegisterCase(QUESTIONS[0], bound, least, tuple(listed), tuple(shown))

    def answer(self, case: RegisterCase) -> Answer:
        people, table = opened(case.listed, case.released)
        if case.question == "k-map":
            return Answer(KMap(people, int(1 / case.bound), subject="id").check(table).ok)
        if case.question == "journalist risk":
            return Answer(JournalistRisk(people, case.bound, subject="id").check(table).ok)
        if case.question == "δ-presence":
            return Answer(DeltaPresence(people, case.bound, min=case.least, subject="id").check(table).ok)
        risk = Linkage(people, subject="id").mount(table).value
        return Answer(None if risk is None else F(risk).limit_denominator(1000) <= case.bound)

    def is_safe(self, case: RegisterCase, published: Any) -> bool:
        named = [row for row in case.listed if row[0] is not None]
        if case.question != "δ-presence":
            numbers = [len(fit) for _, fit in self._classes(case, named)]
            if case.question == "k-map":
                return all(number >= int(1 / case.bound) for number in numbers)
            return all(F(1, number) <= case.bound for number in numbers if number)
        if any(len(fit) < n for n, fit in self._classes(case, named)):
            return False
        high = presence(self._classes(case, named), {row[0] for row in named})
        everybody = [(i if row[0] is None else row[0], *row[1:]) for i, row in enumerate(case.listed)]
        low = presence(self._classes(case, everybody), {row[0] for row in everybody})
        return max(high.values(), default=F(0)) <= case.bound and min(low.values()) >= case.least

    def _classes(self, case: RegisterCase, people: list[Any]) -> list[tuple[int, list[Any]]]:
        """Of each class the number of persons, and those of the register who fit."""
        found = []
        for cells in {row[1:] for row in case.released}:
            inside = {row[0] for row in case.released if row[1:] == cells}
            fit = {row[0] for row in people if fits(cells[0], row[1]) and fits(cells[1], row[2])}
            found.append((len(inside), sorted(fit, key=str)))
        return found
