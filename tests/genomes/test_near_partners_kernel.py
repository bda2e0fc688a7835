"""Compiled code finds the same distances and the same partners as its twins in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from plain_sequences import descended

from sharewell.genomes import DNALA, Sequences
from sharewell.genomes.engine.iupac_lattice import GAPS
from sharewell.genomes.engine.protection import bit_distances
from sharewell.genomes.engine.protection.bit_distances import BitDistances
from sharewell.genomes.engine.protection.near_partners import NearPartners

pytest.importorskip("numba")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Switches compiled code on and off."""
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")

    def switch(on: bool) -> None:
        monkeypatch.setattr(bit_distances, "_LOADING_PAYS_FROM", 0 if on else 10**9)
        bit_distances._kernel.cache_clear()

    yield switch
    bit_distances._kernel.cache_clear()


@pytest.mark.parametrize("gap", GAPS)
def test_distances_are_the_same(gap: Any, compiled: Any) -> None:
    codes = descended(90, 40, 1.5, 3)
    one, other = np.arange(0, 80, 2), np.arange(79, 0, -2)
    seen = []
    for on in (False, True):
        compiled(on)
        among = BitDistances(codes, gap)
        assert (among.compiled("row") is not None) == on
        parts = [among.row(7), among.row(7, one), among.block(one, other), among.pairs(one, other)]
        seen.append([part.tolist() for part in parts])
    assert seen[0] == seen[1]
    assert max(seen[0][0]) > 0


@pytest.mark.parametrize("seed", range(4))
def test_partners_and_pairs_are_the_same(seed: int, compiled: Any) -> None:
    people = Sequences(descended(150, 40, 1.5, seed))
    seen = []
    for on in (False, True):
        compiled(on)
        partners = NearPartners(people.codes, "leaf")
        first = partners.first().tolist()
        nodes = np.arange(len(people.codes)) // 2
        told = [partners.further(one, {one}, nodes) for one in (0, 5, 9, 5, 5)]
        released = DNALA().protect(people, [])
        seen.append((first, told, released.data.texts, released.details))
    assert seen[0] == seen[1]
    assert any(others for others, _ in seen[0][1])
