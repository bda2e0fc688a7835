"""Persons who read all tables that they are in: each knows the own cell in every one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

import numpy as np

from sharewell.errors import DataError
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.relations import Ints
from sharewell.reports.counts.engine.table_readers import NOBODY, OUTSIDER, Knowledge

MOST_READERS = 2_000


def joint_readers(tables: Mapping[str, CountTable], starts: Mapping[str, int], same_people: bool) -> list[Knowledge]:
    """The outsider, and whoever inside may know more than others. Cells are places among those of all tables."""
    if any(table.is_count for table in tables.values()):
        return [OUTSIDER, *_counted(tables, starts)]
    if not same_people:
        raise DataError(
            "sums of people from different files — contributors cannot be matched across files — set readers: outsiders"
        )
    return [OUTSIDER, *_contributors(tables, starts)]


def _counted(tables: Mapping[str, CountTable], starts: Mapping[str, int]) -> Iterable[Knowledge]:
    """Any choice of one cell a table: more than there are persons, never fewer."""
    choices: list[list[int | None]] = []
    for name, table in tables.items():
        low, high = table.bounds()
        maybe_nobody = (low == 0) & (low < high) & table.leaves
        if not maybe_nobody.any():
            continue
        if table.truth is None:
            raise DataError(f"{name} — its true cells are not at hand — needed to judge what persons in it know")
        own = np.flatnonzero(maybe_nobody & (table.truth.values > 0)) + starts[name]
        choices.append([None, *own.tolist()])
    if prod(len(one) for one in choices) > MOST_READERS:
        raise _too_many()
    for chosen in product(*choices):
        cells = np.array([cell for cell in chosen if cell is not None], dtype=np.int64)
        if len(cells):
            yield Knowledge(cells, np.ones(len(cells), np.int64), NOBODY)


def _contributors(tables: Mapping[str, CountTable], starts: Mapping[str, int]) -> Iterable[Knowledge]:
    """Of persons in the same open cells, the one with the largest parts, or all of them where parts differ."""
    cells, persons, amounts, crowds = [], [], [], []
    for name, table in tables.items():
        if table.truth is None or table.truth.given is None:
            raise DataError(f"{name} — who contributes to it is not at hand — needed to judge what persons in it know")
        given, (low, high) = table.truth.given, table.bounds()
        kept = (low < high)[given.cell]
        cells.append(given.cell[kept] + starts[name])
        persons.append(given.person[kept])
        amounts.append(given.amount[kept])
        crowds.append(np.bincount(given.cell, minlength=table.size)[given.cell[kept]])
    cell, person, amount, crowd = (np.concatenate(part) for part in (cells, persons, amounts, crowds))
    known: dict[bytes, list[tuple[Ints, Ints, Ints]]] = {}
    order = np.lexsort((cell, person))
    for mine in np.split(order, np.flatnonzero(np.diff(person[order])) + 1) if len(order) else ():
        parts = cell[mine], amount[mine], cell[mine][crowd[mine] == 1]
        rivals = known.setdefault(parts[0].tobytes(), [])
        if any((other[1] >= parts[1]).all() for other in rivals):
            continue
        rivals[:] = [other for other in rivals if not (parts[1] >= other[1]).all()] + [parts]
    best = [Knowledge(*parts) for rivals in known.values() for parts in rivals]
    if len(best) > MOST_READERS:
        raise _too_many()
    yield from best


def _too_many() -> DataError:
    what = f"more than {MOST_READERS:,} contributors who may each know something different"
    return DataError(f"the tables — {what} — leave a table out, make them coarser, or set readers: outsiders")
