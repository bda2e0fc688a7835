"""Rare words: an attacker who knows a few words of somebody's note looks for the notes that contain them.

## Guarantee
None; a measurement. The value is how often m words of a note, drawn at random, occur together in notes of one person
only. The details count the persons who have a word that nobody else has.

## Adversary
Knows m words of a target's note (heard at the bedside, read on a screen) and that the note is in the release; names the
target if all notes that hold these words are of one person.

## What it does not protect
Words are drawn at random. An attacker who remembers the odd ones ("tracheobronchopathia") does better: the share of
persons with a word of their own tells how much. Numbers and words of fewer than four letters are not counted as known.

## Parameters
m: how many words are known. Notes with fewer are left out and counted.
draws: how often m words are drawn for each note.
most: at most so many notes are searched; where there are more, those of some persons drawn by hash. Among fewer notes
words are rarer, so that the figures are then too high rather than too low.

## Worked example
>>> from sharewell.notes import Notes, RareWords
>>> notes = Notes.of(["gout since childhood", "gout since childhood", "gout after surgery"], persons=["a", "b", "c"])
>>> result = RareWords(m=1).mount(notes)
>>> round(result.details.own_word, 3), 0.15 < result.value < 0.35
(0.333, True)

## Why it is safe
It reads texts and returns numbers only. With the truth the words are drawn from the originals, as an attacker knows
them: a word that was replaced does not help, and a surrogate is not known to anybody. The same attack on the originals
tells what was gained. Without it the words are drawn from the published notes.

## Cost
O(words) to index them; for up to 2,000 notes `draws` intersections of short lists.

## Source
Our own; in the manner of Loukides, Denny and Malin, JAMIA 2010 (uniqueness of patients by some of their codes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from sharewell.attack_simulation import NOT_SIMULATED, TARGETS
from sharewell.findings import Finding
from sharewell.notes.data import Notes
from sharewell.notes.engine.attackers.published_texts import MOST_NOTES, AttackedNotes, Ints, generator, words
from sharewell.parameters import Count, Declared
from sharewell.protocols import Attack, Truth

_SHORTEST = 4


@dataclass(frozen=True)
class RareWordsDetails:
    """How telling words are, in the release and in the originals."""

    persons: int
    notes: int
    targets: int
    too_short: int
    """Notes with fewer than m words."""
    not_drawn: int
    """Notes that were left out, there being very many."""
    m: int
    own_word: float
    """Share of persons with a word that is in nobody else's notes; with the truth, one that is true."""
    found_nowhere: float
    """Share of draws whose words no note holds together."""
    in_originals: float | None
    own_word_in_originals: float | None


@dataclass(frozen=True)
class RareWords(Declared, Attack[Notes]):
    """How often m words single out a person."""

    m: Count = 3
    draws: Count = 10
    most: Count = MOST_NOTES

    name: ClassVar[str] = "rare-words"

    def mount(self, released: Notes, truth: Truth[Notes] | None = None) -> Finding:
        attacked = AttackedNotes.of(released, truth, self.most)
        person_codes = attacked.person_codes if attacked.person_codes is not None else np.arange(len(attacked.texts))
        published_words = [memorable_words(text) for text in attacked.texts]
        known = (
            published_words if attacked.originals is None else [memorable_words(text) for text in attacked.originals]
        )
        targets = [int(i) for i in attacked.targets(TARGETS) if len(known[i]) >= self.m]
        if not targets:
            return Finding(self.name, None, unit="probability", note="no note has enough words")
        drawn = [self._drawn(known[i], (attacked.originals or attacked.texts)[i]) for i in targets]
        index = _Index(published_words, person_codes)
        verdicts = index.singled_out(targets, drawn)
        before = None
        if attacked.originals is not None:
            before = _Index(known, person_codes)
        details = RareWordsDetails(
            len(np.unique(person_codes)),
            len(published_words),
            len(targets),
            min(TARGETS, len(published_words)) - len(targets),
            attacked.left_out,
            self.m,
            index.own_word(known),
            float((verdicts < 0).mean()),
            None if before is None else float((before.singled_out(targets, drawn) == 1).mean()),
            None if before is None else before.own_word(known),
        )
        note = "" if truth is not None else NOT_SIMULATED
        return Finding(self.name, float((verdicts == 1).mean()), unit="probability", details=details, note=note)

    def _drawn(self, known: frozenset[str], text: str) -> list[list[str]]:
        rng, listed = generator(text), sorted(known)
        return [[listed[i] for i in rng.choice(len(listed), self.m, replace=False)] for _ in range(self.draws)]


def memorable_words(text: str) -> frozenset[str]:
    """The words that an attacker might remember."""
    return frozenset(word for word in words(text) if len(word) >= _SHORTEST and word.isalpha())


class _Index:
    """Which notes hold a word, and whose they are."""

    def __init__(self, notes: Sequence[frozenset[str]], person_codes: Ints) -> None:
        self._notes, self._person_codes = notes, person_codes
        listed: dict[str, list[int]] = {}
        for row, note_words in enumerate(notes):
            for word in note_words:
                listed.setdefault(word, []).append(row)
        self._rows = {word: np.array(rows, dtype=np.int64) for word, rows in listed.items()}

    def singled_out(self, targets: Sequence[int], drawn: Sequence[Sequence[Sequence[str]]]) -> Ints:
        """For each draw: 1 if the words are in the target's notes alone, 0 if in others' too, −1 if in none at all."""
        verdicts = []
        for target, draws in zip(targets, drawn, strict=True):
            for known in draws:
                rows = self._holding(known)
                people = np.unique(self._person_codes[rows])
                alone = len(people) == 1 and people[0] == self._person_codes[target]
                verdicts.append(-1 if not len(rows) else int(alone))
        return np.array(verdicts, dtype=np.int64)

    def own_word(self, known: Sequence[frozenset[str]]) -> float:
        """The share of persons with a word of their own, among the words that are known of them."""
        codes = self._person_codes
        unique_words = {word for word, rows in self._rows.items() if (codes[rows] == codes[rows[0]]).all()}
        persons_with = {int(codes[i]) for i, note in enumerate(self._notes) if unique_words & note & known[i]}
        return len(persons_with) / max(1, len(np.unique(codes)))

    def _holding(self, known: Sequence[str]) -> Ints:
        lists = sorted((self._rows.get(word, np.empty(0, np.int64)) for word in known), key=len)
        return reduce(lambda a, b: np.intersect1d(a, b, assume_unique=True), lists)
