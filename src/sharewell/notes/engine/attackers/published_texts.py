"""The notes that an attack sees: published texts. Their persons serve to count successes only.

Where there are very many notes some are drawn, by the hash of their text or person: the same ones in any order of rows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.attack_simulation import SEED
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.protocols import Truth

MOST_NOTES = 20_000
"""Notes that are compared with each other, at most."""
_WORD = re.compile(r"[^\W_]+")
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class AttackedNotes:
    """Published texts; of each its person and its original, where they are known."""

    texts: Sequence[str] = field(repr=False)
    persons: Sequence[str] | None = field(default=None, repr=False)
    originals: Sequence[str] | None = field(default=None, repr=False)
    left_out: int = 0
    """Notes that were not drawn."""

    @classmethod
    def of(cls, released: Notes, truth: Truth[Notes] | None = None, most: int = MOST_NOTES) -> AttackedNotes:
        """Everything, or the notes of some persons where there are too many; a person's notes stay together."""
        persons = _persons(released, truth)
        rows = _drawn(released, persons, most)
        some = released if len(rows) == released.rows else released.take(rows)
        named = None if persons is None else [persons[i] for i in rows]
        originals = None if truth is None else list(truth.original.take(truth.rows[rows]).texts)
        return cls(list(some.texts), named, originals, released.rows - len(rows))

    @cached_property
    def person_codes(self) -> Ints | None:
        """Persons by number."""
        if self.persons is None:
            return None
        return np.asarray(np.unique(np.array(self.persons, dtype=object), return_inverse=True)[1], dtype=np.int64)

    def targets(self, most: int) -> Ints:
        """Notes that are attacked: all, or some by their hash."""
        if len(self.texts) <= most:
            return np.arange(len(self.texts))
        order = sorted(range(len(self.texts)), key=lambda i: (digest(self.texts[i]), i))
        return np.sort(np.array(order[:most], dtype=np.int64))


def _persons(released: Notes, truth: Truth[Notes] | None) -> Sequence[str] | None:
    if truth is None:
        return released.persons
    named = truth.original.persons
    return None if named is None else [named[row] for row in truth.rows.tolist()]


def _drawn(released: Notes, persons: Sequence[str] | None, most: int) -> Ints:
    if released.rows <= most:
        return np.arange(released.rows)
    if persons is None:
        hashes = np.array([digest(text) for text in released.texts], dtype=np.uint64)
        return np.sort(np.argsort(hashes, kind="stable")[:most])
    hashes = np.array([digest(person) for person in persons], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")[: most + 1]
    return np.sort(order[hashes[order] != hashes[order[-1]]])  # the last person's notes may be cut off


def digest(text: str) -> int:
    """A number that stands for a text, for drawing and seeds."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def generator(text: str) -> np.random.Generator:
    """Draws about a note that depend on its text alone."""
    return np.random.default_rng([SEED, digest(text)])


def words(text: str) -> list[str]:
    """The words of a text, case-folded, without accents."""
    return [match[0].casefold() for match in _WORD.finditer(plain(text))]
