"""Clinical notes: 0.8 a visit, from templates that suit the visit and the patient, filled, then made messy.

Every note has its own generator, keyed by patient, visit and turn, and one of fourteen authors with habits of their own
(`note_authors`). A note may be copied forward from the visit before
(old dates and ages remain), or glued to a second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

import numpy as np

from sharewell.hospital.calendar import ages
from sharewell.hospital.columns import joined, numbers, scrambled, words
from sharewell.hospital.draws import Bools, Dice, Stream
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.medications import Prescriptions, load_formulary
from sharewell.hospital.note_authors import authors_of
from sharewell.hospital.note_fill import NoteFiller, Subject
from sharewell.hospital.note_mess import Part, finished, muddled
from sharewell.hospital.note_pools import Person
from sharewell.hospital.note_templates import Template, load_templates
from sharewell.hospital.patients import Patients, clean_columns, recorded_birth
from sharewell.hospital.people import QUARTER
from sharewell.hospital.places import load_places
from sharewell.hospital.visits import KINDS, Visits, visit_ids, visit_mrns

Draft = tuple[str, list[Part]]  # the template and its text, before the mess
ONE, TWO = 0.68, 0.06  # chances of one and of two notes a visit: 0.8 on average
COPIED, GLUED = 0.12, 0.01
_EPOCH = date(1970, 1, 1)
_FROM_TABLE = tuple("given family race marital street city state zip phone area_code ssn plan".split())  # noqa: SIM905


@dataclass(frozen=True)
class Note:
    """A finished note and the spans in it."""

    row: dict[str, str]
    truth: dict[str, object]


@lru_cache(maxsize=4096)
def _choices(kind: str, age: int, female: bool, codes: frozenset[str], other: bool) -> tuple[Template, ...]:
    """Templates for a visit; the special ones count three times."""
    every = (template for template in load_templates().values() if kind in template.visits)
    fitting = [template for template in every if template.suits(age, female, codes, other)]
    weighted = [template for template in fitting for _ in range(3 if template.special else 1)]
    return tuple(weighted) or (load_templates()["n13"],)


@lru_cache(maxsize=4)
def _towns(home: str) -> tuple[tuple[str, str], ...]:
    places = load_places(home)
    states = places.states.to_pylist()
    return tuple(
        (city, states[int(np.searchsorted(places.city_first, number, side="right")) - 1])
        for number, city in enumerate(places.cities.to_pylist())
    )


def _day(number: int) -> date:
    return _EPOCH + timedelta(days=int(number))


class NoteWriter:
    """Writes the notes of one block of patients."""

    def __init__(
        self, patients: Patients, visits: Visits, drugs: Prescriptions, holds: Bools, seed: int, home: str, dirty: bool
    ) -> None:
        self._patients, self._visits, self._holds = patients, visits, holds
        self._seed, self._home, self._dirty = seed, home, dirty
        self._visit_ids = visit_ids(patients, visits, seed).to_pylist()
        self._mrns = visit_mrns(patients, visits, seed, dirty).to_pylist()
        self._ages = ages(patients.birth[visits.patient], visits.day).tolist()
        self._female, self._born = patients.female.tolist(), patients.birth.tolist()
        self._births = recorded_birth(patients, seed, dirty).tolist()
        self._back = Stream(seed, "notes/other").of(patients.number).below("other", patients.number % QUARTER)
        self._columns = self._patient_columns()
        self._drugs = self._drug_lists(drugs)

    def _patient_columns(self) -> dict[str, list[str]]:
        places, patients = load_places(self._home), self._patients
        columns = clean_columns(patients, self._seed, self._home, self._dirty)
        state = places.state_of[patients.people.prefix[patients.place]]
        columns["area_code"] = words(places.area_codes, state)
        return {name: column.to_pylist() for name, column in columns.items()}

    def _drug_lists(self, prescriptions: Prescriptions) -> list[list[tuple[int, str]]]:
        lists: list[list[tuple[int, str]]] = [[] for _ in range(len(self._patients))]
        doses = words(load_formulary().doses, prescriptions.dose).to_pylist()
        for patient, row, dose in zip(prescriptions.patient.tolist(), prescriptions.row.tolist(), doses, strict=True):
            lists[patient].append((row, dose))
        return lists

    def _subject(self, patient: int) -> Subject:
        catalogue, columns = load_catalogue(), self._columns
        codes = tuple((catalogue.codes[code], catalogue.labels[code]) for code in np.flatnonzero(self._holds[patient]))
        turn = int(self._patients.number[patient]) % QUARTER
        # An earlier patient of the same quarter, whatever the hospital's size.
        before = patient - 1 - int(self._back[patient])
        other = Person(columns["given"][before], columns["family"][before]) if turn else None
        return Subject(
            **{name: columns[name][patient] for name in _FROM_TABLE},
            female=self._female[patient],
            birth=_day(self._born[patient]),
            recorded_birth=_day(self._births[patient]),
            codes=codes,
            code_set=frozenset(code for code, _ in codes),
            drugs=tuple(self._drugs[patient]),
            other=other,
            other_mrn=columns["mrn"][before] if turn else "",
        )

    def notes(self) -> Iterator[Note]:
        """Every note of the block, in the order of patients and visits."""
        visits, number = self._visits, self._patients.number
        lane = Stream(self._seed, "notes").of(number[visits.patient]).deeper(visits.turn)
        unit = lane.unit("count")
        count = np.where(unit < TWO, 2, np.where(unit < ONE + TWO, 1, 0))
        turns = np.repeat(np.arange(len(visits)), count)
        second = np.arange(len(turns)) - np.repeat(np.cumsum(count) - count, count)
        seeds = lane.at(turns).deeper(second).words("note")
        key = (number[visits.patient] * 512 + visits.turn)[turns]
        note_ids = joined("-", scrambled("T", key, self._seed * 17 + 1), numbers(second + 1)).to_pylist()
        previous_patient, subject, before = -1, None, None
        for visit, seed, note_id in zip(turns.tolist(), seeds.tolist(), note_ids, strict=True):
            patient = int(visits.patient[visit])
            if patient != previous_patient or subject is None:
                previous_patient, subject, before = patient, self._subject(patient), None
            note, before = self._note(subject, patient, visit, Dice(seed), note_id, before)
            yield note

    def _note(
        self, subject: Subject, patient: int, visit: int, dice: Dice, note_id: str, before: Draft | None
    ) -> tuple[Note, Draft]:
        kind, day = KINDS[int(self._visits.kind[visit])], _day(self._visits.day[visit])
        choices = _choices(kind, self._ages[visit], subject.female, subject.code_set, subject.other is not None)
        template = dice.of(choices)
        author = dice.of(authors_of(template.id))
        filler = NoteFiller(
            subject, day, self._mrns[visit], dice, self._seed, _towns(self._home), template.kin, author.dates
        )
        copied = dice.chance(COPIED if author.copies is None else author.copies) and before is not None
        if copied and before is not None:
            name, parts = before[0], [*before[1], ("\nno change since, plan as above.", None)]
        else:
            name, parts = template.id, filler.parts(template)
        plain, parts = (name, parts), author.written(parts)
        if dice.chance(GLUED):
            extra = dice.of(choices)
            name, parts = f"{name}+{extra.id}", [*parts, (dice.of(("\n", " ", "")), None), *filler.parts(extra)]
        body, spans = finished(muddled(parts, dice, author.slips, author.case), dice, author.width)
        ids = {
            "note_id": note_id,
            "patient_id": self._columns["patient_id"][patient],
            "visit_id": self._visit_ids[visit],
        }
        row = ids | {"date": day.isoformat(), "kind": load_templates()[plain[0]].kind, "body": body}
        truth = {"note_id": note_id, "template": name, "author": author.name, "copied": bool(copied), "spans": spans}
        return Note(row, truth), plain
