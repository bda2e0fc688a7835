"""t-plausibility: words of an ontology are replaced by more general ones, until each note could be one of t texts.

## Guarantee
t-plausible holds for every published note: a note that cannot be made to (too few words, too small an ontology) is
withheld and counted. Within a person, a word is generalised to the same label in all notes, so that two notes
together tell no more than one of them.

## Adversary
As of `t-plausible`.

## What it does not protect
Everything that the ontology does not list. Run it on notes from which names, dates and numbers are gone.

## Parameters
t, tree, variant, prior: as of `t-plausible`.

## Worked example
>>> from sharewell.hierarchy import Tree
>>> from sharewell.notes import Notes
>>> from sharewell.notes.criteria.t_plausible import TPlausible
>>> tree = Tree([["tuberculosis", "infection", "*"], ["HIV", "infection", "*"], ["Ohio", "state", "*"],
...              ["Maine", "state", "*"], ["Iowa", "state", "*"]])
>>> notes = Notes.of(["From Ohio, treated for tuberculosis."])
>>> [TPlausibility(t, tree).protect(notes, [TPlausible(t, tree)]).data.texts[0] for t in (2, 3, 6)]
['From Ohio, treated for infection.', 'From state, treated for tuberculosis.', 'From state, treated for infection.']

## Why it is safe
What a note is worth is counted by the criterion in the text that would be published, not in the plan for it; where two
words meet in one label, which then counts once, words are generalised further until it holds.

## Cost
Of a note with m different words, each with up to h labels above it: O(m · h · t) for the uniform variant, by dynamic
programming over products below t. Of all choices whose product reaches t it takes the least product, and of those the
most even one. The expected variant works on products rounded to nine digits; beyond 20,000 of them those nearest to t
are followed, and the least product is no longer certain.

## Source
Jiang, Murugesan, Clifton and Si, 2009 (t-plausibility). That notes of one person agree is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import ClassVar, Literal

from sharewell.hierarchy.chains import ROOT
from sharewell.hierarchy.tree import Tree
from sharewell.io.sources import Source
from sharewell.notes.criteria.t_plausible import MASK, Ontology, ontology
from sharewell.notes.engine.protection.person_by_person import NoteMechanism
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, RewrittenNote, apply_edits
from sharewell.parameters import Count, Declared

_STATES = 20_000
"""Products that are followed at once."""
_States = dict[int | float, tuple[float, tuple[int, ...]]]
"""Product → how uneven it is, and how far up each word."""
Chosen = dict[str, int]
"""Word of the ontology → how many steps above it the label is."""


@dataclass(frozen=True)
class TPlausibility(Declared, NoteMechanism):
    """As few steps up the ontology as make t texts plausible."""

    t: Count
    tree: Source | Tree
    variant: Literal["uniform", "expected"] = "uniform"
    prior: Source | None = None

    name: ClassVar[str] = "t-plausibility"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.variant == "expected") != (self.prior is not None):
            raise ValueError("prior goes with variant: expected, and the other way round")

    @cached_property
    def _ontology(self) -> Ontology:
        return ontology(self.tree, self.prior)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        """All notes of a person, with one label for each word."""
        onto = self._ontology
        words = [sorted({term for _, _, term in onto.labels.find(text)}) for text in texts]
        steps: Chosen = {}
        for note_words in words:
            for word, up in cheapest_steps(onto, note_words, self.t).items():
                steps[word] = max(up, steps.get(word, 0))
        while True:
            notes = [_made(onto, text, steps) for text in texts]
            lifted = {
                word
                for text, note_words in zip(notes, words, strict=True)
                for word in self._wanting(onto, text, note_words, steps)
            }
            if not lifted:
                break
            steps |= {word: steps[word] + 1 for word in lifted}
        enough = (not (shown := onto.labels_in(note.text or "")) or onto.plausible(shown) >= self.t for note in notes)
        return [
            note if ok else RewrittenNote.withhold("too few plausible texts")
            for note, ok in zip(notes, enough, strict=True)
        ]

    def _wanting(self, onto: Ontology, note: RewrittenNote, words: Sequence[str], steps: Chosen) -> list[str]:
        """The word to be generalised further where the text that would be published is worth too little."""
        if not words or onto.plausible(onto.labels_in(note.text or "")) >= self.t:
            return []
        open_ = [word for word in words if steps[word] < len(_labels(onto, word)) - 1]
        return [min(open_, key=lambda word: (_labels(onto, word)[steps[word] + 1][1], word))] if open_ else []


def cheapest_steps(onto: Ontology, words: Sequence[str], t: int) -> Chosen:
    """For each word how far up: the product that reaches t and is the least, the most even of those; else all the way.

    Of equal products the most even is the one whose squared logarithms add up to the least, and sums can be followed
    word by word.

    >>> tree = Tree([["a1", "a", "*"], ["a2", "a", "*"], ["b1", "b", "*"], ["b2", "b", "*"], ["b3", "b", "*"]])
    >>> cheapest_steps(Ontology(tree), ["a1", "b1"], 3), cheapest_steps(Ontology(tree), ["a1", "b1"], 4)
    ({'a1': 0, 'b1': 1}, {'a1': 0, 'b1': 2})
    """
    states: _States = {1: (0.0, ())}
    for word in words:
        grown: _States = {}
        for product, (squares, ups) in states.items():
            for up, (_, worth) in enumerate(_labels(onto, word)):
                total = product * worth
                total = round(total, 9) if isinstance(total, float) else total
                state = (squares + log(worth) ** 2, (*ups, up))
                if total not in grown or state < grown[total]:
                    grown[total] = state
        states = _worthwhile(grown, t)
    enough = [product for product in states if product >= t]
    if not enough:
        return {word: len(_labels(onto, word)) - 1 for word in words}
    return dict(zip(words, states[min(enough)][1], strict=True))


def _worthwhile(states: _States, t: int) -> _States:
    """Everything below t, and the least that reaches it; where these are too many, those nearest to t."""
    reached = sorted(product for product in states if product >= t)
    below = sorted((product for product in states if product < t), reverse=True)[:_STATES]
    return {product: states[product] for product in (*below, *reached)[: _STATES + 1]}


def _labels(onto: Ontology, word: str) -> list[tuple[str, int | float]]:
    """The word and the labels above it, each with what it is worth."""
    chain = [label for label in onto.tree.chain(word) if label != ROOT]
    return [(label, onto.worth(label)) for label in (*chain, MASK)]


def _made(onto: Ontology, text: str, steps: Chosen) -> RewrittenNote:
    edits = []
    for start, end, term in onto.labels.find(text):
        if steps[term]:
            label = _labels(onto, term)[steps[term]][0]
            edits.append(Edit(start, end, "OTHER", _cased(text, start, label)))
    return apply_edits(text, edits)


def _cased(text: str, start: int, label: str) -> str:
    """A label as the ontology writes it, but with a capital where a sentence begins with it."""
    begins = text[max(0, start - 40) : start].rstrip(" \t")[-1:] in ("", ".", "!", "?", "\n")
    return label[:1].upper() + label[1:] if begins and text[start].isupper() else label
