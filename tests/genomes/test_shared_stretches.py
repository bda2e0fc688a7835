"""Sequences that differ in few places are found by what they share."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_sequences import apart, texts

from sharewell.genomes import Sequences
from sharewell.genomes.engine.iupac_lattice import GAPS
from sharewell.genomes.engine.protection import shared_stretches
from sharewell.genomes.engine.protection.bit_distances import least_distance


@given(rows=texts, gap=st.sampled_from(GAPS), differences=st.sampled_from([(3, 2, 1), (2, 1), (1,), ()]))
@settings(max_examples=80, deadline=None)
def test_stretches_find_all_that_differ_in_few_places(rows: list[str], gap: Any, differences: tuple[int, ...]) -> None:
    codes = Sequences.of(rows).codes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_stretches, "DIFFERENCES", differences)
        one, other, places = shared_stretches.on_shared_stretches(codes)
    assert places == (differences[0] + 1 if differences else 0)
    found = {frozenset(pair) for pair in zip(one.tolist(), other.tolist(), strict=True)}
    distances = apart(codes, gap)
    for i, j in itertools.combinations(range(len(rows)), 2):
        differing = int((codes[i] != codes[j]).sum())
        assert frozenset((i, j)) in found or differing >= places
        assert distances[i, j] >= differing * least_distance(codes, gap)


def test_so_many_pairs_that_fewer_differences_are_asked_for() -> None:
    """Of 50 equal sequences all pairs are equal on every half; of others with one difference, half of them."""
    codes = np.ones((50, 12), dtype=np.uint8)
    pairs = 50 * 49 // 2
    for most, places in ((20 * pairs, 4), (20 * pairs - 1, 3), (6 * pairs - 1, 2), (2 * pairs - 1, 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shared_stretches, "PAIRS", most / 50)
            one, other, found = shared_stretches.on_shared_stretches(codes)
        assert found == places
        assert len(one) == len(other) <= most
