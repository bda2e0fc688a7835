"""Do persons have the same identifiers in two files? What speaks against it, as far as two published tables show.

Persons of two files are compared by their identifiers. If a hospital numbers the patients of each export anew, a person
has two identifiers, or two persons have one, and a judge who compares identifiers compares strangers. This module looks
for two signs of that:

- Fewer than half of the persons of the smaller table are in the other one. They may be newcomers, or renumbered.
- Persons with one identifier look no more alike than persons with two. For each column of both tables, the share of
  persons whose cells could mean the same value is compared with the share expected if the identifiers of one table were
  dealt out at random. Of the difference between that and full agreement, at least half must be reached over all
  columns, and a quarter in each: lines of two sorted files agree in the columns by which they are sorted.

No sign is proof: ages and addresses change, and newcomers are common. So a sign makes the result undecided, and the
policy can claim that identifiers were kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sharewell import people_evidence
from sharewell.people_evidence import FEWEST_PERSONS, LEAST_AGREEMENT, LEAST_TELLING
from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.cell_overlap import CellOverlap
from sharewell.tables.engine.checks.joint_classes import LinkedTable, same_values
from sharewell.tables.engine.columns import Column

LEAST_OF_A_COLUMN = 0.25


def identifier_doubts(tables: Sequence[LinkedTable]) -> list[str]:
    """What speaks against names that mean the same person in two files, for each pair that does not claim it."""
    sign = "persons with one identifier look like different people"
    return people_evidence.identifier_doubts(tables, _are_strangers, sign)


def _are_strangers(table: LinkedTable, other: LinkedTable, ours: Ints, theirs: Ints) -> bool:
    result = agreement(table, other, ours, theirs)
    return result is not None and (result.over_all < LEAST_AGREEMENT or result.least < LEAST_OF_A_COLUMN)


@dataclass(frozen=True)
class Agreement:
    """How much more alike persons with one identifier are than strangers: 0 as strangers, 1 throughout."""

    over_all: float
    least: float
    """In the column in which they are least alike."""


def agreement(table: LinkedTable, other: LinkedTable, ours: Ints, theirs: Ints) -> Agreement | None:
    """Over the columns of both tables; None: nobody can tell. ours, theirs: the number of each record's person."""
    common = np.intersect1d(ours, theirs)
    shares: list[tuple[float, float]] = []
    for mine, yours, quasi in _shared_columns(table, other):
        codes = (mine.codes.astype(np.int64), yours.codes.astype(np.int64)) if quasi else same_values(mine, yours)
        a, b = _one_cell(codes[0], ours, common), _one_cell(codes[1], theirs, common)
        known = (a >= 0) & (b >= 0)
        count = int(known.sum())
        if count < FEWEST_PERSONS:
            continue
        overlap = CellOverlap(mine, yours) if quasi else None
        observed, chance = _alike(a[known], b[known], overlap)
        if 1 - chance > LEAST_TELLING:
            shares.append((count * (observed - chance), count * (1 - chance)))
    if not shares:
        return None
    over_all = sum(more for more, _ in shares) / sum(most for _, most in shares)
    return Agreement(over_all, min(more / most for more, most in shares))


def _shared_columns(table: LinkedTable, other: LinkedTable) -> Iterator[tuple[Column, Column, bool]]:
    """Columns of one name in the files; are they quasi columns of both?"""
    yours = {other.sources.get(column.name, column.name): column for column in other.data.quasi}
    for column in table.data.quasi:
        name = table.sources.get(column.name, column.name)
        if name in yours:
            yield column, yours[name], True
    sensitive = other.sensitive
    for name, column in table.sensitive.items():
        if name in sensitive:
            yield column, sensitive[name], False


def _one_cell(codes: Ints, persons: Ints, common: Ints) -> Ints:
    """The cell of each common person, −1 if their records show several."""
    place = np.searchsorted(common, persons)
    inside = (place < len(common)) & (common[np.minimum(place, len(common) - 1)] == persons)
    low, high = np.full(len(common), np.iinfo(np.int64).max), np.full(len(common), -1, dtype=np.int64)
    np.minimum.at(low, place[inside], codes[inside])
    np.maximum.at(high, place[inside], codes[inside])
    return np.where(low == high, high, -1)


def _alike(a: Ints, b: Ints, overlap: CellOverlap | None) -> tuple[float, float]:
    """The share of pairs whose cells could be of one value, and the share if the second were dealt out at random."""
    order = np.argsort(a, kind="stable")
    cells, starts = np.unique(a[order], return_index=True)
    held = np.bincount(b)
    alike = by_chance = 0
    for cell, some in zip(cells.tolist(), np.split(b[order], starts[1:]), strict=True):
        covered = _covered(cell, overlap, len(held))
        alike += int(covered[some].sum())
        by_chance += len(some) * int(held[covered].sum())
    return alike / len(a), by_chance / len(a) ** 2


def _covered(cell: int, overlap: CellOverlap | None, codes: int) -> Bools:
    """Which codes of the other column could be of the same value."""
    covered = [cell] if overlap is None else overlap.of(cell)
    places = np.arange(codes) if covered is None else np.asarray(covered, dtype=np.intp)
    result = np.zeros(codes, dtype=bool)
    result[places[places < codes]] = True
    return result
