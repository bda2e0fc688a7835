"""How many persons may be counted twice, where a person is whoever has the same name and date of birth.

A file without a number for each person names people by what was typed. `sharewell.io.joined_person` takes away what is
often written in several ways; a typing error stays, and makes two persons of one. Criteria that count persons then see
five where there are four. This module measures how often that may be.

Two persons are *near* if they agree in all parts but one, and these two texts, reduced as they are joined,

- are the same once one character at most is left out of each: one was left out, added, mistaken, or moved;
- or begin or end with each other, without digits: an initial, or a second first name, a title or `von` that was left
  out;
- or are eight digits in which day and month are swapped;
- or were written in the same words, in another order.

Persons that are near, directly or through others, form a group that may be one person. The measure is the number of
persons less the number of such groups: so many fewer people may there be. Some of them will be two people, such as
twins with names alike, so it is no estimate. Nor does it find everything: a name that changed, or two errors in one
row, make two persons that are not near.

>>> anna = ("19500304", "anna", "muller")
>>> doubles([anna, ("19500403", "anna", "muller"), ("19500304", "a", "muller"), ("19610704", "karl", "berg")])
Doubles(persons=4, twice=2)

O(persons · parts · length of a part), however many people share a name: texts are compared by what is left of them when
one character is taken out, never pair by pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sharewell.io.joined_person import CodedParts, rows_of
from sharewell.io.sources import Source

_DATE_DIGITS = 8
Orders = Mapping[str, Collection[str]]
"""Reduced part → its words, sorted, in each way in which it was written."""


@dataclass(frozen=True)
class Doubles:
    """Persons of a file, and how many fewer there may be."""

    persons: int
    twice: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.twice, self.persons) if self.persons else Fraction(0)


def doubles_in(files: Sequence[tuple[Source, str]]) -> Doubles:
    """The persons whom the joined columns of some files name, all of them counted together.

    Names stay in memory.
    """
    persons: set[tuple[str, ...]] = set()
    orders: dict[str, set[str]] = defaultdict(set)
    for one, name in files:
        parts = list(one.joined[name].parts)
        for piece in one.batches(parts):
            rows = CodedParts.of(rows_of(piece, parts))
            persons.update(rows.distinct()[0])
            for texts, words in zip(rows.texts, rows.orders, strict=True):
                for text, some in zip(texts, words, strict=True):
                    orders[text] |= some
    return doubles(sorted(persons), orders)


def doubles(persons: Sequence[tuple[str, ...]], orders: Orders | None = None) -> Doubles:
    """Of different persons, each given by its reduced parts in their order."""
    groups = _Groups(len(persons))
    for members in _blocks(persons):
        for several in _near([part for _, part in members], orders or {}):
            groups.unite([members[i][0] for i in several])
    return Doubles(len(persons), len(persons) - groups.count())


def _blocks(persons: Sequence[tuple[str, ...]]) -> Iterator[list[tuple[int, str]]]:
    """(person, its part) of those who agree in all other parts, wherever there are two.

    Hashes come first, so that only what may have a partner is kept as text.
    """
    owners = np.repeat(np.arange(len(persons)), [len(parts) for parts in persons])
    places = [i for parts in persons for i in range(len(parts))]
    hashes = np.fromiter((hash(_without(parts, i)) for parts in persons for i in range(len(parts))), np.int64)
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.diff(hashes[order], prepend=hashes[order][:1] - 1 if len(order) else 0))
    for some in np.split(order, starts[1:]):
        if len(some) < 2:
            continue
        blocks: dict[tuple[str, ...], list[tuple[int, str]]] = {}
        for at in some.tolist():
            person = int(owners[at])
            parts = persons[person]
            blocks.setdefault(_without(parts, places[at]), []).append((person, parts[places[at]]))
        yield from (members for members in blocks.values() if len(members) > 1)


def _without(parts: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (*parts[:place], *parts[place + 1 :])


def _near(texts: Sequence[str], orders: Orders) -> Iterator[list[int]]:
    """Groups of places of texts that are near each other, one group for each way of being so."""
    alike: dict[tuple[str, str], list[int]] = {}
    for place, text in enumerate(texts):
        for token in _tokens(text, orders):
            alike.setdefault(token, []).append(place)
    yield from (places for places in alike.values() if len(places) > 1)
    yield from _beginnings(texts)
    yield from _beginnings([text[::-1] for text in texts])


def _beginnings(texts: Sequence[str]) -> Iterator[list[int]]:
    """Pairs of places whose texts begin with each other."""
    beginnings: list[int] = []
    for place in sorted(range(len(texts)), key=texts.__getitem__):
        if _has_digit(texts[place]):
            continue
        while beginnings and not texts[place].startswith(texts[beginnings[-1]]):
            beginnings.pop()
        if beginnings:
            yield [beginnings[-1], place]
        beginnings.append(place)


def _tokens(text: str, orders: Orders) -> set[tuple[str, str]]:
    """What two near texts have in common, but for beginnings and ends."""
    results = {("left", text)} | {("left", text[:i] + text[i + 1 :]) for i in range(len(text))}
    results |= {("words", words) for words in orders.get(text, ())}
    if len(text) == _DATE_DIGITS and text.isdecimal():
        results |= {("year first", min(text, text[:4] + text[6:] + text[4:6]))}
        results |= {("year last", min(text, text[2:4] + text[:2] + text[4:]))}
    return results


def _has_digit(text: str) -> bool:
    return any(one.isdigit() for one in text)


class _Groups:
    """Who is one with whom, directly or through others."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))

    def unite(self, members: Sequence[int]) -> None:
        first = self._root(members[0])
        for one in members[1:]:
            self.parent[self._root(one)] = first

    def count(self) -> int:
        return sum(self.parent[i] == i for i in range(len(self.parent)))

    def _root(self, one: int) -> int:
        while self.parent[one] != one:
            self.parent[one] = self.parent[self.parent[one]]
            one = self.parent[one]
        return one
