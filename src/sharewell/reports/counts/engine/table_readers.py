"""What published tables tell every reader (`View`), and what persons in the tables know besides.

A person in a hidden cell of counts knows that it is 1 or more. A contributor to a hidden sum knows that it is at least
their own part; someone who is alone in a cell knows it, and may use that against others in the same lines. Of the
persons who are in one hidden cell only, the one with the largest part knows most; all others are simulated one by one.
Two persons who put together what they know have the sum of their parts, and know the cells that hold just the two.
`joint_readers` are persons who read several tables that they are in: each knows their own cell in every one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError, PolicyError
from sharewell.reports.counts.data import Contributions, CountTable
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.relations import Equations, Ints, implied


@dataclass(frozen=True, eq=False)
class View:
    """Cells between bounds, in one row; the true ones are the steward's."""

    relations: Equations
    low: Ints = field(repr=False)
    high: Ints = field(repr=False)
    zeros: tuple[Ints, Ints] = field(repr=False)
    """Bounds from the zeros alone."""
    jumps: Ints = field(repr=False)
    """For cells that are 0 or at least a certain number, that number; 0 for all others."""
    truth: Ints | None = field(default=None, repr=False)

    @classmethod
    def of(cls, table: CountTable) -> View:
        values = None if table.truth is None else table.truth.values
        return cls(table.relations, *table.bounds(), table.zero_pattern(), table.jumps(), values)

    @property
    def size(self) -> int:
        return len(self.low)

    @cached_property
    def values(self) -> Ints:
        assert self.truth is not None
        return self.truth

    @cached_property
    def by_zeros(self) -> tuple[Ints, Ints]:
        """Bounds of every cell from the zeros alone: a total of three cells that are not 0 is 3 or more."""
        return implied(self.relations, *self.zeros) or self.zeros

    def allows(self, table: Ints) -> bool:
        """Does each number of a table, taken alone, agree with what is published?"""
        within_bounds = (table >= self.low) & (table <= self.high)
        return bool((within_bounds & ((table <= 0) | (table >= self.jumps))).all())

    def fits(self, table: Ints) -> bool:
        """Does a table of whole numbers agree with all that is published?"""
        return self.allows(table) and not self.relations.broken(table)


@dataclass(frozen=True)
class ReaderKnowledge:
    """What a reader knows as a person in the table: lower bounds of some cells, and the exact value of others."""

    cells: Ints
    low: Ints
    alone: Ints
    """Cells that hold only this reader, who knows them exactly."""

    @property
    def key(self) -> bytes:
        """Equal for readers who know the same."""
        return b"".join(part.tobytes() for part in (self.cells, self.low, self.alone))

    def applied(self, low: Ints, high: Ints, values: Ints | None) -> tuple[Ints, Ints]:
        low, high = low.copy(), high.copy()
        low[self.cells] = np.maximum(low[self.cells], self.low)
        if len(self.alone):
            assert values is not None
            low[self.alone] = high[self.alone] = values[self.alone]
        return low, high

    def by_itself(self, view: View) -> tuple[Ints, Ints]:
        """What this reader knows of every cell from their own part and the zeros, without other numbers of the table.

        A total of three cells that are not 0 is 3 or more, whatever is hidden. Marks ("1 to 10") are not in it: they
        are the publisher's choice, and what they give away counts against what is published.
        """
        if not len(self.cells) and not len(self.alone):
            return view.by_zeros
        known = self.applied(*view.zeros, view.truth)
        return implied(view.relations, *known) or known

    def asked(self, view: View, needs: UnsafeCells) -> tuple[Ints, Ints]:
        """How low and how high a table must reach in each unsafe cell to leave this reader in doubt.

        Nobody is protected from themselves: doubt ends where the reader's own knowledge begins. A cell that the reader
        does not know exactly stays open over two numbers at least.
        """
        if not len(self.cells) and not len(self.alone):
            return needs.low, needs.high
        least, most = (bound[needs.cells] for bound in self.by_itself(view))
        low, high = np.maximum(needs.low, least), np.minimum(needs.high, most)
        return low, np.where(least == most, high, np.maximum(high, low + 1))


NOBODY: Ints = np.zeros(0, np.int64)
OUTSIDER = ReaderKnowledge(NOBODY, NOBODY, NOBODY)
MOST_PAIRS = 5_000
MOST_READERS = 2_000


def beyond_zeros(view: View, needs: UnsafeCells) -> UnsafeCells:
    """The same doubt above what the zeros tell: what they take from below must be left open above, none of it is lost.

    Zeros are no secret where a criterion says so, and a total of ten cells that are not 0 is then 10 or more. Asked for
    from 1 to 10, it stays open from 10 to 19.
    """
    if needs.zeros:
        return needs
    lost = np.maximum(OUTSIDER.by_itself(view)[0][needs.cells] - needs.low, 0)
    return replace(needs, low=needs.low + lost, high=needs.high + lost)


_Parts = tuple[Ints, Ints]
"""Cells, and a person's part in each."""


def snoopers(table: CountTable, together: int = 1) -> Iterator[ReaderKnowledge]:
    """The outsider, and everyone inside who may know more about hidden cells than another of these.

    together: 2 adds every two of them who put together what they know.
    """
    yield OUTSIDER
    if table.truth is None:
        return
    low, high = table.bounds()
    if table.is_count:
        yield from _counted(table.truth.values, low, (low < high) & table.leaves, together)
    elif table.truth.given is not None:
        yield from _contributors(table.truth.given, low < high, together)


def _counted(values: Ints, low: Ints, is_open: NDArray[np.bool_], together: int) -> Iterator[ReaderKnowledge]:
    """A person in a cell of counts knows it to be 1 or more, two of them 2; where zeros are shown, all know the 1."""
    unknown = np.flatnonzero(is_open & (low == 0) & (values > 0))
    for place in unknown.tolist():
        yield ReaderKnowledge(np.array([place]), np.array([1]), NOBODY)
    if together > 1:
        _refuse_many(len(unknown) ** 2 // 2)
        for pair in combinations(unknown.tolist(), 2):
            yield ReaderKnowledge(np.array(pair), np.array([1, 1]), NOBODY)
        for place in np.flatnonzero(is_open & (low < 2) & (values > 1)).tolist():
            yield ReaderKnowledge(np.array([place]), np.array([2]), NOBODY)


def _contributors(given: Contributions, is_open: NDArray[np.bool_], together: int) -> Iterator[ReaderKnowledge]:
    kept = is_open[given.cell]
    crowd = np.bincount(given.cell, minlength=len(is_open))
    order = np.argsort(given.person[kept], kind="stable")
    cell, person, amount = (part[kept][order] for part in (given.cell, given.person, given.amount))
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    several: list[_Parts] = []
    single: dict[int, list[int]] = {}
    for first, end in zip(starts, np.append(starts, len(person))[1:], strict=True):
        if end - first > 1:
            several.append((cell[first:end], amount[first:end]))
        else:
            single.setdefault(int(cell[first]), []).append(int(amount[first]))
    largest = {place: sorted(single[place], reverse=True)[:together] for place in sorted(single)}
    best: list[_Parts] = [(np.array([place]), np.array(parts[:1])) for place, parts in largest.items()]
    for one in (*several, *best):
        yield _knowing(one, crowd)
    if together > 1:  # of those in one cell only, the largest two are the best placed pair of it
        second: list[_Parts] = [(np.array([place]), np.array(parts[1:])) for place, parts in largest.items()]
        second = [one for one in second if len(one[1])]
        others = [*best, *second]
        _refuse_many(len(several) * (len(several) + 2 * len(others)) // 2 + len(best) ** 2 // 2)
        mates = {int(one[0][0]): one for one in second}
        pairs = [*combinations(several, 2), *product(several, others), *combinations(best, 2)]
        pairs += [(one, mates[int(one[0][0])]) for one in best if int(one[0][0]) in mates]
        for pair in pairs:
            yield _knowing((np.concatenate([p[0] for p in pair]), np.concatenate([p[1] for p in pair])), crowd)


def _knowing(parts: _Parts, crowd: Ints) -> ReaderKnowledge:
    """Parts of one cell add up; a cell that holds only these persons is known exactly."""
    cells, place, holders = np.unique(parts[0], return_inverse=True, return_counts=True)
    amounts = np.zeros(len(cells), np.int64)
    np.add.at(amounts, place.ravel(), parts[1])
    return ReaderKnowledge(cells, amounts, cells[crowd[cells] == holders])


def _refuse_many(pairs: int) -> None:
    if pairs > MOST_PAIRS:
        what = f"cell-protection — coalitions of two would be {pairs} pairs, and {MOST_PAIRS} is the most"
        raise PolicyError(f"{what} — say coalitions: 1, or publish a smaller table")


def joint_readers(
    tables: Mapping[str, CountTable], starts: Mapping[str, int], same_people: bool
) -> list[ReaderKnowledge]:
    """The outsider, and persons in the tables who may know more. Cells are numbered over all tables."""
    if any(table.is_count for table in tables.values()):
        return [OUTSIDER, *_joint_counted(tables, starts)]
    if not same_people:
        raise DataError(
            "sums of people from different files — contributors cannot be matched across files — set readers: outsiders"
        )
    return [OUTSIDER, *_joint_contributors(tables, starts)]


def _joint_counted(tables: Mapping[str, CountTable], starts: Mapping[str, int]) -> Iterable[ReaderKnowledge]:
    """Any choice of one cell a table: more than there are persons, never fewer."""
    choices: list[list[int | None]] = []
    for name, table in tables.items():
        low, high = table.bounds()
        maybe_nobody = (low == 0) & (low < high) & table.leaves
        if not maybe_nobody.any():
            continue
        if table.truth is None:
            raise DataError(f"{name} — its true cells are missing — needed to judge what persons in it know")
        inhabited = np.flatnonzero(maybe_nobody & (table.truth.values > 0)) + starts[name]
        choices.append([None, *inhabited.tolist()])
    if prod(len(one) for one in choices) > MOST_READERS:
        raise _too_many()
    for chosen in product(*choices):
        cells = np.array([cell for cell in chosen if cell is not None], dtype=np.int64)
        if len(cells):
            yield ReaderKnowledge(cells, np.ones(len(cells), np.int64), NOBODY)


def _joint_contributors(tables: Mapping[str, CountTable], starts: Mapping[str, int]) -> Iterable[ReaderKnowledge]:
    """Who knows most of those in the same open cells: the one with the largest parts, or all where parts differ."""
    cells, persons, amounts, crowds = [], [], [], []
    for name, table in tables.items():
        if table.truth is None or table.truth.given is None:
            raise DataError(f"{name} — who contributes to it is missing — needed to judge what persons in it know")
        contributions, (low, high) = table.truth.given, table.bounds()
        kept = (low < high)[contributions.cell]
        cells.append(contributions.cell[kept] + starts[name])
        persons.append(contributions.person[kept])
        amounts.append(contributions.amount[kept])
        crowds.append(np.bincount(contributions.cell, minlength=table.size)[contributions.cell[kept]])
    cell, person, amount, crowd = (np.concatenate(part) for part in (cells, persons, amounts, crowds))
    known: dict[bytes, list[tuple[Ints, Ints, Ints]]] = {}
    order = np.lexsort((cell, person))
    for entries in np.split(order, np.flatnonzero(np.diff(person[order])) + 1) if len(order) else ():
        parts = cell[entries], amount[entries], cell[entries][crowd[entries] == 1]
        rivals = known.setdefault(parts[0].tobytes(), [])
        if any((other[1] >= parts[1]).all() for other in rivals):
            continue
        rivals[:] = [other for other in rivals if not (parts[1] >= other[1]).all()] + [parts]
    best = [ReaderKnowledge(*parts) for rivals in known.values() for parts in rivals]
    if len(best) > MOST_READERS:
        raise _too_many()
    yield from best


def _too_many() -> DataError:
    what = f"more than {MOST_READERS:,} contributors who may each know something different"
    return DataError(f"the tables — {what} — leave a table out, make them coarser, or set readers: outsiders")
