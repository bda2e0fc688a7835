"""A block of the hospital: the people of some quarters of the town, and every table about them, made on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from sharewell.hospital.alleles import by_frequency, inherited, load_snps, scaled_frequencies
from sharewell.hospital.calendar import Window
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

OTHER, CHECK_UP = "other condition", "check-up"

TABLES = {
    "register": "register.csv",
    "voters": "voters.csv",
    "patients": "patients.csv",
    "visits": "visits.csv",
    "diagnoses": "diagnoses.csv",
    "medications": "medications.csv",
    "genotypes": "genotypes.csv",
    "compliance": "compliance.csv",
    "link": "truth/link.csv",
    "voters_truth": "truth/voters.csv",
    "genotype_disease": "truth/genotype_disease.csv",
}
LINES = {"notes": "notes.jsonl", "note_spans": "truth/note_spans.jsonl"}


@dataclass(frozen=True)
class Settings:
    """What every block needs to know of its hospital."""

    seed: int
    home: str
    window: Window
    factor: int
    dirty: bool
    enrich: Mapping[str, float]


class Block:
    """Patients number `first_quarter * QUARTER` and following, `patients` of them."""

    def __init__(self, settings: Settings, first_quarter: int, patients: int) -> None:
        self.settings = settings
        self.size = patients
        self._first_quarter = first_quarter

    @cached_property
    def people(self) -> People:
        """Everybody in these quarters; the last quarter is whole even where the register ends before."""
        s, quarters = self.settings, -(-self.size // QUARTER)
        return draw_people(s.seed, s.factor, s.home, s.window, self._first_quarter, quarters)

    @cached_property
    def chosen(self) -> Patients:
        """The patients."""
        every = choose_patients(self.people, self.settings.seed, self.settings.factor)
        return Patients(every.number[: self.size], every.place[: self.size], self.people)

    @cached_property
    def alleles(self) -> Ints:
        """Risk alleles (0, 1, 2) of each patient at the variants tied to a disease."""
        s, snps = self.settings, load_snps()
        frequencies = np.stack([scaled_frequencies(snp, s.enrich.get(snp.code, 1.0)) for snp in snps], axis=1)
        drawn = inherited(
            self.people, self.chosen.place, s.seed, "alleles", by_frequency(frequencies), np.arange(len(snps))
        )
        return np.asarray(drawn.sum(axis=1), dtype=np.int64)

    @cached_property
    def holds(self) -> Bools:
        """Patients x common codes."""
        return common_codes(self.chosen, self.settings.seed, self.alleles, self.settings.enrich)

    @cached_property
    def tail(self) -> tuple[Ints, Ints]:
        """Rare codes: place of the patient, number of the code."""
        return tail_codes(self.chosen, self.settings.seed)

    @cached_property
    def all_visits(self) -> Visits:
        """All visits."""
        return make_visits(self.chosen, self.settings.seed, self.settings.window, self.holds, self.tail)

    @cached_property
    def register(self) -> pa.Table:
        """register.csv"""
        s = self.settings
        return register_table(self.people, s.seed, s.home).slice(0, self.size * s.factor)

    @cached_property
    def _voters(self) -> tuple[pa.Table, pa.Table]:
        s = self.settings
        return voters_tables(self.people, s.seed, s.home, self.size * s.factor)

    @property
    def voters(self) -> pa.Table:
        """voters.csv"""
        return self._voters[0]

    @property
    def voters_truth(self) -> pa.Table:
        """truth/voters.csv"""
        return self._voters[1]

    @cached_property
    def patients(self) -> pa.Table:
        """patients.csv"""
        s, visits = self.settings, self.all_visits
        labels = pa.array([*load_catalogue().labels, CHECK_UP, OTHER])
        checks = len(labels) - 2
        label = np.where(visits.reason[visits.first] < checks + 2, checks, checks + 1)
        codings = visits.codings
        named = np.flatnonzero((codings.code < checks) & (visits.turn[codings.visit] == 0))[::-1]
        label[visits.patient[codings.visit[named]]] = codings.code[named]
        admitted = visits.day[visits.first]
        return patients_table(self.chosen, s.seed, s.home, s.dirty, admitted, words(labels, label), visits.died)

    @cached_property
    def visits(self) -> pa.Table:
        """visits.csv"""
        return visits_table(self.chosen, self.all_visits, self.settings.seed, self.settings.dirty)

    @cached_property
    def diagnoses(self) -> pa.Table:
        """diagnoses.csv"""
        return diagnoses_table(self.chosen, self.all_visits, self.settings.seed)

    @cached_property
    def prescriptions(self) -> Prescriptions:
        """All prescriptions."""
        return prescribe(self.chosen, self.settings.seed, self.settings.window, self.holds, self.all_visits)

    @cached_property
    def medications(self) -> pa.Table:
        """medications.csv"""
        return medications_table(self.chosen, self.settings.seed, self.all_visits, self.prescriptions)

    @cached_property
    def genotypes(self) -> pa.Table:
        """genotypes.csv"""
        return genotypes_table(self.chosen, self.settings.seed, self.holds, self.alleles)

    @cached_property
    def genotype_disease(self) -> pa.Table:
        """truth/genotype_disease.csv"""
        return genotype_disease_table(self.chosen, self.settings.seed, self.holds, self.alleles)

    @cached_property
    def compliance(self) -> pa.Table:
        """compliance.csv"""
        s = self.settings
        return compliance_table(self.chosen, s.seed, s.home, s.window, self.holds, self.all_visits.died)

    @cached_property
    def _written(self) -> list[Note]:
        s = self.settings
        writer = NoteWriter(self.chosen, self.all_visits, self.prescriptions, self.holds, s.seed, s.home, s.dirty)
        return list(writer.notes())

    @property
    def notes(self) -> list[dict[str, str]]:
        """notes.jsonl"""
        return [note.row for note in self._written]

    @property
    def note_spans(self) -> list[dict[str, object]]:
        """truth/note_spans.jsonl"""
        return [note.truth for note in self._written]

    @cached_property
    def link(self) -> pa.Table:
        """truth/link.csv"""
        ids = patient_ids(self.chosen.number, self.settings.seed)
        people = person_ids(self.people, self.settings.seed).take(pa.array(self.chosen.place))
        return pa.table({"patient_id": ids, "person_id": people})

    def rows(self, name: str) -> pa.Table:
        """A table by its name in `TABLES`, which is that of the property."""
        rows: pa.Table = getattr(self, name)
        return rows

    def lines(self, name: str) -> Sequence[dict[str, str] | dict[str, object]]:
        """Notes, or the truth about them."""
        return self.notes if name == "notes" else self.note_spans
