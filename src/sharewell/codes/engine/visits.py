"""Visits: what was coded when. Visits of a person follow each other in time; codes in one, where an order is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints, Sets, numbering
from sharewell.codes.engine.timestamps import moments, places

_NEVER = np.iinfo(np.int64).max
_MANY_DAYS = 1 << 28
"""Days beyond which their numbers are no days, and must be made smaller to be multiplied."""
Rows = Sequence[Sequence[Sequence[str]]]
"""For each person the visits, for each visit the codes."""


@dataclass(frozen=True, eq=False)
class Visits:
    """The codes of each visit, and whose visit it was.

    >>> visits = Visits.of_rows(["a", "b", "c"], [[["b", "a"], ["c"]], [], [["a"]]], ordered=True)
    >>> visits.owner.tolist(), visits.listed(["a", "b", "c"], 3)
    ([0, 0, 2], [[['b', 'a'], ['c']], [], [['a']]])
    """

    owner: Ints
    """The record of each visit. Visits of one record stand together, the earliest first."""
    sets: Sets
    """The codes of each visit, as a set."""
    places: Ints | None = field(default=None, repr=False)
    """For each item of the sets its place in the visit, from 0; None where the codes of a visit have no order."""

    @property
    def ordered(self) -> bool:
        """Do the codes within a visit have an order?"""
        return self.places is not None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        owner: Ints,
        texts: pa.Array,
        frame: pa.Table,
        visit: str | None,
        date: str | None,
        sequence: str | None,
    ) -> Visits:
        """From columns of a table with one code a row.

        Visits are told apart within a person; without a column for them, each date is one visit. A row that names no
        visit (or no date, where that is what tells them apart) is in none. Visits go by date, the earliest of their
        rows; those of one date, and those without a date after all others, by where they first stand in the table.
        Without dates that alone is their order. Codes without a place in `sequence` come last, equals as they stand.
        """
        rows = np.arange(len(owner))
        moment = np.full(len(owner), _NEVER)
        if date is not None:
            numbers, some, day = moments(date, frame[date])
            moment[some] = numbers[some]
        if visit is not None:
            number, some = _numbered(frame[visit])
        elif date is not None:
            number = _days(numbers, some, day)
        owner, number, moment, rows = owner[some], number[some], moment[some], rows[some]
        width = int(number.max()) + 1 if len(number) else 1
        keys, first, visit_number = np.unique(owner * width + number, return_index=True, return_inverse=True)
        earliest = np.full(len(keys), _NEVER)
        np.minimum.at(earliest, visit_number, moment)
        order = np.lexsort((first, earliest, keys // width))
        rank = numbering(order, len(keys))
        item = _numbers_in(texts, names)[rows]
        place = None
        if sequence is not None:
            numbers, known = places(sequence, frame[sequence])
            place = np.where(known, numbers, _NEVER)[rows][item >= 0]
        return cls.placed((keys // width)[order], rank[visit_number][item >= 0], item[item >= 0], place)

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Rows, *, ordered: bool) -> Visits:
        """From lists. `ordered`: are the codes of a visit listed in an order that means something?"""
        number = {name: i for i, name in enumerate(names)}
        owner = np.repeat(np.arange(len(rows)), [len(visits) for visits in rows]).astype(np.int64)
        lengths = [len(codes) for visits in rows for codes in visits]
        items = [number.get(code, -1) for visits in rows for codes in visits for code in codes]
        item = np.array(items, dtype=np.int64)
        visit = np.repeat(np.arange(len(lengths)), lengths).astype(np.int64)
        place = np.arange(len(item)) if ordered else None
        return cls.placed(owner, visit[item >= 0], item[item >= 0], None if place is None else place[item >= 0])

    @classmethod
    def placed(cls, owner: Ints, visit: Ints, item: Ints, place: Ints | None) -> Visits:
        """From what was coded in which visit, in any order; a code that stands there twice has its first place.

        Visits without a code are left out.
        """
        sets = Sets.of_pairs(visit, item, len(owner))
        ranked = None if place is None else _ranked(sets, visit, item, place)
        used = sets.lengths > 0
        return cls(owner[used], Sets.of_lengths(sets.lengths[used], sets.items), ranked)

    def kept(self, keep: NDArray[np.bool_]) -> Visits:
        """Without some of what was coded: one mark for each item of the sets."""
        place = None if self.places is None else self.places[keep]
        return self.placed(self.owner, self.sets.row_of[keep], self.sets.items[keep].astype(np.int64), place)

    def renumbered(self, number: NDArray[np.integer]) -> Visits:
        """Each code under its new number; −1 leaves it out, equal numbers become one code at the first place."""
        items = number[self.sets.items].astype(np.int32)
        return replace(self, sets=Sets(self.sets.starts, items)).kept(items >= 0)

    def by_person(self, records: int) -> Sets:
        """The codes that each record has in some visit."""
        return Sets.of_pairs(self.owner[self.sets.row_of], self.sets.items, records)

    def listed(self, names: Sequence[str], records: int) -> list[list[list[str]]]:
        """For each record its visits in time order, each a list of codes: in their order, or by text if they have none.

        `of_rows` with the same `ordered` reads it back.
        """
        result: list[list[list[str]]] = [[] for _ in range(records)]
        items, starts = self.sets.items.tolist(), self.sets.starts.tolist()
        places = None if self.places is None else self.places.tolist()
        for visit, record in enumerate(self.owner.tolist()):
            span = range(starts[visit], starts[visit + 1])
            if places is None:
                result[record].append(sorted(names[items[i]] for i in span))
            else:
                result[record].append([names[items[i]] for i in sorted(span, key=places.__getitem__)])
        return result


def _numbered(column: pa.ChunkedArray) -> tuple[Ints, NDArray[np.bool_]]:
    """(a number for each different value, which rows have one)."""
    names = pc.dictionary_encode(column.cast(pa.string())).combine_chunks()
    names = names if isinstance(names, pa.DictionaryArray) else names.chunk(0)
    number = names.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return number, number >= 0


def _days(moment: Ints, known: NDArray[np.bool_], day: int) -> Ints:
    """A number for each day that is known."""
    days = np.where(known, moment // day, 0)
    days -= days.min(initial=0)
    return days if not len(days) or days.max() < _MANY_DAYS else np.unique(days, return_inverse=True)[1]


def _numbers_in(texts: pa.Array, names: Sequence[str]) -> Ints:
    """Where in the names each text stands; −1 if it does not."""
    numbers = pc.index_in(texts, pa.array(list(names), texts.type)).fill_null(-1)
    return np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.int64)


def _ranked(sets: Sets, visit: Ints, item: Ints, place: Ints) -> Ints:
    """The place of each item of the sets within its visit."""
    order = np.lexsort((place, visit))
    width = int(item.max()) + 1 if len(item) else 1
    _, first = np.unique(visit[order] * width + item[order], return_index=True)
    ranked = np.empty(len(first), dtype=np.int64)
    by_place = np.argsort(first, kind="stable")
    ranked[by_place] = np.arange(len(first)) - sets.starts[sets.row_of[by_place]]
    return ranked
