"""A block of the hospital: the people of some quarters of the town, and every table about them, made on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sharewell.hospital.alleles import by_frequency, inherited, load_snps, scaled_frequencies
from sharewell.hospital.columns import words
from sharewell.hospital.compliance import compliance_table
from sharewell.hospital.draws import Bools, Ints
from sharewell.hospital.genotypes import genotype_disease_table, genotypes_table
from sharewell.hospital.illness import common_codes, load_catalogue, tail_codes
from sharewell.hospital.medications import Prescriptions, medications_table, prescribe
from sharewell.hospital.notes import Note, NoteWriter
from sharewell.hospital.patients import Patients, choose_patients, patient_ids, patients_table
from sharewell.hospital.people import QUARTER, People, draw_people, person_ids, register_table
from sharewell.hospital.visits import Visits, diagnoses_table, make_visits, visits_table
from sharewell.hospital.voters import voters_tables

if TYPE_CHECKING:
    from sharewell.hospital.hospital import Hospital

OTHER, CHECK_UP = "other condition", "check-up"

LINES = {"notes": "notes.jsonl", "note_spans": "truth/note_spans.jsonl"}


class Block:
    """Patients number `first_quarter * QUARTER` and following, `patients` of them."""

    def __init__(self, hospital: Hospital, first_quarter: int, patients: int) -> None:
        self.hospital = hospital
        self.size = patients
        self._first_quarter = first_quarter

    @cached_property
    def people(self) -> People:
        """Everybody in these quarters; the last quarter is whole even where the register ends before."""
        h, quarters = self.hospital, -(-self.size // QUARTER)
        return draw_people(h.seed, h.population_factor, h.home_zip3, h.window, self._first_quarter, quarters)

    @cached_property
    def chosen(self) -> Patients:
        """The patients."""
        every = choose_patients(self.people, self.hospital.seed, self.hospital.population_factor)
        return Patients(every.number[: self.size], every.place[: self.size], self.people)

    @cached_property
    def alleles(self) -> Ints:
        """Risk alleles (0, 1, 2) of each patient at the variants tied to a disease."""
        h, snps = self.hospital, load_snps()
        frequencies = np.stack([scaled_frequencies(snp, h.enrich.get(snp.code, 1.0)) for snp in snps], axis=1)
        draw, variants = by_frequency(frequencies), np.arange(len(snps))
        drawn = inherited(self.people, self.chosen.place, h.seed, "alleles", draw, variants)
        return np.asarray(drawn.sum(axis=1), dtype=np.int64)

    @cached_property
    def holds(self) -> Bools:
        """Patients x common codes."""
        return common_codes(self.chosen, self.hospital.seed, self.alleles, self.hospital.enrich)

    @cached_property
    def tail(self) -> tuple[Ints, Ints]:
        """Rare codes: place of the patient, number of the code."""
        return tail_codes(self.chosen, self.hospital.seed)

    @cached_property
    def all_visits(self) -> Visits:
        return make_visits(self.chosen, self.hospital.seed, self.hospital.window, self.holds, self.tail)

    @property
    def listed(self) -> int:
        """How many people the register lists."""
        return self.size * self.hospital.population_factor

    @cached_property
    def voters(self) -> tuple[pa.Table, pa.Table]:
        """The voters, and who they are."""
        return voters_tables(self.people, self.hospital.seed, self.hospital.home_zip3, self.listed)

    @cached_property
    def prescriptions(self) -> Prescriptions:
        return prescribe(self.chosen, self.hospital.seed, self.hospital.window, self.holds, self.all_visits)

    @cached_property
    def _written(self) -> list[Note]:
        h = self.hospital
        writer = NoteWriter(self.chosen, self.all_visits, self.prescriptions, self.holds, h.seed, h.home_zip3, h.dirty)
        return list(writer.notes())

    @property
    def notes(self) -> list[dict[str, str]]:
        """notes.jsonl"""
        return [note.row for note in self._written]

    @property
    def note_spans(self) -> list[dict[str, object]]:
        """truth/note_spans.jsonl"""
        return [note.truth for note in self._written]

    def rows(self, name: str) -> pa.Table:
        """A table by its name in `TABLES`."""
        return _MAKERS[name](self)

    def lines(self, name: str) -> Sequence[dict[str, str] | dict[str, object]]:
        """Notes, or the truth about them."""
        return self.notes if name == "notes" else self.note_spans


def _patients(block: Block) -> pa.Table:
    """The main diagnosis is the label of the first common code of the first visit."""
    h, visits = block.hospital, block.all_visits
    labels = pa.array([*load_catalogue().labels, CHECK_UP, OTHER])
    checks = len(labels) - 2
    label = np.where(visits.reason[visits.first] < checks + 2, checks, checks + 1)
    codings = visits.codings
    named = np.flatnonzero((codings.code < checks) & (visits.turn[codings.visit] == 0))[::-1]
    label[visits.patient[codings.visit[named]]] = codings.code[named]
    admitted = visits.day[visits.first]
    return patients_table(block.chosen, h.seed, h.home_zip3, h.dirty, admitted, words(labels, label), visits.died)


def _compliance(block: Block) -> pa.Table:
    h = block.hospital
    return compliance_table(block.chosen, h.seed, h.home_zip3, h.window, block.holds, block.all_visits.died)


def _link(block: Block) -> pa.Table:
    ids = patient_ids(block.chosen.number, block.hospital.seed)
    people = person_ids(block.people, block.hospital.seed).take(pa.array(block.chosen.place))
    return pa.table({"patient_id": ids, "person_id": people})


_MAKERS: dict[str, Callable[[Block], pa.Table]] = {
    "register": lambda b: register_table(b.people, b.hospital.seed, b.hospital.home_zip3).slice(0, b.listed),
    "voters": lambda b: b.voters[0],
    "patients": _patients,
    "visits": lambda b: visits_table(b.chosen, b.all_visits, b.hospital.seed, b.hospital.dirty),
    "diagnoses": lambda b: diagnoses_table(b.chosen, b.all_visits, b.hospital.seed),
    "medications": lambda b: medications_table(b.chosen, b.hospital.seed, b.all_visits, b.prescriptions),
    "genotypes": lambda b: genotypes_table(b.chosen, b.hospital.seed, b.holds, b.alleles),
    "compliance": _compliance,
    "link": _link,
    "voters_truth": lambda b: b.voters[1],
    "genotype_disease": lambda b: genotype_disease_table(b.chosen, b.hospital.seed, b.holds, b.alleles),
}
_TRUTH = {"link": "link", "voters_truth": "voters", "genotype_disease": "genotype_disease"}
TABLES = {name: f"truth/{_TRUTH[name]}.csv" if name in _TRUTH else f"{name}.csv" for name in _MAKERS}
"""Name → file."""
