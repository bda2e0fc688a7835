"""Bins of histograms, named.

A finding's histogram is lower edge → count and leaves empty bins out. The upper ends come from the customary edges; a
histogram with any other edge is still told, by lower edges alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from sharewell.dossier.words import THIN, count

SIZE_EDGES = (1, 2, 3, 5, 11, 20, 50, 100, 1_000, 10_000)
RISK_EDGES = (0.0, 0.01, 0.05, 0.1, 0.2, 0.34, 0.51, 1.0)
"""Those of the tables wing (a test compares them): this page reads JSON and imports no wing."""


def filled(edges: Sequence[float], *histograms: dict[float, int]) -> list[float]:
    """Every bin that holds something; the names of the bins say where one is left out.

    >>> filled(SIZE_EDGES, {1.0: 5}, {5.0: 2}), filled(SIZE_EDGES, {1.0: 5, 7.0: 1}), filled(SIZE_EDGES, {2.0: 0})
    ([1, 5], [1.0, 7.0], [])
    """
    held = sorted({edge for histogram in histograms for edge, number in histogram.items() if number})
    if any(edge not in edges for edge in held):
        return held
    return [edge for edge in edges if edge in held]


def size_name(edge: float, bins: Sequence[float]) -> str:
    """How many persons or records a class of this bin has.

    >>> [size_name(edge, [2, 3]) for edge in (2, 3)], size_name(7, [1, 7])
    (['2', '3 to 4'], '7 or more')
    """
    if any(one not in SIZE_EDGES for one in bins) or edge == SIZE_EDGES[-1]:
        return f"{count(edge)} or more"
    last = SIZE_EDGES[SIZE_EDGES.index(int(edge)) + 1] - 1
    return count(edge) if last == edge else f"{count(edge)} to {count(last)}"


def risk_name(edge: float, bins: Sequence[float]) -> str:
    """Which probabilities lie in this bin.

    >>> [risk_name(edge, [0.0]).replace(THIN, " ") for edge in (0.0, 0.05, 1.0)]
    ['under 1 %', '5 % to under 10 %', '100 %: certain']
    """
    if edge == 1:
        return f"100{THIN}%: certain"
    low = f"{100 * edge:g}{THIN}%"
    if any(one not in RISK_EDGES for one in bins):
        return f"{low} or more"
    high = f"{100 * RISK_EDGES[RISK_EDGES.index(edge) + 1]:g}{THIN}%"
    return f"{low} to under {high}" if edge else f"under {high}"
