"""Which records show which labels, counted in numpy; `label_counts_kernel` has the same functions, compiled.

Records come in two forms. `LabelledRecords` lists the codes of each record and the records of each code; `Words` has
one bit for every record of a label (`label_bits`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints, Sets, numbering

Numbers = NDArray[np.int32]
Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


class LabelledRecords(NamedTuple):
    """The codes of each record, the records of each code, and the label of each code."""

    starts: Ints
    items: Numbers
    holder_starts: Ints
    holders: Numbers
    label_of: Numbers
    """−1 where a code is suppressed."""
    following: Numbers
    """The next code of the same label; −1 after the last."""


def set_bits(holder_starts: Ints, holders: Numbers, following: Numbers, label: int, words: Words) -> None:
    """Set the bit of each record that shows a label."""
    shown = np.zeros(64 * len(words), dtype=bool)
    shown[_of_label(holder_starts, holders, following, label)] = True
    words |= np.packbits(shown, bitorder="little").view("<u8")


def together_by_bits(
    words: Words, row_of: Numbers, label_of: Numbers, starts: Ints, listed: Numbers, chosen: Ints, enough: Ints
) -> Ints:
    """For each chosen list of codes, the records that show all of its labels, counted up to what is enough.

    `row_of` is the row of words of each label. Suppressed codes are passed over; a list of nothing else has −1.
    """
    counts = np.full(len(chosen), -1, dtype=np.int64)
    for place, number in enumerate(chosen):
        labels = label_of[listed[starts[number] : starts[number + 1]]]
        if (labels := labels[labels >= 0]).size:
            shown = np.bitwise_count(np.bitwise_and.reduce(words[row_of[labels]], axis=0)).sum()
            counts[place] = min(int(shown), enough[place])
    return counts


def near_by_bits(words: Words, wanted: Ints, records: int) -> tuple[Ints, Ints]:
    """Records that lack at most one of the labels of the wanted rows: (record, place of the label that it lacks).

    A record that lacks none has the number of wanted rows instead.
    """
    bits = np.unpackbits(words[wanted].astype("<u8").view(np.uint8), axis=1, count=records, bitorder="little")
    shown = bits.sum(axis=0)
    rows = np.flatnonzero(shown >= len(wanted) - 1)
    return rows, np.where(shown[rows] == len(wanted), len(wanted), bits[:, rows].argmin(axis=0))


def shared_by_bits(words: Words, row: int, others: Numbers) -> Ints:
    """The records that show the label of a row of words together with that of each of some others."""
    counts: Ints = np.bitwise_count(words[others] & words[row]).sum(axis=1, dtype=np.int64)
    return counts


def together(
    records: LabelledRecords, support: Ints, listed_starts: Ints, listed: Numbers, chosen: Ints, enough: Ints
) -> Ints:
    """As `together_by_bits`, from lists."""
    counts = np.full(len(chosen), -1, dtype=np.int64)
    for place, number in enumerate(chosen):
        codes = listed[listed_starts[number] : listed_starts[number + 1]]
        labels = {int(label) for label in records.label_of[codes]} - {-1}
        if labels:
            counts[place] = min(len(_showing_all(records, sorted(labels, key=support.__getitem__))), enough[place])
    return counts


def overlaps(records: LabelledRecords, wanted: Ints, rarest: int) -> Ints:
    """For every label the records that show it together with all wanted ones."""
    return shown_in(records, _showing_all(records, [rarest, *wanted[wanted != rarest].tolist()]))


def near(records: LabelledRecords, wanted: Ints, rarest: Ints, most: int) -> tuple[Ints, Ints]:
    """As `near_by_bits`. Each such record shows one of the two rarest labels; `most` are the records of both."""
    rows = np.unique(np.concatenate([_showing(records, int(label)) for label in rarest]))
    shown = _shown_places(records, rows, wanted)
    missing = len(wanted) * (len(wanted) - 1) // 2 - np.bincount(shown.row_of, shown.items, len(rows)).astype(np.int64)
    missing[shown.lengths == len(wanted)] = len(wanted)
    kept = shown.lengths >= len(wanted) - 1
    return rows[kept].astype(np.int64), missing[kept]


def parts(records: LabelledRecords, wanted: Ints, rarest: int, size: int) -> Words:
    """For each of the `size` records that show the rarest label, which of the wanted labels it shows, 64 a word."""
    rows = _showing(records, rarest)
    shown = _shown_places(records, rows, wanted)
    bits = np.zeros((len(rows), -(-len(wanted) // 64) * 64), dtype=bool)
    bits[shown.row_of, shown.items] = True
    return np.packbits(bits, axis=1).view(np.uint64)


def shown_in(records: LabelledRecords, rows: NDArray[np.integer]) -> Ints:
    """For every label how many of some records show it."""
    taken = Sets(records.starts, records.items).take(rows)
    return taken.renumbered(records.label_of).supports(len(records.label_of))


def cheapest(
    shared: Ints, label: int, within: Ints, alive: Flags, size: Ints, support: Ints, of_size: Floats, of_support: Floats
) -> tuple[float, Ints]:
    """The least loss of merging a label with another one of some codes, and all labels with which it loses no more."""
    possible = within[alive[within] & (within != label)]
    merged = support[possible] + support[label] - shared[possible]
    loss = np.round(of_size[size[possible] + size[label]] + of_support[merged], 9)
    least = float(loss.min(initial=np.inf))
    return least, possible[loss == least]


def two_least(within: Ints, alive: Flags, size: Ints, none: int) -> tuple[int, int]:
    """The sizes of the two smallest labels among some codes; `none` where there are fewer."""
    least, next_least = np.partition(np.append(size[within[alive[within]]], [none, none]), 1)[:2].tolist()
    return least, next_least


def mark(label: int, following: Numbers, naming_starts: Ints, naming: Numbers, marks: Flags) -> None:
    """Mark what names a code of a label."""
    marks[_of_label(naming_starts, naming, following, label)] = True


def _of_label(starts: Ints, listed: Numbers, following: Numbers, label: int) -> Numbers:
    """What is listed for the codes of a label, each once."""
    lists, code = [], label
    while code >= 0:
        lists.append(listed[starts[code] : starts[code + 1]])
        code = int(following[code])
    return lists[0] if len(lists) == 1 else np.unique(np.concatenate(lists))


def _showing(records: LabelledRecords, label: int) -> Numbers:
    return _of_label(records.holder_starts, records.holders, records.following, label)


def _showing_all(records: LabelledRecords, labels: list[int]) -> Numbers:
    """The records that show all labels, the rarest of which comes first."""
    rows = _showing(records, labels[0])
    for label in labels[1:]:
        if len(rows):
            rows = np.intersect1d(rows, _showing(records, label), assume_unique=True)
    return rows


def _shown_places(records: LabelledRecords, rows: Numbers, wanted: Ints) -> Sets:
    """Which of the wanted labels each of some records shows, by place."""
    place_of = numbering(wanted, len(records.label_of) + 1)
    return Sets(records.starts, records.items).take(rows).renumbered(place_of[records.label_of])
