"""Concept-match: only stop words and the terms of a vocabulary are kept in a note; everything else is masked.

## Guarantee
concepts-only holds. Nothing has to be found for it: a name that no detector knows is masked like any other word.

## Adversary
As of `concepts-only`.

## What it does not protect
What the terms themselves tell. A note of rare terms may still be recognised by somebody who knows the case.

## Parameters
vocabulary: a table with the columns `term` and `code`; without it the shipped vocabulary.
codes: write the code of a term behind it, in square brackets (default: true).

## Worked example
>>> from sharewell.notes import Notes
>>> from sharewell.notes.criteria.concepts_only import ConceptsOnly
>>> notes = Notes.of(["Mr. Delgado (MRN 00412) has asthma and takes metoprolol since 3 May."])
>>> ConceptMatch().protect(notes, [ConceptsOnly()]).data.texts[0]
'***. *** (***) has asthma [J45] and *** metoprolol since *** May.'

## Why it is safe
It keeps what is listed rather than removing what is found. A run of masked words leaves one mask, so that their number
is not shown either. Signs other than punctuation are masked with the words.

## Cost
O(words).

## Source
Berman, 2003 (concept-match).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sharewell.io.sources import Source
from sharewell.notes.criteria.concepts_only import unlisted_words
from sharewell.notes.engine.protection.person_by_person import NoteMechanism
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, RewrittenNote, apply_edits
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.vocabulary import Concepts, concepts_of
from sharewell.parameters import Declared

MASK = "***"
_SIGN = re.compile(r"[^\w\s.,;:!?()/'\"-]|_")
"""What is neither a word nor plain punctuation."""
_BETWEEN = re.compile(r"[^\w\n.;:!?()]*")
"""What two masked words may have between them and still leave one mask."""


@dataclass(frozen=True)
class ConceptMatch(Declared, NoteMechanism):
    """Only stop words and terms of a vocabulary are left."""

    vocabulary: Source | None = None
    codes: bool = True

    name: ClassVar[str] = "concept-match"

    @cached_property
    def _concepts(self) -> Concepts:
        return concepts_of(self.vocabulary)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        return [apply_edits(text, self._edits(Text.of(text))) for text in texts]

    def _edits(self, text: Text) -> Iterator[Edit]:
        words = [(*place, MASK) for place in unlisted_words(text, self._concepts)]
        signs = [(match.start(), match.end(), MASK) for match in _SIGN.finditer(text)]
        terms = self._concepts.vocabulary.find(text)
        for start, end in _joined(text, sorted([*words, *signs])):
            yield Edit(start, end, "OTHER", MASK)
        if self.codes:
            yield from (
                Edit(t.end, t.end, "OTHER", f" [{code}]") for t in terms if (code := self._concepts.code(t.term))
            )


def _joined(text: str, pieces: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Neighbouring pieces with nothing kept between them are one."""
    begin = end = -1
    for start, stop, _ in pieces:
        if begin >= 0 and _BETWEEN.fullmatch(text, end, start):
            end = stop
            continue
        if begin >= 0:
            yield begin, end
        begin, end = start, stop
    if begin >= 0:
        yield begin, end
