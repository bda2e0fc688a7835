"""Names of people in a column whose own name says nothing, by lists of given names and surnames of one country."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.io.shipped import shipped_rows

_FULL_NAME = re.compile(r"([^\W\d_]{2,})(?: [^\W\d_]\.?)?(,?) ([^\W\d_]{2,})")
_WITHIN = re.compile(r"(?<!\w)(?=([A-Z][^\W\d_]+) ([A-Z][^\W\d_]+)(?!\w))")
_WORDS_ALONE = r"^\s*\pL[\pL'’.-]*,?(\s+\pL[\pL'’.-]*,?)+\s*$"
_NEARLY_ALL = 0.95
_FEWEST = 3
_MOST_GIVEN = 0.7
"""This many of the different values must be given names, where each is one word: fewer may be towns."""
_FEWEST_GIVEN = 10


def is_full_name(text: str) -> bool:
    """A given name and a surname, either first.

    >>> [is_full_name(text) for text in ("Mary Smith", "Smith, Mary", "MARÍA J. GARCÍA", "Visit Date", "Mary")]
    [True, True, True, False, False]
    """
    match = _FULL_NAME.fullmatch(text.strip())
    if match is None or not (match[1][0].isupper() and match[3][0].isupper()):
        return False
    given, surname = (match[3], match[1]) if match[2] else (match[1], match[3])
    return _look(given) in _given_names() and _look(surname) in _surnames()


def is_given_name(text: str) -> bool:
    """One word, which is a given name.

    >>> [is_given_name(text) for text in ("Mary", "Ward", "Mary Smith")]
    [True, False, False]
    """
    return _look(text) in _given_names()


def all_written_as_names(values: pa.Array) -> bool:
    """Are nearly all of them two words or more, of letters alone, whatever the list of names has?

    >>> all_written_as_names(pa.array(["Okafor, Chidi", "GRØ Berg", "O'Neill, Mary-Jo A."]))
    True
    >>> all_written_as_names(pa.array(["P-0012", "anna"]))
    False
    """
    fitting = pc.sum(pc.match_substring_regex(values, _WORDS_ALONE)).as_py() or 0
    return bool(fitting >= _NEARLY_ALL * len(values))


def are_people(values: Sequence[str]) -> bool:
    """Are most of these different values full names, or given names?

    >>> are_people(["Mary Smith", "John Brown", "Linda Garcia"]), are_people(["Boston", "Jackson", "Franklin"])
    (True, False)
    """
    if 2 * sum(map(is_full_name, values)) >= max(len(values), 2 * _FEWEST):
        return True
    given = sum(_look(value) in _given_names() for value in values)
    return given >= max(_FEWEST_GIVEN, _MOST_GIVEN * len(values))


def tells_of_people(values: Sequence[str]) -> bool:
    """Does a fifth of these values hold a full name beside other words?

    >>> tells_of_people(["Spoke with Mary Smith today.", "Called John Brown.", "Linda Garcia was out.", "Well."])
    True
    """
    return 5 * sum(map(_holds_name, values)) >= max(len(values), 5 * _FEWEST)


def _holds_name(text: str) -> bool:
    pairs = ((_look(match[1]), _look(match[2])) for match in _WITHIN.finditer(text))
    return any(given in _given_names() and surname in _surnames() for given, surname in pairs)


def _look(text: str) -> str:
    """Without case and accents: the lists have none."""
    plain = unicodedata.normalize("NFKD", text.strip())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()


@cache
def _given_names() -> frozenset[str]:
    return frozenset(row["name"].casefold() for row in shipped_rows("names/given.csv"))


@cache
def _surnames() -> frozenset[str]:
    return frozenset(row["surname"].casefold() for row in shipped_rows("names/surnames_2010.csv.gz"))
