"""One spelling for published cells, so that no dash, script, blank or invisible character hides what a cell shows.

>>> normalised("617\u2013555\u20130142"), normalised("\uff11\uff12\uff13\u00a04"), normalised("1\u200b92\u00b7168")
('617-555-0142', '123 4', '192.168')
>>> [piece.text for piece in pieces("ZIP02139-4307")]
['ZIP', '02139', '4307']
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_SAME = {
    **dict.fromkeys("\u2212\u00ad\u2043\u02d7_\u30fc", "-"),  # written like a hyphen, though not dashes to Unicode
    **dict.fromkeys("\u00b7\u2022\u2027\u2219\u22c5\u30fb\u3002\uff61", "."),
    **dict.fromkeys("\u2044\u2215\u29f8\\", "/"),
    **dict.fromkeys("\u2236\ua789\u02d0", ":"),
    **dict.fromkeys("\u2018\u2019\u02bc\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u2033", '"'),
    **dict.fromkeys("\u5e74\u6708\ub144\uc6d4", "-"),  # year and month of a date
    **dict.fromkeys("\u65e5\uc77c", " "),
    **dict.fromkeys("\u3010\u3008\u300a\u300c", "["),
    **dict.fromkeys("\u3011\u3009\u300b\u300d", "]"),
}
_ASCII = str.maketrans({"_": "-", "\\": "/", "\t": " ", "\n": " ", "\r": " ", "\v": " ", "\f": " "})
_BLANKS = frozenset(("Zs", "Zl", "Zp", "Cc"))
_UNSEEN = frozenset(("Cf", "Mn", "Me"))
_PIECES = re.compile(r"[0-9]+|[^\W\d_]+")


def normalised(text: str) -> str:
    """Compatible forms, decimal digits of any script as ASCII, one kind of dash, dot and blank, nothing unseen."""
    if text.isascii():
        return text.translate(_ASCII)
    return "".join(map(_plain, unicodedata.normalize("NFKC", text)))


def _plain(character: str) -> str:
    if character in _SAME:
        return _SAME[character]
    kind = unicodedata.category(character)
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    if kind == "Pd":
        return "-"
    if kind in _BLANKS:
        return " "
    return "" if kind in _UNSEEN else character


def word_set(*words: str) -> frozenset[str]:
    """The words of some lines.

    >>> sorted(word_set("dob yob", "born"))
    ['born', 'dob', 'yob']
    """
    return frozenset(" ".join(words).split())


class Piece(NamedTuple):
    """A run of digits or of letters, what stands between it and the one before, and where it begins and ends."""

    text: str
    gap: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        return "0" <= self.text[0] <= "9"


def pieces(text: str) -> list[Piece]:
    """A normalised text as its runs of digits and runs of letters."""
    results: list[Piece] = []
    end = 0
    for match in _PIECES.finditer(text):
        results.append(Piece(match[0], text[end : match.start()], match.start(), match.end()))
        end = match.end()
    return results


def without_accents(text: str) -> str:
    """Small letters without accents, as words are looked up."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
