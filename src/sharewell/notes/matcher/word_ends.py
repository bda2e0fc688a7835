"""Guards about the first words, the last word and the capitals of what a pattern matched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sharewell.notes.matcher.rule import Candidate, Guard

_LETTERS = re.compile(r"[^\W\d_]+")


def begins_in(words: frozenset[str]) -> Guard:
    """All of its words with a capital and two letters or more, but for the last one, are in the lexicon."""
    return lambda result: all(
        word.lower() in words for word in _LETTERS.findall(result.written)[:-1] if len(word) > 1 and word[0].isupper()
    )


def ends_in(words: frozenset[str]) -> Guard:
    """Its last word is in the lexicon."""
    return lambda result: _last(result) in words


def ends_not_in(words: frozenset[str]) -> Guard:
    """Its last word is not in the lexicon."""
    return lambda result: _last(result) not in words


def no_capital_in(words: frozenset[str]) -> Guard:
    """None of its words that begin with a capital is in the lexicon."""
    return lambda result: words.isdisjoint(
        word.lower() for word in _LETTERS.findall(result.written) if word[0].isupper()
    )


def _last(candidate: Candidate) -> str:
    words: list[str] = _LETTERS.findall(candidate.lower)
    return words[-1] if words else ""


ENDS: Mapping[str, Callable[[frozenset[str]], Guard]] = {
    make.__name__: make for make in (begins_in, ends_in, ends_not_in, no_capital_in)
}
"""The guards of this module by name."""
