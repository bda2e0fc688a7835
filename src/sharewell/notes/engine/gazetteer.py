"""Names of places: cities and counties (shipped, from GeoNames), states of the US, countries; loaded when asked for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

from sharewell.io.shipped import shipped_text
from sharewell.notes.engine.sorted_marks import SortedMarks


@cache
def places() -> SortedMarks:
    """Cities and counties, as words joined by blanks: mark `*` large, `u` of the US, `w` of the world."""
    further = map(plain, (*_more_places()["neighbourhood"], *_more_places()["region"]))
    return SortedMarks.shipped("places.txt.gz", further, lambda name, mark: mark or "u")


def place_at(words: Sequence[str]) -> tuple[int, str]:
    """How many of the words (lower case) make the longest name that begins here, and its mark; 0: none."""
    for count in range(min(places().most_words(words[0]), len(words)), 0, -1):
        mark = places().get(" ".join(words[:count]))
        if mark:
            return count, mark
    return 0, ""


@cache
def state_names() -> frozenset[str]:
    return frozenset(name.lower() for name in STATES.values()) | frozenset(_more_places()["province"])


@cache
def countries() -> frozenset[str]:
    """Countries in lower case."""
    return frozenset(_more_places()["country"])


@cache
def _more_places() -> dict[str, list[str]]:
    """Sort of place → names that the list of cities lacks, from a file with a line `# sort` above the names of each."""
    by_sort: dict[str, list[str]] = {}
    for line in shipped_text("more_places.txt").splitlines():
        if line.startswith("#"):
            names = by_sort.setdefault(line.removeprefix("# "), [])
        else:
            names += line.split(", ")
    return by_sort


STATES = {entry[:2]: entry[3:] for entry in _more_places()["state"]}
"""USPS codes and names."""


def plain(word: str) -> str:
    """Without accents, as the list writes names."""
    if word.isascii():
        return word
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return bare.replace("ø", "o").replace("ł", "l").replace("đ", "d").replace("ß", "ss")
