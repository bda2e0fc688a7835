"""Who lives with whom: couples of like age, children with their mother, grown children, people who share a home.

Ages and sexes are drawn first and stay as they are; households are matched from them inside a *quarter* of the town
(the people around 100 patients). So the mix of ages is exactly the one asked for, and a quarter never depends on how
large the town is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.hospital.draws import Bools, Floats, Ints, Lane

YEAR = 365.25
_AGES = np.array([18, 25, 45, 65, 80])
_COUPLED = np.array([0.0, 0.25, 0.78, 0.80, 0.76, 0.52])
_MEN_TO_WOMEN = np.array([1.0, 2 / 3, 2 / 3, 0.96, 0.96, 2 / 3])
_NEST = {"young": 0.60, "older": 0.22}
_SHARING, _SINGLE_MOTHER = 0.74, 0.35
TWINS = 0.0245  # of younger siblings; makes 1.2 % of births twin births


@dataclass(frozen=True)
class Households:
    """Places (row numbers in the block) of the head, the partner and the parents of each person; -1 = none."""

    head: Ints
    partner: Ints
    mother: Ints
    father: Ints
    birth: Ints


def _rank(quarter: Ints, key: Floats, chosen: Ints) -> Ints:
    """Rank of each chosen person inside the quarter, by key."""
    order = np.lexsort((key[chosen], quarter[chosen]))
    sorted_quarter = quarter[chosen][order]
    first = np.searchsorted(sorted_quarter, sorted_quarter, side="left")
    rank = np.empty(len(chosen), dtype=np.int64)
    rank[order] = np.arange(len(chosen)) - first
    return rank


def _couples(lane: Lane, quarter: Ints, age: Ints, birth: Ints, female: Bools, free: Bools) -> Ints:
    """Pair men and women of one quarter by rank of age; the partner of each, or -1."""
    step = np.searchsorted(_AGES, age, side="right")
    share = _COUPLED[step] * np.where(female, _MEN_TO_WOMEN[step], 1.0)
    wants = free & lane.chance("couple", share)
    key = birth + lane.normal("couple/age") * 1.2 * YEAR + np.where(female, 0.0, 2 * YEAR)
    men, women = np.flatnonzero(wants & ~female), np.flatnonzero(wants & female)
    partner = np.full(len(age), -1, dtype=np.int64)
    if len(men) == 0 or len(women) == 0:
        return partner
    man_rank, woman_rank = _rank(quarter, key, men), _rank(quarter, key, women)
    seats = np.full((quarter[-1] + 1, max(man_rank.max(), woman_rank.max()) + 1), -1, dtype=np.int64)
    seats[quarter[men], man_rank] = men
    husband = seats[quarter[women], woman_rank]
    matched = husband >= 0
    partner[women[matched]] = husband[matched]
    partner[husband[matched]] = women[matched]
    return partner


def _shared_homes(lane: Lane, quarter: Ints, birth: Ints, single: Bools, head: Ints) -> None:
    """Some who live without a partner share a home with the next one in age."""
    sharers = np.flatnonzero(single & lane.chance("share", _SHARING))
    rank = _rank(quarter, birth.astype(np.float64), sharers)
    order = np.lexsort((rank, quarter[sharers]))
    first, second = sharers[order[:-1]], sharers[order[1:]]
    pair = (rank[order[:-1]] % 2 == 0) & (quarter[first] == quarter[second])
    head[second[pair]] = first[pair]


def _mothers(lane: Lane, quarter: Ints, birth: Ints, young: Ints, women: Ints) -> Ints:
    """For each young person the woman of the quarter whose age fits best; -1 if none does."""
    wide = 200_000
    order = np.argsort(quarter[women] * wide + birth[women] + 100_000, kind="stable")
    women = women[order]
    keys = quarter[women] * wide + birth[women] + 100_000
    gap = np.clip(29.0 + 5.5 * lane.at(young).normal("mother"), 17.0, 44.0) * YEAR
    target = quarter[young] * wide + (birth[young] - gap).astype(np.int64) + 100_000
    older = np.clip(np.searchsorted(keys, target), 1, max(len(keys) - 1, 1))
    younger = older - 1
    nearest = np.where(np.abs(keys[younger] - target) <= np.abs(keys[older] - target), younger, older)
    mother = women[nearest]
    years = (birth[young] - birth[mother]) / YEAR
    return np.where((quarter[mother] == quarter[young]) & (years > 15) & (years < 48), mother, -1)


def _twins(lane: Lane, age: Ints, birth: Ints, mother: Ints) -> Ints:
    """Give some younger siblings the birth date of the next older one."""
    kids = np.flatnonzero(mother >= 0)
    kids = kids[np.lexsort((birth[kids], mother[kids]))]
    older, younger = kids[:-1], kids[1:]
    same = (mother[older] == mother[younger]) & ((age[older] < 18) == (age[younger] < 18))
    twin = same & lane.at(younger).chance("twin", TWINS)
    twin[1:] &= ~twin[:-1]
    changed = birth.copy()
    changed[younger[twin]] = birth[older[twin]]
    return changed


def form_households(lane: Lane, quarter: Ints, age: Ints, birth: Ints, female: Bools) -> Households:
    """Match the people of a block, quarter by quarter."""
    adult = age >= 18
    stays = np.where(age < 25, _NEST["young"], np.where(age < 31, _NEST["older"], 0.0))
    nest = adult & lane.chance("nest", stays)
    partner = _couples(lane, quarter, age, birth, female, adult & ~nest)
    head = np.arange(len(age))
    wife = (partner >= 0) & female
    head[wife] = partner[wife]
    single = adult & ~nest & (partner < 0)
    mothers = female & (age < 75) & (wife | (single & lane.chance("alone", _SINGLE_MOTHER)))
    _shared_homes(lane, quarter, birth, single & ~mothers, head)
    mother = np.full(len(age), -1, dtype=np.int64)
    young, women = np.flatnonzero(nest | ~adult), np.flatnonzero(mothers)
    if len(women) > 1 and len(young):
        mother[young] = _mothers(lane, quarter, birth, young, women)
        home = mother >= 0
        head[home] = head[mother[home]]
    father = np.where(mother >= 0, partner[mother], -1)
    lost = np.flatnonzero(~adult & (mother < 0))
    grown = np.flatnonzero(single)
    if len(lost) and len(grown):
        guardian = grown[np.clip(np.searchsorted(quarter[grown], quarter[lost]), 0, len(grown) - 1)]
        fits = quarter[guardian] == quarter[lost]
        head[lost[fits]] = head[guardian[fits]]
    return Households(head, partner, mother, father, _twins(lane, age, birth, mother))
