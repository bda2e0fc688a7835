"""The rows of visits.csv and diagnoses.csv, and the same diagnoses in ICD-9-CM where a code has a hand-made equivalent.

Three source systems feed the visits; the oldest one writes its dates now one way, now the other (dirty data).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.hospital.columns import american, dates, numbers, scrambled, table, where, words
from sharewell.hospital.draws import Bools, Ints, Stream
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import Chosen, has_two_numbers, patient_ids, visit_record_numbers
from sharewell.hospital.visits import KINDS, Visits
from sharewell.io.shipped import shipped_rows

SOURCES = ("admissions", "outpatients", "legacy")
LEGACY = SOURCES.index("legacy")
_TURNS = 512  # more than MOST_VISITS


def visit_ids(chosen: Chosen, visits: Visits, seed: int) -> pa.Array:
    """Identifiers of visits; they do not show whose they are."""
    return scrambled("V", chosen.number[visits.who] * _TURNS + visits.turn, seed * 15_485_863 + 9)


def visit_mrns(chosen: Chosen, visits: Visits, seed: int, dirty: bool) -> pa.Array:
    """The record number used at each visit: with dirty data some people have two."""
    number = chosen.number[visits.who]
    twice = has_two_numbers(number, seed) & (visits.turn % 2 == 1) & dirty
    return visit_record_numbers(number, np.asarray(twice), seed)


def visits_table(chosen: Chosen, visits: Visits, seed: int, dirty: bool) -> pa.Table:
    """The rows of visits.csv."""
    lane = Stream(seed, "dirt/visits").of(chosen.number[visits.who]).deeper(visits.turn)
    source = lane.below("source", len(SOURCES))
    mixed = (source == LEGACY) & lane.chance("format", 0.5) & dirty
    return table(
        {
            "visit_id": visit_ids(chosen, visits, seed),
            "patient_id": patient_ids(chosen.number[visits.who], seed),
            "mrn": visit_mrns(chosen, visits, seed, dirty),
            "source": words(pa.array(SOURCES), source),
            "type": words(pa.array(KINDS), visits.kind),
            "admitted": _written_dates(visits.day, np.asarray(mixed)),
            "discharged": _written_dates(visits.end, np.asarray(mixed)),
            "reason": words(load_catalogue().everything, visits.reason),
        }
    )


def _written_dates(days: Ints, mixed: Bools) -> pa.Array:
    return where(mixed, american(days), dates(days)) if mixed.any() else dates(days)


def diagnoses_table(chosen: Chosen, visits: Visits, seed: int) -> pa.Table:
    """The rows of diagnoses.csv: one a visit and code; position 1 is the reason."""
    written = visits.written
    return table(
        {
            "patient_id": patient_ids(chosen.number[visits.who[written.visit]], seed),
            "visit_id": visit_ids(chosen, visits, seed).take(pa.array(written.visit)),
            "date": dates(visits.day[written.visit]),
            "position": numbers(written.position + 1),
            "code": words(load_catalogue().everything, written.code),
        }
    )


@lru_cache(maxsize=1)
def _icd9() -> dict[str, str]:
    return {row["icd10cm"]: row["icd9cm"] for row in shipped_rows("hospital/icd9_equivalents.csv")}


def diagnoses_icd9(diagnoses: pa.Table) -> pa.Table:
    """The rows of `diagnoses` whose code has an equivalent in the short hand-made list, in ICD-9-CM."""
    known = _icd9()
    keep = pc.is_in(diagnoses["code"], pa.array(list(known)))
    found = diagnoses.filter(keep)
    codes = pa.array([known[code] for code in found["code"].to_pylist()], pa.string())
    return found.set_column(found.schema.get_field_index("code"), "code", codes)
