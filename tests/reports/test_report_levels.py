"""What a report file says of levels: read, written again, and refused where it makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell import reports
from sharewell.errors import DataError, PolicyError
from sharewell.reports.figures.engine.public_report import as_table, content, read_records, same_figures

LISTED = """
table:
  rows: [a, b, c, d]
  columns: [x]
  lowest: patient
  levels: {physician: {P: [a, b], Q: [c, d]}}
  domain: [0, 100]
  decimals: 0
  names: public
published:
  rows: {P: {mean: 40}}
  within: {physician: {x: {mean: 50}}, Q: {x: {median: 60}}}
known: {a: {x: 30}, b: {x: 50}}
protect: {levels: {physician: {width: 1}}, default: {width: 1}}
"""


def load(folder: Path, text: str = LISTED) -> reports.Proposal:
    file = folder / "report.yaml"
    file.write_text(text)
    return reports.load(file)


def test_figures_within_levels_and_units_are_read_and_written_alike(tmp_path: Path) -> None:
    shown = load(tmp_path).publication
    assert [str(one) for one in shown.figures] == [
        "mean of row P",
        "mean of column x within physician",
        "median of column x within Q",
    ]
    written = content("r", shown)
    assert written["table"]["levels"] == {"physician": {"P": ["a", "b"], "Q": ["c", "d"]}}
    assert same_figures(read_records(as_table(shown), {"table": written["table"]}), shown)


def test_a_unit_whose_parts_are_known_is_known(tmp_path: Path) -> None:
    found = load(tmp_path).audit()
    assert {one.snooper for one in found.cells} == {"outsider", "a", "b", "P"}
    assert "P" not in {one.row for one in found.cells if one.snooper == "P"}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("within: {physician", "within: {doctor", "no level or unit 'doctor'"),
        ("Q: {x: {median: 60}}", "Q: {y: {median: 60}}", "no column 'y'"),
        ("Q: {x: {median: 60}}", "Q: {x: 3}", "must be a mapping such as"),
        ("rows: {P: {mean: 40}}", "rows: {R: {mean: 40}}", "no row 'R'"),
        ("rows: [a, b, c, d]", "rows: patient", "must list the rows"),
        ("{P: [a, b], Q: [c, d]}", "[P, Q]", "table.levels must list"),
        ("physician: {width: 1}", "default: {width: 1}", "must be a mapping of levels"),
    ],
)
def test_mistakes(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        load(tmp_path, LISTED.replace(old, new))


def test_a_known_unit_must_be_what_its_parts_make(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="leave out what follows"):
        load(tmp_path, LISTED.replace("known: {a", "known: {P: {x: 41}, a"))
