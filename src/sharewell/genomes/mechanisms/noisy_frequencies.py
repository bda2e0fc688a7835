"""Noisy frequencies: allele frequencies under differential privacy.

## Guarantee
ε-differential privacy for every person, or (ε, δ) with a delta: replacing one of the people by anybody else changes the
probability of any release by a factor of at most e^ε, but for δ. It holds for all SNPs of the release together and
against every attack, whatever else is known. It is attested: no file lets anybody see how the noise was drawn.

## Adversary
Knows all people but one, their genotypes, the population's frequencies, and how the noise is drawn.

## What it does not protect
**The published values are false**, by about m/(εN) for m SNPs of N people, or √m times a constant with a delta: with
few people or many SNPs nothing useful is left. Budgets of releases about the same people add up. How many people there
are, and which SNPs, is published as it is: choose SNPs by what is known of them elsewhere, not by these people. What a
population's frequencies say about everybody in it is no secret here. Relatives are protected together only to the
factor e^(kε) for k of them. A criterion that looks at the people themselves (membership-power) is refused: it would let
some draws pass and others not because of who is among them. Criteria that read the published numbers may be asked for;
they are part of the release. But whoever draws again because a draw failed spends the budget again.

## Parameters
epsilon: the budget ε.
delta: δ, at most 1/N; then the noise is normal rather than Laplace's, and far smaller for many SNPs. ε is 50 at most.
decimals: published frequencies are rounded to this many.
prior: public frequencies, or other people's genotypes, by which missing calls are filled in. Without it, one allele.
subject: the column of a tabular prior that names the person; its first, unless given.

## Worked example
>>> import numpy as np
>>> from sharewell.genomes import Genotypes
>>> people = Genotypes.of(np.random.default_rng(1).binomial(2, 0.3, (2000, 5)))
>>> released = NoisyFrequencies(epsilon=1.0).protect(people, must=[])
>>> released.details.sensitivity, released.details.scale, released.reproducible
(10.0, 10.0, False)
>>> bool(np.abs(released.data.frequency - 0.3).max() < 0.1)
True

## Why it is safe
Noise is added to the numbers of effect alleles, m whole numbers. One person counts 0, 1 or 2 at each SNP, so that
replacing somebody changes each number by 2 at most: by 2m in all (L1), and 2√m in length (L2). A missing call is filled
in by the person's own record and the public prior alone, so this holds too where calls are missing; the number of
people does not change when one is replaced. opendp draws whole-number noise of the scale 2m/ε (Laplace), or of the
least scale that it finds for (ε, δ) (normal, by zero-concentrated privacy), from the machine's own randomness, and
states the budget that is spent; more than was asked for is refused. Cutting to 0 … 2N, dividing and rounding see only
the noisy numbers.

## Cost
One pass over the packed calls, and O(m) noise.

## Source
Dwork, McSherry, Nissim and Smith, 2006; Bun and Steinke, 2016; Canonne, Kamath and Steinke, 2020 (whole-number noise).
For frequencies in studies, Uhler, Slavković and Fienberg, 2013. Noise by opendp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Gt, Interval
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, DataError, Declared, Infeasible, Key, PolicyError, refuse_failing
from sharewell.extras import package
from sharewell.genomes.criteria.beacon_power import BeaconPower
from sharewell.genomes.criteria.membership_power import MembershipPower
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.protection.form_check import OF_BEACONS, OF_SEQUENCES, Publishing, refuse_unfit
from sharewell.genomes.engine.selection import Selection
from sharewell.genomes.engine.sources import opened
from sharewell.io.sources import Source
from sharewell.protocols import Frame, Protected

Ints = NDArray[np.int64]
MOST = 50
"""The largest epsilon with a delta: beyond it opendp's arithmetic ends, and every promise did before."""


@dataclass(frozen=True)
class NoisyFrequenciesDetails:
    """The budget that is spent, for whom, and how large the noise is."""

    epsilon: float
    delta: float
    neighbours: str
    noise: str
    people: int
    snps: int
    sensitivity: float
    """How far one person moves all counts together: in sum for Laplace's noise, in length for normal noise."""
    scale: float
    """Of the noise on a number of alleles."""
    typical_error: float
    """The standard deviation of a published frequency, before it is cut to 0 … 1."""
    filled: int
    """Missing calls that were filled in."""

    @property
    def dictionary(self) -> dict[str, dict[str, object]]:
        """What a recipient must know about the numbers."""
        claim = {"noise": self.noise, "standard_deviation": self.typical_error, "epsilon": self.epsilon}
        return {"frequency": {"falsified": "differential privacy", **claim, "delta": self.delta}}


@dataclass(frozen=True)
class NoisyFrequencies(Declared, Publishing[Genotypes, Frequencies]):
    """Counts of alleles with calibrated noise, as frequencies."""

    epsilon: Annotated[float, Gt(0)]
    delta: Annotated[float, Interval(gt=0, lt=1)] | None = None
    decimals: Annotated[int, Interval(ge=1, le=15)] | None = None
    prior: Source | Frame | None = None
    subject: str | None = None

    packages: ClassVar[tuple[str, ...]] = ("opendp",)
    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = (*OF_BEACONS, *OF_SEQUENCES, "membership-power")
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta is not None and self.epsilon > MOST:
            raise ValueError(f"epsilon must be at most {MOST}: more protects nobody")

    def protect(self, data: Genotypes, must: Criteria[Frequencies], key: Key | None = None) -> Protected[Frequencies]:
        """The noise is fresh by nature: no key repeats it."""
        refuse_unfit(self.name, data)
        if lookers := [one.name for one in must if isinstance(one, MembershipPower | BeaconPower)]:
            # To reject a draw because of the people themselves tells of them, and no budget covers it.
            what = f"{', '.join(lookers)} would reject noise by looking at the people, whom it then no longer protects"
            raise PolicyError(f"{self.name} — {what} — measure it as an attack instead")
        if self.delta is not None and self.delta > 1 / data.rows:
            what = f"a delta above 1/{data.rows} allows publishing one of {data.rows} people whole"
            raise Infeasible(f"{self.name} — {what}", relaxations=["a smaller delta"])
        counts, filled = self._counts(data)
        try:
            noisy, sensitivity, scale, spent = self._noisy(counts)
        except _failures() as error:
            what = f"opendp draws no noise for {data.count} SNP(s) and this budget"
            raise DataError(f"{self.name} — {what} — choose an epsilon from 0.001 to {MOST}") from error
        total = 2 * data.rows
        frequency = np.clip(noisy, 0, total) / total
        if self.decimals is not None:
            frequency = np.round(frequency, self.decimals)
        selection = Selection(data.count, "nobody", data.rows)
        released = Frequencies(data.snps, frequency, data.rows, self.decimals, selection=selection, published=True)
        refuse_failing(self.name, released, must, ["a larger epsilon", "fewer SNPs"])
        spread = scale * (math.sqrt(2) if self.delta is None else 1.0) / total
        details = NoisyFrequenciesDetails(
            *spent,
            neighbours="one person replaced by another",
            noise="discrete Laplace" if self.delta is None else "discrete normal",
            people=data.rows,
            snps=data.count,
            sensitivity=sensitivity,
            scale=scale,
            typical_error=spread,
            filled=filled,
        )
        return Protected(released, details, np.arange(data.count), reproducible=False)

    def _counts(self, data: Genotypes) -> tuple[Ints, int]:
        """Effect alleles, missing calls filled in: by whole alleles, one unless the prior says otherwise."""
        alleles, called = data.counts()
        usual = np.ones(data.count, dtype=np.int64)
        if self.prior is not None:
            known = opened(self.prior, self.subject)
            ours, _, _ = data.snps.shared(known.snps)
            result = (known if isinstance(known, Frequencies) else Frequencies.of(known)).on(data.snps)
            published = np.isfinite(result.frequency)
            usual[ours[published]] = np.rint(2 * result.frequency[published]).astype(np.int64)
        lacking = data.rows - called
        return alleles + lacking * usual, int(lacking.sum())

    def _noisy(self, counts: Ints) -> tuple[Ints, float, float, tuple[float, float]]:
        """Noisy counts, the sensitivity, the scale of the noise, and the budget that it spends."""
        dp: ModuleType = package("opendp.prelude", "noise")
        dp.enable_features("contrib")
        domain = dp.vector_domain(dp.atom_domain(T="i64"))
        if self.delta is None:
            moved = 2.0 * len(counts)
            scale = moved / self.epsilon
            draw = dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)
            spent = float(draw.map(2 * len(counts))), 0.0
        else:
            moved = 2 * math.sqrt(len(counts))
            metric = dp.l2_distance(T="f64")

            def private(scale: float) -> Any:
                normal = dp.m.make_gaussian(domain, metric, scale=scale)
                return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(normal), delta=self.delta)

            # ρ + 2√(ρ ln 1/δ) = ε bounds what a scale of Δ/√2ρ spends; opendp knows better, and finds a smaller scale.
            root = math.sqrt(self.epsilon - math.log(self.delta)) - math.sqrt(-math.log(self.delta))
            enough = moved / (math.sqrt(2) * root)
            budget, bounds = (self.epsilon, self.delta), (enough / 2, enough * 1.01)
            try:
                scale = float(dp.binary_search_param(private, d_in=moved, d_out=budget, T=float, bounds=bounds))
            except ValueError:  # far less would do, of a delta beyond epsilon
                scale = enough * 1.01
            draw = dp.m.make_gaussian(domain, metric, scale=scale)
            spent = private(scale).map(moved)
        if spent[0] > self.epsilon * (1 + 1e-9) or spent[1] > (self.delta or 0.0):
            raise DataError(f"{self.name} — the noise would spend more than the budget — ask for a smaller epsilon")
        noisy = np.array(draw(counts.tolist()), dtype=np.int64)
        return noisy, moved, scale, (float(spent[0]), float(spent[1]))


def _failures() -> tuple[type[Exception], ...]:
    """What opendp raises, if it is there: looked up only where something was raised."""
    try:
        from opendp.mod import OpenDPException
    except ImportError:
        return ()
    return (OpenDPException, OverflowError)
