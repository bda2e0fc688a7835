"""What a review found: limits that were forgotten, figures read too widely, rows that went into two sums."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from plain_gathering import POOL, plan_of

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError
from sharewell.io.writing import locked_file
from sharewell.keys import Key
from sharewell.reports import Aggregate, Convention, Levels, Protection, Publication, Report, Snoopers, Width, load
from sharewell.reports.figures.data import Figure
from sharewell.reports.figures.engine.alternatives import Menu
from sharewell.reports.gathering.engine.fixed_point import OwnerRow
from sharewell.reports.gathering.engine.ledger import refuse_used, remember
from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse

TWO = {"A": {"x": 60.0, "y": 20.0}, "B": {"x": 70.0, "y": 31.0}}


def written(folder: Path, **content: Any) -> Path:
    path = folder / "report.yaml"
    path.write_text(json.dumps(content))
    return path


def test_entropy_at_two_grains_counts_twice(tmp_path: Path) -> None:
    """Limits at one grain must not replace those at another."""
    table = {"values": TWO, "domain": [0, 100], "decimals": 1}
    limits = {"A": {"entropy": 6, "grain": 0.1}, "B": {"entropy": 0, "grain": 0.05}}
    found = load(written(tmp_path, table=table, publish={"columns": {"center": "mean"}}, protect=limits))
    audit = found.audit()
    assert {(cell.snooper, cell.row) for cell in audit.violations} == {("B", "A")}
    assert not audit.safe
    assert found.aggregate().loss > 0


def test_two_widths_both_hold() -> None:
    shown = Publication.of(Report.of(TWO, domain=(0, 100)), columns=Levels(center=3))
    from sharewell.reports import audit

    assert not audit(shown, [Width(5), Width(0)]).safe


@pytest.mark.parametrize("names", [("outsider", "B", "C"), ("A", "B", "A+B")])
def test_snoopers_of_one_name_are_refused(names: tuple[str, ...]) -> None:
    """One would be judged by what the other knows."""
    report = Report.of({name: {"x": 50 + i} for i, name in enumerate(names)}, domain=(0, 100))
    shown = Publication.of(report, columns=Levels(center=3))
    with pytest.raises(PolicyError, match="another name"):
        Snoopers(coalitions=2).mounted(shown)
    assert len(Snoopers(owners=(names[1], names[1])).mounted(shown)) == 2


@pytest.mark.parametrize(
    ("mean", "half"), [("+58.25", "0.005"), ("5.825e+1", "0.005"), ("58.0", "0.05"), ("58", "0.5")]
)
def test_a_number_denotes_what_was_written(tmp_path: Path, mean: str, half: str) -> None:
    path = tmp_path / "report.yaml"
    path.write_text(
        f"table: {{domain: [0, 100]}}\npublished: {{columns: {{x: {{mean: {mean}}}}}}}\n"
        "known: {A: {x: 60}, B: {x: 56}}\nprotect: {default: {width: 1}}\n"
    )
    (figure,) = load(path).publication.figures
    assert figure.high is not None
    assert figure.low is not None
    assert figure.high - figure.low == 2 * Fraction(half)


@pytest.mark.parametrize("table", [{"domain": [0, True]}, {"domain": [0, 100], "absent": {"A": [[1]]}}])
def test_odd_tables_are_refused(tmp_path: Path, table: dict[str, Any]) -> None:
    shown = {"columns": {"x": {"mean": 5}}}
    path = written(tmp_path, table=table, published=shown, known={"A": {"x": 1}}, protect={"default": {"width": 1}})
    assert main(["reports", "audit", str(path)]) == 2


def test_rounded_sigmas_need_their_convention(tmp_path: Path) -> None:
    table = {"values": TWO, "domain": [0, 100]}
    publish = {"columns": {"dispersion": "rounded"}}
    given = {"table": table, "publish": publish, "protect": {"default": {"width": 1}}, "search": {"levels": "nested"}}
    with pytest.raises(PolicyError, match="sigma"):
        load(written(tmp_path, **given))


def test_a_limit_at_the_end_of_the_domain_can_hold() -> None:
    """0.1 and 0.7 are stored as numbers inside the domain that they end."""
    report = Report.of({name: {"x": 0.4} for name in "ABC"}, domain=(0.1, 0.7))
    shown = Publication.of(report, columns=Levels(center=3), convention=Convention(decimals=0))
    found = Aggregate().protect(shown, [Protection(below=1, above=1), Width(0.6)])
    assert found.details.loss == 0


def test_an_order_of_one_line_publishes_nothing() -> None:
    report = Report.of({"A": {"x": 60}, "B": {"x": 70}}, domain=(0, 100))
    menu = Menu.of(Publication.of(report, columns=Levels(center=3, order=3)), report)
    assert all(menu.publish(one).figures for one in menu.utilities())


def test_the_ledger_knows_a_cell_under_any_plan(tmp_path: Path) -> None:
    """Other decimals are no other cell; nor is an owner another for being called otherwise."""
    plan, ledger = plan_of(4, 1), tmp_path / "row.ledger"
    remember(ledger, plan, OwnerRow.of(plan, {"m0": 55.53}), POOL[0])
    with pytest.raises(DataError, match="before"):
        refuse_used(ledger, replace(plan, decimals=2), OwnerRow.of(replace(plan, decimals=2), {"m0": 55.53}), POOL[0])
    refuse_used(ledger, plan, OwnerRow.of(plan, {"m0": 55.5}), POOL[0])


def test_used_cells_are_refused_before_anything_is_sent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Others could open the sum without an owner who only refuses at the end."""
    for name in ("A", "B", "C"):
        assert main(["keygen", str(tmp_path / name)]) == 0
    plan, row, post = tmp_path / "plan.yaml", tmp_path / "row.csv", tmp_path / "post"
    owners = "{A: A.pub, B: B.pub, C: C.pub}"
    plan.write_text(f"gathering: g\nmeasures: {{x: [0, 100]}}\nowners: {owners}\n")
    row.write_text("x\n5\n")
    post.mkdir()
    from sharewell.io.signatures import load_private
    from sharewell.reports.gathering.engine.plan import load_plan

    read = load_plan(plan)
    ledger = tmp_path / "row.csv.ledger"
    asked = ["reports", "gather", "owner", str(plan), "--folder", str(post), "--name", "A", "--values", str(row)]
    asked += ["--key", str(tmp_path / "A.key"), "--wait", "0"]
    with locked_file(ledger):
        assert main(asked) == 3
    assert "in use" in capsys.readouterr().err
    remember(ledger, read, OwnerRow.of(read, {"x": 5}), load_private(tmp_path / "A.key"))
    assert main(asked) == 3
    assert "went into a gathering before" in capsys.readouterr().err
    assert not [*post.iterdir()]


@pytest.mark.parametrize("wait", ["nan", "inf", "1e300", "-1"])
def test_times_that_are_none_are_refused(wait: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["reports", "gather", "mediator", "plan.yaml", "--port", "0", "--out", "o", f"--wait={wait}"])
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    "other", [RandomisedResponse(2.0), RandomisedResponse(1.0, ("yes", "no")), RandomisedResponse(0.5)]
)
def test_answers_at_two_epsilons_are_drawn_apart(other: RandomisedResponse) -> None:
    """From one draw, two answers that differ would prove which of them is true."""
    key, truth = Key(b"an example key of enough bytes.."), {str(i): "yes" for i in range(4000)}
    first, second = (one.answers(truth, key, "m") for one in (RandomisedResponse(1.0), other))
    both = sum(first[who] == "no" == second[who] for who in truth) / len(truth)
    expected = (1 - RandomisedResponse(1.0).stay) * (1 - other.stay)
    assert abs(both - expected) < 0.025
    assert any(first[who] == "yes" and second[who] == "no" for who in truth)
    assert any(first[who] == "no" and second[who] == "yes" for who in truth)


def test_a_name_that_is_not_listed_is_refused(tmp_path: Path) -> None:
    """As one more owner it would make every interval wider."""
    table = {"rows": ["A", "B"], "columns": ["x"], "domain": [0, 100]}
    shown, limits = {"columns": {"x": {"mean": 5}}}, {"default": {"width": 1}}
    with pytest.raises(PolicyError, match=r"no row 'a' in table\.rows — did you mean 'A'"):
        load(written(tmp_path, table=table, published=shown, known={"a": {"x": 5}}, protect=limits))


def test_messages_follow_no_link_in_a_shared_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sharewell.io import folder_post

    precious = tmp_path / "precious"
    precious.write_text("mine")
    monkeypatch.setattr("secrets.token_hex", lambda size: "known")
    (tmp_path / ".0.from-1.known").symlink_to(precious)
    with pytest.raises(FileExistsError):
        folder_post.FolderLine(tmp_path, 1).send(0, b"message")
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("width", [Fraction(5), Fraction(1), Fraction(1, 4), Fraction(3, 100)])
@pytest.mark.parametrize("measure", ["mean", "sigma"])
def test_a_nested_bin_tells_its_interval_and_no_more(width: Fraction, measure: str) -> None:
    """Figures that show the same bin denote, together, exactly the interval that is published."""
    how = Convention(decimals=1, nested=True, bin=width, sigma_bin=width, sigma="population")
    seen: dict[tuple[Any, Any], list[Any]] = {}
    for tenth in range(200):
        apart = Fraction(tenth, 10) if measure == "sigma" else Fraction(0)
        middle = Fraction(50) if measure == "sigma" else Fraction(tenth, 10)
        report = Report.of({"A": {"x": middle - apart}, "B": {"x": middle + apart}}, domain=(-100, 100))
        levels = [Levels(center=n) if measure == "mean" else Levels(dispersion=n) for n in (3, 2)]
        fine, coarse = (Publication.of(report, columns=one, convention=how).figures[0] for one in levels)
        (again,) = (
            Menu.of(Publication.of(report, columns=levels[0], convention=how))
            .rungs["columns", "center" if measure == "mean" else "dispersion"]
            .get(2, (fine,))
        )
        assert (again.low, again.high) == (coarse.low, coarse.high)
        seen.setdefault((coarse.low, coarse.high), []).append(fine)
    for (low, high), fines in [*seen.items()][:-1]:  # the last bin goes on beyond what was tried
        assert (min(one.low for one in fines), max(one.high for one in fines)) == (low, high)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"HM01": {"x": 5, "y": 5}}, "known.HM01 — no row 'HM01' in published.rows — did you mean 'HMO1'"),
        ({"HMO1": {"x": 5, "yy": 5}}, "known.HMO1.yy — no column 'yy' in published.columns — did you mean 'y'"),
    ],
)
def test_a_misspelt_name_under_known_is_a_mistake(tmp_path: Path, known: dict[str, Any], said: str) -> None:
    """It would pass for one more owner or measure, of whom nothing is published."""
    lines = {"rows": {"HMO1": {"mean": 5}, "HMO2": {"mean": 6}}, "columns": {"x": {"mean": 5}, "y": {"mean": 6}}}
    path = written(
        tmp_path, table={"domain": [0, 100]}, published=lines, known=known, protect={"default": {"width": 1}}
    )
    with pytest.raises(PolicyError) as error:
        load(path)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("levels", "word"), [("nested", "spread"), ("classic", "rounded")], ids=["spread-nested", "rounded-classic"]
)
def test_what_level_two_of_dispersion_is_must_be_said_rightly(tmp_path: Path, levels: str, word: str) -> None:
    """Nested levels have no spread, and the others no rounded sigma: neither may pass for the other."""
    table = {"values": TWO, "domain": [0, 100]}
    given: dict[str, Any] = {"table": table, "protect": {"default": {"width": 1}}, "search": {"levels": levels}}
    with pytest.raises(PolicyError, match=f"no such level of dispersion.*{word} is of"):
        load(written(tmp_path, publish={"columns": {"dispersion": word, "sigma": "sample"}}, **given))
    given["search"] = {"levels": levels, "keep": {"columns.dispersion": word}}
    proposal = load(written(tmp_path, publish={"columns": {"dispersion": "sigma", "sigma": "sample"}}, **given))
    with pytest.raises(PolicyError, match=r"search\.keep\.columns\.dispersion"):
        proposal.aggregate()


@pytest.mark.parametrize("side", ["at_most", "at_least"])
def test_a_side_is_one_number(tmp_path: Path, side: str) -> None:
    """Of a pair nobody could say which of its ends was meant."""
    shown = {"columns": {"x": {side: [4, 6]}}}
    path = written(
        tmp_path, table={"domain": [0, 9]}, published=shown, known={"A": {"x": 1}}, protect={"default": {"width": 1}}
    )
    with pytest.raises(PolicyError, match="is one number, not a pair"):
        load(path)


def test_a_pair_in_a_coarser_form_tells_nothing_of_where_bins_meet() -> None:
    """Pairs as wide that begin in one bin all become the same interval, whether or not they straddle its end."""
    frame = Report.of(TWO, domain=(0, 100)).frame
    seen = set()
    for tenth in range(600, 650):
        low = Fraction(tenth, 10)
        pair = Figure("mean", "rows", ("A",), low, low + 2)
        point = Figure("mean", "rows", ("B",), Fraction(50), Fraction(51), Fraction(101, 2))
        menu = Menu.of(Publication(frame, (pair, point)))
        coarse = menu.rungs["rows", "center"][2][0]
        assert coarse.low is not None
        assert coarse.high is not None
        assert coarse.low <= low
        assert low + 2 <= coarse.high
        seen.add((coarse.low, coarse.high))
    assert seen == {(Fraction(60), Fraction(67))}
