"""`clean:` in a policy: what it says, every mistake with its place, and nothing of its recoded values in a message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.io.cleaning import Cleaning
from sharewell.io.number_forms import NumberForm
from sharewell.policy import Policy, check
from sharewell.policy.schema import json_schema

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  visits:
    kind: KIND
    read:
      csv: visits.csv
      clean:
        x: CLEAN
    columns: {x: quasi, y: drop}
    require: [REQUIRE]
    using: USING
write: {csv: out}
"""
Loaded = Callable[[str], Policy]


def _text(clean: str, kind: str = "tables", using: str = "mondrian", require: str = "k-anonymity: {k: 2}") -> str:
    return POLICY.replace("KIND", kind).replace("USING", using).replace("REQUIRE", require).replace("CLEAN", clean)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("trim", Cleaning(trim=True)),
        ("upper", Cleaning(case="upper")),
        ("number", Cleaning(number=NumberForm())),
        ("zip5", Cleaning(zip5=True)),
        ("{zip5: {pad: true}}", Cleaning(zip5=True, pad=True)),
        ('{date: "%d.%m.%Y"}', Cleaning(date=("%d.%m.%Y",))),
        ('{date: ["%d/%m/%Y", "%m/%d/%Y"], day_first: false, time: drop}',
         Cleaning(date=("%d/%m/%Y", "%m/%d/%Y"), day_first=False, time="drop")),
        ('{date: ["%d.%m.%y"], first_year: 1930, unreadable: missing}',
         Cleaning(date=("%d.%m.%y",), first_year=1930, unreadable="missing")),
        ('{number: {decimal: ","}}', Cleaning(number=NumberForm(","))),
        ('{number: {thousands: "."}}', Cleaning(number=NumberForm(",", "."))),
        ("{trim: true, case: upper, recode: {FEMALE: F, 1: M, 007: no, N: ~}}",
         Cleaning(trim=True, case="upper", recode={"FEMALE": "F", "1": "M", "007": "no", "N": ""})),
    ],
)  # fmt: skip
def test_a_column_is_cleaned_as_it_says(loaded: Loaded, written: str, meant: Cleaning) -> None:
    assert loaded(_text(written)).datasets["visits"].read.clean == {"x": meant}


@pytest.mark.parametrize(
    ("written", "place", "said"),
    [
        ("scrub", "9:9", "no step named 'scrub'"),
        ("tirm", "9:9", "no step named 'tirm' — did you mean 'trim'?"),
        ("date", "9:9", 'date needs the forms of dates — such as {date: ["%d.%m.%Y", "%Y-%m-%d"]}'),
        ("7", "9:9", "must be a mapping of steps"),
        ("{}", "9:9", "names no step"),
        ("{strip: true}", "9:13", "unknown step 'strip'"),
        ("{case: loud}", "9:13", "case must be one of upper, lower, title"),
        ('{date: ["%d.%m.%Y", "%d.%m"]}', "9:32", "a form of dates must name a year (%Y)"),
        ('{date: ["%d.%m.%Y", "%Q"]}', "9:32", "a form of dates has the unknown part %Q"),
        ('{date: ["%d.%m.%Y", "%d.%m.%Y"]}', "9:32", "the same form stands twice"),
        ('{date: ["%d.%m.%y"]}', "9:20", "years of two digits stand for no century"),
        ("{date: []}", "9:13", "date must be a list of forms"),
        ('{date: ["%d.%m.%Y"], first_year: 1930}', "9:33", "first_year is for years of two digits (%y)"),
        ('{date: ["%d.%m.%y"], first_year: 30}', "9:33", "first_year must be at least 1800"),
        ("{trim: true, day_first: true}", "9:25", "day_first is for the step date"),
        ("{trim: true, unreadable: missing}", "9:25", "unreadable is for zip5, date, number"),
        ('{number: {decimal: ";"}}', "9:22", "decimal must be one of ., ,"),
        ('{number: {decimal: ".", thousands: "."}}', "9:13", "decimal and thousands must differ"),
        ("{number: true, zip5: true}", "9:13", "a column that is read as zip5 cannot be read as number"),
        ("{zip5: 5}", "9:13", "zip5 must be true, or {pad: true}"),
        ('{split: "|"}', "9:13", "split makes lists, which this kind of data does not read — drop the column here, and"
         " read the file again in a dataset of kind codes"),
        ("{recode: {}}", "9:13", "recode is empty"),
        ("{case: upper, recode: {canary: C}}", "9:35", "an entry of recode applies to nothing: case: upper"),
        ('{trim: true, recode: {"canary ": C}}', "9:34", "an entry of recode applies to nothing: trim comes before it"),
        ("{recode: {canary: [1]}}", "9:22", "an entry of recode must be text"),
        ("{recode: {canary: A, canary: B}}", "9:33", "a key stands twice, first in line 9"),
    ],
)  # fmt: skip
def test_every_mistake_has_its_place_and_quotes_no_value(loaded: Loaded, written: str, place: str, said: str) -> None:
    with pytest.raises(PolicyError) as refused:
        loaded(_text(written))
    told = str(refused.value)
    assert any(line.startswith(f"policy.yaml:{place}:") and said in line for line in told.splitlines()), told
    assert "canary" not in told


def test_codes_can_be_split(loaded: Loaded) -> None:
    text = _text('{split: "|", case: upper}', "codes", "apriori", "km-anonymity: {k: 2, m: 1}").replace(
        "y: drop", "y: subject"
    )
    assert loaded(text).datasets["visits"].read.clean == {"x": Cleaning(split="|", case="upper")}


def test_dna_has_no_columns_to_clean(loaded: Loaded) -> None:
    text = _text("trim", "genomes", "frequency-floor").replace("csv: visits.csv", "vcf: a.vcf")
    with pytest.raises(PolicyError, match="clean is for tables, and DNA is none"):
        loaded(text)


@pytest.mark.parametrize(
    ("clean", "cells", "place", "said"),
    [
        ("trim", None, "9:9", "visits.csv has no such column — it has: z, y"),
        ('{date: ["%d.%m.%Y"]}', ["01.02.2020", "canary"], "9:9",
         "1 of 2 cell(s) are not dates of the listed forms — list their form under `date`, recode them, list"
         " words for no value under `missing`, or say `unreadable: missing`"),
        ('{date: ["%d/%m/%Y", "%m/%d/%Y"]}', ["01/02/2020"], "9:9",
         "1 of 1 cell(s) are different dates in two of the listed forms — say `day_first: true` or `day_first: false`"),
        ("zip5", ["2139"], "9:9", "1 of 1 cell(s) are no postcodes of five digits"),
    ],
)  # fmt: skip
def test_what_the_data_cannot_be_cleaned_to_is_told_by_check(
    tmp_path: Path, clean: str, cells: list[str] | None, place: str, said: str
) -> None:
    rows = "".join(f"{cell},1\n" for cell in cells or ["a"])
    (tmp_path / "visits.csv").write_text(f"{'z' if cells is None else 'x'},y\n{rows}")
    (tmp_path / "policy.yaml").write_text(_text(clean))
    with pytest.raises(PolicyError) as refused:
        check(tmp_path / "policy.yaml")
    told = str(refused.value)
    assert any(line.startswith(f"policy.yaml:{place}:") and said in line for line in told.splitlines()), told
    assert "canary" not in told


def test_a_population_is_cleaned_by_its_own_steps_and_told_at_its_own_place(tmp_path: Path) -> None:
    population = "{population: {csv: people.csv, clean: {x: zip5}}, k: 2}"
    text = _text("trim", using="optimal-recoding", require=f"k-map: {population}")
    (tmp_path / "visits.csv").write_text("x,y\na,1\n")
    (tmp_path / "people.csv").write_text("x\ncanary\n")
    (tmp_path / "policy.yaml").write_text(text)
    with pytest.raises(PolicyError) as refused:
        check(tmp_path / "policy.yaml")
    where = "datasets.visits.require[0].k-map.population.clean.x"
    assert str(refused.value).startswith(f"policy.yaml:11:61: {where} — 1 of 1 cell(s)")


def test_the_schema_knows_every_step() -> None:
    clean = json_schema()["$defs"]["source"]["properties"]["clean"]["additionalProperties"]["anyOf"]
    assert clean[0]["enum"] == ["trim", "upper", "lower", "title", "number", "zip5"]
    steps = set(Cleaning(trim=True, case="upper", recode={"a": "b"}, split="|").steps) | {"zip5", "date", "number"}
    assert steps <= set(clean[1]["properties"])
    assert set(clean[1]["properties"]["number"]["anyOf"][1]["properties"]) == {"decimal", "thousands", "unit"}
