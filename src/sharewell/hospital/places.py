"""Where people live: a home prefix, its neighbours, the state, the country, and the prefixes too small to name.

Populations of three-digit zip areas are those of the 2020 Census. The last two digits, the city of a zip and the street
are invented: no zip code or address here is claimed to be real.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.errors import DataError
from sharewell.hospital.draws import Floats, Ints, Lane, Stream, cumulative, pick
from sharewell.io.shipped import shipped_rows

SMALL = 20_000
HOME, NEAR, STATE, COUNTRY = 0.67, 0.20, 0.09, 0.03  # the rest: one of the prefixes with 20,000 people or fewer
ZIPS_PER_PREFIX = 40

_TREES = "Maple Oak Cedar Elm Pine Walnut Chestnut Willow Birch Ash Spruce Linden Hickory Poplar Cherry"
_OTHERS = "Main Park Lake Hill River Mill Church School Spring Highland Forest Prospect Pleasant Meadow Ridge Valley"
_PEOPLE = "Washington Lincoln Jefferson Franklin Adams Jackson Madison Monroe Grant Harrison Warren Howard Winter"
_STEMS = f"{_TREES} {_OTHERS} {_PEOPLE}".split()
_WAYS = ("St", "Ave", "Rd", "Ln", "Dr", "Ct")
_STREETS = [f"{stem} {_WAYS[(place + turn) % 6]}" for turn in range(4) for place, stem in enumerate(_STEMS)]


@dataclass(frozen=True)
class Places:
    """The vocabularies of places and the shares of each."""

    prefixes: pa.Array
    states: pa.Array
    cities: pa.Array
    area_codes: pa.Array
    streets: pa.Array
    state_of: Ints
    groups: tuple[tuple[Ints, Floats], ...]
    city_sums: Floats
    city_first: Ints

    def prefix(self, lane: Lane) -> Ints:
        """A three-digit prefix each, as numbers into `prefixes`."""
        group = lane.pick("zip/group", np.cumsum([HOME, NEAR, STATE, COUNTRY, 1.0]))
        chosen = np.zeros(len(group), dtype=np.int64)
        for number, (members, sums) in enumerate(self.groups):
            mask = group == number
            chosen[mask] = members[lane.at(mask).pick("zip/prefix", sums)]
        return chosen

    def ending(self, lane: Lane) -> Ints:
        """The last two digits of a zip: 40 values, the first ones far more common."""
        return lane.pick("zip/ending", _ENDINGS)

    def city(self, prefix: Ints, ending: Ints) -> Ints:
        """The city of each zip: fixed for a zip, a larger place of the state more often."""
        unit = Stream(0, "city").of(prefix * 100 + ending).unit("city")
        state = self.state_of[prefix]
        return np.clip(pick(state + unit, self.city_sums), self.city_first[state], self.city_first[state + 1] - 1)


_ENDINGS = cumulative([1.0 / (rank + 1) ** 0.8 for rank in range(ZIPS_PER_PREFIX)])


def _groups(home: int, populations: Floats, state_of: Ints) -> tuple[tuple[Ints, Floats], ...]:
    """Home, the three nearest prefixes of the state, the rest of the state, the country, the small ones."""
    everyone = np.arange(len(populations))
    usable = populations > SMALL
    mates = everyone[usable & (state_of == state_of[home]) & (everyone != home)]
    near = mates[np.argsort(np.abs(mates - home), kind="stable")[:3]]
    rest = np.setdiff1d(mates, near)
    home_only = np.array([home])
    near = near if len(near) else home_only
    rest = rest if len(rest) else near
    small = everyone[~usable]
    weighted = [(group, cumulative(populations[group])) for group in (home_only, near, rest, everyone[usable])]
    return (*weighted, (small, cumulative(np.ones(len(small)))))


@lru_cache(maxsize=8)
def load_places(home_zip3: str) -> Places:
    """Read the shipped tables of places (once for each home prefix)."""
    people = list(shipped_rows("zip3_population_2020.csv"))
    ranges = list(shipped_rows("hospital/zip3_ranges.csv"))
    towns = list(shipped_rows("hospital/cities.csv"))
    prefixes = [row["zip3"] for row in people]
    populations = np.array([float(row["population_2020"]) for row in people])
    if home_zip3 not in prefixes or populations[prefixes.index(home_zip3)] <= SMALL:
        raise DataError("hospital: home_zip3 — not a prefix with more than 20,000 people — choose another, e.g. 021")
    states = [row["state"] for row in towns]
    within = (next(row["state"] for row in ranges if row["first"] <= zip3 <= row["last"]) for zip3 in prefixes)
    state_of = np.array([states.index(state) for state in within])
    cities, sums, first = [], [], [0]
    for number, row in enumerate(towns):
        pairs = [pair.rsplit(":", 1) for pair in row["cities"].split(";")]
        cities += [name for name, _ in pairs]
        sums.append(number + cumulative([float(size) for _, size in pairs]))
        first.append(len(cities))
    return Places(
        prefixes=pa.array(prefixes),
        states=pa.array(states),
        cities=pa.array(cities),
        area_codes=pa.array([row["area_code"] for row in towns]),
        streets=pa.array(_STREETS),
        state_of=state_of,
        groups=_groups(prefixes.index(home_zip3), populations, state_of),
        city_sums=np.concatenate(sums),
        city_first=np.array(first),
    )
