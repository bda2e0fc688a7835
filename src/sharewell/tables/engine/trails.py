"""Trails: the rows that a release shows under one pseudonym, each as a number for what it shows of what people know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.date_shift import DATE_FORMATS, day_of
from sharewell.errors import PolicyError
from sharewell.roles import Role, did_you_mean
from sharewell.tables.data import Ints, Table
from sharewell.tables.engine.classes import combination_numbers, distinct_rows
from sharewell.tables.engine.columns import ArrowColumn, value_numbers

_ISO = len("2020-01-31")


@dataclass(frozen=True, eq=False)
class Trails:
    """Rows of a release by pseudonym. A row without a person is a trail of its own, and nobody's."""

    trail: Ints
    """The trail of each row."""
    cell: Ints
    """What each row shows of what people know: its class, and its cells in the columns that count as known."""
    owner: Ints
    """The person of each trail, −1 for nobody."""

    @property
    def count(self) -> int:
        return len(self.owner)

    def contents(self) -> tuple[list[tuple[int, ...]], Ints]:
        """The distinct trails as sorted cells, and which of them each trail is. O(n log n)"""
        order = np.lexsort((self.cell, self.trail))
        cells, starts = self.cell[order], np.searchsorted(self.trail[order], np.arange(self.count + 1))
        seen: dict[bytes, int] = {}
        which = np.empty(self.count, np.int64)
        for number, (begin, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            which[number] = seen.setdefault(cells[begin:end].tobytes(), len(seen))
        return [tuple(np.frombuffer(raw, np.int64).tolist()) for raw in seen], which


def classes_of(trail: Ints, class_of: Ints) -> Ints:
    """A number for each trail: the same for trails with as many rows in each class."""
    owner = np.arange(int(trail.max(initial=-1)) + 1)
    return Trails(trail, class_of.astype(np.int64), owner).contents()[1]


def trails_of(data: Table, columns: Sequence[str] | None = None) -> Trails:
    """The trails of a release, or of an original as if its rows were published as they are.

    columns: those of the roles keep and shift that people know; None: all that are shifted, and kept ones of dates.
    """
    class_of = np.full(data.rows, -1, np.int64)
    class_of[data.classes.order] = data.classes.class_of
    cell = distinct_rows(class_of, *(value_numbers(data.carried[name]) for name in known_columns(data, columns)))
    if data.subject is None:
        return Trails(np.arange(data.rows), cell, np.arange(data.rows))
    person = data.subject.codes.astype(np.int64)
    named = person < data.subject.known
    alone = np.where(named, 0, 1 + np.arange(data.rows))
    pieces = [] if data.trails is None else [np.unique(data.trails.piece, return_inverse=True)[1] * named]
    trail = combination_numbers([person, alone, *pieces], data.rows)
    _, first = np.unique(trail, return_index=True)
    return Trails(trail, cell, np.where(named, person, -1)[first])


def known_columns(data: Table, columns: Sequence[str] | None) -> list[str]:
    """The columns beside the quasi columns whose published cells people are taken to know."""
    carried = [name for name in data.schema.having(Role.SHIFT, Role.KEEP) if name in data.carried.column_names]
    if columns is None:
        return [n for n in carried if data.schema.roles[n] is Role.SHIFT or holds_dates(data.carried[n])]
    if unknown := [name for name in columns if name not in carried]:
        hint = did_you_mean(unknown[0], carried) or "only columns of the roles keep and shift can be named"
        raise PolicyError(f"columns — no kept or shifted column '{unknown[0]}' — {hint}")
    return list(columns)


def holds_dates(column: ArrowColumn) -> bool:
    """Are all values dates, in whatever form each is written? Without any value: no."""
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return True
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    texts = [text for text in pc.unique(column).to_pylist() if text]
    forms = [(form, None) for form in DATE_FORMATS] + [(DATE_FORMATS[0], _ISO)]  # an ISO date may have a time behind it
    return bool(texts) and all(any(day_of(text[:end], form) for form, end in forms) for text in texts)


def persons_sharing(group: Ints, owner: Ints, groups: int) -> Ints:
    """For each group of trails, those of known persons, divided (downwards) by the most that are one person's.

    The number of persons, where each has one trail: nobody owns a larger share of the group than one in that number.
    """
    named = owner >= 0
    total = np.bincount(group[named], minlength=groups)
    pair = distinct_rows(group[named], owner[named]) if named.any() else np.zeros(0, np.int64)
    most = np.ones(groups, np.int64)
    np.maximum.at(most, group[named], np.bincount(pair)[pair] if len(pair) else pair)
    return total // most
