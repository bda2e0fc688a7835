"""Sums with contributors: n-k dominance, p %, persons in the table as readers; controlled rounding."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import counts

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.reports import CellProtection, CellSuppression, ControlledRounding, CountTable
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.primary_cells import largest
from sharewell.reports.counts.engine.protection_check import _Reader, protection
from sharewell.reports.counts.engine.table_check import fits
from sharewell.reports.counts.engine.table_readers import ReaderKnowledge, View, snoopers

KEY = Key(b"a secret for tables, long enough")


def sums(parts: dict[tuple[str, ...], list[int]], names: list[str]) -> CountTable:
    """Each number is one person's."""
    given = [(cell, amount) for cell, amounts in parts.items() for amount in amounts]
    keys, amounts = [cell for cell, _ in given], [amount for _, amount in given]
    totals = {cell: sum(values) for cell, values in parts.items()}
    return CountTable.of_cells(totals, names, given=(keys, list(range(len(keys))), amounts), value="cost")


@st.composite
def tables(draw: Any) -> CountTable:
    shape = draw(st.sampled_from(((2, 2), (2, 3), (3,))))
    cells = [tuple(f"{axis}{place}" for axis, place in enumerate(one)) for one in np.ndindex(*shape)]
    parts = {cell: draw(st.lists(st.integers(1, 40), min_size=1, max_size=4)) for cell in cells}
    return sums(parts, [f"d{axis}" for axis in range(len(shape))])


def test_the_largest_contributions_are_by_person_in_totals_too() -> None:
    keys = [("a",), ("b",), ("b",)]
    table = CountTable.of_cells({("a",): 5, ("b",): 9}, ["d"], given=(keys, [7, 7, 8], [5, 4, 5]), value="cost")
    top, persons = largest(table, 2)
    assert top.tolist() == [[9, 5], [5, 0], [5, 4]]
    assert persons.tolist() == [2, 1, 2]


def test_the_rules_by_their_definitions() -> None:
    table = sums({("a",): [70, 25, 5], ("b",): [30, 30, 40, 20], ("c",): [50]}, ["d"])
    assert CellProtection(p=10).unsafe(table).cells.tolist() == [1, 3]
    assert CellProtection(dominance=(1, 60)).unsafe(table).cells.tolist() == [1, 3]
    assert CellProtection(dominance=(2, 90)).unsafe(table).cells.tolist() == [1, 3]
    assert CellProtection(threshold=3).unsafe(table).cells.tolist() == [3]
    needs = CellProtection(p=10).unsafe(table)
    assert (needs.low.tolist(), needs.high.tolist()) == ([98, 45], [102, 55])


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(({"p": 20}, {"dominance": (1, 70)}, {"threshold": 3, "share": 15})))
def test_every_reader_is_left_in_doubt(table: CountTable, rule: dict[str, Any]) -> None:
    """Whoever reads: two whole tables that agree with what they know, far enough apart, or nothing is released."""
    criterion = CellProtection(**rule)
    try:
        released = CellSuppression().protect(table, [criterion]).data
    except Infeasible:
        return
    needs = criterion.unsafe(table)
    found = protection(released, needs)
    assert not found.failing
    assert found.readers == len(list(snoopers(released)))
    witnesses = np.stack(found.witnesses)
    assert all(fits(released, one) for one in found.witnesses)
    for reader in snoopers(released):
        low, high = reader.asked(View.of(released), needs)
        mine = (witnesses[:, reader.cells] >= reader.low).all(axis=1)
        mine &= (witnesses[:, reader.alone] == table.truth.values[reader.alone]).all(axis=1)
        own = witnesses[mine][:, needs.cells]
        assert (own.min(axis=0) <= low).all()
        assert (own.max(axis=0) >= high).all()


def test_who_is_alone_in_a_hidden_cell_does_not_give_the_other_away() -> None:
    """Two cells of one person each in a line: either knows the own cell, and by the total the other."""
    table = sums({("a",): [50], ("b",): [60], ("c",): [30, 30, 30], ("d",): [40, 40, 40]}, ["d"])
    two = table.showing(np.where(np.isin(np.arange(5), [1, 2]), HIDDEN, table.shown))
    assert CellProtection(p=10, readers="outsiders").check(two).ok
    assert CellProtection(p=10).check(two).failed
    released = CellSuppression().protect(table, [CellProtection(p=10)]).data
    assert released.hidden.sum() > 2
    assert CellProtection(p=10).check(released).ok


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(((2, 2), (3, 3), (2, 2, 2), (4,))),
    st.integers(0, 2**32),
    st.sampled_from((3, 5)),
    st.integers(1, 2),
)
def test_rounding_adds_up_and_stays_near(shape: tuple[int, ...], seed: int, base: int, reach: int) -> None:
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 20, shape)
    cells = {tuple(map(str, one)): int(values[one]) for one in np.ndindex(*shape)}
    table = CountTable.of_cells(cells, [f"d{axis}" for axis in range(len(shape))])
    criterion = CellProtection(threshold=base)
    try:
        released = ControlledRounding(base=base, reach=reach).protect(table, [criterion], KEY)
    except Infeasible:
        return
    shown = released.data.shown
    assert (shown % base == 0).all()
    assert released.data.relations.broken(shown) == 0
    assert (np.abs(shown - table.truth.values) < base * reach).all()
    assert (shown[table.truth.values % base == 0] == table.truth.values[table.truth.values % base == 0]).all()
    assert criterion.check(released.data).ok
    again = ControlledRounding(base=base, reach=reach).protect(table, [criterion], KEY)
    assert (again.data.shown == shown).all()
    assert released.reproducible


def test_every_rounding_that_adds_up_can_be_drawn() -> None:
    """A cell of 1 of base 5 goes up now and then; without a key the result says that it cannot be had again."""
    table = CountTable.of_cells({("a",): 1, ("b",): 4, ("c",): 12}, ["d"])
    criterion = CellProtection(threshold=5)
    drawn = {
        tuple(ControlledRounding().protect(table, [criterion], Key(sha256(bytes([i])).digest())).data.shown)
        for i in range(120)
    }
    assert {row[1] for row in drawn} == {0, 5}
    assert {row[2] for row in drawn} == {0, 5}
    assert not ControlledRounding().protect(table, [criterion]).reproducible


def test_what_cannot_be_is_said() -> None:
    table = sums({("a",): [50], ("b",): [60]}, ["d"])
    with pytest.raises(PolicyError):
        ControlledRounding().protect(table, [CellProtection(p=10)], KEY)
    with pytest.raises(PolicyError):
        ControlledRounding(base=7).protect(table, [CellProtection(threshold=5, rounded=5)], KEY)
    with pytest.raises(Infeasible):
        CellSuppression().protect(table, [CellProtection(p=10)])
    with pytest.raises(DataError):
        CellProtection(p=10).unsafe(CountTable.of_cells({("a",): 5}, ["d"], value="cost"))
    for bad in ({"base": 1}, {"reach": 0}, {"tries": 0}):
        with pytest.raises(ValueError, match="must be at least"):
            ControlledRounding(**bad)


def test_two_who_put_their_parts_together_are_held_off_too() -> None:
    """Cells of two persons each: either is in doubt, both together know their cell, and by the total the other."""
    parts = {("a",): [50, 45], ("b",): [60, 52], ("c",): [30, 30, 30, 30], ("d",): [40, 40, 40, 40]}
    table = sums(parts, ["d"])
    two = table.showing(np.where(np.isin(np.arange(5), [1, 2]), HIDDEN, table.shown))
    assert CellProtection(p=10).check(two).ok
    assert CellProtection(p=10, coalitions=2).check(two).failed
    released = CellSuppression().protect(table, [CellProtection(p=10, coalitions=2)]).data
    assert released.hidden.sum() > 2
    assert CellProtection(p=10, coalitions=2).check(released).ok


@settings(max_examples=8, deadline=None)
@given(tables(), st.sampled_from(({"p": 20}, {"threshold": 3, "share": 15})))
def test_no_pair_is_left_out(table: CountTable, rule: dict[str, Any]) -> None:
    """Every pair of persons by itself, whether or not another pair knows more."""
    criterion = CellProtection(**rule, coalitions=2)
    try:
        released = CellSuppression().protect(table, [criterion]).data
    except Infeasible:
        return
    needs, hidden, given = criterion.unsafe(table), released.hidden, table.truth.given
    crowd = np.bincount(given.cell, minlength=table.size)
    pool = [table.truth.values]
    for pair in combinations(range(len(given.cell)), 2):
        cells = given.cell[list(pair)]
        own = np.bincount(cells, weights=given.amount[list(pair)], minlength=table.size).astype(np.int64)
        inside = (own > 0) & hidden
        alone = inside & (np.bincount(cells, minlength=table.size) == crowd)
        reader = ReaderKnowledge(np.flatnonzero(inside), own[inside], np.flatnonzero(alone))
        assert not _Reader(View.of(released), needs, reader, pool).run()


def test_more_than_two_together_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="more are not simulated"):
        CellProtection(p=10, coalitions=3)
    with pytest.raises(ValueError, match="leaves them out"):
        CellProtection(p=10, coalitions=2, readers="outsiders")
    counts = CountTable.of_cells({("a",): 2, ("b",): 30, ("c",): 3}, ["d"])
    released = CellSuppression().protect(counts, [CellProtection(threshold=5, coalitions=2)]).data
    assert CellProtection(threshold=5, coalitions=2).check(released).ok
    assert len(list(snoopers(released, 2))) > len(list(snoopers(released)))


def test_what_is_proved_is_said() -> None:
    flat = sums({("a",): [50], ("b",): [60], ("c",): [30, 30, 30], ("d",): [40, 40, 40]}, ["d"])
    found = CellSuppression().protect(flat, [CellProtection(p=10)]).details
    assert (found.proved_least, found.proof) == (True, "no choice of cells with less hidden value passes this audit")
    easy = sums({("a",): [50, 1], ("b",): [60, 60], ("c",): [30, 30], ("d",): [40, 40]}, ["d"])
    found = CellSuppression(exact=0).protect(easy, [CellProtection(p=10)]).details
    assert found.proved_least  # by linear programs alone
    found = CellSuppression(exact=0).protect(counts((4, 4), 3), [CellProtection(threshold=5)]).details
    assert not found.proved_least
    assert found.proof.startswith("not proved")
    cube = sums({(a, b, c): [9 + int(a + b + c, 2), 8, 7] for a in "01" for b in "01" for c in "01"}, ["x", "y", "z"])
    found = CellSuppression().protect(cube, [CellProtection(threshold=4)]).details
    assert not found.proved_least or "no cell need move by more than" in found.proof
