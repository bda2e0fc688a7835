"""Note linkage: an attacker links the notes of one patient by the rare words that they share.

## Guarantee
None; a measurement. The value is how often the most similar other note is by the same patient, over all notes whose
patient has another one.

## Adversary
Reads all published notes and compares them with each other: the similarity of two notes is the cosine of their TF-IDF
vectors, so that what two notes alone share (a surrogate, a tag's letters, an odd turn of phrase) weighs most. Picks the
most similar one; among equals, one of them at random.

## What it does not protect
Linked notes are not yet a named person, but they gather what single notes tell. An attacker who knows how clinicians
write, or who follows dates and courses of illness, links more than this says. **Surrogates that stay the same within a
patient link that patient's notes by design**; a release that must not be linkable has to draw them note by note.

## Parameters
common: words that stand in more than this share of the notes are ignored.
most: at most so many notes are compared; where there are more, those of some patients drawn by hash.

## Worked example
Four notes of two patients. Published with a surrogate that stays the same, they are linked as before.

>>> from sharewell.notes import NoteLinkage, Notes
>>> texts = ["Delgado has gout", "Delgado has a cough", "May has asthma", "a cough again in May"]
>>> result = NoteLinkage(common=1).mount(Notes.of(texts, persons=["p1", "p1", "p2", "p2"]))
>>> result.value, round(result.details.by_chance, 3)
(0.5, 0.333)

## Why it is safe
It reads texts and returns numbers only. Persons count successes and take no part in the search. The baseline is a pick
at random. With the truth the originals are attacked too, so that the two can be compared. Where nobody says whose the
notes are, nothing can be counted.

## Cost
A sparse product of the words of up to 2,000 notes with those of all that are compared.

## Source
Salton and Buckley, Term-weighting approaches in automatic text retrieval, 1988. The attack is our own reading of the
linkage of reports of one patient.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from sharewell.attack_simulation import TARGETS
from sharewell.extras import package
from sharewell.findings import Finding
from sharewell.notes.data import Notes
from sharewell.notes.engine.attackers.published_texts import MOST_NOTES, AttackedNotes, Ints, words
from sharewell.parameters import Declared
from sharewell.protocols import Attack, Truth

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_PIECE = 200


@dataclass(frozen=True)
class NoteLinkageDetails:
    """How many notes could be linked, and how many were."""

    notes: int
    not_drawn: int
    """Notes that were left out, there being very many."""
    targets: int
    """Notes whose patient has another one."""
    linked_right: float
    by_chance: float
    """The same by a pick at random."""
    shares_nothing: float
    """Share of the targets that share no word with another note."""
    in_originals: float | None
    """The same attack on the originals."""


@dataclass(frozen=True)
class NoteLinkage(Declared, Attack[Notes]):
    """How often the most similar note is by the same patient."""

    common: Annotated[float, Interval(gt=0, le=1)] = 0.1
    most: Annotated[int, Ge(2)] = MOST_NOTES

    name: ClassVar[str] = "note-linkage"
    packages: ClassVar[tuple[str, ...]] = ("scipy",)

    def mount(self, released: Notes, truth: Truth[Notes] | None = None) -> Finding:
        attacked = AttackedNotes.of(released, truth, self.most)
        codes = attacked.person_codes
        if codes is None:
            return Finding(self.name, None, unit="share", note="nothing identifies the persons of these notes")
        sizes = np.bincount(codes, minlength=1)[codes] if len(codes) else codes
        targets = np.array([i for i in attacked.targets(TARGETS) if sizes[i] > 1], dtype=np.int64)
        if not len(targets):
            return Finding(self.name, None, unit="share", note="nobody has two notes")
        chances, alone = self._links(attacked.texts, codes, targets)
        before = (
            None if attacked.originals is None else float(self._links(attacked.originals, codes, targets)[0].mean())
        )
        details = NoteLinkageDetails(
            len(attacked.texts),
            attacked.left_out,
            len(targets),
            float(chances.mean()),
            float(((sizes[targets] - 1) / (len(codes) - 1)).mean()),
            float(alone.mean()),
            before,
        )
        return Finding(self.name, details.linked_right, unit="share", details=details)

    def _links(self, texts: Sequence[str], codes: Ints, targets: Ints) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """For each target the chance that its most similar note is by the same patient; is there none at all?"""
        vectors = tfidf_vectors(texts, self.common)
        chances, alone = np.zeros(len(targets)), np.zeros(len(targets), dtype=bool)
        for start in range(0, len(targets), _PIECE):
            batch = targets[start : start + _PIECE]
            similarity = np.asarray((vectors[batch] @ vectors.T).todense())
            similarity[np.arange(len(batch)), batch] = -1
            similarity = similarity.round(9)  # equal texts are equally near, whatever the order of a sum
            top = similarity.max(axis=1, keepdims=True)
            best = (similarity == top) & (similarity >= 0)
            same = codes[None, :] == codes[batch][:, None]
            chances[start : start + len(batch)] = (best & same).sum(axis=1) / best.sum(axis=1)
            alone[start : start + len(batch)] = top[:, 0] <= 0
        return chances, alone


def tfidf_vectors(texts: Sequence[str], common: float) -> csr_matrix:
    """TF-IDF vectors of length 1, one a row, of words that stand in two notes or more and are not common."""
    sparse = package("scipy.sparse", "note-linkage")
    counts = [Counter(words(text)) for text in texts]
    note_counts = Counter(word for of_note in counts for word in of_note)
    limit = max(2, common * len(texts))
    number = {
        word: column
        for column, word in enumerate(sorted(word for word, notes in note_counts.items() if 2 <= notes <= limit))
    }
    rows, columns, values = [], [], []
    for row, of_note in enumerate(counts):
        for word, times in of_note.items():
            if word in number:
                rows.append(row)
                columns.append(number[word])
                values.append((1 + np.log(times)) * np.log((1 + len(texts)) / note_counts[word]))
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(len(texts), max(1, len(number))), dtype=np.float64)
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ matrix
