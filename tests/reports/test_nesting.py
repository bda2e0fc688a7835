"""Levels inside each other: what a snooper of any level infers about any other, held against all possible tables."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sharewell import reports, verify
from sharewell.errors import DataError, PolicyError
from sharewell.reports import Convention, Levels, Publication, Report, Snoopers, Width, audit
from sharewell.reports.figures.data import Part
from sharewell.reports.figures.engine.nesting import Nesting
from sharewell.reports.figures.engine.table_check import is_possible

TOP = 3
ABOVE = {"physician": {"P": ["a", "b"], "Q": ["c", "d"]}, "plan": {"H": ["P", "Q"]}}
SHAPES = [
    {"physician": {"P": ["a", "b"], "Q": ["c", "d"]}},
    {"physician": {"P": ["a"], "Q": ["b", "c", "d"]}},
    {"physician": {"P": ["a", "b"], "Q": ["c"], "R": ["d"]}, "plan": {"H": ["P", "Q"], "I": ["R"]}},
]


def nested(values: list[int], above: Any, roll_up: Any = "mean") -> Report:
    rows = "abcd"[: len(values)]
    nesting = Nesting.of("patient", tuple(rows), above, roll_up)
    cells = {row: {"x": value} for row, value in zip(rows, values, strict=True)}
    return Report.of(cells, domain=(0, TOP), nesting=nesting)


def plainly(above: Any, roll_up: str, leaves: dict[str, Fraction]) -> dict[str, Fraction]:
    """Every unit's value, from below."""
    found = dict(leaves)
    for units in above.values():
        for unit, members in units.items():
            parts = [found[name] for name in members]
            found[unit] = sum(parts, Fraction(0)) / (1 if roll_up == "sum" else len(parts))
    return found


def below(above: Any, unit: str) -> set[str]:
    """The rows of the lowest level that belong to a unit."""
    for units in above.values():
        if unit in units:
            return set().union(*(below(above, name) for name in units[unit]))
    return {unit}


def shows(shown: Publication, above: Any, table: dict[str, Fraction]) -> bool:
    """Does a table show all means and medians, each computed from plain lists of names?"""
    scopes = {level: list(units) for level, units in above.items()} | {"patient": list("abcd")}
    scopes |= {unit: members for units in above.values() for unit, members in units.items()}
    for figure in shown.figures:
        names = [figure.lines[0]] if figure.axis == "rows" else scopes[figure.within]
        values = sorted(table[name] for name in names)
        n = len(values)
        value = sum(values) / n if figure.measure == "mean" else (values[(n - 1) // 2] + values[n // 2]) / 2
        if not figure.low <= value <= figure.high:  # type: ignore[operator]
            return False
    return True


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(
    st.lists(st.integers(0, TOP), min_size=4, max_size=4),
    st.sampled_from(SHAPES),
    st.sampled_from(["mean", "sum"]),
    st.sampled_from(["physician:columns", "physician:within", "patient:columns", "physician:rows"]),
    st.sampled_from([Levels(3), Levels(2), Levels(median=3), Levels(3, median=2)]),
    st.sampled_from(["outsider", "a", "P", "Q"]),
)
def test_by_trying_all_tables(values: list[int], above: Any, roll_up: str, what: str, levels: Levels, who: str) -> None:
    """No bound excludes what a table on a half-step grid shows, and none is wider than that by more than a step."""
    table = nested(values, above, roll_up)
    level, about = what.split(":")
    shown = Publication.of_levels(table, [Part(level, about, levels)], Convention(0, bin=Fraction(2)))  # type: ignore[arg-type]
    knows = shown.knowledge() if who == "outsider" else shown.knowledge(who)
    known = set() if who == "outsider" else below(above, who)
    found: dict[str, list[Fraction]] = {row: [] for row in table.frame.rows}
    true = {row: table.values[row, "x"] for row in "abcd"}
    grid = [Fraction(i, 2) for i in range(2 * TOP + 1)]
    free = [row for row in "abcd" if row not in known]
    for guess in itertools.product(grid, repeat=len(free)):
        possible = plainly(above, roll_up, {**true, **dict(zip(free, guess, strict=True))})
        if shows(shown, above, possible):
            for row, value in possible.items():
                found[row].append(value)
    step = Fraction(2) if roll_up == "sum" else Fraction(1, 2)
    for cell in audit(shown, [Width(Fraction(1, 10))], [knows], exact=True).cells:
        assert not below(above, cell.row) <= known
        low, high = min(found[cell.row]), max(found[cell.row])
        assert cell.low <= low
        assert cell.high >= high
        assert cell.low >= low - step - Fraction(1, 100)
        assert cell.high <= high + step + Fraction(1, 100)
        assert cell.inner is not None


def test_a_physician_knows_all_patients_and_a_plan_all_physicians() -> None:
    shown = Publication.of_levels(nested([0, 1, 2, 3], ABOVE), [Part("plan", "rows", Levels(3))])
    assert set(shown.knowledge("P").rows) == {"a", "b", "P"}
    assert set(shown.knowledge("a").rows) == {"a"}
    assert set(shown.knowledge("a", "b").rows) == {"a", "b", "P"}
    names = [one.name for one in Snoopers(owners="all").mounted(shown)]
    assert names == ["outsider", "a", "b", "c", "d", "P", "Q"], "the only plan knows everything"
    assert [one.name for one in Snoopers(owners=("physician",)).mounted(shown)] == ["outsider", "P", "Q"]


def test_of_two_physicians_each_learns_the_others_mean_from_the_plans() -> None:
    """And nothing closer about the other's patients, as long as these are two."""
    report = Report.of(
        {"a": {"x": 20}, "b": {"x": 60}, "c": {"x": 40}, "d": {"x": 80}},
        domain=(0, 100),
        nesting=Nesting.of("patient", tuple("abcd"), ABOVE),
    )
    shown = Publication.of_levels(report, [Part("plan", "within", Levels(3))])
    found = audit(shown, [Width(5)], [shown.knowledge("P")], exact=True)
    physician, patient = found.worst("Q", "x"), found.worst("c", "x")
    assert (physician.low, physician.high) == pytest.approx((59.9, 60.1), abs=1e-3)
    assert physician.status == "unsafe"
    assert (patient.low, patient.high) == pytest.approx((19.8, 100), abs=1e-3)
    assert patient.status == "safe"


def test_a_unit_that_is_not_the_mean_of_its_parts_is_impossible() -> None:
    shown = Publication.of_levels(nested([0, 1, 2, 3], ABOVE), [Part("plan", "columns", Levels(2))])
    table = dict(shown.truth)
    assert is_possible(shown, {}, table)
    assert not is_possible(shown, {}, {**table, ("P", "x"): Fraction(1)})


FILE = """
report: nested
table:
  rows: patient
  values: rates.csv
  domain: [0, 100]
  decimals: 1
  levels: [physician, plan]
publish:
  physician: {within: {center: rounded}}
  plan: {columns: {center: mean}, within: {center: rounded}}
snoopers: {owners: all}
protect:
  levels: {patient: {width: 8}, physician: {width: 4}, plan: {width: 3, below: 0.5}}
"""
RATES = """patient,physician,plan,x,y
a,P,H,20,30
b,P,H,60,50
c,Q,H,40,45
d,Q,H,81,62
e,R,I,33,70
f,R,I,52,28
g,S,J,71,12
h,S,J,25,90
"""


def written(folder: Path, text: str = FILE) -> Path:
    (folder / "rates.csv").write_text(RATES)
    file = folder / "report.yaml"
    file.write_text(text)
    return file


def test_limits_of_every_level_are_judged_by_one_audit(tmp_path: Path) -> None:
    proposal = reports.load(written(tmp_path))
    assert [(one.name, dict(one.cells)) for one in proposal.criteria] == [  # type: ignore[attr-defined]
        ("width", {"patient": {"default": 8}, "physician": {"default": 4}, "plan": {"default": 3}}),
        ("protection", {"plan": {"default": {"below": 0.5, "above": None}}}),
    ]
    found = proposal.audit()
    limits = {cell.row: cell.need.width for cell in found.cells}
    assert limits["a"] == 8
    assert limits["P"] == 4
    assert limits["H"] == 3
    snoopers = {cell.snooper for cell in found.cells}
    assert snoopers == {"outsider", *"abcdefgh", *"PQRS", "H"}, "R stands for I too, and S for J: they know the same"


def test_a_release_of_levels_is_written_and_verified(tmp_path: Path) -> None:
    text = FILE.replace("owners: all", "owners: [physician, plan]").replace("width: 3, below: 0.5", "width: 1")
    with pytest.raises(PolicyError, match="names: public"):
        reports.load(written(tmp_path, text)).aggregate().release(tmp_path / "out")
    text = text.replace("levels: [physician, plan]", "levels: [physician, plan]\n  names: public")
    plan = reports.load(written(tmp_path, text)).aggregate()
    assert plan.audit().safe
    folder = plan.release(tmp_path / "out")
    shown = json.loads((folder / "public" / "report.json").read_text())
    assert shown["table"]["levels"]["plan"] == {"H": ["P", "Q"], "I": ["R"], "J": ["S"]}
    assert "within" in shown["published"]
    page = (folder / "public" / "report.html").read_text()
    assert "Measures within P" in page
    assert "directly below it" in page
    for place in (folder, folder / "public"):
        assert verify(place).ok
    known = {"a": {"x": 20, "y": 30}, "b": {"x": 60, "y": 50}}
    (tmp_path / "mine.yaml").write_text(json.dumps({**shown, "known": known, "protect": {"default": {"width": 1}}}))
    own = reports.load(tmp_path / "mine.yaml").audit()
    assert "a" in {cell.snooper for cell in own.cells}
    assert ("P", "x") in own.publication.truth, "a physician's mean follows from the patients"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("plan: {width: 3, below: 0.5}", "plans: {width: 3}", "no level 'plans'"),
        ("levels: [physician, plan]", "levels: [physician, ward]", "no column ward"),
        ("levels: [physician, plan]", "levels: [physician, physician]", "twice"),
        ("levels: [physician, plan]", "levels: 3", "must list columns"),
        ("physician: {within: {center: rounded}}", "doctor: {within: {center: rounded}}", "no level 'doctor'"),
        ("physician: {within: {center: rounded}}", "patient: {within: {center: rounded}}", "nothing is below"),
        ("physician: {within: {center: rounded}}", "physician: {columns: {order: total}}", "order is for reports of"),
        ("decimals: 1", "decimals: 1\n  roll_up: most", "roll_up must be mean or sum"),
        ("decimals: 1", "decimals: 1\n  names: secret", "names must be public"),
        ("owners: all", "owners: [doctor]", "no row 'doctor'"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        reports.load(written(tmp_path, FILE.replace(old, new)))


@pytest.mark.parametrize(
    "above",
    [
        {"physician": {"P": ["a", "b"], "Q": ["b", "c", "d"]}},
        {"physician": {"P": ["a", "b"], "Q": ["c"]}},
        {"physician": {"P": ["a", "b"], "Q": ["c", "d", "e"]}},
        {"physician": {"a": ["a", "b"], "Q": ["c", "d"]}},
        {"patient": {"P": ["a", "b"], "Q": ["c", "d"]}},
    ],
)
def test_a_unit_belongs_to_one_and_has_a_name_of_its_own(above: Any) -> None:
    with pytest.raises(DataError):
        Nesting.of("patient", tuple("abcd"), above)


def test_a_physician_of_two_plans_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path)
    (tmp_path / "rates.csv").write_text(RATES.replace("b,P,H", "b,P,I"))
    with pytest.raises(DataError, match="put each unit below into one"):
        reports.load(file)
    (tmp_path / "rates.csv").write_text(RATES.replace("b,P,H", "b,P,"))
    with pytest.raises(DataError, match="1 row"):
        reports.load(file)


def test_absent_cells_count_nowhere() -> None:
    nesting = Nesting.of("patient", tuple("abcd"), {"physician": {"P": ["a", "b"], "Q": ["c", "d"]}})
    cells = {"a": {"x": 10, "y": 5}, "b": {"x": None, "y": 7}, "c": {"x": None, "y": 1}, "d": {"x": None, "y": 3}}
    report = Report.of(cells, domain=(0, 100), nesting=nesting)
    assert report.values["P", "x"] == 10
    assert ("Q", "x") not in report.values
    shown = Publication.of_levels(report, [Part("physician", "within", Levels(3))])
    assert len(shown.figures) == 3
