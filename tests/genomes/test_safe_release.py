"""Mechanisms that publish allele frequencies and the answers of a beacon."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.genomes import (
    GWAS,
    Beacon,
    BeaconAnswers,
    BeaconRelease,
    Frequencies,
    FrequencyFloor,
    Genotypes,
    MembershipPower,
    MinorFrequency,
    NoisyFrequencies,
    SafeNumber,
    SafeSNPs,
    Snps,
)
from sharewell.genomes.engine.membership import References, aside, scored
from sharewell.genomes.engine.membership_statistics import STATISTICS, score
from sharewell.genomes.engine.protection.pool_and_reference import Sides
from sharewell.genomes.engine.protection.snp_addition import FAINT, Limit, Tally, looks
from sharewell.genomes.engine.recognition_curves import power_at, upper_power
from sharewell.keys import Key
from sharewell.testing import check_mechanism

KEY = Key(b"an example key of enough bytes..")


def sites(count: int, apart: int = 2_000_000) -> Snps:
    """Far from each other, unless told."""
    return Snps.of([f"s{i}" for i in range(count)], chromosome=["7"] * count, position=1 + apart * np.arange(count))


def population(people: int, snps: int, seed: int = 1, low: float = 0.05) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.binomial(2, draw.uniform(low, 0.5, snps), (people, snps)).astype(np.int8)


def linked_population(people: int, snps: int, seed: int = 1, block: int = 5) -> np.ndarray:
    """Haplotypes in which an allele mostly copies the one before it."""
    draw = np.random.default_rng(seed)
    alleles = draw.random((2 * people, snps)) < draw.uniform(0.1, 0.5, snps)
    for i in range(1, snps):
        if i % block:
            alleles[:, i] = np.where(draw.random(2 * people) < 0.9, alleles[:, i - 1], alleles[:, i])
    return (alleles[:people].astype(np.int8) + alleles[people:]).astype(np.int8)


def parted(calls: np.ndarray, pool: int, others: int, salt: str = "", **more: Any) -> list[Genotypes]:
    """A pool, a reference, and people whom nobody saw."""
    names = [f"{salt}person-{i}" for i in range(len(calls))]
    snps = more.get("snps") or sites(calls.shape[1])
    cuts = [slice(0, pool), slice(pool, pool + others), slice(pool + others, None)]
    return [Genotypes.of(calls[cut], persons=names[cut], snps=snps) for cut in cuts]


def table(cells: Any, people: int, snps: int) -> Any:
    return st.lists(st.lists(cells, min_size=snps, max_size=snps), min_size=people, max_size=people)


def worst_power(released: Frequencies, rows: Any, members: Any, strangers: Any, reference: Genotypes) -> Any:
    """The strongest of the three attacks, on genotypes as plain arrays."""
    alleles, called = reference.take(snps=rows).counts()
    pop, sizes = alleles / (2 * called), (released.people, reference.rows)
    sides = [Genotypes.of(some[:, rows]) for some in (members, strangers)]
    found = [
        power_at(0.05, *(score(name, side, released.frequency, pop, *sizes) for side in sides)) for name in STATISTICS
    ]
    return max(found, key=lambda one: one.value)


@pytest.mark.parametrize(("rule", "linked", "size"), [("empirical", False, 200), ("both", True, 160)])
def test_people_never_used_in_selection_are_recognised_no_more_than_allowed(rule: Any, linked: bool, size: int) -> None:
    """Twenty random splits: members that were set aside, against people who were in neither pool nor reference."""
    calls = linked_population(2 * size + 300, 1800, block=2) if linked else population(2 * size + 300, 1500)
    everything = np.arange(calls.shape[1])
    places = sites(len(everything), apart=10_000 if linked else 2_000_000)
    reached, unprotected = [], []
    for split in range(20):
        order = np.random.default_rng(split).permutation(len(calls))
        inside, reference, strangers = parted(calls[order], size, size, f"{split}/", snps=places)
        found = SafeSNPs(0.4, reference=reference, rule=rule).protect(inside, [], KEY)
        unseen, others = calls[order][:size][aside(inside.persons)], strangers.array()
        power = worst_power(found.data, found.rows, unseen, others, reference)
        assert power.value <= 0.4 + 2 * power.error
        reached.append(power.value)
        unprotected.append(worst_power(Frequencies.of(inside), everything, unseen, others, reference).value)
    assert 0.1 < np.mean(reached) <= 0.4 < np.mean(unprotected)


@pytest.mark.parametrize("piece", [7, 60])
def test_it_stops_where_the_criterion_would(piece: int) -> None:
    """At the number of SNPs that is found by trying every number with the code of the criterion."""
    pool, reference, _ = parted(population(160, 60, seed=3), 80, 80)
    sides = Sides.of(pool, reference, None, apart=False, halves=True)
    limit, lots = Limit(0.1, 0.6, 0.7), np.random.default_rng(1).random(160)
    (contest,) = sides.contests(True)
    order = np.random.default_rng(2).permutation(60)
    tried = 0
    while tried < 60:
        some = order[: tried + 1]
        mix, there = Frequencies.of(pool).take(some), reference.take(snps=some)
        references, uppers = References.in_folds(there, 10), []
        both = [scored(mix, references, people, list(STATISTICS)) for people in (pool.take(snps=some), there)]
        for name in STATISTICS:
            mine, theirs = both[0][name].values[contest.members], both[1][name].values[contest.nulls - 80]
            scale = FAINT * max(np.abs(mine).max(), np.abs(theirs).max()) + 1e-300
            mine, theirs = mine + scale * lots[contest.members], theirs + scale * lots[contest.nulls]
            uppers.append(upper_power(mine, theirs, limit.fpr, limit.confidence))
        if max(uppers) > limit.power:
            break
        tried += 1
    assert 10 < tried < 50
    tally = Tally(contest, limit, lots)
    pieces = [order[first : first + piece] for first in range(0, 60, piece)]
    found = np.concatenate([tally.add(which, sides.calls(which)) for which in pieces])
    assert int(np.argmin(found)) == tried


def test_it_publishes_the_number_of_the_last_look_that_holds() -> None:
    """The next look fails; if none fails, all SNPs; and never more than a number that is given."""
    pool, reference, _ = parted(population(400, 600, seed=2), 200, 200)
    safe = SafeSNPs(0.3, reference=reference, rule="empirical")
    sides = Sides.of(pool, reference, None, apart=False, halves=True)
    ranked, tallies = sides.ranked(0.05, 0.05), safe._tallies(sides, KEY)
    order = ranked.candidates
    within = tallies[0].add(order, sides.calls(order))
    tried = np.flatnonzero(looks(len(order)))
    first = int(np.argmin(within[tried - 1]))
    assert first > 5
    last = int(tried[first - 1])
    found = safe._added(sides, order, None, safe._tallies(sides, KEY))
    assert (found.snps.tolist(), found.stopped_by) == (order[:last].tolist(), "power")
    whole = safe._added(sides, order[:last], None, safe._tallies(sides, KEY))
    assert (len(whole.snps), whole.stopped_by) == (last, "candidates")
    some = safe._added(sides, order, int(tried[first - 2]), safe._tallies(sides, KEY))
    assert (len(some.snps), some.stopped_by) == (int(tried[first - 2]), "number")


def test_the_closed_form_is_that_of_theory() -> None:
    reach = (NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.4)) ** 2
    pool, reference, _ = parted(population(300, 1200), 100, 150)
    assert SafeSNPs(0.4).protect(pool, []).details.allowed_snps == int(100 * reach)
    told = SafeSNPs(0.4, reference=reference, rule="closed-form").protect(pool, [])
    assert told.details.allowed_snps == int(100 * 250 / 150 * reach)
    assert told.data.rows == told.details.published == told.details.allowed_snps
    assert told.details.bound <= 0.4 < told.details.bound_known
    assert told.reproducible
    frequencies = SafeSNPs(0.4, reference=Frequencies.of(reference)).protect(pool, [])
    assert frequencies.details.allowed_snps == told.details.allowed_snps
    both = SafeSNPs(0.4, reference=reference).protect(pool, [], KEY)
    assert both.details.rule == "both"
    assert both.data.rows <= both.details.allowed_snps == int(100 * reach)
    assert both.details.bound_known <= 0.4


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.05, 0.2, 0.5]), st.booleans())
def test_no_two_published_snps_are_linked(seed: int, most: float, placed: bool) -> None:
    calls = linked_population(120, 40, seed)
    snps = sites(40, apart=100_000) if placed else Snps.numbered(40)
    pool = Genotypes.of(calls, snps=snps)
    found = SafeSNPs(0.9, ld=most, floor=0.05, window=1_000_000).protect(pool, [])
    r2 = np.corrcoef(calls[:, found.rows].T.astype(float)) ** 2
    np.fill_diagonal(r2, 0)
    if placed:
        where = snps.position[found.rows]
        assert (r2[np.abs(where[:, None] - where) <= 1_000_000] < most + 1e-5).all()
    else:
        assert (r2 < max(most, 15 / 120) + 1e-5).all()
    share = calls[:, found.rows].mean(axis=0) / 2
    assert (np.minimum(share, 1 - share) >= 0.05).all()
    left = found.details.candidates - found.details.linked - found.details.published
    assert left == 0 or found.details.stopped_by == "number"


def test_the_most_useful_snps_are_published_first() -> None:
    """By the reference, in which nobody in the pool has a say; without one, by lot."""
    calls = population(600, 400)
    pool, reference, _ = parted(calls, 300, 300)
    for known in (reference, Frequencies.of(reference)):
        found = SafeSNPs(0.1, reference=known, rule="closed-form").protect(pool, [])
        share = calls[300:].mean(axis=0) / 2
        rarer = np.minimum(share, 1 - share)
        assert found.data.rows < 300
        assert found.details.ranked_by == "reference"
        assert rarer[found.rows].min() >= np.delete(rarer, found.rows).max()
        assert found.rows.tolist() == sorted(found.rows)
    by_lot = SafeSNPs(0.1).protect(pool, [])
    assert by_lot.details.ranked_by == "lot"
    assert 0.2 < rarer[by_lot.rows].mean() < 0.35


def frame_of(calls: np.ndarray, names: list[str]) -> Any:
    return pa.table({"who": names} | {f"rs{i}": calls[:, i] for i in range(calls.shape[1])})


def opened(frame: Any) -> Genotypes:
    return Genotypes.from_frame(frame, subject="who")


def test_the_contract() -> None:
    calls = population(240, 60, low=0.2)
    names = [f"Longname-{i}" for i in range(240)]
    frame, reference = frame_of(calls[:120], names[:120]), frame_of(calls[120:], names[120:])
    safe = SafeSNPs(0.6, reference=reference, subject="who")
    check_mechanism(safe, opened, frame, [MinorFrequency(0.1)])
    judge = MembershipPower(0.6, pool=opened(frame), reference=opened(reference))
    check_mechanism(safe, opened, frame, [judge, SafeNumber(0.6)])
    check_mechanism(SafeSNPs(0.2), opened, frame, [SafeNumber(0.2)])
    check_mechanism(FrequencyFloor(0.1, decimals=2), opened, frame, [MinorFrequency(0.1)])
    check_mechanism(BeaconRelease(flip=0.5, carriers=30), opened, frame, [])
    assert safe.protect(opened(frame), [], KEY).reproducible
    assert not safe.protect(opened(frame), []).reproducible


def test_criteria_that_are_asked_for_hold_or_nothing_is_published() -> None:
    pool, reference, _ = parted(population(360, 500), 180, 180)
    must = [MembershipPower(0.25, pool=pool, reference=reference), MinorFrequency(0.2), SafeNumber(0.25)]
    found = SafeSNPs(0.5, reference=reference).protect(pool, must, KEY)
    assert all(not one.check(found.data).failed for one in must)
    assert found.details.shortened > 0, "the mechanism alone would allow more"
    with pytest.raises(Infeasible, match="safe-number"):
        SafeSNPs(0.5, reference=reference).protect(pool, [SafeNumber(0.0501)], KEY)


def phenotype_of(genotypes: Genotypes, snp: int, seed: int = 5) -> dict[str, int]:
    """Whoever has more of an allele is ill more often."""
    draw = np.random.default_rng(seed)
    calls = genotypes.array()[:, snp]
    return {p: int(draw.random() < (0.15, 0.5, 0.9)[c]) for p, c in zip(genotypes.persons, calls, strict=True)}


def test_snps_are_ranked_by_a_phenotype_and_cases_can_be_told_apart() -> None:
    pool, reference, _ = parted(population(1000, 300, low=0.2), 500, 500)
    ill = phenotype_of(pool, 17)
    found = SafeSNPs(0.5, reference=reference, phenotype=ill, publish="groups").protect(pool, [], KEY)
    assert 17 in found.rows
    assert found.data.case_people == sum(ill.values())
    assert {one.group for one in found.details.set_aside} == {"cases", "controls", "cases among controls"}
    assert all(one.power <= 0.5 + 2 * one.error for one in found.details.set_aside)
    measured = GWAS(ill, threshold=1e-6).score(pool, found.data)
    assert (measured.value, measured.details.hits) == (1.0, 1)
    unknown = {person: case for person, case in ill.items() if int(person.split("-")[1]) % 5}
    fewer = SafeSNPs(0.5, phenotype=unknown, publish="groups").protect(pool, [])
    assert fewer.data.people == 400
    cases = fewer.data.case_people
    assert cases is not None
    people = int(cases * (400 - cases) / 400)
    assert fewer.details.allowed_snps < people * NormalDist().inv_cdf(0.95) ** 2 / 2, "the choice counts"
    judged = SafeNumber(0.5).check(fewer.data)
    assert not judged.failed
    assert judged.details.people == people, "criterion and mechanism count the same people"
    whole = SafeSNPs(0.5, phenotype=unknown).protect(pool, [])
    assert whole.data.cases is None
    assert whole.data.people == 500


@pytest.mark.parametrize(("ill", "well", "missing"), [(40, 60, 0), (66, 176, 0), (50, 70, 3)])
def test_mechanism_criterion_and_frequencies_count_one_number_of_people(ill: int, well: int, missing: int) -> None:
    """N₁N₀/(N₁ + N₀) of 40 and 60 is 24, which a sum of reciprocals of floats misses."""
    calls = population(ill + well, 60, low=0.3)
    calls[:missing, 0] = -1
    pool = Genotypes.of(calls)
    cases = {person: int(i < ill) for i, person in enumerate(pool.persons)}
    released = SafeSNPs(0.9, phenotype=cases, publish="groups", ld=1.0).protect(pool, []).data
    plain = Frequencies.of(pool, cases=pool.persons[:ill])
    judged = SafeNumber(0.9, copies=0).check(released)
    left = ill - missing if 0 in [int(name.removeprefix("snp")) - 1 for name in released.snps.id] else ill
    assert judged.details.people == left * well // (left + well)
    assert released.selection is not None
    assert plain.selection is not None
    assert released.selection.called >= plain.selection.called == (ill - missing) * well // (ill - missing + well)


def test_telling_cases_from_controls_counts_as_recognising() -> None:
    """With a large reference of other people, cases and controls would be safe each, but not from each other."""
    pool, reference, _ = parted(population(700, 400), 200, 500)
    ill = {person: i % 2 for i, person in enumerate(pool.persons)}
    apart = SafeSNPs(0.6, reference=reference, phenotype=ill, publish="groups", rule="empirical", ld=1.0)
    sides = Sides.of(pool, reference, np.arange(200, dtype=np.int8) % 2, apart=True, halves=True)
    fits = []
    for contest in sides.contests(True):
        tally, order = (
            Tally(contest, apart.limit, np.random.default_rng(1).random(700)),
            sides.ranked(0.05, 0.05).candidates,
        )
        fits.append(int(np.argmin(tally.add(order, sides.calls(order)))))
    found = apart.protect(pool, [], KEY)
    assert fits[2] < min(fits[:2]), "cases among controls are recognised first"
    assert found.data.rows <= max(fits[2], 1) + 5


def test_people_of_the_reference_who_are_members_are_left_out() -> None:
    pool, reference, _ = parted(population(400, 100), 200, 200)
    both = Genotypes.of(
        np.concatenate([reference.array(), pool.array()[:50]]),
        persons=reference.persons + pool.persons[:50],
        snps=reference.snps,
    )
    found = SafeSNPs(0.5, reference=both).protect(pool, [], KEY)
    alone = SafeSNPs(0.5, reference=reference).protect(pool, [], KEY)
    assert (found.details.left_out, found.details.reference) == (50, 200)
    assert found.rows.tolist() == alone.rows.tolist()
    with pytest.raises(DataError, match="outside the pool"):
        SafeSNPs(0.5, reference=pool).protect(pool, [])


def test_missing_calls_and_snps_of_one_allele_are_left_out() -> None:
    calls = population(300, 60).astype(float)
    calls[:, 0] = 0
    calls[:, 1] = 2
    calls[:100, 2] = np.nan
    calls[::40, 3:] = np.nan
    pool, reference, _ = parted(calls, 150, 150)
    found = SafeSNPs(0.5, reference=reference, floor=0).protect(pool, [], KEY)
    assert not {0, 1, 2} & set(found.rows.tolist())
    assert found.details.candidates == 57
    known = SafeSNPs(0.3, floor=0).protect(pool, [])
    called = 150 - 4
    assert known.details.allowed_snps == int(called * (NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.3)) ** 2)


def test_snps_that_the_reference_lacks_or_counts_the_other_way_round() -> None:
    calls = population(400, 80)
    theirs = Snps.of(
        [f"x{i}" for i in range(40)], chromosome=["7"] * 40, position=1 + 2_000_000 * np.arange(39, -1, -1)
    )
    pool = Genotypes.of(calls[:200], snps=sites(80))
    reference = Genotypes.of(calls[200:, 39::-1], persons=[f"q{i}" for i in range(200)], snps=theirs)
    found = SafeSNPs(0.5, reference=reference).protect(pool, [], KEY)
    assert found.rows.max() < 40
    assert found.data.frequency.tolist() == (calls[:200, found.rows].mean(axis=0) / 2).tolist()
    nowhere = Genotypes.of(
        calls[200:, :1], persons=reference.persons, snps=Snps.of(["a"], chromosome=["3"], position=[5])
    )
    with pytest.raises(DataError, match="none of 1 SNP"):
        SafeSNPs(0.5, reference=nowhere).protect(pool, [])


def test_what_cannot_be_done_is_said() -> None:
    pool, reference, _ = parted(population(300, 50), 150, 150)
    one = pool.take(persons=[0])
    with pytest.raises(Infeasible, match="the closed form needs 10"):
        SafeSNPs(0.5).protect(one, [])
    with pytest.raises(Infeasible):
        SafeSNPs(0.5, reference=reference, rule="empirical").protect(one, [], KEY)
    with pytest.raises(Infeasible, match="too few people"):
        SafeSNPs(0.2, reference=reference.take(persons=slice(0, 2)), rule="empirical").protect(pool, [], KEY)
    with pytest.raises(Infeasible, match="not one SNP"):
        SafeSNPs(0.06, reference=reference, rule="empirical").protect(pool, [], KEY)
    with pytest.raises(PolicyError, match="closed-form"):
        SafeSNPs(0.5, rule="empirical").protect(pool, [])
    with pytest.raises(PolicyError, match="closed-form"):
        SafeSNPs(0.5, reference=Frequencies.of(reference), rule="both").protect(pool, [])
    with pytest.raises(Infeasible, match="two alleles"):
        SafeSNPs(0.5).protect(Genotypes.of(np.zeros((40, 3))), [])
    with pytest.raises(Infeasible):
        SafeSNPs(0.5).protect(Genotypes.of(np.zeros((0, 3))), [])
    with pytest.raises(DataError, match="case"):
        SafeSNPs(0.5, phenotype={"nobody": 1}).protect(pool, [])
    for wrong in (
        {"max_power": 0.05},
        {"max_power": 1.0},
        {"confidence": 1.0},
        {"floor": 0.6},
        {"publish": "groups"},
        {"rule": "none"},
    ):
        with pytest.raises(ValueError, match=r"must|is|needs"):
            SafeSNPs(**({"max_power": 0.5} | wrong))
    with pytest.raises(PolicyError, match="published"):
        SafeSNPs(0.5).protect(Genotypes(pool.packed, pool.persons, pool.snps, published=True), [])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_floor_is_kept_exactly(data: Any) -> None:
    people = data.draw(st.integers(1, 30))
    snps = data.draw(st.integers(1, 12))
    cells = st.sampled_from([-1, 0, 0, 0, 1, 2, 2])
    calls = np.array(
        data.draw(st.lists(st.lists(cells, min_size=snps, max_size=snps), min_size=people, max_size=people))
    )
    floor = data.draw(st.sampled_from([0.01, 0.05, 0.1, 0.25, 0.5, 1 / 3]))
    decimals = data.draw(st.sampled_from([None, 1, 2]))
    mechanism = FrequencyFloor(floor, decimals, missing=0.9)
    expected = []
    for column in calls.T:
        called = column[column >= 0]
        if len(called) < 0.1 * people or not len(called):
            continue
        share = Fraction(int(called.sum()), 2 * len(called))
        shown = share if decimals is None else Fraction(str(np.round(float(share), decimals)))
        if min(share, 1 - share, shown, 1 - shown) >= Fraction(str(floor)):
            expected.append(float(shown))
    if not expected or people < 10:  # of fewer people a floor decides nothing
        with pytest.raises(Infeasible):
            mechanism.protect(Genotypes.of(calls), [])
        return
    found = mechanism.protect(Genotypes.of(calls), [MinorFrequency(floor)])
    assert found.data.frequency.tolist() == expected
    assert found.data.decimals == decimals


def test_rounding_hardly_hides_members() -> None:
    """As its page says: two of three are recognised, of frequencies as counted and as rounded."""
    pool, reference, strangers = parted(population(600, 1000), 100, 100)
    found = []
    for decimals in (None, 2):
        told = FrequencyFloor(0.05, decimals=decimals).protect(pool, [])
        found.append(worst_power(told.data, told.rows, pool.array(), strangers.array(), reference).value)
    assert min(found) > 0.6
    assert abs(found[0] - found[1]) < 0.05


def test_how_far_one_person_moves_the_counts() -> None:
    """Every pair of records, with and without missing calls: 2 at each SNP at most, and no less than 2 by some."""
    mechanism = NoisyFrequencies(1.0)
    prior = Frequencies.of_arrays([0.9, 0.1], people=1000)
    for filled in (mechanism, NoisyFrequencies(1.0, prior=prior)):
        counts = [filled._counts(Genotypes.of([[1, 2], list(one)]))[0] for one in product([-1, 0, 1, 2], repeat=2)]
        moved = [np.abs(one - other) for one in counts for other in counts]
        assert max(int(step.max()) for step in moved) == 2
        assert max(int(step.sum()) for step in moved) == 4
    assert mechanism._counts(Genotypes.of([[-1, 0], [-1, 2]]))[0].tolist() == [2, 2]
    assert NoisyFrequencies(1.0, prior=prior)._counts(Genotypes.of([[-1, -1], [-1, 2]]))[0].tolist() == [4, 2]


def test_the_noise_is_as_large_as_the_budget_says() -> None:
    people = Genotypes.of(np.ones((20_000, 100), dtype=np.int8))
    plain = NoisyFrequencies(2.0).protect(people, [])
    assert (plain.details.epsilon, plain.details.delta) == (2.0, 0.0)
    assert (plain.details.sensitivity, plain.details.scale) == (200.0, 100.0)
    normal = NoisyFrequencies(2.0, delta=1e-6).protect(people, [])
    assert normal.details.epsilon <= 2.0
    assert normal.details.delta <= 1e-6
    assert normal.details.sensitivity == pytest.approx(20)
    # zero-concentrated privacy ρ = Δ²/2σ² costs at most ρ + 2√(ρ ln 1/δ)
    rho = normal.details.sensitivity**2 / (2 * normal.details.scale**2)
    assert rho + 2 * np.sqrt(rho * np.log(1e6)) == pytest.approx(2.0, rel=0.2)
    assert normal.details.typical_error < plain.details.typical_error
    for found in (plain, normal):
        assert np.abs(found.data.frequency - 0.5).max() < 25 * found.details.typical_error
        assert not found.reproducible
        assert found.data.published
        assert found.details.dictionary["frequency"]["falsified"]


@pytest.mark.parametrize(("delta", "spread"), [(None, np.sqrt(2)), (1e-6, 1.0)])
def test_the_noise_has_no_mean_and_the_spread_that_is_told(delta: float | None, spread: float) -> None:
    """Noise is fresh by nature: seven standard errors leave nothing to chance."""
    noise, _, scale, _ = NoisyFrequencies(40.0, delta=delta)._noisy(np.zeros(20_000, dtype=np.int64))
    assert abs(noise.mean()) < 7 * spread * scale / np.sqrt(20_000)
    assert abs(np.sqrt(np.mean(noise**2.0)) / (spread * scale) - 1) < 0.06 + 0.05 / scale


def test_releases_of_neighbours_are_about_as_likely() -> None:
    """Twenty thousand noisy counts of each of two neighbours: no tail is more than e^ε times as likely as the other."""
    epsilon, draws = 1.0, 20_000
    # Each of many SNPs has the noise of one alone, if the budget is that much larger.
    mechanism = NoisyFrequencies(epsilon * draws)
    one, other = (mechanism._noisy(np.full(draws, count, dtype=np.int64))[0] for count in (10, 12))
    for cut in range(5, 18):
        for p, q in (((one <= cut).mean(), (other <= cut).mean()), ((other > cut).mean(), (one > cut).mean())):
            error = np.sqrt((p + np.exp(2 * epsilon) * q) / draws)
            assert p <= np.exp(epsilon) * q + 6 * error
            assert q <= p + 6 * error


def test_noise_that_promises_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    people = Genotypes.of(population(50, 5))
    with pytest.raises(Infeasible, match="delta"):
        NoisyFrequencies(1.0, delta=0.03).protect(people, [])
    for wrong in (
        {"epsilon": 0},
        {"epsilon": float("inf")},
        {"epsilon": 1, "delta": 0},
        {"epsilon": 60, "delta": 1e-9},
        {"epsilon": 1, "decimals": 0},
    ):
        with pytest.raises(ValueError, match="must be"):
            NoisyFrequencies(**wrong)
    assert NoisyFrequencies(1.0, decimals=1).protect(people, []).data.decimals == 1
    with pytest.raises(Infeasible, match="minor-frequency"):
        NoisyFrequencies(0.01).protect(people, [MinorFrequency(0.5)])
    with pytest.raises(DataError, match="choose an epsilon"):
        NoisyFrequencies(5e-324).protect(people, [])
    odd = NoisyFrequencies(0.001, delta=0.01).protect(people, [])
    assert odd.details.epsilon <= 0.001
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    monkeypatch.setitem(sys.modules, "opendp.mod", None)
    with pytest.raises(DataError, match="sharewell\\[genomes\\]"):
        NoisyFrequencies(1.0).protect(people, [])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_beacon_denies_what_few_carry_and_invents_nothing(data: Any) -> None:
    people, snps = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 12))
    cells = st.sampled_from([-1, 0, 0, 0, 1, 2])
    calls = np.array(
        data.draw(st.lists(st.lists(cells, min_size=snps, max_size=snps), min_size=people, max_size=people))
    )
    few, floor = data.draw(st.integers(0, 3)), data.draw(st.sampled_from([0.0, 0.1, 0.3]))
    genotypes = Genotypes.of(calls, snps=sites(snps))
    found = BeaconRelease(carriers=few, floor=floor).protect(genotypes, [], KEY)
    for i, column in enumerate(calls.T):
        called = column[column >= 0]
        share = Fraction(int(called.sum()), max(1, 2 * len(called)))
        assert found.data.answers[i] == ((column > 0).sum() > few and share > 0 and share >= Fraction(str(floor)))
    true = BeaconAnswers.of(genotypes).answers
    assert found.details.denied == (true & ~found.data.answers).sum()
    half = BeaconRelease(flip=0.5, carriers=few).protect(genotypes, [], KEY).data.answers
    assert (found.data.answers <= half).all()
    assert (half <= true).all()


def test_a_beacon_answers_the_same_however_it_is_asked() -> None:
    """Another panel, another order, more people who carry nothing: the flipped alleles stay the same."""
    calls = (np.random.default_rng(1).random((50, 300)) < 0.02).astype(np.int8)
    genotypes = Genotypes.of(calls, snps=sites(300))
    mechanism = BeaconRelease(flip=0.5, carriers=2)
    whole = mechanism.protect(genotypes, [], KEY).data.answers
    some = np.random.default_rng(2).permutation(300)[:100]
    assert mechanism.protect(genotypes.take(snps=some), [], KEY).data.answers.tolist() == whole[some].tolist()
    longer = Genotypes.of(np.concatenate([calls, np.zeros((5, 300))]), snps=sites(300))
    assert mechanism.protect(longer, [], KEY).data.answers.tolist() == whole.tolist()
    true = BeaconAnswers.of(genotypes).answers
    few = true & ((calls > 0).sum(axis=0) <= 2)
    assert 0.3 < (few & ~whole).sum() / few.sum() < 0.7
    other = mechanism.protect(genotypes, [], Key(b"another key of enough bytes.....")).data.answers
    assert (other != whole).any()
    assert not mechanism.protect(genotypes, []).reproducible
    assert BeaconRelease().protect(genotypes, []).reproducible
    with pytest.raises(Infeasible, match="one person"):
        BeaconRelease().protect(genotypes.take(persons=[0]), [])
    for wrong in ({"flip": 2}, {"carriers": -1}, {"floor": 3}):
        with pytest.raises(ValueError, match=r"flip|carriers|floor"):
            BeaconRelease(**wrong)


def test_flipped_answers_protect_from_the_beacon_attack() -> None:
    draw = np.random.default_rng(1)
    f = np.exp(draw.uniform(np.log(0.001), np.log(0.5), 3000))
    people = Genotypes.of(draw.binomial(2, f, (120, 3000)), snps=sites(3000))
    inside, known = people.take(persons=slice(0, 40)), Frequencies.of_arrays(f, people=10**6, snps=people.snps)
    attack = Beacon(known, people, queries=(10,))
    plain = attack.mount(BeaconAnswers.of(inside), truth=inside.persons).value
    flipped = attack.mount(BeaconRelease(carriers=2).protect(inside, []).data, truth=inside.persons).value
    assert plain > 0.9
    assert flipped < plain / 2
