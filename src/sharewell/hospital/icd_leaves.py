"""All leaves of ICD-10-CM, for the long tail of rare diagnoses, and which sex and age each one allows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sharewell.hierarchy.icd import ICD10CM
from sharewell.hospital.draws import Ints, Lane, Stream, cumulative, pick
from sharewell.io.shipped import shipped_rows

ANYONE, FEMALE_ONLY, MALE_ONLY, PREGNANCY, NEWBORN = range(5)
_FEMALE = re.compile(
    r"C5[1-8]|C50\..1|C79\.6|D06|D07\.[0-3]|D2[5-8]|D39|E28|E89\.4|F52\.22|F52\.31|F53|G43\.8[23]|I86\.3|L29\.2"
    r"|A18\.1[678]|A51\.42|A54\.24|A56\.11|B37\.3|N35\.(02|12|82|92)|N7|N8|N9[0-8]|R87|S37\.[4-6]|Z01\.4|Z87\.41"
)
_MALE = re.compile(
    r"C6[0-3]|C50\..2|D07\.[4-6]|D17\.6|D29|D40|E29|E89\.5|F52\.21|F52\.32|I86\.1|L29\.1|A18\.1[45]|A54\.2[23]"
    r"|A59\.02|A60\.0[12]|B38\.81|N35\.(01|11|81|91)|N4|N5[0-3]|R86|S31\.[23]|Z87\.43"
)
_PREGNANT = re.compile(r"O|Z3[1-79A]|Z64\.[01]")
_NEWBORN = re.compile(r"P|Z38|Z05|Z00\.11|R78\.81$")


@dataclass(frozen=True)
class Leaves:
    """The codes, the first one of each category, and the rule of each code."""

    codes: tuple[str, ...]
    first: Ints
    rule: Ints

    def draw(self, seed: int, lane: Lane, attempt: int) -> Ints:
        """A code each: the category by a heavy-tailed weight after a seeded shuffle, the leaf evenly within it."""
        categories = len(self.first) - 1
        shuffled = np.argsort(Stream(seed, "tail/shuffle").of(np.arange(categories)).unit("rank"), kind="stable")
        weights = cumulative(1.0 / (np.arange(categories) + 10.0))
        category = shuffled[pick(lane.unit(f"category/{attempt}"), weights)]
        low, high = self.first[category], self.first[category + 1]
        return low + lane.below(f"leaf/{attempt}", high - low)


def _rule(code: str) -> int:
    for rule, pattern in ((PREGNANCY, _PREGNANT), (NEWBORN, _NEWBORN), (FEMALE_ONLY, _FEMALE), (MALE_ONLY, _MALE)):
        if pattern.match(code):
            return rule
    return ANYONE


def _all_leaves() -> list[str]:
    """Every code without codes below it; in the order of the tree those would follow at once."""
    codes = ICD10CM().codes()
    return [code for code, following in zip(codes, (*codes[1:], ""), strict=True) if not following.startswith(code)]


@lru_cache(maxsize=1)
def load_leaves() -> Leaves:
    """Read the shipped codes (once), without those that the table of common diagnoses draws itself."""
    common = {row["code"] for row in shipped_rows("hospital/diagnoses.csv")}
    codes = [code for code in _all_leaves() if code not in common]
    heads = [code[:3] for code in codes]
    first = [place for place, head in enumerate(heads) if place == 0 or head != heads[place - 1]]
    return Leaves(tuple(codes), np.array([*first, len(codes)]), np.array([_rule(code) for code in codes]))
