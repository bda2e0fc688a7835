"""Words of a note as the detector of names sees them: how they are written, what lists and letters say of them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sharewell.notes.gazetteer import plain
from sharewell.notes.lexicons import eponyms, nameness, people, words

_BEYOND_ENGLISH = 60
_WORDLIKE = 30
_LONGEST = 24
"""Longer words are not searched for slips."""


class Word(NamedTuple):
    """A token: its shape (t Title, u UPPER, i one capital, l lower, d with digits), its mark and level in the lists."""

    start: int
    end: int
    lower: str
    shape: str
    mark: str
    level: str

    @property
    def bare(self) -> bool:
        """A name in the lists that is no word."""
        return bool(self.mark) and not self.level

    @property
    def foreign(self) -> bool:
        """In no list: the letters decide."""
        return not self.mark and not self.level and self.shape != "d" and len(self.lower) > 2

    @property
    def given(self) -> bool:
        return self.mark in ("g", "b", "G", "B")

    @property
    def frequent(self) -> bool:
        return self.mark.isupper()


def letters_say(word: Word) -> int:
    """What the letters say; letters beyond English speak for a name."""
    return _letters(word[2])


@lru_cache(maxsize=1 << 14)
def _letters(lower: str) -> int:
    return nameness(lower) if lower.isascii() else nameness(plain(lower)) + _BEYOND_ENGLISH


@lru_cache(maxsize=1 << 14)
def looked_up(word: str) -> tuple[str, str]:
    """Mark and level of a plain word. One in no list that is one letter too many or two swapped away from a listed one
    counts as that one, as a rare one."""
    mark, level = people().get(word, ""), words().get(word, "")
    if mark or level or not 5 <= len(word) <= _LONGEST:
        return mark, level
    slips = {word[:i] + word[i + 1 :] for i in range(len(word))}
    slips |= {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)}
    near = [people()[slip] for slip in slips if people().get(slip, "").isupper() and len(slip) > 4]
    word_too = nameness(word) < _WORDLIKE and any(
        words().get(slip, "") in ("1", "2", "3") for slip in slips if len(slip) > 4
    )
    return (min(near).lower() if near else ""), ("4" if word_too else "")


@lru_cache(maxsize=1 << 15)
def shown(said: str) -> tuple[str, str, str, str]:
    """A word as written → lower case, shape, mark, level."""
    lower = said.lower()
    if not said.isalpha():
        return lower, "d", "", ""
    shape = "l" if not said[0].isupper() else "i" if len(said) == 1 else "u" if said.isupper() else "t"
    mark, level = looked_up(plain(lower))
    return lower, shape, mark, level if said.isascii() or not mark else ""


def weight(word: Word) -> float:
    """How much a word in title case speaks for a name."""
    if word.lower in eponyms() and not eponyms()[word.lower]:
        return 0.2
    if word.bare:
        return 1.0 if word.frequent else 0.8
    if word.foreign:
        return 0.9 if letters_say(word) > 60 else 0.6 if letters_say(word) > 0 else 0.3
    if word.mark in ("G", "B"):
        return 0.8 if word.level in ("3", "4", "c") else 0.6
    if word.mark == "S":
        return 0.7 if word.level in ("3", "4", "c") else 0.45
    if word.mark:
        return 0.4 if word.level in ("3", "4", "c") else 0.3 if word.given else 0.1
    return 0.0
