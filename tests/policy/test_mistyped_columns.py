"""Dates and numbers that a policy would have read as text are mistakes: sets of exact values would be published."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.policy import check, load

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  visits:
    kind: tables
    read: {csv: visits.csv}
    columns:
      patient: subject
      x: COLUMN
    using: mondrian
    require: [k-anonymity: {k: 2}]
write: {csv: out}
"""
DATES = ["01/02/2020", "03/04/2020", "05/06/2020", "07/08/2020"]
COMMAS = ["72,5", "81,0", "64,5", "70,0"]
TIMES = ["2020-01-02 10:11", "2020-01-03 10:11", "2020-01-04 10:11", "2020-01-05 10:11"]


def _policy(folder: Path, values: list[str], column: str) -> Path:
    rows = "".join(f"{i};{value}\n" for i, value in enumerate(values * 2))
    (folder / "visits.csv").write_text(f"patient;x\n{rows}")
    (folder / "policy.yaml").write_text(POLICY.replace("COLUMN", column))
    return folder / "policy.yaml"


@pytest.mark.parametrize("values", [DATES, COMMAS, TIMES], ids=["dates", "decimal commas", "times"])
@pytest.mark.parametrize("column", ["quasi", "sensitive", "{role: quasi}"])
def test_a_mistyped_column_is_refused_by_check_plan_and_release(tmp_path: Path, values: list[str], column: str) -> None:
    path = _policy(tmp_path, values, column)
    what = "datasets.visits.columns.x — read as text, but 4 of 4 different values are"
    with pytest.raises(PolicyError) as refused:
        check(path)
    assert str(refused.value).startswith(f"policy.yaml:9:7: {what}")
    assert not any(value in str(refused.value) for value in values)
    for verb in (plan, release):
        with pytest.raises(PolicyError) as refused:
            verb(load(path))
        assert what in str(refused.value)
    assert not (tmp_path / "out" / "r").exists()


@pytest.mark.parametrize("values", [DATES, COMMAS])
@pytest.mark.parametrize(
    "column", ["{role: quasi, type: text}", "{role: quasi, style: set}", "{role: quasi, hierarchy: flat}", "drop"]
)
def test_who_says_what_it_is_may_have_it(tmp_path: Path, values: list[str], column: str) -> None:
    path = _policy(tmp_path, values, column)
    assert check(path).datasets
    if column != "drop":
        assert plan(load(path))["visits"].outcome.feasible


def test_the_advice_is_enough(tmp_path: Path) -> None:
    path = _policy(tmp_path, COMMAS, "quasi")
    with pytest.raises(PolicyError) as refused:
        check(path)
    clean = str(refused.value).partition("`")[2].partition("`")[0]
    path.write_text(path.read_text().replace("csv: visits.csv", f"csv: visits.csv, {clean}"))
    assert plan(check(path))["visits"].columns["x"]["kind"] == "number"


def test_dates_to_be_shifted_must_be_dates_of_one_form(tmp_path: Path) -> None:
    path = _policy(tmp_path, ["01.02.2020", "2020-03-04", "5.6.2020"], "shift")
    with pytest.raises(
        PolicyError, match=r"read as text, but 3 of 3 different values are dates .* give it another role"
    ):
        check(path)
    assert check(_policy(tmp_path, TIMES, "shift")).datasets


def test_so_is_a_column_of_the_people_of_joined_records(tmp_path: Path) -> None:
    (tmp_path / "codes.csv").write_text("patient,code\n" + "".join(f"{i},I10\n{i},E11.9\n" for i in range(8)))
    (tmp_path / "people.csv").write_text("patient;x\n" + "".join(f"{i};{DATES[i % 4]}\n" for i in range(8)))
    (tmp_path / "policy.yaml").write_text("""\
sharewell: 1
release: {name: r}
datasets:
  all:
    kind: joint
    read: {csv: codes.csv}
    demographics: {csv: people.csv}
    columns: {patient: subject, code: quasi, x: quasi}
    require: [k-km-anonymity: {k: 2, m: 1}]
    using: rt-anonymization
write: {csv: out}
""")
    with pytest.raises(PolicyError, match=r"columns.x — read as text, but 4 of 4 different values are dates"):
        check(tmp_path / "policy.yaml")


REMARKS = [f"Seen again on day {day}. Doing well." for day in range(24)]
"""Of several words each, and no two alike."""


@pytest.mark.parametrize("column", ["quasi", "sensitive"])
def test_free_text_that_is_taken_for_categories_is_refused_by_check_plan_and_release(
    tmp_path: Path, column: str
) -> None:
    path = _policy(tmp_path, REMARKS, column)
    what = "datasets.visits.columns.x — taken for categories, but 24 of 24 different values have 4 words or more"
    for verb in (lambda: check(path), lambda: plan(load(path)), lambda: release(load(path))):
        with pytest.raises(PolicyError) as refused:
            verb()
        assert what in str(refused.value)
        assert "Doing well" not in str(refused.value)
    assert not (tmp_path / "out" / "r").exists()


@pytest.mark.parametrize(
    ("values", "column"),
    [
        (REMARKS, "{role: quasi, type: text}"),
        (REMARKS, "drop"),
        ([f"ward {day} of the clinic" for day in range(12)], "quasi"),
        ([f"fracture of bone number {day}" for day in range(24)], "sensitive"),
    ],
    ids=["said to be categories", "dropped", "few of them", "names of diagnoses"],
)
def test_categories_of_several_words_are_taken_as_such(tmp_path: Path, values: list[str], column: str) -> None:
    check(_policy(tmp_path, values, column))
