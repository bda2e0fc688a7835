"""Words of a note as the detector of names sees them: how they are written, what lists and letters say of them."""

from __future__ import annotations

from functools import lru_cache

from sharewell.notes.detectors.name_words import MONTHS_AND_WILL, NEVER, PARTICLES
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.lexicons import eponym, nameness, people, words

_BEYOND_ENGLISH = 60
_WORDLIKE = 30
_LONGEST = 24
"""Longer words are not searched for slips."""
_KEPT = 1 << 15
_GIVEN = frozenset("gbGB")
_COMMON, _KNOWN = frozenset("12c"), frozenset("123")


class Word:
    """A word as written, wherever it stands: lower case, its shape (t Title, u UPPER, i one capital, l lower, d with
    digits), its mark and level in the lists, and what follows from them."""

    __slots__ = (
        *("bare", "begins", "eponym", "foreign", "frequent", "given"),
        *("level", "lower", "mark", "never", "particle", "shape", "tells"),
    )

    def __init__(self, lower: str, shape: str, mark: str, level: str) -> None:
        self.lower, self.shape, self.mark, self.level = lower, shape, mark, level
        self.bare = bool(mark) and not level
        """A name in the lists that is no word."""
        self.foreign = not mark and not level and shape != "d" and len(lower) > 2
        """In no list: the letters decide."""
        self.given = mark in _GIVEN
        self.frequent = mark.isupper()
        self.never = lower in NEVER
        self.particle = lower in PARTICLES
        self.tells = len(lower) > 2 and bool(level != "1" or mark) and not (self.never or self.particle)
        """Whether it is worth looking for elsewhere in a note, once it is a name there."""
        self.eponym = eponym(lower)
        """None: no eponym; else whether it may stand for a person too."""
        self.begins = shape == "i" or (
            (not self.never or lower in MONTHS_AND_WILL)
            and (bool(mark) and level not in _COMMON if shape == "l" else shape == "t" or self.bare)
            and bool(mark or not level)
        )
        """Whether a name may begin with it without any cue, where capitals tell."""


@lru_cache(maxsize=1 << 14)
def letters_say(lower: str) -> int:
    """What the letters of a word say; letters beyond English speak for a name."""
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
    slips = {slip for slip in slips if len(slip) > 4}
    names = [mark for slip in slips if (mark := people().get(slip, "")).isupper()]
    word_too = nameness(word) < _WORDLIKE and any(words().get(slip, "") in _KNOWN for slip in slips)
    return (min(names).lower() if names else ""), ("4" if word_too else "")


def shown(said: str) -> tuple[str, str, str, str]:
    """A word as written → lower case, shape, mark, level."""
    lower = said.lower()
    if not said.isalpha():
        return lower, "d", "", ""
    shape = "l" if not said[0].isupper() else "i" if len(said) == 1 else "u" if said.isupper() else "t"
    mark, level = looked_up(plain(lower))
    return lower, shape, mark, level if said.isascii() or not mark else ""


class _Seen(dict[str, Word]):
    """Words as written, each made once; quicker than a cache that remembers when a word was last asked for."""

    def __missing__(self, said: str) -> Word:
        if len(self) > _KEPT:
            self.clear()
        word = self[said] = Word(*shown(said))
        return word


_SEEN = _Seen()


def seen(written: list[str]) -> list[Word]:
    """The words of a note; one that stands in several places is the same in each."""
    return list(map(_SEEN.__getitem__, written))


def weight(word: Word) -> float:
    """How much a word in title case speaks for a name."""
    if word.eponym is False:
        return 0.5 if word.mark in ("G", "B") else 0.2
    if word.bare:
        return 1.0 if word.frequent else 0.8
    if word.foreign:
        return 0.9 if letters_say(word.lower) > 60 else 0.6 if letters_say(word.lower) > 0 else 0.3
    if word.mark in ("G", "B"):
        return 0.8 if word.level in ("3", "4", "c") else 0.6
    if word.mark == "S":
        return 0.7 if word.level in ("3", "4", "c") else 0.45
    if word.mark:
        return 0.4 if word.level in ("3", "4", "c") else 0.3 if word.given else 0.1
    return 0.0
