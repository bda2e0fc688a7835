"""The patients: chosen from the register by age, with the identifiers a hospital adds, and the dirt of real records.

Patient number p is one of the `population_factor` people number p * factor and following, the old more often than the
young. So the first hundred patients are the same whatever the size of the hospital.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.hospital.calendar import day_of, parts
from sharewell.hospital.columns import dates, fixed, joined, numbers, scrambled, where, words
from sharewell.hospital.draws import Bools, Ints, Lane, Stream, cumulative
from sharewell.hospital.names import load_names
from sharewell.hospital.people import RACES, WEIGHTS, People, band_of, zips
from sharewell.hospital.places import load_places

MOST = 5_000_000  # as many patients as seven-digit record numbers, two a person, allow
PLANS = ("HMO1", "HMO2", "HMO3", "HMO4", "HMO5", "HMO6")
_PLAN_SUMS = cumulative([31, 24, 18, 13, 9, 5])
_MARITAL = ("single", "married", "divorced", "widowed")
_ALONE = np.cumsum([[1, 0, 0], [0.86, 0.13, 0.01], [0.42, 0.48, 0.10], [0.18, 0.37, 0.45], [0.10, 0.15, 0.75]], axis=1)
_MAIL = ("example.com", "example.net", "example.org")
NO_SEX, NO_ZIP, NEW_YEAR, TWO_NUMBERS = 0.003, 0.005, 0.03, 0.004


@dataclass(frozen=True)
class Patients:
    """A block of patients: their number in the hospital and their place in the block of people."""

    number: Ints
    place: Ints
    people: People

    @property
    def birth(self) -> Ints:
        """Day of birth (the true one)."""
        return self.people.birth[self.place]

    @property
    def age(self) -> Ints:
        """Completed years on the last day of the window."""
        return self.people.age[self.place]

    @property
    def female(self) -> Bools:
        """True for women and girls."""
        return self.people.female[self.place]

    @property
    def band(self) -> Ints:
        """Age band as a number."""
        return band_of(self.age)

    def __len__(self) -> int:
        return len(self.number)


def choose_patients(people: People, seed: int, factor: int) -> Patients:
    """One patient out of every `factor` people, by weight of age."""
    arrival = Stream(seed, "chosen").of(people.number).exponential("arrival") / WEIGHTS[band_of(people.age)]
    place = arrival.reshape(-1, factor).argmin(axis=1)
    rows = np.arange(len(place))
    return Patients(people.number[0] // factor + rows, rows * factor + place, people)


def patient_ids(number: Ints, seed: int) -> pa.Array:
    """Identifiers of patients; they tell nothing about the register's."""
    return scrambled("P", number, seed * 104_729 + 5)


def record_numbers(number: Ints, seed: int) -> pa.Array:
    """Seven digits, no two alike."""
    step = 2 * 1_618_033 + 1  # odd and no multiple of five: one to one modulo ten million
    return fixed("", (number * step + seed * 7 + 1_234_567) % 10_000_000, 7)


def has_two_numbers(number: Ints, seed: int) -> Bools:
    """Who was registered twice."""
    return Stream(seed, "dirt").of(number).chance("mrn", TWO_NUMBERS)


def plan_of(number: Ints, seed: int) -> Ints:
    """The health plan of each patient, as a number into PLANS."""
    return Stream(seed, "patients").of(number).pick("plan", _PLAN_SUMS)


def phones(area_codes: pa.Array, lane: Lane) -> pa.Array:
    """Numbers with the exchange and lines that are kept for fiction: 555-0100 to 555-0199."""
    return joined("-", area_codes, fixed("555-01", lane.below("phone", 100), 2))


def social_numbers(lane: Lane) -> pa.Array:
    """Numbers whose area (9xx) is never issued."""
    area, group = fixed("9", lane.below("ssn/area", 100), 2), fixed("", lane.below("ssn/group", 99) + 1, 2)
    return joined("-", area, group, fixed("", lane.below("ssn/serial", 9999) + 1, 4))


def emails(lane: Lane, given: Ints, family: Ints) -> pa.Array:
    """Addresses under the reserved example domains."""
    names = load_names()
    local = joined(".", words(names.mail_givens, given), words(names.mail_families, family))
    host = words(pa.array(_MAIL), lane.below("mail/at", 3))
    return joined("", local, numbers(lane.below("mail", 90) + 10), "@", host)


def marital_of(patients: Patients, seed: int) -> Ints:
    """Marital status as a number into single, married, divorced, widowed."""
    lane, coupled = Stream(seed, "patients").of(patients.number), patients.people.coupled[patients.place]
    alone = (lane.unit("marital")[:, None] >= _ALONE[patients.band]).sum(axis=1)
    alone = np.where(alone > 0, alone + 1, 0)
    married = np.where(lane.chance("wed", 0.88), 1, 0)
    return np.where(coupled, married, np.where(patients.band == 0, 0, np.minimum(alone, 3)))


def recorded_birth(patients: Patients, seed: int, dirty: bool) -> Ints:
    """The birth date in the record: the true one, or 1 January where only the year was known."""
    if not dirty:
        return patients.birth
    guess = Stream(seed, "dirt").of(patients.number).chance("birth", NEW_YEAR)
    year = parts(patients.birth)[0]
    return np.where(guess, day_of(year, np.ones_like(year), np.ones_like(year)), patients.birth)


def _soil(columns: dict[str, pa.Array], lane: Lane) -> dict[str, pa.Array]:
    """Missing sex and zip, blanks behind names, cities in any case."""
    shout, whisper = lane.chance("city/upper", 0.12), lane.chance("city/lower", 0.04)
    city = where(whisper, pc.utf8_lower(columns["city"]), columns["city"])
    return columns | {
        "sex": where(lane.chance("sex", NO_SEX), "", columns["sex"]),
        "zip": where(lane.chance("zip", NO_ZIP), "", columns["zip"]),
        "family": where(lane.chance("blank", 0.02), joined("", columns["family"], " "), columns["family"]),
        "city": where(shout, pc.utf8_upper(columns["city"]), city),
    }


def clean_columns(patients: Patients, seed: int, home: str, dirty: bool) -> dict[str, pa.Array]:
    """What patients.csv and notes say of each patient; of the dirt only the guessed dates of birth."""
    people, place = patients.people, patients.place
    names, places, lane = load_names(), load_places(home), Stream(seed, "patients").of(patients.number)
    given, family, prefix, ending = (x[place] for x in (people.given, people.family, people.prefix, people.ending))
    state = places.state_of[prefix]
    return {
        "patient_id": patient_ids(patients.number, seed),
        "mrn": record_numbers(patients.number, seed),
        "given": words(names.givens, given),
        "family": words(names.families, family),
        "sex": words(pa.array(["M", "F"]), patients.female.astype(np.int64)),
        "birth_date": dates(recorded_birth(patients, seed, dirty)),
        "race": words(pa.array(RACES), people.race[place]),
        "marital": words(pa.array(_MARITAL), marital_of(patients, seed)),
        "street": joined(" ", numbers(people.house[place]), words(places.streets, people.street[place])),
        "city": words(places.cities, places.city(prefix, ending)),
        "state": words(places.states, state),
        "zip": zips(home, prefix, ending),
        "phone": phones(words(places.area_codes, state), lane),
        "email": emails(lane, given, family),
        "ssn": social_numbers(lane),
        "plan": words(pa.array(PLANS), plan_of(patients.number, seed)),
    }


def patients_table(
    patients: Patients, seed: int, home: str, dirty: bool, admitted: Ints, diagnosis: pa.Array, died: Ints
) -> pa.Table:
    """The rows of patients.csv."""
    columns = clean_columns(patients, seed, home, dirty)
    columns |= {"admitted": dates(admitted), "diagnosis": diagnosis, "died": dates(died)}
    return pa.table(_soil(columns, Stream(seed, "dirt").of(patients.number)) if dirty else columns)
