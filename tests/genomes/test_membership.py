"""Membership from published frequencies: statistics by their definitions, simulations, attacks and criteria."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import plain_membership as plain
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.attack_simulation import NOT_SIMULATED
from sharewell.errors import DataError, PolicyError
from sharewell.genomes import (
    WIP,
    Frequencies,
    Genotypes,
    Homer,
    LikelihoodRatio,
    MembershipPower,
    SafeNumber,
    Selection,
    Snps,
)
from sharewell.genomes.engine import membership_statistics
from sharewell.genomes.engine.membership import References, aside, scored, strangers
from sharewell.genomes.engine.membership_statistics import (
    FEW_PEOPLE,
    STATISTICS,
    bound,
    safe_number,
)
from sharewell.genomes.engine.recognition_curves import (
    auc,
    pooled,
    power,
    power_at,
    roc,
    surely_reached,
    threshold,
    upper_power,
    upper_share,
)
from sharewell.policy.sources import evidence
from sharewell.protocols import Truth
from sharewell.testing import check_attack, check_criterion, check_finding

ATTACKS = (Homer, LikelihoodRatio, WIP)
SCORED = 50


# — statistics


def score(name: str, calls: Any, *more: Any) -> Any:
    return membership_statistics.score(name, Genotypes.of(calls), *more)


@st.composite
def little_studies(draw: Any) -> tuple[Any, list[float], list[float], int, int | None]:
    """People × SNPs with missing calls, frequencies that may be 0, 1 or unknown, pool and reference of any size."""
    snps, people = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    call = st.sampled_from([-1, 0, 1, 2])
    share = st.one_of(st.sampled_from([0.0, 1.0, 0.5, math.nan]), st.floats(0.01, 0.99))
    calls = np.array(draw(st.lists(st.lists(call, min_size=snps, max_size=snps), min_size=people, max_size=people)))
    mix, pop = (draw(st.lists(share, min_size=snps, max_size=snps)) for _ in range(2))
    return calls, mix, pop, draw(st.integers(1, 300)), draw(st.one_of(st.none(), st.integers(1, 300)))


@settings(max_examples=200, deadline=None)
@given(little_studies())
def test_statistics_are_what_their_definitions_say(study: Any) -> None:
    calls, mix, pop, people, reference = study
    assert score("homer", calls, mix, pop) == pytest.approx([plain.homer(g, mix, pop) for g in calls], abs=1e-6)
    for name, defined in (("likelihood-ratio", plain.likelihood_ratio), ("wip", plain.wip)):
        ours = score(name, calls, mix, pop, people, reference)
        assert ours == pytest.approx([defined(g, mix, pop, people, reference) for g in calls])


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    calls, mix, pop = draw.integers(-1, 3, (7, 100)), draw.random(100), draw.random(100)
    whole = score("homer", calls, mix, pop)
    monkeypatch.setattr(membership_statistics, "BLOCK", 20)
    assert score("homer", calls, mix, pop) == pytest.approx(whole)


def test_nobody_and_nothing_have_a_score() -> None:
    assert score("wip", np.zeros((0, 3)), [0.5] * 3, [0.4] * 3, 10).shape == (0,)
    assert score("likelihood-ratio", np.zeros((2, 0)), [], [], 10, 10).tolist() == [0.0, 0.0]


TOLD = (
    # SNPs, pool, reference, (AUC, power) of the likelihood ratio and of Homer, Homer's nominal FPR, replicates
    (1_000, 50, None, (0.9994, 0.998), (0.9961, 0.984), 0.004, 200),
    (1_000, 50, 50, (0.9868, 0.931), (0.9716, 0.859), 0.053, 200),
    (1_000, 50, 200, (0.9978, 0.991), (0.9915, 0.957), 0.010, 200),
    (1_000, 200, None, (0.9437, 0.719), (0.9078, 0.589), 0.014, 200),
    (1_000, 200, 200, (0.8705, 0.490), (0.8305, 0.390), 0.048, 100),
    (1_000, 1_000, None, (0.7587, 0.247), (0.7193, 0.201), 0.033, 200),
    (1_000, 1_000, 1_000, (0.6840, 0.168), (0.6544, 0.140), 0.048, 200),
    (1_000, 1_000, 200, (0.6125, 0.108), (0.5941, 0.098), 0.101, 200),
)


def drawn(draw: np.random.Generator, frequency: Any, people: int) -> Any:
    lot = draw.random((people, len(frequency)), dtype=np.float32)
    return (lot > (1 - frequency) ** 2).astype(np.int8) + (lot > 1 - frequency**2)


def simulated(snps: int, pool: int, reference: int | None, count: int) -> dict[str, Any]:
    """Replicates × (fifty members, then fifty others)."""
    draw, found = np.random.default_rng(7), []
    for _ in range(count):
        frequency = draw.uniform(0.05, 0.5, snps)
        people = drawn(draw, frequency, 2 * SCORED)
        mix = (people[:SCORED].sum(axis=0) + draw.binomial(2 * (pool - SCORED), frequency)) / (2 * pool)
        pop = frequency if reference is None else draw.binomial(2 * reference, frequency) / (2 * reference)
        names = ("likelihood-ratio", "wip", "homer")
        found.append([score(name, people, mix, pop, pool, reference) for name in names])
    return dict(zip(("LR", "WIP", "Homer"), np.array(found).transpose(1, 0, 2), strict=True))


@pytest.mark.parametrize("row", TOLD, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_simulations_give_the_figures_that_were_told(row: Any) -> None:
    """Within three standard errors of the difference and .003; the other figures rest on `replicates` too.

    Rows of ten thousand SNPs need more replicates than a test has time for: `benchmarks.genomes_membership`.
    """
    snps, pool, reference, ratio, by_homer, nominal, replicates = row
    count = 60  # fewer would not tell their own standard error
    scores = simulated(snps, pool, reference, count)
    more = math.sqrt(1 + count / replicates)
    for name, told in (("LR", ratio), ("WIP", ratio), ("Homer", by_homer)):
        found = pooled(scores[name][:, :SCORED], scores[name][:, SCORED:], 0.05)
        for ours, theirs in zip(found, told, strict=True):
            assert abs(ours.value - theirs) <= 3 * ours.error * more + 0.003, (name, ours, theirs)
    beyond = scores["Homer"][:, SCORED:] > 1.645
    assert abs(beyond.mean() - nominal) <= 3 * _error(beyond) * more + 0.003
    spread = 1.645 * math.sqrt(snps * (1 / pool + (1 / reference if reference else 0)))
    beyond = scores["WIP"][:, SCORED:] > spread
    assert abs(beyond.mean() - 0.05) <= 3 * _error(beyond) + 0.013  # .045 to .060 were told
    assert abs(pooled(scores["LR"][:, :SCORED], scores["LR"][:, SCORED:], 0.05)[0].value - _area(scores, "WIP")) < 0.004


def _error(above: Any) -> float:
    return float(above.mean(axis=1).std(ddof=1) / math.sqrt(len(above)))


def _area(scores: Any, name: str) -> float:
    return pooled(scores[name][:, :SCORED], scores[name][:, SCORED:], 0.05)[0].value


def test_the_bound_is_the_one_of_theory() -> None:
    for snps, pool, reference, area, reached in (
        (1_000, 50, None, 0.9992, 0.998),
        (1_000, 200, 200, 0.8682, 0.475),
        (1_000, 1_000, 200, 0.6136, 0.108),
        (10_000, 1_000, 200, 0.8193, 0.362),
    ):
        found = bound(snps, pool, reference)
        assert (round(found.auc, 4), round(found.power(0.05), 3)) == (area, reached)


@settings(max_examples=100, deadline=None)
@given(st.integers(10, 5_000), st.one_of(st.none(), st.integers(1, 5_000)), st.floats(0.01, 0.2), st.floats(0.21, 0.95))
def test_one_snp_more_than_the_safe_number_is_too_many(
    pool: int, reference: int | None, fpr: float, most: float
) -> None:
    count = safe_number(pool, reference, fpr, most)
    assert bound(count, pool, reference).power(fpr) <= most + 1e-9
    if pool >= FEW_PEOPLE:  # of fewer people a tenth less is allowed than theory says
        assert bound(count + 1, pool, reference).power(fpr) >= most - 1e-9


# — curves

some = st.lists(st.integers(-3, 3), min_size=1, max_size=12)


@settings(max_examples=100, deadline=None)
@given(some, some, st.floats(0.01, 0.9))
def test_curves_follow_from_all_pairs_and_grow(members: list[int], nulls: list[int], fpr: float) -> None:
    assert auc(members, nulls).value == pytest.approx(plain.auc(members, nulls))
    curve = roc(members, nulls)
    assert len(curve) <= 50
    assert all(a.power <= b.power + 1e-12 for a, b in pairwise(curve))
    assert curve[-1].power == 1.0
    assert 0 <= power(members, nulls, fpr) <= 1
    assert power(members, nulls, fpr) <= power(members, nulls, min(0.99, fpr + 0.1)) + 1e-12


@pytest.mark.parametrize(("nulls", "least", "most"), [(39, 0.049, 0.051), (30, 0.04, 0.05), (10, 0.08, 0.1)])
def test_a_threshold_is_exceeded_as_often_as_is_said(nulls: int, least: float, most: float) -> None:
    """By a further null person, on the average: 5 % for 39, a little less between two scores, 1 in 11 for ten."""
    groups = np.random.default_rng(1).normal(size=(4_000, nulls))
    rates = [1 - 0.5 * (1 + math.erf(threshold(group, 0.05) / math.sqrt(2))) for group in groups]
    assert least < np.mean(rates) < most


def test_equal_scores_recognise_nobody_better_than_guessing() -> None:
    assert power_at(0.05, [0.0] * 30, [0.0] * 30).value == pytest.approx(0.05)
    assert power_at(0.05, [], [1.0]).value is None
    assert auc([1.0], []).value is None
    assert roc([], [1.0]) == ()


def test_limits_of_shares_are_exact() -> None:
    def fewer(count: int, trials: int, share: Fraction) -> Fraction:
        return sum(
            (math.comb(trials, i) * share**i * (1 - share) ** (trials - i) for i in range(count + 1)), Fraction(0)
        )

    for count, trials in ((0, 5), (3, 10), (9, 10), (17, 40)):
        found = Fraction(str(upper_share(count, trials, 0.025)))
        assert fewer(count, trials, found) <= Fraction(1, 40)
        assert fewer(count, trials, found - Fraction(2, 10**6)) > Fraction(1, 40)
    for trials in (1, 7, 50, 200):
        number = surely_reached(trials, 0.05, 0.025)
        assert 1 - fewer(number - 1, trials, Fraction(1, 20)) <= Fraction(1, 40)
        assert number == 0 or 1 - fewer(number - 2, trials, Fraction(1, 20)) > Fraction(1, 40)


def test_the_upper_limit_of_power_is_rarely_too_low() -> None:
    draw, true = np.random.default_rng(2), 0.5 * (1 + math.erf((1.0 - 1.6449) / math.sqrt(2)))
    limits = [upper_power(draw.normal(1, 1, 80), draw.normal(0, 1, 80), 0.05, 0.9) for _ in range(400)]
    assert np.mean([limit < true for limit in limits]) <= 0.1
    assert upper_power([], [1.0], 0.05, 0.95) is None
    assert upper_power([1.0], [0.0], 0.05, 0.95) == 1.0


# — references


def people(rows: int, count: int, seed: int = 1, name: str = "p", snps: Snps | None = None) -> Genotypes:
    draw = np.random.default_rng(seed)
    frequency = np.random.default_rng(99).uniform(0.05, 0.5, count)
    return Genotypes.of(drawn(draw, frequency, rows), persons=[f"{name}{i}" for i in range(rows)], snps=snps)


def test_folds_leave_out_their_own_people() -> None:
    array = np.random.default_rng(3).integers(-1, 3, (11, 20))
    data = Genotypes.of(array)
    found = References.in_folds(data, 4)
    fold = np.array([found.fold[person] for person in data.persons])
    for number in range(4):
        left = array[fold != number]
        called = (left >= 0).sum(axis=0)
        share = np.where(called > 0, np.maximum(left, 0).sum(axis=0) / np.maximum(2 * called, 1), np.nan)
        assert found.pop[:, number] == pytest.approx(share, nan_ok=True)
        assert found.sizes[number] == len(left)
    assert [sorted(group) for group in found.groups(data.persons)] == [
        sorted(np.flatnonzero(fold == i)) for i in range(4)
    ]
    with pytest.raises(DataError, match=r"1 person\(s\) — two or more"):
        References.in_folds(data.take(persons=[0]), 4)


def test_people_of_the_reference_score_like_strangers() -> None:
    """As null people they would be worthless if they were counted in what they are compared with."""
    pool, reference, strangers = (people(60, 3_000, seed, name) for seed, name in ((1, "a"), (2, "b"), (3, "c")))
    folds = References.in_folds(reference, 10)
    for name in STATISTICS:
        null = scored(Frequencies.of(pool), folds, reference, [name])[name].values
        stranger = scored(Frequencies.of(pool), folds, strangers, [name])[name].values
        error = math.sqrt(np.var(null) / 60 + np.var(stranger) / 60)
        assert abs(null.mean() - stranger.mean()) < 4 * error
    counted = scored(Frequencies.of(pool), References.whole(reference), reference, ["wip"])["wip"].values
    assert counted.mean() < null.mean() - 10 * error


# — attacks


@pytest.fixture(scope="module")
def study() -> tuple[Genotypes, Genotypes, Genotypes]:
    """A pool, a reference, and targets of whom half are members."""
    pool, others = people(60, 1_000, 1, "member"), people(60, 1_000, 2, "other")
    both = np.concatenate([pool.array(), others.array()])
    return pool, people(120, 1_000, 3, "reference"), Genotypes.of(both, persons=[*pool.persons, *others.persons])


@pytest.mark.parametrize("attack", ATTACKS)
def test_members_are_recognised(attack: Any, study: Any) -> None:
    pool, reference, targets = study
    found = attack(reference, targets).mount(Frequencies.of(pool), truth=pool.persons)
    assert found.value == found.details.power > 0.8
    assert found.details.auc > 0.95
    assert (found.details.nulls, found.details.null_people, found.details.reference_left) == ("targets", 60, 120)
    assert found.details.auc_error > 0
    assert found.details.power_error > 0
    assert abs(found.details.auc - found.details.bound.auc) < 0.05
    assert not found.note
    frame = Frequencies.of(pool).arrow
    check_finding(found, frame)
    assert len(json.dumps(found.to_json())) < 5_000, "details hold figures, not people"


@pytest.mark.parametrize("attack", ATTACKS)
def test_people_of_the_reference_set_the_threshold_where_nobody_else_can(attack: Any, study: Any) -> None:
    pool, reference, targets = study
    released = Frequencies.of(pool)
    found = attack(reference, pool).mount(released, truth=Truth(pool, np.arange(pool.count)))
    assert (found.details.nulls, found.details.null_people, found.details.reference_left) == ("reference", 120, 108)
    assert found.value > 0.7
    by_name = attack(reference, targets, nulls="reference").mount(released, truth=pool.persons).details
    assert by_name.others_above == pytest.approx(0.05, abs=0.08)
    assert attack(reference).mount(released, truth=Truth(pool, np.arange(pool.count))).value == found.value


@pytest.mark.parametrize("attack", ATTACKS)
def test_without_the_truth_the_bound_is_told(attack: Any, study: Any) -> None:
    pool, reference, targets = study
    released = Frequencies.of(pool)
    for given_ in (targets, None):
        found = attack(reference, given_).mount(released)
        assert found.note == NOT_SIMULATED
        assert found.value == found.details.bound.power
        assert found.details.power is None
    assert attack(reference, targets).mount(released).details.above >= 40
    check_attack(attack(reference, targets), lambda frame: Frequencies.from_arrow(frame), released.arrow)


def test_only_frequencies_known_leave_theory(study: Any) -> None:
    pool, reference, _ = study
    known = Frequencies.of(reference)
    found = WIP(known, pool).mount(Frequencies.of(pool), truth=pool.persons).details
    assert (found.nulls, found.null_people, found.auc) == ("theory", 0, None)
    assert found.power == found.nominal_power > 0.7


@pytest.mark.parametrize("attack", ATTACKS)
def test_order_naming_and_alleles_do_not_matter(attack: Any) -> None:
    """The same people, SNPs in another order, some counted by the other allele, some unknown to one side."""
    snps = Snps.of(
        [f"rs{i}" for i in range(300)],
        chromosome=["1"] * 300,
        position=range(1, 301),
        effect="A" * 300,
        other="G" * 300,
    )
    pool, targets = people(30, 300, 1, "a", snps=snps), people(60, 300, 1, "a", snps=snps)
    reference = people(40, 300, 2, "r", snps=snps)
    order = np.random.default_rng(5).permutation(300)
    turned = np.arange(300) % 3 == 0
    array = np.where(turned, 2 - targets.array(), targets.array())[:, order]
    sites = Snps.of(
        [f"x{i}" for i in order],
        chromosome=["chr1"] * 300,
        position=order + 1,
        effect=np.where(turned[order], "G", "A"),
        other=np.where(turned[order], "A", "G"),
    )
    other = Genotypes.of(array, persons=targets.persons, snps=sites)
    plainly = attack(reference, targets).mount(Frequencies.of(pool), truth=pool.persons).details
    assert attack(reference, other).mount(Frequencies.of(pool), truth=pool.persons).details == plainly
    fewer = attack(reference.take(snps=slice(0, 200)), other).mount(Frequencies.of(pool), truth=pool.persons).details
    assert (fewer.snps, fewer.left_out) == (200, 100)


def test_missing_calls_and_single_alleles_count_for_nothing(study: Any) -> None:
    pool, reference, targets = study
    array = targets.array()
    array[:, :500] = np.where(np.random.default_rng(1).random((120, 500)) < 0.2, -1, array[:, :500])
    gaps = Genotypes.of(array, persons=targets.persons)
    found = LikelihoodRatio(reference, gaps).mount(Frequencies.of(pool), truth=pool.persons).details
    assert found.missing == pytest.approx(0.1, abs=0.01)
    assert found.auc > 0.9
    lone = Genotypes.of(np.zeros((30, 5)), persons=[f"z{i}" for i in range(30)])
    for attack in ATTACKS:
        same = attack(lone, lone.take(persons=slice(0, 10)), nulls="reference")
        details = same.mount(Frequencies.of(lone.take(persons=slice(0, 10))), truth=lone.persons[:10]).details
        assert details.auc == 0.5
        assert details.power == pytest.approx(0.05)


def test_targets_that_are_counted_in_the_reference_are_left_out(study: Any) -> None:
    pool, reference, targets = study
    both = np.concatenate([targets.array(), reference.array()])
    everybody = Genotypes.of(both, persons=[*targets.persons, *reference.persons])
    plainly = WIP(reference, targets).mount(Frequencies.of(pool), truth=pool.persons).details
    found = WIP(reference, everybody).mount(Frequencies.of(pool), truth=pool.persons).details
    assert (found.auc, found.power, found.null_people) == (plainly.auc, plainly.power, plainly.null_people)


def test_controls_serve_as_a_reference_for_cases() -> None:
    data = people(200, 600)
    released = Frequencies.of(data, cases=data.persons[:50])
    found = Homer(targets=data, group="cases").mount(released, truth=data.persons[:50]).details
    assert (found.people, found.reference) == (50, 150)
    assert found.auc > 0.95
    with pytest.raises(PolicyError, match="no reference"):
        Homer(targets=data).mount(released)
    with pytest.raises(DataError, match="not distinguished"):
        Homer(targets=data, group="cases").mount(Frequencies.of(data))


def test_what_cannot_be_attacked_is_told(study: Any) -> None:
    pool, reference, targets = study
    released = Frequencies.of(pool)
    elsewhere = Genotypes.of([[0, 1], [1, 2]], snps=["there", "yonder"])
    for reference_, targets_, what in ((elsewhere, targets, "reference"), (reference, elsewhere, "targets")):
        with pytest.raises(DataError, match=rf"none of the 1000 published SNP\(s\) is among the 2 of the {what}"):
            WIP(reference_, targets_).mount(released)
    with pytest.raises(DataError, match="genotypes of persons are needed"):
        WIP(reference, released).mount(released)
    with pytest.raises(DataError, match="choose other null people"):
        WIP(Frequencies.of(reference), targets, nulls="reference").mount(released)
    with pytest.raises(DataError, match="known not to be a member"):
        WIP(reference, pool, nulls="targets").mount(released, truth=pool.persons)
    with pytest.raises(PolicyError, match="not one text"):
        WIP(reference, pool).mount(released, truth="member1")
    with pytest.raises(PolicyError, match="published frequencies"):
        WIP(reference, pool).mount(pool)
    for wrong in ({"fpr": 0}, {"fpr": 1}, {"folds": 1}, {"nulls": "some"}, {"group": "few"}):
        with pytest.raises(ValueError, match=r"fpr|folds|nulls|group"):
            WIP(reference, targets, **wrong)


@pytest.mark.parametrize("attack", ATTACKS)
def test_one_person_is_enough(attack: Any) -> None:
    one, other = people(1, 50, 1, "one"), people(1, 50, 2, "other")
    found = attack(other, one).mount(Frequencies.of(one), truth=one.persons)
    assert found.details.nulls == "theory"
    assert found.details.members == 1
    found = attack(people(40, 50, 3, "r"), one).mount(Frequencies.of(one), truth=one.persons)
    assert found.value == 1.0


# — criteria


@pytest.fixture(scope="module")
def cohort() -> tuple[Genotypes, Genotypes]:
    return people(300, 1_500, 1, "member"), people(300, 1_500, 2, "other")


def test_much_is_refused_and_little_holds(cohort: Any) -> None:
    pool, others = cohort
    criterion = MembershipPower(0.6, pool=pool, reference=others)
    released = Frequencies.of(pool)
    much, little = criterion.check(released), criterion.check(released.take(slice(0, 100)))
    assert much.ok is False
    assert little.ok is True
    limits = [one.upper for one in much.details.statistics]
    assert much.value == max(*limits, much.details.known)
    assert all(one.upper > one.power for one in much.details.statistics)
    assert (much.details.members, much.details.null_people) == (300, 300)
    assert much.details.bound < much.details.bound_if_known < much.details.known
    weaker = MembershipPower(0.6, pool=pool, reference=others, knows="reference").check(released)
    assert weaker.value == max(limits)
    assert len(json.dumps(much.to_json())) < 3_000


def test_the_limit_covers_the_power_on_fresh_people() -> None:
    """Over many studies, rarely below what theory says, and never without doubt for few people."""
    low = 0
    for seed in range(30):
        pool, others = people(120, 120, 2 * seed, "a"), people(120, 120, 2 * seed + 1, "b")
        found = MembershipPower(0.9, pool=pool, reference=others, confidence=0.9).check(Frequencies.of(pool))
        low += found.value < found.details.bound
    assert low <= 6
    few = MembershipPower(0.9, pool=people(4, 10, 1, "a"), reference=people(4, 10, 2, "b"))
    assert few.check(Frequencies.of(people(4, 10, 1, "a"))).failed


def test_halves_follow_from_names_alone() -> None:
    names = [f"person{i}" for i in range(2_000)]
    half = aside(names)
    assert 900 < half.sum() < 1_100
    assert np.array_equal(aside(names[::-1]), half[::-1])


def test_criteria_keep_the_contract(cohort: Any) -> None:
    pool, others = cohort
    few = slice(0, 60)
    frame = Frequencies.of(pool).take(few).arrow

    def opened(table: Any) -> Frequencies:
        return Frequencies.from_arrow(table, people=300, selection=Selection(60, "nobody", 300))

    check_criterion(MembershipPower(0.6, pool=pool.take(snps=few), reference=others.take(snps=few)), opened, frame)
    check_criterion(SafeNumber(0.5), opened, frame)
    assert evidence(MembershipPower) == ["pool", "reference", "phenotype", "persons"]
    assert evidence(SafeNumber) == []


def test_sources_are_read_from_files(tmp_path: Path, cohort: Any) -> None:
    pool, others = (data.take(snps=slice(0, 50)) for data in cohort)
    for name, data in (("pool", pool), ("others", others)):
        columns = {"patient": list(data.persons)} | {f"snp{i + 1}": column for i, column in enumerate(data.array().T)}
        pacsv.write_csv(pa.table(columns), tmp_path / f"{name}.csv")
    named = MembershipPower(0.6, pool=tmp_path / "pool.csv", reference=str(tmp_path / "others.csv"))
    released = Frequencies.of(pool)
    assert named.check(released).value == MembershipPower(0.6, pool=pool, reference=others).check(released).value
    assert named.pool.sha256
    others.write_bed(tmp_path / "others.bed")
    from_bed = MembershipPower(0.6, pool=pool, reference=tmp_path / "others.bed")
    assert from_bed.check(released).value == named.check(released).value
    assert WIP(tmp_path / "others.bed", tmp_path / "pool.csv").mount(released, truth=pool.persons).value is not None


def test_another_pool_is_refused_and_unknown_snps_are_not_judged(cohort: Any) -> None:
    pool, others = cohort
    released = Frequencies.of(pool)
    with pytest.raises(DataError, match=r"the pool has 299 person\(s\), the release is of 300"):
        MembershipPower(0.6, pool=pool.take(persons=slice(0, 299)), reference=others).check(released)
    lacking = MembershipPower(0.6, pool=pool, reference=others.take(snps=slice(0, 1_000))).check(released)
    assert lacking.ok is None
    assert lacking.failed
    assert "lack 500 of 1500" in lacking.note
    with pytest.raises(PolicyError, match="published frequencies"):
        MembershipPower(0.6, pool=pool, reference=others).check(pool)  # type: ignore[arg-type]
    for wrong in ({"max_power": 0.05}, {"fpr": 0}, {"confidence": 1}, {"knows": "all"}, {"folds": 1}, {"pool": None}):
        with pytest.raises(ValueError, match=r"max_power|fpr|confidence|knows|folds|pool"):
            MembershipPower(**({"max_power": 0.6, "pool": pool, "reference": others} | wrong))


def test_members_in_the_reference_are_no_null_people(cohort: Any) -> None:
    pool, others = cohort
    both = Genotypes.of(np.concatenate([others.array(), pool.array()]), persons=[*others.persons, *pool.persons])
    released = Frequencies.of(pool)
    plainly = MembershipPower(0.6, pool=pool, reference=others).check(released)
    assert MembershipPower(0.6, pool=pool, reference=both).check(released).value == plainly.value


def test_cases_and_controls_are_judged_apart(cohort: Any) -> None:
    pool, others = (data.take(snps=slice(0, 150)) for data in cohort)
    ill = pool.persons[:60]
    released = Frequencies.of(pool, cases=ill)
    with pytest.raises(PolicyError, match="nothing says who the cases are"):
        MembershipPower(0.9, pool=pool, reference=others).check(released)
    phenotype = {person: person in ill for person in pool.persons}
    apart = MembershipPower(0.9, pool=pool, reference=others, phenotype=phenotype).check(released)
    together = MembershipPower(0.9, pool=pool, reference=others).check(Frequencies.of(pool))
    assert apart.value > together.value
    assert apart.details.who in ("cases", "cases among controls")


def test_safe_numbers_are_counted_in_the_release() -> None:
    def released(snps: int, people: int = 1_000, frequency: float = 0.25) -> Frequencies:
        panel = Selection(snps, "nobody", people)
        return Frequencies.of_arrays([frequency] * snps, people=people, selection=panel)

    assert SafeNumber(0.9).check(released(8_563)).ok is True
    assert SafeNumber(0.9).check(released(8_564)).ok is False
    assert SafeNumber(0.5, reference=1_000).check(released(5_411)).ok is True
    assert SafeNumber(0.5, reference=1_000).check(released(5_412)).ok is False
    assert SafeNumber(0.5).check(released(1, people=9)).ok is None
    rare = SafeNumber(0.5).check(released(10, frequency=4 / 2_000))
    assert rare.ok is True
    assert rare.failed
    assert not SafeNumber(0.5).check(released(10, frequency=1 - 5 / 2_000)).failed
    assert not SafeNumber(0.5, copies=0).check(released(10, frequency=0.0)).failed
    assert SafeNumber(0.5).check(released(0)).failed
    hidden = Frequencies.of_arrays([0.25, math.nan, 0.25], people=1_000, selection=Selection(2, "nobody", 1_000))
    assert SafeNumber(0.5).check(hidden).value == 2
    apart = Frequencies.of_arrays([0.25], people=100, cases=np.array([0.2]), controls=np.array([0.3]), case_people=20)
    assert SafeNumber(0.5).check(apart).bound == safe_number(16, None, 0.05, 0.5)
    for wrong in ({"max_power": 0.05}, {"max_power": 1.0}, {"fpr": 0}, {"reference": 0}, {"copies": -1}):
        with pytest.raises(ValueError, match=r"max_power|fpr|reference|copies"):
            SafeNumber(**({"max_power": 0.5} | wrong))


def test_a_safe_number_of_snps_keeps_the_promise() -> None:
    """The mean power over small pools with the frequencies known: nothing stronger is possible."""
    draw = np.random.default_rng(4)
    for size, most in ((10, 0.5), (50, 0.2), (50, 0.9)):
        count, reached = safe_number(size, None, 0.05, most), []
        for _ in range(60):
            frequency = np.exp(draw.uniform(np.log(0.05), np.log(0.5), count))
            inside, outside = drawn(draw, frequency, size), drawn(draw, frequency, 300)
            scores = [
                score("likelihood-ratio", who, inside.mean(axis=0) / 2, frequency, size) for who in (inside, outside)
            ]
            reached.append(power(*scores, 0.05))
        assert np.mean(reached) <= most + 3 * np.std(reached) / math.sqrt(60) + 0.01


@pytest.mark.parametrize(("changed", "missing"), [(0.002, 0.0), (0.02, 0.0), (0.0, 0.1), (0.03, 0.05)])
def test_members_genotyped_twice_do_not_pass_for_others(changed: float, missing: float) -> None:
    """Half of the reference were members under other names, and the threshold was as high as members score."""
    draw = np.random.default_rng(1)
    share = draw.uniform(0.1, 0.5, 600)
    members, others = (draw.binomial(2, share, (200, 600)) for _ in range(2))
    again = members[:100].copy()
    wrong, gone = draw.random(again.shape) < changed, draw.random(again.shape) < missing
    again[wrong] = draw.binomial(2, 0.3, int(wrong.sum()))
    again[gone] = -1
    snps = Snps.of([f"rs{i}" for i in range(600)])
    pool = Genotypes.of(members, persons=[f"P{i}" for i in range(200)], snps=snps)
    mixed = Genotypes.of(np.vstack([others[:100], again]), persons=[f"R{i}" for i in range(200)], snps=snps)
    honest = mixed.take(persons=slice(0, 100))
    found, expected = (
        MembershipPower(0.5, pool=pool, reference=one, knows="reference").check(Frequencies.of(pool))
        for one in (mixed, honest)
    )
    assert found.value == expected.value
    assert "100 person(s) of the reference are members" in found.note
    assert not expected.note


def test_siblings_and_strangers_stay_in_the_reference() -> None:
    draw = np.random.default_rng(2)
    share = draw.uniform(0.05, 0.5, 400)
    mother, father = (draw.random((2, 30, 400)) < share for _ in range(2))
    children = [
        sum(np.where(draw.random((30, 400)) < 0.5, *parent) for parent in (mother.astype(int), father.astype(int)))
        for _ in range(2)
    ]
    pool, siblings = (
        Genotypes.of(calls, persons=[f"{name}{i}" for i in range(30)])
        for name, calls in zip("ab", children, strict=True)
    )
    assert strangers(siblings, pool)[1] == 0
