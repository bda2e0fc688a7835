"""Safe number: so few SNPs are published that theory leaves hardly any member recognisable.

Guarantee
---------
With m ≤ N (z_(1−α) + z_β)² published SNPs of N people, the best test recognises a share of at most β of the members, at
a false-positive rate of α, even if the frequencies of the population are known exactly; with a reference of M people at
most, m ≤ N(N + M)/M (z_(1−α) + z_β)². Where cases and controls are told apart, N is the smaller of the two groups.

Adversary
---------
Has the genotypes of a target, the release, and a reference of the same ancestry.

What it does not protect
------------------------
It is the mean over members, in the normal approximation, for SNPs chosen without looking at who is in the pool. Alleles
that only few of the people carry break it, if they are published *because* somebody carries them; so the rarest allele
must have been seen `copies` times. Fewer than ten people are never judged. Linked SNPs are counted as if they were not,
which is more than these statistics can use of them. What frequencies tell about groups of relatives is not covered.

Parameters
----------
max_power: β, the largest share of members recognised.
fpr: α, the false-positive rate.
reference: the number of people M that an attacker can have as a reference; without it, the population is known.
copies: the least number of copies of the rarer allele among the people. With 0, alleles of any frequency.

Worked example
--------------
With a thousand people and half of them recognised at 5 %, 2.71 SNPs a person.

>>> from sharewell.genomes import Frequencies
>>> released = Frequencies.of_arrays([0.25] * 2705, people=1000)
>>> print(SafeNumber(0.5).check(released))
safe-number = 2705 SNPs (≤ 2705: holds)
>>> print(SafeNumber(0.2).check(released))
safe-number = 2705 SNPs (≤ 645: FAILS)

Why it is safe
--------------
The published SNPs are counted in the file, and so are the people. The separation of members from others, √(m/N), was
checked by simulation from ten people up, with common alleles and with rare ones; the membership-power criterion carries
the attacks out where data is at hand.

Cost
----
O(SNPs).

Source
------
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009. The form with a reference sample is derived here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.errors import PolicyError
from sharewell.findings import Finding, Sense
from sharewell.genomes.frequencies import Frequencies
from sharewell.genomes.statistics import bound, safe_number

LEAST = 10
"""For fewer people theory is not made."""


@dataclass(frozen=True)
class SafeNumberDetails:
    """What the number follows from."""

    people: int
    """Of the smallest group."""
    fewest_copies: int
    """Of the rarer allele, at the SNP where they are fewest."""
    power: float
    """That theory allows with the SNPs that are published."""


@dataclass(frozen=True)
class SafeNumber:
    """As many SNPs as theory allows, at most."""

    max_power: float
    fpr: float = 0.05
    reference: int | None = None
    copies: int = 5

    name: ClassVar[str] = "safe-number"
    sense: ClassVar[Sense] = "≤"

    def __post_init__(self) -> None:
        if not 0 < self.fpr < 1:
            raise ValueError("fpr must be between 0 and 1")
        if not self.fpr < self.max_power < 1:
            raise ValueError("max_power must be above fpr, for so many are found by guessing alone, and below 1")
        if self.reference is not None and self.reference < 1:
            raise ValueError("reference must be 1 or more")
        if self.copies < 0:
            raise ValueError("copies must be 0 or more")

    @property
    def bound(self) -> float:
        """What a certificate names: the number itself follows from the people."""
        return self.max_power

    def allowed(self, people: int) -> int:
        """For mechanisms: so many SNPs of so many people."""
        return 0 if people < LEAST else safe_number(people, self.reference, self.fpr, self.max_power)

    def check(self, data: Frequencies) -> Finding:
        """Count the published SNPs and the copies of their rarer alleles."""
        if not isinstance(data, Frequencies):
            raise PolicyError(f"{self.name} — judges published frequencies, and these are none")
        people, told = data.smallest_group, [data.frequency, *(p for p in (data.cases, data.controls) if p is not None)]
        count = int(np.any([np.isfinite(part) for part in told], axis=0).sum()) if data.rows else 0
        if people < LEAST or not count:
            note = "no SNP is published" if not count else f"fewer than {LEAST} people: theory is not made for them"
            return Finding.judge(self.name, None, "≤", self.allowed(people), unit="SNPs", note=note)
        rarer = np.minimum(data.frequency, 1 - data.frequency)
        copies = int(np.floor(2 * data.people * np.nanmin(rarer) + 1e-6)) if np.isfinite(rarer).any() else 0
        theory = bound(count, people, self.reference).power(self.fpr)
        parts = []
        if self.copies:
            parts.append(Finding.judge("copies of the rarest allele", copies, "≥", self.copies))
        details = SafeNumberDetails(people, copies, theory)
        return Finding.judge(self.name, count, "≤", self.allowed(people), unit="SNPs", parts=parts, details=details)
