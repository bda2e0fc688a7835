"""Report files in both forms, their mistakes, and the command that reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError
from sharewell.io.yaml_positions import Document
from sharewell.policy.mistakes import MistakeCollector
from sharewell.reports import Proposal, load
from sharewell.reports.figures.engine import report_file as module

EXAMPLE = Path(__file__).parents[2] / "examples" / "reports" / "diabetes.yaml"
VALUES = """\
report: diabetes
table: {rows: plan, columns: test, values: rates.csv, domain: [0, 100], decimals: 1}
publish:
  rows:    {center: mean}
  columns: {center: mean, dispersion: sigma, sigma: sample}
snoopers: {outsider: true, owners: all, coalitions: 2}
protect:
  default: {width: 5}
  HMO2: {below: 1, HbA1c: {width: 8, above: 3}, default: {entropy: 4, grain: 0.5}}
search: {weights: {rows.center: 2}, levels: nested, undecided: unsafe}
"""
WIDE = "plan,HbA1c,lipid,eye\nHMO1,75.0,56.0,43.0\nHMO2,88.2,59.8,46.9\nHMO3,85.7,49.8,44.5\nHMO4,83.0,50.8,47.1\n"
ONE = "plan,HbA1c,lipid,eye\nHMO1,75.0,56.0,43.0\n"


def proposal(**table: Any) -> Proposal:
    """The example, with other facts about its table."""
    from sharewell.io.yaml_positions import parse

    document = parse(EXAMPLE.read_text())
    document.plain["table"] |= table
    reading = MistakeCollector(document, EXAMPLE.parent)
    found = module.proposal(reading, document.plain, ())
    assert found is not None
    return found


def written(folder: Path, text: str = VALUES, rates: str = WIDE) -> Path:
    (folder / "rates.csv").write_text(rates)
    (folder / "report.yaml").write_text(text)
    return folder / "report.yaml"


def test_true_cells_in_a_file(tmp_path: Path) -> None:
    found = load(written(tmp_path))
    assert found.report is not None
    assert [str(figure) for figure in found.publication.figures[:2]] == ["mean of row HMO1", "mean of row HMO2"]
    assert found.publication.convention.nested
    assert len(found.snoopers.mounted(found.publication)) == 1 + 4 + 6
    width, protection, entropy = found.criteria
    needs = width.needs(found.publication)
    assert needs["HMO2", "HbA1c"].width == 8
    assert needs["HMO2", "lipid"].width == needs["HMO1", "HbA1c"].width == 5
    needs = protection.needs(found.publication)
    assert {cell[0] for cell in needs} == {"HMO2"}
    assert needs["HMO2", "HbA1c"].high_at_least == pytest.approx(91.2)
    assert needs["HMO2", "eye"].low_at_most == pytest.approx(45.9)
    assert entropy.needs(found.publication)["HMO2", "lipid"].width == 8


def test_one_cell_a_row_reads_the_same(tmp_path: Path) -> None:
    header, *rows = WIDE.split()
    names = header.split(",")[1:]
    cells = [f"{row.split(',')[0]},{n},{v}" for row in rows for n, v in zip(names, row.split(",")[1:], strict=True)]
    (tmp_path / "long").mkdir()
    long = load(written(tmp_path / "long", rates="\n".join(["plan,test,rate", *cells])))
    wide = load(written(tmp_path))
    assert long.publication.truth == wide.publication.truth
    assert set(long.publication.figures) == set(wide.publication.figures)


def test_figures_denote_intervals_by_their_decimals() -> None:
    figures = {str(figure): figure for figure in load(EXAMPLE).publication.figures}
    assert float(figures["mean of row HMO1"].low or 0) == 57.95
    assert float(figures["sigma of column Eye exam"].high or 0) == 2.05
    finer = {str(figure): figure for figure in proposal(decimals=2).publication.figures}
    assert float(finer["mean of row HMO1"].low or 0) == 57.995


def test_other_figures(tmp_path: Path) -> None:
    text = """\
table: {rows: [A, B, C], domain: {x: [0, 10], y: [0, 50]}}
published:
  columns: {x: {mean: [4, 6], spread: 3.2}, y: {at_least: 20}}
  order: {rows: [B, A, C]}
protect: {default: {width: 1}}
"""
    found = load(written(tmp_path, text))
    told = [(str(f), f.low and float(f.low), f.high and float(f.high)) for f in found.publication.figures]
    assert told[0] == ("order of rows B and A", None, None)
    assert told[2:] == [("mean of column x", 4, 6), ("spread of column x", 3.15, 3.25), ("mean of column y", 20, None)]
    assert found.publication.frame.domain(("A", "y")) == (0, 50)
    audit = found.audit()
    assert {cell.snooper for cell in audit.cells} == {"outsider"}
    assert audit.not_simulated == ("A", "B", "C")


MISTAKES = {
    "no-table": ("protect: {default: {width: 5}}", "the key 'table' is missing"),
    "neither": ("table: {domain: [0, 1]}\nprotect: {default: {width: 5}}", "either publish or published"),
    "unknown": (VALUES.replace("report:", "reprot:"), "did you mean 'report'"),
    "level": (VALUES.replace("center: mean}", "center: median}"), "report.yaml:4:.*no such level of center"),
    "sigma": (VALUES.replace(", sigma: sample", ""), "say sigma: sample"),
    "limit": (VALUES.replace("{width: 5}", "{with: 5}"), "report.yaml:8:.*did you mean 'width'"),
    "negative": (VALUES.replace("{width: 5}", "{width: -5}"), "0 or more"),
    "row": (VALUES.replace("HMO2: {below", "HMO7: {below"), "no row 'HMO7'"),
    "column": (VALUES.replace("HbA1c: {width", "HbA1: {width"), "no column 'HbA1'"),
    "domain": (VALUES.replace("[0, 100]", "[100, 0]"), "lower and a higher"),
    "levels": (VALUES.replace("nested", "nestled"), "classic or nested"),
    "coalitions": (VALUES.replace("coalitions: 2", "coalitions: 0"), "1 or more"),
    "no-limit": (VALUES.split("protect")[0], "protect is missing"),
    "yaml": ("a: [", "not valid YAML"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_with_their_place(name: str, tmp_path: Path) -> None:
    text, told = MISTAKES[name]
    with pytest.raises(PolicyError, match=told):
        load(written(tmp_path, text))


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        (WIDE.replace("HMO3,85.7,49.8,44.5", "HMO3,,,"), "rows HMO3 — no value at all"),
        (WIDE.replace("85.7", "185.7"), "outside the domain"),
        (WIDE.replace("85.7", "canary"), "not numbers"),
        (WIDE.replace("HMO4", "HMO3"), "two rows"),
        (WIDE.replace("plan", "place"), "no column 'plan'"),
    ],
)
def test_data_that_cannot_be_audited(rates: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=told) as raised:
        load(written(tmp_path, rates=rates))
    assert "canary" not in str(raised.value)


def test_limits_that_nothing_can_meet(tmp_path: Path) -> None:
    found = load(written(tmp_path, VALUES.replace("{width: 5}", "{width: 101}")))
    with pytest.raises(PolicyError, match="row HMO1, column HbA1c — width is wider than the domain of 100"):
        found.audit()
    below = EXAMPLE.read_text().replace("{width: 5}", "{width: 5, below: 1}")
    with pytest.raises(PolicyError, match=r"row HMO2, .*need the true cell"):
        load(written(tmp_path, below)).audit(snooper="HMO1")


def test_one_owner_alone(tmp_path: Path) -> None:
    """Nobody else is there to learn; a stranger reads the cells off the means of the columns."""
    text = VALUES.replace("HMO2: {below: 1, HbA1c: {width: 8, above: 3}, default: {entropy: 4, grain: 0.5}}", "")
    alone = written(tmp_path, text.replace("dispersion: sigma, sigma: sample", "order: total"), ONE)
    found = load(alone).audit()
    assert {cell.snooper for cell in found.cells} == {"outsider"}
    assert {cell.status for cell in found.cells} == {"unsafe"}
    assert max(cell.width for cell in found.cells) <= 0.1 + 1e-5
    alone.write_text(alone.read_text().replace("outsider: true", "outsider: false"))
    with pytest.raises(PolicyError, match="nobody is left"):
        load(alone).audit()
    with pytest.raises(PolicyError, match="knows every row"):
        load(alone).audit(snooper="HMO1")
    with pytest.raises(DataError, match="sample sigma of a single cell"):
        load(written(tmp_path, text, ONE))


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, Any]:
    code = main(["reports", "audit", *argv, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_command_prints_what_others_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, str(EXAMPLE), "--snooper", "HMO1")
    assert code == 1
    assert found["safe"] is False
    assert found["counts"] == {"safe": 2, "unsafe": 7, "undecided": 0}
    cell = found["cells"][1]
    assert {"snooper", "row", "column", "low", "high", "inner", "outer", "status"} <= set(cell)
    assert (cell["snooper"], cell["row"], cell["column"]) == ("HMO1", "HMO2", "Lipid profile")
    for cell in found["cells"]:
        outer, inner = cell["outer"], cell["inner"]
        assert outer[0] <= cell["low"] <= inner[0] <= inner[1] <= cell["high"] <= outer[1]


def test_a_safe_report_is_a_yes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    modest = EXAMPLE.read_text().replace("{width: 5}", "{width: 1}")
    code, found = told(capsys, str(written(tmp_path, modest)))
    assert (code, found["safe"]) == (0, True)
    assert main(["reports", "audit", str(tmp_path / "report.yaml"), "--snooper", "outsider"]) == 0
    assert "every limit holds" in capsys.readouterr().out


def test_wrong_questions_have_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, str(EXAMPLE), "--snooper", "HMO9")[0] == 2
    assert told(capsys, str(EXAMPLE), "--snooper", "HMO2")[0] == 2  # its row is not given
    assert told(capsys, str(tmp_path / "nowhere.yaml"))[0] == 3
    odd = EXAMPLE.read_text().replace("decimals: 1", "decimals: 3")
    code, found = told(capsys, str(written(tmp_path, odd)), "--snooper", "HMO1")
    assert code == 3
    assert "contradict" in found["message"]


def test_a_document_is_needed() -> None:
    reading = MistakeCollector(Document(), Path())
    assert module.proposal(reading, [], ()) is None
    assert reading.mistakes
