"""Fills the slots of a note from the patient's own row, so that notes and tables agree."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta

from sharewell.hierarchy.icd import ICD10CM
from sharewell.hospital import note_pools as pools
from sharewell.hospital import note_words as wording
from sharewell.hospital.draws import Dice
from sharewell.hospital.medications import load_formulary
from sharewell.hospital.note_mess import Part
from sharewell.hospital.note_templates import Piece, Template
from sharewell.hospital.voters import misspelt


@dataclass(frozen=True)
class Subject:
    """What notes need to know of a patient."""

    given: str
    family: str
    female: bool
    birth: date
    recorded_birth: date
    race: str
    marital: str
    street: str
    city: str
    state: str
    zip: str
    phone: str
    area_code: str
    ssn: str
    plan: str
    codes: tuple[tuple[str, str], ...]  # (code, label)
    code_set: frozenset[str]  # the codes alone
    drugs: tuple[tuple[int, str], ...]  # (row of the formulary, dose)
    other: pools.Person | None  # another patient of the hospital, and
    other_mrn: str  # that patient's record number


@dataclass
class NoteFiller:
    """The choices made for one note: the same relative, drug or clinician wherever the note mentions them."""

    subject: Subject
    day: date
    mrn: str
    dice: Dice
    seed: int
    towns: tuple[tuple[str, str], ...]  # (city, state) elsewhere
    _kin: str = ""
    dates: int = -1  # the way this author writes dates
    _people: dict[str, pools.Person] = field(default_factory=dict)
    _drugs: dict[int, tuple[int, str]] = field(default_factory=dict)

    @property
    def age(self) -> int:
        """Completed years on the day of the note."""
        birth = self.subject.birth
        return max(self.day.year - birth.year - ((birth.month, birth.day) > (self.day.month, self.day.day)), 0)

    def parts(self, template: Template) -> list[Part]:
        """The text of a note, cut at its labels."""
        pieces = (self._fill(piece) if piece.slot else [(piece.text, piece.label)] for piece in template.pieces)
        return [part for parts in pieces for part in parts]

    def _fill(self, piece: Piece) -> list[Part]:
        if piece.slot == "title_pt_last":
            return [(f"{self._title()} ", None), (self.subject.family, piece.label)]
        if piece.slot in ("age", "age90", "age_rel"):
            years = 55 + self.dice.below(44) if piece.slot == "age_rel" else self.age
            return [(str(years), piece.label if years > 89 else None)]
        if piece.slot in _NUMBERED:
            return [(_NUMBERED[piece.slot](self, piece), piece.label)]
        if piece.slot in _DATED:
            return [(_DATED[piece.slot](self, self._moved(piece)), piece.label)]
        return [(self._plain(piece.slot), piece.label)]

    def _plain(self, slot: str) -> str:
        """A slot without number or date: a field of the patient, a list, a member of staff, or a rule of its own."""
        if slot in _SUBJECT_FIELDS:
            return str(getattr(self.subject, slot))
        if slot in pools.load_pools().lists:
            return self.any_of(slot)
        if staff := _STAFF.fullmatch(slot):
            return str(getattr(self.staff(staff["role"]), _NAME_PARTS[staff["part"] or ""]))
        return _PLAIN[slot](self)

    def _moved(self, piece: Piece) -> date:
        if piece.unit == "y":
            return wording.add_years(self.day, piece.shift)
        return self.day + timedelta(days=piece.shift)

    def _title(self) -> str:
        if not self.subject.female:
            return "Mr."
        return "Mrs." if self.subject.marital in ("married", "widowed") and self.dice.chance(0.7) else "Ms."

    def style(self) -> int:
        """The way this author writes dates, with slips."""
        return self.dice.below(wording.DATE_STYLES) if self.dice.chance(0.1) else self.dates

    def staff(self, role: str) -> pools.Person:
        """The clinician, nurse or practitioner of a role; two roles of a note are two people."""
        if role not in self._people:
            staff = pools.load_staff(self.seed)
            group = {"r": staff.nurses, "p": staff.practitioners}.get(role[0], staff.clinicians)
            person = self.dice.of(group)
            while person in self._people.values():
                person = self.dice.of(group)
            self._people[role] = person
        return self._people[role]

    def stranger(self, role: str) -> pools.Person:
        """A relative (seven in ten with the patient's family name) or somebody else."""
        if role not in self._people:
            pool = pools.load_strangers(self.seed)
            if role.startswith("rel"):
                female = self.kin() in ("mother", "wife", "daughter", "sister") if role == "rel" else None
                family = self.subject.family if self.dice.chance(0.7) else None
                self._people[role] = pool.person(self.dice, female, family)
            else:
                self._people[role] = pool.person(self.dice)
        return self._people[role]

    def kin(self) -> str:
        """A kin word that fits age and sex."""
        if not self._kin:
            if self.age < 18:
                options: tuple[str, ...] = ("mother", "father")
            elif self.age < 40:
                options = ("mother", "father", "sister", "brother", "husband" if self.subject.female else "wife")
            else:
                options = ("daughter", "son", "sister", "brother", "husband" if self.subject.female else "wife")
            self._kin = self.dice.of(options)
        return self._kin

    def drug(self, number: int) -> tuple[int, str]:
        """Row of the formulary and dose of the note's n-th drug: the patient's own while they last."""
        if number not in self._drugs:
            names = {load_formulary().rows[row].name for row, _ in self._drugs.values()}
            unused = [pair for pair in self.subject.drugs if load_formulary().rows[pair[0]].name not in names]
            self._drugs[number] = unused[0] if unused else self._any_drug(names)
        return self._drugs[number]

    def _any_drug(self, names: set[str]) -> tuple[int, str]:
        rows = load_formulary().rows
        row = self.dice.below(len(rows))
        while rows[row].name in names:
            row = self.dice.below(len(rows))
        return row, self.dice.of(rows[row].doses)

    def drug_name(self, piece: Piece) -> str:
        """The drug, by its generic name, its brand, or misspelt."""
        name = load_formulary().rows[self.drug(piece.number)[0]].name
        if piece.form == "brand":
            return pools.load_brands().get(name, name)
        return misspelt(name, self.dice) if piece.form == "typo" and len(name) >= 5 else name

    def dose(self, piece: Piece) -> str:
        """The dose that belongs to the drug of the same number."""
        row, dose = self.drug(piece.number)
        if piece.form == "other":
            return wording.other_dose(dose, load_formulary().rows[row].doses, self.dice)
        if piece.form == "words":
            return wording.spoken_dose(dose)
        return dose.replace(" ", "") if self.dice.chance(0.25) else dose

    def diagnosis(self, piece: Piece) -> tuple[str, str]:
        """Code and words of the n-th diagnosis; a check-up where the patient has fewer."""
        if piece.number <= len(self.subject.codes):
            code, label = self.subject.codes[piece.number - 1]
            forms = (label, pools.load_pools().lay_terms.get(label, label), ICD10CM().title(code) or label)
            return code, str(self.dice.of(forms))
        return "Z00.00", self.dice.of(("fatigue", "routine check-up", "abdominal pain", "weight loss"))

    def any_of(self, pool: str) -> str:
        """An entry of a list of `note_pools.toml`."""
        return self.dice.of(pools.load_pools().lists[pool])

    def phone(self) -> str:
        """A number kept for fiction, written in one of four ways."""
        area, line = self.subject.area_code, f"01{self.dice.below(100):02d}"
        forms = (f"{area}-555-{line}", f"({area}) 555-{line}", f"{area}.555.{line}", f"555-{line}")
        return str(self.dice.of(forms))

    def digits(self, count: int) -> str:
        """Random digits, the first one not zero."""
        return str(10 ** (count - 1) + self.dice.below(9 * 10 ** (count - 1)))

    def letters(self, count: int) -> str:
        """Random capitals."""
        return "".join(self.dice.of("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(count))

    def npi(self) -> str:
        """Ten digits whose check digit is wrong."""
        body = "1" + self.digits(8)
        total = 24 + sum(
            digit if place % 2 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(map(int, body))
        )
        return body + str((10 - total % 10 + 1 + self.dice.below(8)) % 10)

    def town(self) -> tuple[str, str]:
        """Another city and its state."""
        return self.dice.of(self.towns)


def _initials(person: pools.Person) -> str:
    return person.given[0] + person.family[0].upper()


def _sex_word(f: NoteFiller) -> str:
    if f.age < 18:
        return "girl" if f.subject.female else "boy"
    return str(f.dice.of(("woman", "female", "lady") if f.subject.female else ("man", "male", "gentleman")))


_SUBJECT_FIELDS = frozenset({"street", "city", "state", "zip", "phone", "ssn", "marital"})
_STAFF = re.compile(r"(?P<role>md\d?|pcp|rn\d?)(?P<part>_last|_first)?")
_NAME_PARTS = {"": "full", "_last": "family", "_first": "given"}
_NUMBERED: dict[str, Callable[[NoteFiller, Piece], str]] = {
    "drug": NoteFiller.drug_name,
    "dose": NoteFiller.dose,
    "route": lambda f, p: load_formulary().rows[f.drug(p.number)[0]].route,
    "freq": lambda f, p: load_formulary().rows[f.drug(p.number)[0]].frequency,
    "dx": lambda f, p: f.diagnosis(p)[1],
    "icd": lambda f, p: f.diagnosis(p)[0],
}
_DATED: dict[str, Callable[[NoteFiller, date], str]] = {
    "date": lambda f, day: wording.written_date(day, f.style()),
    "date_long": lambda f, day: wording.long_date(day),
    "date_words": lambda f, day: wording.spoken_date(day),
    "month": lambda f, day: wording.MONTHS[(day.month - 1 + f.dice.below(3) - 1) % 12],
    "weekday": lambda f, day: wording.DAYS[f.dice.below(7)],
    "year": lambda f, day: str(day.year),
}
_PLAIN: dict[str, Callable[[NoteFiller], str]] = {
    "pt": lambda f: f"{f.subject.given} {f.subject.family}",
    "pt_first": lambda f: f.subject.given,
    "pt_last": lambda f: f.subject.family,
    "pt_last_first": lambda f: f"{f.subject.family.upper()}, {f.subject.given}",
    "pt_spelled": lambda f: " ".join(f.subject.family.lower().replace(" ", "")),
    "other_pt_last_first": lambda f: f.subject.other.last_first if f.subject.other else "",
    "other_mrn": lambda f: f.subject.other_mrn,
    "rel": lambda f: f.stranger("rel").full,
    "rel_first": lambda f: f.stranger("rel").given,
    "rel2_first": lambda f: f.stranger("rel2").given,
    "rn_initials": lambda f: _initials(f.staff("rn")),
    "tech_initials": lambda f: _initials(f.stranger("tech")),
    "initials": lambda f: _initials(f.stranger("typist")).lower(),
    "pharm_first": lambda f: f.stranger("pharmacist").given,
    "teacher_last": lambda f: f.stranger("teacher").family,
    "landlord": lambda f: f.stranger("landlord").full,
    "worker": lambda f: f.stranger("worker").full,
    "dob": lambda f: wording.written_date(f.subject.recorded_birth, f.dice.of((0, 1, 1, 1, 3))),
    "dob_long": lambda f: wording.long_date(f.subject.recorded_birth),
    "time": lambda f: wording.clock(f.dice),
    "street2": lambda f: f"{1 + f.dice.below(400)} {f.dice.of(('Harbor', 'Salt Pond', 'Beacon'))} St",
    "city2": lambda f: f.town()[0],
    "state2": lambda f: f.town()[1],
    "hospital": lambda f: pools.HOSPITAL,
    "outside_hospital": lambda f: f"{f.town()[0]} {f.any_of('hospital_endings')}",
    "clinic": lambda f: pools.CLINIC,
    "ward": lambda f: f"{1 + f.dice.below(8)}{f.dice.of('NSEW')}",
    "room": lambda f: f"{100 + f.dice.below(500)}{f.dice.of(('', '', 'A', 'B', '-2'))}",
    "newspaper": lambda f: f"{f.subject.city} Courier",
    "funeral_home": lambda f: f"{f.stranger('undertaker').family} & Sons",
    "rel_phone": NoteFiller.phone,
    "clinic_phone": NoteFiller.phone,
    "agency_phone": NoteFiller.phone,
    "fax": NoteFiller.phone,
    "pager": lambda f: f.digits(4),
    "email_md": lambda f: f"{pools.mail(f.staff('md'))}@example.org",
    "rel_email": lambda f: f"{pools.mail(f.stranger('rel'))}{f.dice.below(90) + 10}@example.com",
    "ssn4": lambda f: f.subject.ssn[-4:],
    "mrn": lambda f: f.mrn,
    "mrn_spaced": lambda f: " ".join(f.mrn),
    "acct": lambda f: f.digits(9),
    "claim": lambda f: f"CL{f.digits(8)}",
    "plan_id": lambda f: f"{f.subject.plan}-{f.digits(8)}",
    "accession": lambda f: f"S{f.day.year % 100:02d}-{f.digits(5)}",
    "accession_old": lambda f: f"S{(f.day.year - 6) % 100:02d}-{f.digits(5)}",
    "device_serial": lambda f: f"{f.letters(2)}{f.digits(6)}",
    "lot": lambda f: f"{f.letters(1)}{f.digits(5)}",
    "license_plate": lambda f: f"{f.digits(3)} {f.letters(3)}",
    "drivers_license": lambda f: f"S{f.digits(8)}",
    "npi": NoteFiller.npi,
    "interp_id": lambda f: f.digits(6),
    "url": lambda f: f"https://example.com/{pools.mail(pools.Person(f.subject.given, f.subject.family))}",
    "ip": lambda f: f"{f.dice.of(('192.0.2', '198.51.100', '203.0.113'))}.{1 + f.dice.below(254)}",
    "sex": lambda f: "F" if f.subject.female else "M",
    "sex_word": _sex_word,
    "poss": lambda f: "her" if f.subject.female else "his",
    "rel_kin": NoteFiller.kin,
    "race_word": lambda f: {"Other": "", "Unknown": ""}.get(f.subject.race, f.subject.race),
}
