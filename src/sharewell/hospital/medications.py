"""Medications: each row of the shipped table fires for the holders of its code. Some doses change, some drugs stop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.hospital.calendar import Window
from sharewell.hospital.columns import NEVER, dates, words
from sharewell.hospital.draws import Bools, Ints, Stream
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import Patients, patient_ids
from sharewell.hospital.visits import Visits, visit_ids
from sharewell.io.shipped import shipped_rows

_CHANGED, _STOPPED, _ADULT = 0.15, 0.10, 12


@dataclass(frozen=True)
class Drug:
    """A row of medications.csv; `doses` are places in the vocabulary of doses."""

    code: int
    name: str
    drug: int
    doses: tuple[str, ...]
    first_dose: int
    route: str
    frequency: str
    probability: float


@dataclass(frozen=True)
class Formulary:
    """All rows and the vocabularies of drugs and doses."""

    rows: tuple[Drug, ...]
    drugs: pa.Array
    doses: pa.Array
    routes: pa.Array
    frequencies: pa.Array


@lru_cache(maxsize=1)
def load_formulary() -> Formulary:
    """Read the shipped table (once)."""
    names: list[str] = []
    doses: list[str] = []
    rows = []
    for row in shipped_rows("hospital/medications.csv"):
        if row["drug"] not in names:
            names.append(row["drug"])
        strengths = tuple(row["doses"].split(";"))
        code, drug, chance = load_catalogue().number(row["code"]), names.index(row["drug"]), float(row["probability"])
        rows.append(Drug(code, row["drug"], drug, strengths, len(doses), row["route"], row["frequency"], chance))
        doses += strengths
    routes, frequencies = pa.array([row.route for row in rows]), pa.array([row.frequency for row in rows])
    return Formulary(tuple(rows), pa.array(names), pa.array(doses), routes, frequencies)


@dataclass(frozen=True)
class Prescriptions:
    """A block of prescriptions: patient, row of the formulary, dose, visit it began at, first and last day."""

    patient: Ints
    row: Ints
    dose: Ints
    visit: Ints
    start: Ints
    stop: Ints

    def at(self, rows: Ints) -> Prescriptions:
        """Some of them, in this order."""
        return Prescriptions(*(column[rows] for column in vars(self).values()))


def _first_written(visits: Visits) -> Ints:
    """Patients x common codes: the first visit at which a code stands; the first visit at all where it never does."""
    codes, codings = len(load_catalogue().codes), visits.codings
    first = np.repeat(visits.first[:, None], codes, axis=1)
    common = np.flatnonzero(codings.code < codes)[::-1]
    first[visits.patient[codings.visit[common]], codings.code[common]] = codings.visit[common]
    return first


def _fire(patients: Patients, seed: int, holds: Bools) -> tuple[Ints, Ints]:
    """(patient, row) of everything prescribed; no drug twice for one person."""
    lane, catalogue, formulary = Stream(seed, "medications").of(patients.number), load_catalogue(), load_formulary()
    taking = np.zeros((len(patients), len(formulary.drugs)), dtype=np.bool_)
    child = patients.age < _ADULT
    found_patients, found_row = [], []
    for number, row in enumerate(formulary.rows):
        takes = holds[:, row.code] & ~taking[:, row.drug] & lane.chance(f"row/{number}", row.probability)
        if catalogue.adult_only[row.code]:
            takes &= ~child
        taking[:, row.drug] |= takes
        found_patients.append(np.flatnonzero(takes))
        found_row.append(np.full(int(takes.sum()), number))
    patient, rows = np.concatenate(found_patients), np.concatenate(found_row)
    order = np.lexsort((rows, patient))
    return patient[order], rows[order]


def prescribe(patients: Patients, seed: int, window: Window, holds: Bools, visits: Visits) -> Prescriptions:
    """What the patients of a block take. A changed dose is a second entry that begins where the first one stops."""
    formulary = load_formulary()
    patient, row = _fire(patients, seed, holds)
    lane = Stream(seed, "medications/course").of(patients.number[patient]).deeper(row)
    strengths = np.array([len(drug.doses) for drug in formulary.rows])[row]
    base = np.array([drug.first_dose for drug in formulary.rows])[row]
    code = np.array([drug.code for drug in formulary.rows])[row]
    visit = _first_written(visits)[patient, code]
    start = visits.day[visit]
    limit = np.where(visits.died == NEVER, window.last, visits.died)[patient]
    dose = lane.below("dose", strengths)
    other = (dose + 1 + lane.below("dose/other", np.maximum(strengths - 1, 1))) % strengths
    change = start + 1 + lane.below("change/day", np.maximum(limit - start - 1, 1))
    changes = (strengths > 1) & lane.chance("change", _CHANGED) & (change < limit)
    begin = np.where(changes, change, start)
    end = begin + 1 + lane.below("stop/day", np.maximum(limit - begin, 1))
    last_day = np.where(lane.chance("stop", _STOPPED) & (end <= limit), end, NEVER)
    again = np.flatnonzero(changes)
    both = np.concatenate((np.arange(len(patient)), again))
    prescriptions = Prescriptions(
        patient=patient[both],
        row=row[both],
        dose=np.concatenate((base + dose, (base + other)[again])),
        visit=visit[both],
        start=np.concatenate((start, change[again])),
        stop=np.concatenate((np.where(changes, change, last_day), last_day[again])),
    )
    return prescriptions.at(np.lexsort((prescriptions.row, prescriptions.start, prescriptions.patient)))


def medications_table(patients: Patients, seed: int, visits: Visits, prescriptions: Prescriptions) -> pa.Table:
    """The rows of medications.csv."""
    formulary = load_formulary()
    drug = np.array([row.drug for row in formulary.rows])[prescriptions.row]
    code = np.array([row.code for row in formulary.rows])[prescriptions.row]
    return pa.table(
        {
            "patient_id": patient_ids(patients.number[prescriptions.patient], seed),
            "visit_id": visit_ids(patients, visits, seed).take(pa.array(prescriptions.visit)),
            "code": words(load_catalogue().everything, code),
            "drug": words(formulary.drugs, drug),
            "dose": words(formulary.doses, prescriptions.dose),
            "route": words(formulary.routes, prescriptions.row),
            "frequency": words(formulary.frequencies, prescriptions.row),
            "started": dates(prescriptions.start),
            "stopped": dates(prescriptions.stop),
        }
    )
