"""Kinship: counts pairs of relatives in the data, as a warning before anything is released.

## Guarantee
None; a measurement. The value is the number of pairs who seem to be related in the third degree or closer, as far as
the SNPs can tell.

## Adversary
Has the DNA of a relative. What is published about a person reveals something about their parents, children and cousins
too, and a criterion that counts persons counts relatives as if they were strangers: k sequences of one family hide the
family from nobody.

## What it does not protect
It looks at the input alone, and says nothing of relatives outside. A release of frequencies is measured by the
membership attacks, which recognise relatives of members too. Fewer SNPs tell fewer degrees; those that cannot be told
are left open, not zero.

## Parameters
snps: look at no more than this many SNPs, evenly spread. Some 15,000 frequent ones tell cousins from strangers.
people: look at no more than this many persons, evenly spread; left out: at all of them.

## Worked example
Bob is a second sample of Ann.

>>> import numpy as np
>>> from sharewell.genomes import Genotypes
>>> calls = np.random.default_rng(1).binomial(2, 0.4, (4, 2_000))
>>> calls[1] = calls[0]
>>> result = Kinship().mount(Genotypes.of(calls, persons=["Ann", "Bob", "Carl", "Dan"]))
>>> result.value, result.details.same, result.details.first, result.details.third
(1, 1, None, None)

## Why it is safe
Counts of pairs leave it, never names. The estimator (KING-robust) compares two persons by their own calls: differences
between populations do not make strangers into relatives, as they do with estimators that use frequencies. A pair counts
for a degree above the customary limit between it and the next: 0.354 for the same person or a twin, 0.177, 0.0884 and
0.0442 for the first, second and third degree. A degree is reported only if its limit is five standard errors of a pair
of strangers or more. Of linked SNPs (r² of 0.1 or more within a million bases) one is kept, and the error is that of
the SNPs that are left: a region of one chromosome, however many SNPs it has, tells no relatives. Where positions of
SNPs are unknown, linked ones cannot be removed; the error is then read from the coefficients themselves, whose spread
linkage makes wider. Of fewer than 100 pairs nobody can read it, and only the same person is reported.

## Cost
O(people² · SNPs) multiplications, in products of matrices, block by block; memory for the calls of the SNPs looked at
and one block of pairs.

## Source
Manichaikul, Mychaleckyj, Rich, Daly, Sale and Chen, Bioinformatics 2010 (robust relationship inference).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Attack, Count, Declared, Finding, PolicyError, Truth, TwoOrMore
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.ld import CHANCE, Unlinked, standardised

LIMITS = {"same": 2**-1.5, "first": 2**-2.5, "second": 2**-3.5, "third": 2**-4.5}
"""Kinship coefficients above which a pair is of the degree, or closer."""
ERRORS = 5.0
"""Standard errors that a limit must be away from strangers."""
SPREAD = 0.65
"""Of the estimate for strangers, times the square root of a person's heterozygous calls."""
MOST_R2, WINDOW = 0.1, 1_000_000
"""SNPs at most this many bases apart with r² of this or more count as linked."""
OFFERED = 512
"""SNPs that are held against each other at once."""
TILE = 1_024
"""Persons whose pairs are looked at at once."""
WARNING = "measured on the input, before release: data about a person also discloses something about relatives"

UNPLACED = "positions of SNPs are unknown, so linked SNPs were kept: the error is that of the pairs themselves"
LEAST_PAIRS = 100
"""Whose spread tells the error where SNPs are linked, nobody knows which."""
QUARTER = 0.6373
"""Standard deviations of a normal distribution between its 37.5 % and 62.5 % quantiles."""


@dataclass(frozen=True)
class KinshipDetails:
    """Pairs by degree; None: too few SNPs to tell."""

    persons: int
    snps: int
    unlinked: int
    """SNPs that are left when of linked ones one is kept: by these the coefficients are computed."""
    pairs: int
    same: int | None
    """The same person twice, or twins."""
    first: int | None
    """Parents and children, brothers and sisters."""
    second: int | None
    third: int | None
    relatives: int
    """Persons who have somebody related in the data, in a degree that was told."""
    error: float | None
    """The standard error of the coefficient of two strangers."""


@dataclass(frozen=True)
class Kinship(Declared, Attack[Genotypes]):
    """Relatives among the people, by KING-robust."""

    snps: Count = 20_000
    people: TwoOrMore | None = None

    of_persons: ClassVar[bool] = True
    """Reads DNA of persons, not what is told of all of them together."""

    def mount(self, released: Genotypes, truth: Truth[Genotypes] | None = None) -> Finding:
        if not isinstance(released, Genotypes):
            raise PolicyError(f"{self.name} — looks at genotypes of persons before release, and at nothing else")
        data = released.take(_spread(released.rows, self.people), _spread(released.count, self.snps))
        if data.rows < 2 or not data.count:
            return Finding(self.name, None, unit="pairs", note="fewer than two persons, or no SNP")
        calls = _independent(data)
        error = _error(calls) if data.snps.placed else _error_of_linked(calls)
        certain = [name for name, limit in LIMITS.items() if error is not None and limit >= ERRORS * error]
        if not data.snps.placed and data.rows * (data.rows - 1) // 2 < LEAST_PAIRS:
            certain = certain[:1]
        counts, related = _counted(calls, [LIMITS[name] for name in certain])
        degrees = dict(zip(certain, counts, strict=True))
        details = KinshipDetails(
            data.rows,
            data.count,
            len(calls),
            data.rows * (data.rows - 1) // 2,
            relatives=related,
            error=error,
            **{name: degrees.get(name) for name in LIMITS},
        )
        value = sum(counts) if certain else None
        warning = WARNING if data.snps.placed else f"{WARNING}; {UNPLACED}"
        silent = [name for name in LIMITS if name not in certain]
        note = f"{warning}; too few unlinked SNPs to recognise: {', '.join(silent)}" if silent else warning
        return Finding(self.name, value, unit="pairs", details=details, note=note)


def coefficients(calls: NDArray[np.int8], others: NDArray[np.int8] | None = None) -> NDArray[np.float64]:
    """KING-robust for every pair of columns of SNPs × persons; NaN where one has no heterozygous call.

    φ = (N(Aa,Aa) − 2 N(AA,aa)) / (2 n) + ½ − (n + n′) / (4 n), where n and n′ are the heterozygous calls of the two, n
    the fewer, among the SNPs called in both.

    >>> calls = np.array([[1, 1], [1, 1], [0, 0], [2, 2]], dtype=np.int8)
    >>> coefficients(calls)[0, 1]
    np.float64(0.5)
    """
    left, right = (
        [part.astype(np.float32) for part in (side == 0, side == 1, side == 2, side >= 0)]
        for side in (calls, calls if others is None else others)
    )
    (none, one, two, called), (their_none, their_one, their_two, their_called) = left, right
    both = one.T @ their_one
    opposite = none.T @ their_two + two.T @ their_none
    mine, theirs = one.T @ their_called, called.T @ their_one
    fewer = np.minimum(mine, theirs).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        result = (both - 2 * opposite) / (2 * fewer) + 0.5 - (mine + theirs) / (4 * fewer)
    return np.where(fewer > 0, result, np.nan)


def _counted(calls: NDArray[np.int8], limits: list[float]) -> tuple[list[int], int]:
    """Pairs between each limit and the one before, and persons in any such pair; tile by tile."""
    persons = calls.shape[1]
    above = np.zeros(len(limits), dtype=np.int64)
    related = np.zeros(persons, dtype=bool)
    for first in range(0, persons, TILE) if limits else ():
        for second in range(first, persons, TILE):
            result = coefficients(calls[:, first : first + TILE], calls[:, second : second + TILE])
            if first == second:
                result[np.tril_indices(len(result))] = np.nan  # a pair once, and nobody with themselves
            above += [int((result > limit).sum()) for limit in limits]
            near = result > limits[-1]
            related[first : first + TILE] |= near.any(axis=1)
            related[second : second + TILE] |= near.any(axis=0)
    return np.diff(above, prepend=0).tolist(), int(related.sum())


def _independent(data: Genotypes) -> NDArray[np.int8]:
    """Calls of SNPs × persons without SNPs that are linked with one that is kept.

    Neighbouring SNPs are inherited together: counted one by one they make a shared stretch look like a family.
    """
    if not data.snps.placed:
        return np.asarray(data.array().T)
    most = max(MOST_R2, CHANCE / data.rows)  # few people make unlinked SNPs look linked
    kept, unlinked = [], Unlinked(data.snps, most, WINDOW, data.rows)
    for first in range(0, data.count, OFFERED):
        numbers = np.arange(first, min(first + OFFERED, data.count))
        calls = data.take(None, numbers).array().T
        kept.append(calls[unlinked.take(numbers, standardised(calls))])
    return np.concatenate(kept)


def _error(calls: NDArray[np.int8]) -> float | None:
    """From the calls of a person in the middle."""
    heterozygous = float(np.median((calls == 1).sum(axis=0)))
    return SPREAD / math.sqrt(heterozygous) if heterozygous else None


def _error_of_linked(calls: NDArray[np.int8]) -> float | None:
    """The error where SNPs may be linked: at least the spread of the pairs themselves.

    That is the width of the shortest interval with a quarter of the pairs: relatives are few and far above it, and
    pairs of two populations, below it, can only make it wider.
    """
    plain, persons = _error(calls), min(calls.shape[1], TILE)
    pairs = coefficients(calls[:, :persons])[np.triu_indices(persons, 1)]
    known = np.sort(pairs[~np.isnan(pairs)])
    if plain is None or len(known) < LEAST_PAIRS:
        return plain
    quarter = len(known) // 4
    return max(plain, float((known[quarter:] - known[:-quarter]).min()) / QUARTER)


def _spread(count: int, most: int | None) -> NDArray[np.intp] | None:
    """At most this many numbers below `count`, evenly spread; None: all."""
    return None if most is None or count <= most else np.linspace(0, count - 1, most).astype(np.intp)
