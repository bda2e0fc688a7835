"""Households, names, the dirt of records, and the errors of the voters' list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sharewell.hospital.draws import Stream
from sharewell.hospital.names import load_names
from sharewell.hospital.people import register_mix


def _every_block(town: Any, figure: Any) -> float:
    return float(np.mean([figure(block.people) for block in town.blocks]))


def test_households_have_2_4_people(town: Any) -> None:
    assert _every_block(town, lambda p: len(p) / len(np.unique(p.head))) == pytest.approx(2.4, abs=0.1)


def test_four_in_five_share_the_family_name_of_the_household(town: Any) -> None:
    def share(p: Any) -> float:
        others = np.flatnonzero(p.head != np.arange(len(p)))
        return float((p.family[others] == p.family[p.head[others]]).mean())

    assert _every_block(town, share) == pytest.approx(0.8, abs=0.03)


def test_a_household_has_one_address(town: Any) -> None:
    for block in town.blocks[:1]:
        p = block.people
        for column in (p.prefix, p.ending, p.house, p.street):
            assert (column == column[p.head]).all()


def test_twins_are_1_2_percent_of_births(town: Any) -> None:
    def share(p: Any) -> float:
        known = p.mother >= 0
        counts = np.unique(np.stack((p.mother[known], p.birth[known])), axis=1, return_counts=True)[1]
        return float((counts > 1).mean())

    assert _every_block(town, share) == pytest.approx(0.012, rel=1 / 3)


def test_parents_are_of_an_age_to_be_parents(town: Any) -> None:
    p = town.blocks[0].people
    child = np.flatnonzero(p.mother >= 0)
    years = (p.birth[child] - p.birth[p.mother[child]]) / 365.25
    assert years.min() > 14
    assert years.max() < 49
    assert p.female[p.mother[child]].all()
    father = child[p.father[child] >= 0]
    assert not p.female[p.father[father]].any()


def test_register_mix_is_the_patient_mix_when_everybody_is_a_patient() -> None:
    assert register_mix(1) == pytest.approx((0.15, 0.29, 0.27, 0.20, 0.09))


def test_some_names_are_words_and_some_carry_marks(town: Any) -> None:
    family = town.frame("register")["family"]
    assert family.str.contains(r"[^A-Za-z]").mean() == pytest.approx(0.04, abs=0.01)
    drawn = load_names().family(Stream(1, "test").of(np.arange(50_000)))
    assert np.isin(drawn, load_names().marked).mean() == pytest.approx(0.04, abs=0.005)
    assert {"Smith", "McDonald", "O'Neil", "Muñoz", "van der Berg"} <= set(load_names().families.to_pylist())


def test_given_names_follow_the_year_of_birth(town: Any) -> None:
    register = town.frame("register")
    year = register["birth_date"].str[:4].astype(int)
    assert year[register["given"] == "Dorothy"].median() < 1970 < 1995 < year[register["given"] == "Sophia"].median()
    assert set(register[register["given"] == "Sophia"]["sex"]) == {"F"}


def test_dirt(town: Any) -> None:
    patients = town.frame("patients")
    assert (patients["sex"] == "").mean() == pytest.approx(0.003, abs=0.0015)
    assert (patients["zip"] == "").mean() == pytest.approx(0.005, abs=0.002)
    assert (patients["race"] == "Unknown").mean() == pytest.approx(0.01, abs=0.004)
    assert patients["birth_date"].str.endswith("-01-01").mean() == pytest.approx(0.033, abs=0.006)
    assert patients["birth_date"].str.fullmatch(r"\d{4}-\d\d-\d\d").all()
    assert patients["family"].str.endswith(" ").mean() == pytest.approx(0.02, abs=0.005)
    assert patients["city"].str.isupper().mean() == pytest.approx(0.12, abs=0.02)


def test_one_source_in_three_mixes_its_date_formats(town: Any) -> None:
    american = town.frame("visits").groupby("source")["admitted"].apply(lambda x: x.str.contains("/").mean())
    assert dict(american) == pytest.approx({"admissions": 0, "outpatients": 0, "legacy": 0.5}, abs=0.02)


def test_some_people_have_two_record_numbers(town: Any) -> None:
    visits = town.frame("visits")
    numbers = visits.groupby("patient_id")["mrn"].nunique()
    several = visits.groupby("patient_id").size() > 1
    assert numbers.max() == 2
    assert (numbers[several] == 2).mean() == pytest.approx(0.004, abs=0.002)


def test_clean_data_has_no_dirt(clean: Any) -> None:
    patients = clean.frame("patients")
    assert not (patients[["sex", "zip"]] == "").any(axis=None)
    assert not patients["city"].str.isupper().any()
    assert not clean.frame("visits")["admitted"].str.contains("/").any()


@pytest.fixture(scope="module")
def listed(town: Any) -> pd.DataFrame:
    return (
        town.frame("voters")
        .merge(town.frame("voters_truth"), on="voter_id")
        .merge(town.frame("register"), on="person_id", suffixes=("", "_true"))
    )


def test_voters_are_adults_but_not_all_of_them(town: Any, listed: pd.DataFrame) -> None:
    adults = town.numbers(lambda block: (block.people.age >= 18).sum().reshape(1)).sum()
    assert len(listed) == len(town.frame("voters"))
    assert len(listed) / adults == pytest.approx(0.65, abs=0.02)
    assert (listed["birth_date_true"] <= "2008").all()


def test_the_voters_list_has_its_errors(listed: pd.DataFrame) -> None:
    women = listed["sex"] == "F"
    renamed = listed["family"] != listed["family_true"]
    assert renamed[~women].mean() == pytest.approx(0.02, abs=0.004)
    assert renamed[women].mean() == pytest.approx(0.05, abs=0.01)
    assert (listed["birth_date"] != listed["birth_date_true"]).mean() == pytest.approx(0.005, abs=0.002)
    assert (listed["zip"] != listed["zip_true"]).mean() == pytest.approx(0.015, abs=0.004)
    clean = listed[listed["changed"] == ""]
    assert (
        clean[["given", "family", "sex", "birth_date"]]
        == clean[[f"{c}_true" for c in ("given", "family", "sex", "birth_date")]].values
    ).all(axis=None)
