"""Which of many patterns may match at a place: one walk over its first characters instead of a try of each.

What the patterns begin with (`pattern_beginnings`) becomes one automaton whose states are made as texts need them. It
may name a pattern that does not match, which is tried then, and never leaves out one that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from sharewell.notes.matcher.pattern_beginnings import ALL, BEYOND, MANY_TIMES, OR, Beginning, Node

_DEPTH = MANY_TIMES // 2
"""So many characters a walk looks at."""
_KEPT = 20_000
"""States are forgotten when there are more."""
_FEW_PLACES = 3
"""More of them at one point of a pattern are held as one."""


class _Place:
    """A place in a pattern where a character comes next; `rest` says what follows it."""

    __slots__ = ("_rest", "_tree", "admitted")

    def __init__(self, tree: _Tree, admitted: int, rest: _Rest) -> None:
        self._tree, self._rest = tree, rest
        self.admitted = admitted
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

    nodes: list[Node]
    at: int
    then: _Rest | None
    least: int = -1
    """How often the nodes are repeated at least; -1: they come once."""
    most: int = 0


class _Tree:
    """One pattern."""

    def __init__(self, nodes: list[Node]) -> None:
        self._rests: dict[tuple[int, ...], _Rest] = {}
        self._places: dict[int, frozenset[_Place | None]] = {}
        self.first = self.places(self._one(_Rest(nodes, 0, None)))

    def _one(self, rest: _Rest) -> _Rest:
        """The same object for what is the same."""
        return self._rests.setdefault((id(rest.nodes), rest.at, id(rest.then), rest.least, rest.most), rest)

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
            fewer = most if most >= MANY_TIMES else most - 1
            again = self._one(rest._replace(least=max(0, least - 1), most=fewer))
            result |= self.places(self._one(_Rest(rest.nodes, 0, again)))
        return result

    def _next(self, rest: _Rest) -> Iterable[_Place | None]:
        if rest.at == len(rest.nodes):
            return self.places(rest.then)
        node = rest.nodes[rest.at]
        if node is None:
            return (None,)
        then = self._one(rest._replace(at=rest.at + 1))
        if isinstance(node, int):
            return (_Place(self, node, then),)
        if node[0] == OR:
            return {place for nodes in node[1:] for place in self.places(self._one(_Rest(nodes, 0, then)))}
        return self.places(self._one(_Rest(node[3], 0, then, node[1], node[2])))


def _as_one(places: frozenset[_Place | None]) -> frozenset[_Place | None]:
    choice = _Choice(frozenset(place for place in places if place))
    return frozenset((choice, None) if None in places else (choice,))


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
    return levels + [ALL] * (depth - len(levels))


def beginnings(pattern: Beginning, depth: int, most: int) -> list[list[int]]:
    r"""Bits of the characters that may stand at the first places of a match, all of them where it may have ended.

    They are told for up to so many parts of its first characters, which together are all of them: after "w" of
    `weg|platz` comes "e" and never "l".

    >>> from sharewell.notes.matcher.pattern_beginnings import beginning
    >>> [[bits.bit_length() for bits in part] for part in beginnings(beginning("weg|platz|[a-c]"), 2, 9)]
    [[100, 129], [113, 109], [120, 102]]
    """
    first = _Tree(pattern.nodes).first
    if None in first:
        return [[ALL] * depth]
    parts: list[tuple[int, set[_Place | None]]] = [(ALL, set())]
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


class _State(dict[str, "_State"]):
    """Where all patterns are after some characters: those that may have matched already, and the places of the rest."""

    __slots__ = ("named", "open", "reached", "settled")

    def __init__(self, reached: frozenset[int], places: frozenset[tuple[int, _Place]]) -> None:
        self.reached, self.open = tuple(sorted(reached)), places
        self.named = tuple(sorted({*reached, *(number for number, _ in places)}))
        self.settled = not places


class PrefixAutomaton:
    r"""Numbers of the patterns that may match where a text is looked at.

    >>> from sharewell.notes.matcher.pattern_beginnings import beginning
    >>> automaton = PrefixAutomaton([beginning(text) for text in (r"\d\d:\d\d", r"\d{1,3} ?mg", r"(?<!x)\d+\.")])
    >>> automaton.may_match("12 mg", 0, automaton.start()), automaton.may_match("12.", 0, automaton.start())
    ((1,), (2,))
    """

    def __init__(self, patterns: Sequence[Beginning]) -> None:
        self._patterns = patterns
        self._trees: dict[int, _Tree] = {}
        self._starts: dict[object, _State] = {}
        self._states: dict[tuple[frozenset[int], frozenset[tuple[int, _Place]]], _State] = {}

    def start(self, numbers: Iterable[int] | None = None) -> _State:
        """Where a walk begins that knows some of the patterns only."""
        key = None if numbers is None else tuple(numbers)
        if key not in self._starts:
            all_places: set[tuple[int, _Place | None]] = set()
            for number in range(len(self._patterns)) if key is None else key:
                tree = self._trees.get(number) or self._trees.setdefault(number, _Tree(self._patterns[number].nodes))
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
