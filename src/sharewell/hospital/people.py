"""The register of the town: everybody, patients included. It is what an attacker may know.

The mix of ages is solved so that choosing patients by age (the old are patients more often) gives the patient mix of
`BANDS`; see `register_mix`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.hospital.calendar import Window, ages, parts
from sharewell.hospital.columns import dates, fixed, joined, numbers, scrambled, words
from sharewell.hospital.draws import Bools, Floats, Ints, Lane, Stream, cumulative
from sharewell.hospital.households import YEAR, Households, form_households
from sharewell.hospital.names import load_names
from sharewell.hospital.places import load_places

QUARTER = 100  # patients in a quarter of the town; households never reach beyond it
BANDS = np.array([0, 18, 45, 65, 80])
SHARES = np.array([0.15, 0.29, 0.27, 0.20, 0.09])
FEMALE = np.array([0.48, 0.60, 0.51, 0.51, 0.60])
WEIGHTS = np.array([0.7, 0.75, 1.0, 1.6, 2.2])
RACES = ("White", "Black", "Hispanic", "Asian", "Other", "Unknown")
_RACE_SUMS = cumulative([58, 16, 15, 6, 4, 1])
_CHILD_SUMS = cumulative([2.0] + [1.0] * 17)
_SAME_RACE, _WIFE_NAME, _CHILD_NAME, _SHARER_NAME = 0.85, 0.82, 0.94, 0.25


def band_of(age: Ints) -> Ints:
    """The age band (0-17, 18-44, 45-64, 65-79, 80+) as a number."""
    return np.asarray(np.searchsorted(BANDS, age, side="right") - 1)


@lru_cache(maxsize=32)
def register_mix(factor: int) -> tuple[float, ...]:
    """Shares of the age bands in the register, so that one patient in `factor` people, chosen by weight, gives SHARES.

    A patient is chosen among `factor` people with probability w / sum of w; its mean is the integral over t of
    w exp(-w t) (sum of shares times exp(-w t)) ** (factor - 1).
    """
    points, rate = np.polynomial.laguerre.laggauss(60)
    mix = SHARES.copy()
    for _ in range(200):
        decay = np.exp(-np.outer(WEIGHTS, points))
        chosen = (WEIGHTS[:, None] * decay * (mix @ decay) ** (factor - 1) * np.exp(points) * rate).sum(axis=1)
        mix = SHARES / chosen
        mix = mix / mix.sum()
    return tuple(float(share) for share in mix)


@dataclass(frozen=True)
class People:
    """A block of the register; every field has one entry a person, `mother` and `father` are places in the block."""

    number: Ints
    female: Bools
    birth: Ints
    age: Ints
    race: Ints
    family: Ints
    former: Ints
    given: Ints
    coupled: Bools
    head: Ints
    mother: Ints
    father: Ints
    prefix: Ints
    ending: Ints
    house: Ints
    street: Ints
    voter: Bools

    def __len__(self) -> int:
        return len(self.number)


def _ages(lane: Lane, band: Ints) -> Floats:
    """Age with its fraction of a year."""
    low = BANDS[band].astype(np.float64)
    width = np.array([18.0, 27.0, 20.0, 15.0, 0.0])[band]
    years = low + lane.unit("age") * width
    child = lane.pick("age/child", _CHILD_SUMS) + lane.unit("age/fraction")
    old = np.minimum(80.0 + 5.5 * lane.exponential("age/old"), 105.9)
    return np.where(band == 0, child, np.where(band == 4, old, years))


def _heritage(lane: Lane, homes: Households, female: Bools) -> tuple[Ints, Ints, Ints]:
    """Race, family name and the family name before marriage."""
    race, birth_name = lane.pick("race", _RACE_SUMS), load_names().family(lane)
    wife = (homes.partner >= 0) & female
    race = np.where(wife & lane.chance("race/same", _SAME_RACE), race[homes.partner], race)
    race = np.where(homes.mother >= 0, race[homes.mother], race)
    share = np.where(wife, _WIFE_NAME, np.where(homes.mother >= 0, _CHILD_NAME, _SHARER_NAME))
    family = np.where(lane.chance("family/shared", share), birth_name[homes.head], birth_name)
    return race, family, birth_name


def draw_people(seed: int, factor: int, home: str, window: Window, first_quarter: int, quarters: int) -> People:
    """The people of some quarters of the town, patients and others."""
    size = QUARTER * factor
    number = np.arange(first_quarter * size, (first_quarter + quarters) * size, dtype=np.int64)
    lane = Stream(seed, f"register/{factor}").of(number)
    band = lane.pick("band", cumulative(register_mix(factor)))
    female = lane.chance("sex", FEMALE[band])
    birth = window.last - np.floor(_ages(lane, band) * YEAR).astype(np.int64)
    quarter = np.repeat(np.arange(quarters), size)
    homes = form_households(lane, quarter, ages(birth, window.last), birth, female)
    birth = homes.birth
    age = ages(birth, window.last)
    race, family, former = _heritage(lane, homes, female)
    places, address = load_places(home), lane.at(homes.head)
    turnout = 0.45 + 0.35 * np.clip((age - 18) / 57.0, 0.0, 1.0)
    return People(
        number=number,
        female=female,
        birth=birth,
        age=age,
        race=race,
        family=family,
        former=former,
        given=load_names().given(lane, female, parts(birth)[0]),
        coupled=homes.partner >= 0,
        head=homes.head,
        mother=homes.mother,
        father=homes.father,
        prefix=places.prefix(address),
        ending=places.ending(address),
        house=1 + np.floor(1_900.0 * address.unit("house") ** 2).astype(np.int64),
        street=address.below("street", len(places.streets)),
        voter=(age >= 18) & lane.chance("voter", turnout),
    )


def person_ids(people: People, seed: int) -> pa.Array:
    """Identifiers of the register; they never stand in a patient table."""
    return scrambled("R", people.number, seed * 7919 + 11)


def zips(home: str, prefix: Ints, ending: Ints) -> pa.Array:
    """Five digits. The ending is spread over 00-99 so that zips of one prefix do not look numbered."""
    spread = (ending * 37 + prefix * 11 + 8) % 100
    return joined("", words(load_places(home).prefixes, prefix), fixed("", spread, 2))


def register_table(people: People, seed: int, home: str) -> pa.Table:
    """The rows of register.csv."""
    names, places = load_names(), load_places(home)
    return pa.table(
        {
            "person_id": person_ids(people, seed),
            "given": words(names.givens, people.given),
            "family": words(names.families, people.family),
            "sex": words(pa.array(["M", "F"]), people.female.astype(np.int64)),
            "birth_date": dates(people.birth),
            "race": words(pa.array(RACES), people.race),
            "street": joined(" ", numbers(people.house), words(places.streets, people.street)),
            "city": words(places.cities, places.city(people.prefix, people.ending)),
            "state": words(places.states, places.state_of[people.prefix]),
            "zip": zips(home, people.prefix, people.ending),
            "voter": numbers(people.voter),
        }
    )
