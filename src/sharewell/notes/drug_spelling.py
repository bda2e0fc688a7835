"""Misspelt names of drugs: the listed form that a word stands for, by letters and by sound.

A word misspells a name if it begins alike and differs in one letter, in two where both are long; less is forgiven where
the words around do not speak of drugs. A word that sounds like a long name (ph for f, one vowel for another, letters
doubled) misspells it too, even where three letters differ.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from string import ascii_lowercase

from sharewell.notes.drug_lexicon import key, lexicon

_HEAD = 8
"""Only so many letters are left out of; the rest of a candidate is compared afterwards."""
_SOUNDS = (
    (re.compile(r"ph"), "f"),
    (re.compile(r"c(?=[eiy])|z"), "s"),
    (re.compile(r"ck|ch|qu?|c"), "k"),
    (re.compile(r"x"), "ks"),
    (re.compile(r"([trg])h"), r"\1"),
    (re.compile(r"([a-z])\1+"), r"\1"),
    (re.compile(r"(?<!^)[aeiouy]+"), "a"),
)
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
    for name in {name for short in _shorter(word, most) for name in index.get(short, ())}:
        allowed = min(most, _allowed(len(name), cued))
        if abs(len(word) - len(name)) > allowed:
            continue
        if (apart := distance(word, name)) <= allowed:
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
    for pattern, sign in _SOUNDS:
        word = pattern.sub(sign, word)
    return word.rstrip("a")


def _shared(one: str, two: str) -> int:
    """How many letters two words begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


@cache
def _names() -> tuple[str, ...]:
    """The names that may be misspelt: of letters alone, and two long words as one."""
    forms = (
        form.replace(" ", "", 1) if len(form) >= 12 else form
        for form, term in lexicon().terms.items()
        if term.known and term.sure
    )
    return tuple(form for form in forms if len(form) >= 5 and form.isalpha())


@cache
def _spoken() -> dict[str, tuple[str, ...]]:
    """Sound of a long name → the names."""
    found: dict[str, list[str]] = {}
    for name in _names():
        if len(name) >= 8 and len(spoken := sound(name)) >= _LEAST_SOUND:
            found.setdefault(spoken, []).append(name)
    return {spoken: tuple(names) for spoken, names in found.items()}


@cache
def _index(first: str) -> dict[str, tuple[str, ...]]:
    """Beginnings of names of one first letter, with up to two letters left out → the names."""
    found: dict[str, list[str]] = {}
    for name in (name for name in _names() if name[0] == first):
        for short in _shorter(name, _allowed(len(name), True)):
            found.setdefault(short, []).append(name)
    return {short: tuple(names) for short, names in found.items()}


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
    """The beginning of a word with up to so many letters left out, never the first one."""
    head = word[:_HEAD]
    found = {head}
    if letters:
        found |= (once := {head[:i] + head[i + 1 :] for i in range(1, len(head))})
    if letters > 1:
        found.update(part[:i] + part[i + 1 :] for part in once for i in range(1, len(part)))
    return found


def distance(one: str, two: str) -> int:
    """Letters inserted, left out, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(two, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def meant(written: str) -> str:
    """The listed form that a written one stands for, misspelt or split as it may be; itself if nobody knows it.

    >>> meant("norephinephrine"), meant("Potasium chloride"), meant("pressors")
    ('norepinephrine', 'potassium chloride', 'pressors')
    """
    lex, low = lexicon(), key(written)
    if low in lex.terms:
        return low
    joined = low.replace(" ", "")
    form = joined if joined in lex.terms else misspelt(joined, True)
    return (form if form in lex.terms else _two_words().get(form, "")) or low


@cache
def _two_words() -> dict[str, str]:
    """Names of two words, written as one → as they are."""
    return {
        form.replace(" ", ""): form for form, term in lexicon().terms.items() if term.known and form.count(" ") == 1
    }
