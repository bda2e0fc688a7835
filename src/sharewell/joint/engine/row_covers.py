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


class CannotTell(Exception):
    """Nobody can tell which published facts may stand for a value, or there are too many ways."""


def covering_rows(facts: PersonFacts, columns: Sequence[str], rows: Ints) -> list[Ints]:
    """Sets of two rows or more that may stand for one true row; `rows` numbers the rows by the cells of the columns."""
    assert facts.cell_covers is not None
    numbers, first = np.unique(rows, return_index=True)
    found = {tuple(range(len(numbers)))}
    for column in columns:
        covers = facts.cell_covers(column)
        if covers is None:
            raise CannotTell
        cells = facts.cells[column][first]
        holders = {tuple(np.flatnonzero(np.isin(cells, one)).tolist()) for one in covers}
        if len(holders) * len(found) > MOST_SETS * 20:
            raise CannotTell
        split = {tuple(sorted(set(one) & set(holding))) for holding in holders if len(holding) > 1 for one in found}
        found = {one for one in split if len(one) > 1}
        if len(found) > MOST_SETS:
            raise CannotTell
    return [numbers[list(one)] for one in sorted(found)]


def cannot_tell() -> list[Ints]:
    """Of several sequences of one person nobody says which one a known value is from."""
    raise CannotTell
