"""A score for every record by the codes that an attacker knows of a person, and whether one record stands out.

A record scores the weight of each known code that it may hold: 1 / ln(1 + published support). Where visits are
published in their order, a code that stands about where the attacker remembers it scores up to twice that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.attackers.known_codes import KnownCodes
from sharewell.codes.engine.visits import Visits
from sharewell.protocols import Truth

_DIGITS = 9
"""Scores that agree so far are equal: sums must not depend on an order."""


@dataclass(frozen=True)
class Guess:
    """What an attacker makes of the scores."""

    made: bool
    chance: float
    """That the claimed record is the target's; 0 without a claim."""
    best: bool
    """Is the target's record among the best?"""


@dataclass(frozen=True, eq=False)
class _FirstVisits:
    """In which of a record's visits, from 0, each of its codes comes first."""

    width: int
    keys: Ints
    """record · width + code, rising."""
    rank: Ints

    @classmethod
    def of(cls, visits: Visits, codes: int) -> _FirstVisits:
        begins = np.append(True, np.diff(visits.owner) != 0)[: len(visits.owner)]  # those of one record stand together
        places = np.arange(len(visits.owner))
        rank = (places - np.maximum.accumulate(np.where(begins, places, 0)))[visits.sets.row_of]
        keys = visits.owner[visits.sets.row_of] * codes + visits.sets.items
        order = np.lexsort((rank, keys))
        new = np.append(True, np.diff(keys[order]) > 0)[: len(order)]
        return cls(codes, keys[order][new], rank[order][new])

    def at(self, records: Ints, code: int) -> NDArray[np.float64]:
        """NaN where a record has the code in no visit."""
        if not len(self.keys):
            return np.full(len(records), np.nan)
        wanted = records * self.width + code
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, self.rank[place], np.nan)


@dataclass(frozen=True, eq=False)
class Scoreboard:
    """The records of a release, by what they may hold."""

    released: CodeSets
    own: Sets
    """The codes that each published record's person really has, or may have, by `names`."""
    names: tuple[str, ...]
    holders: Sets
    """The records that may hold each atom."""
    off: float
    shown_when: _FirstVisits | None
    truly_when: _FirstVisits | None
    rows: Ints
    """The original record of each published one."""

    @classmethod
    def of(cls, released: CodeSets, truth: Truth[CodeSets] | None, off: float) -> Scoreboard:
        atoms = released.atoms
        rows = np.arange(released.records) if truth is None else np.asarray(truth.rows, dtype=np.int64)
        shown = truly = None
        if truth is None:
            names = released.codes
            number = {name: i for i, name in enumerate(names)}
            own = released.sets.composed_with(Sets.of([[number[code] for code in codes] for codes in released.members]))
        else:
            names, own = truth.original.names, truth.original.sets.take(rows)
            one_label = atoms.sets is released.sets  # then atoms are labels
            if released.visits is not None and truth.original.visits is not None and one_label:
                shown = _FirstVisits.of(released.visits, atoms.count)
                truly = _FirstVisits.of(truth.original.visits, len(names))
        return cls(released, own, names, atoms.sets.transposed(atoms.count), off, shown, truly, rows)

    @property
    def by_order(self) -> bool:
        return self.shown_when is not None

    def work_of(self, known: KnownCodes, targets: Ints) -> int:
        """How many scores are added up for these targets."""
        sets = known.sets.take(targets)
        number = np.array([self.released.atoms.of_code.get(name, -1) for name in known.names], dtype=np.int64)
        atoms = number[sets.items]
        return int(self.holders.lengths[atoms[atoms >= 0]].sum())

    def claim(self, known: KnownCodes, number: int, wrong: int, eccentricity: float, rng: np.random.Generator) -> Guess:
        """The record that stands out by the codes known of one target, and by wrong ones drawn for it."""
        target = int(known.target[number])
        records, scores = self.scores([*known.codes(number), *self._wrong(target, wrong, rng)], target)
        count = self.released.records
        if not len(records):
            return Guess(False, 0.0, False)
        top = scores.max()
        best = records[scores == top]
        second = top if len(best) > 1 else scores[scores < top].max(initial=0.0)
        mean = scores.sum() / count
        deviation = np.sqrt(max(0.0, float((scores**2).sum() / count - mean**2)))
        differ = len(best) < count  # and not by a deviation above 0: rounding may leave one where all scores are equal
        made = bool(differ and (top - second) >= eccentricity * deviation - 10.0**-_DIGITS)
        among = bool((best == target).any())
        return Guess(made, float(among) / len(best) if made else 0.0, among)

    def scores(self, codes: list[str], target: int) -> tuple[Ints, NDArray[np.float64]]:
        """(records, scores) of those that score at all."""
        touched, added = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
        for code in sorted(codes):
            atom = self.released.atoms.of_code.get(code, -1)
            if atom < 0:
                continue
            holders = self.holders.row(atom).astype(np.int64)
            weight = 1 / np.log(1 + max(1, len(holders)))
            touched.append(holders)
            added.append(np.full(len(holders), weight) * (1 + self._closeness(holders, code, atom, target)))
        records, place = np.unique(np.concatenate(touched), return_inverse=True)
        total = np.bincount(place, weights=np.concatenate(added), minlength=len(records)).astype(np.float64)
        return records, np.round(total, _DIGITS)

    def _closeness(self, holders: Ints, code: str, atom: int, target: int) -> NDArray[np.float64]:
        """From 1, in the same visit, down to 0, far from it; 0 where the order of visits says nothing."""
        if self.shown_when is None or self.truly_when is None or code not in self._number:
            return np.zeros(len(holders))
        row = np.array([self.rows[target]])
        [remembered] = self.truly_when.at(row, self._number[code])
        gap = np.abs(self.shown_when.at(holders, atom) - remembered)
        return np.asarray(np.nan_to_num(np.exp(-gap / self.off), nan=0.0))

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _wrong(self, target: int, wrong: int, rng: np.random.Generator) -> list[str]:
        """Codes that the target does not have."""
        others = np.setdiff1d(np.arange(len(self.names)), self.own.row(target))
        return [self.names[i] for i in rng.permutation(others)[:wrong]] if wrong else []
