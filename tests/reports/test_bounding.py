"""No false safe: every accepted cell has two witnesses that plain definitions accept, and no bound excludes a table."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from plain_reports import COLUMNS, R1_GLOBAL, ROWS, agrees, on_a_grid, proposed, report, widest

from sharewell.errors import DataError
from sharewell.reports import Convention, Levels, Publication, Report, Snoopers, Width, audit
from sharewell.reports.figures.engine.bounds import inference


def examples(most: int) -> settings:
    return settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=most)


@st.composite
def publications(draw: st.DrawFn, rows: tuple[int, int] = (2, 5), columns: tuple[int, int] = (2, 4)) -> Publication:
    """Any table, at any levels, classic or nested, with some cells absent."""
    n, m = draw(st.integers(*rows)), draw(st.integers(*columns))
    cells = st.integers(0, 200).map(lambda v: Fraction(v, 10))
    values = [[draw(cells) for _ in range(m)] for _ in range(n)]
    levels = st.builds(Levels, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.sampled_from((1, 1, 2, 3)))
    sigma = draw(st.sampled_from(["sample", "population"]))
    how = Convention(draw(st.integers(0, 2)), sigma, draw(st.booleans()), bin=Fraction(2))
    return Publication.of(report(values, domain=(0, 20)), draw(levels), draw(levels), how)


@examples(20)
@given(publications(rows=(2, 4), columns=(2, 3)), st.integers(1, 150), st.data())
def test_every_safe_cell_has_witnesses_that_a_plain_check_accepts(
    shown: Publication, tenths: int, data: st.DataObject
) -> None:
    width = Fraction(tenths, 10)
    row = data.draw(st.sampled_from(shown.frame.rows))
    found = audit(shown, [Width(width)], [shown.knowledge(row), shown.knowledge()], thorough=False, nodes=20)
    truth = shown.truth
    for cell in found.cells:
        known = shown.knowledge(row).cells if cell.snooper == row else {}
        place = (cell.row, cell.column)
        assert cell.low - 1e-9 <= truth[place] <= cell.high + 1e-9
        assert cell.inner is not None
        tables = found.witness(*place, snooper=cell.snooper)
        assert tables is not None
        assert tuple(table[place] for table in tables) == cell.inner
        for table in tables:
            assert agrees(shown, known, table)
        if cell.status == "safe":
            assert tables[1][place] - tables[0][place] >= width
        if cell.status == "unsafe":
            assert cell.high - cell.low < width


@examples(25)
@given(publications(rows=(2, 2), columns=(2, 2)), st.integers(1, 20))
def test_by_brute_force_on_a_grid(shown: Publication, width: int) -> None:
    """Whatever the grid excludes is not claimed open, and what the grid leaves open is not excluded by mistake."""
    known = shown.knowledge("r0")
    grid = on_a_grid(shown, known.cells, step=0.1)
    for cell in audit(shown, [Width(width)], [known], nodes=100).cells:
        low, high = grid[cell.row, cell.column]
        assert cell.inner is not None
        assert low <= cell.inner[0] <= cell.inner[1] <= high
        if high - low < width:
            assert cell.status != "safe"


@examples(8)
@given(publications(rows=(2, 3), columns=(2, 2)))
def test_a_limit_beyond_the_global_width_is_never_called_safe(shown: Publication) -> None:
    """The solver is asked in other words: whole tables, deviations by pairs, spreads by pairs."""
    known = shown.knowledge("r0")
    cell = ("r1", "c1")
    low, high = widest(shown, known.cells, cell)
    assume(high - low < 19.9)
    found = audit(shown, [Width(Fraction(high - low) + Fraction(1, 1000))], [known], exact=True).worst(*cell)
    assert found.status != "safe"
    assert found.low <= low + 1e-3
    assert found.high >= high - 1e-3
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-3)


def test_the_exact_bounds_of_the_literatures_example() -> None:
    """The three bounds that convexity alone does not reach, and two that it does."""
    shown = proposed()
    here = inference(shown, shown.knowledge("HMO1"))
    for place, sign in ((0, 1), (1, 1), (2, 1), (4, -1), (6, -1)):
        here.explore(place)
        here.settle(place, sign)
        row, column = divmod(place, 3)
        assert here.bounds(place)[0 if sign > 0 else 1] == pytest.approx(R1_GLOBAL[row][column][sign < 0], abs=1e-3)
    assert here.outer[1][0] == pytest.approx(58.0778, abs=1e-3)  # convex: too wide by 0.73, so never accepted upon


@pytest.mark.parametrize(
    ("rows", "columns", "narrowest"),
    [
        ((3, 1, 1), (3, 2, 1), 0.10),
        ((3, 1, 1), (2, 3, 1), 2.85),
        ((2, 1, 1), (3, 2, 1), 3.05),
        ((2, 1, 1), (2, 2, 1), 4.25),
        ((1, 1, 1), (1, 2, 1), 8.30),
        ((3, 1, 1), (3, 1, 1), 43.20),
        ((1, 1, 1), (1, 1, 1), 100.0),
    ],
)
def test_levels_are_not_monotone(rows: tuple[int, int, int], columns: tuple[int, int, int], narrowest: float) -> None:
    """With spreads instead of deviations more is known: 0.10 points, where deviations leave 1.22."""
    shown = proposed(Levels(*rows), Levels(*columns))
    found = audit(shown, [Width(1)], [shown.knowledge("HMO1")], exact=True)
    assert min(cell.width for cell in found.cells) == pytest.approx(narrowest, abs=0.006)


@pytest.mark.parametrize("axis", ["rows", "columns"])
def test_nested_levels_never_tell_more_when_lowered(axis: str) -> None:
    how = Convention(nested=True)
    for measure in ("center", "dispersion", "order"):
        widths = []
        for level in (3, 2, 1):
            told = {"rows": Levels(3), "columns": Levels(3)} | {axis: Levels(**{"center": 3, measure: level})}
            shown = proposed(told["rows"], told["columns"], how)
            here = inference(shown, shown.knowledge("HMO1"))
            widths.append([high - low for low, high in here.outer])
        assert all(a <= b + 1e-4 <= c + 2e-4 for a, b, c in zip(*widths, strict=True))


def test_who_knows_more_infers_more_and_hands_witnesses_down() -> None:
    shown = proposed()
    found = audit(shown, [Width(1)], Snoopers(coalitions=2), thorough=False)
    names = list(dict.fromkeys(cell.snooper for cell in found.cells))
    assert names[0] == "outsider"
    assert names[1:5] == list(ROWS)
    assert len(names) == 1 + 4 + 6
    width = {(c.snooper, c.row, c.column): c.width for c in found.cells}
    for row, column in ((r, c) for r in ROWS[2:] for c in COLUMNS):
        assert width["HMO1+HMO2", row, column] <= width["HMO1", row, column] + 1e-5
        assert width["HMO1", row, column] <= width["outsider", row, column] + 1e-5
    assert len({c.snooper for c in found.cells if c.row == "HMO1"}) == 1 + 3 + 3


def test_the_same_question_has_the_same_answer() -> None:
    first, second = (audit(p, [Width(5)], Snoopers(owners=("HMO2",))) for p in (proposed(), proposed()))
    assert first.to_json() == second.to_json()


def test_without_the_global_solver_what_is_open_stays_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sharewell.reports.figures.engine.bounds.is_installed", lambda name: False)
    shown = proposed()
    found = audit(shown, [Width(Fraction(13, 10))], [shown.knowledge("HMO1")])
    assert found.worst("HMO2", "Lipid profile").status == "undecided"  # the truth is 1.22, convex bounds say 1.94
    assert not found.safe
    monkeypatch.undo()
    shown = proposed()
    found = audit(shown, [Width(Fraction(13, 10))], [shown.knowledge("HMO1")])
    assert found.worst("HMO2", "Lipid profile").status == "unsafe"


def test_contradictions_are_named() -> None:
    """Row means add up to 729.9, column means to 730.0: with one decimal they agree, with three they do not."""
    from test_report_files import proposal

    assert proposal().audit(snooper="HMO1").cells
    with pytest.raises(DataError, match=r"contradict each other and the row of HMO1 — mean of row HMO2, .*mean of col"):
        proposal(decimals=3).audit(snooper="HMO1")
    shown = Publication.of(Report.of({"A": {"x": 10}, "B": {"x": 12}}, domain=(0, 100)), columns=Levels(3, 3))
    odd = Publication(shown.frame, tuple(f for f in shown.figures), {("A", "x"): Fraction(50)})
    with pytest.raises(DataError, match=r"row of A — (mean|sigma) of column x"):
        audit(odd, [Width(1)], [odd.knowledge("A")])


def test_a_sigma_that_no_table_has_is_a_contradiction() -> None:
    """Convex bounds cannot see it: the deviation is too small to be reached from within the domain."""
    from sharewell.reports.figures.data import Figure

    shown = Publication.of(report([[1, 1], [2, 2]], domain=(0, 4)), columns=Levels(3))
    wide = Figure("sigma", "columns", ("c0",), Fraction(5), Fraction(6), Fraction(11, 2))
    odd = Publication(shown.frame, (*shown.figures, wide))
    with pytest.raises(DataError, match=r"contradict each other — .*sigma of column c0"):
        audit(odd, [Width(1)], [odd.knowledge()])


def test_no_deviation_at_all() -> None:
    """A sigma of 0.0 says that all are equal, up to rounding; read as exact, that they are equal."""
    shown = Publication.of(report([[50, 20], [50, 30], [50, 40]]), columns=Levels(3, 3))
    found = audit(shown, [Width(1)], [shown.knowledge("r0")])
    assert found.worst("r1", "c0").width == pytest.approx(0.2, abs=1e-4)
    exactly = audit(shown.read_as("seed-002"), [Width(1)], [shown.knowledge("r0")])
    assert exactly.worst("r1", "c0").inner == (50, 50)
    assert exactly.worst("r1", "c0").status == "unsafe"
