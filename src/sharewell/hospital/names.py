"""Names of people: surnames as common as in the 2010 Census, given names that fit the year of birth, and hard cases.

A name is a number into a vocabulary until a row is written. Three families in a hundred are also words or eponyms
(Brown, May, Parkinson) and four carry what the Census list has stripped: O'Neil, Smith-Jones, Muñoz, van der Berg.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from sharewell.hospital.draws import Bools, Floats, Ints, Lane, cumulative, pick
from sharewell.io.shipped import shipped_rows, shipped_text

FIRST_YEAR, LAST_YEAR = 1900, 2060
AMBIGUOUS, MARKED = 0.03, 0.04


def _proper(name: str) -> str:
    """MCDONALD as McDonald, SMITH as Smith."""
    plain = name.capitalize()
    return f"Mc{plain[2:].capitalize()}" if plain.startswith("Mc") and len(plain) > 4 else plain


def plain_letters(name: str) -> str:
    """A name as it stands in an e-mail address: a-z only."""
    bare = unicodedata.normalize("NFKD", name.lower().translate(str.maketrans("øłđß", "olds")))
    return "".join(letter for letter in bare if "a" <= letter <= "z")


@dataclass(frozen=True)
class Names:
    """The vocabularies and how often each entry is drawn."""

    families: pa.Array
    givens: pa.Array
    mail_families: pa.Array
    mail_givens: pa.Array
    family_sums: Floats
    ambiguous: Ints
    marked: Ints
    given_sums: dict[str, Floats]
    given_index: dict[str, Ints]

    def family(self, lane: Lane) -> Ints:
        """A family name each, as numbers into `families`."""
        chosen = lane.pick("family", self.family_sums)
        kind = lane.unit("family/kind")
        chosen = np.where(kind < AMBIGUOUS, self.ambiguous[lane.below("family/word", len(self.ambiguous))], chosen)
        is_marked = (kind >= AMBIGUOUS) & (kind < AMBIGUOUS + MARKED)
        return np.where(is_marked, self.marked[lane.below("family/mark", len(self.marked))], chosen)

    def given(self, lane: Lane, female: Bools, year: Ints) -> Ints:
        """A given name each, as numbers into `givens`, after the fashion of the birth year."""
        unit, row = lane.unit("given"), np.clip(year, FIRST_YEAR, LAST_YEAR) - FIRST_YEAR
        chosen = np.empty(len(unit), dtype=np.int64)
        for sex, mask in (("F", female), ("M", ~female)):
            width = len(self.given_index[sex])
            place = pick(row[mask] + unit[mask], self.given_sums[sex]) - row[mask] * width
            chosen[mask] = self.given_index[sex][np.clip(place, 0, width - 1)]
        return chosen


def _marked_names(common: list[str]) -> list[str]:
    """Names with an apostrophe, an accent or a particle, and double names of two common ones."""
    double = [f"{common[i]}-{common[(i * 7 + 3) % 120]}" for i in range(0, 120, 2) if i != (i * 7 + 3) % 120]
    return [*shipped_text("hospital/marked_surnames.txt").splitlines(), *double]


def _given() -> tuple[list[str], dict[str, Floats], dict[str, Ints]]:
    rows = list(shipped_rows("names/given.csv"))
    years = np.arange(FIRST_YEAR, LAST_YEAR + 1)[:, None]
    sums: dict[str, Floats] = {}
    index: dict[str, Ints] = {}
    for sex in "FM":
        places = [place for place, row in enumerate(rows) if row["sex"] == sex]
        peak = np.array([float(rows[place]["peak_year"]) for place in places])
        weight = np.array([float(rows[place]["weight"]) for place in places])
        fashion = weight * np.exp(-np.abs(years - peak) / 25.0)
        share = np.cumsum(fashion / fashion.sum(axis=1, keepdims=True), axis=1)
        share[:, -1] = 1.0
        sums[sex] = np.asarray((share + np.arange(len(years), dtype=np.float64)[:, None]).ravel())
        index[sex] = np.array(places)
    return [row["name"] for row in rows], sums, index


@lru_cache(maxsize=1)
def load_names() -> Names:
    """Read the shipped name tables (once)."""
    census = list(shipped_rows("names/surnames_2010.csv.gz"))
    ambiguous = shipped_rows("names/ambiguous_surnames.csv.gz")
    hard = [row["surname"] for row in ambiguous if "eponym" in row["why"] or int(row["word_level"] or 99) <= 35]
    families = [_proper(row["surname"]) for row in census]
    place = {row["surname"]: number for number, row in enumerate(census)}
    extra = [name for name in hard if name not in place]
    place |= {name: len(families) + number for number, name in enumerate(extra)}
    families += [_proper(name) for name in extra]
    marked = _marked_names(families[:120])
    first_marked = len(families)
    families += marked
    givens, sums, index = _given()
    return Names(
        families=pa.array(families),
        givens=pa.array(givens),
        mail_families=pa.array(map(plain_letters, families)),
        mail_givens=pa.array(map(plain_letters, givens)),
        family_sums=cumulative([float(row["count"]) for row in census]),
        ambiguous=np.array([place[name] for name in hard]),
        marked=np.arange(first_marked, len(families)),
        given_sums=sums,
        given_index=index,
    )
