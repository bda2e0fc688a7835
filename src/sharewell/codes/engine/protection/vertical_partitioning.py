"""Vertical partitioning: the codes of a cluster in chunks that are k^m-anonymous each.

Who holds a code is a number whose bits are records; combinations are counted by the bits that numbers have in common.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sharewell.codes.criteria.cover_free import CoverFree
from sharewell.codes.engine.chunks import Cluster
from sharewell.codes.engine.packed_sets import Ints


@dataclass
class Part:
    """A cluster in the making."""

    rows: Ints
    """Its records in the original."""
    holders: dict[str, int]
    """For each code the records that hold it, as bits; what is suppressed is taken away."""
    chunks: list[list[str]] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    removed: dict[str, int] = field(default_factory=dict)
    """For each suppressed code the records that held it."""

    @property
    def suppressed(self) -> int:
        return sum(bits.bit_count() for bits in self.removed.values())

    @property
    def size(self) -> int:
        return len(self.rows)

    def support(self, code: str) -> int:
        return self.holders[code].bit_count()

    def cut(self, k: int, m: int, groups: Sequence[Iterable[str]]) -> None:
        """Rare codes to the item chunk, the others to chunks, each within a group of codes."""
        self.items = [code for code in self.holders if self.support(code) < k]
        for group in groups:
            frequent = [code for code in group if code in self.holders and self.support(code) >= k]
            self.chunks += anonymous(self.holders, frequent, k, m)

    def uncover(self, k: int, m: int, rule: CoverFree) -> None:
        """Take the certainty away from codes that (nearly) all records hold.

        A code is removed from records where no combination with it becomes rare and something else remains. If these
        are too few it goes to a chunk of its own, and if that does not help either, to the item chunk.
        """
        if len(self.chunks) + len(self.items) < 2:
            return
        for chunk in list(self.chunks):
            for code in [code for code in chunk if rule.covers(self.support(code), self.size)]:
                surplus = next(n for n in itertools.count(1) if not rule.covers(self.support(code) - n, self.size))
                if self._remove(code, chunk, surplus, k, m):
                    continue
                chunk.remove(code)
                if self._remove(code, [code], surplus, k, m):
                    self.chunks.append([code])
                else:
                    self.items.append(code)
        self.chunks = [chunk for chunk in self.chunks if chunk]

    def _remove(self, code: str, chunk: Sequence[str], surplus: int, k: int, m: int) -> bool:
        """Remove a code from so many records; all or nothing."""
        before = self.holders[code]
        others = [other for other in chunk if other != code]
        removed = 0
        for _, record in sorted((self._together(others, record), record) for record in _bits(before)):
            if removed == surplus:
                break
            if self._can_spare(code, others, record, k, m):
                self.holders[code] &= ~(1 << record)
                removed += 1
        if removed < surplus:
            self.holders[code] = before
            return False
        self.removed[code] = before & ~self.holders[code]
        return True

    def _together(self, codes: Sequence[str], record: int) -> int:
        return sum(self.holders[code] >> record & 1 for code in codes)

    def _can_spare(self, code: str, others: Sequence[str], record: int, k: int, m: int) -> bool:
        """Does the record hold something else, and is no combination of it rare without this record?"""
        if not any(bits >> record & 1 for other, bits in self.holders.items() if other != code):
            return False
        beside = [self.holders[other] for other in others if self.holders[other] >> record & 1]
        for size in range(min(m, len(beside) + 1)):
            for some in itertools.combinations(beside, size):
                together = self.holders[code]
                for bits in some:
                    together &= bits
                if together.bit_count() <= k:
                    return False
        return True

    def fill(self, k: int, m: int) -> None:
        """Without an item chunk sub-records must be left over; else the last code of the rarest chunk is listed."""
        if not self.items and not self.spacious(k, m):
            rarest = min(self.chunks, key=lambda chunk: sum(map(self.support, chunk)))
            code = rarest.pop()
            self.holders[code] |= self.removed.pop(code, 0)  # a list does not tell who holds it
            self.items.append(code)
            self.chunks = [chunk for chunk in self.chunks if chunk]

    def spacious(self, k: int, m: int) -> bool:
        """Can k records with pieces of m chunks be formed so that no record remains empty?"""
        return bool(self.chunks) and self.pieces >= self.size + k * (min(m, len(self.chunks)) - 1)

    @property
    def pieces(self) -> int:
        """Its sub-records."""
        return sum(_any(self.holders[code] for code in chunk).bit_count() for chunk in self.chunks)

    def published(self, without: Iterable[str] = ()) -> Cluster:
        """`without`: codes of the item chunk that are in a shared chunk."""
        shared = set(without)
        bags = [sub_records(self.holders, chunk, self.size) for chunk in self.chunks]
        return Cluster.of(self.size, bags, [code for code in self.items if code not in shared])


def anonymous(holders: dict[str, int], frequent: Sequence[str], k: int, m: int) -> list[list[str]]:
    """Chunks in which every combination of up to m codes is held by no record or by k; frequent codes come first."""
    rest = sorted(frequent, key=lambda code: (-holders[code].bit_count(), code))
    chunks = []
    while rest:
        chunk: list[str] = []
        parts: list[list[int]] = [[-1], *([] for _ in range(m - 1))]  # by size: who holds each combination
        left = []
        for code in rest:
            met = [[bits & holders[code] for bits in level] for level in parts]
            if any(0 < bits.bit_count() < k for level in met for bits in level):
                left.append(code)
                continue
            chunk.append(code)
            for level, found in zip(parts[1:], met, strict=False):
                level += [bits for bits in found if bits]
        chunks.append(chunk)
        rest = left
    return chunks


def sub_records(holders: dict[str, int], chunk: Sequence[str], size: int) -> list[list[str]]:
    """What each record holds of a chunk, if anything."""
    found: list[list[str]] = [[] for _ in range(size)]
    for code in chunk:
        for record in _bits(holders[code]):
            found[record].append(code)
    return [codes for codes in found if codes]


def _bits(number: int) -> list[int]:
    """The places of its bits."""
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found


def _any(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= number
    return found
