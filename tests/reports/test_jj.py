"""JJ files: what is written is what is read, and their audit agrees with ours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.reports import CellProtection, CountTable, read_jj, to_jj
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.protection_check import protection

MUST = CellProtection(threshold=4, readers="outsiders")
SMALL = """\
0
3
0 12 12 s 0 100 0 0 0
1 2 2 u 0 100 1 2 0
2 10 10 s 0 100 0 0 0
1
0 3 : 1 (1) 2 (1) 0 (-1)
"""


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(((2, 3), (3, 3), (4,))))
def test_the_audit_of_a_file_is_ours(seed: int, shape: tuple[int, ...]) -> None:
    """In two dimensions ends are whole by themselves, so that linear programs decide."""
    draw = np.random.default_rng(seed)
    cells = {tuple(map(str, one)): int(draw.integers(1, 12)) for one in np.ndindex(*shape)}
    table = CountTable.of_cells(cells, [f"d{axis}" for axis in range(len(shape))])
    needs = MUST.unsafe(table)
    hidden = np.zeros(table.size, dtype=bool)
    hidden[needs.cells] = True
    hidden |= table.leaves & (draw.uniform(size=table.size) < 0.5)
    found = read_jj(to_jj(table, [MUST]))
    assert found.unsafe.tolist() == needs.cells.tolist()
    ours = protection(table.showing(np.where(hidden, HIDDEN, table.shown)), needs)
    limited = {one.cell for one in ours.failing}
    assert set(found.too_tight(np.flatnonzero(hidden).tolist())) >= limited
    assert found.too_tight([]) == needs.cells.tolist()


def test_any_shape_is_read() -> None:
    found = read_jj(SMALL)
    assert (found.values.tolist(), found.status, found.equations.count) == ([12, 2, 10], "sus", 1)
    assert found.too_tight([1]) == [1]
    assert found.too_tight([1, 2]) == []
    sliding = read_jj(SMALL.replace("u 0 100 1 2 0", "u 0 100 0 0 13"))
    assert sliding.too_tight([1, 2]) == [1]  # it may be 0 to 12


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0\n3\n", "1\n3\n", "not a file"),
        ("0\n3\n", "0\n4\n", "not a file"),
        ("1 2 2 u", "1 2 2 q", "not a file"),
        ("1 2 2 u", "7 2 2 u", "places"),
        ("0 3 : 1", "5 3 : 1", "right side"),
        ("0 3 : 1 (1)", "0 4 : 1 (1)", "other terms"),
        ("2 (1) 0 (-1)", "9 (1) 0 (-1)", "not there"),
        ("2 10 10 s", "2 11 10 s", "1 equation"),
        (SMALL, "", "not a file"),
    ],
)
def test_odd_files_are_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_jj(SMALL.replace(old, new, 1))


def test_only_true_tables_are_written() -> None:
    table = CountTable.of_cells({("a",): 5, ("b",): 2}, ["d"])
    with pytest.raises(DataError, match="true cells"):
        to_jj(CountTable(table.dimensions, table.shown), [MUST])
