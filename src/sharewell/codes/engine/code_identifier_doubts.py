"""Do persons have the same identifiers in two releases of codes? What speaks against it, as far as their records show.

- Fewer than half of the persons of the smaller release are in the other one. They may be newcomers, or renumbered.
- The records of one identifier fit each other no better than those of strangers. A label fits a record that has a label
  which may stand for one of the same codes. The share of labels that fit the other record of their person is compared
  with the share expected if the identifiers of one release were dealt out at random, from the release with less detail
  or from the one with more, whichever fits better: codes may be suppressed in one of them, and people get new ones.

A sign makes the result undecided, and the policy can claim that identifiers were kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.joined_sets import LinkedSets
from sharewell.people_evidence import FEWEST_PERSONS, LEAST_AGREEMENT, LEAST_TELLING, identifier_doubts


def code_identifier_doubts(datasets: Sequence[LinkedSets]) -> list[str]:
    """What speaks against names that mean the same person in two files, for each pair that does not claim it."""
    return identifier_doubts(datasets, _are_strangers, "codes with one identifier look like those of strangers")


def _are_strangers(one: LinkedSets, other: LinkedSets, ours: Ints, theirs: Ints) -> bool:
    reached = agreement(one.data, other.data, ours, theirs)
    return reached is not None and reached < LEAST_AGREEMENT


def agreement(one: CodeSets, other: CodeSets, ours: Ints, theirs: Ints) -> float | None:
    """How much better records of one identifier fit than those of strangers: 0 as these, 1 throughout; None: unknown.

    ours, theirs: the number of each record's person. Persons with several records in a release are left out.
    """
    common = np.intersect1d(_once(ours), _once(theirs))
    if len(common) < FEWEST_PERSONS:
        return None
    rows = np.argsort(ours, kind="stable")[np.searchsorted(np.sort(ours), common)]
    other_rows = np.argsort(theirs, kind="stable")[np.searchsorted(np.sort(theirs), common)]
    first, second = one.take(rows.astype(np.intp)), other.take(other_rows.astype(np.intp))
    return max((share for share in (_fit(first, second), _fit(second, first)) if share is not None), default=None)


def _once(persons: Ints) -> Ints:
    distinct, counts = np.unique(persons, return_counts=True)
    return np.asarray(distinct[counts == 1])


def _fit(one: CodeSets, other: CodeSets) -> float | None:
    """Record i of both has one identifier."""
    holders = other.atoms.sets.transposed(other.atoms.count)
    held = one.sets.transposed(len(one.names))
    more = most = 0.0
    for label, codes in enumerate(one.members):
        atoms = {other.atoms.of_code[code] for code in codes if code in other.atoms.of_code}
        fits = np.zeros(other.records, dtype=bool)
        for atom in atoms:
            fits[holders.row(atom)] = True
        chance = float(fits.mean())
        if 1 - chance > LEAST_TELLING:
            persons = held.row(label)
            more += float(fits[persons].sum()) - chance * len(persons)
            most += (1 - chance) * len(persons)
    return more / most if most else None
