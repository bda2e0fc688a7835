"""A classifier that is trained on published cells: how often each value of a quasi column goes with a sensitive value.

A cell counts evenly for all that it leaves open: `[20-29]` a tenth for each year. Everybody has weight 1, spread over
the person's records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sharewell.tables.data import Column, Floats, Indices, Ints, Table
from sharewell.tables.engine.classes import known_codes
from sharewell.tables.engine.measures.cell_regions import MISSING, Line, Places, regions

_BINS = 64
"""At most this many ranges of values are told apart in a column."""
_CHUNK = 4_000_000
"""Numbers held in memory at once."""
_DIGITS = 9
"""Probabilities that agree so far are equal: sums must not depend on the order of rows."""


@dataclass(frozen=True, eq=False)
class _Feature:
    """ln P(bin | sensitive value) of one quasi column, and where its bins begin; without edges, bins are codes."""

    name: str
    edges: Places | None
    chances: Floats
    """Bins × values; the last bin is for missing values."""

    def bins(self, column: Column) -> Ints:
        if self.edges is None:
            return np.arange(column.size)
        places = Line.of(column).places
        inside = np.searchsorted(self.edges[1:-1], places, side="right")
        return np.where(places == MISSING, len(self.edges) - 1, inside)


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """Which sensitive value people with certain quasi values have, by a table that shows cells."""

    features: tuple[_Feature, ...]
    prior: Floats
    """The persons who have each value, in sum; a missing one is not guessed."""

    @classmethod
    def trained(cls, released: Table, sensitive: Column, known: Mapping[str, Column] | None) -> NaiveBayes:
        """`known`: the true values of the quasi columns, whose domains everybody knows; without them, cells as such."""
        rows = np.flatnonzero(~released.suppressed)
        codes, weight = sensitive.codes[rows].astype(np.int64), person_weights(released)[rows]
        prior: Floats = np.bincount(codes, weights=weight, minlength=sensitive.size).astype(np.float64)
        features = []
        for column in released.quasi:
            size = max(1, column.size)
            pairs, where = np.unique(codes * size + column.codes[rows], return_inverse=True)
            heavy = np.bincount(where.reshape(-1), weights=weight)
            edges, spread = _spread(column, None if known is None else known.get(column.name))
            many = column.size if spread is None else spread.shape[1]
            seen = np.zeros((sensitive.size, max(1, many)))
            if spread is None:
                seen[pairs // size, pairs % size] = heavy
            else:
                for low in range(0, len(pairs), max(1, _CHUNK // many)):
                    some = slice(low, low + max(1, _CHUNK // many))
                    np.add.at(seen, pairs[some] // size, heavy[some, None] * spread[pairs[some] % size])
            chances = np.log((seen.round(_DIGITS) + 1) / (seen.sum(axis=1, keepdims=True) + seen.shape[1]))
            features.append(_Feature(column.name, edges, chances.T))
        prior[sensitive.known :] = 0
        return cls(tuple(features), np.round(prior, _DIGITS))

    def guess(self, people: Mapping[str, Column], rows: Indices) -> tuple[Ints, Floats]:
        """(code of the likeliest value, its probability) for some rows of quasi values."""
        with np.errstate(divide="ignore"):
            score = np.tile(np.log(self.prior), (len(rows), 1))
        for feature in self.features:
            column = people[feature.name]
            score += feature.chances[feature.bins(column)[column.codes[rows]]]
        best = score.max(axis=1, keepdims=True, initial=-np.inf)
        belief = np.exp(score - np.where(np.isfinite(best), best, 0.0)).round(_DIGITS)
        total = belief.sum(axis=1)
        code = belief.argmax(axis=1)
        return code, np.divide(belief.max(axis=1, initial=0.0), total, out=np.zeros(len(rows)), where=total > 0)


def _spread(published: Column, true: Column | None) -> tuple[Places | None, Floats | None]:
    """Where bins begin, and how each cell is spread over them."""
    if true is None:
        return None, None
    edges = Line.of(true).edges(_BINS)
    return edges, regions(true, published).spread(edges)


def person_weights(table: Table) -> Floats:
    """One over the number of published records of each record's person; 1 for a record of nobody known."""
    if table.subject is None:
        return np.ones(table.rows)
    persons = known_codes(table.subject)
    counts = np.bincount(persons[(persons >= 0) & ~table.suppressed], minlength=max(1, table.subject.size))
    return np.where(persons >= 0, 1 / np.maximum(1, counts[persons]), 1.0)
