"""What attacks on published frequencies share: fields, people to compare, and how the outcome is told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import ClassVar, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, Chance, DataError, Declared, Finding, PolicyError, TwoOrMore
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.membership import References, Scores, on, on_shared, scored
from sharewell.genomes.engine.membership_statistics import Bound, bound
from sharewell.genomes.engine.recognition_curves import Point, auc, power_at, roc, threshold
from sharewell.genomes.engine.sources import opened, opened_people
from sharewell.io.sources import Source
from sharewell.protocols import Attack, Frame, Truth
from sharewell.spelling import fold

Bools = NDArray[np.bool_]
Group = Literal["all", "cases", "controls"]
Nulls = Literal["auto", "targets", "reference", "theory"]
Members = Truth[Genotypes] | Collection[str] | None
"""The original, or the names of those in the pool."""
Pool = TypeVar("Pool", Frequencies, BeaconAnswers)
NOBODY = np.zeros(0)


@dataclass(frozen=True)
class Reach:
    """What theory allows the best statistic."""

    separation: float
    auc: float
    power: float

    @classmethod
    def of(cls, limit: Bound, fpr: float) -> Reach:
        return cls(limit.separation, limit.auc, limit.power(fpr))


@dataclass(frozen=True)
class MembershipDetails:
    """How well members were distinguished from others, and on whom the threshold was calibrated."""

    snps: int
    """SNPs that release, reference and targets share."""
    left_out: int
    """Published SNPs that the others lack."""
    people: int
    reference: int
    reference_left: int
    """People of the reference that a person was compared with, where some are held out as null people."""
    targets: int
    members: int
    null_people: int
    nulls: Nulls
    """Where the null people come from; theory: there are none, and the nominal threshold was taken."""
    fpr: float
    power: float | None
    power_error: float | None
    auc: float | None
    auc_error: float | None
    above: int
    """Targets above the threshold."""
    nominal_fpr: float | None
    """The share of null people above the threshold of theory, which is made for `fpr`."""
    nominal_power: float | None
    others_above: float | None
    """The share of targets known not to be members above the threshold."""
    bound: Reach
    bound_if_known: Reach
    """The same if the frequencies of the population were known exactly."""
    missing: float
    """The share of the targets' calls that is missing."""
    roc: tuple[Point, ...]


@dataclass(frozen=True)
class OnFrequencies(Declared, Attack[Frequencies]):
    """A statistic turned into an attack. `truth` is the original, or the names of the members."""

    reference: Genotypes | Frequencies | Source | Frame | None = None
    targets: Genotypes | Source | Frame | None = None
    fpr: Chance = 0.05
    nulls: Nulls = "auto"
    folds: TwoOrMore = 10
    group: Group = "all"
    subject: str | None = None

    name: ClassVar[str]

    def mount(self, released: Frequencies, truth: Members = None) -> Finding:
        lineup = self._lineup(released, truth)
        result = lineup.scores(self.name)
        details = _details(lineup, result, self.fpr)
        if details.power is not None:
            return Finding(self.name, details.power, unit="probability", details=details)
        value = details.bound.power
        return Finding(self.name, value, unit="probability", details=details, note=NOT_SIMULATED)

    def _lineup(self, released: Frequencies, truth: Members) -> Lineup[Frequencies]:
        if not isinstance(released, Frequencies):
            raise PolicyError(f"{self.name} — attacks published frequencies, and these are none")
        members = members_of(truth)
        given = truth.original if self.targets is None and isinstance(truth, Truth) else self.targets
        targets = None if given is None else opened_people(given, f"{self.name} — targets", self.subject)
        pool = released if self.group == "all" else released.group(self.group)
        if self.reference is not None:
            reference = opened(self.reference, self.subject)
        elif self.group == "cases":
            reference = released.group("controls")
        else:
            raise PolicyError(f"{self.name} — no reference — name people, or frequencies, of the same ancestry")
        snps, place = on_shared(self.name, pool, reference=reference, targets=targets)
        lineup = Lineup(pool.take(place), on(reference, snps), on(targets, snps), members, self.folds)
        return replace(lineup, left_out=pool.rows - len(place), nulls=lineup.choice(self.nulls, self.fpr))


@dataclass(frozen=True, eq=False)
class Lineup(Generic[Pool]):
    """A pool, a reference and people, on the SNPs that all of them have."""

    pool: Pool
    reference: Genotypes | Frequencies | None
    targets: Genotypes | None
    members: frozenset[str] | None
    """None: nobody told."""
    folds: int
    left_out: int = 0
    nulls: Nulls = "auto"

    @property
    def people_of_reference(self) -> int:
        if isinstance(self.reference, Genotypes):
            return self.reference.rows
        return 0 if self.reference is None else self.reference.people

    def choice(self, asked: Nulls, fpr: float) -> Nulls:
        """Targets known not to be members, if there are enough; else people of the reference; else theory."""
        if asked == "targets" and not self.outsiders.any():
            raise DataError("no target is known not to be a member — name the members, or choose other null people")
        if asked == "reference" and not isinstance(self.reference, Genotypes):
            raise DataError("the reference has no people, only frequencies — choose other null people")
        if asked != "auto":
            return asked
        if self.outsiders.sum() >= 1 / fpr - 1:
            return "targets"
        return "reference" if isinstance(self.reference, Genotypes) and self.reference.rows > 1 else "theory"

    @property
    def fair(self) -> Bools:
        """Targets who are not counted in the reference as well, or whose own fold is held out of it."""
        if self.targets is None:
            return np.zeros(0, dtype=bool)
        if self.nulls == "reference" or not isinstance(self.reference, Genotypes):
            return np.ones(self.targets.rows, dtype=bool)
        there = frozenset(map(fold, self.reference.persons))
        return np.array([fold(person) not in there for person in self.targets.persons], dtype=bool)

    @property
    def insiders(self) -> Bools:
        return self._are(True)

    @property
    def outsiders(self) -> Bools:
        return self._are(False)

    def _are(self, members: bool) -> Bools:
        if self.targets is None or self.members is None:
            return np.zeros(0 if self.targets is None else self.targets.rows, dtype=bool)
        is_member = np.array([(fold(person) in self.members) is members for person in self.targets.persons], dtype=bool)
        return is_member & self.fair

    def strangers(self, reference: Genotypes) -> Genotypes:
        """People of the reference who are not in the pool, as far as is known."""
        known = self.members or frozenset()
        return reference.take(persons=np.array([fold(person) not in known for person in reference.persons], dtype=bool))

    def scores(self: Lineup[Frequencies], name: str) -> tuple[References, Scores | None, Scores | None]:
        """What each is compared with, the targets' scores, and those of the reference's people who are not members."""
        assert self.reference is not None
        if self.nulls != "reference" or not isinstance(self.reference, Genotypes):
            references, nulls = References.whole(self.reference), None
        else:
            references = References.in_folds(self.reference, self.folds)
            nulls = scored(self.pool, references, self.strangers(self.reference), [name])[name]
        targets = None if self.targets is None else scored(self.pool, references, self.targets, [name])[name]
        return references, targets, nulls


def _details(
    lineup: Lineup[Frequencies], results: tuple[References, Scores | None, Scores | None], fpr: float
) -> MembershipDetails:
    references, targets, nulls = results
    normal = NormalDist().inv_cdf(1 - fpr)
    scores, standard = (NOBODY, NOBODY) if targets is None else (targets.values, targets.standard)
    inside, outside = lineup.insiders, lineup.outsiders
    members, others = scores[inside], scores[outside]
    outer, outer_standard = (nulls.values, nulls.standard) if nulls is not None else (others, standard[outside])
    by_theory = lineup.nulls == "theory" or not len(outer)
    above = standard > normal if by_theory else scores > threshold(outer, fpr)
    power = power_at(fpr, members, outer)
    if by_theory and len(members):
        power = replace(power, value=float(above[inside].mean()), error=None)
    area = auc(members, outer)
    tells = int((np.isfinite(lineup.pool.frequency) & np.isfinite(references.pop).all(axis=1)).sum())
    people, left = lineup.pool.people, references.least
    called = 0 if lineup.targets is None else int(lineup.targets.counts()[1].sum())
    return MembershipDetails(
        snps=lineup.pool.rows,
        left_out=lineup.left_out,
        people=people,
        reference=lineup.people_of_reference,
        reference_left=left,
        targets=len(scores),
        members=len(members),
        null_people=len(outer),
        nulls="theory" if by_theory else lineup.nulls,
        fpr=fpr,
        power=power.value,
        power_error=power.error,
        auc=area.value,
        auc_error=area.error,
        above=int((above & lineup.fair).sum()),
        nominal_fpr=float((outer_standard > normal).mean()) if len(outer) else None,
        nominal_power=float((standard[inside] > normal).mean()) if len(members) else None,
        others_above=float(above[outside].mean()) if len(others) else None,
        bound=Reach.of(bound(tells, people, left), fpr),
        bound_if_known=Reach.of(bound(tells, people), fpr),
        missing=1 - called / max(1, lineup.targets.rows * lineup.targets.count) if lineup.targets is not None else 0.0,
        roc=roc(members, outer),
    )


def members_of(truth: Members) -> frozenset[str] | None:
    """The folds of the names of those in the pool: everybody in the original, or those listed."""
    if truth is None:
        return None
    if isinstance(truth, Truth):
        return frozenset(map(fold, truth.original.persons))
    if isinstance(truth, str):
        raise PolicyError("truth — names of members, not one text — give a list of them")
    return frozenset(fold(str(name)) for name in truth)
