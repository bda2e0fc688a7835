"""Groups of codes that become labels: merged, suppressed, undone; and what records show of them at any moment.

A label is known by the number of one of its codes. Records are never rewritten: which of them show a label follows
from the codes of the label and from the original sets, so that merging two labels costs no more than renaming the codes
of one, and undoing it no more than naming them back. `label_counts` does the counting.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.protection import label_counts
from sharewell.codes.engine.protection.label_bits import MOST_BITS, LabelBits
from sharewell.codes.engine.protection.label_counts import Flags, Floats, LabelledRecords, Words
from sharewell.compiled import numba_or_numpy

Function = TypeVar("Function", bound=Callable[..., Any])
_KERNEL = "sharewell.codes.engine.protection.label_counts_kernel"
_LARGE = 50_000
"""Code occurrences, or constraints times codes, beyond which compiled loops pay."""
_WORDS_PER_RECORD = 16
"""Looking through one record takes about as long as looking through this many words of bits."""
_BITS_OF_A_SET = MOST_BITS // 32
_SETS_KEPT = 256
"""Sets of codes whose records are kept by themselves."""
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


class _Inside(NamedTuple):
    """The records that hold a code of one utility set, as far as its codes go."""

    sets: Sets
    by_code: Sets
    bits: LabelBits


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

    def __init__(self, data: CodeSets, large: bool = False, set_of: Ints | None = None) -> None:
        """set_of: for each code the number of the set within which it may be merged, −1 if it may not be."""
        universe = len(data.names)
        self.data = data
        self._set_of = np.zeros(universe, dtype=np.int64) if set_of is None else set_of
        self._one_set = bool((self._set_of == 0).all())
        self._inside: dict[int, _Inside] = {}
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
        self._log: list[_Merged] = []
        self._large = large or len(data.sets.items) > _LARGE
        self._compiled: dict[str, Callable[..., Any]] = {}
        set_bits = self._fastest(label_counts.set_bits)
        self._bits: LabelBits | None = LabelBits(self._by_code, data.records, universe, set_bits)
        self.version = 0
        """Another number after every change."""

    # What a label is

    def codes(self, label: int) -> list[int]:
        """The numbers of its codes, of a suppressed label too."""
        if self.alive[label] and self.size[label] > _LONG:
            return np.flatnonzero(self.label_of == label).tolist()
        codes, code = [], label
        while code >= 0:
            codes.append(code)
            code = int(self._following[code])
        return codes

    def members(self, label: int) -> list[str]:
        return sorted(self.data.names[code] for code in self.codes(label))

    @property
    def suppressed(self) -> int:
        """How many codes are suppressed now."""
        return int((self.label_of < 0).sum())

    # How labels change

    def merge(self, kept: int, absorbed: int, shared: int | None = None) -> None:
        """One label of two. `shared` are the records that show both, if they were counted already."""
        if shared is None:
            shared = self.held_by_all([kept, absorbed])
        last = int(self._last[kept])
        self._log.append(_Merged(kept, absorbed, last, int(self.support[kept]), int(self.first[kept])))
        for bits in self._bits_of(kept):
            bits.merge(kept, absorbed, self._following)
        self.label_of[self.codes(absorbed)] = kept
        self._following[last], self._last[kept] = absorbed, self._last[absorbed]
        self.support[kept] += self.support[absorbed] - shared
        self.first[kept] = min(self.first[kept], self.first[absorbed])
        self.size[kept] += self.size[absorbed]
        self.alive[absorbed] = False
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
        """Undo all merges but this many, the first. What they made must not be suppressed now."""
        while len(self._log) > merges:
            done = self._log.pop()
            self._following[done.last], self._last[done.kept] = -1, done.last
            for bits in self._bits_of(done.kept):
                bits.renew(done.kept, self._following)
            self.support[done.kept], self.first[done.kept] = done.support, done.first
            self.size[done.kept] -= self.size[done.gone]
            self.label_of[self.codes(done.gone)] = done.gone
            self.alive[done.gone] = True
            self.version += 1

    def as_if(self, unions: Iterable[tuple[Ints, int]]) -> LabelGroups:
        """A copy, to be read only, in which each of these lists of codes, shown by this many records, is one label.

        >>> groups = LabelGroups(CodeSets.of([["a", "b"], ["b", "c"], ["c"]]))
        >>> a, b, c = (groups.number[code] for code in "abc")
        >>> groups.as_if([(np.array([a, c]), 3)]).held_by_all([a, b]), groups.held_by_all([a, b])
        (2, 1)
        """
        imagined = copy.copy(self)
        imagined.label_of, imagined._following = self.label_of.copy(), self._following.copy()
        imagined.support, imagined._bits = self.support.copy(), None
        for codes, records in unions:
            imagined.label_of[codes] = codes[0]
            imagined._following[codes[:-1]], imagined._following[codes[-1]] = codes[1:], -1
            imagined.support[codes[0]] = records
        return imagined

    def merge_all(self, codes: Ints) -> None:
        """One label of codes that are labels of their own, merged one after the other into the first."""
        whole, *others = codes.tolist()
        single = bool((self.alive[codes] & (self.size[codes] == 1)).all())
        shared = self._held_before(codes)[1:].tolist() if single else [None] * len(others)
        for code, records in zip(others, shared, strict=True):
            self.merge(whole, code, records)

    def _held_before(self, codes: Ints) -> Ints:
        """For each of some codes how many of its records hold an earlier one of them."""
        held = self._by_code.take(codes)
        order = np.argsort(held.items, kind="stable")
        first = np.append(True, np.diff(held.items[order]) != 0)[: len(order)]
        fresh = np.bincount(held.row_of[order[first]], minlength=len(codes))
        return held.lengths - fresh

    def records_with(self, codes: Ints) -> int:
        """The records that hold one of these codes."""
        return len(np.unique(self._by_code.take(codes).items))

    # What records show

    def held_by_all(self, labels: list[int]) -> int:
        """The records that show all of these labels."""
        listed = Sets(np.array([0, len(labels)]), np.array(labels, dtype=np.int32))
        alone, enough = np.zeros(1, np.int64), np.array([self.data.records + 1])
        if self._bits is not None and self._bits.hold(listed.items, self._following):
            return int(self.together(listed, alone, enough)[0])
        count, lists = self._fastest(label_counts.together), (listed.starts, listed.items, alone, enough)
        return int(count(self._records_in(self._inside_of(listed.items)), self.support, *lists)[0])

    def together(self, listed: Sets, chosen: Ints, enough: Ints) -> Ints:
        """For each chosen list of codes: the records that show all of its labels, counted up to what is enough.

        Suppressed codes are passed over; a list of nothing else has −1.
        """
        lists = listed.starts, listed.items, chosen, enough
        named = self.label_of[listed.row(chosen[0]) if len(chosen) == 1 else listed.take(chosen).items]
        if self._bits is not None and self._bits.hold(named[named >= 0], self._following):
            words, row_of = self._bits.words, self._bits.row_of
            return self._fastest(label_counts.together_by_bits)(words, row_of, self.label_of, *lists)
        return self._fastest(label_counts.together)(self._records, self.support, *lists)

    def overlaps(self, labels: list[int]) -> Ints:
        """For every label the records that show it together with all of these."""
        if not labels:
            return self.support.copy()
        rarest = min(labels, key=self.support.__getitem__)
        return self._fastest(label_counts.overlaps)(self._records, np.array(labels, dtype=np.int64), rarest)

    def shared(self, label: int, others: Ints) -> Ints:
        """The records that show a label together with each of some others."""
        about = np.append(others, label)
        inside = self._inside_of(about)
        bits = self._bits if inside is None or self._bits is None else inside.bits
        if bits is None or len(others) * bits.width > self.support[label] * _WORDS_PER_RECORD:
            return self._shared_by_lists(label, inside)[others]
        if not bits.hold(about, self._following):
            return self._shared_by_lists(label, inside)[others]
        rows = bits.row_of[about]
        return self._fastest(label_counts.shared_by_bits)(bits.words, int(rows[-1]), rows[:-1])

    def near(self, labels: list[int]) -> tuple[Ints, Ints]:
        """Records that lack at most one of two labels or more: (record, place of the label that it lacks).

        A record that lacks none has the number of the labels instead.
        """
        wanted = np.array(labels, dtype=np.int64)
        if self._bits is not None and self._bits.hold(wanted, self._following):
            rows = self._bits.row_of[wanted].astype(np.int64)
            return self._fastest(label_counts.near_by_bits)(self._bits.words, rows, self.data.records)
        rarest = sorted(labels, key=self.support.__getitem__)[:2]
        most = int(self.support[rarest].sum())
        return self._fastest(label_counts.near)(self._records, wanted, np.array(rarest), most)

    def shown_in(self, rows: Ints) -> Ints:
        """For every label how many of some records show it."""
        return self._fastest(label_counts.shown_in)(self._records, rows)

    def cheapest(self, label: int, within: Ints, of_size: Floats, of_support: Floats) -> tuple[float, Ints, Ints]:
        """The least loss of merging a label with another one of some codes: (loss, with which labels, records of both).

        The loss is what its size and its support add, to nine digits, so that no rounding decides.
        """
        inside = self._inside_of(within)
        bits = self._bits if inside is None or self._bits is None else inside.bits
        if bits is None or len(within) * bits.width > self.support[label] * _WORDS_PER_RECORD:
            shared = self._shared_by_lists(label, inside)
        else:
            others = within[self.alive[within] & (within != label)]
            shared = np.zeros(len(self.size), dtype=np.int64)
            shared[others] = self.shared(label, others)
        state = self.alive, self.size, self.support
        loss, partners = self._fastest(label_counts.cheapest)(shared, label, within, *state, of_size, of_support)
        return loss, partners, shared[partners]

    def two_least(self, within: Ints) -> tuple[int, int]:
        """The sizes of the two smallest labels among some codes; the number of all codes where there are fewer."""
        return self._fastest(label_counts.two_least)(within, self.alive, self.size, len(self.size))

    def mark(self, label: int, naming: Sets, marks: Flags) -> None:
        """Mark what names a code of a label, given what names each code."""
        self._fastest(label_counts.mark)(label, self._following, naming.starts, naming.items, marks)

    def parts_held_by(self, listed: list[int], k: int) -> bool:
        """Is every part of a list of labels shown by no record or by at least k of them?

        A part is counted among the records of its rarest label. What a record shows of the list is the largest part it
        has, and each smaller one is at least as frequent. So labels are taken from the rarest on, and as soon as all
        labels that are left are shown by k records together, so is every part of them.
        """
        labels = sorted(listed, key=lambda label: (-self.support[label], self.first[label]))
        while labels:
            shown = self.held_by_all(labels)
            if shown:
                return shown >= k
            rarest = labels[-1]
            if self.support[rarest] < k or not _all_frequent(self._parts(labels, rarest), k):
                return False
            labels.pop()
        return True

    def _parts(self, wanted: list[int], rarest: int) -> Words:
        """For each record with the rarest label, what it shows of the wanted ones, as bits."""
        labels, size = np.array(wanted, dtype=np.int64), int(self.support[rarest])
        return self._fastest(label_counts.parts)(self._records, labels, rarest, size)

    @property
    def _records(self) -> LabelledRecords:
        sets, by_code = self.data.sets, self._by_code
        return LabelledRecords(sets.starts, sets.items, by_code.starts, by_code.items, self.label_of, self._following)

    def _shared_by_lists(self, label: int, inside: _Inside | None) -> Ints:
        """For every label how many records show it together with a label."""
        wanted = np.array([label], dtype=np.int64)
        return self._fastest(label_counts.overlaps)(self._records_in(inside), wanted, label)

    def _inside_of(self, labels: NDArray[np.integer]) -> _Inside | None:
        """If all labels are of one set of codes, the records that hold one, and only its codes.

        Records hold codes of many sets, so that this is a small part of them.
        """
        number = int(self._set_of[labels[0]])
        if number < 0 or self._one_set or (self._set_of[labels] != number).any():
            return None
        if number not in self._inside:
            if len(self._inside) == _SETS_KEPT:
                del self._inside[next(iter(self._inside))]
            self._inside[number] = self._restricted(np.flatnonzero(self._set_of == number))
        return self._inside[number]

    def _records_in(self, inside: _Inside | None) -> LabelledRecords:
        if inside is None:
            return self._records
        sets, by_code, _ = inside
        return LabelledRecords(sets.starts, sets.items, by_code.starts, by_code.items, self.label_of, self._following)

    def _bits_of(self, label: int) -> list[LabelBits]:
        """Wherever a label may have bits."""
        inside = self._inside.get(int(self._set_of[label]))
        return [bits for bits in (self._bits, None if inside is None else inside.bits) if bits is not None]

    def _restricted(self, codes: Ints) -> _Inside:
        """The records that hold one of these codes, numbered anew, and the records of each code."""
        held = self._by_code.take(codes)
        order = np.argsort(held.items, kind="stable")
        first = np.append(True, np.diff(held.items[order]) != 0)[: len(order)]
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.cumsum(first) - 1
        starts = np.append(np.flatnonzero(first), len(order)).astype(np.int64)
        lengths = np.zeros(len(self._set_of), dtype=np.int64)
        lengths[codes] = held.lengths
        by_code = Sets(np.append(0, np.cumsum(lengths)).astype(np.int64), number)
        set_bits = self._fastest(label_counts.set_bits)
        bits = LabelBits(by_code, len(starts) - 1, len(codes), set_bits, _BITS_OF_A_SET)
        return _Inside(Sets(starts, codes[held.row_of[order]].astype(np.int32)), by_code, bits)

    def _fastest(self, count: Function) -> Function:
        """A function of `label_counts`, compiled where the work is large: asked many thousand times, so kept."""
        if not self._large:
            return count
        found = self._compiled.get(count.__name__)
        if found is None:
            found = numba_or_numpy(True, f"{_KERNEL}:{count.__name__}", count)
            if found is not count:  # a twin may be compiled yet, once it has taken long
                self._compiled[count.__name__] = found
        return cast(Function, found)

    def published(self) -> CodeSets:
        """The release that shows every code by its label."""
        shown = {int(label): self.members(int(label)) for label in np.flatnonzero(self.alive)}
        texts = {label: write_label(codes) for label, codes in shown.items()}
        labels = {code: texts.get(int(self.label_of[i])) for i, code in enumerate(self.data.names)}
        return self.data.recoded(labels, {texts[label]: codes for label, codes in shown.items()})


def _all_frequent(parts: Words, k: int) -> bool:
    """Is every distinct part shown by at least k records, counting those that show more?"""
    distinct, counts = np.unique(parts, axis=0, return_counts=True)
    rare = distinct[counts < k]
    return all(counts[((distinct & part) == part).all(axis=1)].sum() >= k for part in rare)
