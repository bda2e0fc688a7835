"""Relatives: the estimator by its own formula, families that are found, and strangers who are not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.genomes import Frequencies, Genotypes, Kinship
from sharewell.genomes.attacks import kinship
from sharewell.genomes.attacks.kinship import coefficients

Calls = list[list[int]]


def plain(one: list[int], two: list[int]) -> float:
    """Manichaikul and others, 2010, equation 11, one SNP after the other."""
    both = [(a, b) for a, b in zip(one, two, strict=True) if a >= 0 and b >= 0]
    mine, theirs = sum(a == 1 for a, _ in both), sum(b == 1 for _, b in both)
    fewer = min(mine, theirs)
    if not fewer:
        return float("nan")
    shared = sum(a == b == 1 for a, b in both)
    opposite = sum({a, b} == {0, 2} for a, b in both)
    return (shared - 2 * opposite) / (2 * fewer) + 0.5 - (mine + theirs) / (4 * fewer)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(-1, 2), min_size=8, max_size=8), min_size=2, max_size=4))
def test_the_coefficient_is_that_of_the_formula(people: Calls) -> None:
    found = coefficients(np.array(people, dtype=np.int8).T)
    for i, one in enumerate(people):
        for j, two in enumerate(people):
            assert found[i, j] == pytest.approx(plain(one, two), nan_ok=True)


def family(snps: int) -> Genotypes:
    """Two couples' founders, two siblings, a child of each; and forty strangers."""
    draw = np.random.default_rng(5)
    frequency = draw.uniform(0.2, 0.5, snps)

    def founder() -> tuple[np.ndarray, np.ndarray]:
        return tuple((draw.random(snps) < frequency).astype(np.int8) for _ in range(2))  # type: ignore[return-value]

    def child(mother: tuple[np.ndarray, ...], father: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        return tuple(np.where(draw.random(snps) < 0.5, *parent) for parent in (mother, father))

    a, b, c, d = (founder() for _ in range(4))
    first, second = child(a, b), child(a, b)
    people = [a, b, c, d, first, second, child(first, c), child(second, d), *(founder() for _ in range(40))]
    return Genotypes.of(np.array([one + two for one, two in people]))


def test_a_family_is_found_degree_by_degree() -> None:
    found = Kinship().mount(family(16_000))
    told = found.details
    assert (told.same, told.first, told.second, told.third) == (0, 9, 6, 1)
    assert found.value == 16
    assert told.relatives == 8
    assert "before release" in found.note


def test_degrees_that_few_snps_cannot_tell_are_left_open() -> None:
    told = Kinship(snps=1_500).mount(family(16_000)).details
    assert told.snps == 1_500
    assert (told.same, told.first) == (0, 9)
    assert told.third is None
    assert Kinship().mount(family(40)).value is None


def test_strangers_are_no_relatives_and_tiles_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = family(3_000)
    whole = Kinship().mount(data)
    assert Kinship().mount(data.take(persons=slice(8, None))).value == 0
    monkeypatch.setattr(kinship, "TILE", 5)
    assert Kinship().mount(data) == whole


def test_two_populations_do_not_make_relatives() -> None:
    """What misleads estimators that use frequencies."""
    draw = np.random.default_rng(2)
    groups = [draw.binomial(2, draw.uniform(0.05, 0.5, 6_000), (25, 6_000)) for _ in range(2)]
    assert Kinship().mount(Genotypes.of(np.vstack(groups))).value == 0


def test_the_standard_error_is_not_too_small() -> None:
    draw = np.random.default_rng(3)
    for low, high in ((0.1, 0.11), (0.3, 0.31), (0.05, 0.5)):
        calls = draw.binomial(2, draw.uniform(low, high, 1_000), (120, 1_000)).astype(np.int8).T
        found = coefficients(calls)[np.triu_indices(120, 1)]
        assert found.std() <= kinship._error(calls) * 1.05


def linked(people: int, blocks: int, seed: int) -> np.ndarray:
    """Strangers whose SNPs are inherited in stretches of forty, of which there are eight sorts each."""
    draw = np.random.default_rng(seed)
    stretches = []
    for _ in range(blocks):
        sorts = (draw.random((8, 40)) < draw.uniform(0.2, 0.5, 40)).astype(np.int8)
        stretches.append(sum(sorts[draw.integers(0, 8, people)] for _ in range(2)))
    return np.hstack(stretches)


@pytest.mark.parametrize("seed", range(5))
def test_linked_snps_of_unknown_places_make_no_relatives_of_strangers(seed: int) -> None:
    """Degrees that the linked SNPs cannot tell are undecided; those that they can are right."""
    calls = linked(150, 150, seed)
    found = Kinship().mount(Genotypes.of(calls))
    assert found.value in (0, None)
    assert found.details.third is None, "counted as unlinked, so many SNPs would seem to tell it"
    assert kinship._error(calls.T) * kinship.ERRORS < kinship.LIMITS["second"]
    calls[1] = calls[0]
    assert Kinship().mount(Genotypes.of(calls)).details.same == 1


def test_odd_input() -> None:
    data = Genotypes.of([[0, 1]])
    assert Kinship().mount(data).value is None
    assert Kinship().mount(Genotypes.of(np.zeros((3, 0)))).value is None
    assert Kinship().mount(Genotypes.of([[0, 2], [2, 0]])).value is None
    with pytest.raises(PolicyError, match="before release"):
        Kinship().mount(Frequencies.of(data))  # type: ignore[arg-type]
    for bad in ({"snps": 0}, {"people": 1}):
        with pytest.raises(ValueError, match="must be at least"):
            Kinship(**bad)
