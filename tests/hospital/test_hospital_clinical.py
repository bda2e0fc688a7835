"""Visits, diagnoses, medications, genotypes and compliance make sense for the person they belong to."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sharewell.hierarchy.icd import ICD10CM
from sharewell.hospital import Hospital
from sharewell.hospital.alleles import by_frequency, inherited, load_snps, scaled_frequencies
from sharewell.hospital.calendar import ages, day_number, weekday
from sharewell.hospital.illness import load_catalogue, load_leaves
from sharewell.hospital.medications import load_formulary
from sharewell.hospital.visits import diagnoses_icd9


@pytest.fixture(scope="module")
def diagnoses(clean: Any) -> pd.DataFrame:
    return clean.frame("diagnoses").merge(clean.frame("patients")[["patient_id", "sex", "birth_date"]], on="patient_id")


def test_no_visit_before_birth_or_after_death(clean: Any) -> None:
    visits = clean.frame("visits").merge(clean.frame("patients"), on="patient_id", suffixes=("", "_first"))
    assert (visits["admitted"] >= visits["birth_date"]).all()
    assert (visits["discharged"] >= visits["admitted"]).all()
    assert (visits["admitted"] >= "2023-01-01").all()
    assert (visits["discharged"] <= "2025-12-31").all()
    dead = visits[visits["died"] != ""]
    assert len(dead)
    assert (dead["discharged"] <= dead["died"]).all()
    assert (
        visits.groupby("patient_id")["admitted"].min() == visits.groupby("patient_id")["admitted_first"].min()
    ).all()


def test_deaths_rise_with_age(town: Any) -> None:
    band = town.numbers(lambda block: block.chosen.band)
    died = town.numbers(lambda block: block.all_visits.died) > 0
    deadly = [load_catalogue().number(code) for code in ("C34.90", "I50.9", "K74.60", "N18.6")]
    worse = town.numbers(lambda block: block.holds[:, deadly].any(axis=1))
    shares = [died[(band == number) & ~worse].mean() for number in range(5)]
    assert shares[4] == pytest.approx(1 - 0.91**3, abs=0.03)
    assert died[(band == 4) & worse].mean() == pytest.approx(1 - 0.73**3, abs=0.05)
    assert shares[0] < 0.01 < shares[2] < shares[3] < shares[4]


def test_clinics_are_held_on_weekdays(town: Any) -> None:
    day, kind = (town.numbers(lambda block, name=name: getattr(block.all_visits, name)) for name in ("day", "kind"))
    assert weekday(day[kind == 0]).max() <= 4
    assert weekday(day[kind == 1]).max() == 6


def test_stays_do_not_overlap_and_last_about_three_days(clean: Any) -> None:
    visits = clean.frame("visits")
    same = visits["patient_id"].to_numpy()[1:] == visits["patient_id"].to_numpy()[:-1]
    assert (visits["discharged"].to_numpy()[:-1][same] <= visits["admitted"].to_numpy()[1:][same]).all()
    stay = pd.to_datetime(visits["discharged"]) - pd.to_datetime(visits["admitted"])
    assert 2 <= stay[visits["type"] == "inpatient"].dt.days.median() <= 3
    assert (stay[visits["type"] == "clinic"].dt.days == 0).all()


def test_some_come_back_within_thirty_days(town: Any) -> None:
    visits = [block.all_visits for block in town.blocks]
    back = np.concatenate(
        [(v.day[1:] - v.end[:-1])[(v.kind[:-1] == 2) & (v.patient[1:] == v.patient[:-1])] for v in visits]
    )
    inpatient = sum(int((v.kind == 2).sum()) for v in visits)
    assert (back <= 30).sum() / inpatient >= 0.14


def test_severe_reasons_lead_to_a_bed(town: Any) -> None:
    visits = town.frame("visits")
    bed = visits["type"].isin(["inpatient", "ICU"])
    assert bed[visits["reason"].isin(["A41.9", "I21.4", "I63.9", "S72.001A"])].mean() > 2 * bed.mean()


def test_every_code_is_a_leaf(town: Any) -> None:
    codes = ICD10CM().codes()
    inner = {code for code, following in itertools.pairwise(codes) if following.startswith(code)}
    leaves = set(codes) - inner
    assert len(leaves) == 74_719
    assert set(town.frame("diagnoses")["code"]) <= leaves
    assert len(load_leaves().codes) == 74_719 - 74


def test_codes_fit_the_sex_and_the_age(diagnoses: pd.DataFrame, town: Any) -> None:
    for table in (diagnoses, town.frame("diagnoses").merge(town.frame("patients"), on="patient_id")):
        male, female = table[table["sex"] == "M"]["code"], table[table["sex"] == "F"]["code"]
        assert not male.str.match(r"O|C50\.911|C5[1-8]|N7\d|N8\d|N9[0-8]|Z33").any()
        assert not female.str.match(r"C6[0-3]|N4\d|N5[0-3]").any()
    newborn = diagnoses[diagnoses["code"].str.startswith("P")]
    assert (newborn["birth_date"] >= "2025-01-01").all()
    mothers = diagnoses[diagnoses["code"].str.match("O|Z33")]
    assert mothers["birth_date"].between("1974", "2014").all()


def test_exclusive_codes_never_meet(town: Any) -> None:
    sets = town.frame("diagnoses").groupby("patient_id")["code"].agg(set)
    assert not any("E10.9" in codes and codes & {"E11.9", "E11.65"} for codes in sets)
    assert not any({"F17.210", "Z87.891"} <= codes or {"N18.6", "N18.30"} <= codes for codes in sets)


def test_a_visit_holds_one_to_eight_codes_and_the_reason_first(town: Any) -> None:
    diagnoses, visits = town.frame("diagnoses"), town.frame("visits")
    counts = diagnoses.groupby("visit_id").size()
    assert set(counts.index) == set(visits["visit_id"])
    assert counts.between(1, 8).all()
    first = diagnoses[diagnoses["position"] == "1"].set_index("visit_id")["code"]
    assert (visits.set_index("visit_id")["reason"] == first).all()


def test_almost_every_code_held_is_written_down(town: Any) -> None:
    held = town.numbers(lambda block: block.holds).sum() + town.numbers(lambda block: block.tail[0]).size
    diagnoses = town.frame("diagnoses")
    codings = diagnoses[~diagnoses["code"].isin(["Z00.00", "Z00.129"])]
    assert len(codings.drop_duplicates(["patient_id", "code"])) / held > 0.97


def test_the_main_diagnosis_is_a_label_of_the_table(town: Any) -> None:
    labels = town.frame("patients")["diagnosis"]
    assert set(labels) <= {*load_catalogue().labels, "check-up", "other condition"}
    assert labels.isin(["check-up", "other condition"]).mean() < 0.35


def test_icd9_view() -> None:
    view = diagnoses_icd9(Hospital(patients=400, seed=2, notes=False).frame("diagnoses"))
    assert {"401.9", "272.4", "250.00"} <= set(view["code"].to_pylist())


def test_medications_belong_to_codes_of_the_person(town: Any) -> None:
    taken = town.frame("medications")
    rows = {(load_catalogue().codes[row.code], row.name, dose) for row in load_formulary().rows for dose in row.doses}
    assert set(zip(taken["code"], taken["drug"], taken["dose"], strict=True)) <= rows
    both = taken.merge(town.frame("diagnoses")[["patient_id", "code"]].drop_duplicates(), on=["patient_id", "code"])
    assert len(both) / len(taken) > 0.98
    stopped = taken[taken["stopped"] != ""]
    assert (stopped["stopped"] > stopped["started"]).all()
    assert 0.1 < len(stopped) / len(taken) < 0.25


def test_no_drug_twice_at_one_time_and_none_for_adults_given_to_children(town: Any) -> None:
    taken = town.frame("medications")
    open_ended = taken[taken["stopped"] == ""]
    assert not open_ended.duplicated(["patient_id", "drug"]).any()
    age = dict(zip(town.frame("patients")["patient_id"], town.numbers(lambda b: b.chosen.age), strict=True))
    children = taken[taken["patient_id"].map(age) < 12]
    assert not children["drug"].isin(["tamsulosin", "warfarin", "donepezil", "alendronate"]).any()


def test_three_in_ten_are_genotyped(town: Any) -> None:
    genotypes = town.frame("genotypes")
    assert len(genotypes) / 20_000 == pytest.approx(0.30, abs=0.02)
    assert list(genotypes.columns)[:2] == ["patient_id", "rs334"]
    values = genotypes.drop(columns=["patient_id", "htt_repeats"])
    assert values.shape[1] == 100
    assert set(np.unique(values)) == {0, 1, 2}


def test_neighbours_in_a_block_are_correlated_and_blocks_are_not(town: Any) -> None:
    values = town.frame("genotypes")[[f"syn{number:04d}" for number in range(1, 96)]].to_numpy()
    correlation = np.corrcoef(values.T)
    inside = [correlation[i, i + 1] for i in range(94) if (i + 1) % 5]
    across = [correlation[i, i + 1] for i in range(94) if not (i + 1) % 5]
    assert np.median(inside) == pytest.approx(0.8, abs=0.1)
    assert np.max(np.abs(across)) < 0.08


def test_risk_alleles_are_as_frequent_as_the_table_says(town: Any) -> None:
    alleles = town.numbers(lambda block: block.alleles)
    race = town.numbers(lambda block: block.people.race[block.chosen.place])
    for number, snp in enumerate(load_snps()):
        for group in (0, 1, 2):
            expected = snp.frequencies[group]
            assert alleles[race == group, number].mean() / 2 == pytest.approx(expected, abs=0.02)


def test_children_carry_one_allele_of_each_parent(town: Any) -> None:
    p = town.blocks[0].people
    draw = by_frequency(np.full((6, 40), 0.5))
    child = np.flatnonzero((p.mother >= 0) & (p.father >= 0))
    own = inherited(p, child, 1, "test", draw, np.arange(40))
    for side, parents in enumerate((p.mother, p.father)):
        theirs = inherited(p, parents[child], 1, "test", draw, np.arange(40))
        assert np.all((own[:, side] == theirs[:, 0]) | (own[:, side] == theirs[:, 1]))


def test_enrichment_makes_a_disease_as_much_more_common(town: Any) -> None:
    sickle = load_snps()[0]
    plain, raised = np.array(sickle.frequencies), scaled_frequencies(sickle, 20.0)
    assert raised**2 / plain**2 == pytest.approx(np.full(6, 20.0), rel=1e-6)
    many = Hospital(patients=4_000, seed=1, enrich={"D57.1": 20, "G10": 100})
    holds = np.concatenate([block.holds for block in many.blocks()])
    assert holds[:, load_catalogue().number("D57.1")].sum() > 8


def test_longer_repeats_begin_earlier() -> None:
    links = Hospital(patients=4_000, seed=1, enrich={"G10": 200}).frame("genotype_disease").to_pandas()
    ill = links[links["code"] == "G10"].astype({"value": int, "onset_age": int})
    assert len(ill) > 20
    assert ill["value"].between(36, 55).all()
    assert (ill["onset_age"] >= 0).all()
    assert np.corrcoef(ill["value"], ill["onset_age"])[0, 1] < -0.5


def test_compliance_has_a_row_for_each_test_and_year(clean: Any) -> None:
    rows = clean.frame("compliance")
    assert not rows.duplicated(["patient_id", "test", "year"]).any()
    assert set(rows["test"]) == {"HbA1c", "lipid", "eye", "foot"}
    done = rows[rows["done"] == "1"]
    assert (done["date"].str[:4] == done["year"]).mean() > 0.99
    assert (done["reported"] >= done["date"]).all()
    assert (rows[rows["done"] == "0"][["date", "laboratory", "reported"]] == "").all(axis=None)


def test_ages_turn_on_the_birthday() -> None:
    birth = np.array([day_number(date(2000, 2, 29)), day_number(date(1980, 6, 3))])
    on = [date(2001, 2, 28), date(2001, 3, 1), date(2024, 6, 2), date(2024, 6, 3)]
    assert [ages(birth, day_number(day)).tolist() for day in on] == [[0, 20], [1, 20], [24, 43], [24, 44]]
