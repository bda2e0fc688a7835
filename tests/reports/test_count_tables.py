"""Count tables: no published table lets an unsafe cell be bounded more tightly than it may, by brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_tables import covers, every_table

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.reports.counts.criteria.cell_protection import CellProtection
from sharewell.reports.counts.data import HIDDEN, CountTable, Rounding
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.intervals import intervals
from sharewell.reports.counts.engine.protection_check import protection
from sharewell.reports.counts.engine.table_check import fits
from sharewell.reports.counts.mechanisms.cell_suppression import CellSuppression

SHAPES = ((2, 2), (2, 3), (4,), (2, 2, 2))
WARDS = Dimension.of("ward", {"A1": ("A",), "A2": ("A",), "B": ()})


@st.composite
def tables(draw: Any, most: int = 4, shapes: tuple[tuple[int, ...], ...] = SHAPES) -> CountTable:
    shape = draw(st.sampled_from(shapes))
    size = int(np.prod(shape))
    small = 2 if len(shape) == 3 else most
    values = draw(st.lists(st.integers(0, small), min_size=size, max_size=size))
    keys = [tuple(f"{axis}{place}" for axis, place in enumerate(one)) for one in np.ndindex(*shape)]
    return CountTable.of_cells(dict(zip(keys, values, strict=True)), [f"d{axis}" for axis in range(len(shape))])


@st.composite
def wards(draw: Any) -> CountTable:
    """A hierarchy of wards beside a second dimension."""
    keys = [(ward, sex) for ward in ("A1", "A2", "B") for sex in ("f", "m")]
    values = draw(st.lists(st.integers(0, 4), min_size=6, max_size=6))
    return CountTable.of_cells(dict(zip(keys, values, strict=True)), [WARDS, "sex"])


def bounded_too_tightly(published: CountTable, criterion: CellProtection, most: int) -> int:
    """Unsafe cells that the tables that fit leave less doubt about than the rule demands."""
    needs = criterion.unsafe(published)
    if not needs.count:
        return 0
    possible = every_table(published, most)[:, needs.cells]
    low, high = needs.low, needs.high
    values = published.truth.values
    if published.zeros_shown:  # what zeros tell by themselves must be open above
        parts = np.array([sum(values[leaf] > 0 for leaf in covers(published)[cell]) for cell in needs.cells])
        low, high = np.maximum(low, parts), high + np.maximum(parts - low, 0)
    wide = (possible.min(axis=0) <= low) & (possible.max(axis=0) >= high)
    return int(np.count_nonzero(~wide))


@settings(max_examples=60, deadline=None)
@given(tables() | wards(), st.sampled_from(("blank", "negative")))
def test_no_published_table_bounds_an_unsafe_cell_too_tightly(table: CountTable, style: Any) -> None:
    criterion = CellProtection(threshold=3)
    try:
        released = CellSuppression(style=style).protect(table, [criterion]).data
    except Infeasible:
        return
    assert bounded_too_tightly(released, criterion, 6 if len(table.dimensions) < 3 else 4) == 0
    assert criterion.check(released).ok
    assert (released.shown[~released.hidden] == table.truth.values[~released.hidden]).all()


@settings(max_examples=100, deadline=None)
@given(tables(), st.data())
def test_the_criterion_agrees_with_brute_force(table: CountTable, data: Any) -> None:
    """Whatever is hidden: accepted only where all tables of whole numbers say so."""
    hidden = data.draw(st.lists(st.booleans(), min_size=table.size, max_size=table.size))
    hidden_cells = np.array(hidden) & (table.shown > 0)
    hidden_cells[0] = False  # with the grand total the tables are finitely many
    published = table.showing(np.where(hidden_cells, HIDDEN, table.shown))
    criterion = CellProtection(threshold=3)
    found = criterion.check(published)
    if table.truth is None or not table.truth.values.any():
        assert found.failed
    else:
        assert found.value == bounded_too_tightly(published, criterion, 99)


@settings(max_examples=60, deadline=None)
@given(tables() | wards(), st.data())
def test_intervals_hold_every_table_and_meet_it_without_depth(table: CountTable, data: Any) -> None:
    hidden = np.array(data.draw(st.lists(st.booleans(), min_size=table.size, max_size=table.size)))
    hidden[0] = False
    published = table.showing(np.where(hidden & (table.shown > 0), HIDDEN, table.shown))
    found = intervals(published.relations, *published.bounds())
    possible = every_table(published, 99)[:, found.cells]
    assert (found.low <= possible.min(axis=0, initial=99)).all()
    assert (found.high >= possible.max(axis=0, initial=0)).all()
    if published.is_network:
        assert (found.low == possible.min(axis=0)).all()
        assert (found.high == possible.max(axis=0)).all()


@settings(max_examples=40, deadline=None)
@given(tables(most=9, shapes=((2, 2), (4,))), st.sampled_from((3, 5)))
def test_redacted_then_rounded(table: CountTable, base: int) -> None:
    criterion = CellProtection(threshold=4, rounded=base)
    try:
        released = CellSuppression().protect(table, [criterion]).data
    except Infeasible:
        return
    assert (released.shown[~released.hidden] % base == 0).all()
    assert fits(released, table.truth.values)
    assert bounded_too_tightly(released, criterion, 14) == 0


@settings(max_examples=40, deadline=None)
@given(tables(shapes=((2, 2), (2, 3))))
def test_zeros_can_be_secrets(table: CountTable) -> None:
    criterion = CellProtection(threshold=3, zeros="protect")
    try:
        released = CellSuppression().protect(table, [criterion]).data
    except Infeasible:
        return
    assert not released.zeros_shown
    assert (released.shown[table.shown < 3] == HIDDEN).all()
    assert bounded_too_tightly(released, criterion, 8) == 0


def test_three_dimensions_agree_with_brute_force() -> None:
    """There a linear program alone could accept what no table of whole numbers shows."""
    rng = np.random.default_rng(5)
    decided = 0
    for _ in range(150):
        values = rng.integers(0, 3, (2, 3, 2))
        cells = {tuple(map(str, one)): int(values[one]) for one in np.ndindex(values.shape)}
        table = CountTable.of_cells(cells, ["a", "b", "c"])
        hidden = (rng.random(table.size) < 0.6) & (table.shown > 0) & table.leaves
        published = table.showing(np.where(hidden, HIDDEN, table.shown))
        criterion = CellProtection(threshold=3)
        assert criterion.check(published).value == bounded_too_tightly(published, criterion, 9)
        decided += 1
    assert decided == 150


def test_witnesses_are_tables_that_fit() -> None:
    cells = {(a, b): 3 * i + 2 * j + 1 for i, a in enumerate("pqr") for j, b in enumerate("uvw")}
    table = CountTable.of_cells(cells, ["a", "b"])
    criterion = CellProtection(threshold=5)
    released = CellSuppression().protect(table, [criterion])
    found = protection(released.data, criterion.unsafe(released.data))
    assert not found.failing
    assert len(found.witnesses) > 1
    assert all(fits(released.data, one) for one in found.witnesses)
    assert released.details.proved_least


def test_an_edited_number_is_noticed() -> None:
    table = CountTable.of_cells({("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}, ["s", "i"])
    released = CellSuppression().protect(table, [CellProtection(threshold=11)]).data
    edited = released.shown.copy()
    edited[0] += 1
    assert CellProtection(threshold=11).check(released.showing(edited)).failed


@pytest.mark.parametrize(
    "bad",
    [{}, {"threshold": 1}, {"dominance": (0, 50)}, {"dominance": (2, 100)}, {"p": 0}, {"threshold": 5, "below": -1}],
)
def test_bad_parameters_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must|needed"):
        CellProtection(**bad)


def test_odd_tables_are_told_in_words() -> None:
    with pytest.raises(Infeasible):
        CellSuppression().protect(CountTable.of_cells({("m",): 0}, ["sex"]), [CellProtection(threshold=3)])
    with pytest.raises(Infeasible):
        CellSuppression().protect(CountTable.of_cells({("m",): 2}, ["sex"]), [CellProtection(threshold=3)])
    with pytest.raises(DataError):
        CountTable.of_cells({("m",): -2}, ["sex"])
    with pytest.raises(DataError):
        CountTable.of_cells({("m", "x"): 2}, ["sex", "sex"])
    one = CountTable.of_cells({("m",): 20}, ["sex"])
    assert not CellSuppression().protect(one, [CellProtection(threshold=3)]).data.hidden.any()
    with pytest.raises(DataError):
        CellProtection(p=10).unsafe(one)
    with pytest.raises(PolicyError):
        CellSuppression(style="negative").protect(one, [CellProtection(threshold=3, zeros="protect")])


def test_rounding_tells_no_more_than_its_steps() -> None:
    nearest = Rounding(5, "nearest", floor=8)
    for true in [0, *range(8, 40)]:
        shown = nearest.of(np.array([true]))
        low, high = nearest.bounds(shown)
        same = [v for v in [0, *range(8, 60)] if nearest.of(np.array([v]))[0] == shown[0]]
        assert (low[0], high[0]) == (min(same), max(same))
    even = Rounding(10)
    assert [int(v) for bound in even.bounds(even.of(np.array([15]))) for v in bound] == [15, 24]
