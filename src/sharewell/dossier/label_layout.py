"""Where things go in a map: round numbers along an axis, and labels that do not lie on each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LETTER, LINE = 7.2, 14.0
"""Pixels of a broad letter and of a line, at the size of labels: rather too much room than too little."""
NEAR = 9.0
"""From the middle of a mark to its label."""


@dataclass(frozen=True)
class Scale:
    """From values to pixels; logarithmic where values of very different size must be told apart."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False
    ticks: tuple[float, ...] = ()

    def at(self, value: float) -> float:
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def linear(values: Sequence[float], start: float, end: float) -> Scale:
    """From zero to the round number that encloses the largest value.

    >>> linear([0.12, 0.31], 0, 100).ticks
    (0.0, 0.1, 0.2, 0.3, 0.4)
    """
    low, top = min(0.0, *values, 0.0), max(*values, 0.0) or 1.0
    rough = (top - low) / 4
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    first, last = math.floor(round(low / step, 6)), math.ceil(round(top / step, 6))
    ticks = tuple(round(i * step, 10) for i in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks=ticks)


def logarithmic(values: Sequence[float], start: float, end: float) -> Scale:
    """Between the round numbers 1, 2, 5, 10, … that enclose the values.

    >>> logarithmic([0.05, 1.0], 0, 100).ticks
    (0.05, 0.1, 0.2, 0.5, 1.0)
    """
    least, most = min(values), max(values)
    powers = range(math.floor(math.log10(least)) - 1, math.ceil(math.log10(most)) + 1)
    grid = [round(factor * 10.0**power, 12) for power in powers for factor in (1, 2, 5)]
    low = max(value for value in grid if value <= least * 1.0001)
    high = min(value for value in grid if value >= most * 0.9999)
    if high <= low:
        low = max(value for value in grid if value < high)
    ticks = tuple(value for value in grid if low <= value <= high)
    return Scale(low, high, start, end, True, ticks)


@dataclass(frozen=True)
class Label:
    """A text and the place of its beginning; `far` if a line should lead to its mark."""

    text: str
    x: float
    y: float
    far: bool = False


Box = tuple[float, float, float, float]


def labels(
    marks: Sequence[tuple[float, float]], texts: Sequence[str], frame: Box, avoid: Sequence[Box] = ()
) -> list[Label | None]:
    """A free place near each mark, the first marks choosing first; None where there is none."""
    taken: list[Box] = [*avoid, *((x - 6, y - 6, x + 6, y + 6) for x, y in marks)]
    results: list[Label | None] = []
    for (x, y), text in zip(marks, texts, strict=True):
        width = LETTER * len(text)
        own = (x - 6, y - 6, x + 6, y + 6)
        place = None
        for box, far in _around(x, y, width):
            inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
            if text and inside and not any(_overlap(box, other) for other in taken if other != own):
                place = Label(text, box[0], box[3] - 3.5, far)
                taken.append(box)
                break
        results.append(place)
    return results


def _around(x: float, y: float, width: float) -> list[tuple[Box, bool]]:
    """Right, left, above, below, then askew, then the same further away."""
    boxes = []
    for gap in (NEAR, NEAR + 10, NEAR + 22, NEAR + 36):
        half = LINE / 2
        corners = [
            (x + gap, y - half),
            (x - gap - width, y - half),
            (x - width / 2, y - gap - LINE),
            (x - width / 2, y + gap),
            (x + 0.7 * gap, y - 0.7 * gap - LINE),
            (x - 0.7 * gap - width, y - 0.7 * gap - LINE),
            (x + 0.7 * gap, y + 0.7 * gap),
            (x - 0.7 * gap - width, y + 0.7 * gap),
        ]
        boxes += [((left, top, left + width, top + LINE), gap > NEAR + 12) for left, top in corners]
    return boxes


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
