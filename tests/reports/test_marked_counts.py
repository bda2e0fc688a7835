"""What a table itself tells about a cell, marks and zeros, is the reader's knowledge; it never lowers what is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_tables import covers, every_table

from sharewell.errors import Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.reports import CellProtection, CellSuppression, ControlledRounding, CountTable, TableInterval
from sharewell.reports.counts.data import HIDDEN

KEY = Key(b"a secret for tables, long enough")


def wards(common: int = 40) -> CountTable:
    """Ten wards with one rare patient each."""
    cells = {(f"w{i}", ill): 1 if ill == "rare" else common + i for i in range(10) for ill in ("rare", "common")}
    return CountTable.of_cells(cells, ["ward", "illness"])


def read_by_anybody(published: CountTable, most: int) -> np.ndarray:
    """Every table of whole numbers behind a file with marks: a blank count of one cell would be marked if it was small.

    Written from the meaning of the file, not from CountTable.bounds.
    """
    plain = CountTable(published.dimensions, np.where(published.shown < 0, HIDDEN, published.shown))
    found = every_table(plain, most)
    below = covers(published)
    marks = -published.shown[(published.shown < 0) & (published.shown != HIDDEN)]
    for cell, shown in enumerate(published.shown.tolist()):
        parts = [leaf for leaf in below[cell] if published.shown[leaf] != 0]
        if shown == HIDDEN and len(marks) and len(parts) == 1:
            found = found[found[:, cell] >= marks.min()]
        elif HIDDEN < shown < 0:
            found = found[(found[:, cell] >= 1) & (found[:, cell] < -shown)]
    return found


def test_marks_do_not_let_ten_wards_with_one_patient_each_be_computed() -> None:
    """A total marked "1 to 10" over ten cells that are not 0 is 10, and each of them 1."""
    table, criterion = wards(), CellProtection(threshold=11)
    small = (table.shown > 0) & (table.shown < 11)
    marked = table.showing(np.where(small, -11, table.shown))
    assert criterion.check(marked).failed
    both = np.where(small, -11, np.where(table.leaves, HIDDEN, table.shown))
    total = table.places([("w0", "common")])[0] % 3  # the column of the common illness
    both.reshape(table.shape)[0, total] = HIDDEN
    assert criterion.check(table.showing(both)).failed
    released = CellSuppression(style="negative").protect(table, [criterion]).data
    assert criterion.check(released).ok
    assert (released.shown == -11).any()
    assert TableInterval().mount(released).value < 1
    assert TableInterval().mount(released).details.tight == 0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(((2, 2), (2, 3), (4,), (5,))), st.data())
def test_a_table_with_marks_leaves_every_small_count_open(shape: tuple[int, ...], data: Any) -> None:
    size = int(np.prod(shape))
    values = data.draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    keys = [tuple(f"{axis}{place}" for axis, place in enumerate(one)) for one in np.ndindex(*shape)]
    table = CountTable.of_cells(dict(zip(keys, values, strict=True)), [f"d{axis}" for axis in range(len(shape))])
    limit = data.draw(st.sampled_from((2, 3)))
    try:
        released = CellSuppression(style="negative").protect(table, [CellProtection(threshold=limit)]).data
    except Infeasible:
        return
    possible = read_by_anybody(released, 8)
    assert (possible == table.truth.values).all(axis=1).any()
    for cell in np.flatnonzero((table.shown > 0) & (table.shown < limit)):
        least, most = possible[:, cell].min(), possible[:, cell].max()
        parts = sum(table.truth.values[leaf] > 0 for leaf in covers(table)[cell])
        assert most - least >= max(limit - 2, 1)
        assert least <= parts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=6, max_size=6), st.data())
def test_whatever_is_marked_the_criterion_accepts_only_what_stays_open(values: list[int], data: Any) -> None:
    """Marks and blanks set at random: two tables of whole numbers must exist, as far apart as the rule asks."""
    keys = [(a, b) for a in "pq" for b in "xyz"]
    table = CountTable.of_cells(dict(zip(keys, values, strict=True)), ["a", "b"])
    if not table.truth.values.any():
        return
    styles = data.draw(st.lists(st.sampled_from(("shown", "blank", "mark")), min_size=table.size, max_size=table.size))
    shown = table.shown.copy()
    for cell, style in enumerate(styles):
        if style == "mark" and 1 <= shown[cell] < 3:
            shown[cell] = -3
        elif style != "shown" and shown[cell] > 0 and cell:
            shown[cell] = HIDDEN
    published = table.showing(shown)
    if not CellProtection(threshold=3).check(published).ok:
        return
    possible = every_table(published, 12)
    for cell in np.flatnonzero((table.truth.values > 0) & (table.truth.values < 3)):
        assert possible[:, cell].max() > possible[:, cell].min()


def test_a_count_that_is_known_is_never_protected() -> None:
    """Under a threshold of 2 only a count of 1 is unsafe: doubt "from 1 to 1" would be none."""
    table = CountTable.of_cells({("a",): 1, ("b",): 20, ("c",): 30}, ["d"])
    assert CellProtection(threshold=2).check(table).failed
    assert CellProtection(threshold=11, below=0, above=0).check(table).failed
    released = CellSuppression().protect(table, [CellProtection(threshold=2)]).data
    assert TableInterval().mount(released).value == 0
    sums = CountTable.of_cells({("a",): 0, ("b",): 20}, ["d"], given=([("a",), ("b",)], [0, 1], [0, 20]), value="cost")
    assert CellProtection(threshold=2).check(sums).failed


def test_a_total_of_many_small_cells_is_as_open_as_any() -> None:
    """Of three cells that are not 0 everybody knows "3 or more": what is lost below must be open above."""
    table = CountTable.of_cells({("a", "x"): 1, ("b", "x"): 1, ("c", "x"): 1, ("a", "y"): 9, ("b", "y"): 9}, ["d", "e"])
    needs = CellProtection(threshold=4).unsafe(table)
    (total,) = table.places([("a", "x")]) % 3
    assert total in needs.cells
    hidden = np.where(table.leaves & (table.shown > 0), HIDDEN, table.shown)
    assert CellProtection(threshold=4).check(table.showing(hidden)).failed


def test_zeros_that_are_secrets_are_not_told_by_the_table() -> None:
    """A table that says "no zero is hidden" takes the 0 out of doubt; a rule that asks for it is then broken."""
    cells = {("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}
    table = CountTable.of_cells(cells, ["sex", "illness"])
    four = table.showing(np.where(table.leaves, HIDDEN, table.shown))
    assert CellProtection(threshold=11).check(four).ok
    assert CellProtection(threshold=11, zeros="protect").check(four).failed


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=4, max_size=4), st.integers(0, 4), st.integers(0, 4))
def test_rounding_keeps_what_its_criterion_asks_for(values: list[int], below: int, above: int) -> None:
    table = CountTable.of_cells(dict(zip([(a, b) for a in "pq" for b in "xy"], values, strict=True)), ["a", "b"])
    criterion = CellProtection(threshold=4, below=below, above=above)
    try:
        released = ControlledRounding(base=5).protect(table, [criterion], KEY).data
    except Infeasible:
        return
    assert criterion.check(released).ok
    possible = every_table(released, 14)
    for cell in np.flatnonzero((table.truth.values > 0) & (table.truth.values < 4)):
        least, most = possible[:, cell].min(), possible[:, cell].max()
        assert most >= table.truth.values[cell] + above
        assert least <= max(table.truth.values[cell] - below, 0)
        assert most > least


def test_marks_are_for_counts_that_are_not_rounded() -> None:
    with pytest.raises(PolicyError, match="style negative"):
        CellSuppression(style="negative").protect(wards(), [CellProtection(threshold=11, rounded=5)])
