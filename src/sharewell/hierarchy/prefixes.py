"""Prefixes of a code: each step drops characters from the right.

>>> Prefixes().chain("02139")
('02139', '0213*', '021*', '02*', '0*', '*')
>>> Prefixes(lengths=[3]).chain("02139"), Prefixes(lengths=[3]).chain("021")
(('02139', '021*', '*'), ('021', '*'))

`021*` means: begins with 021 and goes on. A value no longer than a prefix length is not shortened to it, so the value
`021` never lies under the node `021*`. Every value is listed. Leaves are the column's own values: how many codes exist
beyond them is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain
from sharewell.hierarchy.levels import ChainHierarchy


@dataclass(frozen=True)
class Prefixes(ChainHierarchy):
    """Text → its prefixes of the given `lengths` (all of them if None)."""

    lengths: Sequence[int] | None = None
    name: ClassVar[str] = "prefix"

    def __post_init__(self) -> None:
        if self.lengths is None:
            return
        if not all(isinstance(n, int) and n > 0 for n in self.lengths):
            raise PolicyError("prefix — lengths must be whole numbers above 0")
        object.__setattr__(self, "lengths", tuple(sorted(set(self.lengths), reverse=True)))

    def path(self, text: str) -> Chain:
        # A value that ends in a star is a prefix already: its letters are those before the star.
        length = len(text) - text.endswith("*")
        lengths = range(length - 1, 0, -1) if self.lengths is None else self.lengths
        return (text, *[text[:n] + "*" for n in lengths if n < length], ROOT)
