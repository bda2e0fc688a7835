"""What patterns may begin with, told by their parse trees: plain lists that can be kept, so that no process parses
them again.

A beginning knows less than its pattern: what looks around (`(?<!…)`, `(?=…)`, `\\b`) it takes to agree, and what it
cannot follow (a reference to a group) to match. What it says of the first characters of a match holds for every match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from re import IGNORECASE, _constants, _parser  # type: ignore[attr-defined]  # the only parse tree of patterns there is
from typing import Any, NamedTuple

Node = Any
"""A number: one character, a bit for each that it may be. [OR, nodes, …]: one of several parts. [AGAIN, least, most,
nodes]: a part so often. None: what cannot be told, and all that follows."""
OR, AGAIN = "or", "again"
Parsed = Any
"""A pattern, or a part of it, as Python's parser of patterns gives it."""
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_AROUND = (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT)
_SIGNS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
MANY_TIMES = 12
"""What may be repeated so often may be repeated for ever, as far as anybody looks."""
BEYOND = 128
"""The bit, and the number, of characters that are not ASCII."""
_ASCII, ALL, _LETTERS = (1 << BEYOND) - 1, (2 << BEYOND) - 1, (1 << 26) - 1
_NO_LETTERS = ALL & ~(_LETTERS << 65 | _LETTERS << 97)
_LETTERS_BEYOND = sum(1 << ord(letter) for letter in "iksIKS")
"""Letters that also have another case which is not ASCII."""


class Beginning(NamedTuple):
    """What a pattern begins with, and bits of the characters that may stand right before it."""

    nodes: list[Node]
    preceding: int


@lru_cache(maxsize=4)
def _parsed(pattern: str) -> Parsed:
    return _parser.parse(pattern)


@lru_cache(maxsize=256)
def beginning(pattern: str) -> Beginning:
    r"""What a pattern begins with.

    >>> [f"{node:b}".count("1") for node in beginning(r"(?<!x)[a-c](?i:y)\\d").nodes[:2]]
    [3, 3]
    """
    parsed = _parsed(pattern)
    return Beginning(list(_nodes(parsed, bool(parsed.state.flags & IGNORECASE))), _preceding(parsed))


def _nodes(parsed: Parsed, any_case: bool) -> Iterable[Node]:
    for what, given in parsed:
        if what in _SIGNS:
            bits = _bits(what, given)
            yield bits | _other_case(bits) if any_case else bits
        elif what is _constants.SUBPATTERN:
            yield from _nodes(given[3], (any_case or bool(given[1] & IGNORECASE)) and not given[2] & IGNORECASE)
        elif what is _constants.ATOMIC_GROUP:
            yield from _nodes(given, any_case)
        elif what is _constants.BRANCH:
            yield [OR, *(list(_nodes(part, any_case)) for part in given[1])]
        elif what in _REPEATS and given[2].getwidth()[0]:
            yield [AGAIN, int(given[0]), min(int(given[1]), MANY_TIMES), list(_nodes(given[2], any_case))]
        elif what not in _AROUND:
            yield None


def first_characters(nodes: Sequence[Node]) -> int:
    r"""Bits of the characters that a match may begin with; all of them where it may be empty.

    >>> [f"{first_characters(beginning(pattern).nodes):b}".count("1") for pattern in (r"x?[a-c]|\d", "x?", r"(a)?\1")]
    [15, 129, 129]
    """
    bits, empty = _first(nodes)
    return ALL if empty else bits


def _first(nodes: Sequence[Node]) -> tuple[int, bool]:
    """The same, and whether all of it may be empty."""
    bits = 0
    for node in nodes:
        if node is None:
            return ALL, True
        if isinstance(node, int):
            return bits | node, False
        parts = [_first(part) for part in (node[1:] if node[0] == OR else node[3:])]
        for part, _ in parts:
            bits |= part
        if not any(empty for _, empty in parts) and (node[0] == OR or node[1]):
            return bits, False
    return bits, True


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
        return ALL & ~(1 << given) if given < BEYOND else ALL
    if what is _constants.RANGE:
        first, last = min(int(given[0]), BEYOND), min(int(given[1]), BEYOND)
        return (1 << last + 1) - (1 << first)
    return _CATEGORIES.get(given, ALL) if what is _constants.CATEGORY else ALL


def _other_case(bits: int) -> int:
    """The same letters in the other case; any letter beyond ASCII may be one of them, and they the other case of it."""
    upper, lower = bits >> 65 & _LETTERS, bits >> 97 & _LETTERS
    beyond = _LETTERS << 65 | _LETTERS << 97 if bits >> BEYOND else 1 << BEYOND
    return upper << 97 | lower << 65 | (beyond if upper or lower or bits >> BEYOND else 0)


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


def _preceding(parsed: Parsed) -> int:
    r"""Bits of the characters that may stand right before a match, as far as what the pattern begins with tells.

    >>> [f"{beginning(pattern).preceding:b}".count("1") for pattern in (r"(?<![a-z])x", r"\bx", r"\W")]
    [103, 66, 129]
    """
    bits, any_case = ALL, bool(parsed.state.flags & IGNORECASE)
    for what, given in parsed:
        if what is _constants.AT and given is _constants.AT_BOUNDARY:
            if not first_characters(list(_nodes(parsed, any_case))) & ~_CATEGORIES[_constants.CATEGORY_WORD]:
                bits &= _CATEGORIES[_constants.CATEGORY_NOT_WORD]
        elif what is _constants.ASSERT_NOT and given[0] < 0 and len(given[1]) == 1 and given[1][0][0] in _SIGNS:
            refused = _bits(*given[1][0])
            if any_case:  # `[^a]` refuses neither a nor A
                refused &= _NO_LETTERS | _other_case(refused & _ASCII) & ~_LETTERS_BEYOND
            bits &= ~refused | 1 << BEYOND
        elif what not in _AROUND:
            break
    return bits
