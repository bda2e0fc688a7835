"""What a report publishes, in words: the level of each measure, which the search writes as a vector of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

AXES = {"rows": "owners", "columns": "measures"}
METRICS = ("center", "dispersion", "order", "median")
RANGES = " as ranges"
_VECTOR = re.compile(r"\((\d),(\d),(\d)(?:,(\d))?\|(\d),(\d),(\d)(?:,(\d))?\)")

Levels = Mapping[tuple[str, str], int]
"""(axis, metric) → level: 3 tells most, 1 nothing."""


def levels_of(vector: str) -> Levels | None:
    """The levels that a vector stands for; None for what is no vector.

    >>> levels_of("(3,1,1|2,1,1)")["columns", "center"]
    2
    """
    match = _VECTOR.fullmatch(vector.replace(" ", ""))
    if match is None:
        return None
    places = [(axis, metric) for axis in AXES for metric in METRICS]
    return {place: int(level) for place, level in zip(places, match.groups("1"), strict=True)}


def published(levels: Levels, bins: Mapping[str, str] | None = None, *, nested: bool = False) -> str:
    """What is published at these levels.

    bins: metric → how wide its ranges are, where that is known. nested: a middle level is the upper one, rounded.

    >>> published(levels_of("(3,1,1|2,1,1)"), {"center": "5-point "})
    'exact means of the owners and means of the measures as 5-point ranges'
    >>> published(levels_of("(1,1,1|1,2,3)"))
    'spreads and the whole order of the measures'
    >>> published(levels_of("(1,1,1|1,1,1)"))
    'nothing'
    """
    widths = bins or {}
    results = [
        (axis, [words for metric in METRICS if (words := _words(levels, axis, metric, nested))]) for axis in AXES
    ]
    phrases = [_of_axis(axis, levels_shown, widths) for axis, levels_shown in results if levels_shown]
    return " and ".join(phrases) or "nothing"


def verdict(levels: Levels, proven: bool, bins: Mapping[str, str] | None = None, *, nested: bool = False) -> str:
    """The answer of the search as advice.

    >>> verdict(levels_of("(1,1,1|2,1,1)"), True, {"center": "5-point "})
    'Safe if means of the measures as 5-point ranges are published; nothing more detailed is safe.'
    """
    shown = published(levels, bins, nested=nested)
    rest = "nothing more detailed is safe" if proven else "whether something more detailed is safe is undecided"
    if shown == "nothing":
        return f"Safe only if nothing is published; {rest.replace('something more detailed', 'anything')}."
    return f"Safe if {shown} are published; {rest}."


def _words(levels: Levels, axis: str, metric: str, nested: bool) -> str:
    level = levels.get((axis, metric), 1)
    if level <= 1:
        return ""
    middle = {
        "center": f"means{RANGES}",
        "dispersion": f"standard deviations{RANGES}" if nested else "spreads",
        "order": "which half each is in" if nested else "a part of the order",
        "median": f"medians{RANGES}",
    }
    whole = {"center": "exact means", "dispersion": "standard deviations", "order": "the whole order"}
    whole["median"] = "exact medians"
    return (whole if level == 3 else middle)[metric]


def _of_axis(axis: str, levels: Sequence[str], widths: Mapping[str, str]) -> str:
    split = [words.partition(RANGES) for words in levels]
    written = [(plain, _ranges(plain, widths) if ranges else "") for plain, ranges, _ in split]
    if len(written) == 1:  # "means of the measures as ranges", not "means as ranges of the measures"
        return f" of the {AXES[axis]}".join(written[0])
    *first, last = ("".join(words) for words in written)
    return f"{', '.join(first)} and {last} of the {AXES[axis]}"


def _ranges(plain: str, widths: Mapping[str, str]) -> str:
    metrics = {"means": "center", "medians": "center", "standard deviations": "dispersion"}
    return f" as {widths.get(metrics.get(plain, ''), '')}ranges"
