r"""Patterns that could keep Python's matcher busy for ever: repetitions that read the same text in several ways.

`(?:a+)+` reads aaaa as one a+ of four, as two of two, and so on: 2ⁿ⁻¹ ways for n letters, all of which the matcher
tries before it gives up. A pattern has such a repetition if and only if two different ways through its automaton lead
from one place of it back to the same place over the same text (Weber and Seidl 1991; for matchers that backtrack:
Weideman, van der Merwe, Berglund and Watson 2016). The automaton is Glushkov's: a place for each character of the
pattern, an arrow to each that may follow. Repetitions of at most twelve (four, of what itself repeats) are written out;
long lists of words are taken for any word of their characters. What a lookahead forbids is not taken into account, so a
few harmless patterns are refused too.

Repetitions in a row that read the same characters (`\w*\w*\w*`) share them out in about nᵏ ways for k of them: more
than three are refused. What remains takes about the cube of the length of the text, of which a rule sees a short part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # the only parse tree of patterns there is
from typing import Any

_WRITTEN_OUT, _LOOPS_WRITTEN_OUT = 12, 4
_MANY_WORDS = 64
_MOST_PLACES = 20_000
_MOST_IN_A_LOOP = 200
_MOST_IN_A_ROW = 3
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_LOOKS = (_constants.ASSERT, _constants.ASSERT_NOT)
_CHARACTERS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
_SAMPLE = [*map(chr, range(128)), *"éßñж中²\u2009"]


class TooLongToCheck(Exception):
    """The automaton of a pattern would be too large."""


def explodes(pattern: str) -> bool:
    """May the time of a match double with each character, or grow faster than the cube of their number?

    Raises what `re.compile` raises, or TooLongToCheck.

    >>> explodes(r"badge (?:a+)+"), explodes(r"(?:a|ab|b)+"), explodes(r"[a-z]+(?: [a-z]+)*")
    (True, True, False)
    """
    tree = _parser.parse(pattern)
    places = _Places(tree.state, [*_SAMPLE, *dict.fromkeys(sign for sign in pattern if sign not in _SAMPLE)])
    places.sequence(tree)
    return places.doubled or any(places.ambiguous(*loop) for loop in places.loops) or places.chain() > _MOST_IN_A_ROW


def widths(pattern: str) -> tuple[int, int]:
    """How many characters a pattern matches at least and at most.

    >>> widths("ab?")
    (1, 2)
    """
    least, most = _parser.parse(pattern).getwidth()
    return int(least), int(most)


@dataclass
class _Part:
    """A part of a pattern: may it be empty, and at which places does it begin and end?"""

    empty: bool
    first: list[int]
    last: list[int]


@dataclass
class _Places:
    """The automaton while it is built."""

    state: Any
    alphabet: list[str]
    signs: list[frozenset[str]] = field(default_factory=list)
    """Place → characters it reads."""
    follow: list[set[int]] = field(default_factory=list)
    loops: list[tuple[int, int]] = field(default_factory=list)
    """First place and the one behind the last, of each outermost repetition."""
    doubled: bool = False
    """Does some place follow another within a repetition, and also by repeating it?"""
    known: dict[str, frozenset[str]] = field(default_factory=dict)
    """Node → characters it reads: a pattern has the same few nodes at hundreds of places."""

    def place(self, signs: Iterable[str]) -> _Part:
        if len(self.signs) >= _MOST_PLACES:
            raise TooLongToCheck
        self.signs.append(frozenset(signs))
        self.follow.append(set())
        return _Part(False, [len(self.signs) - 1], [len(self.signs) - 1])

    def sequence(self, nodes: Iterable[Any]) -> _Part:
        return self.joined(self.part(node) for node in nodes)

    def joined(self, parts: Iterable[_Part]) -> _Part:
        whole = _Part(True, [], [])
        for part in parts:
            for place in whole.last:
                self.follow[place].update(part.first)
            first = [*whole.first, *part.first] if whole.empty else whole.first
            last = [*whole.last, *part.last] if part.empty else part.last
            whole = _Part(whole.empty and part.empty, first, last)
        return whole

    def part(self, node: Any) -> _Part:
        what, given = node
        if what in _CHARACTERS:
            return self.place(self.read_by(node))
        if what in _REPEATS:
            return self.repeated(*given)
        if what is _constants.BRANCH:
            return self.either(given[1])
        if what is _constants.SUBPATTERN:
            return self.sequence(given[3])
        if what is _constants.ATOMIC_GROUP:
            return self.sequence(given)
        if what is _constants.GROUPREF_EXISTS:
            return self.either([given[1], given[2] or []])
        if what is _constants.GROUPREF:
            return self.repeated(0, _constants.MAXREPEAT, [(_constants.ANY, None)])
        if what in _LOOKS:
            self.sequence(given[1])
        return _Part(True, [], [])

    def read_by(self, node: Any) -> frozenset[str]:
        """The characters of the alphabet that a node reads: the engine itself says so."""
        written = repr(node)
        if written not in self.known:
            regex = _compiler.compile(_parser.SubPattern(self.state, [node]), 0)
            self.known[written] = frozenset(sign for sign in self.alphabet if regex.fullmatch(sign))
        return self.known[written]

    def either(self, branches: list[Any]) -> _Part:
        if len(branches) > _MANY_WORDS:
            return self.any_word(branches)
        parts = [self.sequence(branch) for branch in branches]
        first = [place for part in parts for place in part.first]
        return _Part(any(part.empty for part in parts), first, [place for part in parts for place in part.last])

    def any_word(self, branches: list[Any]) -> _Part:
        inner = _Places(self.state, self.alphabet, known=self.known)
        first = {place for branch in branches for place in inner.sequence(branch).first}
        self.doubled |= inner.doubled or any(inner.ambiguous(*loop) for loop in inner.loops)
        head = self.place(sign for place in first for sign in inner.signs[place])
        tail = self.place(sign for signs in inner.signs for sign in signs)
        return self.joined([head, self.again(tail, tail.first[0])])

    def repeated(self, least: int, most: int, body: Any) -> _Part:
        start, loops = len(self.signs), len(self.loops)
        part = self.sequence(body)
        if most > (_LOOPS_WRITTEN_OUT if len(self.loops) > loops else _WRITTEN_OUT):
            part = self.again(part, start)
        elif most > 1:
            part = self.in_a_row([part, *(self.sequence(body) for _ in range(most - 1))], least)
        return _Part(part.empty or least == 0, part.first, part.last)

    def in_a_row(self, copies: list[_Part], least: int) -> _Part:
        """Copies of a part, of which the later ones may be left out: each only if all behind it are."""
        for one, two in pairwise(copies):
            for place in one.last:
                self.follow[place].update(two.first)
        empty = copies[0].empty
        ends = copies[0 if empty else max(least - 1, 0) :]
        return _Part(empty, copies[0].first, [place for copy in ends for place in copy.last])

    def again(self, part: _Part, start: int) -> _Part:
        """Arrows from the ends of a part to its beginnings."""
        begins = set(part.first)
        for place in set(part.last):
            self.doubled |= not begins.isdisjoint(self.follow[place])
            self.follow[place] |= begins
        self.loops = [loop for loop in self.loops if loop[0] < start] + [(start, len(self.signs))]
        return part

    def ambiguous(self, start: int, end: int) -> bool:
        """Do two ways part within a repetition, read the same text, and meet again?"""
        if end - start > _MOST_IN_A_LOOP:
            raise TooLongToCheck
        waiting = [(place, place) for place in range(start, end)]
        seen = set(waiting)
        while waiting:
            one, two = waiting.pop()
            if one != two and any(start <= place < end for place in self.follow[one] & self.follow[two]):
                return True
            for pair in ((p, q) for p in self.follow[one] for q in self.follow[two] if p < q or one != two):
                inside = all(start <= place < end for place in pair)
                if inside and pair not in seen and not self.signs[pair[0]].isdisjoint(self.signs[pair[1]]):
                    seen.add(pair)
                    waiting.append(pair)
        return False

    def chain(self) -> int:
        """How many repetitions follow each other at most that have a character in common with the next, and with all
        that stands between."""
        loop_of = {place: loop for loop in self.loops for place in range(*loop)}
        long: dict[tuple[int, int], int] = {}
        for loop in sorted(self.loops, reverse=True):
            signs = frozenset().union(*(self.signs[place] for place in range(*loop)))
            waiting = list(range(*loop))
            seen, behind = set(waiting), 0
            while waiting:
                for place in self.follow[waiting.pop()] - seen:
                    seen.add(place)
                    if not signs.isdisjoint(self.signs[place]):
                        behind = max(behind, long.get(loop_of.get(place, loop), 0))
                        waiting += [] if place in loop_of else [place]
            long[loop] = 1 + behind
        return max(long.values(), default=0)
