"""The words of a name as it is written: parts, initials, and what is no part of it (titles, particles, degrees).

>>> said = WrittenName.of("Delgado, Rosa M., MD", before="Mrs. ")
>>> [word.plain for word in said.parts], said.initials[0].plain, said.surname_first, said.gender
(['delgado', 'rosa'], 'm', True, 'f')
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.known_identifiers import PARTICLES, Known
from sharewell.notes.engine.word_lists import TITLES, listed

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})*")
_SIGNS = re.compile(r"\w+")
_BROKEN = re.compile(r"[^\W\d_]+[-=\u2010\u2011][ \t]*\n[ \t]*[^\W\d_]+")
_SPELT = re.compile(r"(?<![^\W_])[^\W\d_](?:[ .\-_]{1,2}[^\W\d_](?![^\W_])){3,}")
_PARTS = 12
_KIN = re.compile(
    r"\b(?:(?P<f>sister|daughter|wife|mother|mom|aunt|niece|grandmother|girlfriend|granddaughter)"
    r"|(?P<m>brother|son|husband|father|dad|uncle|nephew|grandfather|boyfriend|grandson))[ ,(]{1,2}$"
)
_GENDERS = {"mr": "m", "mister": "m", "sir": "m", "mrs": "f", "ms": "f", "miss": "f", "madam": "f"}
_TITLES = TITLES | listed("professor doctor nurse rev sir mister madam")
_TITLE = re.compile(rf"\b({'|'.join(sorted(_TITLES))})\.?\s*$")
_DEGREES = listed("md phd rn np pa do dnp lpn cna msw lcsw dds dpm pharmd facp esq mph bsn msn crna fnp")
_CLEAR = listed("md phd rn jr sr ii iii iv")
"""What is a degree or a generation in capitals too, without a comma before it."""
_GENERATIONS = listed("jr sr ii iii iv")


class Word(NamedTuple):
    """A word of a name, and where it stands in it."""

    start: int
    end: int
    plain: str


@dataclass(frozen=True)
class WrittenName:
    """A name as it is written once."""

    parts: tuple[Word, ...]
    initials: tuple[Word, ...]
    surname_first: bool
    gender: str
    """f, m, or nothing where no title or kinship tells."""
    titled: bool

    @classmethod
    def of(cls, written: str, before: str = "") -> WrittenName:
        words = [Word(*match.span(), plain_word(match[0])) for match in _WORD.finditer(written)]
        title = _TITLE.search(before.lower())
        named = title[1] if title else ""
        if not named and len(words) > 1 and words[0].plain in _TITLES:
            named = words[0].plain
        kin = _KIN.search(before.lower())
        name_words = [word for index, word in enumerate(words) if not _beside(written, words, index)] or words
        parts = tuple(word for word in name_words if len(word.plain) > 1)
        surname_first = len(parts) > 1 and "," in written[parts[0].end : parts[1].start]
        return cls(
            parts,
            tuple(word for word in name_words if len(word.plain) == 1),
            surname_first,
            _GENDERS.get(named, "") or (str(kin.lastgroup) if kin else ""),
            bool(named),
        )

    @property
    def words(self) -> list[Word]:
        """Parts and initials, as they stand."""
        return sorted((*self.parts, *self.initials))

    @property
    def in_order(self) -> list[Word]:
        """Given names first."""
        words = self.words
        if self.surname_first:
            first = words.index(self.parts[0])
            return [*words[:first], *words[first + 1 :], self.parts[0]]
        return words


def _beside(written: str, words: list[Word], index: int) -> bool:
    """Is a word a title, a particle, a degree or a generation beside others that are the name?"""
    start, end, word = words[index]
    if len(words) == 1:
        return False
    if word in _TITLES:
        return index == 0
    after_comma = index > 0 and "," in written[words[index - 1].end : start]
    if word in _DEGREES | _GENERATIONS:
        return index > 0 and (after_comma or word in _CLEAR)
    last = index == len(words) - 1
    return word in PARTICLES and not last and (index > 0 or written[start:end].islower())


def plain_word(word: str) -> str:
    """Lower case, no accents, no apostrophes."""
    low = word.lower()
    return low if low.isascii() and low.isalpha() else "".join(_SIGNS.findall(plain(low)))


def rejoin_broken(written: str, row_words: Collection[str]) -> str:
    """A name with those of its words in one piece that are the person's own, broken or spelt letter by letter.

    >>> rejoin_broken("Rosa Del-\\ngado, D.e.l.g.a.d.o", {"delgado"}), rejoin_broken("Ann-\\nMarie", {"delgado"})
    ('Rosa Delgado, Delgado', 'Ann-\\nMarie')
    """
    if "\n" in written:
        written = _BROKEN.sub(lambda match: _in_one(match[0], row_words), written)
    return _SPELT.sub(lambda match: _in_one(match[0], row_words), written)


def _in_one(written: str, row_words: Collection[str]) -> str:
    joined = "".join(sign for sign in written if sign.isalpha())
    return joined if plain_word(joined) in row_words else written


def row_name_words(names: Iterable[WrittenName]) -> frozenset[str]:
    """The parts of a person's own names, and two of them as one word."""
    parts = list(dict.fromkeys(word.plain for name in names for word in name.parts))
    return frozenset((*parts, *map("".join, permutations(parts[:_PARTS], 2))))


def names_in_row(known: Known | None) -> list[WrittenName]:
    """The names of a person's own row: each by itself, and all as one name in their order."""
    names = [value for kind, value in known.values if kind == "NAME"] if known else []
    return [WrittenName.of(name) for name in dict.fromkeys((*names, " ".join(_whole(names))))] if names else []


def _whole(names: Iterable[str]) -> list[str]:
    """Names without those that say nothing new: Rosa, Delgado, Rosa Delgado is one name of two words."""
    kept: list[str] = []
    for name in names:
        words = [word for word in name.replace(",", " ").split() if word not in kept]
        kept += words
    return kept
