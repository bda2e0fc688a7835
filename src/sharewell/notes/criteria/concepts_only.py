"""Concepts only: a note contains nothing but stop words and terms of a vocabulary.

## Guarantee
Every word of every published note is a stop word, part of a term of the vocabulary, or one of its codes. Whatever is
not in these lists, such as a name, a date, a number, an address or a misspelling, is not there, whoever would have
overlooked it.

## Adversary
Reads the notes; knows the vocabulary.

## What it does not protect
The terms that are kept: a rare disease identifies, and three common ones together may. A person whose name is a stop
word (Will, May) or a term keeps it, as a word.

## Parameters
vocabulary: a table with the columns `term` and `code`; without it the shipped vocabulary.

## Worked example
>>> from sharewell.notes import Notes
>>> rule = ConceptsOnly()
>>> print(rule.check(Notes.of(["She has *** with metoprolol."])))
concepts-only = 0 words (≤ 0: holds)
>>> print(rule.check(Notes.of(["Rosa has metoprolol 50."])))
concepts-only = 2 words (≤ 0: FAILS)

## Why it is safe
The text is split into words anew, and every word is looked up. Words are runs of letters and digits of any script.

## Cost
O(words).

## Source
Berman, 2003 (concept-match).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sharewell.findings import Finding, Sense
from sharewell.io.sources import Source
from sharewell.notes.data import Notes
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.vocabulary import Concepts, concepts_of
from sharewell.notes.engine.word_lists import CONTRACTIONS, STOP_WORDS
from sharewell.parameters import Declared
from sharewell.protocols import Criterion


@dataclass(frozen=True)
class ConceptsOnly(Declared, Criterion[Notes]):
    """No word that is neither a stop word nor of the vocabulary."""

    vocabulary: Source | None = None

    name: ClassVar[str] = "concepts-only"
    unit: ClassVar[str] = "note"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0

    @cached_property
    def _concepts(self) -> Concepts:
        return concepts_of(self.vocabulary)

    def check(self, data: Notes) -> Finding:
        """How many words are neither."""
        others = sum(len(unlisted_words(text, self._concepts)) for text in data.texts)
        return Finding.judge(self.name, others, self.sense, self.bound, unit="words")


def unlisted_words(text: str, concepts: Concepts) -> list[tuple[int, int]]:
    """Where words stand that are neither stop words nor of the vocabulary.

    A code counts as listed where it stands in brackets behind a term, as the mechanism writes it.
    """
    text = Text.of(text)
    terms = concepts.vocabulary.find(text)
    listed = {offset for term in terms for offset in range(term.start, term.end)}
    spans = []
    for token in text.tokens:
        word = plain(token.lower)
        if token.start in listed or word in STOP_WORDS or word in CONTRACTIONS:
            continue
        if word in concepts.coded and _in_brackets(text, token.start, token.end):
            continue
        spans.append((token.start, token.end))
    return spans


def _in_brackets(text: str, start: int, end: int) -> bool:
    """Is it of a short piece in square brackets?"""
    opening, closing = text.rfind("[", max(0, start - 12), start), text.find("]", end, end + 12)
    return opening >= 0 and closing >= 0 and "]" not in text[opening:start] and "[" not in text[end:closing]
