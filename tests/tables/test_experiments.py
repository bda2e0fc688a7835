"""The experiments run, on a few people: so that they cannot rot. What they find at full size stands in docs."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks are run from the root of the project, and are no part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))


def test_the_same_disease_on_a_small_town() -> None:
    """Limited data sets show most; partitioning keeps its bound with as many classes as Safe Harbor."""
    from benchmarks.experiments import same_disease

    found = {method: rows[0] for method, rows in same_disease(2_000, 12, [3]).items()}
    safe, limited, many = (found[name] for name in ("Safe Harbor", "Limited Data Set", "bounded, as many classes"))
    assert limited.r >= safe.r
    assert limited.max_r == 1
    assert limited.loss == 0 < safe.loss
    assert many.classes >= safe.classes
    assert many.max_r <= Fraction(many.bound)
    assert found["bounded, no more loss"].loss <= safe.loss
    assert all(row.q <= row.r <= row.max_r <= 1 for row in found.values())


def test_the_loss_of_a_cell_is_the_share_of_values_it_leaves_open() -> None:
    from benchmarks.experiments import Cohort, left_open

    from sharewell.tables import Table

    days = ["1950-01-01", "1950-06-01", "1951-01-01", "1952-01-01", "1953-01-01"]
    people = pa.table({"sex": ["F", "M", "F", "M", "F"], "birth_date": days, "zip": ["02139"] * 5})
    shown = pa.table({"sex": ["*"], "birth_date": ["[1950-01-01..1951-12-31]"], "zip": ["02139"]})
    released = Table.of(shown, quasi=["sex", "birth_date", "zip"], published=True)
    assert left_open(released, Cohort(None, people)) == pytest.approx((1 + 2 / 4 + 0) / 3)


def test_several_records_a_person_in_a_small_hospital() -> None:
    """The bounds that are asked for hold, and the others come near the same loss."""
    from benchmarks.experiments import several_records

    found = {method: rows[0] for method, rows in several_records(120, [1], [("0.5", "0.9")]).items()}
    ours = found["g* = 0.5, h* = 0.9: by ratio"]
    assert ours.g >= 0.5
    assert ours.h <= 0.9
    assert ours.share <= (1 - 0.5) ** 0.5
    assert len(found) == 4
    assert all(0 <= row.ncp <= 1 for row in found.values())


def test_it_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.experiments import main

    assert main(["--people", "800", "--patients", "6", "--visitors", "40", "--towns", "2"]) == 0
    shown = capsys.readouterr().out
    assert "| Safe Harbor | " in shown
    assert "distinct-K at equal loss" in shown


def test_the_benchmark_runs_on_a_few_people() -> None:
    from benchmarks.instance import main

    measured = main(20, 4_000)
    assert measured["classes"] >= 1
    assert "sharewell" in sys.modules
