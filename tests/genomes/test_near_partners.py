"""Whoever is not named as a partner is beyond the limits, and few pairs are looked at."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_sequences import apart, descended, texts

from sharewell.genomes import Sequences
from sharewell.genomes.engine.iupac_lattice import GAPS
from sharewell.genomes.engine.protection import near_partners, shared_stretches
from sharewell.genomes.engine.protection.bit_distances import BitDistances
from sharewell.genomes.engine.protection.near_partners import NearPartners


@given(
    rows=texts,
    gap=st.sampled_from(GAPS),
    few=st.integers(1, 3),
    crowd=st.sampled_from([1, 256]),
    shared=st.sampled_from([0, 1, 200]),
    seed=st.integers(0, 9),
)
@settings(max_examples=120, deadline=None)
def test_whoever_is_not_named_is_beyond_the_limits(
    rows: list[str], gap: Any, few: int, crowd: int, shared: int, seed: int
) -> None:
    codes = Sequences.of(sorted(rows)).codes
    distances = 2 * apart(codes, gap)
    known: list[set[int]] = [set() for _ in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_partners, "CROWD", crowd)
        patch.setattr(shared_stretches, "PAIRS", shared)
        partners = NearPartners(codes, gap)
        first = partners.first().tolist()
    assert len({(one, other) for one, other, _ in first}) == len(first)

    def told(one: int, other: int, far: int) -> None:
        assert far == distances[one, other]
        known[one].add(other)
        known[other].add(one)

    for row in first:
        told(*row)
    assert all(known)
    for i, j in itertools.combinations(range(len(rows)), 2):
        assert j in known[i] or distances[i, j] >= partners.limit[i] + partners.limit[j]
    draw = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_partners, "FEW", few)
        for one in draw.integers(0, len(rows), 30).tolist():
            before = int(partners.limit[one])
            more = partners.further(one, known[one], np.arange(len(rows)))
            assert more[0] or partners.limit[one] > before
            for other, far in zip(*more, strict=True):
                told(one, other, far)
            for i, j in itertools.combinations(range(len(rows)), 2):
                assert j in known[i] or distances[i, j] >= partners.limit[i] + partners.limit[j]


def test_they_look_at_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer than half of all distances between 6,000 sequences are computed."""
    compared = []
    plain = BitDistances._differing

    def counted(self: BitDistances, some: Any, others: Any) -> Any:
        found = plain(self, some, others)
        compared.append(found.size)
        return found

    monkeypatch.setattr(BitDistances, "_differing", counted)
    partners = NearPartners(descended(6_000, 300, 1.2, 1, symbols=4), "leaf")
    assert len(np.unique(partners.first()[:, :2])) == 6_000
    assert sum(compared) < 6_000**2 // 4
