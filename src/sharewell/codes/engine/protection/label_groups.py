"""Groups of codes that become labels: merged, suppressed, undone; and what records show of them at any moment.

A label is known by the number of one of its codes. Records are never rewritten: which of them show a label follows
from the codes of the label and from the original sets, so that merging two labels costs no more than renaming the codes
of one, and undoing it no more than naming them back. Where memory allows, each label also has a bit for every record,
by which records are looked at 64 at a time. Small work is done in numpy, large work by compiled loops with the same
results.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets
from sharewell.codes.engine import labels as written
from sharewell.codes.engine.packed_sets import Ints, Sets
from sharewell.codes.engine.protection import label_bits
from sharewell.compiled import large_or_twin

_KERNEL = "sharewell.codes.engine.protection.label_groups_kernel"
_BITS_KERNEL = "sharewell.codes.engine.protection.label_bits_kernel"
_LARGE = 50_000
"""Code occurrences, or constraints times codes, beyond which compiled loops pay."""
_AS_MUCH = 16
"""A record is looked through in the time of about so many words of bits."""
_LONG = 16
"""Codes of a label beyond which it is quicker to look through all codes than to follow one after the other."""


@dataclass(frozen=True)
class _Merged:
    """What a merge changed, so that it can be undone."""

    kept: int
    gone: int
    last: int
    support: int
    first: int
    bits: label_bits.Words | None


class LabelGroups:
    """One label a code at the start.

    >>> groups = LabelGroups(CodeSets.of([["a", "b"], ["b", "c"], ["c"]]))
    >>> a, b, c = (groups.number[code] for code in "abc")
    >>> groups.merge(a, c)
    >>> int(groups.support[a]), groups.held_by_all([a, b]), groups.members(a)
    (3, 2, ['a', 'c'])
    >>> groups.back_to(0)
    >>> int(groups.support[a]), groups.held_by_all([a, b])
    (1, 1)
    """

    def __init__(self, data: CodeSets, large: bool = False) -> None:
        universe = len(data.names)
        self.data = data
        self.number = {code: i for i, code in enumerate(data.names)}
        self.label_of = np.arange(universe, dtype=np.int32)
        """The label of each code; −1 if it is suppressed."""
        self.support = data.sets.supports(universe)
        """The records that show each label."""
        self.size = np.ones(universe, dtype=np.int64)
        """The codes of each label."""
        self.alive = np.ones(universe, dtype=bool)
        """Which numbers are labels now."""
        self.first = np.empty(universe, dtype=np.int64)
        """The place of the label's first code in the order of texts: it decides between equals."""
        self.first[sorted(range(universe), key=data.names.__getitem__)] = np.arange(universe)
        self._following = np.full(universe, -1, dtype=np.int32)
        self._last = np.arange(universe, dtype=np.int32)
        self._by_code = data.sets.transposed(universe)
        self._words = label_bits.words_of(self._by_code, data.records)
        self._log: list[_Merged] = []
        self._large = large or len(data.sets.items) > _LARGE
        self.version = 0
        """Another number after every change."""

    # What a label is

    def codes(self, label: int) -> list[int]:
        """The numbers of its codes, of a suppressed label too."""
        if self.alive[label] and self.size[label] > _LONG:
            return np.flatnonzero(self.label_of == label).tolist()
        found, code = [], label
        while code >= 0:
            found.append(code)
            code = int(self._following[code])
        return found

    def members(self, label: int) -> list[str]:
        return sorted(self.data.names[code] for code in self.codes(label))

    @property
    def suppressed(self) -> int:
        """How many codes are suppressed now."""
        return int((self.label_of < 0).sum())

    # How labels change

    def merge(self, kept: int, gone: int, shared: int | None = None) -> None:
        """One label of two. `shared` are the records that show both, if they were counted already."""
        if shared is None:
            shared = self.held_by_all([kept, gone])
        last = int(self._last[kept])
        bits = None if self._words is None else self._words[kept].copy()
        self._log.append(_Merged(kept, gone, last, int(self.support[kept]), int(self.first[kept]), bits))
        if self._words is not None:
            self._words[kept] |= self._words[gone]
        self.label_of[self.codes(gone)] = kept
        self._following[last], self._last[kept] = gone, self._last[gone]
        self.support[kept] += self.support[gone] - shared
        self.first[kept] = min(self.first[kept], self.first[gone])
        self.size[kept] += self.size[gone]
        self.alive[gone] = False
        self.version += 1

    def suppress(self, label: int) -> None:
        self.label_of[self.codes(label)] = -1
        self.alive[label] = False
        self.version += 1

    def restore(self, label: int) -> None:
        """Show a suppressed label again."""
        self.label_of[self.codes(label)] = label
        self.alive[label] = True
        self.version += 1

    @property
    def merges(self) -> int:
        return len(self._log)

    def back_to(self, merges: int) -> None:
        """Undo all merges after the first so many. What they made must not be suppressed now."""
        while len(self._log) > merges:
            done = self._log.pop()
            if self._words is not None and done.bits is not None:
                self._words[done.kept] = done.bits
            self._following[done.last], self._last[done.kept] = -1, done.last
            self.support[done.kept], self.first[done.kept] = done.support, done.first
            self.size[done.kept] -= self.size[done.gone]
            self.label_of[self.codes(done.gone)] = done.gone
            self.alive[done.gone] = True
            self.version += 1

    def as_if(self, wholes: Iterable[tuple[Ints, int]]) -> LabelGroups:
        """How it would be if each of these lists of codes, shown by so many records, were one label. To be looked at.

        >>> groups = LabelGroups(CodeSets.of([["a", "b"], ["b", "c"], ["c"]]))
        >>> a, b, c = (groups.number[code] for code in "abc")
        >>> groups.as_if([(np.array([a, c]), 3)]).held_by_all([a, b]), groups.held_by_all([a, b])
        (2, 1)
        """
        imagined = copy.copy(self)
        imagined.label_of, imagined._following = self.label_of.copy(), self._following.copy()
        imagined.support, imagined._words = self.support.copy(), None
        for codes, records in wholes:
            imagined.label_of[codes] = codes[0]
            imagined._following[codes[:-1]], imagined._following[codes[-1]] = codes[1:], -1
            imagined.support[codes[0]] = records
        return imagined

    def records_with(self, codes: Ints) -> int:
        """The records that hold one of these codes."""
        return len(np.unique(self._by_code.take(codes).items))

    # What records show

    def held_by_all(self, labels: list[int]) -> int:
        """The records that show all of these labels."""
        listed = Sets(np.array([0, len(labels)]), np.array(labels, dtype=np.int32))
        return int(self.together(listed, np.zeros(1, np.int64), np.array([self.data.records + 1]))[0])

    def together(self, listed: Sets, asked: Ints, enough: Ints) -> Ints:
        """For each list of codes asked for: the records that show all of its labels, counted up to what is enough.

        A suppressed code asks for nothing; a list of nothing else has −1.
        """
        if self._words is not None:
            quick = large_or_twin(self._large, f"{_BITS_KERNEL}:together", label_bits.together)
            return quick(self._words, self.label_of, listed.starts, listed.items, asked, enough)
        kernel = large_or_twin(self._large, f"{_KERNEL}:together", _together)
        found: Ints = kernel(*self._arrays, self.support, listed.starts, listed.items, asked, enough)
        return found

    def overlaps(self, labels: list[int]) -> Ints:
        """For every label the records that show it together with all of these."""
        if not labels:
            return self.support.copy()
        kernel = large_or_twin(self._large, f"{_KERNEL}:overlaps", _overlaps)
        rarest = min(labels, key=self.support.__getitem__)
        found: Ints = kernel(*self._arrays, np.array(labels, dtype=np.int64), rarest)
        return found

    def shared(self, label: int, others: Ints) -> Ints:
        """The records that show a label together with each of some others."""
        if self._words is None or len(others) * self._words.shape[1] > self.support[label] * _AS_MUCH:
            return self.overlaps([label])[others]
        return large_or_twin(self._large, f"{_BITS_KERNEL}:shared", label_bits.shared)(self._words, label, others)

    def near(self, labels: list[int]) -> tuple[Ints, Ints]:
        """Records that show all of two labels or more, but one at most: (record, place of the one it lacks).

        A record that lacks none has the number of the labels instead.
        """
        wanted = np.array(labels, dtype=np.int64)
        if self._words is not None:
            quick = large_or_twin(self._large, f"{_BITS_KERNEL}:near", label_bits.near)
            return quick(self._words, wanted, self.data.records)
        kernel = large_or_twin(self._large, f"{_KERNEL}:near", _near)
        rarest = sorted(labels, key=self.support.__getitem__)[:2]
        found: tuple[Ints, Ints] = kernel(*self._arrays, wanted, np.array(rarest), int(self.support[rarest].sum()))
        return found

    def without(self, labels: list[int]) -> dict[int, int]:
        """For each of these labels the records that show all the others."""
        if len(labels) < 2:
            return dict.fromkeys(labels, self.data.records)
        lacking = np.bincount(self.near(labels)[1], minlength=len(labels) + 1).tolist()
        return {label: records + lacking[-1] for label, records in zip(labels, lacking[:-1], strict=True)}

    def shown_in(self, rows: Ints) -> Ints:
        """For every label how many of some records show it."""
        kernel = large_or_twin(self._large, f"{_KERNEL}:shown_in", _shown_in)
        return kernel(self.data.sets.starts, self.data.sets.items, self.label_of, rows)

    def cheapest(
        self, label: int, within: Ints, of_size: NDArray[np.float64], of_support: NDArray[np.float64]
    ) -> tuple[float, Ints, Ints]:
        """The least loss of merging a label with another one of some codes: (loss, with which labels, records of both).

        The loss is what its size and its support add, to nine digits, so that no rounding decides.
        """
        shared = self.overlaps([label])
        kernel = large_or_twin(self._large, f"{_KERNEL}:cheapest", _cheapest)
        loss, found = kernel(shared, label, within, self.alive, self.size, self.support, of_size, of_support)
        return loss, found, shared[found]

    def two_least(self, within: Ints) -> tuple[int, int]:
        """The sizes of the two smallest labels among some codes; the number of all codes where there are fewer."""
        kernel = large_or_twin(self._large, f"{_KERNEL}:two_least", _two_least)
        return kernel(within, self.alive, self.size, len(self.size))

    def mark(self, label: int, naming: Sets, marks: NDArray[np.bool_]) -> None:
        """Mark what names a code of a label, given what names each code."""
        kernel = large_or_twin(self._large, f"{_KERNEL}:mark", _mark)
        kernel(label, self._following, naming.starts, naming.items, marks)

    def parts_held_by(self, listed: list[int], k: int) -> bool:
        """Is every part of a list of labels shown by no record or by at least k of them?

        A part is counted among the records of its rarest label. What a record shows of the list is the largest part it
        has, and each smaller one is at least as frequent. So labels are taken from the rarest on, and as soon as all
        labels that are left are shown by k records together, so is every part of them.
        """
        left = sorted(listed, key=lambda label: (-self.support[label], self.first[label]))
        while left:
            shown = self.held_by_all(left)
            if shown:
                return shown >= k
            rarest = left[-1]
            if self.support[rarest] < k or not _all_frequent(self._parts(left, rarest), k):
                return False
            left.pop()
        return True

    def _parts(self, wanted: list[int], rarest: int) -> NDArray[np.uint64]:
        """For each record with the rarest label, what it shows of the wanted ones, as bits."""
        kernel = large_or_twin(self._large, f"{_KERNEL}:parts", _parts)
        return kernel(*self._arrays, np.array(wanted, dtype=np.int64), rarest, int(self.support[rarest]))

    @property
    def _arrays(self) -> tuple[Ints, NDArray[np.int32], Ints, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        sets, by_code = self.data.sets, self._by_code
        return sets.starts, sets.items, by_code.starts, by_code.items, self.label_of, self._following

    def published(self) -> CodeSets:
        """The release that shows every code by its label."""
        shown = {int(label): self.members(int(label)) for label in np.flatnonzero(self.alive)}
        texts = {label: written.write(codes) for label, codes in shown.items()}
        labels = {code: texts.get(int(self.label_of[i])) for i, code in enumerate(self.data.names)}
        return self.data.recoded(labels, {texts[label]: codes for label, codes in shown.items()})


def _all_frequent(parts: NDArray[np.uint64], k: int) -> bool:
    """Is every distinct part shown by at least k records, counting those that show more?"""
    distinct, counts = np.unique(parts, axis=0, return_counts=True)
    rare = distinct[counts < k]
    return all(counts[((distinct & part) == part).all(axis=1)].sum() >= k for part in rare)


# The numpy twins of the compiled loops


def _rows_of(
    by_starts: Ints, by_rows: NDArray[np.int32], following: NDArray[np.int32], label: int
) -> NDArray[np.int32]:
    """The records that show a label."""
    lists, code = [], label
    while code >= 0:
        lists.append(by_rows[by_starts[code] : by_starts[code + 1]])
        code = int(following[code])
    return lists[0] if len(lists) == 1 else np.unique(np.concatenate(lists))


def _together(
    starts: Ints,
    items: NDArray[np.int32],
    by_starts: Ints,
    by_rows: NDArray[np.int32],
    label_of: NDArray[np.int32],
    following: NDArray[np.int32],
    support: Ints,
    listed_starts: Ints,
    listed: NDArray[np.int32],
    asked: Ints,
    enough: Ints,
) -> Ints:
    found = np.empty(len(asked), dtype=np.int64)
    for place, one in enumerate(asked):
        wanted = {int(label) for label in label_of[listed[listed_starts[one] : listed_starts[one + 1]]]} - {-1}
        if not wanted:
            found[place] = -1
            continue
        by_support = sorted(wanted, key=support.__getitem__)
        rows = _rows_of(by_starts, by_rows, following, by_support[0])
        for label in by_support[1:]:
            if len(rows):
                rows = np.intersect1d(rows, _rows_of(by_starts, by_rows, following, label), assume_unique=True)
        found[place] = min(len(rows), enough[place])
    return found


def _overlaps(
    starts: Ints,
    items: NDArray[np.int32],
    by_starts: Ints,
    by_rows: NDArray[np.int32],
    label_of: NDArray[np.int32],
    following: NDArray[np.int32],
    wanted: Ints,
    rarest: int,
) -> Ints:
    rows = _rows_of(by_starts, by_rows, following, rarest)
    for label in wanted.tolist():
        if label != rarest:
            rows = np.intersect1d(rows, _rows_of(by_starts, by_rows, following, label), assume_unique=True)
    return Sets(starts, items).take(rows).renumbered(label_of).supports(len(label_of))


def _near(
    starts: Ints,
    items: NDArray[np.int32],
    by_starts: Ints,
    by_rows: NDArray[np.int32],
    label_of: NDArray[np.int32],
    following: NDArray[np.int32],
    wanted: Ints,
    rarest: Ints,
    most: int,
) -> tuple[Ints, Ints]:
    rows = np.unique(np.concatenate([_rows_of(by_starts, by_rows, following, int(label)) for label in rarest]))
    shown = _places(starts, items, label_of, rows, wanted)
    missing = len(wanted) * (len(wanted) - 1) // 2 - np.bincount(shown.row_of, shown.items, len(rows)).astype(np.int64)
    missing[shown.lengths == len(wanted)] = len(wanted)
    kept = shown.lengths >= len(wanted) - 1
    return rows[kept].astype(np.int64), missing[kept]


def _places(
    starts: Ints, items: NDArray[np.int32], label_of: NDArray[np.int32], rows: NDArray[np.int32], wanted: Ints
) -> Sets:
    """Which of the wanted labels each of some records shows."""
    place_of = np.full(len(label_of) + 1, -1, dtype=np.int64)
    place_of[wanted] = np.arange(len(wanted))
    return Sets(starts, items).take(rows).renumbered(place_of[label_of])


def _parts(
    starts: Ints,
    items: NDArray[np.int32],
    by_starts: Ints,
    by_rows: NDArray[np.int32],
    label_of: NDArray[np.int32],
    following: NDArray[np.int32],
    wanted: Ints,
    rarest: int,
    size: int,
) -> NDArray[np.uint64]:
    rows = _rows_of(by_starts, by_rows, following, rarest)
    shown = _places(starts, items, label_of, rows, wanted)
    held = np.zeros((len(rows), -(-len(wanted) // 64) * 64), dtype=bool)
    held[shown.row_of, shown.items] = True
    return np.packbits(held, axis=1).view(np.uint64)


def _shown_in(starts: Ints, items: NDArray[np.int32], label_of: NDArray[np.int32], rows: Ints) -> Ints:
    return Sets(starts, items).take(rows).renumbered(label_of).supports(len(label_of))


def _cheapest(
    shared: Ints,
    label: int,
    within: Ints,
    alive: NDArray[np.bool_],
    size: Ints,
    support: Ints,
    of_size: NDArray[np.float64],
    of_support: NDArray[np.float64],
) -> tuple[float, Ints]:
    possible = within[alive[within] & (within != label)]
    merged = support[possible] + support[label] - shared[possible]
    loss = np.round(of_size[size[possible] + size[label]] + of_support[merged], 9)
    least = float(loss.min(initial=np.inf))
    return least, possible[loss == least]


def _two_least(within: Ints, alive: NDArray[np.bool_], size: Ints, none: int) -> tuple[int, int]:
    least, next_least = np.partition(np.append(size[within[alive[within]]], [none, none]), 1)[:2].tolist()
    return least, next_least


def _mark(
    label: int,
    following: NDArray[np.int32],
    naming_starts: Ints,
    naming: NDArray[np.int32],
    marks: NDArray[np.bool_],
) -> None:
    marks[_rows_of(naming_starts, naming, following, label)] = True
