"""The safe report of least loss: known optima, an exhaustive audit of every vector, and what is written of it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_structure import faults

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError, VerificationFailed
from sharewell.findings import json_details
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import parse
from sharewell.policy.mistakes import MistakeCollector
from sharewell.reports import (
    Aggregate,
    Convention,
    Levels,
    Plan,
    Proposal,
    Protection,
    Publication,
    Report,
    ReportLoss,
    Snoopers,
    Width,
    audit,
    load,
)
from sharewell.reports.dossier.audit_page import audit_page
from sharewell.reports.dossier.levels import levels_of, published
from sharewell.reports.dossier.public_page import public_page
from sharewell.reports.figures import wing
from sharewell.reports.figures.engine import report_release
from sharewell.reports.figures.engine.alternatives import Menu, Utility
from sharewell.reports.figures.engine.evidence import read_evidence
from sharewell.reports.figures.engine.public_report import as_table, content, groups, read_records, same_figures
from sharewell.reports.figures.engine.report_file import proposal as read_proposal
from sharewell.reports.figures.engine.table_check import broken, is_possible
from sharewell.reports.wing import ReportsWing

TESTS = ("HbA1c", "Lipid profile", "Eye exam")
RATES = {
    "HMO1": (75.0, 56.0, 43.0),
    "HMO2": (88.2, 59.8, 46.9),
    "HMO3": (85.7, 49.8, 44.5),
    "HMO4": (83.0, 50.8, 47.1),
}
PLANS = Report.of({plan: dict(zip(TESTS, rates, strict=True)) for plan, rates in RATES.items()}, domain=(0, 100))
HMO1 = Snoopers(outsider=False, owners=("HMO1",))
EVERYBODY = Snoopers(owners="all")
EXAMPLE = (3, 1, 1, 3, 3, 1)
"""Means of plans, means and standard deviations of tests."""


def proposed(
    must: Sequence[Any],
    levels: Sequence[int] = EXAMPLE,
    *,
    report: Report = PLANS,
    snoopers: Snoopers = HMO1,
    nested: bool = False,
) -> Proposal:
    shown = Publication.of(report, Levels(*levels[:3]), Levels(*levels[3:]), Convention(nested=nested))
    return Proposal("rates", shown, tuple(must), snoopers, report)


def planned(width: float, **more: Any) -> Plan:
    return Aggregate(**more).plan(proposed([Width(width)]), [Width(width)])


OPTIMA = {3: (1, {"(2,1,1|3,3,1)"}), 5: (2, {"(3,1,1|3,1,1)", "(3,1,1|1,3,1)"}), 10: (2, {"(3,1,1|3,1,1)"})}


@pytest.mark.parametrize(("width", "everything"), [(3, False), (5, False), (10, False), (5, True)])
def test_the_least_losses_of_the_example_are_found_and_proven(width: int, everything: bool) -> None:
    """Solved once for all vectors by a global solver."""
    plan = planned(width, everything=everything, beyond=0)
    loss, optima = OPTIMA[width]
    assert (float(plan.loss), {str(one) for one in plan.optima}, plan.proven) == (loss, optima, True)
    assert plan.utility in plan.optima
    assert plan.audit().safe


NARROWEST = {  # by levels of row means and column means: with sigmas, with spreads; solved globally
    (3, 3): (1.216, 0.100),
    (3, 2): (2.848, 0.500),
    (3, 1): (8.465, 6.600),
    (2, 3): (3.755, 3.050),
    (2, 2): (4.557, 4.250),
    (2, 1): (10.043, 8.300),
    (1, 3): (3.755, 3.050),
    (1, 2): (4.557, 4.250),
    (1, 1): (10.043, 8.300),
}


@pytest.mark.parametrize("center", NARROWEST)
def test_a_spread_can_tell_more_than_a_standard_deviation(center: tuple[int, int]) -> None:
    """The levels of the literature are not monotone: here lowering dispersion from 3 to 2 always narrows intervals."""
    with_sigma, with_spread = NARROWEST[center]
    must = [Width((with_sigma + with_spread) / 2)]
    rows, columns = center
    safe = {}
    for dispersion in (3, 2):
        shown = Publication.of(PLANS, Levels(rows), Levels(columns, dispersion))
        safe[dispersion] = audit(shown, must, HMO1, thorough=False).safe
    assert safe == {3: True, 2: False}
    assert not Menu.of(Publication.of(PLANS, Levels(3), Levels(3, 3)), PLANS).tells(
        Utility.of((rows, 1, 1, columns, 3, 1)), Utility.of((rows, 1, 1, columns, 2, 1))
    )


def test_weights_and_what_is_kept_steer_the_choice() -> None:
    dear = planned(3, weights={"rows.center": 3}, beyond=0)
    assert (str(dear.utility), float(dear.loss)) == ("(3,1,1|3,1,1)", 2)
    kept = planned(5, keep={"columns.dispersion": "sigma"}, beyond=0)
    assert str(kept.utility) == "(3,1,1|1,3,1)"


def test_every_rejection_names_cell_snooper_limit_and_the_figures_to_blame() -> None:
    plan = planned(5)
    rejected = [one for one in plan.trace if one.status != "safe"]
    assert rejected
    menu = plan.menu
    for one in rejected:
        assert one.reason is not None
        assert one.blame is not None
        assert (one.reason.snooper, one.reason.limits) == ("HMO1", ("width",))
        assert one.reason.tightest.left < 5
        assert menu.tells(one.utility, one.blame)
        alone = audit(menu.publish(one.blame), [Width(5)], HMO1, thorough=False)
        assert (one.reason.row, one.reason.column) in {(c.row, c.column) for c in alone.violations}
    assert any(not one.audited for one in plan.trace)


def test_inclusion_is_read_off_the_figures() -> None:
    """65.0 is published for a mean of 64.97: the bin of the mean ends at 65, and the published interval goes beyond."""
    rows: dict[str, Any] = {"A": {"x": "64.97", "y": "64.97"}, "B": {"x": 62, "y": 62}}
    report, three, two = (
        Report.of(rows, domain=(0, 100)),
        Utility.of((3, 1, 1, 1, 1, 1)),
        Utility.of((2, 1, 1, 1, 1, 1)),
    )
    shown = Publication.of(report, Levels(3))
    assert not Menu.of(shown, report).tells(three, two)
    nested = Publication.of(report, Levels(3), convention=Convention(nested=True))
    assert Menu.of(nested, report).tells(three, two)
    assert Menu.of(shown, report).tells(three, Utility.of((1, 1, 1, 1, 1, 1)))
    ranked = Menu.of(Publication.of(report, Levels(3, 1, 3)), report)
    assert ranked.tells(three, Utility.of((1, 1, 3, 1, 1, 1))), "means that lie apart tell their order"


SMALL = st.integers(0, 40).map(lambda tenths: Fraction(tenths, 4))


@st.composite
def small_reports(draw: st.DrawFn) -> Report:
    owners, measures = draw(st.integers(2, 3)), draw(st.integers(1, 2))
    rows = {f"o{i}": {f"m{j}": draw(SMALL) for j in range(measures)} for i in range(owners)}
    return Report.of(rows, domain=(0, 10))


@settings(max_examples=9, deadline=None)
@given(
    report=small_reports(),
    levels=st.sampled_from([(3, 1, 1, 3, 1, 1), (1, 1, 1, 3, 3, 1), (1, 1, 3, 3, 1, 1), (2, 1, 1, 3, 2, 1)]),
    width=st.sampled_from([Fraction(1, 2), Fraction(2), Fraction(5)]),
    nested=st.booleans(),
)
def test_no_vector_is_better_than_the_one_found(
    report: Report, levels: tuple[int, ...], width: Fraction, nested: bool
) -> None:
    """Against an audit of every single vector, each on its own."""
    must = [Width(width)]
    proposal = proposed(must, levels, report=report, snoopers=EVERYBODY, nested=nested)
    menu = Menu.of(proposal.publication, report)
    safe = {
        one: ReportLoss().lost(menu.top, one)
        for one in menu.utilities()
        if audit(menu.publish(one), must, EVERYBODY, thorough=False).safe
    }
    try:
        plan = Aggregate(beyond=4).plan(proposal, must)
    except Infeasible:
        assert not safe
        return
    assert plan.utility in safe
    assert plan.loss == min(safe.values()) or not plan.proven
    for one in plan.trace:
        assert (one.utility in safe) == (one.status == "safe") or one.status == "undecided"


@settings(max_examples=20, deadline=None)
@given(small_reports(), st.booleans(), st.integers(0, 2**32))
def test_whatever_agrees_with_more_agrees_with_less(report: Report, nested: bool, seed: int) -> None:
    """What `tells` claims, tried on tables near the true one."""
    levels = Levels(3, 3, 3) if len(report.frame.columns) > 1 else Levels(3, 1, 3)
    menu = Menu.of(Publication.of(report, levels, Levels(3, 3, 3), Convention(decimals=0, nested=nested)), report)
    vectors, dice = menu.utilities(), random.Random(seed)
    for _ in range(25):
        more, less = dice.choice(vectors), dice.choice(vectors)
        least, most = Fraction(0), Fraction(10)
        table = {c: min(max(v + Fraction(dice.randint(-4, 4), 8), least), most) for c, v in report.values.items()}
        if menu.tells(more, less) and not any(broken(menu.publish(more), table)):
            assert not any(broken(menu.publish(less), table))


def test_figures_alone_are_enough_where_true_cells_are_not_at_hand() -> None:
    """A mediator has the figures; levels 2 are then coarser forms of them."""
    shown = Publication.of(PLANS, Levels(3, 1, 3), Levels(3, 3))
    alone = Publication(shown.frame, shown.figures, {c: v for c, v in PLANS.values.items() if c[0] == "HMO1"})
    plan = Aggregate(beyond=0).plan(Proposal("rates", alone, (Width(3),)), [Width(3)])
    assert plan.menu.coarser
    assert plan.menu.top == Utility.of((3, 1, 3, 3, 3, 1))
    assert plan.proven
    assert plan.audit().safe
    for place in plan.menu.rungs:
        for fine, coarse in ((3, 2), (2, 1), (3, 1)):
            if {fine, coarse} <= set(plan.menu.rungs[place]):
                assert plan.menu.tells(plan.menu.top.at(place, fine), plan.menu.top.at(place, coarse))


def test_nothing_safe_is_infeasible_and_says_what_blocks() -> None:
    with pytest.raises(Infeasible) as told:
        planned(10, keep={"rows.center": 3, "columns.center": "mean", "columns.dispersion": 3})
    assert "HMO1 about" in told.value.blocking[0]
    assert any("search.keep" in one for one in told.value.relaxations)
    assert not any(str(rate) in str(told.value) for rates in RATES.values() for rate in rates)
    lone = Report.of({"A": {"x": 5, "y": 6}}, domain=(0, 10))
    with pytest.raises(Infeasible):
        Aggregate().plan(proposed([Width(10)], (1, 1, 1, 3, 1, 1), report=lone, snoopers=Snoopers()), [Width(10)])


@pytest.mark.parametrize(
    "search",
    [
        {"weights": {"rows.centre": 2}},
        {"weights": {"rows.center": -1}},
        {"weights": [1]},
        {"keep": {"rows.center": "median"}},
        {"keep": {"rows.order": 3}},
        {"undecided": "safe"},
    ],
)
def test_what_a_search_cannot_mean_is_refused(search: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        Aggregate.of(search).plan(proposed([Width(3)]), [Width(3)])


def test_a_proposal_without_figures_or_of_another_kind_is_refused() -> None:
    nothing = Proposal("rates", Publication.of(PLANS), (Width(3),), HMO1, PLANS)
    with pytest.raises(PolicyError, match="no figure"):
        Aggregate().plan(nothing, [Width(3)])
    other: Any = {"a": 1}
    with pytest.raises(PolicyError, match="something else"):
        Aggregate().protect(other, [Width(3)])


def test_undecided_is_unsafe_and_then_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    from sharewell.reports.figures.engine.bounds import Inference

    usual = Inference.decide

    def doubtful(self: Inference, cell: int, need: Any, nodes: int = 0) -> Any:
        two_bins = self.publication.row_levels == Levels(2) and self.publication.column_levels == Levels(3, 3)
        return "undecided" if two_bins else usual(self, cell, need, nodes)

    monkeypatch.setattr(Inference, "decide", doubtful)
    plan = planned(3)
    assert plan.loss == 2
    assert not plan.proven
    assert [str(one.utility) for one in plan.trace if one.status == "undecided"] == ["(2,1,1|3,3,1)"]


def test_the_mechanism_returns_a_publication_and_no_values() -> None:
    must = [Width(3), Protection(below=1, above=1)]
    found = Aggregate().protect(proposed(must), must)
    for criterion in must:
        assert not criterion.check(found.data).failed
    assert found.details.proven
    told = json.dumps(json_details(found.details))
    assert not any(str(rate) in told for rates in RATES.values() for rate in rates)
    assert ReportLoss().score(proposed(must).publication, found.data).value == found.details.loss


REPORT = ("report.csv", "report.html", "report.json")


def load_text(told: dict[str, Any]) -> Publication:
    """What the JSON of a report denotes."""
    document = parse(json.dumps(told))
    reading = MistakeCollector(document, Path(), document.mistakes)
    found = read_proposal(reading, {**document.plain, "protect": {"default": {"width": 0}}}, ())
    assert found is not None
    return found.publication


def reopened(place: Path) -> Publication:
    """The figures as the public folder tells them, and nothing else."""
    told = json.loads((place / "public" / "dictionary.json").read_text())["report"]
    shown: Publication = ReportsWing().reopen(Source.of(place / "public" / "report.csv"), told)
    return shown


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, Path]:
    must = (Width(3, cells={"HMO2": {"Eye exam": 4}}), Protection(cells={"HMO2": {"HbA1c": {"below": 1, "above": 1}}}))
    proposal = proposed(must, (3, 1, 3, 3, 3, 1), snoopers=Snoopers(owners=("HMO1", "HMO2")))
    plan = proposal.aggregate(beyond=2)
    return plan, plan.release(tmp_path_factory.mktemp("release") / "out")


def test_the_public_report_holds_figures_and_nothing_of_the_audit(written: tuple[Plan, Path]) -> None:
    plan, place = written
    public = sorted(path.name for path in (place / "public").iterdir())
    assert public == ["README.html", "SHA256SUMS", "certificate.json", "dictionary.json", *REPORT]
    for path in (place / "public" / name for name in REPORT):
        text = path.read_text().lower().partition("</style>")
        words = text[2] or text[0]
        for word in ("audit", "snoop", "safe", "width", "witness", "vector", "limit", "protect", "withheld", "loss"):
            assert word not in words.replace("device-width", ""), f"{path.name} says {word}"
    told = json.loads((place / "public" / "report.json").read_text())
    assert set(told) == {"report", "table", "published"}
    assert told == content("rates", plan.publication)


def test_whoever_has_the_public_report_can_audit_it_with_its_own_row(
    written: tuple[Plan, Path], tmp_path: Path
) -> None:
    plan, place = written
    told = json.loads((place / "public" / "report.json").read_text())
    told |= {"known": {"HMO1": dict(zip(TESTS, RATES["HMO1"], strict=True))}, "protect": {"default": {"width": 3}}}
    (tmp_path / "mine.yaml").write_text(json.dumps(told))
    own = load(tmp_path / "mine.yaml").audit()
    assert own.safe
    assert {str(figure) for figure in own.publication.figures} == {str(one) for one in plan.publication.figures}


def test_the_witnesses_in_internal_prove_every_cell(written: tuple[Plan, Path]) -> None:
    """From the written files, the definition of the figures, and nothing of the search."""
    _, place = written
    true, kept = read_evidence(pq.read_table(place / "internal" / "persons" / "report.parquet"))
    judged = json.loads((place / "internal" / "report" / "audit.json").read_text())["released"]
    assert true == PLANS.values
    shown, pairs = reopened(place), kept.pairs
    for one in judged:
        rows = () if one["snooper"] == "outsider" else tuple(one["snooper"].split("+"))
        known = {cell: value for cell, value in PLANS.values.items() if cell[0] in rows}
        low, high = pairs[one["snooper"], one["row"], one["column"]]
        assert is_possible(shown, known, low)
        assert is_possible(shown, known, high)
        ends = [table[one["row"], one["column"]] for table in (low, high)]
        assert ends[1] - ends[0] >= Fraction(str(one["limits"]["width"]))
    assert len({(one["snooper"], one["row"], one["column"]) for one in judged}) == 12 + 9 + 9


BINS = {"center": "5-point ", "dispersion": "1-point "}
"""How wide ranges of means and of standard deviations are, as the page has it."""


def test_the_officer_sees_every_cell_its_worst_snooper_and_the_map(written: tuple[Plan, Path]) -> None:
    plan, place = written
    page = (place / "internal" / "report" / "audit.html").read_text()
    tree = ElementTree.fromstring(page.partition("\n")[2])
    drawings = [one for one in tree.iter("svg") if one.get("role") == "img"]
    assert len(drawings) == len(TESTS) + 1
    text = " ".join(tree.itertext())
    assert "every limit holds for 12 cells and 3 snoopers" in text
    assert all(published(levels_of(str(one.utility)), BINS) in text for one in plan.trace)
    assert not re.search(r"\(\d,\d,\d\|", text), "levels are told in words"
    assert faults(page) == []
    assert "sample: divided by n − 1" in text
    assert "give or take 0.05" in text
    assert "every owner alone" in text
    assert "http" not in page.replace("http-equiv", "")
    assert not any((place / "internal").stat().st_mode & bit for bit in (0o040, 0o004))


def test_a_release_is_never_written_over_and_appears_only_if_its_own_audit_passes(
    written: tuple[Plan, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, place = written
    with pytest.raises(DataError, match="already there"):
        plan.release(place.parent)
    other = as_table(plan.menu.publish(plan.menu.top))
    monkeypatch.setattr(wing, "as_table", lambda shown: other)
    with pytest.raises(VerificationFailed):
        plan.release(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["audit.jsonl"]


def test_a_plan_that_is_not_safe_is_not_released(tmp_path: Path) -> None:
    from dataclasses import replace

    plan = planned(3)
    forged = replace(plan, publication=plan.menu.publish(plan.menu.top))
    with pytest.raises(VerificationFailed, match="HMO1 about HMO2"):
        forged.release(tmp_path)
    assert not (tmp_path / "rates").exists()


@settings(max_examples=25, deadline=None)
@given(
    small_reports(),
    st.tuples(*[st.integers(1, 3)] * 6),
    st.booleans(),
    st.sampled_from(["sample", "population"]),
    st.integers(0, 2),
)
def test_what_is_written_is_what_is_read(
    report: Report, levels: tuple[int, ...], nested: bool, sigma: Any, decimals: int
) -> None:
    levels = levels if len(report.frame.columns) > 1 else (levels[0], 1, levels[2], *levels[3:])
    how = Convention(decimals, sigma, nested, sigma_bin=Fraction(1, 2))
    shown = Publication.of(report, Levels(*levels[:3]), Levels(*levels[3:]), how)
    if not shown.figures:
        return
    told = content("r", shown)
    assert same_figures(read_records(as_table(shown), {"sigma": sigma, **told}), shown)
    assert same_figures(load_text(told), shown)
    ElementTree.fromstring(public_page(told).partition("\n")[2])


def test_absent_cells_and_names_with_markup_are_written_and_read() -> None:
    rows: dict[str, Any] = {"<b>A": {"x&y": 1, "z": 2}, "B": {"x&y": 3, "z": None}, "C,": {"x&y": 5, "z": 7}}
    report = Report.of(rows, domain={"x&y": (0, 10), "z": (0, 20)})
    proposal = proposed([Width(1)], (3, 1, 3, 3, 1, 1), report=report, snoopers=EVERYBODY)
    plan = proposal.aggregate(beyond=0)
    told = content("r", plan.publication)
    assert read_records(as_table(plan.publication), told).frame == report.frame == load_text(told).frame
    inside = report_release.internal_content(plan, plan.audit())
    for page in (public_page(told), audit_page(inside)):
        assert "<b>" not in page
        ElementTree.fromstring(page.partition("\n")[2])


def test_ranks_are_groups_from_the_lowest_mean_to_the_highest() -> None:
    shown = {order: Publication.of(PLANS, Levels(order=order), convention=Convention(nested=True)) for order in (2, 3)}
    assert groups(shown[3], "rows") == [["HMO1"], ["HMO3"], ["HMO4"], ["HMO2"]]
    assert groups(shown[2], "rows") == [["HMO1", "HMO3"], ["HMO2", "HMO4"]]


def test_the_commands_answer_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = str(Path(__file__).parents[2] / "examples" / "reports" / "diabetes.yaml")
    assert main(["reports", "release", example, "--to", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["safe"], told["vector"], told["loss"], told["proven"]) == (True, "(3,1,1|3,1,1)", 2, True)
    assert {"vector", "loss", "status", "reason", "blame", "risk"} <= set(told["trace"][0])
    assert told["written"] == str(tmp_path / "diabetes-2001")
    assert (tmp_path / "diabetes-2001" / "internal" / "report" / "audit.html").exists()


def test_the_commands_answer_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yaml").write_text(
        "report: small\n"
        "table: {values: {A: {x: 5.25}, B: {x: 7.75}}, domain: [0, 10], bin: 4}\n"
        "publish: {columns: {center: mean}}\n"
        "protect: {default: {width: 2}}\n"
    )
    small, to = str(tmp_path / "small.yaml"), str(tmp_path / "out")
    assert main(["reports", "aggregate", small]) == 0
    shown = capsys.readouterr().out
    assert (
        "answer: safe if the report publishes means of columns in bins of 4; no report with less loss is safe" in shown
    )
    assert " is safe (vector (1,1,1|2" in shown
    assert "A about B, x: width of at most 0.2 is left, 2 is required" in shown
    assert main(["reports", "release", small, "--to", to]) == 0
    assert "confidential" in capsys.readouterr().out
    assert main(["reports", "release", small, "--to", to]) == 3
    assert "already there" in capsys.readouterr().err
    written = (tmp_path / "small.yaml").read_text() + "search: {keep: {columns.center: mean}}\n"
    (tmp_path / "small.yaml").write_text(written)
    assert main(["reports", "aggregate", small]) == 4
    assert "let go of search.keep" in capsys.readouterr().err
