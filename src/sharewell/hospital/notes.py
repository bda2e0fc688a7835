"""Clinical notes: 0.8 a visit, from templates that suit the visit and the patient, filled, then made messy.

Every note has its own generator, keyed by patient, visit and turn. A note may be copied forward from the visit before
(old dates and ages remain), or glued to a second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.hospital.calendar import ages
from sharewell.hospital.columns import joined, numbers, scrambled, words
from sharewell.hospital.draws import Bools, Dice, Stream
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.medications import Taken, load_formulary
from sharewell.hospital.names import load_names
from sharewell.hospital.note_fill import Filling, Subject
from sharewell.hospital.note_mess import Part, finished, muddled
from sharewell.hospital.note_pools import Person
from sharewell.hospital.note_templates import Template, load_templates
from sharewell.hospital.patients import (
    MARITAL,
    PLANS,
    Chosen,
    marital_of,
    patient_ids,
    phones,
    plan_of,
    record_numbers,
    recorded_birth,
    social_numbers,
)
from sharewell.hospital.people import QUARTER, RACES, zips
from sharewell.hospital.places import load_places
from sharewell.hospital.visit_tables import visit_ids, visit_mrns
from sharewell.hospital.visits import KINDS, Visits

ONE, TWO = 0.68, 0.06  # chances of one and of two notes a visit: 0.8 on average
COPIED, GLUED = 0.12, 0.01
_EPOCH = date(1970, 1, 1)
_BY_KIND = {
    "clinic": "n10 n11 n12 n13 n16 n17 n18 n19 n22 n23 n25",
    "emergency": "n02 n05 n07 n11 n14 n16 n24",
    "inpatient": "n01 n02 n04 n05 n07 n08 n09 n15 n16 n17 n21 n23 n24",
    "ICU": "n01 n03 n04 n05 n06 n07 n15 n24",
    "telephone": "n13 n20 n23",
}
# The relative that a template names in its own words.
_KIN = {"n01": "daughter", "n02": "son", "n05": "wife", "n12": "brother", "n17": "partner", "n18": "mother"}


@dataclass(frozen=True)
class Note:
    """A finished note and the spans in it."""

    row: dict[str, str]
    truth: dict[str, object]


@lru_cache(maxsize=4096)
def _choices(kind: str, age: int, female: bool, codes: frozenset[str], other: bool) -> tuple[Template, ...]:
    """Templates for a visit; the special ones count three times."""
    every = (load_templates()[name] for name in _BY_KIND[kind].split())
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
        self, chosen: Chosen, visits: Visits, taken: Taken, holds: Bools, seed: int, home: str, dirty: bool
    ) -> None:
        self._chosen, self._visits, self._taken, self._holds = chosen, visits, taken, holds
        self._seed, self._home, self._dirty = seed, home, dirty
        self._ids = patient_ids(chosen.number, seed).to_pylist()
        self._visit_ids = visit_ids(chosen, visits, seed).to_pylist()
        self._mrns = visit_mrns(chosen, visits, seed, dirty).to_pylist()
        self._plain_mrns = record_numbers(chosen.number, seed).to_pylist()
        self._ages = ages(chosen.birth[visits.who], visits.day).tolist()
        self._female, self._born = chosen.female.tolist(), chosen.birth.tolist()
        self._births = recorded_birth(chosen, seed, dirty).tolist()
        self._back = Stream(seed, "notes/other").of(chosen.number).below("other", chosen.number % QUARTER)
        self._columns = self._patient_columns()
        self._drugs = self._drug_lists()

    def _patient_columns(self) -> dict[str, list[str]]:
        chosen, people, place = self._chosen, self._chosen.people, self._chosen.place
        names, places = load_names(), load_places(self._home)
        lane = Stream(self._seed, "patients").of(chosen.number)
        prefix, ending = people.prefix[place], people.ending[place]
        state = places.state_of[prefix]
        columns = {
            "given": words(names.givens, people.given[place]),
            "family": words(names.families, people.family[place]),
            "race": words(pa.array(RACES), people.race[place]),
            "marital": words(MARITAL, marital_of(chosen, self._seed)),
            "street": joined(" ", numbers(people.house[place]), words(places.streets, people.street[place])),
            "city": words(places.cities, places.city(prefix, ending)),
            "state": words(places.states, state),
            "zip": zips(self._home, prefix, ending),
            "phone": phones(state, lane, "phone", self._home),
            "area_code": words(places.area_codes, state),
            "ssn": social_numbers(lane),
            "plan": words(pa.array(PLANS), plan_of(chosen.number, self._seed)),
        }
        return {name: column.to_pylist() for name, column in columns.items()}

    def _drug_lists(self) -> list[list[tuple[int, str]]]:
        lists: list[list[tuple[int, str]]] = [[] for _ in range(len(self._chosen))]
        doses = words(load_formulary().doses, self._taken.dose).to_pylist()
        for who, row, dose in zip(self._taken.who.tolist(), self._taken.row.tolist(), doses, strict=True):
            lists[who].append((row, dose))
        return lists

    def _subject(self, who: int) -> Subject:
        catalogue, columns = load_catalogue(), self._columns
        codes = tuple((catalogue.codes[code], catalogue.labels[code]) for code in np.flatnonzero(self._holds[who]))
        turn = int(self._chosen.number[who]) % QUARTER
        before = who - 1 - int(self._back[who])  # an earlier patient of the same quarter, whatever the hospital's size
        other = Person(columns["given"][before], columns["family"][before]) if turn else None
        return Subject(
            **{name: column[who] for name, column in columns.items()},
            female=self._female[who],
            birth=_day(self._born[who]),
            recorded_birth=_day(self._births[who]),
            codes=codes,
            held=frozenset(code for code, _ in codes),
            drugs=tuple(self._drugs[who]),
            other=other,
            other_mrn=self._plain_mrns[before] if turn else "",
        )

    def notes(self) -> Iterator[Note]:
        """Every note of the block, in the order of patients and visits."""
        visits, number = self._visits, self._chosen.number
        lane = Stream(self._seed, "notes").of(number[visits.who]).deeper(visits.turn)
        unit = lane.unit("count")
        count = np.where(unit < TWO, 2, np.where(unit < ONE + TWO, 1, 0))
        turns = np.repeat(np.arange(len(visits)), count)
        second = np.arange(len(turns)) - np.repeat(np.cumsum(count) - count, count)
        seeds = lane.at(turns).deeper(second).words("note")
        key = (number[visits.who] * 512 + visits.turn)[turns]
        note_ids = joined("-", scrambled("T", key, self._seed * 17 + 1), numbers(second + 1)).to_pylist()
        who_before, subject, before = -1, None, None
        for visit, seed, note_id in zip(turns.tolist(), seeds.tolist(), note_ids, strict=True):
            who = int(visits.who[visit])
            if who != who_before or subject is None:
                who_before, subject, before = who, self._subject(who), None
            note, before = self._note(subject, who, visit, Dice(seed), note_id, before)
            yield note

    def _note(
        self, subject: Subject, who: int, visit: int, dice: Dice, note_id: str, before: tuple[str, list[Part]] | None
    ) -> tuple[Note, tuple[str, list[Part]]]:
        kind, day = KINDS[int(self._visits.kind[visit])], _day(self._visits.day[visit])
        choices = _choices(kind, self._ages[visit], subject.female, subject.held, subject.other is not None)
        template = dice.of(choices)
        filling = Filling(
            subject, day, self._mrns[visit], dice, self._seed, _towns(self._home), _KIN.get(template.id, "")
        )
        copied = dice.chance(COPIED) and before is not None
        if copied and before is not None:
            name, parts = before[0], [*before[1], ("\nno change since, plan as above.", None)]
        else:
            name, parts = template.id, filling.parts(template)
        plain = name, parts
        if dice.chance(GLUED):
            extra = dice.of(choices)
            name, parts = f"{name}+{extra.id}", [*parts, (dice.of(("\n", " ", "")), None), *filling.parts(extra)]
        body, spans = finished(muddled(parts, dice), dice)
        ids = {"note_id": note_id, "patient_id": self._ids[who], "visit_id": self._visit_ids[visit]}
        row = ids | {"date": day.isoformat(), "kind": load_templates()[plain[0]].kind, "body": body}
        return Note(row, {"note_id": note_id, "template": name, "copied": bool(copied), "spans": spans}), plain
