"""What published frequencies must keep, and what they cost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, PolicyError
from sharewell.genomes import (
    GWAS,
    BeaconAnswers,
    Frequencies,
    FrequencyError,
    FrequencyFloor,
    Genotypes,
    LDError,
    MinorFrequency,
    Snps,
)
from sharewell.genomes.engine.association import chi_square, counted, critical
from sharewell.genomes.engine.ld import Unlinked, r_squared, standardised
from sharewell.genomes.engine.phenotypes import groups
from sharewell.testing import check_criterion, check_finding, check_measure


def people(rows: int, snps: int, seed: int = 1, missing: float = 0.0) -> np.ndarray:
    draw = np.random.default_rng(seed)
    calls = draw.binomial(2, draw.uniform(0.1, 0.5, snps), (rows, snps)).astype(np.int8)
    calls[draw.random(calls.shape) < missing] = -1
    return calls


def frame_of(frequency: list[float]) -> Any:
    return pa.table({"id": [f"rs{i}" for i in range(len(frequency))], "frequency": frequency})


def opened(frame: Any) -> Frequencies:
    return Frequencies.of_arrays(frame["frequency"].to_numpy(), people=20, snps=Snps.of(frame["id"].to_pylist()))


def test_the_contract_of_the_criterion() -> None:
    check_criterion(MinorFrequency(0.1), opened, frame_of([0.1, 0.5, 0.9]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), min_size=1, max_size=8), st.integers(1, 50))
def test_the_floor_is_judged_exactly(counts: list[tuple[int, int]], percent: int) -> None:
    """Alleles of called people, whatever their floats: the least share of a rarer allele, as a fraction."""
    shares = [Fraction(min(alleles, 2 * called), 2 * called) for alleles, called in counts]
    least = min(min(share, 1 - share) for share in shares)
    data = Frequencies.of_arrays([float(share) for share in shares], people=30)
    finding = MinorFrequency(percent / 100).check(data)
    assert finding.value == least
    assert finding.ok == (least >= Fraction(percent, 100))
    turned = MinorFrequency(percent / 100).check(replace(data, frequency=1 - data.frequency))
    assert turned.ok == finding.ok


def test_every_group_must_keep_the_floor() -> None:
    told = {"cases": np.array([0.5, 0.02]), "controls": np.array([0.1, 0.4]), "case_people": 50}
    data = Frequencies.of_arrays([0.3, 0.2], people=100, **told)
    finding = MinorFrequency(0.05).check(data)
    assert (finding.ok, finding.value, finding.details.below) == (False, Fraction(1, 50), 1)
    assert finding.details.alleles == 5
    assert MinorFrequency(0.05).check(data.take([0])).ok


def test_what_is_not_told_is_undecided() -> None:
    data = Frequencies.of_arrays([0.5, np.nan], people=10)
    assert MinorFrequency(0.1).check(data).ok is None
    assert MinorFrequency(0.1).check(data).failed
    assert MinorFrequency(0.1).check(data.take([])).failed
    rounded = Frequencies.of_arrays([0.1], people=13, decimals=1)
    assert MinorFrequency(0.1).check(rounded).ok
    assert MinorFrequency(0.1).check(Frequencies.of_arrays([0.5], people=9)).ok is None
    with pytest.raises(PolicyError, match="frequencies"):
        MinorFrequency(0.1).check(BeaconAnswers.of(Genotypes.of([[1]])))  # type: ignore[arg-type]
    for wrong in (0, -1, 0.6):
        with pytest.raises(ValueError, match="floor"):
            MinorFrequency(wrong)


def test_the_error_of_frequencies() -> None:
    """Against a plain loop; the release counts the other allele of one SNP, lacks another and has one more."""
    calls = people(50, 4, missing=0.1)
    snps = Snps.of(list("abcd"), chromosome=["1"] * 4, position=[1, 2, 3, 4], effect=list("AAAA"), other=list("CCCC"))
    before = Genotypes.of(calls, snps=snps)
    true = [np.mean(column[column >= 0]) / 2 for column in calls.T]
    there = Snps.of(list("xyzw"), chromosome=["1"] * 4, position=[4, 1, 2, 9], effect=list("ACAA"), other=list("CACC"))
    after = Frequencies(there, np.array([0.3, 0.7, 0.2, 0.9]), 50, published=True)
    errors = [abs(true[3] - 0.3), abs(true[0] - 0.3), abs(true[1] - 0.2)]
    finding = FrequencyError().score(before, after)
    assert finding.value == pytest.approx(np.mean(errors))
    assert finding.details.largest == pytest.approx(max(errors))
    assert finding.details.root_mean_square == pytest.approx(np.sqrt(np.mean(np.square(errors))))
    assert finding.details.published == 0.75
    assert FrequencyError().score(before, Frequencies.of(before)).value == 0
    nothing = FrequencyError().score(before, Frequencies(Snps.of(["q"]), [0.5], 50))
    assert nothing.value is None
    unknown = replace(after, frequency=np.full(4, np.nan))
    assert FrequencyError().score(before, unknown).value is None
    with pytest.raises(PolicyError, match="frequencies"):
        FrequencyError().score(before, before)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000), st.floats(0, 0.3))
def test_association_by_hand(seed: int, missing: float) -> None:
    """Alleles as a two-by-two table; the trend as the squared correlation of alleles and disease, times people."""
    calls = people(40, 6, seed, missing)
    calls[:, 0] = 1 if seed % 2 else 0
    told = np.random.default_rng(seed).integers(-1, 2, 40).astype(np.int8)
    both = counted(Genotypes.of(calls), told)
    allelic, trend = chi_square(*both, "allelic"), chi_square(*both, "trend")
    for i, column in enumerate(calls.T):
        ours = (column >= 0) & (told >= 0)
        g, ill = column[ours].astype(float), told[ours].astype(float)
        if len(set(ill)) < 2:
            assert np.isnan(allelic[i])
            assert np.isnan(trend[i])
            continue
        table = np.array([[g[ill == k].sum(), (2 - g[ill == k]).sum()] for k in (1, 0)])
        expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
        if (expected > 0).all():
            assert allelic[i] == pytest.approx(((table - expected) ** 2 / expected).sum(), abs=1e-9)
        else:
            assert np.isnan(allelic[i])
        if len(set(g)) > 1:
            assert trend[i] == pytest.approx(len(g) * np.corrcoef(g, ill)[0, 1] ** 2, abs=1e-9)
        else:
            assert np.isnan(trend[i])


def test_critical_values_are_those_of_chi_square() -> None:
    from scipy.stats import chi2

    for p in (0.5, 0.05, 1e-4, 5e-8, 1e-30):
        assert critical(p) == pytest.approx(chi2.isf(p, 1), rel=1e-9)


def study(seed: int = 3) -> tuple[Genotypes, dict[str, int]]:
    calls = people(600, 40, seed)
    draw = np.random.default_rng(seed)
    ill = (draw.random(600) < np.array([0.2, 0.5, 0.8])[calls[:, 5]]).astype(int)
    data = Genotypes.of(calls)
    return data, dict(zip(data.persons, ill.tolist(), strict=True))


def test_which_hits_survive() -> None:
    data, ill = study()
    measure = GWAS(ill, threshold=1e-6)
    assert measure.hits(data) == ("snp6",)
    told = Frequencies.of(data, cases=[person for person, case in ill.items() if case])
    whole = measure.score(data, told)
    assert (whole.value, whole.details.surviving, whole.details.new) == (1.0, 1, 0)
    assert whole.details.error == pytest.approx(0, abs=1e-9)
    assert measure.surviving(data, told) == ("snp6",)
    without = measure.score(data, told.take([0, 1]))
    assert (without.value, without.details.unpublished, without.details.lost) == (0.0, 1, 0)
    blurred = measure.score(data, replace(told, cases=told.cases.round(0), controls=told.controls.round(0)))
    assert blurred.details.lost + blurred.details.surviving == 1
    pooled = measure.score(data, Frequencies.of(data))
    assert pooled.value == 1.0
    assert "not published separately" in pooled.note
    assert measure.surviving(data, Frequencies.of(data).take([0])) == ()
    same = GWAS(ill, test="trend", threshold=1e-6).score(data, data.take(snps=slice(0, 10)))
    assert (same.value, same.details.published, same.details.error) == (1.0, 10, 0.0)
    assert GWAS(ill, threshold=1e-200).score(data, told).value is None
    nothing = measure.score(data, Frequencies(Snps.of(["q"]), [0.5], 600))
    assert (nothing.value, nothing.details.published) == (0.0, 0)
    check_finding(whole, pa.table({"who": data.persons}))


def test_phenotypes_are_read_from_files_and_frames(tmp_path: Any) -> None:
    frame = pa.table({"person": ["a", "b", "c", "d"], "case": ["yes", "0", None, "Case"]})
    assert groups(frame, ["d", "c", "b", "x", "a"]).tolist() == [1, -1, 0, -1, 1]
    file = tmp_path / "cases.csv"
    file.write_text("person,case\na,1\nb,0\n")
    assert groups(file, ["a", "b"]).tolist() == [1, 0]
    with pytest.raises(DataError, match="neither yes nor no") as told:
        groups({"a": "sick-as-a-dog", "b": 0}, ["a", "b"])
    assert "sick" not in str(told.value)
    with pytest.raises(DataError, match="both are needed"):
        groups({"a": 1}, ["a", "b"])
    with pytest.raises(DataError, match="once"):
        groups(pa.table({"person": ["a", "a"], "case": [1, 0]}), ["a"])
    for wrong in ({"test": "exact"}, {"threshold": 0}):
        with pytest.raises(ValueError, match="must be"):
            GWAS({}, **wrong)
    with pytest.raises(PolicyError, match="genotypes"):
        GWAS({}).score(Frequencies.of_arrays([0.5], people=3), None)  # type: ignore[arg-type]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 100_000))
def test_r_squared_is_the_squared_correlation(seed: int) -> None:
    calls = people(30, 5, seed)
    rows = standardised(calls.T)
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = np.nan_to_num(np.corrcoef(calls.T.astype(float)) ** 2)
    assert r_squared(rows, rows) == pytest.approx(plain, abs=1e-4)


def test_groups_of_other_frequencies_do_not_look_linked() -> None:
    draw = np.random.default_rng(1)
    one, other = draw.binomial(2, 0.1, (2, 3000)), draw.binomial(2, 0.9, (2, 3000))
    together = standardised(np.concatenate([one, other], axis=1).astype(np.int8))
    apart = standardised(one.astype(np.int8), other.astype(np.int8))
    assert r_squared(together, together)[0, 1] > 0.5
    assert r_squared(apart, apart)[0, 1] < 0.01


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 30), st.booleans())
def test_unlinked_snps_are_those_of_a_plain_loop(seed: int, piece: int, placed: bool) -> None:
    draw = np.random.default_rng(seed)
    calls = people(200, 30, seed)
    calls[:, 10:20] = np.where(draw.random((200, 10)) < 0.7, calls[:, :10], calls[:, 10:20])
    where = draw.integers(1, 40, 30)
    snps = Snps.of(range(30), chromosome=draw.integers(1, 3, 30), position=where) if placed else Snps.numbered(30)
    order, most = draw.permutation(30), 0.2
    rows = standardised(calls.T)
    r2 = r_squared(rows, rows)
    kept: list[int] = []
    for i in order:
        near = [j for j in kept if not placed or (snps.chromosome[i] == snps.chromosome[j])]
        near = [j for j in near if not placed or abs(where[i] - where[j]) <= 10]
        if all(r2[i, j] < most for j in near):
            kept.append(int(i))
    unlinked = Unlinked(snps, most, 10, people=200)
    found = []
    for first in range(0, 30, piece):
        some = order[first : first + piece]
        found += some[unlinked.take(some, rows[some])].tolist()
    assert found == kept


def test_linkage_that_is_lost() -> None:
    """Against plain loops, with more SNPs than a block holds, two chromosomes, and SNPs in no order."""
    draw = np.random.default_rng(1)
    calls = people(60, 330)
    calls[:, 1::3] = calls[:, ::3]
    places = draw.permutation(330)
    snps = Snps.of(range(330), chromosome=["1", "2"] * 165, position=1 + places)
    before = Genotypes.of(calls, snps=snps)
    order = sorted(range(330), key=lambda i: (snps.chromosome[i], snps.position[i]))
    rank = {snp: i for i, snp in enumerate(order)}
    r2 = np.nan_to_num(np.corrcoef(calls.T.astype(float)) ** 2)

    def near(i: int, j: int) -> bool:
        return i != j and snps.chromosome[i] == snps.chromosome[j] and abs(rank[i] - rank[j]) <= 4

    kept = sorted(draw.permutation(330)[:100].tolist())
    best = [max([float(i in kept), *(r2[i, j] for j in kept if near(i, j))]) for i in range(330)]
    finding = LDError(neighbours=4).score(before, Frequencies.of(before).take(kept))
    assert finding.value == pytest.approx(1 - np.mean(best), abs=1e-4)
    assert finding.details.tagged == pytest.approx(np.mean(np.array(best) >= 0.8 - 1e-6))
    assert finding.details.published == 100
    changed = np.where(draw.random(calls.shape) < 0.2, 0, calls).astype(np.int8)
    after = np.nan_to_num(np.corrcoef(changed.T.astype(float)) ** 2)
    pairs = [(i, j) for i in range(330) for j in range(i) if near(i, j)]
    finding = LDError(neighbours=4).score(before, Genotypes.of(changed, snps=snps))
    assert finding.details.pairs == len(pairs)
    assert finding.value == pytest.approx(np.mean([abs(r2[p] - after[p]) for p in pairs]), abs=1e-4)
    assert LDError().score(before, before).value == pytest.approx(0, abs=1e-9)


def test_linkage_of_nothing() -> None:
    one = Genotypes.of([[1], [0]])
    assert LDError().score(one, one).value is None
    assert LDError().score(one, Frequencies.of(one)).value == 0
    assert LDError().score(one, Frequencies(Snps.of(["q"]), [0.5], 2)).value == 1
    assert LDError().score(one, Genotypes.of([[1]], snps=["q"])).value is None
    assert LDError().score(Genotypes.of(np.zeros((3, 0))), one).value is None
    constant = Genotypes.of([[0, 2], [0, 2]])
    assert LDError().score(constant, Frequencies.of(constant).take([0])).value == 0.5
    for wrong in ({"neighbours": 0}, {"tagged": 0}):
        with pytest.raises(ValueError, match=r"neighbours|tagged"):
            LDError(**wrong)
    with pytest.raises(PolicyError, match="genotypes"):
        LDError().score(Frequencies.of(one), one)  # type: ignore[arg-type]


def test_the_contract_of_the_measures() -> None:
    calls = people(60, 8)
    names = [f"Longname-{i}" for i in range(60)]
    frame = pa.table({"who": names} | {f"rs{i}": calls[:, i] for i in range(8)})

    def open(frame: Any) -> Genotypes:
        return Genotypes.from_frame(frame, subject="who")

    released = FrequencyFloor(0.1, decimals=1).protect(open(frame), []).data
    ill = {name: i % 2 for i, name in enumerate(names)}
    for measure in (FrequencyError(), LDError(), GWAS(ill, threshold=0.5)):
        check_measure(measure, open, frame, released)
