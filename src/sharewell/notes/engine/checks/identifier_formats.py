"""What identifiers look like: the judge's own patterns for the kinds that Safe Harbor lists, in English text.

A pattern is wide where a form is telling by itself (e-mail, SSN), and wants a word before it where numbers of all sorts
are written alike (record numbers, ZIP codes). Matches are counted, never quoted.

>>> [(one.letter, one.title, one.count("Call 617-555-0142 or mail to jo@example.org, seen 3/5/2019.")) for one in LISTED
...     if one.count("Call 617-555-0142 or mail to jo@example.org, seen 3/5/2019.")]
[('C', 'dates finer than the year', 1), ('D', 'telephone numbers', 1), ('F', 'e-mail addresses', 1)]
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sharewell.hierarchy.zips import populous
from sharewell.io.shipped import ShippedPatterns
from sharewell.notes.engine.checks.month_words import ENGLISH_NAMED
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.checks.unit_words import DOSE_UNIT

Match = re.Match[str]
_SHIPPED = ShippedPatterns("notes/identifier_formats.toml", english_month=ENGLISH_NAMED, dose_unit=DOSE_UNIT)
_YEAR = _SHIPPED.pieces["year"]


@dataclass(frozen=True)
class IdentifierFormat:
    """One kind of identifier, by its letter in 45 CFR 164.514(b)(2)(i), and how it is written."""

    letter: str
    title: str
    pattern: re.Pattern[str] | None = field(default=None, repr=False)
    counts: Callable[[Match], bool] = field(default=lambda match: True, repr=False)
    """Whether a match is one."""
    unseen: str = ""
    """What no pattern can tell."""

    def count(self, text: str) -> int:
        """How many stand in a plain text."""
        if self.pattern is None:
            return 0
        return sum(map(self.counts, self.pattern.finditer(text)))


def _place(match: Match) -> bool:
    """Of ZIP codes: three digits of a populous area, and 000, may stay."""
    three = match.groupdict().get("three")
    return three is None or (three != "000" and three not in populous())


def _address(match: Match) -> bool:
    try:
        ipaddress.ip_address(match[0])
    except ValueError:
        return False
    return True


def _named(match: Match) -> bool:
    """A title and a capital; "Mr. X" and the like are no names."""
    name = match["name"]
    return len(name) > 1 and (len(name) > 4 or not name.isupper())


def _date(match: Match) -> bool:
    """In lower case, "may" and "march" are verbs, unless a year follows."""
    verb = re.search(r"\b(?:may|march)\b", match[0])
    return verb is None or bool(re.search(_YEAR, match[0]) or re.match(rf",?\s*{_YEAR}", match.string[match.end() :]))


_COUNTS: dict[str, Callable[[Match], bool]] = {
    "names": _named,
    "places smaller than a state": _place,
    "dates finer than the year": _date,
    "IP addresses": _address,
}


def _format(kind: dict[str, Any]) -> IdentifierFormat:
    """From an entry of the file; of several patterns any one counts, in any case of letters."""
    written = [f"(?:{pattern})" for pattern in kind.get("patterns", ())]
    pattern = re.compile("|".join(written), re.IGNORECASE) if written else None
    if "as_written" in kind:
        pattern = re.compile(kind["as_written"])
    known = {"counts": _COUNTS[kind["title"]]} if kind["title"] in _COUNTS else {}
    return IdentifierFormat(kind["letter"], kind["title"], pattern, unseen=kind.get("unseen", ""), **known)


LISTED = tuple(map(_format, _SHIPPED.content["kinds"]))
"""The 18 kinds, in the order of the rule; dates and ages are one kind there."""
AGES = next(kind for kind in LISTED if kind.title == "ages over 89")


def count_formats(text: str) -> list[int]:
    """How many of each kind stand in a text."""
    bare = plain(text)
    return [identifier.count(bare) for identifier in LISTED]


def birth_years(text: str) -> list[int]:
    """Years that a text calls years of birth."""
    return [int(match[1]) for match in _SHIPPED["born"].finditer(plain(text))]
