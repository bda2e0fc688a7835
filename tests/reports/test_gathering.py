"""Sums by an untrusted mediator: exact whoever leaves, refused below the threshold, nothing of a row beside them."""

from __future__ import annotations

import base64
import json
import re
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_gathering import content, drawing, keys_of, led_to, plan_of, some_rows, step

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.reports.figures.engine.numbers import exact
from sharewell.reports.gathering.engine import fixed_point, shamir
from sharewell.reports.gathering.engine import session as masking
from sharewell.reports.gathering.engine.exchange import rehearsed
from sharewell.reports.gathering.engine.fixed_point import OwnerRow, decode_sums
from sharewell.reports.gathering.engine.messages import STAGES
from sharewell.reports.gathering.engine.owner import _Owner, _Secrets
from sharewell.reports.gathering.engine.plan import MODULUS, Plan
from sharewell.reports.gathering.engine.proposed_report import Proposed
from sharewell.reports.gathering.engine.session import Session

CELLS = st.one_of(st.integers(-1000, 1000).map(lambda n: n / 10), st.fractions(-100, 100, max_denominator=999))


def plain(plan: Plan, rows: dict[str, dict[str, Any]], owners: tuple[str, ...], measure: str) -> list[Fraction]:
    """The cells as an owner rounds them, one by one."""
    unit = 10**plan.decimals
    cells = [rows[name].get(measure) for name in owners]
    return [Fraction(round(exact(cell) * unit), unit) for cell in cells if cell is not None]


@st.composite
def gatherings(draw: st.DrawFn, missing: bool) -> tuple[Plan, dict[str, dict[str, Any]], dict[str, str]]:
    """Owners with rows, of whom any minority leaves, each at any stage."""
    owners = draw(st.integers(3, 7))
    plan = plan_of(owners, draw(st.integers(1, 3)), decimals=draw(st.integers(0, 3)), squares=draw(st.booleans()))
    cells = st.none() | CELLS if missing else CELLS
    rows = {name: {measure: draw(cells) for measure in plan.measures} for name in plan.owners}
    for row in rows.values():
        if all(cell is None for cell in row.values()):
            row["m0"] = 0
    gone = draw(st.lists(st.sampled_from(plan.names), unique=True, max_size=plan.may_drop))
    return plan, rows, {name: draw(st.sampled_from(STAGES)) for name in gone}


@given(gatherings(missing=False))
@settings(max_examples=30, deadline=None)
def test_sums_are_exact_whichever_minority_leaves_at_whichever_stage(given: Any) -> None:
    plan, rows, leaving = given
    found = rehearsed(plan, rows, keys_of(len(plan.owners)), leaving=leaving)
    early = {name for name, stage in leaving.items() if STAGES.index(stage) <= STAGES.index("numbers")}
    assert found.owners == tuple(name for name in plan.owners if name not in early)
    for measure in plan.measures:
        cells = plain(plan, rows, found.owners, measure)
        assert (found.sums[measure].count, found.sums[measure].total) == (len(cells), sum(cells))
        assert found.sums[measure].squares == (sum(cell**2 for cell in cells) if plan.squares else None)


@given(gatherings(missing=True))
@settings(max_examples=30, deadline=None)
def test_no_sum_is_over_fewer_cells_than_the_threshold(given: Any) -> None:
    """With missing cells: exact where enough report, otherwise left out or refused, never told."""
    plan, rows, leaving = given
    try:
        found = rehearsed(plan, rows, keys_of(len(plan.owners)), leaving=leaving)
    except Infeasible:
        early = {name for name, stage in leaving.items() if STAGES.index(stage) <= STAGES.index("numbers")}
        left = tuple(name for name in plan.owners if name not in early)
        assert any(len(plain(plan, rows, left, measure)) < plan.threshold for measure in plan.measures)
        return
    for measure, sums in found.sums.items():
        cells = plain(plan, rows, found.owners, measure)
        assert len(cells) == sums.count >= plan.threshold
        assert sums.total == sum(cells)
    for measure in found.left_out:
        early = {name for name, stage in leaving.items() if STAGES.index(stage) <= STAGES.index("shares")}
        assert len(plain(plan, rows, tuple(set(plan.owners) - early), measure)) < plan.threshold


@pytest.mark.parametrize("stage", STAGES)
def test_one_more_than_may_leave_is_refused(stage: str) -> None:
    plan = plan_of(5)
    leaving = dict.fromkeys(plan.names[: plan.may_drop + 1], stage)
    with pytest.raises(Infeasible, match="at least 3 of 5"):
        rehearsed(plan, some_rows(plan), keys_of(5), leaving=leaving)


def test_every_minority_of_six_at_the_worst_stages() -> None:
    """Before their numbers are sent, when pair masks must be recovered, or right after: all 2 × 22 ways."""
    plan, keys = plan_of(6, 1), keys_of(6)
    rows = some_rows(plan)
    for size in range(plan.may_drop + 1):
        for gone, stage in product(combinations(plan.names, size), ("numbers", "survivors")):
            found = rehearsed(plan, rows, keys, leaving=dict.fromkeys(gone, stage))
            assert found.sums["m0"].total == sum(plain(plan, rows, found.owners, "m0"))


def test_twenty_owners_with_thirty_values_take_no_long_time() -> None:
    """All twenty owners and the mediator in one process: a quarter of a second of processor time."""
    plan, keys = plan_of(20, 30), keys_of(20)
    rows = some_rows(plan)
    rows = {name: {measure: cell % 100 for measure, cell in row.items()} for name, row in rows.items()}
    start = time.process_time()
    rehearsed(plan, rows, keys, leaving=dict.fromkeys(plan.names[:9], "numbers"))
    assert time.process_time() - start < 5


# What the mediator sees beside the sum


def test_all_but_the_masked_numbers_is_the_same_whoever_has_which_row() -> None:
    """Two owners change rows, the draws stay: sums stay, and so does every byte but the masked numbers."""
    plan = plan_of(5, 3)
    rows = some_rows(plan)
    changed = rows | {"H1": rows["H4"], "H4": rows["H1"]}
    tables = [led_to("keys", plan, one, seed="the same") for one in (rows, changed)]
    for stage in STAGES[:-1]:
        if stage == "numbers":
            assert {name for name in plan.owners if tables[0].said[name] != tables[1].said[name]} == {"H1", "H4"}
        else:
            assert tables[0].said == tables[1].said
        for table in tables:
            step(table)
        assert tables[0].told == tables[1].told
    assert tables[0].said == tables[1].said
    for table in tables:
        for raw in table.said.values():
            table.mediator.receive(raw)
        table.mediator.close()
    assert tables[0].mediator.gathered == tables[1].mediator.gathered


def views(monkeypatch: pytest.MonkeyPatch, row: tuple[int, ...], gone: int | None) -> Counter[tuple[Any, ...]]:
    """Over all masks of a group of three elements: what a mediator holds of the numbers, and how often.

    It knows the self-masks of those who stayed, and the pair masks of one who left (or is said to have).
    """
    owners = len(row)
    plan = plan_of(owners, 1, decimals=0, squares=False, threshold=owners)
    keys, names = keys_of(owners), plan.names
    session = Session.of(plan, led_to("keys", plan, seed="views").said)
    pairs = list(combinations(range(owners), 2))
    monkeypatch.setattr(masking, "MODULUS", 3)
    unknown = [pair for pair in pairs if gone not in pair]
    seen: Counter[tuple[Any, ...]] = Counter()
    for drawn in product(range(3), repeat=len(unknown) + 1):
        masks = dict.fromkeys(pairs, 1) | dict(zip(unknown, drawn, strict=False))
        of_self = [drawn[-1] if i == gone else 2 for i in range(owners)]
        monkeypatch.setattr(
            Session,
            "pair_mask",
            lambda _, private, a, b, words, m=masks: [0, m[tuple(sorted((names.index(a), names.index(b))))]],
        )
        monkeypatch.setattr(Session, "self_mask", lambda _, seed, a, words, s=of_self: [0, s[names.index(a)]])
        numbers = []
        for name, cell in zip(names, row, strict=True):
            owner = _Owner(plan, name, OwnerRow((cell,)), keys[name], drawing("unused"))
            said = content(owner._numbers(session, _Secrets(b"", b"", b""), names))["numbers"]
            numbers.append(_second_word(said))
        seen[tuple(numbers)] += 1
    return seen


def _second_word(said: str) -> int:
    return masking.bytes_to_words(base64.b64decode(said))[1]


@pytest.mark.parametrize("total", range(3))
def test_the_masked_numbers_depend_on_the_sum_alone(monkeypatch: pytest.MonkeyPatch, total: int) -> None:
    """Every way that three rows give a sum makes the mediator see each picture equally often, self-masks known."""
    rows = [row for row in product(range(3), repeat=3) if sum(row) % 3 == total]
    first, *others = (views(monkeypatch, row, None) for row in rows)
    assert len(others) == 8
    assert all(one == first for one in others)


def test_who_is_said_to_have_left_stays_hidden_by_its_own_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair masks of the fourth are all known; its row still is any, and the others' depend on their sum alone."""
    rows = [(*three, last) for three in ((0, 0, 0), (1, 2, 0), (2, 2, 2), (1, 1, 1)) for last in range(3)]
    first, *others = (views(monkeypatch, row, 3) for row in rows)
    assert all(one == first for one in others)


def test_masked_numbers_are_even_over_all_words() -> None:
    """With the real streams: of 120 sessions with the same rows, every bit of a number is set in about half."""
    plan = plan_of(3, 1)
    ones = [0] * 128
    sessions = 120
    for i in range(sessions):
        said = content(led_to("numbers", plan, seed=f"even {i}").said["H1"])["numbers"]
        word = _second_word(said)
        for bit in range(128):
            ones[bit] += word >> bit & 1
    assert max(abs(one - sessions / 2) for one in ones) < 5 * (sessions / 4) ** 0.5


# Parts


def test_any_threshold_of_points_gives_the_secret() -> None:
    secret = 2**256 - 7
    points = shamir.share(secret, 4, range(1, 8), drawing("points"))
    assert all(shamir.combined(shamir.weights(some), points) == secret for some in combinations(points, 4))
    assert all(shamir.combined(shamir.weights(some), points) != secret for some in combinations(points, 3))


def test_fewer_points_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a field of seven: whatever the secret, two points of three take each value equally often."""
    monkeypatch.setattr(shamir, "PRIME", 7)
    seen = []
    for secret in range(7):
        counts: Counter[tuple[int, int]] = Counter()
        for drawn in product(range(7), repeat=2):
            bytes_of = iter(drawn)
            points = shamir.share(secret, 3, (1, 2, 3), lambda length, b=bytes_of: next(b).to_bytes(length, "big"))
            counts[points[1], points[3]] += 1
        seen.append(counts)
    assert all(counts == seen[0] and set(counts.values()) == {1} for counts in seen)


@given(st.lists(st.integers(-(10**5), 10**5), min_size=1, max_size=9))
def test_encoding_adds_up(cells: list[int]) -> None:
    plan = plan_of(9, 1, decimals=3)
    words = [
        sum(column) % MODULUS for column in zip(*(OwnerRow((c,)).encoded(plan, ["m0"]) for c in cells), strict=True)
    ]
    sums = decode_sums(plan, ["m0"], words)["m0"]
    assert (sums.count, sums.total * 1000, sums.squares * 10**6) == (len(cells), sum(cells), sum(c * c for c in cells))


@pytest.mark.parametrize("cell", [100.1, -101, "many", "1/0", float("nan"), float("inf"), 10**400])
def test_cells_outside_the_range_are_refused_and_not_told(cell: Any) -> None:
    with pytest.raises(DataError, match="measure m0") as refused:
        OwnerRow.of(plan_of(3), {"m0": cell})
    assert str(cell) not in str(refused.value)


def test_odd_rows_are_refused() -> None:
    plan = plan_of(3)
    with pytest.raises(DataError, match="no cell at all"):
        OwnerRow.of(plan, {"m0": None, "m1": ""})
    with pytest.raises(DataError, match="does not name"):
        OwnerRow.of(plan, {"m0": 1, "weight": 2})
    assert "5" not in repr(OwnerRow.of(plan, {"m0": 55.5}))


def test_sums_that_no_rows_give_are_refused() -> None:
    plan = plan_of(3, 1, decimals=0)
    for words in ([3, 301, 50000], [3, 0, 30001], [3, 30, 299], [0, 0, 0], [4, 0, 0]):
        with pytest.raises(DataError, match="no cells within the range"):
            decode_sums(plan, ["m0"], words)
    assert fixed_point.decode_sums(plan, ["m0"], [3, 30, 300])["m0"].variance("sample") == 0


@pytest.mark.parametrize(
    ("owners", "more", "what"),
    [
        (2, {}, "at least 3"),
        (1, {"squares": False}, "at least 2"),
        (6, {"threshold": 3}, "more than half"),
        (5, {"threshold": 6}, "from 3 to 5"),
        (5, {"threshold": 2}, "from 3 to 5"),
        (3, {"decimals": 13}, "from 0 to 12"),
        (3, {"sigma": "both"}, "sample or population"),
        (3, {"measures": {"x": (Fraction(0), Fraction(1, 3))}}, "decimals"),
        (3, {"measures": {"x": (Fraction(5), Fraction(5))}}, "begins above"),
        (3, {"measures": {"x": (Fraction(0), Fraction(10**20))}}, "128 bits"),
        (3, {"measures": {}}, "none"),
    ],
)
def test_plans_that_cannot_protect_are_refused(owners: int, more: dict[str, Any], what: str) -> None:
    with pytest.raises(PolicyError, match=what):
        Plan("x", plan_of(owners).owners, **more) if "measures" in more else plan_of(owners, **more)


def test_what_a_plan_bears() -> None:
    assert [(p.threshold, p.may_drop, p.curious, p.liars) for p in (plan_of(3), plan_of(4), plan_of(20))] == [
        (3, 0, 0, 0),
        (3, 1, 0, 0),
        (11, 9, 8, 1),
    ]
    assert plan_of(20, threshold=14).liars == 7
    assert plan_of(3).digest != plan_of(3, decimals=2).digest != plan_of(3, 1).digest


# What becomes of the sums


def test_the_report_has_the_figures_of_the_cells() -> None:
    from sharewell.reports.figures.data import Levels, Publication, Report

    plan = plan_of(4, 3, row_means=True)
    rows = some_rows(plan)
    found = rehearsed(plan, rows, keys_of(4))
    shown = Publication.of(Report.of(rows, domain=(-100, 100)), Levels(center=3), Levels(center=3, dispersion=3))
    report = found.proposed()
    assert set(report.publication().figures) == set(shown.figures)
    assert report.publication().frame == shown.frame
    assert not report.publication().truth
    assert Proposed.of_json(plan, json.loads(json.dumps(report.to_json()))) == report


def test_owners_are_told_rounded_figures_or_none() -> None:
    """They know their own rows: whoever subtracts them from exact sums learns more than readers do."""
    for shown in (False, True):
        plan = plan_of(4, 1, show_owners=shown)
        table = led_to("unmasking", plan)
        for raw in table.said.values():
            table.mediator.receive(raw)
        told, *others = (json.loads(message)["report"] for message in table.mediator.close().values())
        assert others == [told] * 3
        assert table.mediator.gathered is not None
        report = table.mediator.gathered.proposed()
        assert told == (report.to_json() if shown else None)
        assert all((value * 10).denominator == 1 for value in (*report.means.values(), *report.sigmas.values()))


@pytest.mark.parametrize(
    "change",
    [
        {"rows": ["H1", "H2"]},
        {"means": {"m0": "1e9"}},
        {"means": None},
        {"absent": [["H1", "m7"]]},
        {"absent": [["H1"]]},
        {"sigmas": []},
        {"rows": 5},
    ],
)
def test_an_odd_report_is_refused(change: dict[str, Any]) -> None:
    plan = plan_of(4, 1)
    told = rehearsed(plan, some_rows(plan), keys_of(4)).proposed().to_json()
    with pytest.raises(DataError, match="report"):
        Proposed.of_json(plan, told | change)


def test_a_row_mean_waits_for_the_last_statement_and_for_two_cells() -> None:
    """Told earlier, sessions that come to nothing would give means over other measures, and so a cell."""
    plan = plan_of(4, 2, row_means=True)
    table = led_to("keys", plan, some_rows(plan) | {"H2": {"m0": 5.0}} | {"H3": {"m0": 5, "m1": 6}})
    for stage in STAGES:
        assert all("mean" not in content(raw) for raw in table.said.values()) == (stage != "unmasking")
        if stage != "unmasking":
            step(table)
    means = {name: content(raw)["mean"] for name, raw in table.said.items()}
    assert means["H3"] == "11/2"
    assert means["H2"] is None


def test_measures_that_few_report_are_left_out_and_the_rest_is_told() -> None:
    plan = plan_of(4, 2)
    rows: dict[str, dict[str, Any]] = some_rows(plan) | {"H1": {"m0": 1}, "H2": {"m0": 2}}
    found = rehearsed(plan, rows, keys_of(4))
    assert (found.measures, found.left_out) == (("m0",), ("m1",))
    rows = some_rows(plan) | {"H1": {"m0": 1}}
    with pytest.raises(Infeasible, match="measure m1"):  # enough at first, and too few in the end
        rehearsed(plan, rows, keys_of(4), leaving={"H4": "numbers"})
    only = rehearsed(plan, some_rows(plan) | {"H1": {"m1": 1}, "H2": {"m0": 1}, "H3": {"m0": 1}}, keys_of(4))
    assert (only.proposed().rows, only.owners) == (("H2", "H3", "H4"), plan.names)
    assert only.proposed().publication().frame.rows == ("H2", "H3", "H4")


def test_missing_cells_are_absent_in_the_report(tmp_path: Any) -> None:
    """The report can be read and audited; who reports what was announced."""
    from sharewell.reports.figures.engine.report_file import load

    plan = plan_of(5, 2, threshold=4, protect={"default": {"width": 1}})
    rows: dict[str, dict[str, Any]] = some_rows(plan) | {"H2": {"m0": 8.5}}
    found = rehearsed(plan, rows, keys_of(5))
    assert found.absent == {("H2", "m1")}
    file = tmp_path / "report.yaml"
    report = found.proposed()
    file.write_text(report.to_yaml())
    read = load(file)
    assert read.publication.frame == report.publication().frame
    assert set(read.publication.figures) == set(report.publication().figures)
    judged = read.audit()
    assert {cell.snooper for cell in judged.cells} == {"outsider"}
    assert judged.safe
    known = {"H1": OwnerRow.of(plan, rows["H1"]).known(plan, found.measures)}
    file.write_text(report.to_yaml(known))
    assert {cell.snooper for cell in load(file).audit().cells} == {"outsider", "H1"}


def test_the_example_of_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "gathering.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(code, {})
    assert "('B',) Sums(count=4" in capsys.readouterr().out
