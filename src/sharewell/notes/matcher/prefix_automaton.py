"""Which of many patterns may match at a place: one walk over its first characters instead of a try of each.

The patterns become one automaton whose states are made as texts need them. It knows less than the patterns: what looks
around (`(?<!…)`, `(?=…)`, `\\b`) it takes to agree, and what it cannot follow (a reference to a group) to match. So it
may name a pattern that does not match, which is tried then, and never leaves out one that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from re import IGNORECASE, _constants, _parser  # type: ignore[attr-defined]  # the only parse tree of patterns there is
from typing import Any, NamedTuple

Parsed = Any
"""A pattern, or a part of it, as Python's parser of patterns gives it."""
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_AROUND = (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT)
_SIGNS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
_DEPTH = 16
"""So many characters a walk looks at."""
_MANY_TIMES = 2 * _DEPTH
"""What may be repeated so often may be repeated for ever, as far as a walk can see."""
_KEPT = 20_000
"""States are forgotten when there are more."""
_FEW_PLACES = 3
"""More of them at one point of a pattern are held as one."""
_FEW_TRIES = 32
"""So often a pattern is tried in vain before it pays to know what it begins with."""


@lru_cache(maxsize=4)
def _parsed(pattern: str) -> Parsed:
    return _parser.parse(pattern)


class _Place:
    """A place in a pattern where a character comes next; `rest` says what follows it."""

    __slots__ = ("_rest", "_tree", "admitted")

    def __init__(self, tree: _Tree, what: Parsed, rest: _Rest) -> None:
        self._tree, self._rest = tree, rest
        bits = _bits(*what)
        self.admitted = bits | _other_case(bits) if rest.any_case else bits
        """A bit for each ASCII character that may stand here, and one for all others (`BEYOND`)."""

    def further(self, code: int | None = None) -> frozenset[_Place | None]:
        """The places after it; None among them: all of the pattern has matched."""
        return self._tree.places(self._rest)

    def each(self) -> Iterable[_Place]:
        """Itself."""
        return (self,)


class _Choice(_Place):
    """Many places of which one comes next, such as the first letters of a list of words, held as one: a state of the
    automaton then has a place for the list, not for every word of it. What follows a character is worked out once."""

    __slots__ = ("_after", "_all")

    def __init__(self, places: frozenset[_Place]) -> None:
        self._all = places
        self._after: dict[int | None, frozenset[_Place | None]] = {}
        self.admitted = 0
        for place in places:
            self.admitted |= place.admitted

    def further(self, code: int | None = None) -> frozenset[_Place | None]:
        """The places after a character; without one, after any."""
        if code not in self._after:
            admit = [place for place in self._all if code is None or place.admitted >> code & 1]
            self._after[code] = frozenset[_Place | None]().union(*[place.further(code) for place in admit])
        return self._after[code]

    def each(self) -> Iterable[_Place]:
        """The places that it holds."""
        return (single for place in self._all for single in place.each())


class _Rest(NamedTuple):
    """What of a pattern is still to come: nodes from one on, or again and again, and then the rest of that."""

    nodes: Parsed
    at: int
    then: _Rest | None
    any_case: bool
    least: int = -1
    """How often the nodes are repeated at least; -1: they come once."""
    most: int = 0


class _Tree:
    """One pattern."""

    def __init__(self, pattern: str) -> None:
        parsed = _parsed(pattern)
        self._rests: dict[tuple[Parsed, ...], _Rest] = {}
        self._places: dict[int, frozenset[_Place | None]] = {}
        self.first = self.places(self._one(_Rest(parsed, 0, None, bool(parsed.state.flags & IGNORECASE))))

    def _one(self, rest: _Rest) -> _Rest:
        """The same object for what is the same."""
        return self._rests.setdefault((id(rest.nodes), rest.at, id(rest.then), *rest[3:]), rest)

    def places(self, rest: _Rest | None) -> frozenset[_Place | None]:
        """Where a character comes next, or None for the end."""
        if rest is None:
            return frozenset((None,))
        if id(rest) not in self._places:
            places = frozenset(self._repeated(rest) if rest.least >= 0 else self._next(rest))
            self._places[id(rest)] = places if len(places) <= _FEW_PLACES else _as_one(places)
        return self._places[id(rest)]

    def _repeated(self, rest: _Rest) -> Iterable[_Place | None]:
        least, most = rest.least, rest.most
        result: set[_Place | None] = set() if least else set(self.places(rest.then))
        if most:
            fewer = most if most >= _MANY_TIMES else most - 1
            again = self._one(rest._replace(least=max(0, least - 1), most=fewer))
            result |= self.places(self._one(_Rest(rest.nodes, 0, again, rest.any_case)))
        return result

    def _next(self, rest: _Rest) -> Iterable[_Place | None]:
        if rest.at == len(rest.nodes):
            return self.places(rest.then)
        what, given = rest.nodes[rest.at]
        then = self._one(rest._replace(at=rest.at + 1))
        if what in _SIGNS:
            return (_Place(self, (what, given), then),)
        if what in _AROUND:
            return self.places(then)
        inner, any_case = self._inner(what, given), rest.any_case
        if what is _constants.SUBPATTERN:
            any_case = (any_case or bool(given[1] & IGNORECASE)) and not given[2] & IGNORECASE
        if what in _REPEATS and given[2].getwidth()[0]:
            most = min(int(given[1]), _MANY_TIMES)
            return self.places(self._one(_Rest(given[2], 0, then, any_case, given[0], most)))
        if not inner:
            return (None,)
        return {place for nodes in inner for place in self.places(self._one(_Rest(nodes, 0, then, any_case)))}

    def _inner(self, what: Parsed, given: Parsed) -> Sequence[Parsed]:
        """The patterns of which one comes next; none where that cannot be told."""
        if what is _constants.SUBPATTERN:
            return (given[3],)
        if what is _constants.ATOMIC_GROUP:
            return (given,)
        return given[1] if what is _constants.BRANCH else ()


def _as_one(places: frozenset[_Place | None]) -> frozenset[_Place | None]:
    choice = _Choice(frozenset(place for place in places if place))
    return frozenset((choice, None) if None in places else (choice,))


def _bits(what: Parsed, given: Parsed) -> int:
    """The characters that a part of a pattern admits, as bits."""
    if what is _constants.IN:
        negated = given[0][0] is _constants.NEGATE
        bits = 0
        for one in given[negated:]:
            bits |= _bits(*one)
        return _ASCII & ~bits | 1 << BEYOND if negated else bits
    if what is _constants.LITERAL:
        return 1 << min(int(given), BEYOND)
    if what is _constants.NOT_LITERAL:
        return _ALL & ~(1 << given) if given < BEYOND else _ALL
    if what is _constants.RANGE:
        first, last = min(int(given[0]), BEYOND), min(int(given[1]), BEYOND)
        return (1 << last + 1) - (1 << first)
    return _CATEGORIES.get(given, _ALL) if what is _constants.CATEGORY else _ALL


def _other_case(bits: int) -> int:
    """The same letters in the other case; any letter beyond ASCII may be one of them, and they the other case of it."""
    upper, lower = bits >> 65 & _LETTERS, bits >> 97 & _LETTERS
    beyond = _LETTERS << 65 | _LETTERS << 97 if bits >> BEYOND else 1 << BEYOND
    return upper << 97 | lower << 65 | (beyond if upper or lower or bits >> BEYOND else 0)


BEYOND = 128
"""The bit, and the number, of characters that are not ASCII."""
_ASCII, _ALL, _LETTERS = (1 << BEYOND) - 1, (2 << BEYOND) - 1, (1 << 26) - 1
_NO_LETTERS = _ALL & ~(_LETTERS << 65 | _LETTERS << 97)
_LETTERS_BEYOND = sum(1 << ord(letter) for letter in "iksIKS")
"""Letters that also have another case which is not ASCII."""


def _category(kinds: Sequence[Parsed], admits: Callable[[str], bool]) -> dict[Parsed, int]:
    bits = sum(1 << code for code in range(BEYOND) if admits(chr(code)))
    return {kinds[0]: bits | 1 << BEYOND, kinds[1]: _ASCII & ~bits | 1 << BEYOND}


_CATEGORIES = {
    **_category((_constants.CATEGORY_DIGIT, _constants.CATEGORY_NOT_DIGIT), str.isdecimal),
    **_category((_constants.CATEGORY_SPACE, _constants.CATEGORY_NOT_SPACE), str.isspace),
    **_category(
        (_constants.CATEGORY_WORD, _constants.CATEGORY_NOT_WORD),
        lambda character: character.isalnum() or character == "_",
    ),
}


def first_characters(pattern: str, depth: int) -> list[int]:
    r"""Bits of the characters that may stand at the first places of a match; all of them where it may have ended.

    >>> [f"{bits:b}".count("1") for bits in first_characters(r"[a-c]x?\d", 3)]
    [3, 12, 129]
    """
    return _levels(_Tree(pattern).first, depth)


def _levels(places: Iterable[_Place | None], depth: int) -> list[int]:
    levels = list[int]()
    while len(levels) < depth and None not in places:
        bits, further = 0, set[_Place | None]()
        for place in places:
            if place is not None:
                bits |= place.admitted
                further |= place.further()
        levels.append(bits)
        places = frozenset(further)
    return levels + [_ALL] * (depth - len(levels))


def beginnings(pattern: str, depth: int, most: int) -> list[list[int]]:
    r"""The same for up to so many parts of its first characters, which together are all of them: after "w" of
    `weg|platz` comes "e" and never "l".

    >>> [[bits.bit_length() for bits in part] for part in beginnings("weg|platz|[a-c]", 2, 9)]
    [[100, 129], [113, 109], [120, 102]]
    """
    first = _Tree(pattern).first
    if None in first:
        return [[_ALL] * depth]
    parts: list[tuple[int, set[_Place | None]]] = [(_ALL, set())]
    for place in (single for held in first if held for single in held.each()):
        split = [(bits & place.admitted, {*places, place}) for bits, places in parts]
        parts = [part for part in (*split, *((b & ~place.admitted, places) for b, places in parts)) if part[0]]
    parts = sorted([part for part in parts if part[1]], key=itemgetter(0))
    for bits, places in parts[most:]:
        parts[most - 1] = parts[most - 1][0] | bits, parts[most - 1][1] | places
    return [
        [bits, *_levels({further for place in places if place for further in place.further()}, depth - 1)]
        for bits, places in parts[:most]
    ]


def preceding_characters(pattern: str) -> int:
    r"""Bits of the characters that may stand right before a match, as far as what the pattern begins with tells.

    >>> [f"{preceding_characters(pattern):b}".count("1") for pattern in (r"(?<![a-z])x", r"\bx", r"\W")]
    [103, 66, 129]
    """
    bits, parsed = _ALL, _parsed(pattern)
    for what, given in parsed:
        if what is _constants.AT and given is _constants.AT_BOUNDARY:
            if not first_characters(pattern, 1)[0] & ~_CATEGORIES[_constants.CATEGORY_WORD]:
                bits &= _CATEGORIES[_constants.CATEGORY_NOT_WORD]
        elif what is _constants.ASSERT_NOT and given[0] < 0 and len(given[1]) == 1 and given[1][0][0] in _SIGNS:
            refused = _bits(*given[1][0])
            if parsed.state.flags & IGNORECASE:  # `[^a]` refuses neither a nor A
                refused &= _NO_LETTERS | _other_case(refused & _ASCII) & ~_LETTERS_BEYOND
            bits &= ~refused | 1 << BEYOND
        elif what not in _AROUND:
            break
    return bits


class _State(dict[str, "_State"]):
    """Where all patterns are after some characters: those that may have matched already, and the places of the rest."""

    __slots__ = ("named", "open", "reached", "settled")

    def __init__(self, reached: frozenset[int], places: frozenset[tuple[int, _Place]]) -> None:
        self.reached, self.open = tuple(sorted(reached)), places
        self.named = tuple(sorted({*reached, *(number for number, _ in places)}))
        self.settled = not places


class PrefixAutomaton:
    r"""Numbers of the patterns that may match where a text is looked at.

    >>> automaton = PrefixAutomaton([r"\d\d:\d\d", r"\d{1,3} ?mg", r"(?<!x)\d+\."])
    >>> automaton.may_match("12 mg", 0, automaton.start()), automaton.may_match("12.", 0, automaton.start())
    ((1,), (2,))
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = patterns
        self._trees: dict[str, _Tree] = {}
        self._starts: dict[object, _State] = {}
        self._states: dict[tuple[frozenset[int], frozenset[tuple[int, _Place]]], _State] = {}

    def start(self, numbers: Iterable[int] | None = None) -> _State:
        """Where a walk begins that knows some of the patterns only."""
        key = None if numbers is None else tuple(numbers)
        if key not in self._starts:
            all_places: set[tuple[int, _Place | None]] = set()
            for number in range(len(self._patterns)) if key is None else key:
                pattern = self._patterns[number]
                tree = self._trees.get(pattern) or self._trees.setdefault(pattern, _Tree(pattern))
                all_places |= {(number, place) for place in tree.first}
            self._starts[key] = self._state(all_places)
        return self._starts[key]

    def may_match(self, text: str, at: int, start: _State) -> tuple[int, ...]:
        """Of the patterns of a start, those that may match at a place of a text."""
        state = start
        for character in text[at : at + _DEPTH]:
            if state.settled:
                return state.reached
            further = state.get(character)
            state = self._after(state, character) if further is None else further
        return state.named if at + _DEPTH < len(text) else state.reached

    def _after(self, state: _State, character: str) -> _State:
        code = min(ord(character), BEYOND)
        places: set[tuple[int, _Place | None]] = set()
        for number, place in [one for one in state.open if one[1].admitted >> code & 1]:
            places |= {(number, further) for further in place.further(code)}
        after = state[character] = self._state(places, state.reached)
        return after

    def _state(self, places: Iterable[tuple[int, _Place | None]], reached: Iterable[int] = ()) -> _State:
        all_reached = frozenset((*reached, *(number for number, place in places if place is None)))
        still = frozenset([(number, place) for number, place in places if place and number not in all_reached])
        if len(self._states) > _KEPT:
            self._states.clear()
            for start in self._starts.values():
                start.clear()
        if (all_reached, still) not in self._states:
            self._states[all_reached, still] = _State(all_reached, still)
        return self._states[all_reached, still]


class FirstCharacters(dict[str, bool]):
    """Character → whether a pattern may begin with it, or match nothing at all; told as it is asked for.

    The first few times it may begin with any: a short note is read before the pattern is worth a look.
    """

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self._pattern, self._asked = pattern, 0

    @cached_property
    def _bits(self) -> int:
        return first_characters(self._pattern, 1)[0]

    def __missing__(self, character: str) -> bool:
        self._asked += 1
        if self._asked <= _FEW_TRIES:
            return True
        answer = self[character] = bool(self._bits >> min(ord(character), BEYOND) & 1)
        return answer
