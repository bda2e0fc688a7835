"""Visits: few people come often. Dates, kinds, lengths of stay, deaths, and the codes written down each time.

The count of visits is 1 + a negative binomial whose mean grows with the number of chronic conditions. Codes go missing
between visits, as in life: a chronic code is written down with probability 0.55, and at least once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.hospital.calendar import Window, weekday
from sharewell.hospital.columns import NEVER
from sharewell.hospital.draws import Bools, Floats, Ints, Lane, Stream, cumulative, negative_binomial_sums
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import Chosen

KINDS = ("clinic", "emergency", "inpatient", "ICU", "telephone")
CLINIC, EMERGENCY, INPATIENT, ICU, TELEPHONE = range(5)
MOST_VISITS, MOST_CODES = 500, 8
Rare = tuple[Ints, Ints]  # place of the patient, number of the code
_SEVERE = ("A41.9", "I21.4", "I63.9", "S72.001A")
_DEADLY = ("C34.90", "I50.9", "K74.60", "N18.6")
_DEATHS = np.array([0.001, 0.001, 0.009, 0.03, 0.09])
_PLAIN, _GRAVE = cumulative([62, 17, 13, 2, 6]), cumulative([62, 17, 39, 6, 6])
_COUNTS = [negative_binomial_sums(1.2 * np.exp(0.28 * chronic), 0.8, MOST_VISITS - 1) for chronic in range(11)]
_WRITTEN, _AT_FIRST, _READMITTED = 0.55, 0.75, 0.14


@dataclass(frozen=True)
class Written:
    """The codes written down: which visit, which code, at which position (0 = the reason)."""

    visit: Ints
    code: Ints
    position: Ints


@dataclass(frozen=True)
class Visits:
    """A block of visits in the order of patients and dates; `who` is a place in the block of patients."""

    who: Ints
    turn: Ints
    first: Ints
    count: Ints
    kind: Ints
    day: Ints
    end: Ints
    reason: Ints
    died: Ints
    written: Written

    def __len__(self) -> int:
        return len(self.who)


def death_days(chosen: Chosen, seed: int, window: Window, holds: Bools) -> Ints:
    """The day each patient dies in the window, or NEVER."""
    lane, catalogue = Stream(seed, "deaths").of(chosen.number), load_catalogue()
    deadly = holds[:, [catalogue.number(code) for code in _DEADLY]].any(axis=1)
    chance = _DEATHS[chosen.band] * np.where(deadly, 3.0, 1.0)
    died = np.full(len(chosen), NEVER, dtype=np.int64)
    for year in range(window.years - 1, -1, -1):
        day = window.first + np.floor((year + lane.unit(f"day/{year}")) * 365.25).astype(np.int64)
        day = np.clip(day, np.maximum(window.first, chosen.birth) + 1, window.last)
        died = np.where(lane.chance(f"year/{year}", chance), day, died)
    return np.where(chosen.birth >= window.last, NEVER, died)


def _counts(lane: Lane, chronic: Ints, share: Floats) -> Ints:
    """Visits of each patient; fewer for those who were there for a part of the window."""
    chronic = np.minimum(chronic, 10)
    more = np.zeros(len(chronic), dtype=np.int64)
    for level in range(11):
        mask = chronic == level
        more[mask] = lane.at(mask).pick("count", _COUNTS[level])
    return np.asarray(1 + np.floor(more * share + lane.unit("count/round")).astype(np.int64)).clip(1, MOST_VISITS)


def _days(lane: Lane, each: Lane, who: Ints, count: Ints, low: Ints, high: Ints) -> Ints:
    """Exponential gaps, scaled to the days on which the patient could come."""
    gaps = each.exponential("gap")
    sums = np.cumsum(gaps)
    last = np.cumsum(count) - 1
    before = np.concatenate(([0.0], sums[last][:-1]))
    total = sums[last] - before + lane.exponential("gap/last")
    share = (sums - before[who]) / total[who]
    return low[who] + np.floor(share * (high - low + 1)[who]).astype(np.int64)


def _rows(chosen: Chosen, seed: int, holds: Bools, tail: Rare, count: Ints) -> tuple[Ints, Ints, Ints, Lane]:
    """Every (patient, code): who, code, the first turn it may be written down."""
    who, code = np.nonzero(holds)
    who, code = np.concatenate((who, tail[0])), np.concatenate((code, tail[1]))
    order = np.lexsort((code, who))
    who, code = who[order], code[order]
    lane = Stream(seed, "coding").of(chosen.number[who]).deeper(code)
    early = _chronic(code) & lane.chance("early", _AT_FIRST)
    return who, code, np.where(early, 0, lane.below("turn", count[who])), lane


def _chronic(code: Ints) -> Bools:
    table = load_catalogue().chronic
    return np.asarray((code < len(table)) & table[np.minimum(code, len(table) - 1)])


def _one_diabetes(chosen: Chosen, seed: int, who: Ints, code: Ints, turn: Ints) -> Bools:
    """True for the second and later E11 codes of the old at visits that keep to one of them (60 %)."""
    e11 = np.isin(code, load_catalogue().starts("E11"))
    later = np.zeros(len(code), dtype=np.bool_)
    later[1:] = e11[1:] & e11[:-1] & (who[1:] == who[:-1])
    keep = Stream(seed, "coding/E11").of(chosen.number[who]).deeper(turn).chance("keep", 0.6)
    return np.asarray(later & keep & (chosen.age[who] >= 65))


def _write(chosen: Chosen, seed: int, holds: Bools, tail: Rare, count: Ints) -> Written:
    """Spread the codes of each patient over the visits."""
    first = np.cumsum(count) - count
    who, code, start, lane = _rows(chosen, seed, holds, tail, count)
    times = count[who]
    row = np.repeat(np.arange(len(who)), times)
    turn = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    fresh = turn == start[row]
    possible = fresh | (_chronic(code)[row] & (turn > start[row]))
    row, turn, fresh = row[possible], turn[possible], fresh[possible]
    each = lane.at(row).deeper(turn)
    single = _one_diabetes(chosen, seed, who[row], code[row], turn)
    noted = fresh | (each.chance("noted", _WRITTEN) & ~single)
    score = each.unit("score") + np.where(noted, 2.0, 0.0) + np.where(fresh & ~_chronic(code[row]), 1.0, 0.0)
    visit = first[who[row]] + turn
    order = np.lexsort((-score, visit))
    visit, kept = visit[order], noted[order]
    position = np.arange(len(visit)) - np.searchsorted(visit, visit, side="left")
    use = ((position == 0) | kept) & (position < MOST_CODES)
    visit, found = visit[use], code[row][order][use]
    empty = np.setdiff1d(np.arange(count.sum()), visit, assume_unique=False)
    child = chosen.age[np.repeat(np.arange(len(count)), count)[empty]] < 18
    visit = np.concatenate((visit, empty))
    found = np.concatenate((found, len(load_catalogue().codes) + child.astype(np.int64)))
    order = np.argsort(visit, kind="stable")
    visit, found = visit[order], found[order]
    return Written(visit, found, np.arange(len(visit)) - np.searchsorted(visit, visit, side="left"))


def _kinds(each: Lane, reason: Ints) -> Ints:
    severe = np.isin(reason, [load_catalogue().number(code) for code in _SEVERE])
    return np.where(severe, each.pick("kind", _GRAVE), each.pick("kind", _PLAIN))


def _readmissions(each: Lane, who: Ints, kind: Ints, day: Ints, stay: Ints) -> Ints:
    """After some stays the next visit comes within 30 days."""
    again = (kind[:-1] >= INPATIENT) & (kind[:-1] <= ICU) & (who[:-1] == who[1:])
    again &= each.chance("again", _READMITTED)[:-1]
    soon = day[:-1] + stay[:-1] + 1 + each.below("again/days", 29)[:-1]
    changed = day.copy()
    changed[1:] = np.where(again, np.minimum(day[1:], soon), day[1:])
    return changed


def _no_weekend(kind: Ints, day: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Clinics are held on weekdays: move to Monday, else to Friday, else it was an emergency."""
    late = np.maximum(weekday(day) - 4, 0) * (kind == CLINIC)
    monday, friday = day + (3 - late), day - late
    moved = np.where(late == 0, day, np.where(monday <= high, monday, friday))
    stuck = moved < low
    return np.where(stuck, EMERGENCY, kind), np.where(stuck, day, moved)


def make_visits(chosen: Chosen, seed: int, window: Window, holds: Bools, tail: Rare) -> Visits:
    """All visits of a block of patients, with their codes."""
    lane, died = Stream(seed, "visits").of(chosen.number), death_days(chosen, seed, window, holds)
    low = np.minimum(np.maximum(chosen.birth, window.first), window.last)
    high = np.where(died == NEVER, window.last, died)
    share = (high - low + 1) / (window.last - window.first + 1)
    count = _counts(lane, holds[:, load_catalogue().chronic].sum(axis=1), share)
    first = np.cumsum(count) - count
    who = np.repeat(np.arange(len(chosen)), count)
    turn = np.arange(len(who)) - first[who]
    each = lane.at(who).deeper(turn)
    written = _write(chosen, seed, holds, tail, count)
    kind = _kinds(each, written.code[written.position == 0])
    median = np.where(kind == ICU, 4.0, 3.0)
    stay = np.maximum(np.rint(median * np.exp(0.8 * each.normal("stay"))), 1).astype(np.int64)
    stay = np.where((kind == INPATIENT) | (kind == ICU), stay, 0)
    day = _readmissions(each, who, kind, _days(lane, each, who, count, low, high), stay)
    kind, day = _no_weekend(kind, day, low[who], high[who])
    order = np.lexsort((turn, day, who))
    kind, day, stay = kind[order], day[order], stay[order]
    limit = high[who]
    limit[:-1] = np.where(who[:-1] == who[1:], np.minimum(limit[:-1], day[1:]), limit[:-1])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    moved = np.lexsort((written.position, place[written.visit]))
    written = Written(place[written.visit][moved], written.code[moved], written.position[moved])
    reason = written.code[written.position == 0]
    return Visits(who, turn, first, count, kind, day, np.minimum(day + stay, limit), reason, died, written)
