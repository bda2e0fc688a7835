"""Accidental identifiers: persons singled out by a few published values that no criterion treats as known.

## Guarantee
None; a measurement. The value is the largest share of the persons whom one combination of columns singles out.

## Adversary
Knows up to three published values of a target, at least one of them in a column that is kept or sensitive: what a
colleague, an insurer or a newspaper knows of somebody, though the policy takes it for unknown. Quasi columns count as
they are published.

## What it does not protect
An attacker who knows more columns than `size` singles out more persons. Shifted dates and texts are not examined.

## Parameters
size: the largest number of columns in a combination (1, 2 or 3).
combinations: the largest number of combinations to examine, smaller ones first; on large tables fewer, and the note
says how many of how many.

## Worked example
All four are in one class by age, but the ward singles out one of them, and ward and illness together single out two.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 4, "ward": ["A", "A", "A", "B"], "illness": ["flu", "flu", "hiv", "flu"]})
>>> table = Table.of(rows, quasi=["age"], sensitive=["illness"], keep=["ward"])
>>> result = AccidentalIdentifiers().mount(table)
>>> result.value, result.details.by_size, result.details.columns
(0.5, {1: 0.25, 2: 0.5, 3: 0.5}, ('illness', 'ward'))

## Why it is safe
The attack groups rows anew by published cells, and the finding holds only numbers and names of columns. A person with
several records is singled out if one of them shows a combination that no other person's records show. A missing value
is a value like others. Columns with a single value single nobody out and are skipped. Withheld rows do not count.

## Cost
O(c · n) for c combinations of columns and n records; c · n is bounded.

## Source
Sweeney, 2000 (few columns single most people out); the columns looked at are those that a policy calls harmless.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Annotated

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from annotated_types import Interval

from sharewell.algorithm import Attack, Count, Declared, Finding, Role, Truth
from sharewell.tables.data import Bools, Ints, Table, group
from sharewell.tables.engine.columns import ArrowColumn, Codes

_CELLS = 6_000_000
"""Rows times combinations that are looked at."""


@dataclass(frozen=True)
class AccidentalIdentifiersDetails:
    by_size: dict[int, float]
    """Columns put together → the largest share of the persons whom one such combination singles out."""
    columns: tuple[str, ...]
    """The combination that singles out the most, the smallest of equal ones."""
    by_any: float
    """The share of the persons whom some combination singles out."""
    persons: int
    combinations: int
    possible: int
    """Combinations looked at, and how many there are."""


@dataclass(frozen=True)
class AccidentalIdentifiers(Declared, Attack[Table]):
    """Persons alone by kept and sensitive columns, with each other and with quasi columns."""

    size: Annotated[int, Interval(ge=1, le=3)] = 3
    combinations: Count = 300

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        """What a person knows to be published is all that is needed: the truth adds nothing."""
        shown = np.flatnonzero(~released.suppressed)
        unknown = sorted(released.schema.having(Role.KEEP, Role.SENSITIVE))
        if not len(shown) or not unknown:
            note = "no published record" if unknown else "no kept and no sensitive column"
            return Finding(self.name, None, note=note)
        names, every = (*unknown, *sorted(released.schema.quasi)), len(shown) == released.rows
        columns = {name: _codes(released, name) if every else _codes(released, name)[shown] for name in names}
        persons, _ = released.as_classes(shown, np.array([0, len(shown)])).owners()
        known = int(np.count_nonzero(np.bincount(persons)))
        telling = {name: codes for name, codes in columns.items() if known == 1 or codes.max(initial=0) > 0}
        most = min(self.combinations, max(1, _CELLS // len(shown)))
        chosen = list(islice(_combinations(list(telling), unknown, self.size), most))
        harmless = len(telling) - sum(name in telling for name in unknown)
        possible = sum(comb(len(telling), k) - comb(harmless, k) for k in range(1, self.size + 1))
        details = AccidentalIdentifiersDetails(
            *_alone(telling, chosen, persons, known, self.size), known, len(chosen), possible
        )
        note = f"{len(chosen)} of {possible} combinations examined" if len(chosen) < possible else ""
        return Finding(self.name, details.by_size[self.size], unit="share", details=details, note=note)


def _combinations(names: Sequence[str], unknown: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Combinations of one column, then of two, then of three; each with a column that the policy takes for unknown."""
    apart = frozenset(unknown)
    return (one for k in range(1, size + 1) for one in combinations(names, k) if not apart.isdisjoint(one))


def _alone(
    columns: Mapping[str, Ints | Codes], chosen: Sequence[tuple[str, ...]], persons: Ints, known: int, size: int
) -> tuple[dict[int, float], tuple[str, ...], float]:
    """(by size, worst combination, by any)."""
    singled = np.zeros(int(persons.max(initial=0)) + 1, dtype=bool)
    by_size = dict.fromkeys(range(1, size + 1), 0.0)
    worst: tuple[str, ...] = ()
    most = 0
    for names in chosen:
        unique = _singled([columns[name] for name in names], persons, len(singled))
        count = int(unique.sum())
        singled |= unique
        if count > most:
            worst, most = names, count
        by_size[len(names)] = max(by_size[len(names)], count / known)
    for k in range(2, size + 1):  # who is alone with one value is alone with that value and others
        by_size[k] = max(by_size[k], by_size[k - 1])
    return by_size, worst, int(singled.sum()) / known


def _singled(codes: Sequence[Ints | Codes], persons: Ints, size: int) -> Bools:
    """Which persons have a record that shows a combination which nobody else's records show."""
    order, starts = group([code.astype(np.int32, copy=False) for code in codes], len(persons))
    whose = persons[order]
    first, last = np.minimum.reduceat(whose, starts[:-1]), np.maximum.reduceat(whose, starts[:-1])
    singled = np.zeros(size, dtype=bool)
    singled[first[first == last]] = True
    return singled


def _codes(released: Table, name: str) -> Ints | Codes:
    """A number for each row's value as it is written: a spelling can single out. A missing one is a value."""
    column = released.columns.get(name)
    if column is not None and not (column.alike and name in released.carried.column_names):
        return column.codes
    return numbered(released.carried[name])


def numbered(array: ArrowColumn) -> Ints:
    """A number for each value of an Arrow column, from 0; missing ones share one."""
    try:
        encoded = pc.dictionary_encode(array, null_encoding="encode")
    except (pa.ArrowException, NotImplementedError):  # nested values
        texts = [None if value is None else repr(value) for value in array.to_pylist()]
        encoded = pc.dictionary_encode(pa.array(texts, pa.string()), null_encoding="encode")
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):  # without a row
        return np.zeros(0, dtype=np.int64)
    return np.asarray(encoded.indices).astype(np.int64)
