"""Intervals of numbers: ever wider ones from a width that doubles, or given cut points.

>>> Intervals(width=5, levels=3).chain("23")
('23', '[20-24]', '[20-29]', '[20-39]', '*')
>>> Intervals(cuts=[[0, 18, 45, 65, 80], [0, 65]]).chain("82")
('82', '80 or more', '65 or more', '*')
>>> Intervals(width=0.5, levels=2, whole=False).chain("36.6")
('36.6', '36.5 to <37', '36 to <37', '*')

Whole numbers (the default) are written with both ends included, as published cells are: `[20-24]`. With `whole=False`
an interval holds its lower bound and not its upper one, and says so: `20 to <25`. Outside the cut points lie `under 0`
and `80 or more`.

Leaves are the numbers that the column could hold at its own precision: `[20-24]` has 5, `20 to <25` has 50 if the
column has one decimal. The root reaches from the first to the last of the widest intervals that the column needs; an
open end reaches to the column's smallest or largest value.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from sharewell.cells import Interval
from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap, all_chains, distinct
from sharewell.hierarchy.levels import ChainHierarchy, Levels, compile_chains

Number = int | float | Decimal
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)
_FIRST = re.compile(r"\[?(?:under )?([-+]?\d+(?:\.\d+)?)", re.ASCII)
# Leaves are counted in 64 bits: 12 digits before the point and 6 after it fit.
_MAX_DIGITS, _MAX_DECIMALS, _MAX_LEAVES = 11, 6, 2**62
_MAX_LEVELS = 40
Exact = int | Decimal
"""Whole numbers are computed as integers, which is faster; the others exactly too."""
Bounds = tuple[Exact | None, Exact | None]
"""[low, high); None is an open end."""


@dataclass(frozen=True)
class Intervals(ChainHierarchy):
    """Numbers → intervals. Give `width` (doubled `levels` − 1 times, starting at `origin`) or `cuts`, finest first."""

    width: Number = 5
    levels: int = 3
    origin: Number = 0
    cuts: Sequence[Sequence[Number]] = ()
    whole: bool = True
    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "intervals"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cuts", tuple(tuple(level) for level in self.cuts))
        try:
            numbers = [Decimal(str(n)) for n in (self.width, self.origin, *(c for level in self.cuts for c in level))]
        except InvalidOperation:
            raise PolicyError("intervals — width, origin and cuts must be numbers") from None
        if not all(n.is_finite() and n.adjusted() <= _MAX_DIGITS for n in numbers):
            raise PolicyError(
                f"intervals — bounds must be finite, with at most {_MAX_DIGITS + 1} digits before the point"
            )
        if numbers[0] <= 0 or not 0 < self.levels <= _MAX_LEVELS:
            raise PolicyError(f"intervals — width must be above 0, and levels from 1 to {_MAX_LEVELS}")
        if self.whole and any(n != n.to_integral_value() for n in numbers):
            raise PolicyError("intervals — bounds with decimals need `whole: false`")
        for level in self._cuts:
            if not level or any(a >= b for a, b in pairwise(level)):
                raise PolicyError("intervals — cut points must rise, and every level needs one or more")
        for finer, coarser in pairwise(self._cuts):
            if not set(coarser) <= set(finer):
                extra = len(set(coarser) - set(finer))
                raise PolicyError(f"intervals — levels do not nest — {extra} cut points missing from the finer level")

    def compile(self, values: Sequence[str]) -> Levels:
        texts = {value: value.strip() for value in distinct(values)}
        known = {text: n for text in texts.values() if (n := self._number(text)) is not None}
        starts = {value: known.get(text) or self._start(text) for value, text in texts.items()}
        placed = {value: start for value, start in starts.items() if start is not None}
        ordered = [*sorted(placed, key=placed.__getitem__), *(value for value in texts if value not in placed)]

        def path(text: str) -> Chain | None:
            return (text, *self._covering(known[text])) if text in known else self.path(text)

        chains, missing = all_chains(self.name, path, ordered, self.on_gap, self.hint)
        outside = set(missing)
        numbers = [placed[value] for value in ordered if value in placed and texts[value] not in outside]
        unit = 1 if self.whole else Decimal(1).scaleb(min(map(_exponent, numbers), default=0))
        lows = [low for n in numbers[:1] for low, _ in self._all_around(n) if low is not None]
        highs = [high for n in numbers[-1:] for _, high in self._all_around(n) if high is not None]
        low = min([*numbers[:1], *lows], default=0)
        high = max([*(n + unit for n in numbers[-1:]), *highs], default=unit)

        def leaves(label: str) -> int:
            if label in known:
                return 1
            if label != ROOT and label not in self._known:
                return 0
            start, end = self._known.get(label, (None, None))
            return _steps(low if start is None else start, high if end is None else end, unit)

        return compile_chains(ordered, chains, leaves, len(missing))

    @property
    def hint(self) -> str:
        return (
            "numbers with decimals need `whole: false`; correct the others, or set on_gap: root" if self.whole else ""
        )

    @cached_property
    def _cuts(self) -> tuple[tuple[Exact, ...], ...]:
        return tuple(tuple(self._exact(Decimal(str(cut))) for cut in level) for level in self.cuts)

    @cached_property
    def _depth(self) -> int:
        return len(self._cuts) or self.levels

    @cached_property
    def _widths(self) -> tuple[Exact, ...]:
        return tuple(self._exact(Decimal(str(self.width))) * 2**level for level in range(self.levels))

    @cached_property
    def _base(self) -> Exact:
        return self._exact(Decimal(str(self.origin)))

    def _exact(self, number: Decimal) -> Exact:
        return int(number) if self.whole else number

    @cached_property
    def _above(self) -> dict[tuple[int, int], Chain]:
        """The labels above numbers, by level and interval; filled as numbers come."""
        return {}

    @cached_property
    def _known(self) -> dict[str, Bounds]:
        """The bounds of every label in `_above`."""
        return {}

    def _number(self, text: str) -> Exact | None:
        if self.whole and len(text) <= _MAX_DIGITS and text.isascii() and text.isdecimal():
            return int(text)  # most numbers are written like this
        if not _NUMBER.fullmatch(text):
            return None
        number = Decimal(text)
        if number.adjusted() > _MAX_DIGITS:
            return None
        return self._exact(number) if not self.whole or number == number.to_integral_value() else None

    def _start(self, text: str) -> Exact | None:
        """A number itself; of an interval's label the first number that it covers."""
        if (number := self._number(text)) is not None:
            return number
        match = _FIRST.match(text)
        if not match:
            return None
        # "under 0" covers what lies before its number, every other label begins with it.
        return self._exact(Decimal(match[1])) - (1 if text.startswith("under ") else 0)

    def path(self, text: str) -> Chain | None:
        start = self._start(text)
        if start is None:
            return None
        above = self._covering(start)
        if self._number(text) is not None:
            return (text, *above)
        return above[above.index(text) :] if text in above else None

    def _covering(self, number: Exact, level: int = 0) -> Chain:
        """The labels above a number, from a level on."""
        if level == self._depth:
            return (ROOT,)
        place = level, self._place(number, level)
        if place not in self._above:
            bounds = self._around(number, level)
            label = self._label(bounds)
            self._above[place] = (label, *self._covering(number, level + 1))
            self._known[label] = bounds
        return self._above[place]

    def _place(self, number: Exact, level: int) -> int:
        """Which interval of a level a number lies in."""
        if self._cuts:
            return bisect_right(self._cuts[level], number)
        if self.whole:
            return int((number - self._base) // self._widths[level])
        return math.floor((number - self._base) / Decimal(self._widths[level]))  # // would round towards 0

    def _all_around(self, number: Exact) -> list[Bounds]:
        """The interval around a number at each level, finest first."""
        return [self._around(number, level) for level in range(self._depth)]

    def _around(self, number: Exact, level: int) -> Bounds:
        """The interval around a number at a level, 0 being the finest."""
        place = self._place(number, level)
        if self._cuts:
            cuts = self._cuts[level]
            return cuts[place - 1] if place else None, cuts[place] if place < len(cuts) else None
        low = self._base + place * self._widths[level]
        return low, low + self._widths[level]

    def _label(self, bounds: Bounds) -> str:
        low, high = bounds
        if low is None:
            return f"under {_plain(high)}"
        if high is None:
            return f"{_plain(low)} or more"
        return Interval(_plain(low), _plain(high - 1)).text if self.whole else f"{_plain(low)} to <{_plain(high)}"


def _plain(number: Exact | None) -> str:
    """Without exponent and without idle zeros after the point."""
    if isinstance(number, int) or not number:
        return str(number or 0)
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _exponent(number: Exact) -> int:
    """The exponent of the last decimal that counts: −1 for 36.6, 0 for whole numbers."""
    exponent = Decimal(number).normalize().as_tuple().exponent
    return max(-_MAX_DECIMALS, min(0, exponent)) if isinstance(exponent, int) else 0


def _steps(low: Exact, high: Exact, unit: Exact) -> int:
    """How many multiples of the unit lie in [low, high)."""
    if unit == 1 and isinstance(low, int) and isinstance(high, int):
        return min(max(1, high - low), _MAX_LEAVES)
    first, last = ((bound / Decimal(unit)).to_integral_value(ROUND_CEILING) for bound in (low, high))
    return min(max(1, int(last - first)), _MAX_LEAVES)
