"""The least that can be hidden, beside every choice there is; large tables beside what step by step hid of them."""

from itertools import combinations

import numpy as np
import pytest
from random_tables import counts

from sharewell.reports import CellProtection, CellSuppression, CountTable
from sharewell.reports.counts.data import HIDDEN


def least(table: CountTable, criterion: CellProtection) -> int:
    """Every choice of cells, by the criterion's own check."""
    values, unsafe = table.shown, criterion.unsafe(table).cells
    others = [cell for cell in np.flatnonzero(values > 0).tolist() if cell not in unsafe]
    choices = [(*unsafe, *more) for many in range(len(others) + 1) for more in combinations(others, many)]
    for choice in sorted(choices, key=lambda cells: int(values[list(cells)].sum())):
        shown = values.copy()
        shown[list(choice)] = HIDDEN
        if criterion.check(table.showing(shown)).ok:
            return int(values[list(choice)].sum())
    raise AssertionError("nothing holds")


@pytest.mark.parametrize(("shape", "mean"), [((2, 3), 12.0), ((2, 2, 2), 30.0), ((3, 2), 15.0)])
def test_what_is_proved_to_be_the_least_is_the_least_of_all_choices(shape: tuple[int, ...], mean: float) -> None:
    criterion, proved = CellProtection(threshold=6), 0
    for seed in range(8):
        table = counts(shape, seed, mean)
        unsafe = criterion.unsafe(table).count
        if not 0 < unsafe <= 3 or np.count_nonzero(table.shown) - unsafe > 11 or not table.shown.all():
            continue
        released = CellSuppression().protect(table, [criterion])
        assert criterion.check(released.data).ok
        if released.details.proved_least and table.is_network:
            assert int(table.shown[released.data.hidden].sum()) == least(table, criterion)
            proved += 1
        else:
            assert int(table.shown[released.data.hidden].sum()) >= least(table, criterion)
    assert proved or not table.is_network


@pytest.mark.parametrize(
    ("shape", "mean", "groups", "threshold", "earlier"),
    [
        ((30, 30), 20.0, {}, 3, (198, 179, 156)),
        ((40, 20), 40.0, {}, 5, (299, 295, 349)),
        ((30, 15), 30.0, {0: 5, 1: 4}, 4, (1035, 1282, 1263)),
    ],
)
def test_large_tables_hide_no_more_than_step_by_step_alone_did(
    shape: tuple[int, ...], mean: float, groups: dict[int, int], threshold: int, earlier: tuple[int, ...]
) -> None:
    """What earlier versions hid of the same tables, which chose for one unsafe cell after the other."""
    criterion, less = CellProtection(threshold=threshold), 0
    for seed, before in enumerate(earlier):
        table = counts(shape, seed, mean, groups)
        released = CellSuppression().protect(table, [criterion]).data
        assert criterion.check(released).ok
        hidden = int(np.maximum(table.shown[released.hidden], 1).sum())
        assert hidden <= before
        less += hidden < before
    assert less >= 2
