"""Changes of people's values that no answer given so far would have noticed.

Sums over sets of people are linear equations in their values. A person's value is determined by the answers exactly if
no change of the values leaves all answers as they are and touches that person. This holds random changes of that kind,
drawn evenly from all there are: whoever is touched by none of them is determined, and a few people together are bound
by an equation among themselves alone exactly if what the changes do to them is linearly dependent.

People who were in the same sets all along are one cell: a change is one number for the sum of each cell. The sensitive
values themselves are never used.

**Arithmetic** is exact, modulo a secret prime of 31 bits that is drawn anew each time. What the answers determine over
the rational numbers they determine modulo the prime too, unless the sets lose rank there, for which the prime must
divide a certain minor of their matrix. By Hadamard's bound that minor of r sets has fewer than r·log₂(r)/2 bits, and
few of the fifty million primes divide it: for 1,000 sets the chance is below one in 300,000, for 100 sets below one in
seven million. Nobody outside knows the prime. Errors in the other direction refuse what could be answered.

>>> import numpy as np
>>> changes = UnnoticedChanges(persons=6)
>>> parents = changes.refine(np.array([0, 0, 0, 1, 1, 2]))  # three cells: of three, of two, of one
>>> after = changes.after(np.array([True, True, False]))  # the sum of the first two cells is told
>>> after is not None and after.isolates(fewer_than=3)
False
>>> changes = after
>>> changes.after(np.array([True, True, True])).isolates(fewer_than=3)  # the last person is the difference
True
>>> changes.after(np.array([True, True, False])) is None  # nothing new
True
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_TRIPLES = 300
"""Equations among three cells are looked for among this many small cells at most."""
_PROJECTED = 4
_FIRST = 64


@dataclass(frozen=True, eq=False)
class Cells:
    """Which cell each person is in, and how many are in each."""

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]


class UnnoticedChanges:
    """Random changes (one a row, one number for each cell) on which every sum that was told is zero."""

    def __init__(self, persons: int, number: int = _FIRST) -> None:
        self.prime = _secret_prime()
        self.cells = Cells(np.zeros(persons, np.int64), np.array([persons], np.int64))
        self.rows = _drawn((number, 1), self.prime)

    @property
    def spent(self) -> bool:
        """Are too few changes left to tell more? Then draw more from the start."""
        return len(self.rows) <= _PROJECTED + 1

    def refine(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Cut cells so that each lies in one of `cells`. Returns the old cell of each new one.

        The parts of a cell change by random numbers that add up to what the cell changed by.
        """
        _, first, of, sizes = np.unique(
            self.cells.of * (int(cells.max(initial=0)) + 1) + cells,
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        parents = self.cells.of[first]
        if len(parents) > len(self.cells.sizes):
            rows = _drawn((len(self.rows), len(parents)), self.prime)
            last = np.append(np.flatnonzero(np.diff(parents)), len(parents) - 1)  # parents come in order
            starts = np.append(0, last[:-1] + 1)
            rows[:, last] = 0
            rows[:, last] = (self.rows[:, parents[last]] - np.add.reduceat(rows, starts, axis=1)) % self.prime
            self.rows = rows
        self.cells = Cells(of.reshape(-1).astype(np.int64), sizes.astype(np.int64))
        return parents.astype(np.int64)

    def after(self, cells: NDArray[np.bool_]) -> UnnoticedChanges | None:
        """The changes that do not touch the sum of these cells either; None if none of them does already."""
        sums = self.rows[:, cells].sum(axis=1) % self.prime
        noticed = np.flatnonzero(sums)
        if not len(noticed):
            return None
        pivot = int(noticed[0])
        factors = self.prime - sums * pow(int(sums[pivot]), -1, self.prime) % self.prime
        rows = factors[:, None] * self.rows[pivot]  # below 2⁶², with room for what is added
        rows += self.rows
        rows %= self.prime
        result = object.__new__(UnnoticedChanges)
        result.prime, result.cells, result.rows = self.prime, self.cells, np.delete(rows, pivot, axis=0)
        return result

    def isolates(self, fewer_than: int) -> bool:
        """Is there an equation among one, two or three cells that hold fewer people than this together?"""
        small = self.cells.sizes < fewer_than
        vectors, sizes = self.rows[:_PROJECTED, small].T, self.cells.sizes[small]
        if (vectors == 0).all(axis=1).any():
            return True
        if _parallel(vectors, sizes, fewer_than, self.prime):
            return True
        fits = sizes <= fewer_than - 3
        vectors, sizes = vectors[fits], sizes[fits]
        if not 3 <= len(sizes) <= MOST_TRIPLES:
            return False
        return any(self._with_two_more(vectors, sizes, one, fewer_than) for one in range(len(sizes) - 2))

    def _with_two_more(self, vectors: NDArray[np.int64], sizes: NDArray[np.int64], one: int, fewer_than: int) -> bool:
        """Are two later cells dependent once this one is taken for known?"""
        base, others, prime = vectors[one], vectors[one + 1 :], self.prime
        place = int(np.flatnonzero(base)[0])
        factors = others[:, place] * pow(int(base[place]), -1, prime) % prime
        return _parallel(
            (others - factors[:, None] * base % prime) % prime, sizes[one + 1 :], fewer_than - int(sizes[one]), prime
        )


def _parallel(vectors: NDArray[np.int64], sizes: NDArray[np.int64], fewer_than: int, prime: int) -> bool:
    """Are two vectors, of fewer people than this together, multiples of each other?"""
    if len(vectors) < 2:
        return False
    lead = vectors[np.arange(len(vectors)), (vectors != 0).argmax(axis=1)]
    inverse = _inverses(lead, prime)
    directions = vectors * inverse[:, None] % prime
    _, of = np.unique(directions, axis=0, return_inverse=True)
    order = np.lexsort((sizes, of.reshape(-1)))
    same = np.diff(of.reshape(-1)[order]) == 0
    return bool((same & (sizes[order][1:] + sizes[order][:-1] < fewer_than)).any())


def _inverses(numbers: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """By Fermat: x^(p-2). Zero stays zero."""
    result, base, exponent = np.ones_like(numbers), numbers.copy(), prime - 2
    while exponent:
        if exponent & 1:
            result = result * base % prime
        base, exponent = base * base % prime, exponent >> 1
    return np.where(numbers == 0, 0, result)


def _drawn(shape: tuple[int, int], prime: int) -> NDArray[np.int64]:
    """Numbers below the prime, from the machine's own randomness; 64 bits make the bias negligible."""
    words = np.frombuffer(secrets.token_bytes(8 * shape[0] * shape[1]), np.uint64)
    return (words % np.uint64(prime)).astype(np.int64).reshape(shape)


def _secret_prime() -> int:
    while True:
        candidate = 2**30 + 1 + 2 * secrets.randbelow(2**29)
        if _is_prime(candidate):
            return candidate


def _is_prime(number: int) -> bool:
    """Miller and Rabin; these bases decide for every number below 3·10⁹.

    >>> [n for n in range(2**31 - 20, 2**31) if _is_prime(n)]
    [2147483629, 2147483647]
    """
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True
