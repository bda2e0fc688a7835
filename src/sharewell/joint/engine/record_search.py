"""The search for one record by what is known of a person: the class, some codes and some values of the DNA.

Draws use a fixed seed, and persons in the order of their content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.attack_simulation import NOT_SIMULATED, SEED, TARGETS, Simulated
from sharewell.findings import Finding

if TYPE_CHECKING:
    from sharewell.codes import CodeSets
    from sharewell.joint.data import RTData
    from sharewell.joint.engine.snp_cells import SnpCells

Ints = NDArray[np.int64]
_SEARCHES = 4_000
"""At most this many are made."""


@dataclass(frozen=True)
class RecordSearchDetails:
    """How many records fit what was known."""

    records: int
    persons: int
    """Of whom something was known."""
    left_out: int
    """Persons with too few codes."""
    searches: int
    snps: int
    unique: float
    """Share of searches that leave one record."""
    below_k: float
    k: int
    simulated: Simulated | None


@dataclass(frozen=True, eq=False)
class RecordSearch:
    """What is published, and what is known."""

    released: RTData
    codes: CodeSets
    """As published, with labels of their own in every class."""
    known: CodeSets
    """Codes of each person that the attacker may know; the labels above stand for them."""
    dna: SnpCells
    """What the attacker may know of it."""
    how_many: int | None
    """Codes; None: all."""
    snps: int

    def finding(self, name: str, draws: int, k: int, simulated: bool) -> Finding:
        """The mean probability of picking the right record."""
        least = 1 if self.how_many is None else self.how_many
        able = (self.known.sets.lengths >= least) & (self.released.class_of_row >= 0)
        order = np.argsort(self.released.content_rank, kind="stable")
        some = order[able[order]]
        if not len(some):
            return Finding(name, None, unit="probability", note="nobody has enough codes")
        targets = some[np.unique(np.linspace(0, len(some) - 1, min(TARGETS, len(some))).astype(np.intp))]
        rng = np.random.default_rng(SEED)
        times = max(1, min(draws, _SEARCHES // len(targets)))
        support, right = [], []
        for target in np.repeat(targets, times).tolist():
            fits = self.fits(target, rng)
            support.append(len(fits))
            right.append(bool(len(fits)) and fits[int(rng.random() * len(fits))] == target)
        counts = np.array(support, dtype=np.int64)
        chances = np.where(counts > 0, 1 / np.maximum(counts, 1), 0.0)
        details = RecordSearchDetails(
            self.released.rows,
            len(targets),
            int((~able).sum()),
            len(counts),
            self.snps,
            float((counts == 1).mean()),
            float(((counts > 0) & (counts < k)).mean()),
            k,
            Simulated.of(np.array(right, dtype=bool), chances) if simulated else None,
        )
        note = "" if simulated else NOT_SIMULATED
        return Finding(name, float(chances.mean()), unit="probability", details=details, note=note)

    def fits(self, target: int, rng: np.random.Generator) -> Ints:
        """The records that may hold some drawn codes of the target, and show the same cells at drawn places of the DNA.

        A wider cell that could hold the value does not fit: cells are widened where a value is rare, which an attacker
        may know.
        """
        own = self.known.sets.row(target)
        if self.how_many is not None:
            own = own[rng.permutation(len(own))[: self.how_many]]
        fits = np.asarray(self.codes.atoms.holding([self.known.names[i] for i in own]), dtype=np.int64)
        shown = self.released.dna
        assert shown is not None
        published = np.flatnonzero(self.dna.sets[target] != self.dna.full)
        places = published[rng.permutation(len(published))[: self.snps]]
        for place in places.tolist():
            fits = fits[shown.sets[fits, place] == shown.sets[target, place]]
        return fits
