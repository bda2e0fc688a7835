"""The rows of each person, in the order of their dates: what is grouped and aligned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sharewell.content_order import content_order, ranks
from sharewell.date_shift import days_of
from sharewell.roles import Role
from sharewell.tables.data import Indices, Ints, Table


@dataclass(frozen=True, eq=False)
class PersonRows:
    """Person i owns the rows order[starts[i] : starts[i + 1]]; rows without a person are not among them."""

    order: Indices
    starts: Indices
    days: Mapping[str, Ints]
    """Shifted column → the day of each row of the table, 0 without a date."""

    @classmethod
    def of(cls, data: Table, forms: Mapping[str, str]) -> PersonRows:
        """By date where a shifted column has one, then by content: the order of the source decides nothing."""
        assert data.subject is not None
        shifted = [name for name in data.schema.having(Role.SHIFT) if name in data.carried.column_names]
        days = {name: days_of(name, data.carried[name], forms.get(name)) for name in shifted}
        content = np.empty(data.rows, np.int64)
        content[content_order(data.arrow)] = np.arange(data.rows)
        person = ranks(data.subject.arrow).astype(np.int64)
        named = np.ones(data.rows, bool)
        if data.subject.has_missing:
            named = data.subject.codes != data.subject.size - 1
        keys: list[Ints] = [content, *(data.columns[name].codes.astype(np.int64) for name in data.schema.quasi)]
        order = np.lexsort([*keys, _first(days, data.rows), person])
        order = order[named[order]]
        starts = np.searchsorted(person[order], np.unique(person[order]))
        return cls(order, np.append(starts, len(order)), days)

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Indices:
        return np.diff(self.starts)

    @property
    def owner(self) -> Indices:
        """The person of each place of `order`."""
        return np.repeat(np.arange(self.count), self.lengths)

    def first_rows(self, persons: Indices, each: int) -> Indices:
        """persons × each: the first rows of each of these persons, this many of each."""
        indices: Indices = self.order[self.starts[persons][:, None] + np.arange(each)]
        return indices


def _first(days: Mapping[str, Ints], rows: int) -> Ints:
    """The earliest date of each row; rows without one come last."""
    result = np.full(rows, np.iinfo(np.int64).max)
    for one in days.values():
        result = np.where(one > 0, np.minimum(result, one), result)
    return result
