"""Names → other names, the same for one person however they are written.

Every part of a name has one surrogate in all notes of the person: a given name for a given name (of the same gender
where that is known), a surname for a surname, drawn as often as the names are in the US. An initial becomes that of the
surrogate. Case, order and punctuation stay. Different parts get different surrogates, and none is a word of the
person's own notes or row.

>>> from sharewell.notes.replacers.name_words import WrittenName
>>> said = ["Rosa Delgado", "DELGADO, ROSA", "R. Delgado", "Delgdao"]
>>> from sharewell.keys import Key
>>> names = name_surrogates(Draws(Key(b"an example key of enough bytes..")), NameParts.of(map(WrittenName.of, said)))
>>> [names.replace(one) for one in said]
['Laura Summers', 'SUMMERS, LAURA', 'L. Summers', 'Summers']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from string import ascii_uppercase
from typing import TYPE_CHECKING

from sharewell.notes.replacers.keyed_draws import TRIES, Draws, Weighted, cased
from sharewell.notes.replacers.name_parts import NameParts, name_lists
from sharewell.notes.replacers.name_words import WrittenName, plain_word

if TYPE_CHECKING:
    from sharewell.notes.matcher.language_packs import LanguagePack

_ALPHABET = len(ascii_uppercase)


@dataclass(frozen=True)
class NameSurrogates:
    """Parts of names, and what stands for each."""

    draws: Draws = field(repr=False)
    name_parts: NameParts = field(repr=False)
    table: Mapping[str, str] = field(repr=False)
    keeps_case: bool = True

    def replace(self, written: str, before: str = "") -> str:
        """A name as it is written, after what stands before it, with every word of it replaced."""
        name = WrittenName.of(written, before)
        initials = self._initials(name) if name.initials else {}
        pieces: list[str] = []
        last_end = 0
        for word in name.words:
            was = written[word.start : word.end]
            now = initials[word.plain] if len(word.plain) == 1 else self.part(word.plain, was)
            pieces += [self._kept(written[last_end : word.start]), cased(now, was) if self.keeps_case else now]
            last_end = word.end
        return "".join((*pieces, self._kept(written[last_end:])))

    def part(self, word: str, was: str = "") -> str:
        """What stands for a word of a name."""
        if was.isupper() and len(was) < 4 and word in self.name_parts.by_initials:
            return "".join(self._of(part)[0] for part in self.name_parts.by_initials[word]).upper()
        return self._of(self.name_parts.part(word))

    def _of(self, part: str) -> str:
        return self.table.get(part) or self.draws.like("name", part).capitalize()

    def _initials(self, name: WrittenName) -> dict[str, str]:
        """What stands for each initial of a name: that of the part which it abbreviates, else another letter."""
        initials = [word.plain for word in name.initials]
        others = list(dict.fromkeys(word.plain for word in name.parts))
        full_name = self.name_parts.by_initials.get("".join(initials), ()) if not others else ()
        other_parts = sorted({self.name_parts.part(other) for other in others})
        surrogate_initials: dict[str, str] = {}
        for i, initial in enumerate(initials):
            if initial not in surrogate_initials:
                part = self.name_parts.abbreviated(initial, others) or (full_name[i] if full_name else None)
                surrogate_initials[initial] = self._of(part)[0].upper() if part else self._letter(initial, other_parts)
        return surrogate_initials

    def _letter(self, initial: str, other_parts: Sequence[str]) -> str:
        return ascii_uppercase[self.draws.number(_ALPHABET, "initial", initial, *other_parts)]

    def _kept(self, between: str) -> str:
        """What stands between the words; digits in a name are drawn too."""
        return self.draws.like("name", between) if re.search(r"\d", between) else between


def name_surrogates(draws: Draws, name_parts: NameParts, pack: LanguagePack | None = None) -> NameSurrogates:
    """Other names, of the US or of a language pack. Parts draw in the order of their digests, so that no note comes
    before another."""
    table: dict[str, str] = {}
    taken = set(draws.real) | name_parts.parts
    for part in sorted(name_parts.parts, key=lambda part: draws.key.digest("name order", part)):
        table[part] = next(name for name in _candidates(draws, name_parts, part, pack) if plain_word(name) not in taken)
        taken.add(plain_word(table[part]))
    return NameSurrogates(draws, name_parts, table)


def _candidates(draws: Draws, name_parts: NameParts, part: str, pack: LanguagePack | None) -> Iterator[str]:
    """Names in the order in which they are tried for a part; when lists are used up, letters that are no name."""
    if not _abbreviates(part, name_parts):
        sort = _sort(part, name_parts, pack)
        yield from (sort.pick(draws, "name", part, str(turn)) for turn in range(TRIES))
    for turn in count():
        length = len(part) + turn // TRIES
        letters = draws.stream("letters of a name", part, str(turn))
        name = "".join(ascii_uppercase[next(letters) % _ALPHABET] for _ in range(length))
        yield name if _abbreviates(part, name_parts) else name.capitalize()


def another_word(draws: Draws, low: str, pack: LanguagePack | None = None) -> str:
    """A surname for a word of a street, an organisation or an address, in lower case; the same for the same word."""
    return draws.first(
        lambda turn: _surnames(pack).pick(draws, "word", low, turn), lambda drawn: drawn.lower() not in draws.real
    )


def letter_codes(draws: Draws, name_parts: NameParts) -> NameSurrogates:
    """AAA, BBB, … for parts, by the rank of their digests."""
    ranked = sorted(name_parts.parts, key=lambda part: draws.key.digest("name code", part))
    return NameSurrogates(draws, name_parts, {part: _code(rank) for rank, part in enumerate(ranked)}, keeps_case=False)


def _code(rank: int) -> str:
    """Three equal letters for the first 26, then AAAB, AAAC, …

    >>> _code(0), _code(25), _code(26), _code(52)
    ('AAA', 'ZZZ', 'AAAB', 'AABB')
    """
    if rank < _ALPHABET:
        return ascii_uppercase[rank] * 3
    letters, rest = "", rank - _ALPHABET + 1
    while rest or len(letters) < 4:
        rest, letter = divmod(rest, _ALPHABET)
        letters = ascii_uppercase[letter] + letters
    return letters


def _abbreviates(part: str, name_parts: NameParts) -> bool:
    """Initials without dots, such as RD: short, and no name that any list knows."""
    from sharewell.notes.engine.lexicons import people

    return len(part) < 4 and part not in people() and part not in name_parts.given


def _sort(part: str, name_parts: NameParts, pack: LanguagePack | None) -> Weighted:
    if part not in name_parts.given:
        return _surnames(pack)
    return _given(name_parts.genders.get(part, ""), pack)


@cache
def _surnames(pack: LanguagePack | None = None) -> Weighted:
    return Weighted.of(name_lists().surnames.items()) if pack is None else _of_pack(pack, "surnames")


@cache
def _given(gender: str, pack: LanguagePack | None = None) -> Weighted:
    if pack is not None:
        return _of_pack(pack, {"f": "women", "m": "men"}.get(gender, "given"))
    names = name_lists()
    if gender:
        return Weighted.of((names.women if gender == "f" else names.men).items())
    both = {name: names.women.get(name, 0) + names.men.get(name, 0) for name in {*names.women, *names.men}}
    return Weighted.of(both.items())


def _of_pack(pack: LanguagePack, lexicon: str) -> Weighted:
    """Names of a language pack, each as often as another."""
    return Weighted.of((name.capitalize(), 1.0) for name in sorted(pack.words(lexicon)))
