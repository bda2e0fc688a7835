"""Misspelt names of drugs: the listed form that a word stands for, by letters and by sound.

A word misspells a name if it begins alike and differs in one letter, in two where both are long; less is forgiven where
the words around do not speak of drugs. A word that sounds like a long name (ph for f, one vowel for another, letters
doubled) misspells it too, even where three letters differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain, combinations
from string import ascii_lowercase

from sharewell.notes.engine.drug_lexicon import key, lexicon

_HEAD = 8
"""Only so many letters are left out of; the rest of a candidate is compared afterwards."""
_SOUNDS = (
    *(("ph", "f"), ("ce", "se"), ("ci", "si"), ("cy", "sy"), ("z", "s"), ("ck", "k"), ("ch", "k"), ("qu", "k")),
    *(("q", "k"), ("c", "k"), ("x", "ks"), ("th", "t"), ("rh", "r"), ("gh", "g")),
)
"""Letters that sound like others, to be replaced in this order."""
_DOUBLED = re.compile(r"([a-z])\1+")
_VOWELS = re.compile(r"(?<!^)[aeiouy]+")
_LEAST_SOUND = 7
"""Names that sound alike must have so many signs: shorter ones sound like too many other words."""


@lru_cache(maxsize=20_000)  # bounded: notes stream in constant memory
def misspelt(word: str, cued: bool) -> str:
    """The drug that a word misspells, or nothing.

    >>> misspelt("vancomyacin", False), misspelt("furasemyde", False), misspelt("sephtriaxone", False)
    ('vancomycin', 'furosemide', 'ceftriaxone')
    """
    best, least = "", (3, 0, "")
    index = _index(word[:1])
    most = _allowed(len(word) + (not cued), cued)
    listed = index.keys() & _shorter(word, most)
    for name in {name for short in listed for name in index[short]} if listed else ():
        allowed = min(most, _allowed(len(name), cued))
        if abs(len(word) - len(name)) > allowed:
            continue
        apart = next((few for few in range(allowed + 1) if _within(word, name, few)), -1)
        if apart >= 0:
            rank = (apart, -(sound(name) == sound(word)) * 64 - _shared(word, name), name)
            if rank < least:
                best, least = name, rank
    return best or _alike(word)


def _alike(word: str) -> str:
    """A long name that sounds the same."""
    if len(word) < 8 or len(spoken := sound(word)) < _LEAST_SOUND:
        return ""
    names = [name for name in _spoken().get(spoken, ()) if distance(word, name) <= 1 + len(name) // 4]
    return min(names, key=lambda name: distance(word, name), default="")


def sound(word: str) -> str:
    """How a word sounds, roughly: all vowels but a first one are one."""
    for letters, sign in _SOUNDS:
        if letters in word:
            word = word.replace(letters, sign)
    return _VOWELS.sub("a", _DOUBLED.sub(r"\1", word)).rstrip("a")


def _shared(first: str, second: str) -> int:
    """How many letters two words begin with alike."""
    for i, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return i
    return min(len(first), len(second))


@cache
def _names() -> tuple[str, ...]:
    """The names that may be misspelt: of letters alone, and two long words as one."""
    forms = (
        form.replace(" ", "", 1) if len(form) >= 12 else form
        for form, term in lexicon().terms.items()
        if term.known and term.sure and term.spelt
    )
    return tuple(form for form in forms if len(form) >= 5 and form.isalpha())


@cache
def _spoken() -> dict[str, tuple[str, ...]]:
    """Sound of a long name → the names."""
    by_sound: dict[str, list[str]] = {}
    for name in _names():
        if len(name) >= 8 and len(spoken := sound(name)) >= _LEAST_SOUND:
            by_sound.setdefault(spoken, []).append(name)
    return {spoken: tuple(names) for spoken, names in by_sound.items()}


@cache
def _index(first: str) -> dict[str, tuple[str, ...]]:
    """Beginnings of names of one first letter, with up to two letters left out → the names."""
    by_beginning: dict[str, list[str]] = {}
    for name in (name for name in _names() if name[0] == first):
        for short in _shorter(name, _allowed(len(name), True)):
            by_beginning.setdefault(short, []).append(name)
    return {short: tuple(names) for short, names in by_beginning.items()}


def ready() -> None:
    """Load what is otherwise loaded letter by letter, when a word that begins with it is looked up first."""
    for letter in ascii_lowercase:
        _index(letter)
    _spoken()
    _two_words()


def _allowed(length: int, cued: bool) -> int:
    """How many letters may differ."""
    if cued:
        return 0 if length < 4 else 1 if length < 7 else 2
    return 0 if length < 7 else 1 if length < 9 else 2


def _shorter(word: str, letters: int) -> set[str]:
    """The beginning of a word with up to so many letters left out, never the first one.

    Of a long word exactly so many: two beginnings of one length that agree after fewer agree after more as well.
    """
    first, rest = word[:1], word[1:_HEAD]
    least = max(0, len(rest) - letters)
    parts: Iterable[tuple[str, ...]] = combinations(rest, least)
    if letters < 2 or len(word) < _HEAD:
        parts = chain(parts, *[combinations(rest, many) for many in range(least + 1, len(rest) + 1)])
    return {first + "".join(part) for part in parts}


def _within(first: str, second: str, letters: int) -> bool:
    """Is the distance of two words at most so many letters? Quicker than the distance, for few."""
    if not letters or abs(len(first) - len(second)) > letters:
        return first == second
    same = _shared(first, second)  # what both begin with costs nothing
    first, second = first[same:], second[same:]
    fewer = letters - 1
    if _within(first[1:], second[1:], fewer) or _within(first[1:], second, fewer) or _within(first, second[1:], fewer):
        return True
    return first[:2] == second[1::-1] and len(first) > 1 and _within(first[2:], second[2:], fewer)


def distance(first: str, second: str) -> int:
    """Letters inserted, left out, changed or swapped with their neighbour (optimal string alignment)."""
    same = _shared(first, second)  # what both begin and end with costs nothing
    first, second = first[same:], second[same:]
    if same := _shared(first[::-1], second[::-1]):
        first, second = first[:-same], second[:-same]
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def listed_form(written: str) -> str:
    """The listed form that a written one stands for, misspelt or split as it may be; itself if nobody knows it.

    >>> listed_form("norephinephrine"), listed_form("Potasium chloride"), listed_form("pressors")
    ('norepinephrine', 'potassium chloride', 'pressors')
    """
    lex, low = lexicon(), key(written)
    if low in lex.terms:
        return low
    joined = low.replace(" ", "")
    form = joined if joined in lex.terms else misspelt(joined, True)
    return (form if form in lex.terms else _two_words().get(form, "")) or low


@lru_cache(maxsize=20_000)
def generic(written: str) -> str:
    """The generic name of what is meant, or nothing."""
    return lexicon().leaf(listed_form(written)) or ""


@cache
def _two_words() -> dict[str, str]:
    """Names of two words, written as one → as they are."""
    return {
        form.replace(" ", ""): form for form, term in lexicon().terms.items() if term.known and form.count(" ") == 1
    }
