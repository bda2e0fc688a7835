"""Keyed draws: whatever stands for a real value is a function of the person's key and of that value alone.

Each draw is blind: it does not look at the value it replaces, only at a digest of it under the key. What no draw may
give is a value of the same person (`real`): it is drawn again then. Without the key nothing leads back.

>>> draws = Draws(Key(b"an example key of enough bytes.."), frozenset({"00412"}))
>>> draws.like("MRN", "MRN-00412") == draws.like("MRN", "MRN-00412")
True
>>> draws.like("MRN", "S16-412")[0].isupper(), draws.like("MRN", "S16-412")[3]
(True, '-')
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from string import ascii_lowercase

from sharewell.keys import Key
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.word_lists import listed

TRIES = 64
_LONG = 2000
_RUN = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_PREFIXES = listed("mrn id ssn acct acc no nr num case fin csn npi dea har dl ref rx vin sn lot pin x ext")
"""Letters that say what a number is; they stay."""


@dataclass(frozen=True)
class Draws:
    """Choices that depend on a key and on what they stand for."""

    key: Key
    real: Collection[str] = field(default=frozenset(), repr=False)
    """Words and numbers of this person, in plain lower case: never drawn."""

    def number(self, below: int, purpose: str, *parts: str) -> int:
        """Uniform on 0 … below − 1 (the bias of 64 bits is far below anything that could be seen)."""
        return int.from_bytes(self.key.digest(purpose, *parts)[:8], "big") % below

    def stream(self, purpose: str, *parts: str) -> Iterator[int]:
        """Bytes without end. Each digest reads its parts once more: of very long ones their digest stands for them."""
        if sum(map(len, parts)) > _LONG:
            parts = (self.key.digest("long value", *parts).hex(),)
        turn = 0
        while True:
            yield from self.key.digest(purpose, *parts, str(turn))
            turn += 1

    def fresh(self, value: str, draw: Callable[[str], str]) -> str:
        """The first of several draws that is another value, and none of the person's own."""
        return self.first(draw, lambda drawn: drawn != value and not is_real(drawn, self.real))

    def first(self, draw: Callable[[str], str], accept: Callable[[str], bool]) -> str:
        """The first of several draws that is accepted; the last one if none is."""
        drawn = ""
        for turn in range(TRIES):
            drawn = draw(str(turn))
            if accept(drawn):
                break
        return drawn

    def like(self, purpose: str, written: str) -> str:
        """Digits for digits, letters for letters of the same case, all else as it is.

        Digits depend on the digits alone, letters on the letters: 00412 and MRN-00412 stay one number.
        """
        if not _RUN.search(written):
            return written
        digits = "".join(sign for sign in written if sign.isdigit())
        letters = "".join(sign for sign in written if sign.isalpha()).lower()
        return self.fresh(written, lambda again: self._like(purpose, written, digits, letters, again))

    def _like(self, purpose: str, written: str, digits: str, letters: str, again: str) -> str:
        numbers = self.stream("digits", purpose, digits, again)
        words = self.stream("letters", purpose, letters, again)
        return "".join(
            run if run.lower() in _PREFIXES else "".join(_sign(sign, numbers, words) for sign in run)
            for run in _PARTS.findall(written)
        )


@dataclass(frozen=True)
class Weighted:
    """A list from which frequent entries are drawn more often."""

    entries: Sequence[str]
    sums: Sequence[float]

    @classmethod
    def of(cls, weights: Iterable[tuple[str, float]]) -> Weighted:
        pairs = sorted(weights)
        return cls([entry for entry, _ in pairs], list(accumulate(weight for _, weight in pairs)))

    def pick(self, draws: Draws, purpose: str, *parts: str) -> str:
        share = draws.number(1 << 48, purpose, *parts) / (1 << 48)
        return self.entries[min(bisect_right(self.sums, share * self.sums[-1]), len(self.entries) - 1)]


def is_real(drawn: str, real: Collection[str]) -> bool:
    """Is the whole, without what stands between, or a long number of it, among the person's own values?"""
    runs = _RUN.findall(plain(drawn.lower()))
    return "".join(runs) in real or any(len(run) > 4 and run.isdigit() and run in real for run in runs)


def _sign(sign: str, numbers: Iterator[int], letters: Iterator[int]) -> str:
    if sign.isdigit():
        return str(_below(10, numbers))
    if sign.isalpha():
        drawn = ascii_lowercase[_below(26, letters)]
        return drawn.upper() if sign.isupper() else drawn
    return sign


def _below(most: int, stream: Iterator[int]) -> int:
    """Uniform: bytes that would favour the small ones are passed over."""
    limit = 256 - 256 % most
    return next(byte for byte in stream if byte < limit) % most


def cased(drawn: str, written: str) -> str:
    """A word in the case of another.

    >>> cased("Ortiz", "DELGADO"), cased("Ortiz", "delgado"), cased("Ortiz", "McDonald")
    ('ORTIZ', 'ortiz', 'Ortiz')
    """
    if written.isupper() and len(written) > 1:
        return drawn.upper()
    return drawn.lower() if written.islower() else drawn
