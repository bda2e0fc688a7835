"""How published SNPs were chosen, and how much more a choice that looked at the people gives away.

A frequency tells of members by how far it is from that of the population: a SNP of N people adds
X/N, X = 2N (Mix − Pop)²/(Pop (1 − Pop)), to the squared separation of members from others. X is 1 on average, so that m
SNPs chosen elsewhere separate by √(m/N). Who chooses by looking at the pool, by chi-square or because an allele is
frequent enough, takes those whose X is large (winner's curse). Whatever the rule is, the sum over m chosen of L
candidates is for every t at most

    m t + Σ (X − t)⁺ over all candidates that could have been chosen,

and the mean and the spread of each (X − t)⁺ are at most those of the worst frequency that a population can have. The
least of these limits, three standard deviations included, is the number of SNPs which, chosen elsewhere, would tell as
much; and the number of the candidates, if that is less: publishing all of them tells no less than publishing some.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError

Floats = NDArray[np.float64]
LookedAt = Literal["nobody", "half", "everybody"]
THRESHOLDS = np.concatenate([[0.0], np.geomspace(0.25, 200, 60)])
"""The t that are tried."""
FREQUENCIES = 80
"""Population frequencies among which the worst is sought."""
DEVIATIONS = 3.0
"""Standard deviations by which the sum over the candidates may exceed its mean."""


@dataclass(frozen=True)
class Selection:
    """How the SNPs of a release were chosen."""

    candidates: int
    """SNPs among which looking at the people decided; where nobody was looked at, those published."""
    looked_at: LookedAt
    """Of the people who were counted; "half": those whom `membership.aside` does not set aside."""
    called: int
    """The fewest people whose alleles were counted at a SNP; of groups told apart, N₁N₀/(N₁ + N₀)."""

    def __post_init__(self) -> None:
        numbers = (self.candidates, self.called)
        if self.looked_at not in get_args(LookedAt) or any(type(one) is not int or one < 0 for one in numbers):
            raise DataError("selection — the entries on how the SNPs were chosen are not valid")

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_json(cls, plain: object) -> Selection | None:
        """As a dictionary of a release says it; None where it says nothing."""
        if plain is None:
            return None
        if not isinstance(plain, Mapping) or set(plain) != {"candidates", "looked_at", "called"}:
            raise DataError("selection — the entry on how the SNPs were chosen is damaged or was edited")
        return cls(plain["candidates"], plain["looked_at"], plain["called"])

    def some(self, rows: int, of: int) -> Selection:
        """The selection after some of the SNPs were taken: whoever took them may have looked at anybody."""
        if rows == of:
            return self
        return Selection(
            max(self.candidates, of), "everybody" if self.looked_at == "nobody" else self.looked_at, self.called
        )

    def equivalent(self, published: int, copies: int) -> int:
        """How many SNPs chosen elsewhere would tell as much. copies: the fewest of a rarer published allele."""
        if self.looked_at == "nobody":
            return max(published, self.candidates)
        return equivalent_snps(published, max(published, self.candidates), self.called, copies)


def equivalent_snps(published: int, candidates: int, people: int, copies: int) -> int:
    """The number of SNPs that would tell as much as these, had nobody looked at the people to choose them.

    Of a thousand candidates, each with 25 copies of the rarer allele or more among 250 people:

    >>> [equivalent_snps(published, 1000, 250, 25) for published in (10, 100, 1000)]
    [115, 510, 1000]
    """
    if not published or published >= candidates or people < 1:
        return candidates if published else 0
    mean, square = _excess(2 * people, max(0, copies))
    limits = published * THRESHOLDS + candidates * mean + DEVIATIONS * np.sqrt(candidates * square)
    return min(candidates, math.ceil(float(limits.min())))


def most_selected(allowed: int, candidates: int, people: int, copies: int) -> int:
    """The largest number that may be chosen of the candidates, by any rule, and is equivalent to this many at most.

    >>> most_selected(510, 1000, 250, 25), most_selected(1000, 1000, 250, 25), most_selected(5, 1000, 250, 25)
    (100, 1000, 0)
    """
    low, high = 0, candidates
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if equivalent_snps(middle, candidates, people, copies) <= allowed else (low, middle - 1)
        )
    return low


@lru_cache(maxsize=64)
def _excess(alleles: int, copies: int) -> tuple[Floats, Floats]:
    """For every threshold the mean of (X − t)⁺ and of its square, at the worst frequency of the population each.

    Only candidates with this many copies of either allele can be chosen; others count as 0.
    """
    result = np.zeros((2, len(THRESHOLDS)))
    # Far below copies/alleles such an allele is next to never seen so often; without copies the mean does not vanish.
    least = max(copies, 1) / (40 * alleles) if copies else 1e-4 / alleles
    for share in np.geomspace(min(least, 0.25), 0.5, FREQUENCIES):
        spread = alleles * share * (1 - share)
        reach = 12 * math.sqrt(spread) + 60
        first = max(copies, int(alleles * share - reach), 0)
        last = min(alleles - copies, int(alleles * share + reach) + 1)
        if last < first:
            continue
        count = np.arange(first, last + 1)
        over = np.maximum(((count - alleles * share) ** 2 / spread)[:, None] - THRESHOLDS, 0.0)
        chance = _binomial(alleles, share, first, last)
        np.maximum(result, [chance @ over, chance @ over**2], out=result)
    return result[0], result[1]


def _binomial(trials: int, share: float, first: int, last: int) -> Floats:
    """The probabilities of first … last successes."""
    count = np.arange(first, last)
    start = math.lgamma(trials + 1) - math.lgamma(first + 1) - math.lgamma(trials - first + 1)
    start += first * math.log(share) + (trials - first) * math.log1p(-share)
    steps = np.log(trials - count) - np.log(count + 1) + math.log(share) - math.log1p(-share)
    return np.asarray(np.exp(start + np.concatenate([[0.0], np.cumsum(steps)])))
