"""What a noisy table says about the counts by some of its columns.

A table may hold several marginals, whose rows show `*` in the columns that they add up over, and groups of values,
which the dictionary takes apart (`labels`): what is counted under a group is spread evenly over its values.

>>> from sharewell.queries.data import Values
>>> groups = {"labels": {"ward": {"surgical": ["a", "b"]}}}
>>> table = NoisyTable({"ward": ["surgical", "c", "other"]}, np.array([4.0, 1.0, 0.0]), groups)
>>> Estimates({"ward": Values(("a", "b", "c"))}, table).of(["ward"]).tolist()
[2.0, 2.0, 1.0, 0.0]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.queries.data import EVERY, Domain, NoisyTable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimates:
    """Counts by any columns, as far as the table tells them."""

    domains: Mapping[str, Domain]
    table: NoisyTable

    @cached_property
    def _columns(self) -> list[str]:
        return [name for name in self.table.keys if name in self.domains]

    @cached_property
    def _marginals(self) -> dict[frozenset[str], NDArray[np.intp]]:
        """Columns of a marginal → its rows."""
        shown = [np.array([label != EVERY for label in self.table.keys[name]], dtype=bool) for name in self._columns]
        if not shown:
            return {}
        patterns, of_row = np.unique(np.stack(shown, axis=1), axis=0, return_inverse=True)
        return {
            frozenset(name for name, is_shown in zip(self._columns, pattern, strict=True) if is_shown): np.flatnonzero(
                of_row.ravel() == number
            )
            for number, pattern in enumerate(patterns.tolist())
        }

    @cached_property
    def _codes(self) -> dict[str, tuple[NDArray[np.intp], Floats]]:
        """Column → the number of the label of each row, and how each label is spread over the public values."""
        groups = self.table.spent.get("labels") or {}
        results = {}
        for name in self._columns:
            known = {label: place for place, label in enumerate(self.domains[name].labels)}
            labels, codes = np.unique(np.array(self.table.keys[name], dtype=object).astype(str), return_inverse=True)
            spread = np.zeros((len(labels), len(known)))
            for number, label in enumerate(labels.tolist()):
                inside = [label] if label in known else groups.get(name, {}).get(label, ())
                places = [known[one] for one in inside if one in known]
                spread[number, places] = 1 / max(len(places), 1)
            results[name] = codes.ravel(), spread
        return results

    def of(self, columns: Sequence[str]) -> Floats | None:
        """Counts by these columns, one axis each, from the smallest marginal that has them; None if none has."""
        able = [marginal for marginal in self._marginals if set(columns) <= marginal]
        if not able:
            return None
        rows = self._marginals[min(able, key=lambda marginal: (len(marginal), sorted(marginal)))]
        flat = np.zeros(len(rows), dtype=np.intp)
        for name in columns:
            codes, spread = self._codes[name]
            flat = flat * len(spread) + codes[rows]
        shape = [len(self._codes[name][1]) for name in columns]
        counts: Floats = np.bincount(flat, self.table.counts[rows], math.prod(shape)).astype(np.float64).reshape(shape)
        for axis, name in enumerate(columns):
            counts = np.moveaxis(np.tensordot(counts, self._codes[name][1], axes=(axis, 0)), -1, axis)
        return counts
