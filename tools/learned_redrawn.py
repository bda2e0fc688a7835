"""The same note about other people: names, places, dates and numbers drawn anew, the layout changed, words misspelt,
all in small letters or capitals. So a model learns what stands around a value rather than values, and not one author's
way to write.

Names are drawn letter by letter (`learned_variants.drawn_name`), from the lists of names, or are everyday words; the
same name becomes the same other one wherever it stands. All draws come from the generator that is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

from learned_variants import Row, drawn_name, everyday_names, of_pieces, town_names, with_phrases

from sharewell.notes.engine.lexicons import people, words

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONG_WORD = re.compile(r"[a-z]{5,}")
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")
_EVERYDAY = ("1", "2")
_NUMBERED = ("DATE", "ID", "PHONE", "SSN")
_GENERIC = frozenset((
    "hospital", "clinic", "center", "centre", "medical", "health", "care", "home", "house", "street", "road",
    "avenue", "drive", "lane", "school", "of", "the", "and", "st", "saint", "university", "general", "community",
    "memorial", "regional", "surgery", "practice", "pharmacy", "court", "place", "close", "way",
))  # fmt: skip
"""Words of places that stay."""
SAME_NAMES, SAME_VALUES, LAYOUT, SLIPS, SLIP, PHRASES, LOWER, UPPER, NAMES_LOWER = (
    0.15, 0.25, 0.35, 0.2, 0.06, 0.3, 0.12, 0.08, 0.3,
)  # fmt: skip
"""Shares of notes with the names as they are, with the values as they are, and with each change; SLIP is of words."""
_LAYOUTS: tuple[tuple[str, str], ...] = (
    (r"\n+", " "), (r"(?<=[a-z][.;]) ", "\n"), (":", ""), (",", ""), (r"\. ", "  "),
)  # fmt: skip
Pieces = list[tuple[str, str | None]]


def redrawn(row: Row, random: Random) -> tuple[Row, str]:
    """A variant of a marked text, and how it is written in the end: in small letters, say."""
    pieces = _pieces(row)
    if random.random() >= SAME_NAMES:
        pieces = _other_names(pieces, random)
    if random.random() >= SAME_VALUES:
        pieces = _other_values(pieces, random)
    if random.random() < LAYOUT:
        pieces = _between(pieces, _layout(random))
    if random.random() < SLIPS:
        pieces = _between(pieces, lambda text: _LONG_WORD.sub(lambda word: _slip(word[0], random), text))
    other = of_pieces(pieces)
    if random.random() < PHRASES:
        other = with_phrases(other, random)
    return other, cased(other, random)


def _pieces(row: Row) -> Pieces:
    """The text in order, marked pieces with their labels."""
    pieces: Pieces = []
    end = 0
    for span in sorted(row["spans"], key=lambda span: span["start"]):
        start = max(end, span["start"])
        pieces += [(row["text"][end:start], None), (row["text"][start : span["end"]], span["label"])]
        end = max(end, span["end"])
    return [*pieces, (row["text"][end:], None)]


def _between(pieces: Pieces, change: Callable[[str], str]) -> Pieces:
    """What is not marked, changed."""
    return [(text if label else change(text), label) for text, label in pieces]


def _other_names(pieces: Pieces, random: Random) -> Pieces:
    drawn = random.choice(((1.0, 0.0), (0.0, 1.0), (0.6, 0.4)))[0]
    others: dict[str, str] = {}

    def other(word: re.Match[str]) -> str:
        lower = word[0].lower()
        if lower not in others:
            others[lower] = drawn_name(random) if random.random() < drawn else _listed_name(random)
        return _like(word[0], others[lower])

    return [(_WORD.sub(other, text) if label == "NAME" else text, label) for text, label in pieces]


def _listed_name(random: Random) -> str:
    return random.choice(_names()[random.choices((0, 1, 2), (4, 3, 1))[0]])


@cache
def _names() -> tuple[list[str], list[str], list[str]]:
    """Frequent names, all names, and those that are everyday words too."""
    every = [name for name in sorted(people()) if name.isascii() and name.isalpha() and len(name) > 2]
    frequent = [name for name in every if people()[name].isupper()]
    return frequent, every, everyday_names()


def _other_values(pieces: Pieces, random: Random) -> Pieces:
    others: dict[str, str] = {}

    def other(word: re.Match[str]) -> str:
        lower = word[0].lower()
        if lower in _GENERIC or words().get(lower, "") in _EVERYDAY or (word[0].isupper() and len(lower) < 4):
            return word[0]
        if lower not in others:
            chance = random.random()
            lists = town_names() if chance < 0.8 else _names()[0]
            others[lower] = drawn_name(random) if chance < 0.5 else random.choice(lists)
        return _like(word[0], others[lower])

    def changed(text: str, label: str | None) -> str:
        if label == "LOCATION":
            return _WORD.sub(other, _other_digits(text, random))
        if label == "DATE":
            return _NUMBER.sub(lambda number: _part_of_date(number[0], random), text)
        return _other_digits(text, random) if label in _NUMBERED else text

    return [(changed(text, label), label) for text, label in pieces]


def _other_digits(text: str, random: Random) -> str:
    return _DIGIT.sub(lambda _: str(random.randint(0, 9)), text)


def _part_of_date(digits: str, random: Random) -> str:
    """Another year, month or day."""
    if len(digits) == 4 and digits[:2] in ("19", "20"):
        return str(random.randint(1935, 2026))
    if len(digits) > 2:
        return digits
    drawn = random.randint(1, 12) if int(digits) <= 12 else random.randint(13, 28)
    return f"{drawn:02}" if digits[0] == "0" else str(drawn)


def _like(written: str, other: str) -> str:
    """Another word with the capitals of the one that was written."""
    if written.isupper():
        return other.upper()
    return other.lower() if written.islower() else other.capitalize()


def _layout(random: Random) -> Callable[[str], str]:
    """Lines joined or broken, or signs left out, in some share of places."""
    (sign, instead), share = random.choice(_LAYOUTS), random.uniform(0.3, 1.0)
    return lambda text: re.sub(sign, lambda found: instead if random.random() < share else found[0], text)


def _slip(word: str, random: Random) -> str:
    if random.random() >= SLIP:
        return word
    at = random.randint(1, len(word) - 2)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return random.choice((word[:at] + word[at + 1 :], swapped, word[:at] + word[at] + word[at:]))


def cased(row: Row, random: Random) -> str:
    """All in small letters or capitals, or the names alone in small letters."""
    text: str = row["text"]
    chance = random.random()
    cased = text.lower() if chance < LOWER else text.upper() if chance < LOWER + UPPER else text
    if len(cased) != len(text):
        return text
    if chance < LOWER and random.random() < NAMES_LOWER:
        for span in row["spans"]:
            if span["label"] == "NAME":
                text = text[: span["start"]] + cased[span["start"] : span["end"]] + text[span["end"] :]
        return text
    return cased
