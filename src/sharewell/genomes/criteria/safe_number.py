"""Safe number: so few SNPs are published that, in theory, hardly any member can be recognised.

## Guarantee
With m ≤ N (z_(1−α) + z_β)² published SNPs of N people, the best test recognises a share of at most β of the members, at
a false-positive rate of α, even if the frequencies of the population are known exactly; with a reference of M people at
most, m ≤ N(N + M)/M (z_(1−α) + z_β)². Where cases and controls are published apart, N is N₁N₀/(N₁ + N₀), since each
group may serve as the reference for the other. Where the SNPs were chosen by looking at the people, m is not the number
published but the number of SNPs fixed beforehand that would disclose as much: at most the number of candidates.

## Adversary
Has the genotypes of a target, the release, and a reference of the same ancestry; knows how the SNPs were chosen.

## What it does not protect
The bound is on the mean over members, in the normal approximation. The release's dictionary says how many candidates
there were and whether the people decided the choice; that is the certificate's word, and a release that does not say it
is undecided. If the steward chose a panel by looking at the same people before sharewell saw it, that is such a choice
too, and `Frequencies.of` cannot know. Fewer than ten people are never judged. Linked SNPs count as if they were
unlinked, which is more than these statistics can gain from them. Not covered are what frequencies disclose about groups
of relatives, and what a choice by r² or by a phenotype discloses beyond the published numbers.

## Parameters
max_power: β, the largest share of members recognised.
fpr: α, the false-positive rate.
reference: the number of people M that an attacker can have as a reference; if left out, the attacker is assumed to know
           the population. Where the SNPs were chosen by looking at the people, it helps only if all candidates might
           have been published.
copies: the least number of copies of the rarer allele among the people. 0 allows alleles of any frequency.

## Worked example
If half of a thousand people may be recognised, at a false-positive rate of 5 %, about 2.71 SNPs a person are allowed.

>>> from sharewell.genomes import Frequencies, Selection
>>> panel = Selection(candidates=2705, looked_at="nobody", called=1000)
>>> released = Frequencies.of_arrays([0.25] * 2705, people=1000, selection=panel)
>>> print(SafeNumber(0.5).check(released))
safe-number = 2705 SNPs (≤ 2705: holds)
>>> print(SafeNumber(0.2).check(released))
safe-number = 2705 SNPs (≤ 645: FAILS)

If fifty of them are chosen by looking at the people, they may disclose as much as 418 that were fixed beforehand.

>>> print(SafeNumber(0.2).check(released.take(slice(0, 50))))
safe-number = 418 SNPs (≤ 645: holds)

## Why it is safe
The check counts the published SNPs, the copies of their rarer alleles and the people in the file. The separation of
members from others, √(m/N), was checked by simulation from ten people up, with common alleles and with rare ones. A
choice favours SNPs whose frequency is far from the population's. Whatever the rule, the mean and the spread of the
largest deviations bound what m of L candidates can disclose, at the worst frequency that a population can have and with
no fewer copies than the rarest published allele has (`genomes/engine/selection.py`). The bound was compared with the
likelihood ratio of an attacker who knows the population, on SNPs chosen by chi-square, by deviation and by copies.

## Cost
O(SNPs), and for a choice some milliseconds, growing with √N.

## Source
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009. The form with a reference sample and the limit for
chosen SNPs are derived here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Chance, Count, Criterion, Declared, Finding, Natural, PolicyError, Sense
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.engine.membership_statistics import bound, safe_number
from sharewell.genomes.engine.selection import LookedAt

LEAST = 10
"""For fewer people theory is not made."""


NOT_SAID = "the release does not say how its SNPs were chosen"


@dataclass(frozen=True)
class SafeNumberDetails:
    """What the number follows from."""

    people: int
    """The fewest counted at a SNP; of groups told apart, N₁N₀/(N₁ + N₀)."""
    fewest_copies: int
    """Of the rarer allele, at the SNP where they are fewest."""
    published: int
    candidates: int
    """SNPs among which those published were chosen."""
    looked_at: LookedAt
    """Of the people, to choose them."""
    power: float
    """That theory allows with the SNPs that are published."""


@dataclass(frozen=True)
class SafeNumber(Declared, Criterion[Frequencies]):
    """As many SNPs as theory allows, at most."""

    max_power: Chance
    fpr: Chance = 0.05
    reference: Count | None = None
    copies: Natural = 5

    sense: ClassVar[Sense] = "≤"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_power <= self.fpr:
            raise ValueError("max_power must be above fpr: guessing alone finds as many")

    @property
    def bound(self) -> float:
        """What a certificate names: the number itself follows from the people."""
        return self.max_power

    def allowed(self, people: int, chosen: bool = False) -> int:
        """This many SNPs of this many people; chosen: by looking at them, against whom no small reference helps."""
        if people < LEAST:
            return 0
        return safe_number(people, None if chosen else self.reference, self.fpr, self.max_power)

    def check(self, data: Frequencies) -> Finding:
        """Count the published SNPs and the copies of their rarer alleles."""
        if not isinstance(data, Frequencies):
            raise PolicyError(f"{self.name} — judges published frequencies, and these are none")
        count = int(np.any([np.isfinite(part) for part in [*data.by_group.values()]], axis=0).sum()) if data.rows else 0
        if data.selection is None:
            return self._undecided(data.effective_people, NOT_SAID)
        selection = replace(data.selection, called=min(data.effective_people, data.selection.called))
        people = selection.called
        if people < LEAST or not count:
            note = "no SNP is published" if not count else f"fewer than {LEAST} people: theory is not made for them"
            return self._undecided(people, note)
        chosen = selection.looked_at != "nobody"
        number = selection.equivalent(count, fewest_copies([*data.by_group.values()], people, data.decimals))
        if chosen and self.reference is not None and selection.candidates <= self.allowed(people):
            chosen, number = False, selection.candidates  # all candidates might have been published
        theory = bound(number, people, None if chosen else self.reference).power(self.fpr)
        copies, parts = fewest_copies([data.frequency], data.people, None), []
        if self.copies:
            parts.append(Finding.judge("copies of the rarest allele", copies, "≥", self.copies))
        details = SafeNumberDetails(people, copies, count, selection.candidates, selection.looked_at, theory)
        allowed = self.allowed(people, chosen)
        return Finding.judge(self.name, number, "≤", allowed, unit="SNPs", parts=parts, details=details)

    def _undecided(self, people: int, note: str) -> Finding:
        return Finding.judge(self.name, None, "≤", self.allowed(people), unit="SNPs", note=note)


def fewest_copies(parts: list[NDArray[np.float64]], people: int, decimals: int | None) -> int:
    """Copies of the rarest allele in this many people; rounded frequencies may be too large by half a last decimal."""
    rarer = [np.minimum(part, 1 - part) for part in parts]
    if not any(np.isfinite(part).any() for part in rarer):
        return 0
    slack = 0.0 if decimals is None else 0.5 * 10.0**-decimals
    return max(0, int(np.floor(2 * people * (min(float(np.nanmin(part)) for part in rarer) - slack) + 1e-6)))
