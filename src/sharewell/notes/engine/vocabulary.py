"""Terms of a vocabulary in a text: the longest run of words that is a term, whatever its case and accents.

>>> terms = Vocabulary(["heart failure", "failure", "Crohn's disease"])
>>> text = "Heart failure; Crohn's disease. A failure."
>>> [(text[start:end], term) for start, end, term in terms.find(text)]
[('Heart failure', 'heart failure'), ("Crohn's disease", "Crohn's disease"), ('failure', 'failure')]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.spans import Text

_APART = 3
"""Characters that may stand between two words of one term: a blank, a hyphen, an apostrophe, a line end."""


class TermMatch(NamedTuple):
    """Where a term stands, and the term as the vocabulary writes it."""

    start: int
    end: int
    term: str


@dataclass(frozen=True)
class Vocabulary:
    """Terms of one word or more. Two terms that differ in case, accents or signs alone are one: the first stands."""

    terms: Iterable[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(dict.fromkeys(self.terms)))

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """First word → (all words, term), the longest first."""
        term_of_words: dict[tuple[str, ...], str] = {}
        for term in self.terms:
            words = words_of(term)
            if words:
                term_of_words.setdefault(words, term)
        by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for words in sorted(term_of_words, key=len, reverse=True):
            by_first.setdefault(words[0], []).append((words, term_of_words[words]))
        return by_first

    def find(self, text: str) -> list[TermMatch]:
        """Terms in the order of the text; they do not overlap, and the longest at a place wins. O(words)"""
        matches: list[TermMatch] = []
        for match in self.every(text):
            if not matches or match.start >= matches[-1].end:
                matches.append(match)
        return matches

    def every(self, text: str) -> list[TermMatch]:
        """All terms, also those inside or across others; at one place the longest first. O(words)"""
        tokens = Text.of(text).tokens
        words = [plain(token.lower) for token in tokens]
        matches = []
        for index, word in enumerate(words):
            for wanted, term in self._by_first.get(word, ()):
                last = index + len(wanted) - 1
                if tuple(words[index : last + 1]) == wanted and all(
                    tokens[i + 1].start - tokens[i].end <= _APART for i in range(index, last)
                ):
                    matches.append(TermMatch(tokens[index].start, tokens[last].end, term))
        return matches


def words_of(term: str) -> tuple[str, ...]:
    """The words of a term, as they are compared.

    >>> words_of("Ménière's disease")
    ('meniere', 's', 'disease')
    """
    return tuple(plain(token.lower) for token in Text.of(term).tokens)
