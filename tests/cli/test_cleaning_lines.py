"""What a terminal shows of cleaning."""

from __future__ import annotations

from sharewell.cli.cleaning_lines import cleaning_lines
from sharewell.io.cleaning_account import Account, StepAccount
from sharewell.pipeline.cleaning_accounts import SourceAccount


def _lines(*steps: StepAccount) -> list[str]:
    return list(cleaning_lines([SourceAccount("visits.csv", {"x": Account(1500, steps)}).to_json()]))


def test_a_column_has_one_line_whatever_its_steps() -> None:
    trim, case, date = StepAccount("trim", 3), StepAccount("case", 0), StepAccount("date", 1200, 2)
    assert _lines(trim) == ["visits.csv, x: trim changed 3 of 1,500 cells"]
    assert _lines(trim, case) == ["visits.csv, x: trim changed 3 and case 0 of 1,500 cells"]
    assert _lines(trim, case, date) == [
        "visits.csv, x: trim changed 3, case 0 and date 1,200 of 1,500 cells; 2 could not be read and are missing"
    ]


def test_nothing_cleaned_is_nothing_said() -> None:
    assert list(cleaning_lines([])) == []
