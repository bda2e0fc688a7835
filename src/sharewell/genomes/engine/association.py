"""Association of SNPs with a disease: chi-square of one degree of freedom, by alleles or by trend."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.phenotypes import Groups

Test = Literal["allelic", "trend"]
Floats = NDArray[np.float64]
BLOCK = 1 << 21
"""Calls that are looked at at once."""


@dataclass(frozen=True, eq=False)
class Group:
    """For every SNP: persons called, their effect alleles, and the sum of the squares of their numbers of alleles."""

    called: Floats
    alleles: Floats
    squares: Floats

    @classmethod
    def of_frequencies(cls, frequency: Floats, people: int) -> Group:
        """What frequencies alone tell: squares as if the two alleles of a person had nothing to do with each other."""
        called = np.where(np.isnan(frequency), 0.0, float(people))
        share = np.nan_to_num(frequency)
        return cls(called, 2 * called * share, called * (2 * share + 2 * share**2))


def counted(data: Genotypes, groups: Groups) -> tuple[Group, Group]:
    """Cases and controls, in one pass over the calls."""
    sums = np.empty((2, 3, data.count))
    members = np.stack([groups == 1, groups == 0], axis=1).astype(np.float32)  # exact up to 16 million people
    people = members.sum(axis=0, dtype=np.float64)
    for which, calls in data.blocks(max(1, BLOCK // max(1, data.rows))):
        one, two = ((calls == number).astype(np.float32) @ members for number in (1, 2))
        lacking = (calls < 0).astype(np.float32) @ members if calls.min(initial=0) < 0 else np.zeros_like(one)
        for i in range(2):
            sums[i, :, which] = people[i] - lacking[:, i], one[:, i] + 2 * two[:, i], one[:, i] + 4 * two[:, i]
    return Group(*sums[0]), Group(*sums[1])


def chi_square(cases: Group, controls: Group, test: Test) -> Floats:
    """For every SNP; NaN where there is nothing to test: one allele alone, or nobody called in a group.

    By alleles, each person counts as two draws; by trend (Cochran and Armitage) as one person, so that it holds too
    where the two alleles of a person go together.

    >>> one = [np.array([float(x)]) for x in (10, 12, 18)]
    >>> other = [np.array([float(x)]) for x in (10, 4, 4)]
    >>> [float(chi_square(Group(*one), Group(*other), test)[0].round(3)) for test in ("allelic", "trend")]
    [6.667, 6.957]
    """
    called, alleles = cases.called + controls.called, cases.alleles + controls.alleles
    apart = called * cases.alleles - cases.called * alleles
    if test == "allelic":
        spread, scale = alleles * (2 * called - alleles), 2 * called
    else:
        spread, scale = called * (cases.squares + controls.squares) - alleles**2, called
    below = cases.called * controls.called * spread
    tested = below > 1e-9 * called**2
    return np.where(tested, scale * apart**2 / np.where(tested, below, 1.0), np.nan)


def critical(p_value: float) -> float:
    """The chi-square that chance exceeds with this probability.

    >>> round(critical(0.05), 3), round(critical(5e-8), 2)
    (3.841, 29.72)
    """
    return NormalDist().inv_cdf(p_value / 2) ** 2
