"""Invented employers, schools and agencies, and the staff of the hospital: what notes mention besides the patient."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sharewell.hospital.draws import Dice, Ints, Stream
from sharewell.hospital.names import load_names, plain_letters
from sharewell.io.shipped import shipped_rows

CLINICIANS, NURSES, PRACTITIONERS = 60, 120, 40
EMPLOYERS = [
    "Harbor Freight Packing",
    "Blue Kettle Foods",
    "Tallis Paper Co",
    "Merrow Tool & Die",
    "Northline Transit",
    "Fenwick Glass",
    "Quarry Hill Quilts",
    "Osprey Air Cargo",
    "Larkin Bros Dairy",
    "Sable Point Insurance",
    "Green Gable Nursery",
    "Pellworth Mills",
]
SCHOOLS = [
    "Maple Ridge Elementary",
    "Whitcomb School",
    "Lakeview Elementary",
    "Old Mill Academy",
    "Cedar Grove School",
    "St Brendan School",
    "Harriet Cole Elementary",
    "Riverbend Primary",
]
AGENCIES = [
    "Open Door Services",
    "Bayline Elder Care",
    "Safe Harbor Housing",
    "Bridge Street Family Services",
    "Stepping Stone",
]
PHARMACIES = ["Corner Drug", "Alder Pharmacy", "Main Street Apothecary", "Wellspring Pharmacy", "Harbor Rx"]
LABORATORIES = ["Cobalt Diagnostics", "Northgate Labs", "Pinnacle Reference Lab", "Tessera Genetics"]
TRANSPORT = ["SwiftRide Medical", "Blue Door Transport", "Kindly Van Co", "MetroLift"]
PLACES = [
    "Niagara Falls",
    "the Grand Canyon",
    "Cape Cod",
    "Yellowstone",
    "the Golden Gate Bridge",
    "Mount Rushmore",
    "Key West",
    "Lake Tahoe",
    "Graceland",
    "the Outer Banks",
]
ROADS = [
    "Route 9",
    "I-95",
    "Old Post Rd",
    "Route 128",
    "County Rd 12",
    "Turnpike St",
    "Mill Pond Rd",
    "US 1",
    "Ferry Rd",
    "Quarry Ln",
]
DEPARTMENTS = [
    "Cardiology",
    "Neurology",
    "Endocrinology",
    "Rheumatology",
    "Gastroenterology",
    "Medical Genetics",
    "Pulmonary",
]
JOBS = [
    "a bus driver",
    "a cashier",
    "a nurse's aide",
    "an accountant",
    "a line cook",
    "a welder",
    "a teacher",
    "a beekeeper",
    "a harbour pilot",
    "a bell founder",
    "a lighthouse keeper",
    "a piano tuner",
]
LANGUAGES = [
    "Spanish",
    "Portuguese",
    "Haitian Creole",
    "Vietnamese",
    "Mandarin",
    "Russian",
    "Amharic",
    "Khmer",
    "Nepali",
    "Sorani",
    "Tigrinya",
    "Basque",
]
HOSPITAL, CLINIC = "Saltmarsh General Hospital", "Saltmarsh Family Clinic"
HELP = ("General", "Memorial", "Community Hospital", "Medical Center", "Regional")
LAY = {
    "hypertension": "high blood pressure",
    "hyperlipidaemia": "high cholesterol",
    "type 2 diabetes": "T2DM",
    "coronary disease": "CAD",
    "heart failure": "CHF",
    "atrial fibrillation": "afib",
    "ischaemic stroke": "CVA",
    "COPD": "emphysema",
    "reflux": "GERD",
    "urinary tract infection": "UTI",
    "chronic kidney disease stage 3": "CKD 3",
    "end-stage renal disease": "ESRD on HD",
    "knee osteoarthritis": "bad knees",
    "prostatic hyperplasia": "BPH",
    "low back pain": "LBP",
    "anaemia": "low blood count",
}


@dataclass(frozen=True)
class Person:
    """A name in a note who is not the patient."""

    given: str
    family: str

    @property
    def last_first(self) -> str:
        """SMITH, Ann"""
        return f"{self.family.upper()}, {self.given}"

    @property
    def full(self) -> str:
        """Given and family name."""
        return f"{self.given} {self.family}"


@dataclass(frozen=True)
class Staff:
    """Everybody who works at the hospital, and the general practitioners around it."""

    clinicians: tuple[Person, ...]
    nurses: tuple[Person, ...]
    practitioners: tuple[Person, ...]


def _people(seed: int, group: str, count: int) -> tuple[Person, ...]:
    names, lane = load_names(), Stream(seed, f"staff/{group}").of(np.arange(count))
    female = lane.chance("sex", 0.85 if group == "nurses" else 0.45)
    family, given = names.family(lane), names.given(lane, female, 1955 + lane.below("born", 40))
    return tuple(
        Person(names.givens[int(first)].as_py(), names.families[int(last)].as_py())
        for first, last in zip(given, family, strict=True)
    )


@lru_cache(maxsize=4)
def load_staff(seed: int) -> Staff:
    """The staff of a hospital, the same for all of its notes."""
    return Staff(
        _people(seed, "clinicians", CLINICIANS),
        _people(seed, "nurses", NURSES),
        _people(seed, "practitioners", PRACTITIONERS),
    )


@dataclass(frozen=True)
class Strangers:
    """Names to draw from in plain Python: relatives, teachers, landlords."""

    families: tuple[str, ...]
    girls: tuple[str, ...]
    boys: tuple[str, ...]

    def person(self, dice: Dice, female: bool | None = None, family: str | None = None) -> Person:
        """Somebody."""
        girl = dice.chance(0.5) if female is None else female
        return Person(dice.of(self.girls if girl else self.boys), family or dice.of(self.families))


@lru_cache(maxsize=4)
def load_strangers(seed: int) -> Strangers:
    """A pool of 2,000 family names, as common as in the Census, and all given names by their weight."""
    names = load_names()
    drawn: Ints = names.family(Stream(seed, "strangers").of(np.arange(2_000)))
    pools: dict[str, list[str]] = {"F": [], "M": []}
    for row in shipped_rows("names/given.csv"):
        pools[row["sex"]] += [row["name"]] * max(int(float(row["weight"])) // 4, 1)
    families = tuple(names.families[int(number)].as_py() for number in drawn)
    return Strangers(families, tuple(pools["F"]), tuple(pools["M"]))


@lru_cache(maxsize=1)
def load_brands() -> dict[str, str]:
    """Generic name → brand name, where there is one."""
    return {row["drug"]: row["brand"] for row in shipped_rows("hospital/brands.csv")}


def mail(person: Person) -> str:
    """The part of an address before the @."""
    return f"{plain_letters(person.given)}.{plain_letters(person.family)}"
