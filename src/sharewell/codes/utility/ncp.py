"""Normalised certainty penalty (NCP) of codes: the share of detail lost, averaged over the codes of all records.

## Worked example
Three of eight codes held are shown by a label of two out of six: 3 · (2/6) / 8.

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> shown = [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
>>> NCP().score(before, CodeSets.of(shown, published=True)).value
0.125

## Why it is safe
A code shown as itself loses 0; one shown by a label of several codes loses the share of all codes that the label may
stand for; one that is not shown loses 1. Where labels differ by record, each record is compared with its own release,
and the tightest label counts. The release must be in the order of the original: another order is noticed only if a
label then covers no code of its record.

## Cost
O(codes) for one recoding of all records, O(Σ length · published length) where labels differ by record.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006; Terrovitis, Mamoulis and Kalnis, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.codes.data import CodeSets, Ints, Sets

_ROWS = 50_000
"""Records compared at a time."""


@dataclass(frozen=True)
class NCPDetails:
    occurrences: int
    exact: float
    """The share of occurrences that are shown as they are."""
    suppressed: float


@dataclass(frozen=True)
class NCP(Declared, Measure[CodeSets]):
    """Mean loss for each code of each record."""

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        if after.records < before.records and before.persons is not None and after.persons is not None:
            after = after.records_of(before.persons)  # whoever is withheld shows no code
        counted = _widths(before, after)
        if counted is None:
            return Finding(self.name, None, note="which published record is whose cannot be told")
        width, times = counted
        total = int(times.sum())
        if not total:
            return Finding(self.name, None, note="there are no codes to lose")
        lost = int((width * times)[width > 1].sum()) / len(before.names) + int(times[width == 0].sum())
        exact, suppressed = int(times[width == 1].sum()), int(times[width == 0].sum())
        return Finding(self.name, lost / total, details=NCPDetails(total, exact / total, suppressed / total))


def _widths(before: CodeSets, after: CodeSets) -> tuple[Ints, Ints] | None:
    """(original codes that the label may stand for, 0 where there is none; how often that is so).

    By code where the release says that it has one label for each. Else by occurrence, the tightest label first, if
    records can be in the same order before and after: every label must cover a code of its record. (Records without a
    code may have been dropped.) If they cannot, by code again if no code lies in two labels, and None otherwise.
    """
    number = {code: i for i, code in enumerate(before.names)}
    covered = [[number[code] for code in codes if code in number] for codes in after.members]
    size = np.array([len(codes) for codes in covered], dtype=np.int64)
    if after.labels is None and (by_occurrence := _by_occurrence(before, after, covered, size)) is not None:
        return by_occurrence, np.ones(len(by_occurrence), dtype=np.int64)
    if sum(map(len, covered)) > len({code for codes in covered for code in codes}):
        return None
    width = np.zeros(len(before.names), dtype=np.int64)
    for label, codes in enumerate(covered):
        width[codes] = size[label]
    return width, before.sets.supports(len(before.names))


def _by_occurrence(before: CodeSets, after: CodeSets, covered: list[list[int]], size: Ints) -> Ints | None:
    """The width for each code of each record; None if records are not in the same order."""
    rows, after_rows = np.arange(before.records), np.arange(after.records)
    if len(rows) != len(after_rows):
        rows, after_rows = np.flatnonzero(before.sets.lengths), np.flatnonzero(after.sets.lengths)
    if len(rows) != len(after_rows) or not len(before.names):
        return None
    covers = Sets.of(covered)
    keys = np.sort(covers.row_of * len(before.names) + covers.items)
    parts = [np.zeros(0, dtype=np.int64)]
    for first in range(0, len(rows), _ROWS):
        original_rows, released_rows = rows[first : first + _ROWS], after_rows[first : first + _ROWS]
        part = _tightest(before.sets.take(original_rows), after.sets.take(released_rows), size, keys, len(before.names))
        if part is None:
            return None
        parts.append(part)
    return np.concatenate(parts)


def _tightest(records: Sets, shown: Sets, size: Ints, keys: Ints, universe: int) -> Ints | None:
    """For each code held, the size of the smallest label of its record that covers it; None if a label covers none."""
    width = np.full(len(records.items), universe + 1, dtype=np.int64)
    truthful = np.zeros(len(shown.items), dtype=bool)
    times = shown.lengths[records.row_of]
    occurrence = np.repeat(np.arange(len(records.items)), times)
    first = np.repeat(np.cumsum(times) - times, times)
    place = np.repeat(shown.starts[records.row_of], times) + np.arange(len(occurrence)) - first
    label = shown.items[place]
    wanted = label.astype(np.int64) * universe + records.items[occurrence]
    if len(keys):
        covered = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
        np.minimum.at(width, occurrence[covered], size[label[covered]])
        truthful[place[covered]] = True
    width[width > universe] = 0
    return width if truthful.all() else None
