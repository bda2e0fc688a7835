"""Carrying an attack out: drawn targets, one pick each, counted successes. Only a steward, who has the truth, can."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import SEED, TARGETS, Simulated, Truth
from sharewell.tables.data import Bools, Column, Floats, Indices, Table
from sharewell.tables.engine.classes import Classes, known_codes


def person_of(truth: Truth[Table]) -> Indices:
    """Whom each published row is about, as a number, −1 if unknown; without a subject every record is a person."""
    subject = truth.original.subject
    return truth.rows if subject is None else known_codes(subject)[truth.rows]


def distinct_persons(persons: Indices) -> Indices:
    """Numbers of persons; a record of nobody known is one more person's."""
    return np.where(persons < 0, persons.max(initial=0) + 1 + np.arange(len(persons)), persons)


def draw_rows(persons: Indices, visible: Bools) -> Indices:
    """One published row each of up to TARGETS persons, drawn with a fixed seed."""
    rows = np.flatnonzero(visible & (persons >= 0))
    rows = np.random.default_rng(SEED).permutation(rows)
    whose = persons[rows]
    first = np.empty(int(whose.max(initial=0)) + 1, dtype=np.intp)
    first[whose[::-1]] = np.arange(len(rows))[::-1]  # of places that are given twice, the last one stays
    return rows[np.flatnonzero(first[whose] == np.arange(len(rows)))[:TARGETS]]


@dataclass(frozen=True, eq=False)
class Appearances:
    """Every person in every class where the person has a record, in order of class and person."""

    owner: Indices
    person: Indices
    records: Indices
    """How many records the person has there."""
    row: Indices
    """One of them."""

    @classmethod
    def of(cls, classes: Classes, persons: Indices) -> Appearances:
        """`persons` numbers the person of each published row; −1 is nobody. O(n log n)"""
        whose = persons[classes.order]
        known = np.flatnonzero(whose >= 0)
        width = int(whose.max(initial=0)) + 1
        there = classes.class_of[known] * width + whose[known]
        keys, first, count = np.unique(there, return_index=True, return_counts=True)
        return cls(keys // width, keys % width, count, classes.order[known[first]])

    def drawn(self) -> Indices:
        """Up to TARGETS of them, drawn with a fixed seed: within a class everybody is as likely as everybody else."""
        return np.random.default_rng(SEED).permutation(len(self.owner))[:TARGETS]


def persons_as_published(classes: Classes, rows: int) -> Indices:
    """The person of each published row by the release or its evidence, as a number; −1 if unknown."""
    return np.arange(rows) if classes.subject is None else known_codes(classes.columns[classes.subject])


def has_value(
    classes: Classes, persons: Indices, column: Column, owner: Indices, person: Indices, value: NDArray[np.integer]
) -> Bools:
    """For (class, person, value): has a record of the person in the class that value?"""
    width, size = int(persons.max(initial=0)) + 1, max(1, column.size)
    whose = persons[classes.order]
    keys = (classes.class_of * width + whose) * size + column.codes[classes.order]
    return np.isin((owner * width + person) * size + value, keys[whose >= 0])


def picks(chances: Floats) -> Simulated | None:
    """One pick for each target, right with the target's own chance."""
    return Simulated.of(np.random.default_rng(SEED + 1).random(len(chances)) < chances, chances)
