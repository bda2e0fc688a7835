"""Which published rows may stand for one true row: those of which every known cell covers the true value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sharewell.protocols import PersonFacts

Ints = NDArray[np.int64]
MOST_SETS = 50_000
"""Sets of rows beyond which overlaps are left undecided."""
OVERLAP = (
    "nobody can tell which published cells may stand for one value — use a mechanism whose cells do not overlap, such"
    " as optimal-recoding (full-domain), or let fewer columns be known"
)
SEVERAL_SEQUENCES = (
    "somebody has several records of DNA, and nobody can tell which of them a known value is from — publish one record"
    " of each person, or a dataset for each kind of sample"
)
MOST_PAIRS = 5_000_000
"""Sets of rows that are held against the cells of one more column."""


class CannotTell(Exception):
    """Nobody can tell which published facts may stand for a value, or there are too many ways."""

    def __init__(self, why: str = OVERLAP) -> None:
        super().__init__(why)


def covering_rows(facts: PersonFacts, columns: Sequence[str], rows: Ints) -> list[Ints]:
    """Sets of two rows or more that may stand for one true row; `rows` numbers the rows by the cells of the columns."""
    assert facts.cell_covers is not None
    numbers, first = np.unique(rows, return_index=True)
    results = {frozenset(range(len(numbers)))}
    for column in columns:
        covers = facts.cell_covers(column)
        if covers is None:
            raise CannotTell
        cells = facts.cells[column][first]
        holders = {frozenset(np.flatnonzero(np.isin(cells, one)).tolist()) for one in covers}
        if len(holders) * len(results) > MOST_PAIRS:
            raise CannotTell
        results = {both for holding in holders for one in results if len(both := one & holding) > 1}
        if len(results) > MOST_SETS:
            raise CannotTell
    return [numbers[list(one)] for one in sorted(map(sorted, results))]


def cannot_tell() -> list[Ints]:
    """Of several sequences of one person nobody says which one a known value is from."""
    raise CannotTell(SEVERAL_SEQUENCES)
