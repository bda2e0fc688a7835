"""Medians: whatever a snooper concludes from one is what all possible tables together say, found by trying them all."""

from __future__ import annotations

import itertools
import statistics
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_reports import agrees, report

from sharewell import reports
from sharewell.errors import PolicyError
from sharewell.reports import Convention, Levels, Publication, Width, audit
from sharewell.reports.figures.data import Figure
from sharewell.reports.figures.engine.alternatives import Menu, Utility, levels_shown
from sharewell.reports.figures.engine.constraints import Median
from sharewell.reports.figures.engine.medians import Middle, counts
from sharewell.reports.figures.engine.numbers import median
from sharewell.reports.figures.engine.public_report import as_table, content, read_records, same_figures

TOP = 4
STEP = Fraction(1, 2)
GRID = [STEP * i for i in range(2 * TOP + 1)]
SHOWN = Figure("median", "columns", ("x",))


def by_trying(shown: Publication, known: dict[tuple[str, str], Fraction]) -> dict[tuple[str, str], list[Fraction]]:
    """Every value that a cell has in some table on the grid that shows all figures."""
    unknown = [cell for cell in shown.frame.cells if cell not in known]
    found: dict[tuple[str, str], set[Fraction]] = {cell: set() for cell in unknown}
    for values in itertools.product(GRID, repeat=len(unknown)):
        table = {**known, **dict(zip(unknown, values, strict=True))}
        if agrees(shown, known, table):
            for cell in unknown:
                found[cell].add(table[cell])
    return {cell: sorted(values) for cell, values in found.items()}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(
    st.lists(st.integers(0, TOP), min_size=2, max_size=5),
    st.sampled_from(
        [Levels(median=3), Levels(center=3, median=3), Levels(center=2, median=2), Levels(order=1, median=2)]
    ),
    st.booleans(),
    st.booleans(),
)
def test_bounds_are_those_of_all_tables_on_a_grid(values: list[int], levels: Levels, alone: bool, nested: bool) -> None:
    """Never narrower than the grid shows, and by no more than a step wider."""
    how = Convention(0, nested=nested, bin=Fraction(2))
    shown = Publication.of(report([[value] for value in values], domain=(0, TOP)), columns=levels, convention=how)
    who = shown.knowledge() if alone and len(values) < 5 else shown.knowledge(shown.frame.rows[0])
    tried = by_trying(shown, dict(who.cells))
    for cell in audit(shown, [Width(Fraction(1, 10))], [who], exact=True).cells:
        possible = tried[cell.row, cell.column]
        assert cell.low <= possible[0]
        assert cell.high >= possible[-1]
        assert cell.low >= possible[0] - STEP - Fraction(1, 1000)
        assert cell.high <= possible[-1] + STEP + Fraction(1, 1000)
        assert cell.inner is not None
        assert cell.low <= cell.inner[0] <= cell.inner[1] <= cell.high


def test_a_median_of_three_whose_two_others_surround_it_tells_the_third() -> None:
    """30 and 70 are known, and the median is 50: nobody else can have it."""
    shown = Publication.of(report([[30], [50], [70]]), columns=Levels(median=3))
    found = audit(shown, [Width(5)], [shown.knowledge("r0", "r2")], exact=True).worst("r1", "c0")
    assert (found.low, found.high) == pytest.approx((49.95, 50.05), abs=1e-3)
    assert found.status == "unsafe"


def test_a_median_leaves_open_what_lies_beyond_it() -> None:
    """One of five who knows that it is below: two or more of the others are at least the median."""
    shown = Publication.of(report([[10], [20], [50], [60], [90]]), columns=Levels(median=3))
    found = audit(shown, [Width(5)], [shown.knowledge("r0")])
    assert found.safe
    for cell in found.cells:
        assert (cell.low, cell.high) == pytest.approx((0, 100), abs=1e-3)


def test_a_median_beside_a_mean_tells_more_than_each_alone() -> None:
    """Of three values from 0 to 100 with mean 90 and median 99, none is below 60, and the least is at most 81."""
    table = report([[99], [75], [96]])
    widths = {}
    for levels in (Levels(3), Levels(median=3), Levels(3, median=3)):
        shown = Publication.of(table, columns=levels)
        cell = audit(shown, [Width(1)], [shown.knowledge()], exact=True).worst("r1", "c0")
        widths[levels] = cell.width
    both = widths.pop(Levels(3, median=3))
    assert both < min(widths.values())


def test_of_two_values_the_median_is_the_mean() -> None:
    table = report([[30, 10], [50, 20]])
    for levels in (Levels(3), Levels(median=3)):
        shown = Publication.of(table, columns=levels)
        found = audit(shown, [Width(1)], [shown.knowledge("r0")]).worst("r1", "c0")
        assert (found.low, found.high) == pytest.approx((49.9, 50.1), abs=1e-4)


@given(st.lists(st.integers(-9, 9).map(Fraction), min_size=1, max_size=8))
def test_the_median_is_that_of_the_standard_library(values: list[Fraction]) -> None:
    assert median(values) == statistics.median(values)


@given(st.lists(st.integers(0, 8), min_size=3, max_size=7), st.integers(0, 3))
def test_counts_hold_for_every_table_that_shows_the_median(values: list[int], known: int) -> None:
    """They are used to reject, so that they must never exclude the truth."""
    known = min(known, len(values) - 1)
    middle = Fraction(statistics.median(values)) if len(values) % 2 else median([Fraction(v) for v in values])
    cells = tuple(range(len(values) - known))
    told = tuple(Fraction(value) for value in values[len(cells) :])
    one = Median(cells, told, middle, middle, SHOWN)
    for count in counts(one, [(Fraction(0), Fraction(8))] * len(cells)):
        there = sum(count.side * values[cell] >= count.side * count.limit for cell in count.cells)
        assert there >= count.least


@given(st.lists(st.integers(0, 8), min_size=3, max_size=7), st.permutations(range(7)))
def test_half_spaces_of_any_ranking_lie_inside_the_set(values: list[int], order: list[int]) -> None:
    """Whatever satisfies them shows the median."""
    import numpy as np

    n = len(values)
    middle = Middle(tuple(range(n)), (), 3.0, 5.0)
    ranked = [place for place in order if place < n]
    point = np.array(values, dtype=np.float64)
    if all(towards @ point >= number for towards, number in middle.half_spaces(ranked, n)):
        assert 3.0 <= statistics.median(values) <= 5.0
    own = middle.half_spaces(middle.ranked(point), n)
    assert all(t @ point >= b for t, b in own) == (3.0 <= statistics.median(values) <= 5.0)


def test_a_file_of_published_medians_is_audited(tmp_path: Path) -> None:
    file = tmp_path / "report.yaml"
    file.write_text(
        "table: {domain: [0, 100], decimals: 0, rows: [A, B, C]}\n"
        "published: {columns: {x: {median: 50}}}\n"
        "known: {A: {x: 30}, C: {x: 70}}\n"
        "snoopers: {coalitions: 2}\n"
        "protect: {default: {width: 5}}\n"
    )
    found = reports.load(file).audit(exact=True)
    assert not found.safe
    assert found.worst("B", "x").snooper == "A+C"
    assert found.worst("B", "x").width == pytest.approx(1, abs=1e-3)


def test_a_contradiction_among_medians_is_named(tmp_path: Path) -> None:
    file = tmp_path / "report.yaml"
    file.write_text(
        "table: {domain: [0, 100], decimals: 0, rows: [A, B, C]}\n"
        "published: {columns: {x: {median: 90, mean: 20}}}\n"
        "protect: {default: {width: 5}}\n"
    )
    with pytest.raises(Exception, match="contradict each other") as error:
        reports.load(file).audit()
    assert "median of column x" in str(error.value)
    assert "90" not in str(error.value)


def test_medians_are_published_read_back_and_lowered() -> None:
    table = report([[10, 20], [30, 45], [52, 60], [70, 81]])
    shown = Publication.of(table, columns=Levels(3, median=3))
    assert str(Utility(levels_shown(shown, "rows"), levels_shown(shown, "columns"))) == "(1,1,1,1|3,1,1,3)"
    facts = {"table": content("r", shown)["table"]}
    assert same_figures(read_records(as_table(shown), facts), shown)
    menu = Menu.of(shown, table)
    assert len(menu.utilities()) == 8
    assert {f.measure for f in menu.publish(Utility(Levels(), Levels(median=2))).figures} == {"median"}


def test_the_safe_report_of_least_loss_may_give_up_the_median(tmp_path: Path) -> None:
    file = tmp_path / "report.yaml"
    file.write_text(
        "table:\n"
        "  domain: [0, 100]\n"
        "  values: {A: {x: 40}, B: {x: 50}, C: {x: 60}}\n"
        "publish: {columns: {center: rounded, median: median}}\n"
        "snoopers: {owners: all}\n"
        "protect: {default: {width: 20}}\n"
        "search: {levels: nested, keep: {columns.center: rounded}}\n"
    )
    plan = reports.load(file).aggregate()
    assert plan.proven
    assert plan.utility.columns.median < 3
    assert plan.audit().safe


def test_levels_of_medians_have_names(tmp_path: Path) -> None:
    file = tmp_path / "report.yaml"
    file.write_text(
        "table: {domain: [0, 100], values: {A: {x: 40}, B: {x: 50}}}\n"
        "publish: {columns: {median: mean}}\n"
        "protect: {default: {width: 20}}\n"
    )
    with pytest.raises(PolicyError, match="no such level of median"):
        reports.load(file)
