"""Distances of packed sequences are those of the lattice."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_sequences import apart, texts

from sharewell.genomes import Sequences
from sharewell.genomes.engine.iupac_lattice import GAPS
from sharewell.genomes.engine.protection.bit_distances import BitDistances, least_distance


@given(rows=texts, gap=st.sampled_from(GAPS))
@settings(max_examples=80, deadline=None)
def test_distances_are_bits(rows: list[str], gap: Any) -> None:
    codes = Sequences.of(rows).codes
    expected, distances, everyone = apart(codes, gap), BitDistances(codes, gap), np.arange(len(rows))
    assert len(distances) == len(rows)
    assert distances.block(everyone, everyone).tolist() == expected.tolist()
    assert distances.block(everyone[:0], everyone).shape == (0, len(rows))
    assert distances.row(1).tolist() == expected[1].tolist()
    assert distances.row(0, everyone[::-1]).tolist() == expected[0, ::-1].tolist()
    assert distances.pairs(everyone, everyone[::-1]).tolist() == [
        row[-1 - i] for i, row in enumerate(expected.tolist())
    ]
    assert least_distance(codes, gap) <= expected[expected > 0].min()
