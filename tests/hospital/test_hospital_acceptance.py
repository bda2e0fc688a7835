"""The hospital lands near the figures of its specification (a prototype of 20,000 patients), within a third."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sharewell.hospital.compliance import SPREAD, diabetics
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.people import SHARES, band_of


def _unique(frame: pd.DataFrame, columns: list[str]) -> float:
    return float(100 * (frame.groupby(columns)["patient_id"].transform("size") == 1).mean())


@pytest.fixture(scope="module")
def people(town: Any) -> pd.DataFrame:
    frame = town.frame("patients").copy()
    frame["year"], frame["zip3"] = frame["birth_date"].str[:4], frame["zip"].str[:3]
    frame["age"] = town.numbers(lambda block: block.chosen.age)
    return frame


@pytest.mark.parametrize(
    ("columns", "prototype"),
    [
        (["birth_date", "sex", "zip"], 99.3),
        (["year", "sex", "zip"], 34.5),
        (["age", "sex", "race", "zip3"], 11.4),
        (["year", "sex", "zip3"], 6.9),
    ],
)
def test_as_many_patients_are_unique_as_in_the_prototype(
    people: pd.DataFrame, columns: list[str], prototype: float
) -> None:
    assert _unique(people, columns) == pytest.approx(prototype, rel=1 / 3)


def test_codes_and_visits(town: Any) -> None:
    holds = town.numbers(lambda block: block.holds)
    visits = town.numbers(lambda block: block.all_visits.count)
    assert holds.sum(axis=1).mean() == pytest.approx(3.2, rel=0.1)
    assert (holds.sum(axis=1) == 0).mean() == pytest.approx(0.115, rel=1 / 3)
    assert visits.mean() == pytest.approx(4.1, rel=0.1)
    assert np.median(visits) == 2
    assert np.quantile(visits, [0.9, 0.99]) == pytest.approx([9, 26], rel=0.2)
    assert (visits == 1).mean() == pytest.approx(0.34, rel=0.1)


def test_code_sets_without_the_long_tail(town: Any) -> None:
    holds = town.numbers(lambda block: block.holds)
    codes = load_catalogue().codes
    heads = sorted({code[:3] for code in codes})
    grouped = np.stack([holds[:, [c.startswith(head) for c in codes]].any(axis=1) for head in heads], axis=1)
    for matrix, prototype in ((holds, 0.451), (grouped, 0.439)):
        sets = Counter(row.tobytes() for row in matrix)
        assert sum(count == 1 for count in sets.values()) / len(matrix) == pytest.approx(prototype, rel=1 / 3)


def test_the_long_tail_makes_codes_rare(town: Any) -> None:
    seen = town.frame("diagnoses").groupby("code")["patient_id"].nunique()
    assert len(seen) > 5_000
    assert (seen == 1).mean() > 0.4
    assert town.numbers(lambda block: block.tail[0]).size / 20_000 == pytest.approx(0.9, rel=0.05)


def test_ages_and_sexes(town: Any) -> None:
    age, female = (town.numbers(lambda block, name=name: getattr(block.chosen, name)) for name in ("age", "female"))
    bands = np.bincount(band_of(age)) / len(age)
    assert bands == pytest.approx(SHARES, abs=0.02)
    assert (age >= 90).mean() == pytest.approx(0.015, rel=1 / 3)
    for band, share in enumerate((0.48, 0.60, 0.51, 0.51, 0.60)):
        assert female[band_of(age) == band].mean() == pytest.approx(share, abs=0.03)


def test_prevalences_stay_near_the_table(town: Any) -> None:
    catalogue = load_catalogue()
    holds = town.numbers(lambda block: block.holds)
    cell = town.numbers(lambda block: block.chosen.band * 2 + block.chosen.female)
    table = catalogue.rates[:, cell].mean(axis=1)
    common = table >= 0.01
    assert np.all(np.abs(holds.mean(axis=0)[common] / table[common] - 1) < 0.15)


def test_gene_linked_diseases(town: Any) -> None:
    holds = town.numbers(lambda block: block.holds).sum(axis=0)
    counts = {code: int(holds[load_catalogue().number(code)]) for code in ("D57.1", "D68.51", "G30.9", "E11.9")}
    assert 1 <= counts["D57.1"] <= 16
    assert counts["D68.51"] == pytest.approx(47, rel=0.5)
    assert counts["G30.9"] == pytest.approx(326, rel=0.2)
    assert counts["E11.9"] == pytest.approx(1_678, rel=0.1)


def test_kinds_of_visits(town: Any) -> None:
    share = town.frame("visits")["type"].value_counts(normalize=True)
    wanted = {"clinic": 0.62, "emergency": 0.17, "inpatient": 0.13, "ICU": 0.02, "telephone": 0.06}
    assert {kind: share[kind] for kind in wanted} == pytest.approx(wanted, abs=0.01)


def test_compliance_of_diabetics(town: Any) -> None:
    assert len(diabetics(town.numbers(lambda block: block.holds))) == pytest.approx(2_910, rel=0.1)
    done = town.frame("compliance").astype({"done": float})
    rates = 100 * done.groupby(["plan", "test"])["done"].mean().unstack()[["HbA1c", "lipid", "eye", "foot"]]
    assert rates.mean().tolist() == pytest.approx([83, 54, 45, 60], abs=3)
    assert rates.std().tolist()[:2] == pytest.approx(100 * SPREAD[:2], rel=1 / 3)
    cells = town.frame("compliance").groupby(["plan", "zip3"])["patient_id"].nunique()
    assert (cells["HMO6"] < 11).any()


def test_states_and_prefixes(people: pd.DataFrame) -> None:
    share = people[people["zip"] != ""]["zip3"].value_counts(normalize=True)
    assert share["021"] == pytest.approx(0.67, abs=0.03)
    small = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893".split()  # noqa: SIM905
    assert share.reindex(small).fillna(0).sum() == pytest.approx(0.01, abs=0.004)
    assert (people["state"] == "MA").mean() == pytest.approx(0.96, abs=0.02)
