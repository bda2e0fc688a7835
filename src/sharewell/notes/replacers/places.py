"""Places, addresses and organisations → others of the same form.

A city becomes a city of the US, a state another state, a word of a street or of an organisation a surname. Countries
stay, and words that only say what a place is (Street, Apt, County, Hospital, Inc).

>>> from sharewell.keys import Key
>>> places = PlaceSurrogates(Draws(Key(b"an example key of enough bytes..")))
>>> places.address("12 Elm Street Apt. 4").split()[2:4], places.organisation("St. Mary's Hospital").split()[::2]
(['Street', 'Apt.'], ['St.', 'Hospital'])
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

from sharewell.errors import DataError
from sharewell.hierarchy.zips import SafeHarborZip
from sharewell.io.shipped import shipped_text
from sharewell.notes.engine.gazetteer import STATES, countries, plain
from sharewell.notes.engine.gazetteer import places as listed_places
from sharewell.notes.replacers.keyed_draws import Draws, cased
from sharewell.notes.replacers.names import another_word

if TYPE_CHECKING:
    from sharewell.notes.matcher.language_packs import LanguagePack

Zips = Literal["surrogate", "zip3", "suppress"]
ZIP = re.compile(r"(?<![\w-])\d{5}(?:-\d{4})?(?![\w-])")
_PIECE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[\W_]+")
_SEGMENT = re.compile(r"[^,;\n\d()/|]+|[,;\n\d()/|]+")
_CODES = sorted(STATES)
_NAMES = sorted(STATES.values())
_STATE_NAMES = {name.lower(): name for name in _NAMES}


@dataclass(frozen=True)
class PlaceSurrogates:
    """Where a person lives, works and is treated."""

    draws: Draws = field(repr=False)
    zips: Zips = "surrogate"
    pack: LanguagePack | None = field(default=None, repr=False)
    """Whose towns are drawn, and what it keeps of a street or a house; none for those of the US."""

    def place(self, written: str) -> str:
        """A city, county or state, or several of them with commas between; a postcode among them."""
        parts = ZIP.split(written)
        codes = [self.postcode(code) for code in ZIP.findall(written)]
        named = ["".join(map(self._segment, _SEGMENT.findall(part))) for part in parts]
        return "".join(fragment for pair in zip(named, [*codes, ""], strict=True) for fragment in pair)

    def address(self, written: str) -> str:
        """A house number, street, flat, box or postcode."""
        if ZIP.fullmatch(written.strip()):
            return self.postcode(written)
        codes = [match for match in ZIP.finditer(written) if written[: match.start()].strip()]  # no house number
        if codes:
            start, end = codes[-1].span()
            return self.address(written[:start]) + self.postcode(codes[-1][0]) + self.address(written[end:])
        pieces = _PIECE.findall(written)
        if self.pack is not None:
            return "".join(self._worded(piece, self.pack.kept, "street") for piece in pieces)
        names = [piece for piece in pieces if piece[0].isalpha() and plain(piece.lower()) not in _words("flat")]
        # The first word of a street is its name, whatever it is.
        kept = _words("flat") | _words("street").difference(plain(piece.lower()) for piece in names[:1])
        return "".join(self._worded(piece, kept, "street") for piece in pieces)

    def organisation(self, written: str) -> str:
        """A hospital, employer or school."""
        kept = _words("organisation") if self.pack is None else self.pack.kept
        return "".join(self._worded(piece, kept, "organisation") for piece in _PIECE.findall(written))

    def other(self, written: str) -> str:
        """Words of which nobody knows what they are."""
        return "".join(self._worded(piece, frozenset(), "other") for piece in _PIECE.findall(written))

    def postcode(self, written: str) -> str:
        """By the rule that was chosen; one that is no US ZIP code keeps its form."""
        if self.zips == "suppress":
            return "[ZIP]"
        short = zip3(written) if self.zips == "zip3" and self.pack is None else None
        return short if short is not None else self.draws.like("postcode", written)

    def _segment(self, written: str) -> str:
        """A piece of a place between commas."""
        name = written.strip()
        start = written.find(name)
        if name.isdigit():
            return self.draws.like("place", written)
        if not any(sign.isalpha() for sign in name):
            return written
        return written[:start] + self._place(name) + written[start + len(name) :]

    def _place(self, name: str) -> str:
        low = plain(name.lower())
        if low in countries():
            return name
        if self.pack is not None:
            return cased(self._city(low), name)
        if name.upper() in STATES and len(name) == 2:
            return cased(self._other(_CODES, "state", name.upper()), name)
        if low in _STATE_NAMES:
            return cased(self._other(_NAMES, "state name", _STATE_NAMES[low]), name)
        words = name.split()
        if len(words) > 1 and words[-1].strip(".").upper() in STATES and words[-1].strip(".").isupper():
            return f"{self._place(' '.join(words[:-1]))} {self._place(words[-1].strip('.'))}"
        if len(words) > 1 and words[-1].lower() in ("county", "township", "parish", "village", "area", "street"):
            return f"{self._place(' '.join(words[:-1]))} {words[-1]}"
        return cased(self._city(low), name)

    def _city(self, low: str) -> str:
        towns = _cities() if self.pack is None else _towns(self.pack)
        drawn = self.draws.first(
            lambda turn: towns[self.draws.number(len(towns), "city", low, turn)],
            lambda city: city != low and not any(plain(word) in self.draws.real for word in city.split()),
        )
        return drawn.title()

    def _other(self, options: list[str], purpose: str, value: str) -> str:
        """Another of a short list. One that the notes name too may be drawn when they name nearly all."""
        return self.draws.first(
            lambda turn: options[self.draws.number(len(options), purpose, value, turn)],
            lambda drawn: drawn != value and drawn.lower() not in self.draws.real,
        )

    def _worded(self, piece: str, kept: frozenset[str], purpose: str) -> str:
        """A word or number of an address or organisation."""
        low = plain(piece.lower())
        if piece.isdigit():
            return self.draws.like(purpose, piece)
        if not piece[:1].isalpha() or low in kept or low.removesuffix("s") in kept or piece.lower() in kept:
            return piece
        if self.pack is not None:
            return self._compound(piece, purpose)
        if piece.upper() in STATES and piece.isupper() and len(piece) == 2:
            return self._other(_CODES, "state", piece)
        if len(piece) < 3 or (piece.isupper() and len(piece) < 6 and not _vowelled(low)):
            return self.draws.like(purpose, piece)
        ending = re.search(r"['’]s$", piece)
        return cased(another_word(self.draws, low[: ending.start()] if ending else low), piece) + (
            ending[0] if ending else ""
        )

    def _compound(self, piece: str, purpose: str) -> str:
        """A word of a street or a house of a language pack: Lindenstraße becomes Huberstraße."""
        assert self.pack is not None
        low = piece.lower()
        if len(piece) < 3:
            return self.draws.like(purpose, piece)
        ending = next((end for end in self.pack.endings if low.endswith(end) and len(low) > len(end) + 1), "")
        stem = low.removesuffix(ending) if ending else low
        return cased(another_word(self.draws, stem, self.pack) + ending, piece)


def zip3(written: str) -> str | None:
    """The first three digits of a ZIP code if more than 20,000 people live behind them, else 000 (Safe Harbor); nothing
    of what is no ZIP code.

    >>> zip3("02139"), zip3("03601-4307"), zip3("K1A 0B1")
    ('021', '000', None)
    """
    try:
        return SafeHarborZip().chain(written.strip())[-2]
    except DataError:
        return None


def is_street(written: str) -> bool:
    """Does the last of several words say that it is a street?

    >>> is_street("12 Elm St."), is_street("Elm Street"), is_street("Waverly")
    (True, True, False)
    """
    words = _PIECE.findall(written.lower().rstrip(". "))
    return len(words) > 2 and words[-1] in _words("road")


def _vowelled(word: str) -> bool:
    """Can it be read as a word? Else it is an abbreviation, such as MGH."""
    return any(sign in "aeiouy" for sign in word) and len(word) > 3


@cache
def _cities() -> list[str]:
    """Cities of the US, without those that are states or hold an odd sign."""
    known = listed_places().items()
    return sorted(name for name, mark in known if mark in "u*" and name.replace(" ", "").isalpha()
                  and len(name) > 3 and name not in _STATE_NAMES and not name.endswith("county"))  # fmt: skip


@cache
def _towns(pack: LanguagePack) -> list[str]:
    """Towns of a language pack, in lower case."""
    return sorted(name.replace("_", " ") for name in pack.words("places") if len(name) > 3)


@cache
def _words(sort: str) -> frozenset[str]:
    """Words that stay because they only say what a place is: a `street`, a `flat` or box, an `organisation`; words that
    end the name of a `road`."""
    _, _, rest = shipped_text("notes/place_words.txt").partition(f"# {sort}\n")
    return frozenset(rest.partition("#")[0].split())
