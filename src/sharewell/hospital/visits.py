"""Visits: few people come often. Dates, kinds, lengths of stay, deaths, and the codes written down each time.

The count of visits is 1 + a negative binomial whose mean grows with the number of chronic conditions. Codes go missing
between visits, as in life: a chronic code is written down with probability 0.55, and at least once.
Three source systems feed visits.csv; the oldest one writes its dates now one way, now the other (dirty data).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.hospital.calendar import Window, weekday
from sharewell.hospital.columns import NEVER, american, dates, numbers, scrambled, where, words
from sharewell.hospital.draws import Bools, Floats, Ints, Lane, Stream, cumulative, negative_binomial_sums
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import MOST, Patients, has_two_numbers, patient_ids, record_numbers
from sharewell.io.shipped import shipped_rows

KINDS = ("clinic", "emergency", "inpatient", "ICU", "telephone")
CLINIC, EMERGENCY, INPATIENT, ICU, TELEPHONE = range(5)
MOST_VISITS, MOST_CODES = 500, 8
Rare = tuple[Ints, Ints]  # place of the patient, number of the code
_SEVERE = ("A41.9", "I21.4", "I63.9", "S72.001A")
_DEADLY = ("C34.90", "I50.9", "K74.60", "N18.6")
_DEATHS = np.array([0.001, 0.001, 0.009, 0.03, 0.09])
_PLAIN, _GRAVE = cumulative([62, 17, 13, 2, 6]), cumulative([62, 17, 39, 6, 6])
_COUNTS = [negative_binomial_sums(1.2 * np.exp(0.28 * chronic), 0.8, MOST_VISITS - 1) for chronic in range(11)]
_WRITTEN, _AT_FIRST, _READMITTED = 0.55, 0.75, 0.14


@dataclass(frozen=True)
class CodedDiagnoses:
    """The codes written down: which visit, which code, at which position (0 = the reason)."""

    visit: Ints
    code: Ints
    position: Ints


@dataclass(frozen=True)
class Visits:
    """A block of visits in the order of patients and dates; `who` is a place in the block of patients."""

    patient: Ints
    turn: Ints
    first: Ints
    count: Ints
    kind: Ints
    day: Ints
    end: Ints
    reason: Ints
    died: Ints
    codings: CodedDiagnoses

    def __len__(self) -> int:
        return len(self.patient)


def death_days(patients: Patients, seed: int, window: Window, holds: Bools) -> Ints:
    """The day each patient dies in the window, or NEVER."""
    lane, catalogue = Stream(seed, "deaths").of(patients.number), load_catalogue()
    deadly = holds[:, [catalogue.number(code) for code in _DEADLY]].any(axis=1)
    chance = _DEATHS[patients.band] * np.where(deadly, 3.0, 1.0)
    died = np.full(len(patients), NEVER, dtype=np.int64)
    for year in range(window.years - 1, -1, -1):
        day = window.first + np.floor((year + lane.unit(f"day/{year}")) * 365.25).astype(np.int64)
        day = np.clip(day, np.maximum(window.first, patients.birth) + 1, window.last)
        died = np.where(lane.chance(f"year/{year}", chance), day, died)
    return np.where(patients.birth >= window.last, NEVER, died)


def _counts(lane: Lane, chronic: Ints, share: Floats) -> Ints:
    """Visits of each patient; fewer for those who were there for a part of the window."""
    chronic = np.minimum(chronic, 10)
    more = np.zeros(len(chronic), dtype=np.int64)
    for level in range(11):
        mask = chronic == level
        more[mask] = lane.at(mask).pick("count", _COUNTS[level])
    return np.asarray(1 + np.floor(more * share + lane.unit("count/round")).astype(np.int64)).clip(1, MOST_VISITS)


def _days(lane: Lane, each: Lane, patient: Ints, count: Ints, low: Ints, high: Ints) -> Ints:
    """Exponential gaps, scaled to the days on which the patient could come."""
    gaps = each.exponential("gap")
    sums = np.cumsum(gaps)
    last = np.cumsum(count) - 1
    before = np.concatenate(([0.0], sums[last][:-1]))
    total = sums[last] - before + lane.exponential("gap/last")
    share = (sums - before[patient]) / total[patient]
    return low[patient] + np.floor(share * (high - low + 1)[patient]).astype(np.int64)


def _rows(patients: Patients, seed: int, holds: Bools, tail: Rare, count: Ints) -> tuple[Ints, Ints, Ints, Lane]:
    """Every (patient, code): who, code, the first turn it may be written down."""
    patient, code = np.nonzero(holds)
    patient, code = np.concatenate((patient, tail[0])), np.concatenate((code, tail[1]))
    order = np.lexsort((code, patient))
    patient, code = patient[order], code[order]
    lane = Stream(seed, "coding").of(patients.number[patient]).deeper(code)
    early = _chronic(code) & lane.chance("early", _AT_FIRST)
    return patient, code, np.where(early, 0, lane.below("turn", count[patient])), lane


def _chronic(code: Ints) -> Bools:
    table = load_catalogue().chronic
    return np.asarray((code < len(table)) & table[np.minimum(code, len(table) - 1)])


def _one_diabetes(patients: Patients, seed: int, patient: Ints, code: Ints, turn: Ints) -> Bools:
    """True for the second and later E11 codes of the old at visits that keep to one of them (60 %)."""
    e11 = np.isin(code, load_catalogue().starts("E11"))
    later = np.zeros(len(code), dtype=np.bool_)
    later[1:] = e11[1:] & e11[:-1] & (patient[1:] == patient[:-1])
    keep = Stream(seed, "coding/E11").of(patients.number[patient]).deeper(turn).chance("keep", 0.6)
    return np.asarray(later & keep & (patients.age[patient] >= 65))


def _write(patients: Patients, seed: int, holds: Bools, tail: Rare, count: Ints) -> CodedDiagnoses:
    """Spread the codes of each patient over the visits."""
    first = np.cumsum(count) - count
    patient, code, start, lane = _rows(patients, seed, holds, tail, count)
    times = count[patient]
    row = np.repeat(np.arange(len(patient)), times)
    turn = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    fresh = turn == start[row]
    possible = fresh | (_chronic(code)[row] & (turn > start[row]))
    row, turn, fresh = row[possible], turn[possible], fresh[possible]
    each = lane.at(row).deeper(turn)
    single = _one_diabetes(patients, seed, patient[row], code[row], turn)
    noted = fresh | (each.chance("noted", _WRITTEN) & ~single)
    score = each.unit("score") + np.where(noted, 2.0, 0.0) + np.where(fresh & ~_chronic(code[row]), 1.0, 0.0)
    visit = first[patient[row]] + turn
    order = np.lexsort((-score, visit))
    visit, kept = visit[order], noted[order]
    position = np.arange(len(visit)) - np.searchsorted(visit, visit, side="left")
    use = ((position == 0) | kept) & (position < MOST_CODES)
    visit, codes = visit[use], code[row][order][use]
    empty = np.setdiff1d(np.arange(count.sum()), visit, assume_unique=False)
    child = patients.age[np.repeat(np.arange(len(count)), count)[empty]] < 18
    visit = np.concatenate((visit, empty))
    codes = np.concatenate((codes, len(load_catalogue().codes) + child.astype(np.int64)))
    order = np.argsort(visit, kind="stable")
    visit, codes = visit[order], codes[order]
    return CodedDiagnoses(visit, codes, np.arange(len(visit)) - np.searchsorted(visit, visit, side="left"))


def _kinds(each: Lane, reason: Ints) -> Ints:
    severe = np.isin(reason, [load_catalogue().number(code) for code in _SEVERE])
    return np.where(severe, each.pick("kind", _GRAVE), each.pick("kind", _PLAIN))


def _readmissions(each: Lane, patient: Ints, kind: Ints, day: Ints, stay: Ints) -> Ints:
    """After some stays the next visit comes within 30 days."""
    again = (kind[:-1] >= INPATIENT) & (kind[:-1] <= ICU) & (patient[:-1] == patient[1:])
    again &= each.chance("again", _READMITTED)[:-1]
    soon = day[:-1] + stay[:-1] + 1 + each.below("again/days", 29)[:-1]
    changed = day.copy()
    changed[1:] = np.where(again, np.minimum(day[1:], soon), day[1:])
    return changed


def _no_weekend(kind: Ints, day: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Clinics are held on weekdays: move to Monday, else to Friday, else it was an emergency."""
    late = np.maximum(weekday(day) - 4, 0) * (kind == CLINIC)
    monday, friday = day + (3 - late), day - late
    moved = np.where(late == 0, day, np.where(monday <= high, monday, friday))
    stuck = moved < low
    return np.where(stuck, EMERGENCY, kind), np.where(stuck, day, moved)


def make_visits(patients: Patients, seed: int, window: Window, holds: Bools, tail: Rare) -> Visits:
    """All visits of a block of patients, with their codes."""
    lane, died = Stream(seed, "visits").of(patients.number), death_days(patients, seed, window, holds)
    low = np.minimum(np.maximum(patients.birth, window.first), window.last)
    high = np.where(died == NEVER, window.last, died)
    share = (high - low + 1) / (window.last - window.first + 1)
    count = _counts(lane, holds[:, load_catalogue().chronic].sum(axis=1), share)
    first = np.cumsum(count) - count
    patient = np.repeat(np.arange(len(patients)), count)
    turn = np.arange(len(patient)) - first[patient]
    each = lane.at(patient).deeper(turn)
    codings = _write(patients, seed, holds, tail, count)
    kind = _kinds(each, codings.code[codings.position == 0])
    median = np.where(kind == ICU, 4.0, 3.0)
    stay = np.maximum(np.rint(median * np.exp(0.8 * each.normal("stay"))), 1).astype(np.int64)
    stay = np.where((kind == INPATIENT) | (kind == ICU), stay, 0)
    day = _readmissions(each, patient, kind, _days(lane, each, patient, count, low, high), stay)
    kind, day = _no_weekend(kind, day, low[patient], high[patient])
    order = np.lexsort((turn, day, patient))
    kind, day, stay = kind[order], day[order], stay[order]
    limit = high[patient]
    limit[:-1] = np.where(patient[:-1] == patient[1:], np.minimum(limit[:-1], day[1:]), limit[:-1])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    moved = np.lexsort((codings.position, place[codings.visit]))
    codings = CodedDiagnoses(place[codings.visit][moved], codings.code[moved], codings.position[moved])
    reason = codings.code[codings.position == 0]
    return Visits(patient, turn, first, count, kind, day, np.minimum(day + stay, limit), reason, died, codings)


SOURCES = ("admissions", "outpatients", "legacy")
LEGACY = SOURCES.index("legacy")
_TURNS = 512  # more than MOST_VISITS


def visit_ids(patients: Patients, visits: Visits, seed: int) -> pa.Array:
    """Identifiers of visits; they do not show whose they are."""
    return scrambled("V", patients.number[visits.patient] * _TURNS + visits.turn, seed * 15_485_863 + 9)


def visit_mrns(patients: Patients, visits: Visits, seed: int, dirty: bool) -> pa.Array:
    """The record number used at each visit: with dirty data some people have two."""
    number = patients.number[visits.patient]
    twice = has_two_numbers(number, seed) & (visits.turn % 2 == 1) & dirty
    return record_numbers(np.where(twice, number + MOST, number), seed)


def visits_table(patients: Patients, visits: Visits, seed: int, dirty: bool) -> pa.Table:
    """The rows of visits.csv."""
    lane = Stream(seed, "dirt/visits").of(patients.number[visits.patient]).deeper(visits.turn)
    source = lane.below("source", len(SOURCES))
    mixed = np.asarray((source == LEGACY) & lane.chance("format", 0.5) & dirty)
    return pa.table(
        {
            "visit_id": visit_ids(patients, visits, seed),
            "patient_id": patient_ids(patients.number[visits.patient], seed),
            "mrn": visit_mrns(patients, visits, seed, dirty),
            "source": words(pa.array(SOURCES), source),
            "type": words(pa.array(KINDS), visits.kind),
            "admitted": where(mixed, american(visits.day), dates(visits.day)),
            "discharged": where(mixed, american(visits.end), dates(visits.end)),
            "reason": words(load_catalogue().everything, visits.reason),
        }
    )


def diagnoses_table(patients: Patients, visits: Visits, seed: int) -> pa.Table:
    """The rows of diagnoses.csv: one a visit and code; position 1 is the reason."""
    codings = visits.codings
    return pa.table(
        {
            "patient_id": patient_ids(patients.number[visits.patient[codings.visit]], seed),
            "visit_id": visit_ids(patients, visits, seed).take(pa.array(codings.visit)),
            "date": dates(visits.day[codings.visit]),
            "position": numbers(codings.position + 1),
            "code": words(load_catalogue().everything, codings.code),
        }
    )


def diagnoses_icd9(diagnoses: pa.Table) -> pa.Table:
    """The rows of `diagnoses` whose code has an equivalent in the short hand-made list, in ICD-9-CM."""
    known = {row["icd10cm"]: row["icd9cm"] for row in shipped_rows("hospital/icd9_equivalents.csv")}
    rows = diagnoses.filter(pc.is_in(diagnoses["code"], pa.array(list(known))))
    codes = pa.array([known[code] for code in rows["code"].to_pylist()], pa.string())
    return rows.set_column(rows.schema.get_field_index("code"), "code", codes)
