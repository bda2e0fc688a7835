"""Signs that a text must hold if a short pattern is to match: a quick look that saves the search.

Only what is neither a letter nor a blank counts: those look the same however a rule sees a note.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from re import _constants, _parser  # type: ignore[attr-defined]  # the only parse tree of patterns there is
from typing import Any

_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_MANY = 64


@cache
def needed_signs(pattern: str) -> tuple[frozenset[str], ...]:
    r"""Sets of signs, of each of which one must be there.

    >>> [sorted(signs) for signs in needed_signs(r"[/:] ?[A-Z]+\d(?:#|@)x?")]
    [['/', ':'], ['#', '@']]
    """
    return tuple(frozenset(map(chr, signs)) for signs in _of_sequence(_parser.parse(pattern)))


def _of_sequence(nodes: Iterable[Any]) -> list[set[int]]:
    return [signs for node in nodes for signs in _of_node(*node)]


def _of_node(what: Any, given: Any) -> list[set[int]]:
    if what is _constants.LITERAL:
        return _telling({given})
    if what is _constants.IN:
        return _of_class(given)
    if what is _constants.SUBPATTERN:
        return [] if given[1] or given[2] else _of_sequence(given[3])
    if what in _REPEATS:
        return _of_sequence(given[2]) if given[0] else []
    if what is _constants.BRANCH:
        branches = [_of_sequence(branch) for branch in given[1]]
        return [set().union(*(needs[0] for needs in branches))] if all(branches) else []
    return []


def _of_class(items: Iterable[Any]) -> list[set[int]]:
    signs: set[int] = set()
    for what, given in items:
        if what is _constants.LITERAL:
            signs.add(given)
        elif what is _constants.RANGE and given[1] - given[0] < _MANY:
            signs.update(range(given[0], given[1] + 1))
        else:
            return []
    return _telling(signs)


def _telling(signs: set[int]) -> list[set[int]]:
    return [] if any(chr(sign).isspace() or chr(sign).isalpha() for sign in signs) else [signs]
