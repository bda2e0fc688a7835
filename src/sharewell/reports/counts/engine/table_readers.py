"""Who reads a table knowing more than it shows: whoever is in it.

A person in a hidden cell of counts knows that it is 1 or more. Who contributes to a hidden sum knows that it is at
least the own part; and whoever is alone in a cell knows it, and may use that against others in the same lines. Of the
persons who are in one hidden cell only, the one with the largest part knows most; all others are looked at one by one.
Two persons who put together what they know have the sum of their parts, and know the cells that hold just the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import PolicyError
from sharewell.reports.counts.data import Contributions, CountTable
from sharewell.reports.counts.engine.primary_cells import Primary
from sharewell.reports.counts.engine.published_view import View, implied
from sharewell.reports.counts.engine.relations import Ints


@dataclass(frozen=True)
class Knowledge:
    """Bounds on some cells that a reader knows from inside, and the cells that hold nobody else."""

    cells: Ints
    low: Ints
    alone: Ints
    """Cells that this reader knows wholly."""

    def applied(self, low: Ints, high: Ints, values: Ints | None) -> tuple[Ints, Ints]:
        low, high = low.copy(), high.copy()
        low[self.cells] = np.maximum(low[self.cells], self.low)
        if len(self.alone):
            assert values is not None
            low[self.alone] = high[self.alone] = values[self.alone]
        return low, high

    def by_itself(self, view: View) -> tuple[Ints, Ints]:
        """What this reader knows of every cell from the own part and the zeros, without another number of the table.

        A total of three cells that are not 0 is 3 or more, whatever is hidden. Marks ("1 to 10") are not in it: they
        are the publisher's choice, and what they give away counts against what is published.
        """
        if not len(self.cells) and not len(self.alone):
            return view.by_zeros
        return implied(view.relations, *self.applied(*view.zeros, view.truth))

    def asked(self, view: View, needs: Primary) -> tuple[Ints, Ints]:
        """How low and how high a table must reach in each unsafe cell to leave this reader in doubt.

        Nobody is protected from themselves: doubt ends where what the reader knows by the own part begins. What the
        reader does not know wholly stays open over two numbers at least.
        """
        if not len(self.cells) and not len(self.alone):
            return needs.low, needs.high
        least, most = (bound[needs.cells] for bound in self.by_itself(view))
        low, high = np.maximum(needs.low, least), np.minimum(needs.high, most)
        return low, np.where(least == most, high, np.maximum(high, low + 1))


NOBODY: Ints = np.zeros(0, np.int64)
OUTSIDER = Knowledge(NOBODY, NOBODY, NOBODY)
MOST_PAIRS = 5_000


def beyond_zeros(view: View, needs: Primary) -> Primary:
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


def snoopers(table: CountTable, together: int = 1) -> Iterator[Knowledge]:
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


def _counted(values: Ints, low: Ints, is_open: NDArray[np.bool_], together: int) -> Iterator[Knowledge]:
    """A person in a cell of counts knows it to be 1 or more, two of them 2; where zeros are shown, all know the 1."""
    unknown = np.flatnonzero(is_open & (low == 0) & (values > 0))
    for place in unknown.tolist():
        yield Knowledge(np.array([place]), np.array([1]), NOBODY)
    if together > 1:
        _refuse_many(len(unknown) ** 2 // 2)
        for pair in combinations(unknown.tolist(), 2):
            yield Knowledge(np.array(pair), np.array([1, 1]), NOBODY)
        for place in np.flatnonzero(is_open & (low < 2) & (values > 1)).tolist():
            yield Knowledge(np.array([place]), np.array([2]), NOBODY)


def _contributors(given: Contributions, is_open: NDArray[np.bool_], together: int) -> Iterator[Knowledge]:
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


def _knowing(parts: _Parts, crowd: Ints) -> Knowledge:
    """Parts of one cell add up; a cell that holds nobody else is known wholly."""
    cells, place, held = np.unique(parts[0], return_inverse=True, return_counts=True)
    amounts = np.zeros(len(cells), np.int64)
    np.add.at(amounts, place.ravel(), parts[1])
    return Knowledge(cells, amounts, cells[crowd[cells] == held])


def _refuse_many(pairs: int) -> None:
    if pairs > MOST_PAIRS:
        what = f"cell-protection — coalitions of two would be {pairs} pairs, and {MOST_PAIRS} is the most"
        raise PolicyError(f"{what} — say coalitions: 1, or publish a smaller table")
