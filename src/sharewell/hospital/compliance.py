"""Yearly tests of patients with diabetes, by health plan and practice.

Plans differ by a few points, practices by more; age helps, smoking, depression and a spell without insurance hinder.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.hospital.calendar import Window
from sharewell.hospital.columns import NEVER, dates, fixed, numbers, where, words
from sharewell.hospital.draws import Bools, Floats, Ints, Stream, cumulative
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import PLANS, Patients, patient_ids, plan_of
from sharewell.hospital.places import load_places

TESTS = ("HbA1c", "lipid", "eye", "foot")
MEANS = np.array([0.83, 0.54, 0.45, 0.60])
SPREAD = np.array([0.057, 0.047, 0.020, 0.040])
LABS = ("North Lab", "Harbor Lab", "Valley Lab", "Summit Lab")
PRACTICES = 40
_LAB_SUMS, _LAB_MEDIANS = cumulative([35, 30, 20, 15]), np.array([1.0, 1.0, 2.0, 4.0])
_UNINSURED = 0.08
_SIZES = 1.0 / (np.arange(PRACTICES) + 1.0)


@lru_cache(maxsize=8)
def _plan_effects(seed: int) -> Floats:
    """Plans x tests on the logit scale; scaled so that the plans' rates spread as SPREAD says."""
    lane = Stream(seed, "compliance/plans").of(np.arange(len(PLANS)))
    raw = np.stack([lane.normal(test) for test in TESTS], axis=1)
    standard = (raw - raw.mean(axis=0)) / raw.std(axis=0, ddof=1)
    return np.asarray(standard * SPREAD / (MEANS * (1.0 - MEANS)))


@lru_cache(maxsize=8)
def _practice_effects(seed: int) -> Floats:
    """Practices x tests on the logit scale, with mean 0 over patients."""
    lane = Stream(seed, "compliance/effect").of(np.arange(PRACTICES))
    raw = np.stack([0.3 * lane.normal(test) for test in TESTS], axis=1)
    share = _SIZES / _SIZES.sum()
    return np.asarray(raw - share @ raw)


def practices(number: Ints, seed: int) -> Ints:
    """The practice of each patient: a few large ones, many small ones."""
    return Stream(seed, "compliance/practice").of(number).pick("practice", cumulative(_SIZES))


def diabetics(holds: Bools) -> Ints:
    """Places of the patients with a code of E10 or E11."""
    catalogue = load_catalogue()
    return np.flatnonzero(holds[:, np.concatenate((catalogue.starts("E10"), catalogue.starts("E11")))].any(axis=1))


def _logits(patients: Patients, seed: int, holds: Bools, patient: Ints, age: Ints, gap: Bools) -> Floats:
    """Log odds of each test being done (rows x tests)."""
    catalogue, number = load_catalogue(), patients.number[patient]
    shift = 0.15 * (age - 60) / 10.0
    shift = shift - 0.25 * holds[patient, catalogue.number("F17.210")] - 0.3 * holds[patient, catalogue.number("F32.A")]
    shift = shift - 0.2 * gap + 0.05
    local = _practice_effects(seed)[practices(number, seed)]
    base = 1.03 * np.log(MEANS / (1.0 - MEANS))  # mixing over people pulls a rate towards one half
    return np.asarray(base + _plan_effects(seed)[plan_of(number, seed)] + local + shift[:, None])


def compliance_table(patients: Patients, seed: int, home: str, window: Window, holds: Bools, died: Ints) -> pa.Table:
    """The rows of compliance.csv: one a diabetic, year and test."""
    people = diabetics(holds)
    patient, year = np.repeat(people, window.years), np.tile(np.arange(window.years), len(people))
    first_day = window.first + np.floor(year * 365.25).astype(np.int64)
    last_day = np.minimum(first_day + 364, window.last)
    last_day = np.where(died[patient] == NEVER, last_day, np.minimum(last_day, died[patient]))
    first_day = np.maximum(first_day, patients.birth[patient])
    present = last_day >= first_day
    patient, year, first_day, last_day = patient[present], year[present], first_day[present], last_day[present]
    age = np.maximum(patients.age[patient] - (window.years - 1 - year), 0)
    lane = Stream(seed, "compliance").of(patients.number[patient]).deeper(year)
    gap = lane.chance("uninsured", _UNINSURED)
    chance = 1.0 / (1.0 + np.exp(-_logits(patients, seed, holds, patient, age, gap)))
    tests = len(TESTS)
    row, test = np.repeat(np.arange(len(patient)), tests), np.tile(np.arange(tests), len(patient))
    each = lane.at(row).deeper(test)
    done = each.unit("done") < chance.ravel()
    day = first_day[row] + each.below("day", last_day[row] - first_day[row] + 1)
    lab = each.pick("lab", _LAB_SUMS)
    late = np.rint(_LAB_MEDIANS[lab] * np.exp(0.5 * each.normal("lab/days"))).astype(np.int64)
    number = patients.number[patient[row]]
    prefix = patients.people.prefix[patients.place[patient[row]]]
    return pa.table(
        {
            "patient_id": patient_ids(number, seed),
            "plan": words(pa.array(PLANS), plan_of(number, seed)),
            "practice": fixed("GP", practices(number, seed) + 1, 2),
            "zip3": words(load_places(home).prefixes, prefix),
            "uninsured": numbers(gap[row]),
            "test": words(pa.array(TESTS), test),
            "year": numbers(window.first_year + year[row]),
            "done": numbers(done),
            "date": dates(np.where(done, day, NEVER)),
            "laboratory": where(~done, "", words(pa.array(LABS), lab)),
            "reported": dates(np.where(done, day + late, NEVER)),
        }
    )
