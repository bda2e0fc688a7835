"""The sequences of one release, grouped by what other releases show of the same persons.

A group holds the persons who are in the same releases and of whom each of these shows the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.iupac_lattice import ANY, Codes
from sharewell.people_evidence import (
    FEWEST_PERSONS,
    LEAST_AGREEMENT,
    LEAST_TELLING,
    NotComparable,
    PeopleEvidence,
    identifier_doubts,
    joined_places,
)
from sharewell.spelling import fold

Ints = NDArray[np.int64]
MOST_ROWS = 5_000_000
COMPARED = 200
"""Persons whose sequences are compared with those of strangers."""


@dataclass(frozen=True)
class LinkedSequences:
    """One published dataset of sequences, and whose each of them is."""

    title: str
    data: Sequences = field(repr=False)
    people: PeopleEvidence | None = field(repr=False)
    files: frozenset[int] = frozenset()
    same_identifiers: bool = False
    """Does the policy claim that a person has the same identifier in all files?"""


@dataclass(frozen=True, eq=False)
class JoinedSequences:
    """The rows of the own dataset, each with its group."""

    own: Sequences
    group: Ints
    unchanged: NDArray[np.bool_]
    """Has the row the same label in all releases, or is one missing?"""

    @property
    def sizes(self) -> Ints:
        return np.bincount(self.group).astype(np.int64)

    def labels(self) -> Iterator[Ints]:
        """How many labels each group shows, of all its persons and of those whose label has not changed."""
        if self.own.labels is None:
            yield np.zeros(len(self.sizes), dtype=np.int64)
            return
        labels = self.own.label_codes
        for rows in (np.ones(len(labels), dtype=bool), self.unchanged):
            known = rows & (labels >= 0)
            pairs = np.unique(np.stack([self.group[known], labels[known]]), axis=1)
            distinct = np.bincount(pairs[0], minlength=len(self.sizes)).astype(np.int64)
            yield distinct[np.bincount(self.group[rows], minlength=len(self.sizes)) > 0]


def joined_sequences(own: LinkedSequences, others: Sequence[LinkedSequences]) -> JoinedSequences:
    """NotComparable if nobody can say which rows belong together. A person has one sequence in each release."""
    parts = joined_places(own, own.data.rows, others, MOST_ROWS)
    places = np.concatenate([np.zeros((0, 1 + len(others)), np.int64), *parts])
    if len(places) != own.data.rows:
        raise NotComparable(f"{own.title} — a person has several sequences in another release")
    places = places[np.argsort(places[:, 0], kind="stable")]
    datasets = [own.data, *(other.data for other in others)]
    beside = list(zip(datasets, places.T, strict=True))
    shown = [np.where(place >= 0, np.append(data.groups, 0)[place], -1) for data, place in beside]
    _, group = np.unique(np.stack(shown, axis=1), axis=0, return_inverse=True)
    unchanged = np.ones(own.data.rows, dtype=bool)
    for data, place in beside[1:]:
        for row, there in enumerate(place.tolist()):
            ours, theirs = _label(own.data, row), _label(data, there)
            unchanged[row] &= not ours or not theirs or ours == theirs
    return JoinedSequences(own.data, group.reshape(-1).astype(np.int64), unchanged)


def _label(data: Sequences, row: int) -> str:
    """As it is compared; empty: there is none."""
    label = None if data.labels is None or row < 0 else data.labels[row]
    return fold(label) if label else ""


def sequence_identifier_doubts(datasets: Sequence[LinkedSequences]) -> list[str]:
    """What speaks against names that mean the same person in two files, for each pair that does not claim it."""
    return identifier_doubts(datasets, _are_strangers, "sequences with one identifier look like those of strangers")


def _are_strangers(one: LinkedSequences, other: LinkedSequences, ours: Ints, theirs: Ints) -> bool:
    reached = agreement(one.data, other.data, ours, theirs)
    return reached is not None and reached < LEAST_AGREEMENT


def agreement(one: Sequences, other: Sequences, ours: Ints, theirs: Ints) -> float | None:
    """How much oftener sequences of one identifier can be one than those of strangers: 0 as these, 1 always.

    None: nobody can tell. Sequences of two lengths are of two regions, or were aligned differently.
    """
    common, first, second = np.intersect1d(ours, theirs, return_indices=True)
    if len(common) < FEWEST_PERSONS or one.codes.shape[1] != other.codes.shape[1]:
        return None
    some = np.unique(np.linspace(0, len(common) - 1, min(len(common), COMPARED)).astype(np.intp))
    fits = _may_be_one(one.codes[first[some]], other.codes[second[some]])
    observed, chance = float(fits.diagonal().mean()), float(fits.mean())
    return (observed - chance) / (1 - chance) if 1 - chance > LEAST_TELLING else None


def _may_be_one(first: Codes, second: Codes) -> NDArray[np.bool_]:
    """For each pair of sequences: does every place leave a common base, or is one of them N?"""
    result = np.ones((len(first), len(second)), dtype=bool)
    for row, codes in enumerate(first):
        same = (codes & second) != 0
        result[row] = (same | (codes == ANY) | (second == ANY)).all(axis=1)
    return result
