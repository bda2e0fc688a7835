"""Where many short patterns are in a text: one look at the first characters of every place at once.

Each pattern is a bit, or several by its first characters. A table says for each character which of them may have it
first, another which may have it second, and so on; where the bits of a place and of those behind it agree, the pattern
is tried. It finds what `finditer` of every pattern would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.notes.matcher.pattern_beginnings import BEYOND, Beginning, beginning
from sharewell.notes.matcher.prefix_automaton import beginnings

_DEPTH = 4
_PARTS = 8
"""A pattern that begins in many ways has up to so many bits more, as far as there are any: what may come second after
one first letter is not what may after another."""
_END = BEYOND + 1
"""The number of what is behind the last character."""
_BLOCK = 1 << 16
"""So many places are looked at at once."""


class SignSearch:
    """Up to 64 patterns, each of at least one character; perhaps with what is known of how they begin.

    >>> search = SignSearch([r"\\d ?%", "@", r"[A-Z]\\."])
    >>> search.found("J. Doe@home, 40 % of 7%")
    {2: [0], 1: [6], 0: [14, 21]}
    """

    MOST: ClassVar[int] = 64

    def __init__(self, patterns: Sequence[str], known: Sequence[Beginning] = ()) -> None:
        self._patterns, self._tries = patterns, dict[int, Callable[[str, int], re.Match[str] | None]]()
        self._tables = np.zeros((1 + _DEPTH, _END + 1), dtype=np.uint64)
        self._numbers: list[int] = []
        for number, pattern in enumerate(known or map(beginning, patterns)):
            spare = self.MOST - len(self._numbers) - (len(patterns) - number)
            for levels in beginnings(pattern, _DEPTH, 1 + min(spare, _PARTS)):
                self._add((pattern.preceding, *levels), len(self._numbers))
                self._numbers.append(number)

    def _add(self, levels: Sequence[int], place: int) -> None:
        """Give what a part of a pattern begins with a bit of the tables."""
        for level, (table, bits) in enumerate(zip(self._tables, levels, strict=True)):
            admitted = np.unpackbits(np.frombuffer(bits.to_bytes(17, "little"), np.uint8), bitorder="little")
            table[:_END] |= admitted[:_END].astype(np.uint64) << np.uint64(place)
            if not level or bits.bit_count() == _END:  # the text begins here, or the pattern may have ended before
                table[_END] |= np.uint64(1 << place)

    def found(self, text: str) -> dict[int, list[int]]:
        """Number of a pattern → where it is; of those that are somewhere."""
        starts: dict[int, list[int]] = {}
        past, tries, numbers = [0] * len(self._patterns), self._tries, self._numbers
        for at, bits in self._likely(text):
            while bits:
                lowest = bits & -bits
                bits ^= lowest
                number = numbers[lowest.bit_length() - 1]
                if number not in tries:
                    tries[number] = re.compile(self._patterns[number]).match
                if at >= past[number] and (match := tries[number](text, at)):
                    past[number] = match.end()
                    if number in starts:
                        starts[number].append(at)
                    else:
                        starts[number] = [at]
        return starts

    def _likely(self, text: str) -> Iterator[tuple[int, int]]:
        """Places, and the patterns that may be there as bits."""
        for begin in range(0, len(text), _BLOCK):
            codes = _codes(text[max(0, begin - 1) : begin + _BLOCK + _DEPTH - 1], not begin)
            long = min(_BLOCK, len(text) - begin)
            bits = self._tables[0].take(codes[:long])
            for level in range(1, 1 + _DEPTH):
                bits &= self._tables[level].take(codes[level : level + long])
            places = bits.nonzero()[0]
            yield from zip((places + begin).tolist() if begin else places.tolist(), bits[places].tolist(), strict=True)


def _codes(piece: str, first: bool) -> NDArray[np.uint8]:
    """The numbers of the characters, with ends behind them, and before them where the text begins."""
    begin = _ENDS[:1] if first else b""
    if piece.isascii():
        return np.frombuffer(begin + piece.encode("ascii") + _ENDS, np.uint8)
    codes = np.minimum(np.frombuffer(piece.encode("utf-32-le", "surrogatepass"), np.uint32), BEYOND).astype(np.uint8)
    return np.frombuffer(begin + codes.tobytes() + _ENDS, np.uint8)


_ENDS = bytes([_END] * (_DEPTH - 1))
