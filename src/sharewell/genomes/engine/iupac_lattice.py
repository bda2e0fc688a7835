"""The lattice of IUPAC codes: what a symbol of a DNA sequence may stand for, and how far two symbols are apart.

A code is a set of bases in four bits: A 1, C 2, G 4, T 8; R is A or G, N any base. The join of two codes is the
smallest code that covers both. The level of a code is its number of bases less one, and

    d(x, y) = 2 · level(join) − level(x) − level(y) = the number of bases that one of them has and the other has not.

A gap is a symbol of its own. As a `leaf` (the default) nothing but N lies above it: from a base it is 6 apart, from N
3, so that sequences with gaps in the same places are brought together. As a `fifth` base it is 2 apart from any other.
Either way, what covers a gap and a base is published as N.

>>> lattice_distance("A", "G"), lattice_distance("R", "Y"), lattice_distance("A", "N"), lattice_distance("A", "-")
(2, 4, 3, 6)
>>> join("AATTA", "ATTCA")
'AWTYA'
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError

Codes = NDArray[np.uint8]
Gap = Literal["leaf", "fifth"]
GAPS: tuple[Gap, ...] = ("leaf", "fifth")

ANY = 15
"""N: any base, and in a release perhaps none."""
GAP = 16
SYMBOLS = ".ACMGRSVTWYHKDBN-"
"""By code; 0 is no symbol at all."""
_WRITTEN: Codes = np.frombuffer(SYMBOLS.encode(), dtype=np.uint8)

_READ: Codes = np.zeros(256, dtype=np.uint8)
for _code, _symbol in enumerate(SYMBOLS):
    if _code:
        _READ[[ord(_symbol), ord(_symbol.lower())]] = _code
_READ[[ord("U"), ord("u")]] = 8  # RNA writes T so

BASES: Codes = np.array([bin(code).count("1") for code in range(32)], dtype=np.uint8)
"""The size of every set; a gap counts as one."""
_LEAF = np.where(np.arange(32) < GAP, BASES.astype(np.int64) - 1, 3)
_LEAF[[0, GAP]] = 0
_FIFTH = np.maximum(BASES.astype(np.int64) - 1, 0)
LEVELS: dict[Gap, NDArray[np.int64]] = {"leaf": _LEAF, "fifth": _FIFTH}
"""The level of every set of bases and gap, by how a gap is taken."""


def read(text: str) -> Codes:
    """One code a symbol, in either case; 0 where there is no such symbol."""
    return _READ[np.frombuffer(text.encode("latin-1", "replace"), dtype=np.uint8)]


def write(codes: Codes) -> str:
    """The symbols; what covers a gap and a base is N."""
    return _WRITTEN[shown(codes)].tobytes().decode("ascii").rstrip(".")


def shown(codes: Codes) -> Codes:
    """As published: a set of gap and bases is N."""
    return np.where(codes > GAP, np.uint8(ANY), codes)


def joined(codes: Codes) -> Codes:
    """The smallest sets that cover all rows."""
    return np.asarray(np.bitwise_or.reduce(codes, axis=0), dtype=np.uint8)


def covers(published: Codes, true: Codes) -> NDArray[np.bool_]:
    """May the published symbol stand for the true one? N may stand for all, a gap included."""
    return np.asarray((published == ANY) | ((published | true) == published))


def distance(one: Codes, other: Codes, gap: Gap = "leaf") -> NDArray[np.int64]:
    """Symbol by symbol."""
    level = LEVELS[gap]
    return np.asarray(2 * level[one | other] - level[one] - level[other], dtype=np.int64)


def lattice_distance(one: str, other: str, gap: Gap = "leaf") -> int:
    """The sum over all places of two texts of one length."""
    return int(distance(*_pair(one, other), gap).sum())


def join(one: str, other: str) -> str:
    """What is published for two texts of one length."""
    first, second = _pair(one, other)
    return write(first | second)


def _pair(one: str, other: str) -> tuple[Codes, Codes]:
    if len(one) != len(other):
        raise DataError(f"lattice — texts of {len(one)} and {len(other)} symbols — align them first")
    first, second = read(one), read(other)
    if strange := int((first == 0).sum() + (second == 0).sum()):
        raise DataError(f"lattice — {strange} symbol(s) are not IUPAC codes — use {SYMBOLS[1:]}")
    return first, second
