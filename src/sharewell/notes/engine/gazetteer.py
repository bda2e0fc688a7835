"""Names of places: cities and counties (shipped, from GeoNames), states of the US, countries; loaded when asked for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

from sharewell.io.shipped import shipped_marks, shipped_text


@dataclass(frozen=True)
class Places:
    """Names as words joined by blanks, with their mark, and the most words a name has that begins with a word."""

    marks: dict[str, str]
    longest: dict[str, int]

    def at(self, words: list[str]) -> tuple[int, str]:
        """How many of the words (lower case) make the longest name that begins here, and its mark; 0: none."""
        for count in range(min(self.longest.get(words[0], 0), len(words)), 0, -1):
            mark = self.marks.get(" ".join(words[:count]))
            if mark:
                return count, mark
        return 0, ""


@cache
def places() -> Places:
    """Cities and counties: mark `*` large, `u` of the US, `w` of the world."""
    marks = shipped_marks("places.txt.gz")
    for name in map(plain, (*_more_places()["neighbourhood"], *_more_places()["region"])):
        marks.setdefault(name, "u")
    longest = dict.fromkeys([name for name in marks if " " not in name], 1)
    for name in [name for name in marks if " " in name]:
        first, count = name[: name.index(" ")], name.count(" ") + 1
        if longest.get(first, 0) < count:
            longest[first] = count
    return Places(marks, longest)


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
